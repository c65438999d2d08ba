package grad

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// dotBack: the cotangent of an operand is the product of the result's cotangent with the other operand, contracted
// over the dimensions that only the other operand has.
func dotBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	x, y := o.Operands[0], o.Operands[1]
	nb := len(d.LHSBatch)
	xKept := without(len(x.Type.Shape), slices.Concat(d.LHSBatch, d.LHSContract))
	yKept := without(len(y.Type.Shape), slices.Concat(d.RHSBatch, d.RHSContract))
	first, second := make([]int, len(xKept)), make([]int, len(yKept))
	for i := range first {
		first[i] = nb + i
	}
	for i := range second {
		second[i] = nb + len(first) + i
	}
	if r.wants(x) {
		r.give(x, r.dotOperand(o, ct[0], y, second, side{d.LHSBatch, xKept, d.LHSContract}, side{d.RHSBatch, yKept, d.RHSContract}, x.Type.DType))
	}
	if r.wants(y) {
		r.give(y, r.dotOperand(o, ct[0], x, first, side{d.RHSBatch, yKept, d.RHSContract}, side{d.LHSBatch, xKept, d.LHSContract}, y.Type.DType))
	}
}

// side is one operand of a product: its batch dimensions, its own dimensions, and the contracted ones.
type side struct{ batch, own, contract []int }

// dotOperand returns the cotangent, of element type d, of the operand that a describes: it contracts the dimensions over
// of the result's cotangent t with the own dimensions of the other operand, which b describes.
func (r *reverse) dotOperand(o *hlo.Op, t, other *hlo.Value, over []int, a, b side, d tensor.DType) *hlo.Value {
	nb := len(a.batch)
	attrs := hlo.Attrs{"dot_dimension_numbers": &hlo.DotDims{LHSBatch: count(nb), RHSBatch: b.batch, LHSContract: over, RHSContract: b.own}}
	for _, name := range []string{"precision_config", "algorithm"} {
		if v, ok := o.Attrs[name]; ok {
			attrs[name] = v
		}
	}
	g := r.one(hlo.OpDotGeneral, attrs, r.convert(t, d), r.convert(other, d))
	// The result has the batch dimensions, the operand's own, and the contracted ones in the other operand's order.
	byPair := count(len(a.contract))
	slices.SortFunc(byPair, func(i, j int) int { return b.contract[i] - b.contract[j] })
	have := slices.Concat(a.batch, a.own)
	for _, i := range byPair {
		have = append(have, a.contract[i])
	}
	return r.transpose(g, inverse(have))
}

// bilinearFore is the rule of products: the product of each tangent with the other operand.
func bilinearFore(f *forward, o *hlo.Op) []*hlo.Value {
	var sum *hlo.Value
	for i, v := range o.Operands {
		if f.dot[v] == nil {
			continue
		}
		in := slices.Clone(o.Operands)
		in[i] = f.dot[v]
		sum = f.sum(sum, f.emit(o.Name, []tensor.Type{o.Results[0].Type}, o.Attrs, nil, in...)[0])
	}
	return []*hlo.Value{sum}
}

// conv holds a convolution's attributes.
type conv struct {
	*hlo.ConvDims
	stride, base, dilation, low, high []int
	features, batches                 int
	reversed                          []int // dimensions of the kernel
}

func convOf(o *hlo.Op) conv {
	c := conv{ConvDims: o.Attrs["dimension_numbers"].(*hlo.ConvDims), stride: o.Attrs.Ints("window_strides"), base: o.Attrs.Ints("lhs_dilation"),
		dilation: o.Attrs.Ints("rhs_dilation"), features: o.Attrs.Int("feature_group_count", 1), batches: o.Attrs.Int("batch_group_count", 1)}
	for i, p := range o.Attrs.Ints("padding") {
		if i%2 == 0 {
			c.low = append(c.low, p)
		} else {
			c.high = append(c.high, p)
		}
	}
	rev, _ := o.Attrs["window_reversal"].([]bool)
	for i, is := range rev {
		if is {
			c.reversed = append(c.reversed, c.KerSpatial[i])
		}
	}
	return c
}

