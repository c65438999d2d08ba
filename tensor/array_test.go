package tensor

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Conversion to words and back is exact in every integer type that is wide enough.
func TestWordsRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		d := rapid.SampledFrom([]DType{Bool, I8, I16, I32, I64, U8, U16, U32, U64}).Draw(rt, "type")
		w := rapid.SliceOf(rapid.Uint64()).Draw(rt, "words")
		a := FromWords(d, Shape{len(w)}, w)
		for i, got := range a.Words() {
			up := 64 - d.Bits()
			want := w[i] << up >> up
			if d.IsSigned() {
				want = uint64(int64(w[i]<<up) >> up)
			}
			if got != want {
				rt.Fatalf("%s: %#x gives %#x, want %#x", d, w[i], got, want)
			}
		}
	})
}

func TestFloats(t *testing.T) {
	x := []float64{0, 1, -1.5, math.Inf(1)}
	for _, d := range []DType{F16, BF16, F32, F64} {
		if got := FromFloats(d, Shape{4}, x).Floats(); fmt.Sprint(got) != fmt.Sprint(x) {
			t.Errorf("%s: %v", d, got)
		}
	}
	w := []uint64{0, 1, 100}
	for _, d := range []DType{I8, I16, I32, I64, U8, U16, U32, U64} {
		if got := FromWords(d, Shape{3}, w).Floats(); fmt.Sprint(got) != "[0 1 100]" {
			t.Errorf("%s: %v", d, got)
		}
	}
	if got := FromWords(Bool, Shape{3}, w).Floats(); fmt.Sprint(got) != "[0 1 0]" {
		t.Error(got)
	}
}

// Undefined conversions are a programmer's error.
func TestArrayPanics(t *testing.T) {
	c := NewArray(Type{C64, Shape{2}})
	for name, f := range map[string]func(){
		"data of no type":    func() { MakeData(Invalid, 1) },
		"floats of complex":  func() { c.Floats() },
		"words of complex":   func() { c.Words() },
		"floats to integers": func() { FromFloats(I8, Shape{1}, []float64{1}) },
		"words to floats":    func() { FromWords(F32, Shape{1}, []uint64{1}) },
		"reshape":            func() { c.Reshape(Shape{3}) },
		"reshape view":       func() { Reshaped(Shape{2}, Shape{3}) },
		"huge view":          func() { Listed(Shape{1}, 1<<31, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	if r := c.Reshape(Shape{1, 2}); &r.Data.([]complex64)[0] != &c.Data.([]complex64)[0] {
		t.Error("a reshape copies")
	}
}

func TestUniform(t *testing.T) {
	for _, c := range []struct {
		in   *Array
		want float64
		ok   bool
	}{
		{FromFloats(F32, Shape{3}, []float64{2.5, 2.5, 2.5}), 2.5, true},
		{FromFloats(F32, Shape{3}, []float64{2.5, 2.5, 2}), 0, false},
		{FromFloats(F64, Shape{}, []float64{-7}), -7, true},
		{FromFloats(F64, Shape{2}, []float64{0, math.Copysign(0, -1)}), 0, true},
		{FromFloats(F64, Shape{1}, []float64{math.NaN()}), 0, false},
		{FromFloats(F32, Shape{2}, []float64{math.NaN(), math.NaN()}), 0, false},
		{FromFloats(F32, Shape{3}, []float64{math.Copysign(0, -1), 0, 1}), 0, false},
		{FromFloats(F32, Shape{2}, []float64{math.Inf(1), math.Inf(1)}), math.Inf(1), true},
		{FromFloats(F16, Shape{2}, []float64{1, 1}), 1, true},
		{FromFloats(F32, Shape{0}, nil), 0, false},
		{FromWords(I32, Shape{2}, []uint64{3, 3}), 3, true},
		{FromWords(I32, Shape{2}, []uint64{3, 4}), 0, false},
	} {
		if x, ok := c.in.Uniform(); ok != c.ok || x != c.want {
			t.Errorf("%v: %v, %v", c.in.Data, x, ok)
		}
	}
}
