package exec

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
)

// revealTarget is the custom call that reveals its operands to all computing
// parties. What it gives is known to them and to nobody else: who deals must
// not learn it, not even if it is one of the parties, so it decides no branch,
// index or bound.
const revealTarget = "tacet.reveal"

func init() { customs[revealTarget] = disclose }

// reveals reports whether an operation is that call.
func reveals(o *hlo.Op) bool {
	return o.Name == "stablehlo.custom_call" && o.Attrs.Str("call_target_name") == revealTarget
}

// CountReveals is how many tensors a program's text reveals: the operands of all
// calls of @tacet.reveal that main comes to, a function's as often as it is called,
// and of several branches those of the one with the most. A loop counts as one
// iteration; how many there are a walk finds.
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
			if o.Name == "stablehlo.if" || o.Name == "stablehlo.case" {
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
			n = min(n, math.MaxInt32) // functions that call functions twice
		}
		return n
	}
	return in(p.Main.Body)
}

// disclose reveals its operands. Of a walk without weight that reveals more than the
// job allows, nothing but the number is of interest: it is refused at the end.
func disclose(c *opRun, in []*value) ([]*value, error) {
	if c.choosing > 0 {
		return nil, refuse(c.o, "to @"+revealTarget+" stands in a branch or loop that secrets decide on", "reveal outside of it, after the choice")
	}
	if c.revealed += len(in); c.revealed > c.Reveals && c.excess == nil {
		c.excess = c.o
	}
	if c.excess != nil && !c.Graph.Weightless() {
		return nil, c.refuseReveals()
	}
	if c.Revealing != nil {
		c.Revealing(c.o)
	}
	out := make([]*value, len(in))
	for i, v := range in {
		out[i] = c.eachPart(v, func(x *fxp.Value) *fxp.Value {
			x = c.Arith.Reduce(c.op, x)
			return fxp.NewValue(c.Arith.P.Disclose(c.op, x.S), x.Type, x.Scale)
		})
	}
	return out, nil
}

// refuseReveals refuses the first reveal that the job does not allow; nil if it
// allows all.
func (x *run) refuseReveals() error {
	if x.excess == nil {
		return nil
	}
	return refuse(x.excess, fmt.Sprintf("to @%s: the program reveals %d tensors on its way, and the job allows %d", revealTarget, x.revealed, x.Reveals),
		fmt.Sprintf("if that is meant, write reveals: %d into the job file", x.revealed))
}
