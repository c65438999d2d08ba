package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
)

// ProgramPoint is a point of a program's execution: before an iteration of one of main's loops, or before the
// loop where Iteration is 0.
type ProgramPoint struct{ Loop, Iteration int }

// Loop is a loop of main at whose iterations an execution can be resumed later.
type Loop struct {
	Number int
	Done   int // iterations that an earlier execution has done
	// Within lists the live-in values of a resume before an iteration, After those of a resume once the loop
	// has ended.
	Within, After []LiveIn
}

// LiveIn is a value that a checkpoint stores: Of, a value of main before the loop, or, if Of is nil, the
// Index-th value that the loop carries.
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

// CheckpointFunc is called at each point at which a checkpoint may be written. take returns the live-in
// values; secrets among them are not finalized. op is a handle for the steps that store them.
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
			out[i] = Result{Type: v.typ, Data: v.arr}
			if out[i].Owner, _ = mpc.Owner(v.owner); out[i].Owner == Secret {
				out[i].Secret = c.Arith.ToCheckpoint(c.op, v.sec)
			}
		}
		return out
	})
}
