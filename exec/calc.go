package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// calc applies an elementwise operation that is not in the program to values of one shape, as a step of c.
// Attributes come in pairs of key and value.
func (c *opRun) calc(name string, to tensor.DType, in []*value, attrs ...any) (*value, error) {
	o := &hlo.Op{Name: name, Pos: c.o.Pos, Attrs: hlo.Attrs{}}
	for i := 0; i < len(attrs); i += 2 {
		o.Attrs[attrs[i].(string)] = attrs[i+1]
	}
	for _, v := range in {
		o.Operands = append(o.Operands, &hlo.Value{Type: v.typ})
	}
	o.Results = []*hlo.Value{{Type: tensor.Type{DType: to}}}
	return first(c.within(o, in, in[0].typ.Shape))
}

// formula applies elementwise operations one after the other and keeps the first error.
type formula struct {
	c   *opRun
	err error
}

// of applies the operation of that name.
func (f *formula) of(name string, in ...*value) *value {
	if f.err != nil {
		return in[0]
	}
	out, err := f.c.calc(name, in[0].typ.DType, in)
	if err != nil {
		f.err = err
		return in[0]
	}
	return out
}

func (f *formula) add(x, y *value) *value { return f.of(hlo.OpAdd, x, y) }
func (f *formula) sub(x, y *value) *value { return f.of(hlo.OpSubtract, x, y) }
func (f *formula) mul(x, y *value) *value { return f.of(hlo.OpMultiply, x, y) }

// constantly returns a public number in the type of x.
func constantly(x *value, v float64) *value {
	all := make([]float64, x.typ.Shape.Size())
	for i := range all {
		all[i] = v
	}
	return &value{typ: x.typ, owner: Public, arr: tensor.FromFloats(x.typ.DType, x.typ.Shape, all)}
}

// sumOver sums along all dimensions but one.
func (f *formula) sumOver(x *value, but int) *value {
	s := x.typ.Shape
	x = f.c.view(x, tensor.Transposed(s, slices.Concat([]int{but}, algo.Others(len(s), []int{but}))))
	n := s[but]
	return secret(f.c.Arith.Sum(f.c.op, f.c.share(x, f.c.Arith.Fraction), n, s.Size()/max(1, n), 1, tensor.Shape{n}))
}

// calcCompare compares x and y in a direction ("LT", …).
func (c *opRun) calcCompare(direction string, x, y *value) (*value, error) {
	return c.calc(hlo.OpCompare, tensor.Bool, []*value{x, y}, "comparison_direction", hlo.Enum(direction))
}
