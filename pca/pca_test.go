package pca

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/table"
)

// data returns features that three hidden ones make up, with noise. The last repeats the first.
func data(rows int) [][]table.Feature {
	r := rand.New(rand.NewPCG(3, 4))
	out := [][]table.Feature{make([]table.Feature, 2), make([]table.Feature, 3)}
	weights := [][]float64{{3, 0, 1}, {2, 1, 0}, {0, 2, 1}, {0, 1, -2}, {3, 0, 1}}
	for range rows {
		hidden := []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		for i, w := range weights {
			f := &out[min(i/2, 1)][i-2*min(i/2, 1)]
			f.Name = string(rune('a' + i))
			x := 1000 * float64(i)
			for k, h := range hidden {
				x += w[k] * h
			}
			if i == 4 {
				x = 2 * out[0][0].Values[len(f.Values)]
			} else {
				x += 0.3 * r.NormFloat64()
			}
			f.Values = append(f.Values, x)
		}
	}
	return out
}

// TestComponents: components are eigenvectors of the correlations, of the largest eigenvalues, and those without variance are
// left out.
func TestComponents(t *testing.T) {
	const rows = 80
	s, err := Shape{Parties: []string{"alice", "bob"}, Features: []int{2, 3}, Rows: rows, Components: 5}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	all := data(rows)
	if _, err := (&Training{Shape: s}).Spec(); err == nil {
		t.Error("a training without data is accepted")
	}
	training := &Training{Shape: s, Data: all}
	spec, err := training.Spec()
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Result(out.Results, training.Names())
	if err != nil {
		t.Fatal(err)
	}
	joined := []table.Feature{}
	for _, own := range all {
		joined = append(joined, own...)
	}
	x, _, err := table.Standardised(joined, rows)
	if err != nil {
		t.Fatal(err)
	}
	matrix := products(x).Floats()
	if len(got.Components) != 4 {
		t.Fatalf("%d components, want 4: the last feature repeats the first", len(got.Components))
	}
	sum := 0.0
	for i, c := range got.Components {
		sum += c.Variance
		length := 0.0
		for j, v := range c.Loadings {
			product := 0.0
			for k, u := range c.Loadings {
				product += matrix[j*5+k] * u
			}
			if length += v * v; math.Abs(product-c.Variance*v) > 1e-4 {
				t.Errorf("component %d, feature %d: S·v is %v, and λ·v is %v", i, j, product, c.Variance*v)
			}
		}
		if math.Abs(length-1) > 1e-6 || i > 0 && c.Variance > got.Components[i-1].Variance {
			t.Errorf("component %d has length² %v and variance %v", i, length, c.Variance)
		}
	}
	if math.Abs(sum-5) > 1e-6 {
		t.Errorf("the variances add up to %v, want 5", sum)
	}
	if f := got.Features[3]; f.Name != "bob.d" || math.Abs(f.Mean-3000) > 2 {
		t.Errorf("feature 3 is %+v", f)
	}
	var text strings.Builder
	if err := got.Print(&text); err != nil || !strings.Contains(text.String(), "bob.d") {
		t.Errorf("printed %q: %v", &text, err)
	}
	t.Logf("%d rounds, %d bytes online, %d dealt", out.Report.Online.Rounds, out.Report.Online.BytesSent[0], out.Report.Offline.BytesSent)
}

// TestRefused: shapes and columns that cannot be analysed are errors that say why.
func TestRefused(t *testing.T) {
	for want, s := range map[string]Shape{
		"there are 1 features":   {Features: []int{1, 0}, Rows: 9},
		"components: want 1 to":  {Features: []int{1, 1}, Rows: 9, Components: 3},
		"the tables have 1 rows": {Features: []int{1, 1}, Rows: 1},
	} {
		s.Parties = []string{"a", "b"}
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	s, err := Shape{Parties: []string{"a", "b"}, Features: []int{1, 1}, Rows: 3}.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	for want, values := range map[string][]float64{"all values of x are equal": {7, 7, 7}, "x has 2 rows": {1, 2}, "no numbers": {1, 2, math.NaN()}} {
		if _, err := s.Args(0, []table.Feature{{Name: "x", Values: values}}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
