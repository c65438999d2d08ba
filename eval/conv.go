package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// convolution implements convolution with any number of spatial dimensions, any layout, strides,
// padding (negative padding cuts), dilations, window reversal, and feature or batch groups.
func convolution(c *call) ([]*tensor.Array, error) {
	a := c.op.Attrs
	dims := a["dimension_numbers"].(*hlo.ConvDims)
	batchGroups := a.Int("batch_group_count", 1)

	// Transpose to [batch, space…, feature] and [space…, in, out].
	x := apply(tensor.Transposed(c.args[0].Shape, slices.Concat([]int{dims.InBatch}, dims.InSpatial, []int{dims.InFeature})), c.args[0])
	k := apply(tensor.Transposed(c.args[1].Shape, slices.Concat(dims.KerSpatial, []int{dims.KerIn, dims.KerOut})), c.args[1])
	if batchGroups > 1 {
		x = batchGroupsToFeatures(x, batchGroups)
	}
	rank := len(dims.InSpatial)
	t := c.result(0)
	g := conv{
		batch: x.Shape[0], in: x.Shape[rank+1], kin: k.Shape[rank], out: k.Shape[rank+1],
		inSpace: x.Shape[1 : rank+1], window: k.Shape[:rank],
		groups: a.Int("feature_group_count", 1) * batchGroups,
		stride: orOnes(a.Ints("window_strides"), rank), pad: a.Ints("padding"),
		base: orOnes(a.Ints("lhs_dilation"), rank), dilation: orOnes(a.Ints("rhs_dilation"), rank),
		reversed: make([]bool, rank),
	}
	if g.pad == nil {
		g.pad = make([]int, 2*rank)
	}
	if r, ok := a["window_reversal"].([]bool); ok {
		g.reversed = r
	}
	perm := make([]int, rank+2) // from [batch, space…, feature] to the result's layout
	perm[dims.OutBatch], perm[dims.OutFeature] = 0, rank+1
	for i, d := range dims.OutSpatial {
		g.outSpace = append(g.outSpace, t.Shape[d])
		perm[d] = i + 1
	}
	flat := tensor.Type{DType: t.DType, Shape: slices.Concat(tensor.Shape{g.batch}, g.outSpace, tensor.Shape{g.out})}
	var out *tensor.Array
	switch d := x.DType; {
	case d.IsComplex() || k.DType.IsComplex():
		z, err := convolve(c, g, complexes(x), complexes(k))
		if err != nil {
			return nil, err
		}
		out = fromComplexes(t.DType, flat.Shape, z)
	case d.IsFloat() || k.DType.IsFloat():
		f, err := convolve(c, g, x.Floats(), k.Floats())
		if err != nil {
			return nil, err
		}
		out = fromFloats(flat, f)
	default:
		w, err := convolve(c, g, x.Words(), k.Words())
		if err != nil {
			return nil, err
		}
		out = fromWords(flat, w)
	}
	return one(apply(tensor.Transposed(flat.Shape, perm), out)), nil
}

func orOnes(v []int, n int) []int {
	if v == nil {
		return slices.Repeat([]int{1}, n)
	}
	return v
}

// batchGroupsToFeatures converts batch groups to feature groups: group g of the batch is convolved
// with the g-th part of the kernel's output features.
func batchGroupsToFeatures(x *tensor.Array, groups int) *tensor.Array {
	rank := len(x.Shape)
	split := append(tensor.Shape{groups, x.Shape[0] / groups}, x.Shape[1:]...)
	perm := make([]int, 0, rank+1) // [batch, space…, group, feature]
	for d := 1; d < rank; d++ {
		perm = append(perm, d)
	}
	perm = append(perm, 0, rank)
	moved := apply(tensor.Transposed(split, perm), x)
	merged := append(slices.Clone(moved.Shape[:rank-1]), groups*x.Shape[rank-1])
	return moved.Reshape(merged)
}

// conv describes a convolution of x [batch, inSpace…, in] with a kernel [window…, kin, out] to
// [batch, outSpace…, out]. With feature groups, part g of in contributes to part g of out only.
type conv struct {
	batch, in, kin, out, groups int
	inSpace, window, outSpace   tensor.Shape
	stride, pad, base, dilation []int
	reversed                    []bool
}

// convolve adds, for every output position and kernel position, the product of the input's features
// with the kernel's matrix.
func convolve[T wide](c *call, g conv, x, k []T) ([]T, error) {
	positions, taps, space := g.outSpace.Size(), g.window.Size(), g.inSpace.Size()
	out := make([]T, g.batch*positions*g.out)
	if len(out) == 0 {
		return out, nil
	}
	places := g.places()
	outPart := g.out / g.groups
	for b := range g.batch {
		for p := range positions {
			if err := c.alive(); err != nil {
				return nil, err
			}
			sums := out[(b*positions+p)*g.out:][:g.out]
			for tap, place := range places[p*taps:][:taps] {
				if place < 0 {
					continue
				}
				features := x[(b*space+int(place))*g.in:][:g.in]
				kernel := k[tap*g.kin*g.out:][:g.kin*g.out]
				for grp := range g.groups {
					part := sums[grp*outPart:][:outPart]
					for i, v := range features[grp*g.kin:][:g.kin] {
						addScaled(part, v, kernel[i*g.out+grp*outPart:][:outPart])
					}
				}
			}
		}
	}
	return out, nil
}

func addScaled[T wide](sum []T, v T, x []T) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += T(v * x[i])
	}
}

// places returns, for every output position and every position in the window, the position in the
// input's space, or -1 if it lies in the padding.
func (g conv) places() []int32 {
	positions, taps := g.outSpace.Size(), g.window.Size()
	list := make([]int32, 0, positions*taps)
	rank := len(g.inSpace)
	o, w := make([]int, rank), make([]int, rank)
	for p := range positions {
		unravel(o, p, g.outSpace)
		for tap := range taps {
			unravel(w, tap, g.window)
			place := 0
			for d := range rank {
				if g.reversed[d] {
					w[d] = g.window[d] - 1 - w[d]
				}
				at := o[d]*g.stride[d] + w[d]*g.dilation[d] - g.pad[2*d]
				if at < 0 || at%g.base[d] != 0 || at/g.base[d] >= g.inSpace[d] {
					place = -1
					break
				}
				place = place*g.inSpace[d] + at/g.base[d]
			}
			list = append(list, int32(place))
		}
	}
	return list
}

// unravel writes the coordinates of row-major position p to at.
func unravel(at []int, p int, s tensor.Shape) {
	for d := len(s) - 1; d >= 0; d-- {
		at[d] = p % s[d]
		p /= s[d]
	}
}
