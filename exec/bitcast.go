package exec

import (
	"math"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table.Add(hlo.OpBitcastConvert, bitcast)
	table.Add(hlo.OpReducePrecision, barrier) // fixed point has a precision of its own
	for _, name := range []string{hlo.OpIsInf, hlo.OpIsPosInf, hlo.OpIsNegInf} {
		table.Add(name, never)
	}
	table.Add(hlo.OpGetDimensionSize, dimensionSize)
	table.Add(hlo.OpMulhi, highWord)
	table.Add(hlo.OpNextAfter, nextAfter)
}

// nextAfter returns x, or the next number in y's direction: in fixed point that is one unit away.
func nextAfter(c *opRun, in []*value) ([]*value, error) {
	up, err := c.less(in[0], in[1])
	if err != nil {
		return nil, err
	}
	down, err := c.less(in[1], in[0])
	if err != nil {
		return nil, err
	}
	d := in[0].typ.DType
	step := c.Arith.Combine(c.op, []int64{1, -1}, c.Arith.Number(c.op, up.sec, d), c.Arith.Number(c.op, down.sec, d))
	step = c.Arith.MulConst(c.op, step, math.Ldexp(1, -c.Arith.Fraction))
	return one(c.Arith.Add(c.op, c.share(in[0], c.Arith.Fraction), step))
}

// never returns false: secrets are finite.
func never(c *opRun, _ []*value) ([]*value, error) { return []*value{zeros(c.o.Results[0].Type)}, nil }

func dimensionSize(c *opRun, in []*value) ([]*value, error) {
	n := in[0].typ.Shape[c.o.Attrs.Int("dimension", 0)]
	t := c.o.Results[0].Type
	return []*value{{typ: t, owner: Public, arr: tensor.FromWords(t.DType, t.Shape, []uint64{uint64(n)})}}, nil
}

// typed returns a value read as another type of the same width.
func typed(x *fxp.Value, d tensor.DType) *value {
	y := *x
	y.Type.DType = d
	return secret(&y)
}

// unsigned returns the unsigned type of a width.
func unsigned(bits int) tensor.DType {
	return map[int]tensor.DType{8: tensor.U8, 16: tensor.U16, 32: tensor.U32, 64: tensor.U64}[bits]
}

// bitcast reads the bits of numbers as numbers of another type. From a wider type, the parts lie along a new
// last dimension, lowest bits first; to a wider type, the reverse.
func bitcast(c *opRun, in []*value) ([]*value, error) {
	x, t := c.share(in[0], 0), c.o.Results[0].Type
	from, to := x.Type.DType, t.DType
	switch {
	case from == to:
		return []*value{secret(x)}, nil
	case !from.IsInt() && !from.IsFloat() || !to.IsInt() && !to.IsFloat():
		return nil, refuse(c.o, "of secrets from "+from.String()+" to "+to.String()+" is not built", "bitcast integers and floats only")
	case from.IsFloat():
		x = c.Arith.FloatBits(c.op, x, unsigned(from.Bits()), c.rangeOf(0))
	}
	if to.IsFloat() {
		bits := c.recast(x, tensor.Type{DType: unsigned(to.Bits()), Shape: t.Shape})
		return one(c.Arith.BitsFloat(c.op, bits.sec, to))
	}
	return []*value{c.recast(x, t)}, nil
}

// recast reads the bits of integers as those of another type.
func (c *opRun) recast(x *fxp.Value, t tensor.Type) *value {
	from, to := x.Type.DType, t.DType
	if from.Bits() == to.Bits() {
		return typed(x, to)
	}
	least, most := min(from.Bits(), to.Bits()), max(from.Bits(), to.Bits())
	wide, n := unsigned(most), most/least
	by := func(s tensor.Shape, i int) *tensor.Array {
		w := make([]uint64, s.Size())
		for k := range w {
			w[k] = uint64(i * least)
		}
		return tensor.FromWords(wide, s, w)
	}
	if from.Bits() > to.Bits() {
		s := x.Type.Shape
		x = typed(x, wide).sec
		var parts []*value
		for i := range n {
			part := c.Arith.Integer(c.op, c.Arith.ShiftPublic(c.op, x, by(s, i), fxp.ShiftRight), to)
			parts = append(parts, c.view(secret(part), tensor.Reshaped(s, tensor.Shape{1, s.Size()})))
		}
		all := c.concatenated(parts)
		all = c.view(all, tensor.Transposed(all.typ.Shape, []int{1, 0}))
		return c.view(all, tensor.Reshaped(all.typ.Shape, t.Shape))
	}
	rows := c.view(typed(x, unsigned(from.Bits())), tensor.Reshaped(x.Type.Shape, tensor.Shape{t.Shape.Size(), n}))
	var sum *fxp.Value
	for i := range n {
		v := tensor.View{Shape: t.Shape, In: n * t.Shape.Size(), Offset: i, Strides: scaled(t.Shape.Strides(), n)}
		part := c.Arith.ShiftPublic(c.op, c.Arith.Integer(c.op, c.view(rows, v).sec, wide), by(t.Shape, i), fxp.ShiftLeft)
		if sum == nil {
			sum = part
		} else {
			sum = c.Arith.Add(c.op, sum, part)
		}
	}
	return typed(sum, to)
}

func scaled(strides []int, by int) []int {
	out := make([]int, len(strides))
	for i, s := range strides {
		out[i] = s * by
	}
	return out
}

// highWord returns the upper half of a product of integers.
func highWord(c *opRun, in []*value) ([]*value, error) {
	return one(c.Arith.HighWord(c.op, c.share(in[0], 0), c.share(in[1], 0)))
}
