package pass

import (
	"context"

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
		inlining, expansions, conversions, common, slicing, pools, ties, choices, masks, common, invariants, logarithms, monotone, views, constants, powers,
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
func Rewrite(p *hlo.Program, o Options) *hlo.Program {
	return apply(context.Background(), p, o, Passes())
}

// RewriteContext is Rewrite until ctx ends; it then returns the context's cause.
func RewriteContext(ctx context.Context, p *hlo.Program, o Options) (out *hlo.Program, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case ended:
			out, err = nil, context.Cause(ctx)
		default:
			panic(r)
		}
	}()
	return apply(ctx, p, o, Passes()), nil
}

// ended is the panic by which a pass ends when the context has.
type ended struct{}

// alive ends the pass if the context has ended.
func (e *editor) alive() {
	if e.ctx.Err() != nil {
		panic(ended{})
	}
}

// Apply applies the pass and removes the operations that are then unused.
func (x Pass) Apply(p *hlo.Program, o Options) *hlo.Program {
	return apply(context.Background(), p, o, []Pass{x, dead})
}

func apply(ctx context.Context, p *hlo.Program, o Options, passes []Pass) *hlo.Program {
	e := newEditor(ctx, o, clone(p))
	for _, x := range passes {
		e.alive()
		e.analyse()
		x.run(e)
		e.applyReplacements()
	}
	renumber(e.prog)
	return e.prog
}
