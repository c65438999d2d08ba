package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// affine folds factors into the kernel of a contraction (a dot or a convolution) if the owner of
// the kernel knows the factors too: (x ∗ k − m)·s + b becomes x ∗ (k·s) + (b − m·s). This is one
// product on secrets instead of two, whose operand would have to be truncated and opened. s may
// vary along the result's dimensions that come from the kernel: batch normalisation after a
// convolution, temperatures and scales after a dot.
//
// The owner computes k·s and b − m·s in cleartext, in the program's type. If s is small, k·s has
// fewer significant digits than k at the same number of fraction bits (in a ResNet the error of the
// result grows tenfold). A convolution's kernel is therefore multiplied by the guard, a power of
// two, and the result divided by it, where the program's text and declared ranges prove that the result stays
// below Options.Guarded. For fixed-point numbers this only changes the scale, and the rounding of the kernel
// matters less. Elsewhere the guard would narrow the range of contractions, which results may use up.
//
// A contraction times an owner's factors is a contraction, whose range users are told. A public factor must not
// narrow the range of the contraction before it: one above 1 is divided by a power of two first, with which the
// result is multiplied. A public factor far below 1 is not folded.
var affine = Pass{"affine", "factors that a kernel's owner knows are folded into the kernel", func(e *editor) {
	if !e.Fold {
		return
	}
	ranges := contractionRanges{Ranges: pattern.Bounds(e.prog, e.Ranges...), made: map[*hlo.Value]float64{}}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != hlo.OpMultiply && o.Name != hlo.OpDivide || !e.secretFloat(o.Results[0]) {
			return false
		}
		for z := range 2 {
			if z == 1 && o.Name == hlo.OpDivide {
				break
			}
			if c := e.contraction(o.Operands[z]); c != nil {
				for kernel := range 2 {
					if s.folded(o, c, kernel, o.Operands[1-z], ranges) {
						return true
					}
				}
			}
		}
		return false
	})
}}

// contractionRanges bounds the values of the program before the pass, and contractions that the pass makes.
type contractionRanges struct {
	*pattern.Ranges
	made map[*hlo.Value]float64 // results of contractions with a new kernel: a bound of their magnitudes without the guard
}

// size returns a bound of the magnitudes of v's elements.
func (r contractionRanges) size(v *hlo.Value) float64 {
	if most, ok := r.made[v]; ok {
		return most
	}
	lo, hi := r.Of(v)
	return math.Max(math.Abs(lo), math.Abs(hi))
}

// times returns a bound of the magnitudes of v·factor's elements, or of v/factor's.
func (r contractionRanges) times(v, factor *hlo.Value, divide bool) float64 {
	by := r.size(factor)
	if divide {
		if lo, hi := r.Of(factor); lo > 0 || hi < 0 {
			by = 1 / math.Min(math.Abs(lo), math.Abs(hi))
		} else {
			by = math.Inf(1)
		}
	}
	return r.size(v) * by // NaN, of 0·∞, is no bound
}

// contractionChain is a contraction and the operations applied to its result.
type contractionChain struct {
	op   *hlo.Op
	then []*hlo.Op // additions, subtractions and negations, in program order
	// guarded is true if the first of them divides by the guard, be it a kernel's or the program's own number.
	guarded bool
}

// contraction returns v as a contraction followed by additions of offsets, if no other operation
// uses the intermediate results; else nil.
func (e *editor) contraction(v *hlo.Value) *contractionChain {
	if e.uses[v] != 1 {
		return nil
	}
	o := e.def[v]
	if o == nil {
		return nil
	}
	if o.Is(hlo.Contraction) {
		return &contractionChain{op: o}
	}
	switch o.Name {
	case hlo.OpMultiply:
		if k, ok := e.splat(o.Operands[1]); e.Guard > 0 && ok && k == math.Ldexp(1, -e.Guard) {
			if c := e.contraction(o.Operands[0]); c != nil && len(c.then) == 0 && !c.guarded {
				c.then, c.guarded = append(c.then, o), true
				return c
			}
		}
	case hlo.OpAdd, hlo.OpSubtract, hlo.OpNegate:
		for _, x := range o.Operands {
			if e.vis[x] != hlo.Secret {
				continue
			}
			if c := e.contraction(x); c != nil {
				c.then = append(c.then, o)
				return c
			}
		}
	}
	return nil
}

