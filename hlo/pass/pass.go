package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// Pass is a rewrite pass.
type Pass struct {
	Name        string
	Description string // one line
	run         func(e *editor)
}

// Passes returns all passes in the order in which Rewrite applies them. Passes that create work for
// earlier ones cause these to be applied twice.
func Passes() []Pass {
	return []Pass{
		inlining, conversions, common, pools, ties, choices, masks, common, invariants, logarithms, monotone, views, constants, powers,
		divisions, scaled, affine, invariants, common, dead,
	}
}

// Options are the parameters of passes.
type Options struct {
	// Args are the visibilities of main's arguments, as in Program.Visibility.
	Args []hlo.Visibility
	// Ranges are the declared ranges of main's first arguments.
	Ranges []pattern.Interval
	// Fold allows passes to fold factors into a kernel whose owner knows them. Guard is the number
	// of bits of a convolution's range that are given up for the precision of the folded kernel.
	Fold  bool
	Guard int
}

// Rewrite applies all passes.
func Rewrite(p *hlo.Program, o Options) *hlo.Program { return apply(p, o, Passes()) }

// Apply applies the pass and removes the operations that are then unused.
func (x Pass) Apply(p *hlo.Program, o Options) *hlo.Program { return apply(p, o, []Pass{x, dead}) }

func apply(p *hlo.Program, o Options, passes []Pass) *hlo.Program {
	e := &editor{Options: o, prog: clone(p)}
	for _, x := range passes {
		e.analyse()
		x.run(e)
		e.applyReplacements()
	}
	renumber(e.prog)
	return e.prog
}
