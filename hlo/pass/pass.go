package pass

import (
	"context"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// Pass is a rewrite pass: it returns a new program that costs less on secrets.
type Pass struct {
	Name        string // short name, for messages and tests
	Description string // one line
	run         func(e *editor)
}

// Passes returns all passes in the order in which Rewrite applies them. A pass that other passes create work for
// occurs twice.
func Passes() []Pass {
	return []Pass{
		inlining, dead, batchNorms, errorFunctions, expansions, infinities, conversions, common, ownTables, narrowTables,
		ownTables, narrowTables, slicing, pools, ties, choices, masks, common,
		invariants, logarithms, dead, associated, monotone, views, constants, powers, divisions, scaled, affine, views, invariants, common, dead,
	}
}

// Options are the parameters of passes. The zero Options treats all arguments as secret and unbounded.
type Options struct {
	// Args are the visibilities of main's arguments, as in Program.Visibility.
	Args []hlo.Visibility
	// Ranges are the declared ranges of main's first arguments; further arguments are unbounded.
	Ranges []pattern.Interval
	// Fold allows passes to multiply factors into a kernel if one party knows both.
	Fold bool
	// Guard is the number of bits of a convolution's range that may be given up for the precision of a kernel that Fold
	// changed. They are given up where results are proved to be at most Guarded·2^(−Guard) in magnitude.
	Guard   int
	Guarded float64
	// Squares is the number of bits by which the range of squares under roots exceeds the range of values.
	Squares int
}

// Rewrite returns p after all passes (Passes). p is not changed.
func Rewrite(p *hlo.Program, o Options) *hlo.Program {
	return apply(context.Background(), p, o, Passes())
}

// RewriteContext is Rewrite that stops when ctx ends; it then returns the context's cause.
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

// Apply returns p after the pass, without the operations that are then unused. p is not changed.
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
