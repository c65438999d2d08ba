package tensor

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func counting(n, from int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}

func drawShape(rt *rapid.T) Shape {
	return Shape(rapid.SliceOfN(rapid.IntRange(0, 4), 0, 4).Draw(rt, "shape"))
}

// coords are the coordinates of row-major position p.
func coords(s Shape, p int) []int {
	c := make([]int, len(s))
	for d := len(s) - 1; d >= 0; d-- {
		c[d], p = p%s[d], p/s[d]
	}
	return c
}

func position(s Shape, c []int) int {
	p := 0
	for d, n := range s {
		p = p*n + c[d]
	}
	return p
}

// check fails unless a view of shape out reads source(coordinates), both by its index list and by
// Apply.
func check(rt *rapid.T, v View, out Shape, source func(c []int) int) {
	if !v.Shape.Equal(out) {
		rt.Fatalf("shape %v, want %v", v.Shape, out)
	}
	index := v.Index()
	applied := Apply(v, Fill, counting(v.In, 0))
	if len(index) != out.Size() || len(applied) != out.Size() {
		rt.Fatalf("%d positions, %d elements of %v", len(index), len(applied), out)
	}
	for p := range out.Size() {
		want := source(coords(out, p))
		if int(index[p]) != want || applied[p] != want {
			rt.Fatalf("at %v: position %d, element %d, want %d", coords(out, p), index[p], applied[p], want)
		}
	}
}

func TestTransposedAndReversed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawShape(rt)
		perm := rapid.Permutation(counting(len(in), 0)).Draw(rt, "perm")
		out := make(Shape, len(in))
		for i, p := range perm {
			out[i] = in[p]
		}
		check(rt, Transposed(in, perm), out, func(c []int) int {
			src := make([]int, len(c))
			for i, p := range perm {
				src[p] = c[i]
			}
			return position(in, src)
		})
		dims := perm[:len(perm)/2]
		check(rt, Reversed(in, dims), in, func(c []int) int {
			src := slices.Clone(c)
			for _, d := range dims {
				src[d] = in[d] - 1 - c[d]
			}
			return position(in, src)
		})
	})
}

func TestSliced(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawShape(rt)
		start, limit, stride, out := make([]int, len(in)), make([]int, len(in)), make([]int, len(in)), make(Shape, len(in))
		for d, n := range in {
			start[d] = rapid.IntRange(0, n).Draw(rt, "start")
			limit[d] = rapid.IntRange(start[d], n).Draw(rt, "limit")
			stride[d] = rapid.IntRange(1, 3).Draw(rt, "stride")
			for p := start[d]; p < limit[d]; p += stride[d] {
				out[d]++
			}
		}
		check(rt, Sliced(in, start, limit, stride), out, func(c []int) int {
			src := make([]int, len(c))
			for d := range c {
				src[d] = start[d] + c[d]*stride[d]
			}
			return position(in, src)
		})
	})
}

func TestBroadcast(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		out := drawShape(rt)
		var in Shape
		var dims []int
		for _, d := range rapid.Permutation(counting(len(out), 0)).Draw(rt, "dims") {
			if n := rapid.SampledFrom([]int{-1, 1, out[d]}).Draw(rt, "n"); n >= 0 {
				in, dims = append(in, n), append(dims, d)
			}
		}
		if in.Size() == 0 && out.Size() != 0 {
			rt.Skip("nothing to repeat")
		}
		v := Broadcast(in, dims, out)
		check(rt, v, out, func(c []int) int {
			src := make([]int, len(in))
			for i, d := range dims {
				if in[i] != 1 {
					src[i] = c[d]
				}
			}
			return position(in, src)
		})
		if v.Expands() != (out.Size() > in.Size()) {
			rt.Fatal("Expands is wrong")
		}
	})
}

func TestPadded(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		in := drawShape(rt)
		low, high, interior, out := make([]int, len(in)), make([]int, len(in)), make([]int, len(in)), make(Shape, len(in))
		for d, n := range in {
			low[d] = rapid.IntRange(-3, 2).Draw(rt, "low")
			high[d] = rapid.IntRange(-3, 2).Draw(rt, "high")
			interior[d] = rapid.IntRange(0, 2).Draw(rt, "interior")
			out[d] = max(0, n+max(0, n-1)*interior[d]+low[d]+high[d])
		}
		check(rt, Padded(in, low, high, interior), out, func(c []int) int {
			src := make([]int, len(c))
			for d := range c {
				p := c[d] - low[d]
				if p < 0 || p%(1+interior[d]) != 0 || p/(1+interior[d]) >= in[d] {
					return Fill
				}
				src[d] = p / (1 + interior[d])
			}
			return position(in, src)
		})
	})
}

func TestConcatenated(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		base := append(drawShape(rt), 1)
		dim := rapid.IntRange(0, len(base)-1).Draw(rt, "dim")
		sizes := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 4).Draw(rt, "sizes")
		var shapes []Shape
		var parts [][]int
		total := 0
		for _, n := range sizes {
			s := base.Clone()
			s[dim] = n
			shapes = append(shapes, s)
			parts = append(parts, counting(s.Size(), total))
			total += s.Size()
		}
		out := base.Clone()
		out[dim] = 0
		for _, n := range sizes {
			out[dim] += n
		}
		v := Concatenated(shapes, dim)
		source := func(c []int) int {
			k, c, from := 0, slices.Clone(c), 0
			for ; c[dim] >= sizes[k]; k++ {
				c[dim] -= sizes[k]
				from += shapes[k].Size()
			}
			return from + position(shapes[k], c)
		}
		check(rt, v, out, source)
		for p, got := range Apply(v, Fill, parts...) { // several operands
			if want := source(coords(out, p)); got != want {
				rt.Fatalf("at %v: %d, want %d", coords(out, p), got, want)
			}
		}
	})
}

// An index list may name operands in any order, and Fill.
func TestListed(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.IntRange(0, 3).Draw(rt, "a"), rapid.IntRange(1, 3).Draw(rt, "b")
		index := rapid.SliceOf(rapid.Int32Range(Fill, int32(a+b-1))).Draw(rt, "index")
		v := Listed(Shape{len(index)}, a+b, func() []int32 { return index })
		if v.Strided() || v.Identity() {
			rt.Fatal("a list is neither strided nor the identity")
		}
		got := Apply(v, -7, counting(a, 0), nil, counting(b, a))
		for i, p := range index {
			want := int(p)
			if p == Fill {
				want = -7
			}
			if got[i] != want {
				rt.Fatalf("element %d is %d, want %d", i, got[i], want)
			}
		}
	})
}

func TestIdentity(t *testing.T) {
	for _, c := range []struct {
		v    View
		want bool
	}{
		{Reshaped(Shape{2, 3}, Shape{3, 2}), true},
		{Reshaped(Shape{1}, Shape{}), true},
		{Transposed(Shape{2, 3}, []int{0, 1}), true},
		{Transposed(Shape{2, 3}, []int{1, 0}), false},
		{Transposed(Shape{2, 1}, []int{1, 0}), true},
		{Sliced(Shape{4}, []int{0}, []int{4}, []int{1}), true},
		{Sliced(Shape{4}, []int{1}, []int{4}, []int{1}), false},
		{Reversed(Shape{4}, []int{0}), false},
		{Broadcast(Shape{2}, []int{0}, Shape{2, 2}), false},
	} {
		if c.v.Identity() != c.want {
			t.Errorf("%+v: identity is %v", c.v, !c.want)
		}
		if !c.v.Strided() {
			t.Errorf("%+v is not strided", c.v)
		}
	}
}
