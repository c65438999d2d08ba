package exec

import (
	"cmp"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A secret complex value is two secret real values. Operations that are linear or only move elements are
// applied to both; the others are formulas of real operations.

// complexOps holds the operations on secret complex values.
var complexOps = hlo.Table[handler]{}

func init() {
	for _, name := range append(hlo.With(hlo.Structured), hlo.OpAdd, hlo.OpSubtract, hlo.OpNegate, hlo.OpSelect) {
		complexOps.Add(name, partwise)
	}
	for name, f := range map[string]handler{
		hlo.OpOptimizationBarrier: barrier,
		hlo.OpMultiply:            complexProduct,
		hlo.OpDivide:              complexQuotient,
		hlo.OpAbs:                 complexAbs,
		hlo.OpCompare:             complexCompare,
		hlo.OpExponential:         complexExp,
		hlo.OpLog:                 complexLog,
		hlo.OpConvert:             complexConvert,
		hlo.OpSqrt:                complexRoot(0.5),
		hlo.OpRsqrt:               complexRoot(-0.5),
		hlo.OpPower:               complexPower,
		hlo.OpTanh:                complexTanh,
		hlo.OpLogistic:            complexLogistic,
		hlo.OpSign:                complexSign,
		hlo.OpIsFinite:            isFinite,
		hlo.OpComplex:             makeComplex,
		hlo.OpReal:                func(c *opRun, in []*value) ([]*value, error) { re, _ := c.parts(in[0]); return []*value{re}, nil },
		hlo.OpImag:                func(c *opRun, in []*value) ([]*value, error) { _, im := c.parts(in[0]); return []*value{im}, nil },
		hlo.OpDotGeneral:          complexBilinear(dotGeneral),
		hlo.OpConvolution:         complexBilinear(convolution),
		hlo.OpMap:                 mapBody,
		hlo.OpReduce: sumsOr(func(c *opRun, in []*value) ([]*value, error) {
			return c.reduceBy(in, c.o.Attrs.Ints("dimensions"))
		}),
		hlo.OpReduceWindow: sumsOr(reduceWindow),
		hlo.OpScatter:      sumsOr(scatterPublic),
		hlo.OpFFT:          fourier,
		hlo.OpConj:         conjugate,
		hlo.OpSquare:       func(c *opRun, in []*value) ([]*value, error) { return complexProduct(c, []*value{in[0], in[0]}) },
	} {
		complexOps.Add(name, f)
	}
	for _, name := range []string{hlo.OpComplex, hlo.OpReal, hlo.OpImag, hlo.OpFFT, hlo.OpConj} {
		table.Add(name, complexOps[name])
	}
}

// handlerOf returns the handler of an operation with a secret operand; nil if there is none.
func handlerOf(o *hlo.Op, in []*value) handler {
	is := func(t tensor.Type) bool { return t.DType.IsComplex() }
	if slices.ContainsFunc(in, func(v *value) bool { return is(v.typ) }) ||
		slices.ContainsFunc(o.Results, func(r *hlo.Value) bool { return is(r.Type) }) {
		return complexOps[o.Name]
	}
	if f := table[o.Name]; f != nil {
		return f
	}
	return views(o)
}

// parts returns a value's real and imaginary parts, whether it is public, known or secret.
func (c *opRun) parts(v *value) (re, im *value) {
	if v.re != nil {
		return v.re, v.im
	}
	t := tensor.Type{DType: v.typ.DType.Part(), Shape: v.typ.Shape}
	if !v.typ.DType.IsComplex() {
		return v, zeros(t)
	}
	re, im = &value{typ: t, owner: v.owner}, &value{typ: t, owner: v.owner}
	if v.array() == nil {
		return re, im
	}
	re.arr, im.arr = v.array().Parts()
	return re, im
}

// paired returns the complex value of two parts.
func paired(d tensor.DType, re, im *value) *value {
	out := &value{typ: tensor.Type{DType: d, Shape: re.typ.Shape}, owner: join(re.owner, im.owner)}
	if out.owner == Secret {
		out.re, out.im = re, im
		return out
	}
	if re.array() == nil || im.array() == nil {
		return out
	}
	out.arr = complexArray(out.typ, re.array().Floats(), im.array().Floats())
	return out
}

func complexArray(t tensor.Type, re, im []float64) *tensor.Array {
	a := tensor.NewArray(t)
	switch z := a.Data.(type) {
	case []complex64:
		for i := range z {
			z[i] = complex(float32(re[i]), float32(im[i]))
		}
	case []complex128:
		for i := range z {
			z[i] = complex(re[i], im[i])
		}
	}
	return a
}

// partwise applies an operation to the real and the imaginary parts.
func partwise(c *opRun, in []*value) ([]*value, error) {
	re, im := make([]*value, len(in)), make([]*value, len(in))
	for i, v := range in {
		re[i], im[i] = v, v
		if v.typ.DType.IsComplex() {
			re[i], im[i] = c.parts(v)
		}
	}
	x, err := c.onParts(nil, re)
	if err != nil {
		return nil, err
	}
	y, err := c.onParts(nil, im)
	if err != nil {
		return nil, err
	}
	out := make([]*value, len(x))
	for i, r := range c.o.Results {
		out[i] = paired(r.Type.DType, x[i], y[i])
	}
	return out, nil
}

// onParts applies the operation, or f if it is not nil, to real values.
func (c *opRun) onParts(f handler, in []*value) ([]*value, error) {
	o := *c.o
	o.Results = make([]*hlo.Value, len(c.o.Results))
	for i, r := range c.o.Results {
		o.Results[i] = partValue(r)
	}
	o.Regions = make([]*hlo.Block, len(c.o.Regions))
	for i, b := range c.o.Regions {
		o.Regions[i] = partBody(b)
	}
	owner := Public
	for _, v := range in {
		owner = join(owner, v.owner)
	}
	real := &opRun{run: c.run, op: c.op, o: &o, scope: c.scope}
	if owner != Secret {
		return real.inClear(&o, in, owner)
	}
	if f == nil {
		f = handlerOf(&o, in)
	}
	return f(real, in)
}

func partValue(v *hlo.Value) *hlo.Value {
	part := *v
	part.Type.DType = part.Type.DType.Part()
	return &part
}

// partBody returns the body for one part of a body of complex scalars that works partwise.
func partBody(b *hlo.Block) *hlo.Block {
	parts := map[*hlo.Value]*hlo.Value{}
	all := func(vs []*hlo.Value) []*hlo.Value {
		out := make([]*hlo.Value, len(vs))
		for i, v := range vs {
			if parts[v] == nil {
				parts[v] = partValue(v)
			}
			out[i] = parts[v]
		}
		return out
	}
	out := &hlo.Block{Params: all(b.Params)}
	for _, o := range b.Ops {
		part := *o
		part.Operands, part.Results = all(o.Operands), all(o.Results)
		out.Ops = append(out.Ops, &part)
	}
	return out
}

// sumsOr returns a handler that applies additions (and scatters that set) to both parts, and f to everything
// else.
func sumsOr(f handler) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		b := c.o.Regions[0]
		if algo.Reducer(b) == hlo.OpAdd || slices.Equal(b.Return().Operands, b.Params[len(b.Params)/2:]) {
			return partwise(c, in)
		}
		return f(c, in)
	}
}

