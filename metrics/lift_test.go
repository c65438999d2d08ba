package metrics

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
)

// ascending returns the target and the predictions in the order of scores, of equal ones the target's lowest (sign 1) or
// highest (-1) first.
func ascending(score, y, p []float64, sign float64) (target, predictions []float64) {
	at := make([]int, len(score))
	for i := range at {
		at[i] = i
	}
	slices.SortFunc(at, func(a, b int) int { return cmp.Or(cmp.Compare(score[a], score[b]), cmp.Compare(sign*y[a], sign*y[b])) })
	for _, i := range at {
		target, predictions = append(target, y[i]), append(predictions, p[i])
	}
	return target, predictions
}

func sum(x []float64) float64 {
	s := 0.0
	for _, x := range x {
		s += x
	}
	return s
}

// TestLift compares lift and calibration with sorted floats, for targets of 0 and 1 and for others, one and two owners of
// predictions, few ties and many, in both sorts that package exec has.
func TestLift(t *testing.T) {
	for _, c := range []struct {
		name      string
		n, levels int
		link      glm.Link
		one       bool
		with      []Metric
	}{
		{"few ties", 60, 1 << 14, glm.Logit, false, []Metric{AUC, Confusion}},
		{"many ties", 50, 1, glm.Logit, false, nil},
		{"shuffled", 203, 2, glm.Logit, true, nil},
		{"numbers", 60, 1 << 14, glm.Log, false, []Metric{RMSE}},
		{"numbers, many ties", 55, 1, glm.Identity, true, []Metric{R2}},
		{"numbers, shuffled", 150, 2, glm.Log, true, nil},
		{"a score of classes", 80, 2, glm.Identity, true, []Metric{KS}},
	} {
		a, b, y := data(11, c.n, c.levels)
		e := &Evaluation{
			Parties: []string{"alice", "bob"}, Parts: [][]float64{a, b}, Link: c.link, Owner: 1, Target: y,
			Metrics: append(c.with, Lift, Calibration), Thresholds: []float64{0.5}, Fractions: []float64{1, 0.1, 0.5, 0.1}, Bins: 4,
		}
		score := sums(a, b)
		if c.one {
			e.Parts[1], score = nil, a
		}
		if !e.binary() {
			for i := range y {
				y[i] = 3e4 * (y[i] + math.Abs(math.Round(b[i])))
			}
		}
		mean, p := map[glm.Link]func(float64) float64{
			glm.Identity: func(x float64) float64 { return x },
			glm.Log:      math.Exp,
			glm.Logit:    func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		}[c.link], make([]float64, c.n)
		for i, x := range score {
			p[i] = mean(x)
		}
		low, predictions := ascending(score, y, p, 1)
		high, _ := ascending(score, y, p, -1)
		if c.levels == 1 && slices.Equal(low, high) {
			t.Fatalf("%s: the orders are equal", c.name)
		}
		r, _ := run(t, e)
		near := func(what string, got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-4*max(math.Abs(want), 0.01) {
				t.Errorf("%s: %s is %v, want %v", c.name, what, got, want)
			}
		}
		if len(r.Lift) != 3 || len(r.Calibration) != 4 || r.Lift[2].Fraction != 1 {
			t.Fatalf("%s: got %+v", c.name, r)
		}
		for _, l := range r.Lift {
			k := int(math.Round(l.Fraction * float64(c.n)))
			want := (sum(low[c.n-k:]) + sum(high[c.n-k:])) / 2
			if l.Rows != k {
				t.Errorf("%s: %d rows, want %d", c.name, l.Rows, k)
			}
			near("sum", l.Sum, want)
			near("rate", l.Rate, want/float64(k))
			near("lift", *l.Lift, want/float64(k)/(sum(y)/float64(c.n)))
			near("captured", *l.Captured, want/sum(y))
		}
		from := 0
		for _, got := range r.Calibration {
			to := from + got.Rows
			near("prediction", got.Prediction, sum(predictions[from:to])/float64(got.Rows))
			near("observed", got.Observed, (sum(low[from:to])+sum(high[from:to]))/2/float64(got.Rows))
			from = to
		}
		if from != c.n {
			t.Errorf("%s: the bins have %d rows", c.name, from)
		}
	}
}

// TestLiftOfNothing: a constant score lifts nothing, in whatever order the rows are, and without positives there is no lift.
func TestLiftOfNothing(t *testing.T) {
	e := &Evaluation{
		Parties: []string{"alice", "bob"}, Parts: [][]float64{make([]float64, 40), nil}, Link: glm.Logit, Target: make([]float64, 40),
		Metrics: []Metric{Lift}, Fractions: []float64{0.5, 1},
	}
	for i := range 20 {
		e.Target[i] = 1
	}
	if r, _ := run(t, e); *r.Lift[0].Lift != 1 || r.Lift[0].Sum != 10 || *r.Lift[1].Captured != 1 {
		t.Errorf("got %+v", r.Lift)
	}
	clear(e.Target)
	if r, _ := run(t, e); r.Lift[0].Lift != nil || r.Lift[0].Captured != nil || *r.Positives != 0 {
		t.Errorf("got %+v", r.Lift)
	}
}

// TestCutsAgree: the default bins and fractions have the same cuts for every number of rows.
func TestCutsAgree(t *testing.T) {
	for n := 55; n < 1000; n++ {
		e := &Evaluation{Rows: n, Metrics: []Metric{Lift, Calibration}}
		if err := e.checkCuts(); err != nil {
			t.Fatalf("%d rows: %v", n, err)
		}
		for i, at := range e.edges()[:10] {
			if k := e.top(e.fractions()[9-i]); n-k != at {
				t.Fatalf("%d rows: bin %d begins at %d, and a fraction at %d", n, i, at, n-k)
			}
		}
	}
}
