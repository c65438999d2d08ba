package main

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/fourier"
)

// For a trigonometric polynomial of the same period, fit finds its coefficients.
func TestFitRecovers(t *testing.T) {
	target := fourier.Target{F: func(x float64) float64 { return 3 + 2*math.Cos(x) - math.Sin(3*x) }, A: -1, B: 4, Tolerance: 1e-9, Bound: 10}
	table := fit(target, 3, 2*math.Pi, 1e-12)
	if table.Err > 1e-12 || math.Abs(table.Sum-6) > 1e-9 {
		t.Errorf("error %v, sum %v", table.Err, table.Sum)
	}
	for i, want := range []float64{3, 2, 0, 0, 0, 0, -1} {
		got := append(append([]int64{}, table.C...), table.S...)[i]
		if math.Abs(math.Ldexp(float64(got), -table.Frac)-want) > 1e-9 {
			t.Errorf("coefficient %d: %v units, want %v", i, got, want)
		}
	}
}

// Lawson's weights level the error: the best approximation of |x| has equal peaks.
func TestFitLevelsErrors(t *testing.T) {
	target := fourier.Target{F: math.Abs, A: -1, B: 1, Tolerance: 1, Bound: 100}
	table := fit(target, 4, 4, 1e-12)
	once := round(
		target,
		4,
		leastSquares(basis(chebyshev(-1, 1, 132), 4, 4), column(chebyshev(-1, 1, 132), math.Abs), ones(132), 1e-12).RawVector().Data,
	)
	if plain := largestError(math.Abs, once, chebyshev(-1, 1, 660)); table.Err > 0.8*plain {
		t.Errorf("error %v with weights, %v without", table.Err, plain)
	}
}

func TestSearchFindsFewest(t *testing.T) {
	target := fourier.Target{Name: "r", F: func(x float64) float64 { return 1 / x }, A: 1, B: 2, Tolerance: math.Exp2(-19.5), Bound: 2000}
	table := search(target, periods(target))
	if table.N() != 5 || table.Err >= target.Tolerance || table.Sum >= target.Bound {
		t.Errorf("%d harmonics, error %v, sum %v", table.N(), table.Err, table.Sum)
	}
	if found := try(target, 4, periods(target), false); len(found) > 0 {
		t.Errorf("%d harmonics would do", found[0].N())
	}
	target.Bound = 2
	if table := search(target, periods(target)); table.Sum >= 2 || table.N() <= 5 {
		t.Errorf("%d harmonics with sum %v", table.N(), table.Sum)
	}
}

func TestPeriodsLikeOthers(t *testing.T) {
	like := func(name string, shift int) fourier.Target {
		return fourier.Target{Name: name, F: math.Log2, A: 1, B: 2, Tolerance: 1e-4, Bound: 100, Like: "log", Shift: shift}
	}
	tables, aliases := fitAll(
		[]fourier.Target{{Name: "log", F: math.Log2, A: 1, B: 2, Tolerance: 1e-4, Bound: 100}, like("near", 5), like("same", 60)},
	)
	period := tables[0].Period
	if want := 32 / math.Round(32/period); tables[1].Period != want {
		t.Errorf("period %v, want %v near %v", tables[1].Period, want, period)
	}
	if tables[2] != nil || len(aliases) != 1 || aliases[0] != (fourier.Alias{Name: "same", Of: "log"}) {
		t.Errorf("aliases %v", aliases)
	}
}
