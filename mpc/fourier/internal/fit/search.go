package main

import (
	"log"
	"math"

	"github.com/tacet-mpc/tacet/mpc/fourier"
)

const maxHarmonics = 400

// ratios are the periods that are tried, divided by the interval's width. Short periods need fewer
// harmonics, with larger coefficients.
var ratios = []float64{1.05, 1.1, 1.15, 1.2, 1.25, 1.3, 1.35, 1.4, 1.5, 1.6, 1.75, 1.9, 2, 2.25, 2.5, 3, 3.5, 4}

// shortRatios are those of Short targets: longer periods have larger coefficients.
var shortRatios = []float64{1.1, 1.15, 1.2, 1.25, 1.3, 1.4, 1.5, 1.6, 1.75}

// cutoffs bound the coefficients (see fit): the second is tried where the sum of the coefficients is too large, all
// of them if the target is Short.
var cutoffs = []float64{1e-12, 1e-9, 1e-7}

func periods(t fourier.Target) []float64 {
	if len(t.Periods) > 0 {
		return t.Periods
	}
	rs := ratios
	if t.Short {
		rs = shortRatios
	}
	ps := make([]float64, len(rs))
	for i, r := range rs {
		ps[i] = (t.B - t.A) * r
	}
	return ps
}

// search returns a target's table with the fewest harmonics and, among those, the least error; nil
// if there is none up to maxHarmonics. Because of the bound of the coefficients, fewer harmonics
// may succeed where more fail, so search also tries up to two below the first success.
func search(t fourier.Target, periods []float64) *fourier.Table {
	low, high := 3, 4 // numbers of harmonics that fail, and that succeed after the loop
	for len(try(t, high, periods, true)) == 0 {
		low, high = high, high+max(1, high/4)
		if high > maxHarmonics {
			return nil
		}
	}
	for high-low > 1 {
		mid := (low + high) / 2
		if len(try(t, mid, periods, true)) > 0 {
			high = mid
		} else {
			low = mid
		}
	}
	for n := high - 2; n > 1 && n >= high-2; n-- {
		if len(try(t, n, periods, true)) > 0 {
			high = n
		}
	}
	best := (*fourier.Table)(nil)
	for _, table := range try(t, high, periods, false) {
		if best == nil || !t.Short && table.Err < best.Err || t.Short && length(table) < length(best) {
			best = table
		}
	}
	log.Printf("%-14s on [%g, %g]: period %.5g, %d harmonics, error %.1e below %.1e, sum %.3g",
		best.Name, best.A, best.B, best.Period, best.N(), best.Err, t.Tolerance, best.Sum)
	return best
}

// try returns the tables of n harmonics that meet the target; only the first if one.
func try(t fourier.Target, n int, periods []float64, one bool) []*fourier.Table {
	var found []*fourier.Table
	for _, period := range periods {
		for i, cutoff := range cutoffs {
			table := fit(t, n, period, cutoff)
			if table.Err < t.Tolerance && table.Sum < t.Bound {
				found = append(found, table)
				if one {
					return found
				}
			}
			if !t.Short && (table.Sum < t.Bound || i == 1) {
				break
			}
		}
	}
	return found
}

// length is the number of bits of the amplitudes of all harmonics, but for a constant.
func length(t *fourier.Table) float64 {
	bits := 0.0
	for n, s := range t.S {
		bits += math.Log2(math.Hypot(float64(t.C[n+1]), float64(s)) + 1)
	}
	return bits
}

// round makes a table of coefficients C_0 … C_n, S_1 … S_n.
func round(t fourier.Target, period float64, x []float64) *fourier.Table {
	n := len(x) / 2
	table := &fourier.Table{Name: t.Name, A: t.A, B: t.B, Period: period, Frac: 48}
	sum := 0.0
	for i, c := range x {
		sum += math.Abs(c)
		c := int64(math.Round(math.Ldexp(c, table.Frac)))
		if i <= n {
			table.C = append(table.C, c)
		} else {
			table.S = append(table.S, c)
		}
	}
	table.Sum = sum
	return table
}
