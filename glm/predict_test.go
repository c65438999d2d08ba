package glm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// TestPrediction compares with float64; messages have the same sizes for all data.
func TestPrediction(t *testing.T) {
	for link, mean := range map[Link]func(float64) float64{
		Identity: func(x float64) float64 { return x }, Logit: func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		Log: math.Exp, Inverse: func(x float64) float64 { return 1 / x },
	} {
		sizes := map[string]bool{}
		for seed := range uint64(2) {
			r := rand.New(rand.NewPCG(seed, 1))
			a, b := make([]float64, 40), make([]float64, 40)
			for i := range a {
				a[i], b[i] = 3*r.NormFloat64(), 3*r.NormFloat64()
				if link == Inverse {
					a[i], b[i] = math.Abs(a[i])+0.1, math.Abs(b[i])
				}
			}
			p := &Prediction{Parties: []string{"alice", "carol", "bob"}, Parts: [][]float64{a, nil, b}, Link: link}
			spec, err := p.Spec()
			if err != nil {
				t.Fatal(err)
			}
			spec.Protocol, spec.Reveal = "semi2k", []int{0}
			out, err := party.Run(t.Context(), spec)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Results) != len(p.Outputs()) {
				t.Errorf("%d results", len(out.Results))
			}
			for i, x := range out.Results[0].Floats() {
				if want := mean(a[i] + b[i]); math.Abs(x-want) > 1e-7*max(1, math.Abs(want)) {
					t.Errorf("%s of %v: got %v, want %v", link, a[i]+b[i], x, want)
				}
			}
			o := out.Report
			sizes[fmt.Sprint(o.Input.BytesSent, o.Online.BytesSent, o.Online.Messages, o.Output.BytesSent, o.Offline.BytesSent)] = true
		}
		if len(sizes) != 1 {
			t.Errorf("%s: sizes differ: %v", link, sizes)
		}
	}
	for want, p := range map[string]*Prediction{
		"no party has a column": {Parties: []string{"a"}, Parts: [][]float64{nil}, Link: Identity},
		"1 to":                  {Parties: []string{"a"}, Parts: [][]float64{{}}, Link: Identity},
		"and that of another":   {Parties: []string{"a", "b"}, Parts: [][]float64{{1}, {1, 2}}, Link: Identity},
		"may be too large":      {Parties: []string{"a", "b"}, Parts: [][]float64{{1}, {30}}, Link: Log},
	} {
		if _, err := p.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
