package maps

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// examples are maps of every kind.
func examples() []any {
	conv := Conv{ring.Conv{
		Batch: 2, InChannels: 4, OutChannels: 6, Groups: 2, In: []int{5, 4}, Kernel: []int{3, 2}, Out: []int{3, 5},
		Stride: []int{2, 1}, PadLow: []int{1, -1}, InDilate: []int{1, 2}, KernelDilate: []int{1, 3},
	}}
	kernel := ring.FromInts(ring.Z(40), make([]int64, 3*2*2*6))
	kernel.Words()[3] = 1<<40 - 5
	return []any{
		nil,
		NewView(tensor.Transposed(tensor.Shape{3, 4}, []int{1, 0}), 12),
		NewView(tensor.Reversed(tensor.Shape{3, 4}, []int{0}), 5, 7),
		NewView(tensor.Broadcast(nil, nil, tensor.Shape{2, 3}), 1),
		NewView(tensor.Reshaped(tensor.Shape{}, tensor.Shape{}), 1),
		NewView(tensor.Sliced(tensor.Shape{0, 4}, []int{0, 1}, []int{0, 4}, []int{1, 2}), 0),
		NewView(tensor.Padded(tensor.Shape{3, 4}, []int{1, -1}, []int{2, 0}, []int{1, 0}), 12),
		NewView(tensor.Concatenated([]tensor.Shape{{2, 3}, {2, 1}}, 1), 6, 2),
		NewView(tensor.Listed(tensor.Shape{3}, 0, func() []int32 { return []int32{tensor.Fill, tensor.Fill, tensor.Fill} })),
		Combine{N: 4, Coef: []int64{3, -1 << 62}},
		Combine{N: 4},
		Shift{N: 3, By: 17},
		Times{By: ring.FromInts(ring.Z(40), []int64{-3, 7, 0}), Bits: 3},
		Times{By: ring.FromInts(ring.M(41), []int64{-3, 7}), Bits: 3},
		Sum{2, 3, 4}, Sum{2, 0, 4},
		Gathered{From: 5, To: 2, Terms: 3, Index: func() []int32 { return []int32{4, 0, tensor.Fill, 1, 1, 2} }},
		With{B: MatMul{1, 2, 3, 2}, Public: ring.FromInts(ring.Z(64), []int64{1, 2, 3, -4, 5, 6}), Right: true, Bits: 5},
		With{B: Elementwise{2}, Public: ring.FromInts(ring.Z(64), []int64{1, -2}), Bits: 2},
		With{B: conv, Public: kernel, Right: true, Bits: 9},
		Elementwise{7}, MatMul{2, 3, 4, 5}, conv,
	}
}

// applied applies a map to vectors whose elements follow from their lengths.
func applied(m any, r ring.Ring) ring.Vec {
	next := int64(1)
	vec := func(n int) ring.Vec {
		ints := make([]int64, n)
		for i := range ints {
			next = next*6364136223846793005 + 1442695040888963407
			ints[i] = next
		}
		return ring.FromInts(r, ints)
	}
	switch m := m.(type) {
	case Linear:
		var src []ring.Vec
		for _, n := range m.In() {
			src = append(src, vec(n))
		}
		out := vec(m.Out())
		m.Apply(out, src...)
		return out
	case Bilinear:
		a, b := m.In()
		out := vec(m.Out())
		m.Apply(out, vec(a), vec(b))
		return out
	}
	return vec(0)
}

// Decoded maps are equal to the encoded ones and give the same results.
func TestMapsRoundTrip(t *testing.T) {
	for i, m := range examples() {
		b := Append(nil, m)
		d := wire.NewDecoder(bytes.NewReader(b), int64(len(b)), 1000)
		got := Read(d)
		if d.End(); d.Err() != nil {
			t.Errorf("map %d, %T: %v", i, m, d.Err())
			continue
		}
		if fmt.Sprintf("%T", got) != fmt.Sprintf("%T", m) || !bytes.Equal(Append(nil, got), b) {
			t.Errorf("%T becomes %T, %x of %x", m, got, Append(nil, got), b)
		}
		for _, bits := range []int{30, 64, 128} {
			if !slices.Equal(applied(m, ring.Z(bits)).Words(), applied(got, ring.Z(bits)).Words()) {
				t.Errorf("map %d, %T, does something else over %d bits", i, m, bits)
			}
		}
		if x, ok := m.(Linear); ok && x.Growth() != got.(Linear).Growth() {
			t.Errorf("map %d, %T, grows by %d, not %d", i, m, got.(Linear).Growth(), x.Growth())
		}
		for n := range len(b) { // truncated
			d := wire.NewDecoder(bytes.NewReader(b[:n]), int64(len(b)), 1000)
			if Read(d) != nil || d.Err() == nil {
				t.Errorf("map %d, %T: %d bytes of %d are a map", i, m, n, len(b))
			}
		}
	}
}

