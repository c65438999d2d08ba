package exec

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// ordered puts the operand that is neither public nor (if there is another) known to one party first, and
// reports whether it swapped them.
func ordered(in []*value) (x, y *value, swapped bool) {
	if in[0].owner == Secret || in[1].owner == Public {
		return in[0], in[1], false
	}
	return in[1], in[0], true
}

func add(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType == tensor.Bool {
		return c.or(in...)
	}
	return c.sum(in)
}

// sum is addition in the operands' ring; for booleans that is xor.
func (c *opRun) sum(in []*value) ([]*value, error) {
	x, y, _ := ordered(in)
	xs := c.share(x, 0)
	switch {
	case slices.ContainsFunc(in, c.inFineForm), c.finerKnown(xs, y):
		return one(c.fineSum(in, 1))
	case y.owner == Public:
		r := fxp.Unknown
		if c.o.Name == hlo.OpAdd { // not a step of another operation
			r = c.rangeOf(slices.Index(in, x))
		}
		return one(c.addPublic(xs, y.array(), r))
	case c.addedInClear(xs, y):
		return c.addKnown(xs, y, false)
	}
	c.openRepeated(x, y)
	return one(c.sumOf(1, xs, y.sec))
}

// addedInClear reports whether the party that knows y adds it locally to x, instead of sharing it. y must be
// shared where x is open; and if y was derived from values with fewer elements, those are shared instead.
func (c *opRun) addedInClear(x *fxp.Value, y *value) bool {
	if y.owner != Secret && y.sec == nil && x.S.Opened() && x.Scale <= c.Arith.Fraction && y.smaller() {
		c.shareKnown(y)
	}
	return y.owner != Secret && y.sec == nil
}

// openRepeated opens a value that repeats elements if it is combined with an open value: that sends fewer
// elements than opening the result.
func (c *opRun) openRepeated(x, y *value) {
	if x.sec.S.Opened() {
		x, y = y, x
	}
	if x.repeats && y.sec.S.Opened() {
		c.Arith.Open(c.op, x.sec)
	}
}

func subtract(c *opRun, in []*value) ([]*value, error) {
	x, y, swapped := ordered(in)
	xs := c.share(x, 0)
	if slices.ContainsFunc(in, c.inFineForm) || c.finerKnown(xs, y) {
		return one(c.fineSum(in, -1))
	}
	if y.owner != Public && !c.addedInClear(xs, y) {
		c.openRepeated(x, y)
		if swapped {
			return one(c.sumOf(-1, y.sec, xs))
		}
		return one(c.sumOf(-1, xs, y.sec))
	}
	if swapped { // y − x
		xs = c.Arith.Neg(c.op, xs)
	}
	switch {
	case y.owner != Public:
		return c.addKnown(xs, y, !swapped)
	case swapped:
		return one(c.plusPublic(xs, y.array()))
	}
	return one(c.plusPublic(xs, negated(y.array())))
}

// addKnown returns x + y, or x − y if less, for a y that one party knows and adds locally. A y that was
// broadcast, as biases and masks are, is added to a contraction before that is rescaled, and its owner checks
// whether it fits there. An element of an unchanged input that does not fit is refused. A value that the
// owner has computed saturates, and so does a mask of the argument of a softmax.
func (c *opRun) addKnown(x *fxp.Value, y *value, less bool) ([]*value, error) {
	arr, r := func() *tensor.Array { return y.array() }, y.within
	if r == (fxp.Range{}) { // of a step of another operation
		r = fxp.Unknown
	}
	if less {
		arr, r = func() *tensor.Array { return negated(y.array()) }, fxp.Range{Lo: -r.Hi, Hi: -r.Lo}
	}
	if y.spread && !bounded(r) && c.Arith.Contracted(x) {
		limit := c.Arith.Beside(x)
		if y.raw && y.array() != nil && !c.logits() {
			if i, v, ok := beyond(y.array(), limit); ok && c.failed == nil {
				owner, _ := mpc.Owner(y.owner)
				c.failed = &LocalError{owner, refuse(c.o, fmt.Sprintf("element %d (flat) of an input, broadcast here, is %g, and is added to a product whose range ends below %g", i, v, limit), "declare the input's range in the job file (range: [lo, hi]): then the product is rescaled first")}
			}
		}
		inner := arr
		arr, r = func() *tensor.Array { return saturatedBelow(inner(), limit) }, fxp.Range{Lo: -limit, Hi: limit}
	}
	if c.guarded() {
		return one(c.Arith.AddKnownGuarded(c.op, x, y.owner, r, arr))
	}
	return one(c.Arith.AddLocal(c.op, x, y.owner, r, arr))
}

