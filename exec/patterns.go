package exec

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Facts are properties of a program that are known before it runs. They change which protocols and how many fraction
// bits are used for an operation.
type Facts struct {
	Patterns *pattern.Patterns   // operations that together form a function with a protocol of its own
	Ranges   *pattern.Ranges     // the intervals in which values lie
	Roots    map[*hlo.Value]bool // values that end under a root (pattern.Roots)
	Divisors map[*hlo.Value]bool // values that are used as divisors only (pattern.Divisors)

	// Quotients are the values that end as dividends or divisors (pattern.Quotients), Inverses the values that are
	// 1/√x (pattern.Inverses).
	Quotients, Inverses map[*hlo.Value]bool
	// Cotangents are the values of a backward pass (pattern.Cotangents); they are computed with guard bits.
	Cotangents map[*hlo.Value]bool
	// Updates are the updates of an optimiser, and the parameters to which they are added (pattern.Updates).
	Updates map[*hlo.Value]bool
	// Normalizers are the operations that divide gradients by their own size (pattern.Normalizers).
	Normalizers []pattern.Normalizer
	// Logits are the values whose softmax is taken later (pattern.Patterns.Logits): elements far below or above the
	// others of their row may saturate.
	Logits map[*hlo.Value]bool
}

// Analyse returns the facts of program p. args are the ranges of main's first arguments; further arguments have no
// bounds.
func Analyse(p *hlo.Program, args ...pattern.Interval) *Facts {
	found := pattern.Find(p).Keep(func(m *pattern.Match) bool { return wholes[m.Kind] != nil || m.Kind == pattern.DivSqrt })
	return &Facts{
		Patterns: found,
		Ranges:   pattern.Bounds(p, args...),
		Roots:    pattern.Roots(p),
		Divisors: pattern.Divisors(p),

		Quotients: pattern.Quotients(p),
		Inverses:  pattern.Inverses(p),
		Logits:    found.Logits(),

		Cotangents: pattern.Cotangents(p),
		Updates:    pattern.Updates(p),

		Normalizers: pattern.Normalizers(p),
	}
}

// SmallGradients says which gradients are too small for an optimiser that divides them by their own size, which constant
// it adds to the sizes, and what to set. It is empty if the program has no such optimiser. Where a constant is too
// small, updates are as wrong as the gradients, of any magnitude; a larger one keeps those updates small, and only
// their last digits are lost.
func (f *Facts) SmallGradients(a *fxp.Arith) string {
	if f == nil || len(f.Normalizers) == 0 {
		return ""
	}
	least, remedy := a.LeastGradient()
	same := slices.DeleteFunc(slices.Clone(f.Normalizers), func(n pattern.Normalizer) bool { return n.Epsilon >= least })
	wrong := len(same) > 0
	if !wrong {
		same = f.Normalizers
	}
	first := same[0]
	size := "their own size"
	if first.Constant != nil {
		size = fmt.Sprintf("their own size and %.2g (the constant at %s)", first.Epsilon, first.Constant.Pos.Place())
	}
	what := "get wrong updates"
	if wrong {
		remedy += ", or a constant of that magnitude beside the size"
	} else {
		what = fmt.Sprintf("lose digits, and so do their updates, which that constant keeps below %.2g of the rate", least/first.Epsilon)
	}
	if more := len(same) - 1; more > 0 {
		remedy = fmt.Sprintf("%s (%d more operations like it)", remedy, more)
	}
	return fmt.Sprintf("%s: %s: gradients are divided by %s; those below %.2g in magnitude %s: %s",
		first.Op.Pos, first.Op.Title(), size, least, what, remedy)
}

// fusedKernel computes a match from its first input x, a secret with range r.
type fusedKernel func(c *opRun, m *pattern.Match, x *fxp.Value, r fxp.Range) *fxp.Value

// wholes are the fused kernels of matches. A match with an input that is not secret is run operation by
// operation.
var wholes map[pattern.Kind]fusedKernel

