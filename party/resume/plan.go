package resume

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
)

// Plan is a program whose loops have checkpoints, and the place where a run of it begins.
type Plan struct {
	// Program is the program that runs. It takes the live-in values of At as further arguments, after
	// those of the whole program.
	Program *hlo.Program
	Loops   map[*hlo.Op]*exec.Loop // of Program
	At      exec.ProgramPoint      // the place where the run begins

	whole   *hlo.Program // with its loops in main
	parties []string     // in rank order
	terms   map[string]string
	owned   map[int]map[int]string
	folders map[int]*checkpoint.Folder // of the parties in this process that hold shares, by rank
}

// NewPlan inlines the program's loops into main, so that they can have checkpoints, and returns a
// plan that begins at the program's beginning. terms are those that a run must have in common with
// the run that it resumes. owned are hashes of the owned arguments whose data is in this process,
// by rank of the owner and number of the argument.
func NewPlan(p *hlo.Program, parties []string, terms map[string]string, owned map[int]map[int]string) *Plan {
	c := &Plan{whole: pass.InlineLoops(p), parties: parties, terms: terms, owned: owned}
	return c.BeginAt(exec.ProgramPoint{})
}

// BeginAt returns the plan of a run that begins at a place.
func (p *Plan) BeginAt(at exec.ProgramPoint) *Plan {
	c := *p
	r := pass.Resume(c.whole, pass.Point{Loop: at.Loop, InLoop: at.Iteration > 0})
	c.Program, c.At, c.Loops = r.Program, at, map[*hlo.Op]*exec.Loop{}
	for n, o := range r.Loops {
		if o == nil {
			continue
		}
		l := &exec.Loop{Number: n, Within: c.liveIns(r, n, pass.Point{Loop: n, InLoop: true}), After: c.liveIns(r, n, pass.Point{Loop: n + 1})}
		if n == at.Loop {
			l.Done = at.Iteration
		}
		c.Loops[o] = l
	}
	return &c
}

// liveIns are the values that the n-th loop of a resumed program writes to checkpoints of a place.
// These are values that it carries itself, results of loops before it, or arguments of the resumed
// program (a value that is needed later is a live-in value of the resumed program too).
func (p *Plan) liveIns(r *pass.Resumed, n int, place pass.Point) []exec.LiveIn {
	args := r.Program.Main.Body.Params[len(p.whole.Main.Body.Params):]
	var out []exec.LiveIn
	for _, x := range pass.Resume(p.whole, place).Carried {
		t := exec.LiveIn{Index: x.Index}
		switch {
		case x.Loop == n:
		case r.Loops[x.Loop] != nil:
			t.Of = r.Loops[x.Loop].Results[x.Index]
		default:
			t.Of = args[slices.Index(r.Carried, x)]
		}
		out = append(out, t)
	}
	return out
}

// Resumes reports whether the run begins after the program's beginning.
func (p *Plan) Resumes() bool { return p.At != exec.ProgramPoint{} }

// Place describes the place where the run begins.
func (p *Plan) Place() string { return Checkpoint{Loop: p.At.Loop, Iteration: p.At.Iteration}.Place() }

// Open returns the plan with the checkpoint folders of parties of this process that hold shares.
func (p *Plan) Open(c *Checkpoints, ranks []int) (*Plan, error) {
	out := *p
	out.folders = map[int]*checkpoint.Folder{}
	for _, rank := range ranks {
		f, err := checkpoint.Open(c.partyFolder(p.parties[rank]))
		if err != nil {
			return nil, err
		}
		out.folders[rank] = f
	}
	return &out, nil
}

// Load reads an offered checkpoint of a party; nil if the party holds no shares.
func (p *Plan) Load(rank int, o *Offer) (*checkpoint.Checkpoint, error) {
	f := p.folders[rank]
	if f == nil {
		return nil, nil
	}
	return f.Load(checkpoint.Header{ID: o.ID, Loop: o.Loop, Iteration: o.Iteration})
}

// Rewind removes a party's checkpoints at or after the place from which the run resumes, except the
// one that it resumes from.
func (p *Plan) Rewind(rank int, to Checkpoint) error {
	if f := p.folders[rank]; f != nil {
		return f.Rewind(to.ID, to.Loop, to.Iteration)
	}
	return nil
}

// ownValuesTerm is the prefix of terms with the hash of an owned argument.
const ownValuesTerm = "values of argument "

// requirements are the terms of a party's checkpoints.
func (p *Plan) requirements(rank int) map[string]string {
	fits := maps.Clone(p.terms)
	fits["party"] = p.parties[rank]
	for i, hash := range p.owned[rank] {
		fits[ownValuesTerm+fmt.Sprint(i)] = hash
	}
	return fits
}
