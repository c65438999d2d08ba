package ring

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// An operation on elements: dst = f(a, b); want may read dst's previous value.
var elementwise = []struct {
	name  string
	alias bool // dst may be an operand
	run   func(dst, a, b Vec)
	want  func(d, a, b *big.Int) *big.Int
}{
	{"Add", true, Add, func(_, a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }},
	{"Sub", true, Sub, func(_, a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }},
	{"Neg", true, func(dst, a, _ Vec) { Neg(dst, a) }, func(_, a, _ *big.Int) *big.Int { return new(big.Int).Neg(a) }},
	{"Mul", true, Mul, func(_, a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }},
	{"MulAdd", false, MulAdd, func(d, a, b *big.Int) *big.Int {
		x := new(big.Int).Mul(a, b)
		return x.Add(x, d)
	}},
}

func TestElementwise(t *testing.T) {
	for _, op := range elementwise {
		t.Run(op.name, func(t *testing.T) {
			rng := source(1)
			eachRing(t, func(t *testing.T, r Ring, n int) {
				a, b, dst := random(r, n, rng), random(r, n, rng), random(r, n, rng)
				x, y, d := unsigned(a), unsigned(b), unsigned(dst)
				want := fromBig(r, bigs(n, func(i int) *big.Int { return op.want(d[i], x[i], y[i]) }))
				a0, b0 := a.Clone(), b.Clone()
				op.run(dst, a, b)
				same(t, op.name, dst, want)
				same(t, "left operand", a, a0)
				same(t, "right operand", b, b0)
				if !op.alias {
					return
				}
				op.run(a, a, b)
				same(t, "into the left operand", a, want)
				op.run(b, a0, b)
				same(t, "into the right operand", b, want)
				square := fromBig(r, bigs(n, func(i int) *big.Int { return op.want(nil, x[i], x[i]) }))
				op.run(a0, a0, a0)
				same(t, "of one vector into itself", a0, square)
			})
		})
	}
}

// Operations with a public integer, which may be larger than the ring.
func TestPublicIntegers(t *testing.T) {
	rng := source(2)
	eachRing(t, func(t *testing.T, r Ring, n int) {
		a, dst := random(r, n, rng), random(r, n, rng)
		x := unsigned(a)
		for _, c := range []int64{0, 1, -1, 2, 3, -7, 1 << 20, math.MaxInt64, math.MinInt64, int64(rng.Uint64())} {
			for name, op := range map[string]struct {
				run  func(dst, a Vec, c int64)
				want func(x, c *big.Int) *big.Int
			}{
				"Scale":  {Scale, func(x, c *big.Int) *big.Int { return new(big.Int).Mul(x, c) }},
				"AddInt": {AddInt, func(x, c *big.Int) *big.Int { return new(big.Int).Add(x, c) }},
			} {
				want := fromBig(r, bigs(n, func(i int) *big.Int { return op.want(x[i], big.NewInt(c)) }))
				op.run(dst, a, c)
				same(t, name, dst, want)
				in := a.Clone()
				op.run(in, in, c)
				same(t, name+" in place", in, want)
			}
		}
	})
}

func TestAddPow(t *testing.T) {
	rng := source(3)
	eachRing(t, func(t *testing.T, r Ring, n int) {
		a, dst := random(r, n, rng), random(r, n, rng)
		x := unsigned(a)
		for _, s := range []int{0, 1, r.Bits / 2, r.Bits - 1, r.Bits, r.Bits + 1, 63, 64, 65, 300} {
			for _, minus := range []bool{false, true} {
				want := fromBig(r, bigs(n, func(i int) *big.Int {
					if minus {
						return new(big.Int).Sub(x[i], pow2(s))
					}
					return new(big.Int).Add(x[i], pow2(s))
				}))
				AddPow(dst, a, s, minus)
				same(t, "AddPow", dst, want)
				in := a.Clone()
				AddPow(in, in, s, minus)
				same(t, "AddPow in place", in, want)
			}
		}
	})
}

