package algo

import (
	"errors"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// written runs operations as texts: an operation puts its operands one after the other and its name behind them.
type written struct {
	texts
	captured map[*hlo.Value]text
	lifted   int // operations that ran on all instances at once
}

func (w *written) Constant(*tensor.Array) text { return scalarText("#") }

func (w *written) Captured(_ *hlo.Op, v *hlo.Value) (text, error) {
	if x, ok := w.captured[v]; ok {
		return x, nil
	}
	return text{}, errors.New("no value")
}

func (w *written) Lifted(o *hlo.Op, in []text, shape tensor.Shape) ([]text, error) {
	w.lifted++
	out := text{shape, make([]string, shape.Size())}
	for i := range out.data {
		for _, x := range in {
			out.data[i] += x.data[i]
		}
		out.data[i] += o.Name[len(o.Name)-1:]
	}
	return []text{out}, nil
}

// Once returns the block's arguments.
func (w *written) Once(_ *hlo.Block, in []text) ([]text, error) { return in, nil }

func (w *written) Empty(t tensor.Type) text { return text{shape: t.Shape} }

func TestRegionRunsOnAllInstancesAtOnce(t *testing.T) {
	outside := &hlo.Value{Type: tensor.Type{DType: tensor.F32}}
	callee := block(1, func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
		o := op("chlo.erf", p[0])
		return []*hlo.Op{o}, o.Results
	})
	b := block(2, func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
		constant := op("stablehlo.constant")
		constant.Attrs = hlo.Attrs{"value": tensor.NewArray(tensor.Type{DType: tensor.F32})}
		copied := op("stablehlo.reshape", p[1])
		call := op("func.call", copied.Results[0])
		call.Callee = &hlo.Func{Body: callee}
		g := op("stablehlo.log", p[0], call.Results[0], constant.Results[0], outside)
		return []*hlo.Op{constant, copied, call, g}, append(g.Results, p[0])
	})
	w := &written{captured: map[*hlo.Value]text{outside: scalarText("o")}}
	r := NewRegion[text](w, b)
	out, err := r.Apply(letters(1, 2), text{tensor.Shape{1, 2}, []string{"x", "y"}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, out[0], tensor.Shape{1, 2}, "axf#og", "byf#og")
	same(t, out[1], tensor.Shape{1, 2}, "a", "b")
	if w.lifted != 2 {
		t.Errorf("%d operations", w.lifted)
	}
	if out, err = r.Apply(letters(3), letters(3)); err != nil { // constants have another shape now
		t.Fatal(err)
	}
	same(t, out[0], tensor.Shape{3}, "aaf#og", "bbf#og", "ccf#og")
	if _, err := NewRegion[text](&written{}, b).Apply(letters(1), letters(1)); err == nil {
		t.Error("a captured value is missing")
	}
}

func TestRegionRunsOncePerInstance(t *testing.T) {
	b := block(2, func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
		o := op("stablehlo.sort", p[0])
		return []*hlo.Op{o}, p
	})
	if Liftable(b) {
		t.Fatal("sort is not elementwise")
	}
	r := NewRegion[text](&written{}, b)
	for _, x := range []text{letters(2, 2), letters(), {shape: tensor.Shape{0, 2}}} {
		out, err := r.Apply(x, x)
		if err != nil {
			t.Fatal(err)
		}
		same(t, out[1], x.shape, x.data...)
	}
}

func TestLiftable(t *testing.T) {
	wide := op("chlo.erf")
	wide.Results[0].Type.Shape = tensor.Shape{2}
	recursive := op("func.call")
	recursive.Callee = &hlo.Func{}
	recursive.Callee.Body = &hlo.Block{Ops: []*hlo.Op{recursive, op("return")}}
	for _, o := range []*hlo.Op{wide, op("stablehlo.sort"), recursive} {
		if Liftable(&hlo.Block{Ops: []*hlo.Op{o, op("return")}}) {
			t.Errorf("%s is liftable", o.Name)
		}
	}
}
