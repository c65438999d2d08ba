package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// product applies a bilinear map to two values, each public, known or secret.
func (c *opRun) product(b maps.Bilinear, shape tensor.Shape, x, y *value) *value {
	switch {
	case y.owner == Public:
		return secret(c.Arith.ProductPublic(c.op, b, shape, c.share(x, 0), y.arr, false))
	case x.owner == Public:
		return secret(c.Arith.ProductPublic(c.op, b, shape, c.share(y, 0), x.arr, true))
	}
	return secret(c.Arith.Product(c.op, b, shape, c.share(x, 0), c.share(y, 0)))
}

// dotGeneral brings its operands into the form of batched matrices.
func dotGeneral(c *opRun, in []*value) ([]*value, error) {
	d := c.o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	return c.matMul(in, d)
}

func (c *opRun) matMul(in []*value, d *hlo.DotDims) ([]*value, error) {
	if r := c.o.Results[0].Type; in[0].typ.DType == tensor.Bool || in[0].typ.DType.IsFloat() && r.DType.IsInt() {
		return c.matMulAs(in, d)
	}
	in, err := c.inResultType(in)
	if err != nil {
		return nil, err
	}
	return c.inParts(in, func(in []*value) (*value, error) { return c.matProduct(in[0], in[1], d), nil })
}

// matProduct returns the product of values of one type.
func (c *opRun) matProduct(x, y *value, d *hlo.DotDims) *value {
	xf := others(len(x.typ.Shape), d.LHSBatch, d.LHSContract)
	yf := others(len(y.typ.Shape), d.RHSBatch, d.RHSContract)
	m := maps.MatMul{
		Batch: sizeOf(x.typ.Shape, d.LHSBatch),
		M:     sizeOf(x.typ.Shape, xf),
		K:     sizeOf(x.typ.Shape, d.LHSContract),
		N:     sizeOf(y.typ.Shape, yf),
	}
	x = c.view(x, tensor.Transposed(x.typ.Shape, concat(d.LHSBatch, xf, d.LHSContract)))
	y = c.view(y, tensor.Transposed(y.typ.Shape, concat(d.RHSBatch, d.RHSContract, yf)))
	if z := c.bitProduct(m, x, y); z != nil {
		return c.view(z, tensor.Reshaped(z.typ.Shape, c.o.Results[0].Type.Shape))
	}
	return c.product(m, c.o.Results[0].Type.Shape, x, y)
}

// fewChosen is the largest number of times that a matrix of zeros and ones is repeated rather than opened as
// numbers: the offline bytes grow by that factor.
const fewChosen = 4

// bitProduct returns a product with a secret matrix of zeros and ones as a sum of the elements that they
// select; nil if neither factor is such a matrix, or if it would be repeated more than fewChosen times.
func (c *opRun) bitProduct(m maps.MatMul, x, y *value) *value {
	if x.owner == Public || y.owner == Public {
		return nil
	}
	full := tensor.Shape{m.Batch, m.M, m.N, m.K}
	left := func(v *fxp.Value) *fxp.Value {
		return c.Arith.View(c.op, tensor.Broadcast(tensor.Shape{m.Batch, m.M, m.K}, []int{0, 1, 3}, full), v)
	}
	right := func(v *fxp.Value) *fxp.Value {
		v = c.Arith.View(c.op, tensor.Transposed(tensor.Shape{m.Batch, m.K, m.N}, []int{0, 2, 1}), v)
		return c.Arith.View(c.op, tensor.Broadcast(tensor.Shape{m.Batch, m.N, m.K}, []int{0, 2, 3}, full), v)
	}
	var kept *fxp.Value
	switch {
	case x.bits != nil && m.N <= fewChosen:
		kept = c.Arith.Kept(c.op, left(x.bits), right(c.share(y, 0)))
	case y.bits != nil && m.M <= fewChosen:
		kept = c.Arith.Kept(c.op, right(y.bits), left(c.share(x, 0)))
	default:
		return nil
	}
	return secret(c.Arith.Sum(c.op, kept, m.Batch*m.M*m.N, m.K, 1, tensor.Shape{m.Batch, m.M, m.N}))
}

// matMulAs returns a product of booleans, which says whether any product is true, or of floats with an
// integer result type.
func (c *opRun) matMulAs(in []*value, d *hlo.DotDims) ([]*value, error) {
	to := in[0].typ.DType
	if to == tensor.Bool {
		to = tensor.I32
	}
	x, err := c.calc(hlo.OpConvert, to, in[:1])
	if err != nil {
		return nil, err
	}
	y, err := c.calc(hlo.OpConvert, to, in[1:])
	if err != nil {
		return nil, err
	}
	o, r := *c.o, *c.o.Results[0]
	r.Type.DType = to
	o.Results = []*hlo.Value{&r}
	z, err := first((&opRun{run: c.run, op: c.op, o: &o, scope: c.scope}).matMul([]*value{x, y}, d))
	if err != nil {
		return nil, err
	}
	out, err := c.calc(hlo.OpConvert, c.o.Results[0].Type.DType, []*value{z})
	return []*value{out}, err
}