func TestSum(t *testing.T) {
	rng := source(4)
	eachRing(t, func(t *testing.T, r Ring, n int) {
		vs := []Vec{random(r, n, rng), random(r, n, rng), random(r, n, rng)}
		first := vs[0].Clone()
		for m := 1; m <= len(vs); m++ {
			want := bigs(n, func(i int) *big.Int {
				sum := new(big.Int)
				for _, v := range vs[:m] {
					sum.Add(sum, unsigned(v.Slice(i, i+1))[0])
				}
				return sum
			})
			same(t, "Sum", Sum(vs[:m]...), fromBig(r, want))
		}
		same(t, "first operand", vs[0], first)
	})
}

// The laws of a commutative ring, and the definitions of the other operations by addition and
// multiplication.
func TestRingLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r, n := drawEither(t, "bits"), drawLen(t, "n")
		a, b, c := drawVec(t, r, n, "a"), drawVec(t, r, n, "b"), drawVec(t, r, n, "c")
		k, s := rapid.Int64().Draw(t, "k"), rapid.IntRange(0, 220).Draw(t, "s")
		do := func(f func(dst, a, b Vec), a, b Vec) Vec {
			dst := New(r, n)
			f(dst, a, b)
			return dst
		}
		one := func(f func(dst Vec)) Vec {
			dst := New(r, n)
			f(dst)
			return dst
		}
		ints := make([]int64, n)
		for i := range ints {
			ints[i] = k
		}
		same(t, "a+b = b+a", do(Add, a, b), do(Add, b, a))
		same(t, "(a+b)+c = a+(b+c)", do(Add, do(Add, a, b), c), do(Add, a, do(Add, b, c)))
		same(t, "(a+b)−b = a", do(Sub, do(Add, a, b), b), a)
		same(t, "a−b = a+(−b)", do(Sub, a, b), do(Add, a, one(func(d Vec) { Neg(d, b) })))
		same(t, "a·b = b·a", do(Mul, a, b), do(Mul, b, a))
		same(t, "(a·b)·c = a·(b·c)", do(Mul, do(Mul, a, b), c), do(Mul, a, do(Mul, b, c)))
		same(t, "a·(b+c) = a·b+a·c", do(Mul, a, do(Add, b, c)), do(Add, do(Mul, a, b), do(Mul, a, c)))
		same(t, "c += a·b", one(func(d Vec) { Add(d, d, c); MulAdd(d, a, b) }), do(Add, c, do(Mul, a, b)))
		same(t, "k·a", one(func(d Vec) { Scale(d, a, k) }), do(Mul, a, FromInts(r, ints)))
		same(t, "a+k", one(func(d Vec) { AddInt(d, a, k) }), do(Add, a, FromInts(r, ints)))
		same(t, "2^s·(a+b)", one(func(d Vec) { Lsh(d, do(Add, a, b), s) }),
			do(Add, one(func(d Vec) { Lsh(d, a, s) }), one(func(d Vec) { Lsh(d, b, s) })))
		same(t, "(a+2^s)−2^s = a", one(func(d Vec) { AddPow(d, a, s, false); AddPow(d, d, s, true) }), a)
		same(t, "2^s = 1·2^s", one(func(d Vec) { AddPow(d, d, s, false) }), one(func(d Vec) { AddInt(d, d, 1); Lsh(d, d, s) }))
	})
}

func TestAffine(t *testing.T) {
	rng := source(31)
	eachRing(t, func(t *testing.T, r Ring, n int) {
		for _, c := range []int64{-1, 7, math.MinInt64} {
			for _, e := range []int64{-5, math.MaxInt64} {
				a := random(r, n, rng)
				x := unsigned(a)
				got := random(r, n, rng)
				Affine(got, a, c, e)
				same(t, "Affine", got, fromBig(r, bigs(n, func(i int) *big.Int {
					y := new(big.Int).Mul(x[i], big.NewInt(c))
					return y.Add(y, big.NewInt(e))
				})))
			}
		}
	})
}
