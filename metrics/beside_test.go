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

// evaluated runs an evaluation.
func evaluated(t *testing.T, e *Evaluation) *Result {
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
	sorts := e.has(AUC, KS, Lift, Calibration) // whose costs depend on a random order
	if r := out.Report; !sorts && fmt.Sprint(r.Online.BytesSent) != fmt.Sprint(r.Predicted.Online.BytesSent) {
		t.Error("costs are not those of the plan")
	}
	r, err := e.Result(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestBeside: metrics of rows that are split between two parties, with a third one beside them that has the target, the predictions or a
// part of them, are those of one table.
func TestBeside(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	n, rows := 90, []int{50, 0, 40}
	var a, b, both, labels, numbers []float64
	for range n {
		x, y := r.NormFloat64(), float64(r.IntN(5))/4
		a, b, both = append(a, x), append(b, y), append(both, x+y)
		label := 0.0
		if r.Float64() < 1/(1+math.Exp(-x-y)) {
			label = 1
		}
		labels, numbers = append(labels, label), append(numbers, 40+30*(x+y)+5*r.NormFloat64())
	}
	cut := func(x []float64, rank int) []float64 { // a stacked table's rows
		if x == nil {
			return nil
		}
		return map[int][]float64{0: x[:50], 2: x[50:]}[rank]
	}
	for _, x := range []struct {
		owner  int
		owners []int
	}{{0, []int{0, 1}}, {1, []int{0, 1}}, {1, []int{0}}, {0, []int{1}}, {0, []int{0}}, {1, []int{1}}} {
		for _, binary := range []bool{true, false} {
			e := &Evaluation{Parties: []string{"a", "c", "b"}, Stacked: rows, Owner: x.owner, Owners: x.owners, Data: make([]*Rows, 3)}
			e.Metrics, e.Link, e.Thresholds = []Metric{AUC, KS, Confusion, Lift, Calibration, RMSE, R2}, glm.Logit, []float64{0.5, 0.8}
			target := labels
			if !binary {
				e.Metrics, e.Link, e.Thresholds, target = []Metric{RMSE, R2}, glm.Identity, nil, numbers
			}
			of, beside := a, b
			all := both
			switch {
			case len(x.owners) == 1 && x.owners[0] == 0:
				beside, all = nil, a
			case len(x.owners) == 1:
				of, all = nil, b
			}
			e.Data[1] = &Rows{Linear: beside}
			for _, rank := range []int{0, 2} {
				e.Data[rank] = &Rows{Linear: cut(of, rank)}
			}
			if x.owner == 1 {
				e.Data[1].Target = target
			} else {
				e.Data[0].Target, e.Data[2].Target = cut(target, 0), cut(target, 2)
			}
			got := evaluated(t, e)
			want := evaluated(t, &Evaluation{
				Parties: []string{"a", "c"}, Parts: [][]float64{all, nil}, Owner: 1, Target: target,
				Metrics: e.Metrics, Link: e.Link, Thresholds: e.Thresholds,
			})
			close := func(what string, x, y *float64, most float64) {
				if x == nil && y == nil {
					return
				}
				if x == nil || y == nil || math.Abs(*x-*y) > most*max(1, math.Abs(*y)) {
					t.Errorf("%+v: %s is %v, want %v", e.Owners, what, x, y)
				}
			}
			close("auc", got.AUC, want.AUC, 1e-9)
			close("ks", got.KS, want.KS, 1e-9)
			close("rmse", got.RMSE, want.RMSE, 1e-6)
			close("r2", got.R2, want.R2, 1e-6)
			if got.RMSE == nil || got.R2 == nil || binary != (got.AUC != nil) {
				t.Errorf("owner %d, parts of %v: %+v", x.owner, x.owners, got)
			}
			if !slices.Equal(got.Confusion, want.Confusion) || len(got.Confusion) != len(e.Thresholds) ||
				binary && *got.Positives != *want.Positives {
				t.Errorf("owner %d, parts of %v: the confusion matrices are %+v, want %+v", x.owner, x.owners, got.Confusion, want.Confusion)
			}
			for i := range want.Lift {
				close("lift", got.Lift[i].Lift, want.Lift[i].Lift, 1e-6)
			}
			for i := range want.Calibration {
				close("calibration", &got.Calibration[i].Prediction, &want.Calibration[i].Prediction, 1e-4)
			}
			alone := *e
			alone.Data = nil
			text := func(e *Evaluation) string {
				spec, err := e.Spec()
				if err != nil {
					t.Fatal(err)
				}
				return string(spec.Program.Text)
			}
			if text(&alone) != text(e) {
				t.Error("without data the program is another one")
			}
			for want, change := range map[string]func(e *Evaluation){
				"those of all stacked tables, or of a party beside": func(e *Evaluation) { e.Owner = 2 },
				"the predictions have parts of 0 parties":           func(e *Evaluation) { e.Owners = nil },
				"two stacked tables or more":                        func(e *Evaluation) { e.Stacked = []int{90, 0, 0} },
			} {
				bad := *e
				change(&bad)
				if _, err := bad.Spec(); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%v, want %s", err, want)
				}
			}
		}
	}
}
