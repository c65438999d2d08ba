package fxp_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestAbsAndLimits(t *testing.T) {
	each(t, allRings, func(l *lab) {
		for _, y := range []*fxp.Value{l.in(-1.5, 0, 2.25), l.held(-1.5, 0, 2.25)} {
			p := l.Mul(l.op, y, l.in(-2, 1, -1)) // 3, 0, −2.25
			l.near("|y|", l.Abs(l.op, y), 0, 1.5, 0, 2.25)
			l.near("|p|", l.Abs(l.op, p), 0, 3, 0, 2.25)
			l.near("max(y, c)", l.Limit(l.op, y, floats(-1, 0.5, 9), false), 0, -1, 0.5, 9)
			l.near("min(y, c)", l.Limit(l.op, y, floats(-1, 0.5, 9), true), 0, -1.5, 0, 2.25)
			l.near("clamped", l.Clamp(l.op, y, constant(3, -1), constant(3, 2)), 0, -1, 0, 2)
			l.near("clamped product", l.Clamp(l.op, p, floats(-1, 1, -1), floats(2, 2, 2)), 0, 2, 1, -1)
			l.near("unopened", l.Unopened(l.op, p), 0, 3, 0, -2.25)
			if u := l.Unopened(l.op, y); u.S.Opened() {
				l.Errorf("%s: an unopened value is open", l.name)
			}
			l.Open(l.op, y)
			l.near("comparand", l.Comparand(l.op, y), 0, -1.5, 0, 2.25)
		}
	})
}

func TestFanIn(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 3}, {9, 3}, {10, 4}, {16, 4}, {17, 3}, {27, 3}, {28, 4}} {
		if f := fxp.FanIn(c[0]); f != c[1] {
			t.Errorf("%d numbers are compared %d at a time, want %d", c[0], f, c[1])
		}
	}
}

// TestOneHots: each column has one winner, the first of the equal ones among the largest or smallest.
func TestOneHots(t *testing.T) {
	all := forms(usual...)
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom(all).Draw(t, "form")
		k, n := rapid.IntRange(2, 21).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")
		numbers := rapid.SliceOfN(rapid.IntRange(-3, 3), k*n, k*n).Draw(t, "numbers")
		least := rapid.Bool().Draw(t, "least")
		want := make([]bool, k*n)
		for c := range n {
			best := 0
			for i := 1; i < k; i++ {
				if x, y := numbers[i*n+c], numbers[best*n+c]; x != y && x < y == least {
					best = i
				}
			}
			want[best*n+c] = true
		}
		f := make([]float64, k*n)
		for i, x := range numbers {
			f[i] = float64(x) / 4
		}
		run(t, m, nil, func(l *lab) {
			l.equal("one-hots", l.OneHots(l.op, l.shaped(l.held(f...), k, n), k, n, least), fmt.Sprint(want))
			if k <= 4 {
				l.equal("winners", l.Winners(l.op, l.shaped(l.in(f...), k, n), k, n, least), fmt.Sprint(want))
			}
		})
	})
}

func TestFloor(t *testing.T) {
	each(t, allRings, func(l *lab) {
		x := []float64{-2.5, -2, -0.25, 0, 0.75, 3}
		for _, y := range []*fxp.Value{l.in(x...), l.held(x...), l.Mul(l.op, l.in(x...), l.held(1, 1, 1, 1, 1, 1))} {
			l.near("float", l.Floor(l.op, y, tensor.F64), 0, -3, -2, -1, 0, 0, 3)
			l.equal("i8", l.Floor(l.op, y, tensor.I8), "[-3 -2 -1 0 0 3]")
			l.equal("ui16", l.Floor(l.op, y, tensor.U16), "[65533 65534 65535 0 0 3]")
			l.equal("i64", l.Floor(l.op, y, tensor.I64), "[-3 -2 -1 0 0 3]")
		}
		n := l.Number(l.op, l.bools(true, false), tensor.F64)
		l.near("of integers", l.Floor(l.op, n, tensor.F64), 0, 1, 0)
		l.equal("of integers", l.Floor(l.op, n, tensor.I32), "[1 0]")
		most := math.Ldexp(1, fxp.ValueBits(l.Ring, l.Fraction)-1)
		l.near("of large ones", l.Floor(l.op, l.held(most+0.5, -most-0.5), tensor.F64), 0, most, -most-1)
	})
}
