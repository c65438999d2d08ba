package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// affine folds factors into the kernel that a product of tensors (a dot or a
// convolution) is made with, where whoever knows the kernel knows the factors
// too: (x ∗ k − m)·s + b is x ∗ (k·s) + (b − m·s), one product on secrets where
// there were two, whose operand would have to be truncated and opened. s may
// vary along the dimensions that the kernel gives the result: batch
// normalisation after a convolution, temperatures and scales after a dot.
//
// The owner computes k·s and b − m·s in clear, in the program's type. Where s is
// small, k·s has fewer digits than k at the same fraction bits (in a ResNet the
// error of the result grows tenfold). So a convolution's kernel is made larger by the
// guard, a power of two, and the result smaller: for a fixed-point number that is but
// another scale, and the rounding of the kernel weighs less. The range of what such a
// convolution gives is smaller by the guard. A factor that is public and far below 1 is
// left where it is.
var affine = Pass{"affine", "factors that a kernel's owner knows are folded into the kernel", func(e *editor) {
	if !e.Fold {
		return
	}
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if o.Name != "stablehlo.multiply" && o.Name != "stablehlo.divide" || !e.secretFloat(o.Results[0]) {
			return false
		}
		for z := range 2 {
			if z == 1 && o.Name == "stablehlo.divide" {
				break
			}
			if c := e.contraction(o.Operands[z]); c != nil {
				for kernel := range 2 {
					if s.folded(o, c, kernel, o.Operands[1-z]) {
						return true
					}
				}
			}
		}
		return false
	})
}}

// contracted is a product of tensors, and what is done to its result.
type contracted struct {
	op   *hlo.Op
	then []*hlo.Op // additions, subtractions and negations, the first one first
	// guarded says that the first one takes the guard away that the kernel has.
	guarded bool
}