// inResultType converts operands to the type of the contraction's sums.
func (c *opRun) inResultType(in []*value) ([]*value, error) {
	d := c.o.Results[0].Type.DType
	out := make([]*value, len(in))
	for i, v := range in {
		var err error
		if out[i] = v; v.typ.DType != d {
			if out[i], err = c.calc(hlo.OpConvert, d, []*value{v}); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// others lists the dimensions below rank that are in none of the lists.
func others(rank int, lists ...[]int) []int {
	used := make([]bool, rank)
	for _, l := range lists {
		for _, d := range l {
			used[d] = true
		}
	}
	var out []int
	for d, u := range used {
		if !u {
			out = append(out, d)
		}
	}
	return out
}

func sizeOf(s tensor.Shape, dims []int) int {
	n := 1
	for _, d := range dims {
		n *= s[d]
	}
	return n
}

func concat(lists ...[]int) []int {
	out := []int{}
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

// convolution brings its operands into channels-last form, with the kernel's window reversed where the
// program says so and batch groups turned into feature groups, and keeps only the kernel taps that can meet
// data.
func convolution(c *opRun, in []*value) ([]*value, error) {
	in, err := c.inResultType(in)
	if err != nil {
		return nil, err
	}
	return c.inParts(in, c.convolved)
}

// convolved returns the convolution of two values of the result's type.
func (c *opRun) convolved(in []*value) (*value, error) {
	o, x, y := c.o, in[0], in[1]
	d := o.Attrs["dimension_numbers"].(*hlo.ConvDims)
	rank := len(d.InSpatial)
	x = c.view(x, tensor.Transposed(x.typ.Shape, concat([]int{d.InBatch}, d.InSpatial, []int{d.InFeature})))
	y = c.view(y, tensor.Transposed(y.typ.Shape, concat(d.KerSpatial, []int{d.KerIn, d.KerOut})))
	if rev, _ := o.Attrs["window_reversal"].([]bool); rev != nil {
		var dims []int
		for i, r := range rev {
			if r {
				dims = append(dims, i)
			}
		}
		if dims != nil {
			y = c.view(y, tensor.Reversed(y.typ.Shape, dims))
		}
	}
	groups := o.Attrs.Int("feature_group_count", 1)
	if g := o.Attrs.Int("batch_group_count", 1); g > 1 {
		x, groups = c.batchGroups(x, g), g
	}
	out := o.Results[0].Type.Shape
	k := ring.Conv{
		Batch:        x.typ.Shape[0],
		InChannels:   x.typ.Shape[rank+1],
		OutChannels:  y.typ.Shape[rank+1],
		Groups:       groups,
		In:           x.typ.Shape[1 : rank+1],
		Stride:       window(o, "window_strides", rank, 1),
		InDilate:     window(o, "lhs_dilation", rank, 1),
		KernelDilate: window(o, "rhs_dilation", rank, 1),
	}
	pad := window(o, "padding", 2*rank, 0)
	start, limit, step := make([]int, rank+2), y.typ.Shape.Clone(), make([]int, rank+2)
	step[rank], step[rank+1] = 1, 1
	for i := range rank {
		k.Out = append(k.Out, out[d.OutSpatial[i]])
		first, last := taps(y.typ.Shape[i], k.Out[i], k.In[i], k.Stride[i], pad[2*i], k.InDilate[i], k.KernelDilate[i])
		start[i], limit[i], step[i] = first, last+1, 1
		k.Kernel = append(k.Kernel, last+1-first)
		k.PadLow = append(k.PadLow, pad[2*i]-first*k.KernelDilate[i])
	}
	y = c.view(y, tensor.Sliced(y.typ.Shape, start, limit, step))
	z := c.product(maps.Conv{Conv: k}, concat([]int{k.Batch}, k.Out, []int{k.OutChannels}), x, y)
	perm := make([]int, rank+2) // the result's dimension i is channels-last dimension perm[i]
	perm[d.OutBatch], perm[d.OutFeature] = 0, rank+1
	for i, s := range d.OutSpatial {
		perm[s] = i + 1
	}
	return c.view(z, tensor.Transposed(z.typ.Shape, perm)), nil
}

// window returns a list attribute, or n times def if it is missing.
func window(o *hlo.Op, name string, n, def int) []int {
	if v := o.Attrs.Ints(name); v != nil {
		return v
	}
	out := make([]int, n)
	for i := range out {
		out[i] = def
	}
	return out
}

// taps returns the range of kernel positions along one dimension that meet data for some output; one position
// if none does.
func taps(kernel, out, in, stride, pad, inDilate, kernelDilate int) (first, last int) {
	first, last = -1, -1
	for t := range kernel {
		for o := range out {
			p := o*stride + t*kernelDilate - pad
			if p >= 0 && p%inDilate == 0 && p/inDilate < in {
				if first < 0 {
					first = t
				}
				last = t
				break
			}
		}
	}
	return max(first, 0), max(last, 0)
}

// batchGroups moves g batch groups of a channels-last image to its features.
func (c *opRun) batchGroups(x *value, g int) *value {
	s := x.typ.Shape
	rank := len(s)
	split := concat([]int{g, s[0] / g}, s[1:])
	x = c.view(x, tensor.Reshaped(s, split))
	perm := []int{1}
	for d := 2; d < rank; d++ {
		perm = append(perm, d)
	}
	perm = append(perm, 0, rank)
	x = c.view(x, tensor.Transposed(split, perm))
	merged := concat([]int{s[0] / g}, s[1:rank-1], []int{g * s[rank-1]})
	return c.view(x, tensor.Reshaped(x.typ.Shape, merged))
}
