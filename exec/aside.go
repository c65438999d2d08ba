package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
)

// Mark is a place in a program's run: before a turn of one of main's loops, or,
// where Turn is 0, before the loop.
type Mark struct{ Loop, Turn int }

// Loop is a loop of main at whose turns a walk can be taken up later.
type Loop struct {
	Number int
	Done   int // turns that another walk has done
	// Within is what is needed to go on before a turn, and After once the loop is
	// done.
	Within, After []Taken
}

// Taken is a value that is to be set aside: Of, which stands in main before the
// loop, or, if that is nil, the Index-th that the loop carries.
type Taken struct {
	Of    *hlo.Value
	Index int
}

// taken are the values that loops take of what stands before them.
func taken(loops map[*hlo.Op]*Loop) map[*hlo.Value]bool {
	out := map[*hlo.Value]bool{}
	for _, l := range loops {
		for _, t := range slices.Concat(l.Within, l.After) {
			out[t.Of] = true
		}
	}
	return out
}

// Aside is told at each mark that a walk comes to; take gives what is needed
// to go on from there. Secrets are not settled. op is a handle for steps that set
// them aside.
type Aside func(m Mark, op *flow.Op, take func() []Result) error

// aside is called when a loop has so many turns behind it and goes on, or has
// ended.
func (c *opRun) aside(in []*value, turns int, ended bool) error {
	l := c.Loops[c.o]
	if l == nil {
		return nil
	}
	if c.failed != nil { // and what would be set aside is not there
		return c.failed
	}
	m, what := Mark{l.Number, turns}, l.Within
	if ended {
		m, what = Mark{l.Number + 1, 0}, l.After
	}
	return c.Aside(m, c.op, func() []Result {
		out := make([]Result, len(what))
		for i, t := range what {
			var v *value
			if t.Of != nil {
				v = c.scope.get(t.Of)
			} else {
				v = in[t.Index]
			}
			out[i] = Result{Type: v.typ, Data: v.arr}
			if out[i].Who, _ = mpc.Owner(v.who); out[i].Who == Secret {
				out[i].Secret = c.Arith.ToSetAside(c.op, v.sec)
			}
		}
		return out
	})
}
