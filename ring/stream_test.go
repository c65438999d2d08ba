package ring

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// streams are the same elements in every kind of stream, the packed ones after so many other bits,
// and the elements themselves.
func streams(r Ring, n, before int, seed Seed) (map[string]Stream, Vec) {
	v := New(r, n)
	NewPRG(seed).Vec(v, 5, 1)
	var w Writer
	w.Bits(randomBits(before, source(1)))
	w.Vec(v)
	in := NewReader(w.Payload())
	in.Bits(before)
	return map[string]Stream{
		"laid out":  StreamOf(v),
		"packed":    in.Stream(r, n),
		"generator": NewPRG(seed).Stream(r, n, 5, 1),
	}, v
}

func checkStreams(t tb, r Ring, n, before, lo, hi int) {
	t.Helper()
	all, want := streams(r, n, before, Seed{3})
	for name, s := range all {
		what := fmt.Sprintf("%s: %d to %d of", name, lo, hi)
		if s.Ring() != r || s.Len() != n || s.ShapeOnly() && n > 0 {
			t.Fatalf("%s: %d of %v", what, s.Len(), s.Ring())
		}
		part := random(r, hi-lo, source(2))
		s.Read(part, lo)
		same(t, what, part, want.Slice(lo, hi))
		same(t, what, s.Part(New(r, n), lo, hi), want.Slice(lo, hi))
		same(t, what, s.Vec(), want)
		a := random(r, n, source(3))
		sum, got := a.Clone(), a.Clone()
		Add(sum, sum, want)
		AddStream(got, s)
		same(t, "AddStream", got, sum)
		SubStream(got, s)
		same(t, "SubStream", got, a)
	}
}

func TestStreams(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		for _, before := range []int{0, 13} {
			for _, part := range [][2]int{{0, n}, {n / 3, n}, {n / 2, n/2 + n/5}} {
				checkStreams(t, r, n, before, part[0], part[1])
			}
		}
	})
	checkStreams(t, Z(104), 3000, 0, 1, 2999)
}

func TestStreamsRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		lo := rapid.IntRange(0, n).Draw(t, "lo")
		checkStreams(t, drawEither(t, "bits"), n, rapid.IntRange(0, 70).Draw(t, "before"), lo, rapid.IntRange(lo, n).Draw(t, "hi"))
	})
}

func TestShapeOnlyStreams(t *testing.T) {
	r := Z(64)
	s := NewReader(Payload{Len: 80}).Stream(r, 10)
	if !s.ShapeOnly() || !s.Vec().ShapeOnly() || !s.Like(Z(8), 3).ShapeOnly() || s.Len() != 10 {
		t.Errorf("%d elements, shapeOnly: %v", s.Len(), s.ShapeOnly())
	}
	AddStream(New(r, 10), s)
	if in := NewReader(Payload{Len: 3, Data: make([]byte, 3)}); !in.Stream(r, 10).ShapeOnly() || in.Close() == nil {
		t.Error("a stream beyond the payload")
	}
	refuses(t, "another ring", "stream of 10 of Z_2^64 with 10 of Z_2^8", func() { AddStream(New(Z(8), 10), s) })
	refuses(t, "beyond", "4 of Z_2^64 from place 7 of 10 of Z_2^64", func() { s.Read(New(r, 4), 7) })
}

// XorPlanes adds the bits of Planes to planes that are not contiguous.
func TestXorPlanes(t *testing.T) {
	for _, n := range append(lengths, 64*zeroWords+65) {
		lens := []int{n, 3, n, 64}
		p := NewPRG(Seed{8})
		add := NewPlanes(lens...)
		p.Planes(add, 3, 2)
		var planes, want []Bits
		for i, n := range lens {
			planes, want = append(planes, randomBits(n, source(uint64(i)))), append(want, NewBits(n))
			Xor(want[i], planes[i], add[i])
		}
		p.XorPlanes(planes, 3, 2)
		for i := range lens {
			sameBits(t, "XorPlanes", planes[i], want[i])
		}
	}
}
