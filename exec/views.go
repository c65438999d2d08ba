package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// isView reports whether package eval describes the operation as a view of its data operands when its other
// operands are public.
func isView(o *hlo.Op) bool { return o.Is(hlo.Structured) || o.Name == hlo.OpScatter }

// views returns the handler of an operation that only copies elements, nil for any other.
func views(o *hlo.Op) handler {
	if isView(o) {
		return view
	}
	return nil
}

func view(c *opRun, in []*value) ([]*value, error) {
	v, operands, ok, err := eval.View(c.o, func(i int) *tensor.Array {
		if in[i].owner == Public {
			return in[i].array()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, refuse(c.o, "in this form it is not built yet for secret operands", "")
	}
	if len(c.o.Results) > 1 {
		return nil, refuse(c.o, "with several results it is not built yet for secret operands", "")
	}
	data := make([]*value, len(operands))
	for i, n := range operands {
		data[i] = in[n]
	}
	if len(data) == 1 {
		return []*value{c.view(data[0], v)}, nil
	}
	t := c.o.Results[0].Type
	return []*value{c.copies(t, c.movedByView(v, data), func(c *opRun) *fxp.Value { return c.viewOf(v, c.shareAll(data)) })}, nil
}

// choose is select. For a public predicate it is a view of both operands.
func choose(c *opRun, in []*value) ([]*value, error) {
	if in[0].owner != Public {
		return c.choosePrivate(in)
	}
	pred := in[0].array().Data.([]bool)
	if c.fine(in[1]) && !slices.Contains(pred, false) {
		return in[1:2], nil
	}
	n := in[1].typ.Shape.Size()
	v := tensor.Listed(in[1].typ.Shape, 2*n, func() []int32 {
		index := make([]int32, n)
		for i := range index {
			index[i] = int32(i)
			if !pred[i%len(pred)] {
				index[i] += int32(n)
			}
		}
		return index
	})
	t := c.o.Results[0].Type
	return []*value{c.copies(t, c.movedByView(v, in[1:]), func(c *opRun) *fxp.Value { return c.viewOf(v, c.shareAll(in[1:])) })}, nil
}

// barrier returns its operands.
func barrier(_ *opRun, in []*value) ([]*value, error) { return in, nil }
