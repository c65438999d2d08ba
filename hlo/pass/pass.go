package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// Pass is one rewriting of programs.
type Pass struct {
	Name string
	Does string // in a line
	run  func(e *editor)
}

// Passes are all passes, in the order in which Rewrite takes them. Some make
// work for others and are taken twice.
func Passes() []Pass {
	return []Pass{
		inlining, conversions, common, pools, ties, choices, masks, common, invariants, monotone, views, constants, powers, divisions, scaled, affine, invariants, common, dead,
	}
}

// Options are what passes go by.
type Options struct {
	// Args says who knows main's arguments, as for Program.Visibility.
	Args []hlo.Visibility
	// Ranges are where main's first arguments lie.
	Ranges []pattern.Interval
	// Fold says that factors that a kernel's owner knows are folded into it, Guard how
	// many bits of a convolution's range are given for their precision.
	Fold  bool
	Guard int
}

// Rewrite applies all passes.
func Rewrite(p *hlo.Program, o Options) *hlo.Program { return apply(p, o, Passes()) }

// Apply applies the pass, and takes away what nothing needs afterwards.
func (x Pass) Apply(p *hlo.Program, o Options) *hlo.Program { return apply(p, o, []Pass{x, dead}) }

func apply(p *hlo.Program, o Options, passes []Pass) *hlo.Program {
	e := &editor{Options: o, prog: clone(p)}
	for _, x := range passes {
		e.study()
		x.run(e)
		e.settle()
	}
	renumber(e.prog)
	return e.prog
}