func init() {
	of := func(name string) fusedKernel {
		return func(c *opRun, _ *pattern.Match, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.EvalTableWithTails(c.op, x, name, r)
		}
	}
	rows := func(kind mpc.RowKind) fusedKernel {
		return func(c *opRun, m *pattern.Match, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.inRows(c.Arith.RowArgument(c.op, x, kind), m.Axes, kind == mpc.LogSumExp, func(x *fxp.Value, n int) *fxp.Value {
				return c.Arith.Softmax(c.op, x, n, kind)
			})
		}
	}
	norm := func(centred bool) fusedKernel {
		return func(c *opRun, m *pattern.Match, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.inRows(c.Arith.Rescale(c.op, x), m.Axes, false, func(x *fxp.Value, n int) *fxp.Value {
				return c.Arith.Normalize(c.op, x, n, m.Eps, centred)
			})
		}
	}
	wholes = map[pattern.Kind]fusedKernel{
		pattern.Sigmoid:    of("sigmoid"),
		pattern.Silu:       of("silu"),
		pattern.GeluTanh:   of("gelu_tanh"),
		pattern.GeluErf:    of("gelu"),
		pattern.Softplus:   of("softplus"),
		pattern.Tanh:       of("tanh"),
		pattern.Softmax:    rows(mpc.Softmax),
		pattern.LogSoftmax: rows(mpc.LogSoftmax),
		pattern.LogSumExp:  rows(mpc.LogSumExp),
		pattern.LogSigmoid: func(c *opRun, _ *pattern.Match, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.Neg(c.op, c.Arith.EvalTableWithTails(c.op, c.Arith.Neg(c.op, x), "softplus", fxp.Range{Lo: -r.Hi, Hi: -r.Lo}))
		},
		pattern.Rsqrt: func(c *opRun, _ *pattern.Match, x *fxp.Value, r fxp.Range) *fxp.Value {
			return c.Arith.RealPower(c.op, x, -0.5, false, r)
		},
		pattern.Negative: func(c *opRun, _ *pattern.Match, x *fxp.Value, _ fxp.Range) *fxp.Value {
			return c.Arith.Negative(c.op, x)
		},
		pattern.LayerNorm: norm(true),
		pattern.RMSNorm:   norm(false),
	}
}

// inRows applies f to x with the given axes moved last, so that each row holds the elements that are reduced
// together, and moves the result's axes back.
func (c *opRun) inRows(x *fxp.Value, axes []int, reduced bool, f func(x *fxp.Value, m int) *fxp.Value) *fxp.Value {
	shape := x.Type.Shape
	isAxis := map[int]bool{}
	m := 1
	for _, a := range axes {
		isAxis[a] = true
		m *= shape[a]
	}
	var perm []int
	for d := range shape {
		if !isAxis[d] {
			perm = append(perm, d)
		}
	}
	perm = append(perm, axes...)
	moved := c.Arith.View(c.op, tensor.Transposed(shape, perm), x)
	y := f(moved, m)
	if reduced {
		return y
	}
	back := make([]int, len(perm))
	for to, from := range perm {
		back[from] = to
	}
	return c.Arith.View(c.op, tensor.Transposed(moved.Type.Shape, back), y)
}

// match computes with a fused kernel the match that o ends. It returns nil if there is no match or one of its
// inputs is not secret.
func (x *run) match(s *scope, o *hlo.Op) (*value, error) {
	if x.Facts == nil {
		return nil, nil
	}
	m := x.Facts.Patterns.At(o)
	if m == nil || len(o.Results) != 1 {
		return nil, nil
	}
	first := s.get(m.X())
	if first == nil || first.owner != Secret {
		return nil, nil
	}
	var by *value
	if m.Kind == pattern.DivSqrt {
		if by = s.get(m.Inputs[1]); by == nil || by.owner != Secret {
			return nil, nil
		}
	}
	op, booked := x.booked(o)
	booked.Whole = m.Kind.String()
	c, t := &opRun{run: x, op: op, o: o, scope: s}, o.Results[0].Type
	if by != nil {
		out := c.dividedByRoot(m, first, by)
		out.sec.Type, out.typ = t, t
		return out, nil
	}
	x0 := first.sec
	if m.Kind != pattern.Rsqrt {
		x0 = c.Arith.Coarse(op, x0)
	}
	y := wholes[m.Kind](c, m, x0, c.known(m.X()))
	y = c.Arith.View(c.op, tensor.Reshaped(y.Type.Shape, t.Shape), y)
	y.Type = t
	out := secret(y)
	for i := range m.Inputs[1:] {
		if err := x.spellAll(s, o, m.Inputs[i+1:i+2]); err != nil {
			return nil, err
		}
		v := s.get(m.Inputs[i+1])
		if v == nil {
			return nil, refuse(o, "has no value for an input of "+m.String(), "")
		}
		placed := c.view(c.sooner(v), m.View(i+1))
		res, err := multiply(c, []*value{out, {typ: t, owner: placed.owner, arr: placed.arr, postponed: placed.postponed, sec: placed.sec}})
		if err != nil {
			return nil, err
		}
		out = res[0]
	}
	return out, nil
}

// runUnfused runs the operations of a match that was not taken and whose operations were skipped before.
func (x *run) runUnfused(s *scope, o *hlo.Op) error {
	if x.Facts == nil {
		return nil
	}
	m := x.Facts.Patterns.At(o)
	if m == nil {
		return nil
	}
	for _, inner := range m.Ops {
		if s.get(inner.Results[0]) != nil {
			continue
		}
		if err := x.step(s, inner); err != nil {
			return err
		}
	}
	return nil
}