func makeComplex(c *opRun, in []*value) ([]*value, error) {
	return []*value{paired(c.o.Results[0].Type.DType, in[0], in[1])}, nil
}

func conjugate(c *opRun, in []*value) ([]*value, error) {
	if !in[0].typ.DType.IsComplex() {
		return in, nil
	}
	re, im := c.parts(in[0])
	f := &formula{c: c}
	im = f.of(hlo.OpNegate, im)
	return []*value{paired(in[0].typ.DType, re, im)}, f.err
}

// noneOf reports whether a value is publicly zero.
func noneOf(v *value) bool {
	if v.owner != Public || v.array() == nil {
		return false
	}
	return !slices.ContainsFunc(v.array().Floats(), func(x float64) bool { return x != 0 })
}

// plus returns x + sign·y, at no cost where one is publicly zero.
func (f *formula) plus(x, y *value, sign int) *value {
	switch {
	case noneOf(y):
		return x
	case sign < 0 && noneOf(x):
		return f.of(hlo.OpNegate, y)
	case sign < 0:
		return f.sub(x, y)
	case noneOf(x):
		return y
	}
	return f.add(x, y)
}

// times returns x·y, at no cost where one factor is publicly zero.
func (f *formula) times(x, y *value) *value {
	if noneOf(x) {
		return x
	}
	if noneOf(y) {
		return y
	}
	return f.mul(x, y)
}

