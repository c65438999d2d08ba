package exec

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
)

// revealTarget is the custom call that reveals its operands to all computing parties. Only they know the
// result: the dealer must not learn it, even if it is one of the parties, so the result decides no branch,
// index or bound.
const revealTarget = "tacet.reveal"

func init() {
	customs.Add(revealTarget, disclose)
	customs.Add(hlo.RevealToTarget, discloseTo)
}

// reveals reports whether an operation reveals its operands while the program runs: to all computing parties, or to one of them.
func reveals(o *hlo.Op) bool {
	if o.Name != hlo.OpCustomCall {
		return false
	}
	target := o.Attrs.Str("call_target_name")
	return target == revealTarget || target == hlo.RevealToTarget
}

// RevealsTo returns the ranks of the parties that learn what an operation reveals while the program runs, of so many online parties; nil
// for an operation that reveals nothing.
func RevealsTo(o *hlo.Op, online int) []int {
	if rank, ok := hlo.RevealedTo(o); ok {
		return []int{rank}
	}
	if !reveals(o) {
		return nil
	}
	all := make([]int, online)
	for rank := range all {
		all[rank] = rank
	}
	return all
}

// Told returns the ranks of the parties to which calls of @tacet.reveal_to in a program reveal tensors, ascending.
func Told(p *hlo.Program) []int {
	var out []int
	p.Each(func(o *hlo.Op) {
		if rank, ok := hlo.RevealedTo(o); ok && !slices.Contains(out, rank) {
			out = append(out, rank)
		}
	})
	slices.Sort(out)
	return out
}

// CountReveals returns the number of tensors that a program reveals to the computing parties, or to one of them: the operands of all
// calls of @tacet.reveal and @tacet.reveal_to that main reaches. A function counts once for each call of it. Of several branches, the one
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

// countReveal counts tensors that the operation reveals. A dry run that exceeds the allowed number of reveals continues, to count
// them all, and is refused at the end.
func (c *opRun) countReveal(tensors int) error {
	if c.choosing > 0 {
		return refuse(c.o, "to @"+c.o.Attrs.Str("call_target_name")+" is in a branch or loop with a secret condition", "reveal the result outside of it")
	}
	if c.revealed += tensors; c.revealed > c.Reveals && c.excess == nil {
		c.excess = c.o
	}
	if c.excess != nil && !c.Graph.DryRun() {
		return c.refuseReveals()
	}
	if c.Revealing != nil {
		c.Revealing(c.o)
	}
	return nil
}

// disclose reveals its operands to all computing parties.
func disclose(c *opRun, in []*value) ([]*value, error) {
	if err := c.countReveal(len(in)); err != nil {
		return nil, err
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
	return refuse(x.excess, fmt.Sprintf("to @%s: the program reveals %d tensors before its end, and the job allows %d", x.excess.Attrs.Str("call_target_name"), x.revealed, x.Reveals),
		fmt.Sprintf("if this is intended, write reveals: %d into the job file", x.revealed))
}