// contraction reads v as a product of tensors plus offsets that nothing else
// uses.
func (e *editor) contraction(v *hlo.Value) *contracted {
	if e.uses[v] != 1 {
		return nil
	}
	o := e.def[v]
	if o == nil {
		return nil
	}
	switch o.Name {
	case "stablehlo.dot_general", "stablehlo.dot", "stablehlo.convolution":
		return &contracted{op: o}
	case "stablehlo.multiply":
		if k, ok := e.splat(o.Operands[1]); e.Guard > 0 && ok && k == math.Ldexp(1, -e.Guard) {
			if c := e.contraction(o.Operands[0]); c != nil && len(c.then) == 0 && !c.guarded {
				c.then, c.guarded = append(c.then, o), true
				return c
			}
		}
	case "stablehlo.add", "stablehlo.subtract", "stablehlo.negate":
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

// folded puts o = c·factor, or c/factor, as a product with another kernel.
func (s *site) folded(o *hlo.Op, c *contracted, kernel int, factor *hlo.Value) bool {
	k := c.op.Operands[kernel]
	owner := s.vis[k]
	knows := func(v *hlo.Value) bool { return owner != hlo.Secret && owner.Join(s.vis[v]) == owner }
	if !knows(factor) || k.Type.DType != o.Results[0].Type.DType {
		return false
	}
	if x, ok := s.splat(factor); ok {
		if o.Name == "stablehlo.divide" {
			x = 1 / x
		}
		if fraction, _ := math.Frexp(x); !(math.Abs(x) >= leastFactor) || math.Abs(fraction) == 0.5 {
			return false // a power of two costs nothing where it is
		}
	}
	for i, t := range c.then {
		if y := c.offset(i); y != nil && !knows(t.Operands[1-c.inner(i)]) {
			return false
		}
	}
	small, dims, ok := s.placed(factor)
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
	k = s.like(o.Name, k, small)
	guard := s.Guard > 0 && owner != hlo.Public && !c.guarded && c.op.Name == "stablehlo.convolution"
	if guard {
		k = s.like("stablehlo.multiply", k, s.number(k.Type, math.Ldexp(1, s.Guard)))
	}
	product.Operands[kernel] = k
	out := *c.op.Results[0]
	product.Results = []*hlo.Value{&out}
	s.write(&product)
	v := &out
	if guard {
		v = s.like("stablehlo.multiply", v, s.number(v.Type, math.Ldexp(1, -s.Guard)))
	}
	for i, t := range c.then {
		s.at = t
		switch y := c.offset(i); {
		case y == nil:
			v = s.like(t.Name, v)
		case c.guarded && i == 0:
			v = s.like(t.Name, v, y)
		default:
			operands := []*hlo.Value{v, v}
			operands[1-c.inner(i)] = s.like(o.Name, y, factor)
			v = s.like(t.Name, operands...)
		}
	}
	return s.put(o, v)
}

// leastFactor is the smallest public factor that goes into a kernel.
const leastFactor = 1.0 / 64

// inner is which operand of the i-th operation comes from the product.
func (c *contracted) inner(i int) int {
	from := c.op
	if i > 0 {
		from = c.then[i-1]
	}
	if len(c.then[i].Operands) == 2 && c.then[i].Operands[0] != from.Results[0] {
		return 1
	}
	return 0
}

// offset is what the i-th operation adds or subtracts; nil if it negates.
func (c *contracted) offset(i int) *hlo.Value {
	if len(c.then[i].Operands) == 1 {
		return nil
	}
	return c.then[i].Operands[1-c.inner(i)]
}

// placed finds the smallest value that v repeats: without dimensions of size
// 1, its dimension i along dimension dims[i] of v.
func (s *site) placed(v *hlo.Value) (small *hlo.Value, dims []int, ok bool) {
	if x, ok := s.splat(v); ok {
		return s.number(tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{}}, x), nil, true
	}
	v, dims, ok = s.place(v)
	if kept := others(v.Type.Shape); ok && len(kept) < len(v.Type.Shape) {
		v = s.emit("stablehlo.reshape", tensor.Type{DType: v.Type.DType, Shape: pick(v.Type.Shape, kept)}, nil, v)
	}
	return v, dims, ok
}

// place finds the smallest value that v repeats, and where those of its
// dimensions lie that are not of size 1.
func (e *editor) place(v *hlo.Value) (small *hlo.Value, dims []int, ok bool) {
	at := make([]int, len(v.Type.Shape)) // where each dimension lies
	for d := range at {
		at[d] = d
	}
	for {
		o := e.named(v, "broadcast_in_dim", "transpose", "reshape")
		if o == nil {
			break
		}
		in := make([]int, len(o.Operands[0].Type.Shape))
		switch o.Name {
		case "stablehlo.broadcast_in_dim":
			for i, d := range o.Attrs.Ints("broadcast_dimensions") {
				in[i] = at[d]
			}
		case "stablehlo.transpose":
			for to, from := range o.Attrs.Ints("permutation") {
				in[from] = at[to]
			}
		case "stablehlo.reshape":
			from, to := others(o.Operands[0].Type.Shape), others(v.Type.Shape)
			if !pick(o.Operands[0].Type.Shape, from).Equal(pick(v.Type.Shape, to)) {
				return v, nil, false
			}
			for i, d := range from {
				in[d] = at[to[i]]
			}
		}
		v, at = o.Operands[0], in
	}
	for _, d := range others(v.Type.Shape) {
		dims = append(dims, at[d])
	}
	return v, dims, true
}

// others are the dimensions of a size other than 1.
func others(s tensor.Shape) (dims []int) {
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

// kernelDims says along which of the kernel's dimensions each dimension of the
// result lies, −1 along none.
func kernelDims(o *hlo.Op, kernel int) []int {
	along := make([]int, len(o.Results[0].Type.Shape))
	for i := range along {
		along[i] = -1
	}
	if o.Name == "stablehlo.convolution" {
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
	d := dotDims(o)
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
