package glm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
)

// descend fits a model by SGD in float64.
func descend(m *Model, g SGD) []float64 {
	n := len(m.Target.Values)
	var columns [][]float64
	var means, units []float64
	for _, p := range m.Parties {
		for _, f := range p.Features {
			mean, unit := 0.0, 0.0
			for _, v := range f.Values {
				mean += v / float64(n)
			}
			for _, v := range f.Values {
				unit += (v - mean) * (v - mean) / float64(n)
			}
			unit = math.Sqrt(unit)
			x := make([]float64, n)
			for i, v := range f.Values {
				x[i] = (v - mean) / unit
			}
			columns, means, units = append(columns, x), append(means, mean), append(units, unit)
		}
	}
	rows, w, last := order(n), make([]float64, len(columns)+1), make([]float64, len(columns)+1)
	for range g.Epochs {
		for at := 0; at < n; at += g.Batch {
			batch := rows[at:min(at+g.Batch, n)]
			sums := make([]float64, len(w))
			for _, i := range batch {
				eta := w[0]
				for j, x := range columns {
					eta += x[i] * w[j+1]
				}
				mu := eta
				if m.Family == Binomial {
					mu = 1 / (1 + math.Exp(-eta))
				}
				r := mu - m.Target.Values[i]
				sums[0] += r
				for j, x := range columns {
					sums[j+1] += r * x[i]
				}
			}
			for j := range w { // a step begins without the last one's move
				move := -g.Rate * sums[j] / float64(len(batch))
				if j > 0 {
					move -= g.Rate * m.L2 * w[j]
				}
				w[j], last[j] = w[j]+last[j], move
			}
		}
	}
	for j := range w {
		w[j] += last[j]
	}
	for j := range columns {
		w[j+1] /= units[j]
		w[0] -= w[j+1] * means[j]
	}
	return w
}

// TestSGD: coefficients are those of SGD in float64 but for the rounding of features, coefficients and scores, and say so where a linear
// predictor does not fit.
func TestSGD(t *testing.T) {
	for _, c := range []struct {
		family   Family
		bits     int
		l2       float64
		protocol string
		within   float64
	}{
		{Binomial, 16, 0.1, "semi2k", 0.005}, {Binomial, 12, 0, "semi2k", 0.04}, {Gaussian, 16, 0, "semi2k", 0.01}, {Gaussian, 12, 0, "plain", 0.05},
	} {
		t.Run(fmt.Sprint(c.family, c.bits, c.protocol), func(t *testing.T) {
			m := random(3, 700, 2)
			m.Family, m.L2 = c.family, c.l2
			for i, y := range m.Target.Values {
				if m.Target.Values[i] = min(y, 1); c.family == Gaussian {
					m.Target.Values[i] = 2 + 0.5*m.Parties[0].Features[0].Values[i] - 0.2*m.Parties[1].Features[1].Values[i] + 0.3*math.Sin(float64(i))
				}
			}
			m.SGD = &SGD{Epochs: 5, Batch: 200, Rate: 0.5, Bits: c.bits}
			got, _ := run(t, m, c.protocol)
			want := descend(m, *m.SGD)
			if c.family == Gaussian && (!got.Converged || len(got.Warnings()) != 0) || got.Solver != Solver {
				t.Errorf("got %+v, %v", got, got.Warnings())
			}
			for i, x := range got.Coefficients {
				if !(math.Abs(x.Value-want[i]) < c.within) {
					t.Errorf("%s is %v, want %v", x.Name, x.Value, want[i])
				}
			}
		})
	}
}

