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

// Plan is a program whose loops write checkpoints, together with the program point at which a run of it starts.
type Plan struct {
	// Program is the part of the program that runs. After the arguments of the whole program, it takes the
	// live-in values of At as further arguments.
	Program *hlo.Program
	Loops   map[*hlo.Op]*exec.Loop // the loops of Program that write checkpoints, by operation
	At      exec.ProgramPoint      // the program point at which the run starts

	whole   *hlo.Program // with its loops in main
	parties []string     // in rank order
	terms   map[string]string
	owned   map[int]map[int]string
	folders map[int]*checkpoint.Folder // of the parties in this process that hold shares, by rank
}

// NewPlan returns a plan of program p that starts at the program's beginning. It inlines functions with loops
// into main, so that these loops can have checkpoints. terms are the properties, by name, that a run must share
// with the run that it resumes. owned has hashes of the owned arguments whose data is in this process:
// owned[rank][argument], for the rank of the owner and the number of the argument.
func NewPlan(p *hlo.Program, parties []string, terms map[string]string, owned map[int]map[int]string) *Plan {
	c := &Plan{whole: pass.InlineLoops(p), parties: parties, terms: terms, owned: owned}
	return c.BeginAt(exec.ProgramPoint{})
}

// BeginAt returns a copy of the plan that starts at another program point.
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

// Resumes reports whether the run starts after the program's beginning.
func (p *Plan) Resumes() bool { return p.At != exec.ProgramPoint{} }

// Place returns the program point at which the run starts, as text for users.
func (p *Plan) Place() string { return Checkpoint{Loop: p.At.Loop, Iteration: p.At.Iteration}.Place() }

// Open returns a copy of the plan that uses checkpoint folders, in c.Folder, of the parties with these ranks:
// the parties in this process that hold shares. It creates folders that are missing.
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

// Load reads the checkpoint that the party of this rank has offered. It returns nil, without an error, if the
// plan has no folder of that party.
func (p *Plan) Load(rank int, o *Offer) (*checkpoint.Checkpoint, error) {
	f := p.folders[rank]
	if f == nil {
		return nil, nil
	}
	return f.Load(checkpoint.Header{ID: o.ID, Loop: o.Loop, Iteration: o.Iteration})
}

// Rewind prepares the folder of a party for a run that resumes from checkpoint to: it removes all checkpoints at
// or after that program point, except to itself.
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
