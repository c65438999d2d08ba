package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func init() {
	table["stablehlo.bitcast_convert"] = bitcast
	table["stablehlo.reduce_precision"] = barrier // fixed point has a precision of its own
	for _, name := range []string{"chlo.is_inf", "chlo.is_pos_inf", "chlo.is_neg_inf"} {
		table[name] = never
	}
	table["stablehlo.get_dimension_size"] = dimensionSize
	table["chlo.mulhi"] = highWord
	table["chlo.next_after"] = func(c *opRun, _ []*value) ([]*value, error) {
		return nil, refuse(c.o, "has no meaning in fixed point", "add the smallest step that matters")
	}
}

// never is false: secrets are finite.
func never(c *opRun, _ []*value) ([]*value, error) { return []*value{zeros(c.o.Results[0].Type)}, nil }

func dimensionSize(c *opRun, in []*value) ([]*value, error) {
	n := in[0].typ.Shape[c.o.Attrs.Int("dimension", 0)]
	t := c.o.Results[0].Type
	return []*value{{typ: t, who: Public, arr: tensor.FromWords(t.DType, t.Shape, []uint64{uint64(n)})}}, nil
}

// typed is a value read as another type of the same width.
func typed(x *fxp.Value, d tensor.DType) *value {
	y := *x
	y.Type.DType = d
	return secret(&y)
}

// unsigned is the unsigned type of a width.
func unsigned(bits int) tensor.DType {
	return map[int]tensor.DType{8: tensor.U8, 16: tensor.U16, 32: tensor.U32, 64: tensor.U64}[bits]
}

// bitcast reads the bits of integers as integers of another type: from a wider
// type the parts stand in a new last dimension, lowest bits first, and back.
func bitcast(c *opRun, in []*value) ([]*value, error) {
	x, t := c.share(in[0], 0), c.o.Results[0].Type
	from, to := x.Type.DType, t.DType
	switch {
	case from == to || from.IsInt() && to.IsInt() && from.Bits() == to.Bits():
		return []*value{typed(x, to)}, nil
	case !from.IsInt() || !to.IsInt():
		return nil, refuse(c.o, "of secrets from "+from.String()+" to "+to.String()+" has no meaning: they are kept in fixed point", "convert the numbers, not their bits")
	}
	wide := unsigned(max(from.Bits(), to.Bits()))
	n := max(from.Bits(), to.Bits()) / min(from.Bits(), to.Bits())
	by := func(s tensor.Shape, i int) *tensor.Array {
		w := make([]uint64, s.Size())
		for k := range w {
			w[k] = uint64(i * min(from.Bits(), to.Bits()))
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
		return []*value{c.view(all, tensor.Reshaped(all.typ.Shape, t.Shape))}, nil
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
	return []*value{typed(sum, to)}, nil
}

func scaled(strides []int, by int) []int {
	out := make([]int, len(strides))
	for i, s := range strides {
		out[i] = s * by
	}
	return out
}

// highWord is the upper half of a product of integers of at most 32 bits.
func highWord(c *opRun, in []*value) ([]*value, error) {
	d := in[0].typ.DType
	if d.Bits() > 32 {
		return nil, refuse(c.o, "is not built for secrets of 64 bits", "use 32 bits")
	}
	wide := tensor.U64
	if d.IsSigned() {
		wide = tensor.I64
	}
	x, y := c.Arith.Integer(c.op, c.share(in[0], 0), wide), c.Arith.Integer(c.op, c.share(in[1], 0), wide)
	w := make([]uint64, x.S.Len())
	for i := range w {
		w[i] = uint64(d.Bits())
	}
	high := c.Arith.ShiftPublic(c.op, c.Arith.Mul(c.op, x, y), tensor.FromWords(wide, x.Type.Shape, w), fxp.ShiftRightArithmetic)
	return one(c.Arith.Integer(c.op, high, d))
}