// folded replaces o = c·factor, or c/factor, by a contraction with another kernel. ranges are those of the program
// before the pass.
func (s *site) folded(o *hlo.Op, c *contractionChain, kernel int, factor *hlo.Value, ranges contractionRanges) bool {
	k := c.op.Operands[kernel]
	owner := s.vis[k]
	knows := func(v *hlo.Value) bool { return owner != hlo.Secret && owner.Join(s.vis[v]) == owner }
	if !knows(factor) || k.Type.DType != o.Results[0].Type.DType {
		return false
	}
	up := 0 // the power of two that stays outside of the kernel
	if x, ok := s.splat(factor); ok {
		if o.Name == hlo.OpDivide {
			x = 1 / x
		}
		fraction, e := math.Frexp(x)
		if !(math.Abs(x) >= minFactor) || math.Abs(fraction) == 0.5 || math.IsInf(x, 0) {
			return false // a power of two is free where it is
		}
		up = max(0, e)
	}
	for i, t := range c.then {
		if y := c.offset(i); y != nil && !knows(t.Operands[1-c.inner(i)]) {
			return false
		}
	}
	small, dims, ok := s.emitSmallestForm(factor)
	if !ok {
		return false
	}
	along := kernelDims(c.op, kernel)
	for i, d := range dims {
		if dims[i] = along[d]; dims[i] < 0 {
			return false
		}
	}
	small = s.broadcast(small, dims, k.Type.Shape)
	product := *c.op
	product.Operands = append([]*hlo.Value{}, c.op.Operands...)
	k = s.emitLike(o.Name, k, small)
	most, guard := ranges.times(c.op.Results[0], factor, o.Name == hlo.OpDivide), 0
	if owner != hlo.Public && c.op.Name == hlo.OpConvolution && most <= math.Ldexp(s.Guarded, -s.Guard) {
		guard = s.Guard
	}
	with := guard - up // log2 of what multiplies the kernel and divides the result
	_, made := ranges.made[c.op.Results[0]]
	if made && c.guarded {
		with -= s.Guard
	}
	if with != 0 {
		k = s.emitLike(hlo.OpMultiply, k, s.number(k.Type, math.Ldexp(1, with)))
	}
	product.Operands[kernel] = k
	out := *c.op.Results[0]
	product.Results = []*hlo.Value{&out}
	product.Folded = o.Pos.String()
	ranges.made[&out] = most
	s.write(&product)
	v := &out
	if guard != up {
		v = s.emitLike(hlo.OpMultiply, v, s.number(v.Type, math.Ldexp(1, up-guard)))
	}
	for i, t := range c.then {
		s.at = t
		switch y := c.offset(i); {
		case y == nil:
			v = s.emitLike(t.Name, v)
		case c.guarded && i == 0 && made: // the former guard
		case c.guarded && i == 0:
			v = s.emitLike(t.Name, v, y)
		default:
			operands := []*hlo.Value{v, v}
			operands[1-c.inner(i)] = s.emitLike(o.Name, y, factor)
			v = s.emitLike(t.Name, operands...)
		}
	}
	return s.replaceResult(o, v)
}

// minFactor is the smallest magnitude of a public factor that is folded into a kernel.
const minFactor = 1.0 / 64

// inner returns the number of the operand of the i-th operation that comes from the contraction.
func (c *contractionChain) inner(i int) int {
	from := c.op
	if i > 0 {
		from = c.then[i-1]
	}
	if len(c.then[i].Operands) == 2 && c.then[i].Operands[0] != from.Results[0] {
		return 1
	}
	return 0
}

// offset returns the value that the i-th operation adds or subtracts; nil if it negates.
func (c *contractionChain) offset(i int) *hlo.Value {
	if len(c.then[i].Operands) == 1 {
		return nil
	}
	return c.then[i].Operands[1-c.inner(i)]
}