// Maps that differ in one coefficient have different encodings.
func TestCoefficientsAreWritten(t *testing.T) {
	seen := map[string]int{}
	for i, m := range examples() {
		b := string(Append(nil, m))
		if j, twice := seen[b]; twice {
			t.Errorf("maps %d and %d have equal encodings", i, j)
		}
		seen[b] = i
	}
}

// Inconsistent maps are refused.
func TestMapsRefused(t *testing.T) {
	z := ring.Z(64)
	conv := func(change func(c *ring.Conv)) Conv {
		c := ring.Conv{
			Batch:        1,
			InChannels:   2,
			OutChannels:  2,
			Groups:       1,
			In:           []int{3},
			Kernel:       []int{2},
			Out:          []int{3},
			Stride:       []int{1},
			PadLow:       []int{0},
			InDilate:     []int{1},
			KernelDilate: []int{1},
		}
		change(&c)
		return Conv{c}
	}
	view := func(v tensor.View) View { return View{[]int{6}, v} }
	for name, m := range map[string]any{
		"a view beyond":              view(tensor.View{Shape: tensor.Shape{2, 3}, In: 6, Strides: []int{4, 1}}),
		"a view below":               view(tensor.View{Shape: tensor.Shape{2, 3}, In: 6, Strides: []int{-1, 1}}),
		"a view from beyond":         view(tensor.View{Shape: tensor.Shape{}, In: 6, Offset: 6, Strides: nil}),
		"a view of other dimensions": view(tensor.View{Shape: tensor.Shape{2, 3}, In: 6, Strides: []int{1}}),
		"a shape below nothing":      view(tensor.View{Shape: tensor.Shape{-2, -3}, In: 6, Strides: []int{1, 1}}),
		"a list beyond":              view(tensor.Listed(tensor.Shape{2}, 6, func() []int32 { return []int32{0, 6} })),
		"a short list":               view(tensor.Listed(tensor.Shape{3}, 6, func() []int32 { return []int32{0, 5} })),
		"operands below nothing":     View{[]int{7, -1}, tensor.View{Shape: tensor.Shape{6}, In: 6, Strides: []int{1}}},
		"gathered beyond":            Gathered{From: 2, To: 1, Terms: 1, Index: func() []int32 { return []int32{2} }},
		"gathered too few":           Gathered{From: 2, To: 2, Terms: 1, Index: func() []int32 { return []int32{1} }},
		"a sum too large":            Sum{1 << 20, 1 << 20, 1},
		"a sum of nothing too large": Sum{1 << 20, 0, 1 << 20},
		"a product too large":        MatMul{1 << 11, 1 << 11, 1 << 10, 1},
		"an operand too short":       With{B: MatMul{1, 2, 3, 2}, Public: ring.FromInts(z, []int64{1, 2, 3}), Bits: 5},
		"with a linear map":          With{B: nil, Public: ring.FromInts(z, []int64{1, 2, 3}), Bits: 5},
		"with nothing":               With{B: Elementwise{3}, Public: ring.ShapeOnly(z, 3), Bits: 5},
		"shape-only factors":         Times{By: ring.ShapeOnly(z, 3)},
		"no groups":                  conv(func(c *ring.Conv) { c.Groups = 0 }),
		"groups of halves":           conv(func(c *ring.Conv) { c.Groups = 4 }),
		"no stride":                  conv(func(c *ring.Conv) { c.Stride[0] = 0 }),
		"no dilation":                conv(func(c *ring.Conv) { c.InDilate[0] = 0 }),
		"a dilation below nothing":   conv(func(c *ring.Conv) { c.KernelDilate[0] = -1 }),
		"other dimensions":           conv(func(c *ring.Conv) { c.PadLow = nil }),
		"a convolution too large":    conv(func(c *ring.Conv) { c.Batch, c.Out[0] = 1<<20, 1<<20 }),
		"taps too many":              conv(func(c *ring.Conv) { c.Out[0] = 1 << 20 }),
	} {
		b := Append(nil, m)
		d := wire.NewDecoder(bytes.NewReader(b), 1<<20, 1000)
		if got := Read(d); got != nil || d.Err() == nil {
			t.Errorf("%s: %+v, %v", name, got, d.Err())
		}
	}
	d := wire.NewDecoder(strings.NewReader("\x63"), 1<<20, 1000)
	if Read(d) != nil || d.Err() == nil {
		t.Error("a map of kind 99")
	}
}

// Any decoded map can be applied to vectors of its lengths.
func FuzzRead(f *testing.F) {
	for _, m := range examples() {
		f.Add(Append(nil, m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d := wire.NewDecoder(bytes.NewReader(b), int64(len(b)), 1000)
		m := Read(d)
		if d.Err() != nil || m == nil {
			return
		}
		size, work := 0, int64(0)
		switch m := m.(type) {
		case Linear:
			size = m.Out()
			for _, n := range m.In() {
				size += n
			}
			if w, ok := m.(With); ok {
				work = w.B.Products()
			}
		case Bilinear:
			left, right := m.In()
			size, work = left+right+m.Out(), m.Products()
		}
		if size > 1<<12 || work > 1<<16 {
			return
		}
		applied(m, ring.Z(70))
	})
}