// logits reports whether a softmax is taken of the operation's result.
func (c *opRun) logits() bool {
	return c.Facts != nil && len(c.o.Results) == 1 && c.Facts.Logits[c.o.Results[0]]
}

// bounded reports whether both ends of a range are known.
func bounded(r fxp.Range) bool { return !math.IsInf(r.Lo, 0) && !math.IsInf(r.Hi, 0) }

// beyond returns the first element whose magnitude is at least limit.
func beyond(a *tensor.Array, limit float64) (i int, v float64, ok bool) {
	for i, v := range a.Floats() {
		if math.Abs(v) >= limit {
			return i, v, true
		}
	}
	return 0, 0, false
}

// saturatedBelow clamps elements of a of at least limit in magnitude to just below it; nil for a nil a.
func saturatedBelow(a *tensor.Array, limit float64) *tensor.Array {
	if a == nil {
		return nil
	}
	if _, _, ok := beyond(a, limit); !ok {
		return a
	}
	limit = math.Nextafter(limit, 0)
	f := slices.Clone(a.Floats())
	for i, v := range f {
		f[i] = math.Max(-limit, math.Min(limit, v)) // NaN stays
	}
	return tensor.FromFloats(a.DType, a.Shape, f)
}

// negated returns −a in a's type; nil for a nil a.
func negated(a *tensor.Array) *tensor.Array {
	if a == nil {
		return nil
	}
	if !a.DType.IsFloat() {
		w := append([]uint64{}, a.Words()...)
		for i := range w {
			w[i] = -w[i]
		}
		return tensor.FromWords(a.DType, a.Shape, w)
	}
	f := append([]float64{}, a.Floats()...)
	for i := range f {
		f[i] = -f[i]
	}
	return tensor.FromFloats(a.DType, a.Shape, f)
}

func multiply(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType == tensor.Bool {
		return c.and(in...)
	}
	x, y, _ := ordered(in)
	xs := c.share(x, 0)
	if y.owner == Public {
		return one(c.timesPublic(xs, y.array()))
	}
	ys := c.share(y, 0)
	switch {
	case x.bits != nil:
		return one(c.keepSmall(x.bits, ys))
	case y.bits != nil:
		return one(c.keepSmall(y.bits, xs))
	}
	xs, ys = c.share(in[0], 0), c.share(in[1], 0)
	small := c.finely() && !c.guarded() && max(xs.Scale, ys.Scale) > c.Arith.Fraction
	switch fine := c.Arith.Fine(xs) || c.Arith.Fine(ys); {
	case c.rooted(), small && fine:
		return one(c.Arith.ProductFine(c.op, c.gradient(0, xs), c.gradient(min(1, len(c.o.Operands)-1), ys)))
	case c.inverse(0):
		return one(c.Arith.MulSmall(c.op, c.gradient(1, c.Arith.Coarse(c.op, ys)), c.Arith.Coarse(c.op, xs)))
	case c.inverse(1):
		return one(c.Arith.MulSmall(c.op, c.gradient(0, c.Arith.Coarse(c.op, xs)), c.Arith.Coarse(c.op, ys)))
	case small:
		return one(c.Arith.ProductFine(c.op, xs, ys))
	}
	xs, ys = c.Arith.Coarse(c.op, xs), c.Arith.Coarse(c.op, ys)
	if c.guarded() {
		return one(c.Arith.MulGuarded(c.op, xs, ys))
	}
	if c.rescaledOnly(c.o.Results[0], 0) {
		return one(c.Arith.MulRescaled(c.op, xs, ys))
	}
	return one(c.Arith.Mul(c.op, xs, ys))
}