func complexProduct(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	a, b := c.parts(in[0])
	x, y := c.parts(in[1])
	re := f.plus(f.times(a, x), f.times(b, y), -1)
	im := f.plus(f.times(a, y), f.times(b, x), 1)
	return []*value{paired(in[0].typ.DType, re, im)}, f.err
}

// complexQuotient returns z·w̄/|w|².
func complexQuotient(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	a, b := c.parts(in[0])
	x, y := c.parts(in[1])
	if noneOf(y) {
		return []*value{paired(in[0].typ.DType, f.of(hlo.OpDivide, a, x), f.of(hlo.OpDivide, b, x))}, f.err
	}
	size := f.add(f.mul(x, x), f.mul(y, y))
	if size.owner == Public {
		x, y = f.of(hlo.OpDivide, x, size), f.of(hlo.OpDivide, y, size)
	}
	re := f.plus(f.times(a, x), f.times(b, y), 1)
	im := f.plus(f.times(b, x), f.times(a, y), -1)
	if size.owner != Public {
		re, im = f.of(hlo.OpDivide, re, size), f.of(hlo.OpDivide, im, size)
	}
	return []*value{paired(in[0].typ.DType, re, im)}, f.err
}

// size returns |z|².
func (f *formula) size(z *value) *value {
	re, im := f.c.parts(z)
	return f.plus(f.times(re, re), f.times(im, im), 1)
}

func complexAbs(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	return []*value{f.of(hlo.OpSqrt, f.size(in[0]))}, f.err
}

func complexExp(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	re, im := c.parts(in[0])
	e := f.of(hlo.OpExponential, re)
	return []*value{paired(in[0].typ.DType, f.mul(e, f.of(hlo.OpCosine, im)), f.mul(e, f.of(hlo.OpSine, im)))}, f.err
}

func complexLog(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	re, im := c.parts(in[0])
	l := f.of(hlo.OpLog, f.size(in[0]))
	return []*value{paired(in[0].typ.DType, f.mul(l, constantly(l, 0.5)), f.of(hlo.OpAtan2, im, re))}, f.err
}

func complexCompare(c *opRun, in []*value) ([]*value, error) {
	a, b := c.parts(in[0])
	x, y := c.parts(in[1])
	same, err := c.calcCompare("EQ", a, x)
	if err != nil {
		return nil, err
	}
	also, err := c.calcCompare("EQ", b, y)
	if err != nil {
		return nil, err
	}
	out, err := c.calc(hlo.OpAnd, tensor.Bool, []*value{same, also})
	if err == nil && c.o.Attrs.Str("comparison_direction") == "NE" {
		out = c.negated(out)
	}
	return []*value{out}, err
}

// complexConvert converts complex values; a conversion to a real type keeps the real part.
func complexConvert(c *opRun, in []*value) ([]*value, error) {
	d := c.o.Results[0].Type.DType
	re, im := c.parts(in[0])
	if d.IsComplex() {
		f := &formula{c: c}
		x, err := c.calc(hlo.OpConvert, d.Part(), []*value{re})
		if err != nil {
			return nil, err
		}
		if im.typ.DType != d.Part() {
			if in[0].typ.DType.IsComplex() {
				if im, err = c.calc(hlo.OpConvert, d.Part(), []*value{im}); err != nil {
					return nil, err
				}
			} else {
				im = zeros(tensor.Type{DType: d.Part(), Shape: re.typ.Shape})
			}
		}
		return []*value{paired(d, x, im)}, f.err
	}
	out, err := c.calc(hlo.OpConvert, d, []*value{re})
	if err == nil && d == tensor.Bool && !noneOf(im) {
		other, err := c.calc(hlo.OpConvert, d, []*value{im})
		if err != nil {
			return nil, err
		}
		out, err = c.calc(hlo.OpOr, d, []*value{out, other})
		return []*value{out}, err
	}
	return []*value{out}, err
}

