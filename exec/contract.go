package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// product applies a bilinear map to two values, each public, known or secret.
func (c *opRun) product(b maps.Bilinear, shape tensor.Shape, x, y *value) *value {
	if c.finely() && !c.guarded() && (c.inFineForm(x) || c.inFineForm(y)) {
		switch {
		case y.owner == Public:
			return secret(c.Arith.ContractFinePublic(c.op, b, shape, x.sec, y.array(), false))
		case x.owner == Public:
			return secret(c.Arith.ContractFinePublic(c.op, b, shape, y.sec, x.array(), true))
		}
		return secret(c.Arith.ContractFine(c.op, b, shape, c.share(x, 0), c.share(y, 0)))
	}
	in := c.coarse([]*value{x, y})
	x, y = in[0], in[1]
	public := c.Arith.ProductPublic
	if c.o.Attrs.Bool(hlo.FullRange) {
		public = c.Arith.ProductPublicFull
	}
	switch {
	case y.owner == Public:
		return secret(public(c.op, b, shape, c.share(x, 0), y.array(), false))
	case x.owner == Public:
		return secret(public(c.op, b, shape, c.share(y, 0), x.array(), true))
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
	if z := c.vectorProduct(x, y, d); z != nil {
		return z
	}
	if z := c.flippedProduct(x, y, d); z != nil {
		return z
	}
	xf := algo.Others(len(x.typ.Shape), d.LHSBatch, d.LHSContract)
	yf := algo.Others(len(y.typ.Shape), d.RHSBatch, d.RHSContract)
	m := maps.MatMul{
		Batch: algo.Size(x.typ.Shape, d.LHSBatch),
		M:     algo.Size(x.typ.Shape, xf),
		K:     algo.Size(x.typ.Shape, d.LHSContract),
		N:     algo.Size(y.typ.Shape, yf),
	}
	x = c.view(x, tensor.Transposed(x.typ.Shape, slices.Concat(d.LHSBatch, xf, d.LHSContract)))
	y = c.view(y, tensor.Transposed(y.typ.Shape, slices.Concat(d.RHSBatch, d.RHSContract, yf)))
	if z := c.bitProduct(m, x, y); z != nil {
		return c.view(z, tensor.Reshaped(z.typ.Shape, c.o.Results[0].Type.Shape))
	}
	return c.product(m, c.o.Results[0].Type.Shape, x, y)
}

// flippedProduct returns x·y as the transposition of yᵀ·xᵀ if y is the transposition of a larger matrix that its owner has shared already,
// such as a table of embeddings whose rows have been looked up: no party then copies that matrix's masked form, nor its owner and the
// dealer its mask. It returns nil for other operands.
func (c *opRun) flippedProduct(x, y *value, d *hlo.DotDims) *value {
	if x.owner == Public || x.bits != nil || y.owner < 0 || y.sec != nil || y.made == nil || !y.made.flips {
		return nil
	}
	w := y.made.from[0]
	xf := algo.Others(len(x.typ.Shape), d.LHSBatch, d.LHSContract)
	m := maps.MatMul{Batch: 1, M: y.typ.Shape[1], K: y.typ.Shape[0], N: algo.Size(x.typ.Shape, xf)}
	if w.sec == nil || len(d.LHSBatch) > 0 || !slices.Equal(d.RHSContract, []int{0}) || m.M*m.K < 2*m.N*(m.K+m.M) {
		return nil
	}
	x = c.view(x, tensor.Transposed(x.typ.Shape, slices.Concat(d.LHSContract, xf)))
	z := c.product(m, tensor.Shape{m.M, m.N}, w, x)
	z = c.view(z, tensor.Transposed(z.typ.Shape, []int{1, 0}))
	return c.view(z, tensor.Reshaped(z.typ.Shape, c.o.Results[0].Type.Shape))
}

// fewChosen is the largest number of times that a matrix of zeros and ones is repeated rather than opened as
// numbers: the offline bytes grow by that factor.
const fewChosen = 4

// bitProduct returns a product with a secret matrix of zeros and ones as a sum of the elements that they
// select; nil if neither factor is such a matrix, or if it would be repeated more than fewChosen times.
func (c *opRun) bitProduct(m maps.MatMul, x, y *value) *value {
	if c.inFineForm(x) || c.inFineForm(y) {
		return nil
	}
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
	g, x, y := algo.ConvOf(values{c}, c.o, in[0], in[1])
	var reversed []int
	for d, r := range g.Reversed {
		if r {
			reversed = append(reversed, d)
		}
	}
	if reversed != nil {
		y = c.view(y, tensor.Reversed(y.typ.Shape, reversed))
	}
	g.Reversed = nil
	k := ring.Conv{
		Batch: g.Batch, InChannels: g.InFeatures, OutChannels: g.OutFeatures, Groups: g.Groups,
		In: g.In, Out: g.Out, Stride: g.Stride, InDilate: g.Base, KernelDilate: g.Dilate,
	}
	rank := len(g.In)
	start, limit, step := make([]int, rank+2), y.typ.Shape.Clone(), slices.Repeat([]int{1}, rank+2)
	for d := range rank {
		first, last := g.Taps(d)
		start[d], limit[d] = first, last+1
		k.Kernel = append(k.Kernel, last+1-first)
		k.PadLow = append(k.PadLow, g.Pad[2*d]-first*g.Dilate[d])
	}
	y = c.view(y, tensor.Sliced(y.typ.Shape, start, limit, step))
	z := c.product(maps.Conv{Conv: k}, g.Result(), x, y)
	return c.view(z, tensor.Transposed(z.typ.Shape, g.Perm)), nil
}