// rescaledOnly reports whether all operations that read a product rescale it: elementwise ones but a negation and a selection, and
// the return of main, also behind views. Sums and contractions rescale their results instead.
func (x *run) rescaledOnly(v *hlo.Value, depth int) bool {
	if x.taken[v] || depth > maxCopies || len(x.readersOf(v)) == 0 {
		return false
	}
	main := x.Program.Main.Body.Ops
	for _, o := range x.readersOf(v) {
		switch {
		case x.inPattern(o):
			return false
		case o == main[len(main)-1]:
		case o.Is(hlo.Elementwise) && o.Name != hlo.OpNegate && o.Name != hlo.OpSelect:
		case isView(o) && len(o.Results) == 1 && x.rescaledOnly(o.Results[0], depth+1):
		default:
			return false
		}
	}
	return true
}

// keepSmall is keep for products with zeros and ones.
func (c *opRun) keepSmall(b, x *fxp.Value) *fxp.Value {
	if !c.finely() || c.guarded() || !c.Arith.Small(x) {
		return c.keep(b, c.Arith.Coarse(c.op, x))
	}
	zero := tensor.FromFloats(tensor.F64, x.Type.Shape, make([]float64, x.S.Len()))
	return c.Arith.SelectFine(c.op, b, x, c.Arith.PublicFine(c.op, zero))
}

func square(c *opRun, in []*value) ([]*value, error) { return multiply(c, []*value{in[0], in[0]}) }

// divide divides by a public value through a product with its reciprocal; integers are divided exactly.
func divide(c *opRun, in []*value) ([]*value, error) {
	if in[0].typ.DType.IsInt() {
		return one(c.divideInt(in, false))
	}
	if err := c.floatsOnly(in); err != nil {
		return nil, err
	}
	if in[1].owner != Public {
		return c.quotient(in)
	}
	f := append([]float64{}, in[1].array().Floats()...)
	for i := range f {
		f[i] = 1 / f[i]
	}
	r := tensor.FromFloats(tensor.F64, in[1].typ.Shape, f)
	return one(c.timesPublic(c.share(in[0], 0), r))
}

func negate(c *opRun, in []*value) ([]*value, error) {
	if c.fine(in...) {
		return one(c.Arith.SumFine(c.op, []int64{-1}, in[0].sec))
	}
	return one(c.Arith.Neg(c.op, in[0].sec))
}

// abs returns the magnitude of integers: −x or x.
func abs(c *opRun, in []*value) ([]*value, error) {
	x := in[0].sec
	if d := x.Type.DType; d.IsInt() && !d.IsSigned() {
		return in, nil
	} else if !d.IsFloat() {
		return one(c.Arith.Select(c.op, c.Arith.Negative(c.op, x), c.Arith.Neg(c.op, x), x))
	}
	if c.finely() || c.Arith.Fine(x) {
		return one(c.Arith.AbsExact(c.op, x))
	}
	return one(c.Arith.Abs(c.op, x))
}

func maximum(c *opRun, in []*value) ([]*value, error) {
	if !in[0].typ.DType.IsFloat() {
		return c.extremeInt(in[0], in[1], false)
	}
	return c.largest(in[0], in[1])
}

// minimum returns −max(−x, −y) for floats, unless one is public.
func minimum(c *opRun, in []*value) ([]*value, error) {
	if !in[0].typ.DType.IsFloat() {
		return c.extremeInt(in[0], in[1], true)
	}
	if x, y, _ := ordered(in); y.owner == Public && !c.fine(x) {
		return one(c.limitedBy(c.share(x, 0), y.array(), true))
	}
	out, err := c.largest(c.opposite(in[0]), c.opposite(in[1]))
	if err != nil {
		return nil, err
	}
	return []*value{c.opposite(out[0])}, nil
}

