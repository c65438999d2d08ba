package party

import (
	"fmt"
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pass"
)

// resumePlan is a program whose loops have checkpoints, and the place where a run of it begins.
type resumePlan struct {
	program *hlo.Program
	// requirements are the terms that a run must have in common with the run that it resumes;
	// argHashes are the hashes of the owned arguments that are in this process.
	requirements map[string]string
	argHashes    map[int]string
	loops        map[*hlo.Op]*exec.Loop // of the program that runs
	at           exec.ProgramPoint      // the place where the run begins
	// folders are the checkpoint folders of the parties in this process that hold shares, by rank.
	folders map[int]*checkpoint.Folder
}

// planCheckpoints inlines the program's loops into main, so that they can have checkpoints.
func (s *Spec) planCheckpoints() {
	c := &resumePlan{program: pass.InlineLoops(s.Program), requirements: s.terms(), argHashes: map[int]string{}}
	for i, a := range s.Args {
		if a.Owner >= 0 && a.Data != nil {
			c.argHashes[i] = fmt.Sprintf("%x", digest(a.Data))
		}
	}
	s.resume = c
	s.beginAt(exec.ProgramPoint{})
}

// beginAt has the run begin at a place; the program takes the live-in values of that place as
// further arguments.
func (s *Spec) beginAt(at exec.ProgramPoint) {
	c := *s.resume
	c.at = at
	r := pass.Resume(c.program, pass.Point{Loop: at.Loop, InLoop: at.Iteration > 0})
	c.loops = map[*hlo.Op]*exec.Loop{}
	for n, o := range r.Loops {
		if o == nil {
			continue
		}
		l := &exec.Loop{Number: n, Within: c.liveIns(r, n, pass.Point{Loop: n, InLoop: true}), After: c.liveIns(r, n, pass.Point{Loop: n + 1})}
		if n == at.Loop {
			l.Done = at.Iteration
		}
		c.loops[o] = l
	}
	s.resume = &c
	s.Program, s.Facts = r.Program, exec.Analyse(r.Program, s.ranges(r.Program)...)
}

// liveIns are the values that the n-th loop of a resumed program writes to checkpoints of a place.
// These are values that it carries itself, results of loops before it, or arguments of the resumed
// program (a value that is needed later is a live-in value of the resumed program too).
func (c *resumePlan) liveIns(r *pass.Resumed, n int, place pass.Point) []exec.LiveIn {
	args := r.Program.Main.Body.Params[len(c.program.Main.Body.Params):]
	var out []exec.LiveIn
	for _, x := range pass.Resume(c.program, place).Carried {
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

// resumes reports whether the run begins after the program's beginning.
func (c *resumePlan) resumes() bool { return c.at != exec.ProgramPoint{} }

// ownValuesTerm is the prefix of terms with the hash of an owned argument.
const ownValuesTerm = "values of argument "

// requirementsOf are the terms of a party's checkpoints.
func (c *resumePlan) requirementsOf(rank int, s *Spec) map[string]string {
	fits := maps.Clone(c.requirements)
	fits["party"] = s.Parties[rank]
	for i, hash := range c.argHashes {
		if s.Args[i].Owner == rank {
			fits[ownValuesTerm+fmt.Sprint(i)] = hash
		}
	}
	return fits
}
