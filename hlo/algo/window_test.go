package algo

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func drawWindow(rt *rapid.T) Window {
	var w Window
	ints := func(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(rt, "n") }
	for range ints(0, 3) {
		n, size, stride, base, dilate := ints(0, 4), ints(1, 3), ints(1, 3), ints(1, 2), ints(1, 2)
		low, high := ints(-1, 2), ints(-1, 2)
		w.In, w.Size = append(w.In, n), append(w.Size, size)
		w.Stride, w.Base, w.Dilate = append(w.Stride, stride), append(w.Base, base), append(w.Dilate, dilate)
		w.Pad = append(w.Pad, low, high)
		out := 0
		if room := w.Padded().Shape[len(w.In)-1] - (size-1)*dilate; room > 0 {
			out = (room-1)/stride + 1
		}
		w.Out = append(w.Out, out)
	}
	if rapid.Bool().Draw(rt, "reversible") {
		for range w.In {
			w.Reversed = append(w.Reversed, rapid.Bool().Draw(rt, "reversed"))
		}
	}
	return w
}

// definition returns the operand's position of element t of window o.
func (w Window) definition(o, t int) int32 {
	p, step := 0, 1
	for d := len(w.In) - 1; d >= 0; d-- {
		at := w.At(d, o%w.Out[d], t%w.Size[d])
		if at < 0 {
			return tensor.Fill
		}
		p, step = p+at*step, step*w.In[d]
		o, t = o/w.Out[d], t/w.Size[d]
	}
	return int32(p)
}

func TestIndex(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWindow(rt)
		index, size := w.Index(), w.Size.Size()
		if len(index) != w.Out.Size()*size {
			rt.Fatalf("%d positions", len(index))
		}
		filled := true
		for o := range w.Out.Size() {
			any := false
			for k := range size {
				if want := w.definition(o, k); index[o*size+k] != want {
					rt.Fatalf("window %d, element %d: %d, not %d", o, k, index[o*size+k], want)
				}
				any = any || index[o*size+k] >= 0
			}
			filled = filled && any
		}
		if w.Out.Size() > 0 && w.Filled() != filled {
			rt.Fatalf("filled: %v", !filled)
		}
	})
}

func TestAt(t *testing.T) {
	w := Window{In: tensor.Shape{3}, Out: tensor.Shape{3}, Size: tensor.Shape{2},
		Stride: []int{2}, Base: []int{2}, Dilate: []int{3}, Pad: []int{1, 2}} // . 0 . 1 . 2 . .
	if got := fmt.Sprint(w.Index()); got != "[-1 1 -1 2 -1 -1]" {
		t.Error(got)
	}
	w.Dilate[0], w.Pad[0] = 2, 0 // 0 . 1 . 2 . .
	if got := fmt.Sprint(w.Index()); got != "[0 1 1 2 2 -1]" {
		t.Error(got)
	}
	w.Reversed = []bool{true}
	if got := fmt.Sprint(w.Index()); got != "[1 0 2 1 -1 2]" {
		t.Error(got)
	}
	if w.Padded().Shape[0] != 7 || w.Plain() || !w.Filled() {
		t.Errorf("padded to %v, plain %v, filled %v", w.Padded().Shape, w.Plain(), w.Filled())
	}
}

// Elements in padding are replaced by the first element of the window.
func TestParts(t *testing.T) {
	ones := []int{1, 1}
	w := Window{In: tensor.Shape{2, 3}, Out: tensor.Shape{2, 3}, Size: tensor.Shape{1, 3},
		Stride: ones, Base: ones, Dilate: ones, Pad: []int{0, 0, 1, 1}}
	if !w.Trivial(0) || w.Trivial(1) {
		t.Error("only the windows along dimension 0 are single elements")
	}
	var got []string
	for _, v := range w.Parts(1) {
		got = append(got, strings.Join(texts{}.View(v, letters(2, 3)).data, ""))
	}
	if fmt.Sprint(got) != "[aabdde abcdef bcbefe]" {
		t.Error(got)
	}
}

func TestTaps(t *testing.T) {
	w := Window{In: tensor.Shape{2}, Out: tensor.Shape{1}, Size: tensor.Shape{5},
		Stride: []int{1}, Base: []int{1}, Dilate: []int{1}, Pad: []int{1, 2}}
	if first, last := w.Taps(0); first != 1 || last != 2 {
		t.Errorf("%d to %d", first, last)
	}
	w.In = tensor.Shape{0}
	if first, last := w.Taps(0); first != 0 || last != 0 {
		t.Errorf("%d to %d of nothing", first, last)
	}
}

