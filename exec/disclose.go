package exec

import (
	"fmt"

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

// CountReveals is how often a program's text asks for a reveal.
func CountReveals(p *hlo.Program) int {
	var in func(b *hlo.Block) int
	in = func(b *hlo.Block) int {
		n := 0
		for _, o := range b.Ops {
			if reveals(o) {
				n++
			}
			for _, r := range o.Regions {
				n += in(r)
			}
		}
		return n
	}
	n := 0
	for _, f := range p.Funcs {
		n += in(f.Body)
	}
	return n
}

func disclose(c *opRun, in []*value) ([]*value, error) {
	if c.choosing > 0 {
		return nil, refuse(c.o, "to @"+revealTarget+" stands in a branch or loop that secrets decide on", "reveal outside of it, after the choice")
	}
	if c.revealed++; c.revealed > c.Reveals {
		return nil, refuse(c.o, fmt.Sprintf("to @%s is reveal %d of this run, and the job allows %d", revealTarget, c.revealed, c.Reveals),
			"if that is meant, write reveals: N, how many there are, into the job file")
	}
	out := make([]*value, len(in))
	for i, v := range in {
		x := c.Arith.Reduce(c.op, c.share(v, c.Arith.Fraction))
		out[i] = secret(&fxp.Value{S: c.Arith.P.Disclose(c.op, x.S), Type: x.Type, Scale: x.Scale})
	}
	return out, nil
}