// TestSGDCosts: features are sent once, as 4 bytes an element or 3, and a step takes two rounds.
func TestSGDCosts(t *testing.T) {
	for bits, bytes := range map[int]int64{16: 4, 12: 3} {
		plan := func(epochs int) *profile.Report {
			m := random(3, 100, 2)
			m.Family, m.SGD = Gaussian, &SGD{Epochs: epochs, Batch: 30, Bits: bits}
			spec, err := m.Spec()
			if err != nil {
				t.Fatal(err)
			}
			r, err := party.Plan(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		few, many := plan(2), plan(5)
		if got := many.Online.Rounds - few.Online.Rounds; got != 3*4*2 {
			t.Errorf("%d bits: 12 steps take %d rounds", bits, got)
		}
		const others = 100*16 + 10*16 // the target, and the means and units of features and target
		got, want := many.Input.BytesSent, few.Input.BytesSent
		if got := got[0] + got[1]; got > 100*4*bytes+others || got != want[0]+want[1] {
			t.Errorf("%d bits: the inputs are %d bytes", bits, got)
		}
	}
}

// TestSGDStrays: far values of a feature do not leave its range, and a model whose linear predictors do leave it has not converged.
func TestSGDStrays(t *testing.T) {
	m := random(4, 100, 1)
	m.Family = Binomial
	x := m.Parties[0].Features[0].Values
	for i := range x {
		m.Target.Values[i] = float64(i % 2)
		x[i] = float64(2*(i%2)-1) + 1e-3*x[i]
	}
	m.SGD = &SGD{Epochs: 300, Batch: 100, Rate: 16}
	for _, far := range []float64{0, 30} { // by which the predictors of others, of ±8 or so, are multiplied in that row
		x[7] += far
		s, err := m.Shape()
		if err != nil {
			t.Fatal(err)
		}
		n := s.numbers()
		ints, _, _, err := s.whole(m.data(0))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range ints {
			if v > nearest<<n.fx || v < -nearest<<n.fx {
				t.Errorf("a feature is %d", v)
			}
		}
		if got, _ := run(t, m, "plain"); got.Converged != (far == 0) {
			t.Errorf("%v: %+v", far, got)
		}
	}
}

// TestOrder: SGD takes each row once, and rows of a batch are spread over the table.
func TestOrder(t *testing.T) {
	for n := range 400 {
		seen := make([]bool, n)
		for _, row := range order(n) {
			seen[row] = true
		}
		if slices.Contains(seen, false) {
			t.Errorf("%d rows: not all", n)
		}
	}
	counts := make([]int, 10)
	for _, row := range order(100_000)[:1000] {
		counts[row/10_000]++
	}
	if slices.Min(counts) < 90 {
		t.Errorf("rows of the first batch by tenths of the table: %v", counts)
	}
}

// TestNumbers: sums over blocks fit the ring, and steps the 64 bits, for all settings that are accepted; others are refused.
func TestNumbers(t *testing.T) {
	base := Shape{Family: Binomial, Parties: []string{"a", "b"}, Features: []int{2, 1}, Rows: 20_000, OffsetOwner: -1, WeightsOwner: -1}
	for _, family := range []Family{Binomial, Gaussian} {
		for _, g := range []SGD{{}, {Bits: 12}, {Batch: 16, Rate: 16}, {Batch: 20_000, Rate: 0.1}, {Batch: 20_000, Bits: 12, Rate: 1e-2}} {
			s := base
			s.Family, s.SGD = family, &g
			r, err := s.Resolve()
			if err != nil {
				t.Fatal(g, err)
			}
			n := r.numbers()
			score := 1.0
			if family == Gaussian {
				score = farthestScore
			}
			if sum := float64(n.most) * (score*math.Ldexp(1, n.fr) + 2); sum > math.Ldexp(1, n.ring-3) || n.fraction-n.fw > 64-n.ring ||
				n.rate < 1<<(leastRateBits-1) || float64(n.most) < math.Ldexp(1.4, n.fx)*float64(n.block) {
				t.Errorf("%+v: %+v", g, n)
			}
			if rate := math.Ldexp(float64(n.rate), n.fx+n.fr-n.fraction) * float64(r.SGD.Batch); math.Abs(rate/r.SGD.Rate-1) > 0.04 {
				t.Errorf("%+v: the rate is %v", g, rate)
			}
		}
	}
	for want, change := range map[string]func(s *Shape){
		"families binomial and gaussian": func(s *Shape) { s.Family = Poisson },
		"no offset, weights and l1":      func(s *Shape) { s.L1 = 1 },
		"epochs instead of iterations":   func(s *Shape) { s.Iterations = 3 },
		"batch: want 16 to the number":   func(s *Shape) { s.SGD.Batch = 20_001 },
		"rate: want a number above 0":    func(s *Shape) { s.SGD.Rate = math.NaN() },
		"bits: want 16 or 12":            func(s *Shape) { s.SGD.Bits = 8 },
		"epochs: want 1 to":              func(s *Shape) { s.SGD.Epochs = 1001 },
		"more than 100000 steps":         func(s *Shape) { s.SGD.Epochs, s.SGD.Batch = 100, 16 },
		"is too small for batches":       func(s *Shape) { s.SGD.Rate = 1e-9 },
	} {
		s := base
		s.SGD = &SGD{}
		change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