// convBack: both cotangents are convolutions, as in "A guide to convolution arithmetic for deep learning" (Dumoulin and
// Visin, 2016), extended to dilations, groups and all dimension numbers.
func convBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, kernel, t := o.Operands[0], o.Operands[1], ct[0]
	if t.Type.Shape.Size() == 0 || x.Type.Shape.Size() == 0 || kernel.Type.Shape.Size() == 0 {
		return
	}
	c := convOf(o)
	if r.wants(x) {
		r.give(x, r.convInput(o, c, r.convert(t, x.Type.DType), r.convert(kernel, x.Type.DType), x.Type))
	}
	if r.wants(kernel) {
		g := r.convKernel(o, c, r.convert(t, kernel.Type.DType), r.convert(x, kernel.Type.DType), kernel.Type)
		r.give(kernel, r.reverse(g, c.reversed))
	}
}

// spread is the size of n elements at distance d.
func spread(n, d int) int {
	if n == 0 {
		return 0
	}
	return (n-1)*d + 1
}

// convInput convolves the cotangent with the kernel, whose features are exchanged and whose spatial dimensions are
// reversed.
func (r *reverse) convInput(o *hlo.Op, c conv, t, kernel *hlo.Value, to tensor.Type) *hlo.Value {
	groups := c.features * c.batches // one of them is 1
	if groups > 1 {
		kernel = r.mergeAxis(c.KerOut, c.KerIn, r.splitAxis(c.KerOut, groups, kernel))
	}
	var turned []int
	for _, d := range c.KerSpatial {
		if !slices.Contains(c.reversed, d) {
			turned = append(turned, d)
		}
	}
	kernel = r.reverse(kernel, turned)
	var padding []int
	for i, d := range c.InSpatial {
		in, k := spread(to.Shape[d], c.base[i]), spread(kernel.Type.Shape[c.KerSpatial[i]], c.dilation[i])
		out := spread(t.Type.Shape[c.OutSpatial[i]], c.stride[i])
		low := k - c.low[i] - 1
		padding = append(padding, low, in+k-1-out-low)
	}
	dims := &hlo.ConvDims{InBatch: c.OutBatch, InFeature: c.OutFeature, InSpatial: c.OutSpatial, KerIn: c.KerOut, KerOut: c.KerIn,
		KerSpatial: c.KerSpatial, OutBatch: c.InBatch, OutFeature: c.InFeature, OutSpatial: c.InSpatial}
	g := r.convolution(o, t, kernel, dims, steps{c.base, c.stride, c.dilation, padding}, groups, 1)
	if c.batches > 1 {
		g = r.mergeAxis(c.InFeature, c.InBatch, r.splitAxis(c.InFeature, c.batches, g))
	}
	return g
}

// convKernel convolves the input with the cotangent; the batch is contracted.
func (r *reverse) convKernel(o *hlo.Op, c conv, t, x *hlo.Value, to tensor.Type) *hlo.Value {
	var padding []int
	for i, d := range c.InSpatial {
		in, k := spread(x.Type.Shape[d], c.base[i]), spread(to.Shape[c.KerSpatial[i]], c.dilation[i])
		out := spread(t.Type.Shape[c.OutSpatial[i]], c.stride[i])
		padding = append(padding, c.low[i], out-in+k-c.low[i]-1)
	}
	dims := &hlo.ConvDims{InBatch: c.InFeature, InFeature: c.InBatch, InSpatial: c.InSpatial, KerIn: c.OutBatch, KerOut: c.OutFeature,
		KerSpatial: c.OutSpatial, OutBatch: c.KerIn, OutFeature: c.KerOut, OutSpatial: c.KerSpatial}
	return r.convolution(o, x, t, dims, steps{c.dilation, c.base, c.stride, padding}, c.batches, c.features)
}

// steps are the strides, dilations and paddings of a convolution.
type steps struct{ stride, base, dilation, padding []int }

