package fxp_test

import (
	"fmt"
	"math/big"
	"math/bits"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

var integerTypes = []tensor.DType{tensor.I8, tensor.U8, tensor.I16, tensor.U16, tensor.I32, tensor.U32, tensor.I64, tensor.U64}

// extremes are numbers of all bits of a type, and its ends.
func extremes(d tensor.DType) []int64 {
	k := d.Bits()
	out := []int64{0, 1, -1, 2, 3, 7, -8, 100}
	for _, e := range []int{k / 2, k - 2, k - 1} {
		out = append(out, 1<<e, 1<<e-1, -(1 << e))
	}
	return append(out, 0x5555555555555555, -0x5555555555555555)
}

// pairs lists all pairs of extremes.
func pairs(d tensor.DType) (x, y []int64) {
	for _, a := range extremes(d) {
		for _, b := range extremes(d) {
			x, y = append(x, a), append(y, b)
		}
	}
	return x, y
}

// wrapped prints numbers modulo 2^bits in a type.
func wrapped(d tensor.DType, n int, f func(i int) *big.Int) string {
	w := make([]uint64, n)
	all := new(big.Int).SetUint64(^uint64(0))
	for i := range w {
		w[i] = new(big.Int).And(f(i), all).Uint64()
	}
	return fmt.Sprint(tensor.FromWords(d, shape{n}, w).Data)
}

// number is v as a number of the type.
func number(d tensor.DType, v int64) *big.Int {
	k := uint(d.Bits())
	u := uint64(v) << (64 - k) >> (64 - k)
	if d.IsSigned() {
		return big.NewInt(int64(u<<(64-k)) >> (64 - k))
	}
	return new(big.Int).SetUint64(u)
}

func TestIntegers(t *testing.T) {
	for _, d := range integerTypes {
		xs, ys := pairs(d)
		n, k := len(xs), d.Bits()
		at := func(i int) (*big.Int, *big.Int) { return number(d, xs[i]), number(d, ys[i]) }
		each(t, usual, func(l *lab) {
			for _, held := range []bool{true, false} {
				x, y := l.integers(d, held, xs...), l.integers(d, !held, ys...)
				c := tensor.FromWords(d, shape{n}, words(ys))
				for _, o := range []struct {
					name string
					got  []*fxp.Value
					want func(x, y *big.Int) *big.Int
				}{
					{"+", []*fxp.Value{l.Add(l.op, x, y), l.AddPublic(l.op, x, c)}, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
					{"−", []*fxp.Value{l.Sub(l.op, x, y)}, func(x, y *big.Int) *big.Int { return new(big.Int).Sub(x, y) }},
					{"·", []*fxp.Value{l.Mul(l.op, x, y), l.MulPublic(l.op, x, c)}, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
					{"high word", []*fxp.Value{l.HighWord(l.op, x, y)}, func(x, y *big.Int) *big.Int {
						return new(big.Int).Rsh(new(big.Int).Mul(x, y), uint(k))
					}},
					{"&", []*fxp.Value{l.BitAnd(l.op, x, y), l.BitAndPublic(l.op, x, c)}, func(x, y *big.Int) *big.Int { return new(big.Int).And(x, y) }},
					{"|", []*fxp.Value{l.BitOr(l.op, x, y), l.BitOrPublic(l.op, x, c)}, func(x, y *big.Int) *big.Int { return new(big.Int).Or(x, y) }},
					{"^", []*fxp.Value{l.BitXor(l.op, x, y), l.BitXorPublic(l.op, x, c)}, func(x, y *big.Int) *big.Int { return new(big.Int).Xor(x, y) }},
					{"x^5", []*fxp.Value{l.Power(l.op, x, 5)}, func(x, _ *big.Int) *big.Int { return new(big.Int).Exp(x, big.NewInt(5), nil) }},
				} {
					want := wrapped(d, n, func(i int) *big.Int { return o.want(at(i)) })
					for _, g := range o.got {
						l.equal(fmt.Sprint(d, " ", o.name), g, want)
					}
				}
				for i, less := range []*fxp.Value{l.Less(l.op, x, y), l.LessPublic(l.op, x, c, false),
					l.LessPublic(l.op, y, tensor.FromWords(d, shape{n}, words(xs)), true)} {
					l.equal(fmt.Sprint(d, " < ", i), less, truth(n, func(i int) bool { a, b := at(i); return a.Cmp(b) < 0 }))
				}
				for _, equal := range []*fxp.Value{l.Equal(l.op, x, y), l.EqualPublic(l.op, x, c)} {
					l.equal(fmt.Sprint(d, " ="), equal, truth(n, func(i int) bool { a, b := at(i); return a.Cmp(b) == 0 }))
				}
				l.equal(
					"popcnt",
					l.PopCount(l.op, x),
					wrapped(d, n, func(i int) *big.Int { return big.NewInt(int64(bits.OnesCount64(low(d, xs[i])))) }),
				)
				l.equal(
					"clz",
					l.LeadingZeros(l.op, x),
					wrapped(d, n, func(i int) *big.Int { return big.NewInt(int64(bits.LeadingZeros64(low(d, xs[i])) - 64 + k)) }),
				)
				digits := l.Digits(l.op, x)
				for i, b := range digits {
					l.equal("digit", b, truth(n, func(e int) bool { return xs[e]>>i&1 == 1 }))
				}
				if len(digits) != k {
					l.Errorf("%v has %d digits", d, len(digits))
				}
				if d.IsSigned() {
					l.equal("negative", l.Negative(l.op, x), truth(n, func(i int) bool { a, _ := at(i); return a.Sign() < 0 }))
				}
				for _, to := range append(integerTypes, tensor.F64) {
					if !to.IsFloat() {
						l.equal(fmt.Sprint(d, " to ", to), l.Integer(l.op, x, to), wrapped(to, n, func(i int) *big.Int { a, _ := at(i); return a }))
					}
				}
				if k < 32 {
					want := make([]float64, n)
					for i := range want {
						a, _ := at(i)
						want[i] = float64(a.Int64())
					}
					l.exactly("as floats", l.Integer(l.op, x, tensor.F64), want...)
				}
			}
		})
	}
}

func words(v []int64) []uint64 {
	w := make([]uint64, len(v))
	for i, x := range v {
		w[i] = uint64(x)
	}
	return w
}

// low is the number's bits in its type.
func low(d tensor.DType, v int64) uint64 { return uint64(v) << (64 - d.Bits()) >> (64 - d.Bits()) }

func truth(n int, f func(i int) bool) string {
	b := make([]bool, n)
	for i := range b {
		b[i] = f(i)
	}
	return fmt.Sprint(b)
}

// shiftedBy is the result of a shift by an unsigned amount.
func shiftedBy(d tensor.DType, kind fxp.ShiftKind, x int64, by uint64) *big.Int {
	k := uint64(d.Bits())
	switch {
	case kind == fxp.ShiftLeft && by < k:
		return new(big.Int).Lsh(number(d, x), uint(by))
	case kind == fxp.ShiftRight && by < k:
		return new(big.Int).SetUint64(low(d, x) >> by)
	case kind == fxp.ShiftRightArithmetic: // the highest bit is the sign, of unsigned types too
		s := int64(low(d, x)<<(64-k)) >> (64 - k)
		return big.NewInt(s >> min(by, 63))
	}
	return new(big.Int)
}

func TestShifts(t *testing.T) {
	for _, d := range integerTypes {
		k := int64(d.Bits())
		var xs, by []int64
		for _, x := range extremes(d) {
			for _, s := range []int64{0, 1, 2, 3, k / 2, k - 1, k, k + 1, -1} {
				xs, by = append(xs, x), append(by, s)
			}
		}
		n := len(xs)
		each(t, usual, func(l *lab) {
			x := l.integers(d, true, xs...)
			for _, kind := range []fxp.ShiftKind{fxp.ShiftLeft, fxp.ShiftRight, fxp.ShiftRightArithmetic} {
				want := wrapped(d, n, func(i int) *big.Int { return shiftedBy(d, kind, xs[i], low(d, by[i])) })
				l.equal(fmt.Sprint(d, " by secrets ", kind), l.Shift(l.op, x, l.integers(d, false, by...), kind), want)
				l.equal(fmt.Sprint(d, " by numbers ", kind), l.ShiftPublic(l.op, x, tensor.FromWords(d, shape{n}, words(by)), kind), want)
				for _, s := range []int64{0, 1, k - 1, k} { // one amount for all
					all := make([]uint64, n)
					for i := range all {
						all[i] = uint64(s)
					}
					l.equal(fmt.Sprint(d, " by ", s, kind), l.ShiftPublic(l.op, x, tensor.FromWords(d, shape{n}, all), kind),
						wrapped(d, n, func(i int) *big.Int { return shiftedBy(d, kind, xs[i], uint64(s)) }))
				}
				none := l.integers(d, true)
				l.equal("none", l.ShiftPublic(l.op, none, tensor.FromWords(d, shape{0}, nil), kind), "[]")
			}
		})
	}
}

// divided is XLA's quotient and remainder of integers.
func divided(x, y *big.Int) (q, r *big.Int) {
	if y.Sign() == 0 {
		return big.NewInt(-1), x
	}
	return new(big.Int).QuoRem(x, y, new(big.Int))
}

func TestDivision(t *testing.T) {
	for _, d := range integerTypes {
		xs, ys := pairs(d)
		n := len(xs)
		quotient := wrapped(d, n, func(i int) *big.Int { q, _ := divided(number(d, xs[i]), number(d, ys[i])); return q })
		rest := wrapped(d, n, func(i int) *big.Int { _, r := divided(number(d, xs[i]), number(d, ys[i])); return r })
		each(t, usual, func(l *lab) {
			x := l.integers(d, true, xs...)
			by := l.DivideIntegers(l.op, x, l.integers(d, false, ys...))
			l.equal(fmt.Sprint(d, " quotient"), by.Quotient(l.op), quotient)
			l.equal(fmt.Sprint(d, " remainder"), by.Remainder(l.op), rest)
			q, r := l.DividePublic(l.op, x, tensor.FromWords(d, shape{n}, words(ys)))
			l.equal(fmt.Sprint(d, " quotient by numbers"), q, quotient)
			l.equal(fmt.Sprint(d, " remainder by numbers"), r, rest)
			for _, c := range []int64{1, -1, 2, 8, -4, 3, 1 << (d.Bits() - 1), 0} { // one divisor for all
				all := make([]uint64, n)
				for i := range all {
					all[i] = uint64(c)
				}
				q, r := l.DividePublic(l.op, x, tensor.FromWords(d, shape{n}, all))
				l.equal(fmt.Sprint(d, " by ", c), q, wrapped(d, n, func(i int) *big.Int { q, _ := divided(number(d, xs[i]), number(d, c)); return q }))
				l.equal(
					fmt.Sprint(d, " remainder by ", c),
					r,
					wrapped(d, n, func(i int) *big.Int { _, r := divided(number(d, xs[i]), number(d, c)); return r }),
				)
			}
			none := l.integers(d, true)
			q, r = l.DividePublic(l.op, none, tensor.FromWords(d, shape{0}, nil))
			l.equal("none", q, "[]")
			l.equal("none", r, "[]")
		})
	}
}

// TestAllBytesDivided divides all pairs of bytes.
func TestAllBytesDivided(t *testing.T) {
	xs, ys := make([]int64, 1<<16), make([]int64, 1<<16)
	for i := range xs {
		xs[i], ys[i] = int64(i&255), int64(i>>8)
	}
	for _, d := range []tensor.DType{tensor.I8, tensor.U8} {
		run(t, forms(64)[0], nil, func(l *lab) {
			by := l.DivideIntegers(l.op, l.integers(d, true, xs...), l.integers(d, true, ys...))
			l.equal(
				"quotient",
				by.Quotient(l.op),
				wrapped(d, len(xs), func(i int) *big.Int { q, _ := divided(number(d, xs[i]), number(d, ys[i])); return q }),
			)
			l.equal(
				"remainder",
				by.Remainder(l.op),
				wrapped(d, len(xs), func(i int) *big.Int { _, r := divided(number(d, xs[i]), number(d, ys[i])); return r }),
			)
		})
	}
}

// TestDivisionLaw: q·y + r = x, and r has x's sign and is smaller than y.
func TestDivisionLaw(t *testing.T) {
	m := forms(64)[0]
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(integerTypes).Draw(t, "type")
		x, y := rapid.Int64().Draw(t, "x"), rapid.Int64().Draw(t, "y")>>rapid.IntRange(0, 62).Draw(t, "shift")
		run(t, m, nil, func(l *lab) {
			a, b := l.integers(d, true, x), l.integers(d, true, y)
			by := l.DivideIntegers(l.op, a, b)
			q, r := by.Quotient(l.op), by.Remainder(l.op)
			back := l.Add(l.op, l.Mul(l.op, q, b), r)
			if number(d, y).Sign() != 0 {
				l.equal("q·y + r", back, wrapped(d, 1, func(int) *big.Int { return number(d, x) }))
			}
			_, want := divided(number(d, x), number(d, y))
			l.equal("r", r, wrapped(d, 1, func(int) *big.Int { return want }))
		})
	})
}
