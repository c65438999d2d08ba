package metrics

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/party"
)

// run runs the evaluation and returns the result, and the bytes of all phases.
func run(t *testing.T, e *Evaluation) (*Result, string) {
	t.Helper()
	spec, err := e.Spec()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	r, err := e.Result(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	o := out.Report
	return r, fmt.Sprint(o.Input.BytesSent, o.Online.BytesSent, o.Online.Messages, o.Output.BytesSent, o.Offline.BytesSent)
}

// exact computes AUC by all pairs and KS at all scores.
func exact(score, y []float64) (auc, ks float64) {
	p, n := 0.0, 0.0
	for i, a := range score {
		if y[i] == 0 {
			n++
			continue
		}
		p++
		for j, b := range score {
			if y[j] == 0 && b < a {
				auc++
			} else if y[j] == 0 && b == a {
				auc += 0.5
			}
		}
	}
	for _, t := range score {
		fp, fn := 0.0, 0.0
		for i, s := range score {
			if s <= t && y[i] == 1 {
				fp++
			} else if s <= t {
				fn++
			}
		}
		ks = max(ks, math.Abs(fp/p-fn/n))
	}
	return auc / p / n, ks
}

// data returns two parts and labels; parts are multiples of 1/levels.
func data(seed uint64, n, levels int) (a, b, y []float64) {
	r := rand.New(rand.NewPCG(seed, 7))
	for range n {
		label := float64(r.IntN(2))
		round := func(x float64) float64 { return math.Round(x*float64(levels)) / float64(levels) }
		a, b, y = append(a, round(r.NormFloat64()+label)), append(b, round(r.NormFloat64())), append(y, label)
	}
	return a, b, y
}

func sums(a, b []float64) []float64 {
	out := slices.Clone(a)
	for i, x := range b {
		out[i] += x
	}
	return out
}

// TestClasses compares AUC and KS with those of all pairs, with many ties and few, in both sorts that package exec has, and
// confusion matrices with counts.
func TestClasses(t *testing.T) {
	for _, c := range []struct {
		name      string
		n, levels int
		one       bool
	}{
		{"few ties", 60, 1 << 14, false}, {"many ties", 50, 1, false}, {"one owner", 60, 4, true}, {"shuffled", 200, 2, false}, {"one owner, shuffled", 150, 1 << 20, true},
	} {
		a, b, y := data(3, c.n, c.levels)
		e := &Evaluation{
			Parties: []string{"alice", "bob"}, Parts: [][]float64{a, b}, Link: glm.Logit, Owner: 1, Target: y,
			Metrics: []Metric{AUC, KS, Confusion}, Thresholds: []float64{0.5, 0.9},
		}
		score := sums(a, b)
		if c.one {
			e.Parts[1], score = nil, a
		}
		r, _ := run(t, e)
		auc, ks := exact(score, y)
		if math.Abs(*r.AUC-auc) > 1e-12 || math.Abs(*r.KS-ks) > 1e-12 {
			t.Errorf("%s: AUC %v, KS %v, want %v and %v", c.name, *r.AUC, *r.KS, auc, ks)
		}
		for _, got := range r.Confusion {
			want := Confused{Threshold: got.Threshold}
			for i, s := range score {
				switch reached := 1/(1+math.Exp(-s)) >= got.Threshold; {
				case reached && y[i] == 1:
					want.TruePositives++
				case reached:
					want.FalsePositives++
				case y[i] == 1:
					want.FalseNegatives++
				default:
					want.TrueNegatives++
				}
			}
			if got != want {
				t.Errorf("%s: got %+v, want %+v", c.name, got, want)
			}
		}
	}
}

// TestConstantScore: KS of a constant score is 0 and AUC 1/2; of one class both are absent.
func TestConstantScore(t *testing.T) {
	e := &Evaluation{
		Parties: []string{"alice", "bob"}, Parts: [][]float64{{1, 1, 1, 1}, nil}, Link: glm.Identity,
		Target: []float64{0, 1, 1, 0}, Metrics: []Metric{AUC, KS},
	}
	if r, _ := run(t, e); *r.AUC != 0.5 || *r.KS != 0 || *r.Positives != 2 {
		t.Errorf("AUC %v, KS %v", *r.AUC, *r.KS)
	}
	e.Target = []float64{1, 1, 1, 1}
	if r, _ := run(t, e); r.AUC != nil || r.KS != nil || *r.Positives != 4 {
		t.Errorf("got %+v", r)
	}
}

// TestErrors compares RMSE and R2 with float64.
func TestErrors(t *testing.T) {
	a, b, _ := data(5, 100, 1<<20)
	for link, mean := range map[glm.Link]func(float64) float64{
		glm.Identity: func(x float64) float64 { return x },
		glm.Log:      math.Exp,
		glm.Logit:    func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		glm.Inverse:  func(x float64) float64 { return 1 / x },
	} {
		r := rand.New(rand.NewPCG(1, 1))
		x, z, y := slices.Clone(a), slices.Clone(b), []float64{}
		squared := 0.0
		for i := range x {
			if link == glm.Inverse {
				x[i], z[i] = math.Abs(x[i])+0.5, math.Abs(z[i])
			}
			p := mean(x[i] + z[i])
			y = append(y, p+r.NormFloat64()/3)
			squared += (y[i] - p) * (y[i] - p)
		}
		e := &Evaluation{Parties: []string{"alice", "bob"}, Parts: [][]float64{x, z}, Link: link, Target: y, Metrics: []Metric{RMSE, R2}}
		got, _ := run(t, e)
		rmse, r2 := math.Sqrt(squared/100), 1-squared/squares(y)
		if math.Abs(*got.RMSE-rmse) > 1e-5*rmse || math.Abs(*got.R2-r2) > 1e-5 {
			t.Errorf("%s: RMSE %v, R2 %v, want %v, %v", link, *got.RMSE, *got.R2, rmse, r2)
		}
	}
}

// TestSizes: messages of different data have equal sizes, and a run reveals its results only.
func TestSizes(t *testing.T) {
	sent := map[string]bool{}
	for i := range 3 {
		a, b, y := data(uint64(i), 60, 8)
		if i == 2 { // all ties
			clear(a)
			clear(b)
		}
		e := &Evaluation{
			Parties: []string{"alice", "bob"}, Parts: [][]float64{a, b}, Link: glm.Logit, Owner: 1, Target: y,
			Metrics: Metrics, Thresholds: []float64{0.5}, Fractions: []float64{0.1, 0.2, 0.5, 1}, Bins: 3,
		}
		spec, err := e.Spec()
		if err != nil {
			t.Fatal(err)
		}
		if spec.Reveals != 0 || len(spec.Program.Main.Results) != len(e.Results()) || len(e.Results()) != 7+4+6 {
			t.Errorf("%d results", len(spec.Program.Main.Results))
		}
		_, sizes := run(t, e)
		sent[sizes] = true
	}
	if len(sent) != 1 {
		t.Errorf("sizes differ: %v", sent)
	}
}

func TestRefuses(t *testing.T) {
	for want, change := range map[string]func(*Evaluation){
		"values 0 and 1":                      func(e *Evaluation) { e.Target[0] = 2 },
		"parts of 0 parties":                  func(e *Evaluation) { e.Parts = make([][]float64, 2) },
		"has 1 rows":                          func(e *Evaluation) { e.Parts[0] = []float64{1} },
		"not below 4096":                      func(e *Evaluation) { e.Parts[0][1] = 5000 },
		"not below":                           func(e *Evaluation) { e.Parts[0][1] = math.NaN() },
		`no metric "f1"`:                      func(e *Evaluation) { e.Metrics = []Metric{"f1"} },
		"name a metric":                       func(e *Evaluation) { e.Metrics = nil },
		"confusion needs a threshold":         func(e *Evaluation) { e.Metrics = []Metric{Confusion} },
		"threshold 1 is not among":            func(e *Evaluation) { e.Metrics, e.Thresholds = []Metric{Confusion}, []float64{1} },
		"not for link inverse":                func(e *Evaluation) { e.Link = glm.Inverse },
		"spread is too large":                 func(e *Evaluation) { e.Metrics, e.Target = []Metric{R2}, []float64{0, 1e9} },
		`link "probit" is unknown`:            func(e *Evaluation) { e.Link = "probit" },
		"of a model with link logit":          func(e *Evaluation) { e.Metrics, e.Target[0] = []Metric{Lift}, 0.5 },
		"fraction 0 of lift":                  func(e *Evaluation) { e.long(); e.Metrics, e.Fractions = []Metric{Lift}, []float64{0, 1} },
		"fraction 1.5 of lift":                func(e *Evaluation) { e.long(); e.Metrics, e.Fractions = []Metric{Lift}, []float64{1.5} },
		"fraction NaN of lift":                func(e *Evaluation) { e.long(); e.Metrics, e.Fractions = []Metric{Lift}, []float64{math.NaN()} },
		"40 rows into groups of fewer than 5": func(e *Evaluation) { e.long(); e.Metrics = []Metric{Lift} },
		"groups of fewer than 5":              func(e *Evaluation) { e.long(); e.Metrics, e.Fractions = []Metric{Lift}, []float64{0.95, 1} },
		"rows into groups":                    func(e *Evaluation) { e.long(); e.Metrics, e.Bins = []Metric{Calibration}, 9 },
		"whose sums would show": func(e *Evaluation) {
			e.long()
			e.Metrics, e.Bins, e.Fractions = []Metric{Calibration, Lift}, 4, []float64{0.3}
		},
		"1000 fractions and bins": func(e *Evaluation) { e.long(); e.Metrics, e.Bins = []Metric{Calibration}, 1001 },
		"the prediction of alice is above": func(e *Evaluation) {
			e.long()
			e.Metrics, e.Bins, e.Parts[0][7], e.Parts[1], e.Link = []Metric{Calibration}, 4, 1<<21, nil, glm.Identity
		},
		"metrics need 2": func(e *Evaluation) { e.Target = e.Target[:1] },
	} {
		e := &Evaluation{
			Parties: []string{"alice", "bob"}, Parts: [][]float64{{1, 2}, {3, 4}}, Link: glm.Logit,
			Owner: 1, Target: []float64{0, 1}, Metrics: []Metric{AUC},
		}
		change(e)
		if _, err := e.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// long makes 40 rows of two.
func (e *Evaluation) long() {
	repeat := func(x []float64) []float64 { return slices.Repeat(x, 20) }
	e.Target, e.Parts[0], e.Parts[1] = repeat(e.Target), repeat(e.Parts[0]), repeat(e.Parts[1])
}
