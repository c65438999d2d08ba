package ring

import (
	"math"
	"math/big"
	"testing"
)

func TestRing(t *testing.T) {
	for bits, words := range map[int]int{1: 1, 63: 1, 64: 1, 65: 2, 128: 2, 129: 3, 200: 4} {
		if got := Z(bits).Words(); got != words {
			t.Errorf("%v takes %d words, want %d", Z(bits), got, words)
		}
	}
	for r, want := range map[Ring]string{Z(46): "Z_2^46", Z(128): "Z_2^128", M(128): "Z_(2^128-1)"} {
		if got := r.String(); got != want {
			t.Errorf("String: %q, want %q", got, want)
		}
	}
	if Z(64) == M(64) || M(65).Words() != 2 {
		t.Errorf("%v = %v, %v takes %d words", Z(64), M(64), M(65), M(65).Words())
	}
	panics(t, "integers modulo 1", func() { M(1) })
}

func TestIntAndFromInts(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		rng := source(uint64(r.Bits))
		ints := make([]int64, n)
		edges := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, 1 << 31, -1 << 31}
		for i := range ints {
			if ints[i] = int64(rng.Uint64()); i < len(edges) {
				ints[i] = edges[i]
			}
		}
		v := FromInts(r, ints)
		same(t, "FromInts", v, fromBig(r, bigs(n, func(i int) *big.Int { return big.NewInt(ints[i]) })))
		v = random(r, n, rng)
		for i, x := range unsigned(v) {
			want := x
			if x.Cmp(pow2(r.Bits-1)) >= 0 {
				want = new(big.Int).Sub(x, modulo(r))
			}
			if got := v.Int(i); got.Cmp(want) != 0 {
				t.Fatalf("%v: Int(%d) = %v, want %v", r, i, got, want)
			}
		}
	})
}

func TestFromWords(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		rng := source(uint64(r.Bits))
		words := make([]uint64, n*r.Words())
		for i := range words {
			if words[i] = rng.Uint64(); rng.IntN(4) == 0 {
				words[i] = ^uint64(0)
			}
		}
		raw := Vec{Z(64 * r.Words()), n, append([]uint64{}, words...)}
		same(t, "FromWords", FromWords(r, words), fromBig(r, unsigned(raw)))
	})
	if v := FromWords(Z(7), nil); v.ShapeOnly() || v.Len() != 0 {
		t.Error("FromWords of no words is shapeOnly")
	}
	panics(t, "FromWords of three words for Z_2^65", func() { FromWords(Z(65), make([]uint64, 3)) })
}

func TestFromBig(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		rng := source(uint64(n))
		edges := []*big.Int{new(big.Int), modulo(r), pow2(r.Bits - 1), new(big.Int).Neg(modulo(r)), pow2(700), big.NewInt(-1)}
		ints := bigs(n, func(i int) *big.Int {
			if i < len(edges) {
				return edges[i]
			}
			x := new(big.Int).Lsh(big.NewInt(int64(rng.Uint64())), uint(rng.IntN(r.Bits+9)))
			return x.Add(x, big.NewInt(int64(rng.Uint64())))
		})
		before := bigs(n, func(i int) *big.Int { return new(big.Int).Set(ints[i]) })
		same(t, "FromBig", FromBig(r, ints), fromBig(r, before))
		for i := range ints {
			if ints[i].Cmp(before[i]) != 0 {
				t.Fatalf("FromBig changed integer %d", i)
			}
		}
	})
}

func TestVecParts(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		rng := source(uint64(n))
		v := random(r, n, rng)
		x := unsigned(v)
		if v.Ring() != r || v.Len() != n || v.ShapeOnly() || len(v.Words()) != n*r.Words() || v.Bytes() != int64(8*n*r.Words()) {
			t.Fatalf("%d of %v: length %d of %v, %d words, %d bytes", n, r, v.Len(), v.Ring(), len(v.Words()), v.Bytes())
		}
		c := v.Clone()
		same(t, "Clone", c, v)
		for _, cut := range [][2]int{{0, n}, {0, 0}, {n, n}, {n / 3, n / 2}, {n / 2, n}} {
			lo, hi := cut[0], cut[1]
			part := v.Slice(lo, hi)
			same(t, "Slice", part, fromBig(r, x[lo:hi]))
			if hi > lo { // storage is shared
				AddInt(part, part, 1)
				if v.Int(lo).Cmp(part.Int(0)) != 0 {
					t.Fatalf("%v: a write into a slice does not show in its vector", r)
				}
				AddInt(part, part, -1)
			}
		}
		AddInt(c, c, 1)
		same(t, "after writes to its clone", v, fromBig(r, x))
		if like := v.Like(Z(9), 5); like.ShapeOnly() || like.Ring() != Z(9) || like.Len() != 5 {
			t.Fatalf("Like: %d of %v", like.Len(), like.Ring())
		}
	})
	v := New(Z(8), 4)
	panics(t, "Slice below 0", func() { v.Slice(-1, 2) })
	panics(t, "Slice of negative length", func() { v.Slice(3, 2) })
	panics(t, "Slice past the end", func() { v.Slice(3, 5) })
}

func TestMismatchPanics(t *testing.T) {
	a, short, other := New(Z(8), 4), New(Z(8), 3), New(Z(9), 4)
	for _, op := range elementwise {
		if op.name != "Neg" {
			panics(t, op.name+" with a short operand", func() { op.run(a, a, short) })
		}
		panics(t, op.name+" with an operand of another ring", func() { op.run(a, other, a) })
	}
	panics(t, "Rsh", func() { Rsh(a, short, 1) })
	panics(t, "FromBits", func() { FromBits(a, NewBits(5)) })
	panics(t, "Xor", func() { Xor(NewBits(4), NewBits(4), NewBits(5)) })
	panics(t, "MatMul", func() { MatMul(a, a, short, 1, 2, 2, 2) })
	panics(t, "Convolve", func() { Convolve(a, a, short, plane(1, 1)) })
	panics(t, "LookUpDigit with a table of another width", func() {
		LookUpDigit(NewBits(4), NewBits(4), NewBits(32), New(Z(64), 4), 0, 3, true)
	})
	panics(t, "Thermometer into too few bits", func() {
		LookUpDigit(NewBits(3), NewBits(4), NewBits(28), New(Z(64), 4), 0, 3, true)
	})
}

func TestSetInts(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		ints := make([]int64, n)
		rng := source(41)
		for i := range ints {
			ints[i] = int64(rng.Uint64()) >> rng.IntN(64)
		}
		got := random(r, n, rng)
		SetInts(got, ints)
		same(t, "SetInts", got, fromBig(r, bigs(n, func(i int) *big.Int { return big.NewInt(ints[i]) })))
	})
	refuses(t, "few integers", "2 integers for 3 of Z_2^8", func() { SetInts(New(Z(8), 3), make([]int64, 2)) })
}