// opposite returns −v, whether v is public, known or secret.
func (c *opRun) opposite(v *value) *value {
	switch {
	case v.owner == Secret:
		return secret(c.Arith.Neg(c.op, v.sec))
	case v.array() != nil:
		return &value{typ: v.typ, owner: v.owner, arr: negated(v.array())}
	}
	return &value{typ: v.typ, owner: v.owner}
}

// largest returns max(a, b).
func (c *opRun) largest(a, b *value) ([]*value, error) {
	x, y, _ := ordered([]*value{a, b})
	if c.fine(a, b) || c.smallProducts(a, b) {
		return one(c.Arith.MaxFine(c.op, c.fineShare(x), c.fineShare(y)))
	}
	xs := c.share(x, 0)
	if y.owner != Public {
		if c.finely() {
			return one(c.Arith.MaxExact(c.op, xs, c.share(y, 0)))
		}
		return one(c.Arith.Max(c.op, xs, c.share(y, 0)))
	}
	return one(c.limitedBy(xs, y.array(), false))
}

// limitedBy returns max(x, y), or min(x, y) if least, for public y: a ReLU if y is zero, else a comparison
// and a selection.
func (c *opRun) limitedBy(x *fxp.Value, y *tensor.Array, least bool) *fxp.Value {
	limit, zero, none := c.finite(y, least)
	switch {
	case none:
		return x
	case zero && !least && c.finely():
		return c.Arith.ReluExact(c.op, x)
	case zero && !least:
		return c.Arith.Relu(c.op, x)
	}
	return c.Arith.Limit(c.op, x, limit, least)
}

// finite clamps public floats to the range of values. zero says that all are zero, none that they are no
// limit at all: −∞, or ∞ if they are upper limits (most).
func (c *opRun) finite(a *tensor.Array, most bool) (b *tensor.Array, zero, none bool) {
	limit, sign := c.Arith.Largest(), -1
	if most {
		sign = 1
	}
	if x, ok := a.Uniform(); ok && -limit <= x && x <= limit {
		return a, x == 0, false
	}
	f := append([]float64{}, a.Floats()...)
	zero, none = true, true
	for i, x := range f {
		zero = zero && x == 0
		none = none && math.IsInf(x, sign)
		f[i] = math.Max(-limit, math.Min(limit, x))
	}
	return tensor.FromFloats(tensor.F64, a.Shape, f), zero, none
}

// clamp returns min(max(x, low), high) for bounds that are scalars or have x's shape.
func clamp(c *opRun, in []*value) ([]*value, error) {
	bound := func(v *value) *value {
		if len(v.typ.Shape) == len(in[1].typ.Shape) {
			return v
		}
		return c.view(v, tensor.Broadcast(v.typ.Shape, nil, in[1].typ.Shape))
	}
	low, x, high := bound(in[0]), in[1], bound(in[2])
	if low.owner == Public && high.owner == Public && x.typ.DType.IsFloat() && ordinary(low.array(), high.array()) {
		least, _, _ := c.finite(low.array(), false)
		most, _, _ := c.finite(high.array(), true)
		return one(c.Arith.Clamp(c.op, c.share(x, 0), least, most))
	}
	f := &formula{c: c} // two operands may be public, or known to one party
	out := f.of(hlo.OpMinimum, f.of(hlo.OpMaximum, x, low), high)
	return []*value{out}, f.err
}

// ordinary reports whether bounds are finite and in order.
func ordinary(a, b *tensor.Array) bool {
	x, y := a.Floats(), b.Floats()
	for i := range x {
		if !(x[i] <= y[i]) || math.IsInf(x[i], 0) || math.IsInf(y[i], 0) {
			return false
		}
	}
	return true
}