// Windows of a region that tells the order of elements hold their elements in order, however they are reduced.
func TestReduceWindows(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := drawWindow(rt)
		w.Reversed = nil
		x := letters(w.In...)
		index, size := w.Index(), w.Size.Size()
		want := slices.Repeat([]string{"-"}, w.Out.Size())
		for i, p := range index {
			if p != tensor.Fill {
				want[i/size] += x.data[p]
			}
		}
		for _, reduce := range []func(Combiner[text], Window, []text) (Reduced[text], error){ReduceOverlapping[text], ReduceSeparately[text]} {
			last, err := reduce(appending{}, w, []text{x, x})
			if err != nil {
				rt.Fatal(err)
			}
			out, err := CombineInits(appending{}, []text{scalarText("-"), scalarText("-")}, last)
			if err != nil {
				rt.Fatal(err)
			}
			same(rt, out[0], w.Out, want...)
			same(rt, out[1], w.Out, want...)
			for o, held := range last.Held {
				if held != (want[o] != "-") {
					rt.Fatalf("window %d holds an element: %v", o, held)
				}
			}
		}
		columns, ok := Columns(texts{}, w, []text{x})
		if ok == slices.Contains(index, tensor.Fill) {
			rt.Fatalf("columns: %v", ok)
		}
		if ok {
			out, err := ReduceRows(appending{}, columns, []text{scalarText("-")})
			if err != nil {
				rt.Fatal(err)
			}
			same(rt, out[0], tensor.Shape{w.Out.Size()}, want...)
		}
	})
}

// A window of w elements takes log2(w) to 2·log2(w) applications.
func TestReduceOverlappingSteps(t *testing.T) {
	for size, steps := range map[int]int{1: 0, 2: 1, 3: 2, 4: 2, 7: 4, 8: 3, 15: 6} {
		w := Window{In: tensor.Shape{20}, Out: tensor.Shape{21 - size}, Size: tensor.Shape{size},
			Stride: []int{1}, Base: []int{1}, Dilate: []int{1}, Pad: []int{0, 0}}
		calls := 0
		if _, err := ReduceOverlapping(appending{calls: &calls}, w, []text{letters(20)}); err != nil || calls != steps {
			t.Errorf("%d elements: %d applications, not %d (%v)", size, calls, steps, err)
		}
	}
}

// Windows that share few elements, or none, are cheaper to combine separately.
func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		size, stride int
		want         bool
	}{{1, 1, false}, {2, 1, false}, {4, 1, true}, {8, 1, true}, {4, 4, false}, {8, 4, false}, {16, 2, true}, {16, 8, false}} {
		w := Window{In: tensor.Shape{64}, Out: tensor.Shape{(64-c.size)/c.stride + 1}, Size: tensor.Shape{c.size},
			Stride: []int{c.stride}, Base: []int{1}, Dilate: []int{1}, Pad: []int{0, 0}}
		if w.Overlap() != c.want {
			t.Errorf("%d elements, %d apart: overlap %v", c.size, c.stride, w.Overlap())
		}
	}
}

func TestWindowOf(t *testing.T) {
	value := func(shape ...int) *hlo.Value { return &hlo.Value{Type: tensor.Type{DType: tensor.F32, Shape: shape}} }
	o := &hlo.Op{Name: "stablehlo.reduce_window", Operands: []*hlo.Value{value(5), value()}, Results: []*hlo.Value{value(4)},
		Attrs: hlo.Attrs{"window_dimensions": []int64{2}}}
	if got := fmt.Sprint(WindowOf(o)); got != "{5 4 2 [1] [1] [1] [0 0] []}" {
		t.Error(got)
	}
	o = &hlo.Op{Name: "stablehlo.select_and_scatter", Operands: []*hlo.Value{value(5), value(2), value()}, Results: []*hlo.Value{value(5)},
		Attrs: hlo.Attrs{"window_dimensions": []int64{3}, "window_strides": []int64{2}}}
	if got := fmt.Sprint(WindowOf(o)); got != "{5 2 3 [2] [1] [1] [0 0] []}" {
		t.Error(got)
	}
}