// emitSmallestForm returns the smallest value from which v is obtained by repetition, without dimensions of
// size 1. Its dimension i lies along dimension dims[i] of v.
func (s *site) emitSmallestForm(v *hlo.Value) (small *hlo.Value, dims []int, ok bool) {
	if x, ok := s.splat(v); ok {
		return s.number(tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{}}, x), nil, true
	}
	v, dims, ok = s.smallestForm(v)
	if kept := nonUnitDims(v.Type.Shape); ok && len(kept) < len(v.Type.Shape) {
		v = s.emit(hlo.OpReshape, tensor.Type{DType: v.Type.DType, Shape: pick(v.Type.Shape, kept)}, nil, v)
	}
	return v, dims, ok
}

// smallestForm returns the smallest value from which v is obtained by repetition, and for each of its
// dimensions of size other than 1 the dimension of v.
func (e *editor) smallestForm(v *hlo.Value) (small *hlo.Value, dims []int, ok bool) {
	at := make([]int, len(v.Type.Shape)) // by dimension of the value: dimension of the original v
	for d := range at {
		at[d] = d
	}
	for {
		o := e.named(v, hlo.OpBroadcastInDim, hlo.OpTranspose, hlo.OpReshape)
		if o == nil {
			break
		}
		in := make([]int, len(o.Operands[0].Type.Shape))
		switch o.Name {
		case hlo.OpBroadcastInDim:
			for i, d := range o.Attrs.Ints("broadcast_dimensions") {
				in[i] = at[d]
			}
		case hlo.OpTranspose:
			for to, from := range o.Attrs.Ints("permutation") {
				in[from] = at[to]
			}
		case hlo.OpReshape:
			from, to := nonUnitDims(o.Operands[0].Type.Shape), nonUnitDims(v.Type.Shape)
			if !pick(o.Operands[0].Type.Shape, from).Equal(pick(v.Type.Shape, to)) {
				return v, nil, false
			}
			for i, d := range from {
				in[d] = at[to[i]]
			}
		}
		v, at = o.Operands[0], in
	}
	for _, d := range nonUnitDims(v.Type.Shape) {
		dims = append(dims, at[d])
	}
	return v, dims, true
}

// nonUnitDims returns the dimensions of size other than 1.
func nonUnitDims(s tensor.Shape) (dims []int) {
	for d, n := range s {
		if n != 1 {
			dims = append(dims, d)
		}
	}
	return dims
}

func pick(s tensor.Shape, dims []int) tensor.Shape {
	out := make(tensor.Shape, len(dims))
	for i, d := range dims {
		out[i] = s[d]
	}
	return out
}

// kernelDims returns for each dimension of the result the kernel's dimension that it comes from, −1
// if it comes from the other operand.
func kernelDims(o *hlo.Op, kernel int) []int {
	along := make([]int, len(o.Results[0].Type.Shape))
	for i := range along {
		along[i] = -1
	}
	if o.Name == hlo.OpConvolution {
		d := o.Attrs["dimension_numbers"].(*hlo.ConvDims)
		switch {
		case kernel == 1:
			along[d.OutFeature] = d.KerOut
		case o.Attrs.Int("batch_group_count", 1) == 1:
			along[d.OutBatch] = d.InBatch
		}
		return along
	}
	lhs, rhs := o.Operands[0].Type.Shape, o.Operands[1].Type.Shape
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	free := func(s tensor.Shape, lists ...[]int) (out []int) {
		used := make([]bool, len(s))
		for _, l := range lists {
			for _, x := range l {
				used[x] = true
			}
		}
		for x, u := range used {
			if !u {
				out = append(out, x)
			}
		}
		return out
	}
	left, right := free(lhs, d.LHSBatch, d.LHSContract), free(rhs, d.RHSBatch, d.RHSContract)
	batch, at, own := d.LHSBatch, len(d.LHSBatch), left
	if kernel == 1 {
		batch, at, own = d.RHSBatch, len(d.LHSBatch)+len(left), right
	}
	copy(along, batch)
	copy(along[at:], own)
	return along
}