func (r *reverse) convolution(o *hlo.Op, x, kernel *hlo.Value, dims *hlo.ConvDims, s steps, features, batches int) *hlo.Value {
	attrs := hlo.Attrs{"dimension_numbers": dims, "window_strides": list(s.stride), "lhs_dilation": list(s.base), "rhs_dilation": list(s.dilation),
		"padding": list(s.padding), "feature_group_count": int64(features), "batch_group_count": int64(batches)}
	if v, ok := o.Attrs["precision_config"]; ok {
		attrs["precision_config"] = v
	}
	return r.one(hlo.OpConvolution, attrs, x, kernel)
}

// splitAxis splits dimension d into n groups and the rest of it.
func (w *writer) splitAxis(d, n int, v *hlo.Value) *hlo.Value {
	s := slices.Clone([]int(v.Type.Shape))
	return w.reshape(v, slices.Concat(s[:d], []int{n, s[d] / n}, s[d+1:]))
}

// mergeAxis moves dimension from before dimension to of the others, and makes one dimension of the two.
func (w *writer) mergeAxis(from, to int, v *hlo.Value) *hlo.Value {
	perm := slices.Delete(count(len(v.Type.Shape)), from, from+1)
	perm = slices.Insert(perm, to, from)
	moved := w.transpose(v, perm)
	s := slices.Clone([]int(moved.Type.Shape))
	s[to+1] *= s[to]
	return w.reshape(moved, slices.Delete(s, to, to+1))
}

// triangle is v with the elements above the diagonal (below it, if upper) replaced by zeros, and those on the diagonal
// multiplied by diagonal.
func (w *writer) triangle(v *hlo.Value, upper bool, diagonal float64) *hlo.Value {
	n := len(v.Type.Shape)
	t := tensor.Type{DType: tensor.I32, Shape: v.Type.Shape}
	row, column := w.iota(t, n-2), w.iota(t, n-1)
	dir := "GT"
	if upper {
		dir = "LT"
	}
	inside := w.where(w.compare(dir, row, column), v)
	if diagonal == 0 {
		return inside
	}
	return w.choose(w.compare("EQ", row, column), w.times(v, diagonal), inside)
}

// solve is the solution of a triangular system.
func (w *writer) solve(a, b *hlo.Value, left, lower, unit, transposed bool) *hlo.Value {
	trans := hlo.Enum("NO_TRANSPOSE")
	if transposed {
		trans = "TRANSPOSE"
	}
	return w.one(hlo.OpTriangularSolve, hlo.Attrs{"left_side": left, "lower": lower, "unit_diagonal": unit, "transpose_a": trans}, a, b)
}

// choleskyBack: with S = L⁻ᵀ·Φ(Lᵀ·t)·L⁻¹, where Φ takes the lower triangle with half the diagonal, an element below
// the diagonal stands for two elements of the symmetric matrix ("Differentiation of the Cholesky decomposition",
// Murray, 2016).
func choleskyBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	l, t := o.Results[0], ct[0]
	lower := o.Attrs.Bool("lower")
	if !lower {
		l, t = r.swapped(l), r.swapped(t)
	}
	t = r.triangle(t, false, 1)
	p := r.triangle(r.matmul(r.swapped(l), t), false, 0.5)
	s := r.solve(l, r.solve(l, p, true, true, false, true), false, true, false, false)
	g := r.triangle(r.add(s, r.swapped(s)), false, 0.5)
	if !lower {
		g = r.swapped(g)
	}
	r.give(o.Operands[0], g)
}

// choleskyFore: L·Φ(L⁻¹·Ȧ·L⁻ᵀ).
func choleskyFore(f *forward, o *hlo.Op) []*hlo.Value {
	l, t := o.Results[0], f.dot[o.Operands[0]]
	lower := o.Attrs.Bool("lower")
	if !lower {
		l, t = f.swapped(l), f.swapped(t)
	}
	below := f.triangle(t, false, 0)
	t = f.add(f.triangle(t, false, 1), f.swapped(below))
	in := f.solve(l, f.solve(l, t, true, true, false, false), false, true, false, true)
	out := f.matmul(f.triangle(l, false, 1), f.triangle(in, false, 0.5))
	if !lower {
		out = f.swapped(out)
	}
	return []*hlo.Value{out}
}

