package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
)

// ProgramPoint is a point of a program's execution: the moment before iteration Iteration, counted from 0, of the
// loop of main with the number Loop.
type ProgramPoint struct{ Loop, Iteration int }

// Loop describes a loop of main before whose iterations an execution can be resumed.
type Loop struct {
	Number int // the loop's number among main's loops, counted from 0 in program order
	Done   int // the number of iterations that an earlier execution has done
	// Within lists the values that an execution needs if it resumes before an iteration of the loop, After those that
	// it needs if it resumes after the loop's end.
	Within, After []LiveIn
}

// LiveIn names a value that a checkpoint stores. If Of is not nil, it is that value, which main computes before the
// loop. Otherwise it is the value with the given Index among those that the loop carries from iteration to iteration.
type LiveIn struct {
	Of    *hlo.Value
	Index int
}

// taken returns the values of main before a loop that loops have as live-in values.
func taken(loops map[*hlo.Op]*Loop) map[*hlo.Value]bool {
	out := map[*hlo.Value]bool{}
	for _, l := range loops {
		for _, t := range slices.Concat(l.Within, l.After) {
			out[t.Of] = true
		}
	}
	return out
}

// CheckpointFunc writes a checkpoint at the point m of the program, or declines to. Walk calls it at each point at
// which a checkpoint is possible. take returns the live-in values, which a resumed execution needs at m; secrets
// among them are not finalized. op is the operation to which the function adds the steps that store the values. An
// error ends the walk.
type CheckpointFunc func(m ProgramPoint, op *flow.Op, take func() []Result) error

// checkpoint is called when a loop has done the given number of iterations and continues, or has ended.
func (c *opRun) checkpoint(in []*value, iterations int, ended bool) error {
	l := c.Loops[c.o]
	if l == nil {
		return nil
	}
	if c.failed != nil { // then values that a checkpoint needs are missing
		return c.failed
	}
	m, what := ProgramPoint{l.Number, iterations}, l.Within
	if ended {
		m, what = ProgramPoint{l.Number + 1, 0}, l.After
	}
	for _, t := range what {
		if t.Of == nil {
			continue
		}
		if err := c.spellAll(c.scope, c.o, []*hlo.Value{t.Of}); err != nil {
			return err
		}
	}
	return c.Checkpoint(m, c.op, func() []Result {
		out := make([]Result, len(what))
		for i, t := range what {
			var v *value
			if t.Of != nil {
				v = c.scope.get(t.Of)
			} else {
				v = in[t.Index]
			}
			v = c.sooner(v)
			out[i] = Result{Type: v.typ, Data: v.array()}
			if out[i].Owner, _ = mpc.Owner(v.owner); out[i].Owner == Secret {
				out[i].Secret = c.Arith.ToCheckpoint(c.op, v.sec)
			}
		}
		return out
	})
}