// complexBilinear returns the handler that applies the bilinear handler b to the parts.
func complexBilinear(b handler) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		f := &formula{c: c}
		of := func(x, y *value) *value {
			t := c.o.Results[0].Type
			if noneOf(x) || noneOf(y) || f.err != nil {
				return zeros(tensor.Type{DType: t.DType.Part(), Shape: t.Shape})
			}
			out, err := first(c.onParts(b, []*value{x, y}))
			if err != nil {
				f.err = err
				return x
			}
			return out
		}
		a, b := c.parts(in[0])
		x, y := c.parts(in[1])
		re := f.plus(of(a, x), of(b, y), -1)
		im := f.plus(of(a, y), of(b, x), 1)
		return []*value{paired(c.o.Results[0].Type.DType, re, im)}, f.err
	}
}

// flat returns a value as one list of real numbers: for a complex value all real parts and then all imaginary
// parts.
func (c *opRun) flat(v *value) *value {
	if v.re == nil {
		return v
	}
	n := v.typ.Shape.Size()
	re, im := c.view(v.re, tensor.Reshaped(v.typ.Shape, tensor.Shape{n})), c.view(v.im, tensor.Reshaped(v.typ.Shape, tensor.Shape{n}))
	return c.concatenated([]*value{re, im})
}

// complexRoot returns |z|^e·(cos e·φ, sin e·φ) for the angle φ of z.
func complexRoot(e float64) handler {
	return func(c *opRun, in []*value) ([]*value, error) {
		f := &formula{c: c}
		re, im := c.parts(in[0])
		angle := f.of(hlo.OpAtan2, im, re)
		angle = f.mul(angle, constantly(angle, e))
		size := f.size(in[0])
		size = f.of(hlo.OpPower, size, constantly(size, e/2))
		return []*value{paired(in[0].typ.DType, f.mul(size, f.of(hlo.OpCosine, angle)), f.mul(size, f.of(hlo.OpSine, angle)))}, f.err
	}
}

// complexPower returns exp(w·log z).
func complexPower(c *opRun, in []*value) ([]*value, error) {
	l, err := first(complexLog(c, in[:1]))
	if err != nil {
		return nil, err
	}
	product, err := first(complexProduct(c, []*value{in[1], l}))
	if err != nil {
		return nil, err
	}
	return complexExp(c, []*value{product})
}

// complexLogistic returns 1/(1 + exp(−z)).
func complexLogistic(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	re, im := c.parts(in[0])
	d := in[0].typ.DType
	e, err := first(complexExp(c, []*value{paired(d, f.of(hlo.OpNegate, re), f.of(hlo.OpNegate, im))}))
	if f.err != nil || err != nil {
		return nil, cmp.Or(f.err, err)
	}
	re, im = c.parts(e)
	one := constantly(re, 1)
	below := paired(d, f.add(re, one), im)
	if f.err != nil {
		return nil, f.err
	}
	return complexQuotient(c, []*value{paired(d, one, zeros(one.typ)), below})
}

// complexTanh returns 2·logistic(2z) − 1.
func complexTanh(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	re, im := c.parts(in[0])
	d := in[0].typ.DType
	l, err := first(complexLogistic(c, []*value{paired(d, f.add(re, re), f.add(im, im))}))
	if f.err != nil || err != nil {
		return nil, cmp.Or(f.err, err)
	}
	re, im = c.parts(l)
	return []*value{paired(d, f.sub(f.add(re, re), constantly(re, 1)), f.add(im, im))}, f.err
}

// complexSign returns z/|z|.
func complexSign(c *opRun, in []*value) ([]*value, error) {
	f := &formula{c: c}
	re, im := c.parts(in[0])
	inverse := f.of(hlo.OpRsqrt, f.size(in[0]))
	return []*value{paired(in[0].typ.DType, f.mul(re, inverse), f.mul(im, inverse))}, f.err
}