// system are the attributes of a triangular solve.
type system struct{ left, lower, unit, transposed bool }

func systemOf(o *hlo.Op) system {
	return system{o.Attrs.Bool("left_side"), o.Attrs.Bool("lower"), o.Attrs.Bool("unit_diagonal"), o.Attrs.Str("transpose_a") != "NO_TRANSPOSE"}
}

// solveBack: of A·X = B the cotangent of B solves the transposed system, and that of A is −B̄·Xᵀ in A's triangle.
func solveBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	a, x, s := o.Operands[0], o.Results[0], systemOf(o)
	g := r.solve(a, ct[0], s.left, s.lower, s.unit, !s.transposed)
	r.give(o.Operands[1], g)
	if !r.wants(a) {
		return
	}
	u, v := g, r.swapped(x) // of the operator that is applied from the left
	if !s.left {
		u, v = r.swapped(x), g
	}
	p := r.matmul(u, v)
	if s.transposed {
		p = r.swapped(p)
	}
	diagonal := 1.0
	if s.unit {
		diagonal = 0
	}
	r.give(a, r.neg(r.triangle(p, !s.lower, diagonal)))
}

// solveFore: A⁻¹·(Ḃ − Ȧ·X).
func solveFore(f *forward, o *hlo.Op) []*hlo.Value {
	a, x, s := o.Operands[0], o.Results[0], systemOf(o)
	b := f.dot[o.Operands[1]]
	if da := f.dot[a]; da != nil {
		diagonal := 1.0
		if s.unit {
			diagonal = 0
		}
		da = f.triangle(da, !s.lower, diagonal)
		if s.transposed {
			da = f.swapped(da)
		}
		p := x
		if s.left {
			p = f.matmul(da, x)
		} else {
			p = f.matmul(x, da)
		}
		b = f.sum(b, f.neg(p))
	}
	return []*hlo.Value{f.solve(a, b, s.left, s.lower, s.unit, s.transposed)}
}

// fftBack: the matrix of a Fourier transform is symmetric.
func fftBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, t := o.Operands[0], ct[0]
	lengths := o.Attrs.Ints("fft_length")
	rank := len(x.Type.Shape)
	attrs := maps.Clone(o.Attrs)
	switch o.Attrs.Str("fft_type") {
	case "RFFT": // the first half of FFT on reals
		high := make([]int, rank)
		high[rank-1] = lengths[len(lengths)-1] - t.Type.Shape[rank-1]
		attrs["fft_type"] = hlo.Enum("FFT")
		full := r.pad(t, make([]int, rank), high, make([]int, rank))
		r.give(x, r.one(hlo.OpReal, nil, r.one(hlo.OpFFT, attrs, full)))
	case "IRFFT": // elements of the half stand for themselves and for their conjugates
		attrs["fft_type"] = hlo.Enum("RFFT")
		g := r.one(hlo.OpFFT, attrs, t)
		n, half := lengths[len(lengths)-1], g.Type.Shape[rank-1]
		scale := 1.0
		for _, l := range lengths {
			scale /= float64(l)
		}
		weights := slices.Repeat([]float64{2 * scale}, half)
		weights[0] = scale
		if n%2 == 0 {
			weights[half-1] = scale
		}
		m := r.broadcast(r.constant(tensor.FromFloats(t.Type.DType, tensor.Shape{half}, weights)), []int{rank - 1}, g.Type.Shape)
		re, im := r.one(hlo.OpReal, nil, g), r.one(hlo.OpImag, nil, g)
		r.give(x, r.one(hlo.OpComplex, nil, r.mul(re, m), r.neg(r.mul(im, m))))
	default:
		r.give(x, r.one(hlo.OpFFT, attrs, t))
	}
}
