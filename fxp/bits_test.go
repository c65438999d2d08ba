package fxp_test

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestBooleans(t *testing.T) {
	each(t, usual, func(l *lab) {
		x, y := l.bools(true, true, false, false), l.bools(true, false, true, false)
		l.equal("not", l.Not(l.op, x), "[false false true true]")
		l.equal("and", l.And(l.op, x, y), "[true false false false]")
		l.equal("and of one", l.And(l.op, x), "[true true false false]")
		l.equal("or", l.Or(l.op, x, y), "[true true true false]")
		l.equal("or of three", l.Or(l.op, x, y, l.bools(false, false, false, true)), "[true true true true]")
		l.equal("xor", l.Xor(l.op, x, y), "[false true true false]")
		l.equal("as i8", l.Number(l.op, x, tensor.I8), "[1 1 0 0]")
		l.equal("as ui64", l.Number(l.op, x, tensor.U64), "[1 1 0 0]")
		l.exactly("as floats", l.Number(l.op, x, tensor.F64), 1, 1, 0, 0)
		none := l.bools()
		l.equal("of none", l.And(l.op, none, l.Not(l.op, none)), "[]")
	})
}

// TestComparisons compares floats that are open or not, at the fraction, above it and without fraction bits,
// among them equal ones and neighbours.
func TestComparisons(t *testing.T) {
	each(t, allRings, func(l *lab) {
		u := l.unit()
		a, b := []float64{1, 1, 1, -3, 0, 2 * u, -u}, []float64{1, 1 + u, 1 - u, 5, 0, u, 0}
		const less, equal, more = "[false true false true false false true]", "[true false false false true false false]", "[false false true false false true false]"
		for _, x := range []*fxp.Value{l.in(a...), l.held(a...)} {
			for _, y := range []*fxp.Value{l.in(b...), l.held(b...)} {
				l.equal("x < y", l.Less(l.op, x, y), less)
				l.equal("y < x", l.Less(l.op, y, x), more)
				l.equal("x = y", l.Equal(l.op, x, y), equal)
			}
			c := floats(b...)
			l.equal("x < c", l.LessPublic(l.op, x, c, false), less)
			l.equal("c < x", l.LessPublic(l.op, x, c, true), more)
			l.equal("x = c", l.EqualPublic(l.op, x, c), equal)
			known := func() *tensor.Array {
				if l.dry {
					return nil
				}
				return c
			}
			l.equal("x < known", l.LessLocal(l.op, x, 1, known, false), less)
			l.equal("known < x", l.LessLocal(l.op, x, 1, known, true), more)
			l.equal("x < 1", l.LessPublic(l.op, x, constant(7, 1), false), "[false false false true true true true]")
			l.equal("1 < x", l.LessPublic(l.op, x, constant(7, 1), true), "[false false false false false false false]")
			l.equal("x < ∞", l.LessPublic(l.op, x, constant(7, math.Inf(1)), false), "[true true true true true true true]")
			l.equal("−∞ < x", l.LessPublic(l.op, x, constant(7, math.Inf(-1)), true), "[true true true true true true true]")
			l.equal("x < ends", l.LessPublic(l.op, x, floats(1e300, -1e300, 1e300, -1e300, math.Inf(1), math.Inf(-1), 0), false), "[true false true false true false true]")
			l.equal("x < 0", l.Negative(l.op, x), "[false false false true false false true]")
			// products are compared at their own scale: 1·u, not rounded
			p := l.Mul(l.op, x, l.in(1, 1, 1, 1, 1, 0.5, 0.5))
			l.equal("p < x", l.Less(l.op, p, l.Mul(l.op, l.in(a...), l.in(1, 1, 1, 1, 1, 1, 1))), "[false false false false false true false]")
			l.equal("p < 0", l.Negative(l.op, p), "[false false false true false false true]")
			l.equal("p < 0, rounded before", func() *fxp.Value { l.Rescale(l.op, p); return l.LessPublic(l.op, p, constant(7, 0.5), false) }(), "[false false false true true true true]")
		}
		n := l.Number(l.op, l.bools(true, false, true), tensor.F64)
		l.equal("n < ½", l.LessPublic(l.op, n, constant(3, 0.5), false), "[false true false]")
		l.equal("½ < n", l.LessPublic(l.op, n, constant(3, 0.5), true), "[true false true]")
		l.equal("n < several", l.LessPublic(l.op, n, floats(0.5, 0.5, 1.5), false), "[false true true]")
		l.equal("several < n", l.LessPublic(l.op, n, floats(0.5, -0.5, 1), true), "[true true false]")
	})
}

func TestSelect(t *testing.T) {
	each(t, allRings, func(l *lab) {
		for _, y := range []*fxp.Value{l.in(1, 2, 3), l.held(1, 2, 3)} {
			b, x := l.bools(true, false, true), l.in(-1, -2, -3)
			p := l.Mul(l.op, x, y)
			l.near("b ? x : y", l.Select(l.op, b, x, y), 0, -1, 2, -3)
			l.near("b ? xy : y", l.Select(l.op, b, p, y), 0, -1, 2, -9)
			l.near("b ? xy : xy", l.Select(l.op, b, p, l.Neg(l.op, p)), 0, -1, 4, -9)
			l.near("one b", l.Select(l.op, l.shaped(l.bools(true)), x, y), 0, -1, -2, -3)
			l.near("kept", l.Kept(l.op, b, p), 0, -1, 0, -9)
			l.near("signed", l.Signed(l.op, b, y), 0, -1, 2, -3)
		}
		b := l.bools(true, false)
		l.equal("integers", l.Select(l.op, b, l.integers(tensor.I64, true, -1<<63, 5), l.integers(tensor.I64, false, 7, 1<<62)), "[-9223372036854775808 4611686018427387904]")
		l.equal("kept integers", l.Kept(l.op, b, l.integers(tensor.U8, true, 255, 254)), "[255 0]")
		l.equal("booleans", l.Select(l.op, b, l.bools(false, true), l.bools(true, true)), "[false true]")
	})
}
