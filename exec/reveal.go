package exec

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
)

// revealTarget is the custom call that reveals its operands to all computing parties. Only they know the
// result: the dealer must not learn it, even if it is one of the parties, so the result decides no branch,
// index or bound.
const revealTarget = "tacet.reveal"

func init() { customs.Add(revealTarget, disclose) }

// reveals reports whether an operation is that call.
func reveals(o *hlo.Op) bool {
	return o.Name == hlo.OpCustomCall && o.Attrs.Str("call_target_name") == revealTarget
}

// CountReveals returns the number of tensors that a program reveals to the computing parties: the operands of all
// calls of @tacet.reveal that main reaches. A function counts once for each call of it. Of several branches, the one
// with the most reveals counts. A loop's body counts once, because the number of iterations is not in the text; a dry
// run (Walk) counts each iteration.
func CountReveals(p *hlo.Program) int {
	known := map[*hlo.Func]int{}
	var in func(b *hlo.Block) int
	in = func(b *hlo.Block) int {
		n := 0
		for _, o := range b.Ops {
			if reveals(o) {
				n += len(o.Operands)
			}
			all, most := 0, 0
			for _, r := range o.Regions {
				k := in(r)
				all, most = all+k, max(most, k)
			}
			if o.Is(hlo.Branch) {
				all = most
			}
			n += all
			if f := o.Callee; f != nil {
				k, ok := known[f]
				if !ok {
					k = in(f.Body)
					known[f] = k
				}
				n += k
			}
			n = min(n, math.MaxInt32) // functions that call functions twice grow exponentially
		}
		return n
	}
	return in(p.Main.Body)
}

// disclose reveals its operands. A dry run that exceeds the allowed number of reveals continues, to count
// them all, and is refused at the end.
func disclose(c *opRun, in []*value) ([]*value, error) {
	if c.choosing > 0 {
		return nil, refuse(c.o, "to @"+revealTarget+" is in a branch or loop with a secret condition", "reveal the result outside of it")
	}
	if c.revealed += len(in); c.revealed > c.Reveals && c.excess == nil {
		c.excess = c.o
	}
	if c.excess != nil && !c.Graph.DryRun() {
		return nil, c.refuseReveals()
	}
	if c.Revealing != nil {
		c.Revealing(c.o)
	}
	out := make([]*value, len(in))
	for i, v := range in {
		out[i] = c.eachPart(v, func(x *fxp.Value) *fxp.Value {
			x = c.Arith.Rescale(c.op, x)
			return fxp.NewValue(c.Arith.P.RevealToComputing(c.op, x.S), x.Type, x.Scale)
		})
	}
	return out, nil
}

// refuseReveals returns the error for the first reveal beyond the number that the job allows; nil if there is
// none.
func (x *run) refuseReveals() error {
	if x.excess == nil {
		return nil
	}
	return refuse(x.excess, fmt.Sprintf("to @%s: the program reveals %d tensors before its end, and the job allows %d", revealTarget, x.revealed, x.Reveals),
		fmt.Sprintf("if this is intended, write reveals: %d into the job file", x.revealed))
}
