package eval

import (
	"reflect"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// part is the number of elements that an elementwise operation computes at a time, if there are more than divided: kernels do not
// look at the context, and convert their operands to wider types.
const (
	part    = 1 << 20
	divided = 4 * part
)

// divides reports whether the operation is computed part by part.
func (c *call) divides() bool {
	if !c.op.Is(hlo.Elementwise) || len(c.op.Results) != 1 || len(c.args) == 0 {
		return false
	}
	n := c.args[len(c.args)-1].Len()
	if c.op.Name == hlo.OpClamp {
		n = c.args[1].Len()
	}
	if n <= divided || c.op.Name == hlo.OpSelect && c.args[0].Len() != n {
		return false // select by one predicate copies nothing
	}
	for _, a := range c.args {
		if a.Len() != n && a.Len() != 1 {
			return false // bitcast_convert to another width
		}
	}
	return c.op.Name != hlo.OpBitcastConvert || c.args[0].DType.Bits() == c.result(0).DType.Bits()
}

// inParts evaluates an elementwise operation part by part.
func (c *call) inParts() ([]*tensor.Array, error) {
	var shape tensor.Shape
	for _, a := range c.args {
		if a.Len() > 1 {
			shape = a.Shape
		}
	}
	n := shape.Size()
	out := tensor.NewArray(tensor.Type{DType: c.result(0).DType, Shape: shape})
	all := reflect.ValueOf(out.Data)
	for from := 0; from < n; from += part {
		if err := c.alive(); err != nil {
			return nil, err
		}
		to := min(from+part, n)
		some := *c.op
		some.Results = []*hlo.Value{{Type: tensor.Type{DType: out.DType, Shape: tensor.Shape{to - from}}}}
		args := make([]*tensor.Array, len(c.args))
		for i, a := range c.args {
			if args[i] = a; a.Len() == n {
				args[i] = &tensor.Array{
					Type: tensor.Type{DType: a.DType, Shape: tensor.Shape{to - from}},
					Data: reflect.ValueOf(a.Data).Slice(from, to).Interface(),
				}
			}
		}
		got, err := table[c.op.Name].run(&call{ctx: c.ctx, env: c.env, op: &some, args: args})
		if err != nil {
			return nil, err
		}
		reflect.Copy(all.Slice(from, to), reflect.ValueOf(got[0].Data))
	}
	return one(out), nil
}
