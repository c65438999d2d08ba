package exp

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/study"
	"github.com/tacet-mpc/tacet/timing"
)

// TestQuick: the quick study meets its bounds, except those of times, and writes all its files.
func TestQuick(t *testing.T) {
	if raced || testing.Short() {
		t.Skip("long")
	}
	steps, last := 0, 0
	l := &study.Lab{
		Dir:      t.TempDir(),
		Quick:    true,
		Machine:  timing.Default,
		Progress: func(_ string, done, all int) { steps, last = steps+1, all },
	}
	bars, err := Run(context.Background(), l)
	if err != nil {
		t.Fatal(err)
	}
	if len(bars) < 8 {
		t.Errorf("%d bounds", len(bars))
	}
	for _, b := range bars { // bytes, rounds, errors; the predicted time is for the machine profile given above
		if !b.Met() {
			t.Errorf("%s: %v, at most %v", b.Name, b.Value, b.Limit)
		}
	}
	if steps != last {
		t.Errorf("%d steps of %d", steps, last)
	}
	for _, file := range []string{"exp.md", "exp-bounds.csv", "exp-costs.csv", "exp-ranges.csv", "exp-errors.csv", "exp-times-all.csv", "exp-measured.csv", "exp-models.csv",
		"exp-bytes.svg", "exp-error.svg", "exp-time.svg", "exp-bytes.png", "exp-error.png", "exp-time.png"} {
		info, err := os.Stat(filepath.Join(l.Dir, file))
		if err != nil || info.Size() < 100 || info.Size() > 200<<10 {
			t.Errorf("%s: %v, %+v", file, err, info)
		}
	}
}

// TestCosts: every other mode costs more bytes and rounds than the default, except the variant of
// the default that does not saturate.
func TestCosts(t *testing.T) {
	s := &findings{lab: &study.Lab{Quick: true, Machine: timing.Default}}
	runs := testcases.OneOf(t, 2)
	for _, ring := range rings {
		if !runs() {
			continue
		}
		var first cost
		for i, m := range modes {
			c, err := s.cost(context.Background(), m, ring, 2)
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				first = c
				continue
			}
			if less := m.name == "prime, no clamp"; (c.bytes < first.bytes) != less || (c.rounds < first.rounds) != less {
				t.Errorf("ring %d: %s sends %v bytes in %d rounds, the default %v in %d", ring, m.name, c.bytes, c.rounds, first.bytes, first.rounds)
			}
		}
	}
}

// TestFamilies: the programs fit their models in the clear.
func TestFamilies(t *testing.T) {
	const rows, steps = 300, 20
	for _, f := range families {
		trial := f.trial(modes[0], 64, rows, steps)
		out, err := trial.EvalClear(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", f.name, err)
		}
		weights, deviance := out[0].Floats(), out[1].Floats()[0]
		// Reference computation of the same fit.
		w := make([]float64, features+1)
		y := trial.Data[2].Floats()
		row := func(i int) (x []float64) {
			for j := range 2 {
				x = append(x, trial.Data[j].Floats()[i*features/2:(i+1)*features/2]...)
			}
			return append(x, 1)
		}
		mean := func(i int) float64 {
			eta := 0.0
			for j, x := range row(i) {
				eta += w[j] * x
			}
			return math.Exp(eta)
		}
		power := map[string]float64{"poisson": 1, "gamma": 2, "tweedie": 1.5}[f.name] // the variance is the mean to this power
		for range steps {
			gradient := make([]float64, len(w))
			for i := range rows {
				mu := mean(i)
				for j, x := range row(i) {
					gradient[j] += x * (y[i] - mu) * math.Pow(mu, 1-power)
				}
			}
			for j, g := range gradient {
				w[j] += 0.3 * g / rows
			}
		}
		want := 0.0
		for i := range rows {
			mu := mean(i)
			switch f.name {
			case "poisson":
				if y[i] > 0 {
					want += y[i] * math.Log(y[i]/mu)
				}
				want -= y[i] - mu
			case "gamma":
				want += y[i]/mu - 1 - math.Log(y[i]/mu)
			default:
				want += 2 * math.Pow(math.Sqrt(y[i])-math.Sqrt(mu), 2) / math.Sqrt(mu)
			}
		}
		want *= 2.0 / rows
		if math.Abs(deviance-want) > 1e-4*want {
			t.Errorf("%s: deviance %v, want %v", f.name, deviance, want)
		}
		for j := range w {
			if math.Abs(weights[j]-w[j]) > 1e-5 {
				t.Errorf("%s: weight %d is %v, want %v", f.name, j, weights[j], w[j])
			}
		}
	}
}
