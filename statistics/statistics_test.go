package statistics

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/party"
)

// run runs the statistics and returns the result and the bytes that each phase sent.
func run(t *testing.T, s *Statistics) (*Result, string) {
	t.Helper()
	spec, err := s.Spec()
	if err != nil {
		t.Fatal(err)
	}
	spec.Protocol = "semi2k"
	out, err := party.Run(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if spec.Reveals != 0 {
		t.Errorf("the program reveals %d tensors while it runs", spec.Reveals)
	}
	r, err := s.Result(out.Results)
	if err != nil {
		t.Fatal(err)
	}
	o := out.Report
	if !slices.Equal(o.Online.BytesSent, o.Predicted.Online.BytesSent) || o.Online.Rounds != o.Predicted.Online.Rounds {
		t.Errorf("measured %+v, predicted %+v", o.Online, o.Predicted)
	}
	return r, fmt.Sprint(o.Input.BytesSent, o.Online.BytesSent, o.Online.Messages, o.Output.BytesSent, o.Offline.BytesSent)
}

func columns(r *rand.Rand, rows int, names ...string) []Column {
	var out []Column
	for _, name := range names {
		c := Column{Name: name, Values: make([]float64, rows)}
		for i := range c.Values {
			c.Values[i] = r.NormFloat64()*1e6 + 3e7
		}
		out = append(out, c)
	}
	return out
}

// TestStatistics compares with the formulas in float64.
func TestStatistics(t *testing.T) {
	const rows = 500
	r := rand.New(rand.NewPCG(1, 2))
	s := &Statistics{Rows: rows, Quantiles: []float64{0, 0.25, 0.5, 1}, Correlation: true}
	s.Parties = []Party{
		{Name: "alice", Columns: columns(r, rows, "a", "b")}, {Name: "carol"}, {Name: "bob", Columns: columns(r, rows, "c", "d", "e")},
	}
	a, b := s.Parties[0].Columns, s.Parties[2].Columns
	for i := range rows {
		b[0].Values[i] += 2 * a[0].Values[i] // correlated
		b[2].Values[i] = 7                   // constant
	}
	b = append(b, Column{Name: "text", Text: true, Missing: make([]bool, rows)})
	b[3].Missing[4] = true
	s.Parties[2].Columns = b
	got, _ := run(t, s)
	if names := strings.Join(got.Names, " "); names != "alice.a alice.b bob.c bob.d bob.e" {
		t.Errorf("got %s", names)
	}
	all := slices.Concat(a, b[:3])
	for i, x := range all {
		sorted := slices.Sorted(slices.Values(x.Values))
		mean, squares := moments(x.Values)
		d := got.Columns[i]
		if d.Count != rows || d.Missing != 0 ||
			math.Abs(*d.Mean-mean) > 1e-12*mean || math.Abs(*d.Variance-squares/(rows-1)) > 1e-9*squares || d.Quantiles[0].Value != sorted[0] ||
			d.Quantiles[2].Value != (sorted[249]+sorted[250])/2 || d.Quantiles[3].Value != sorted[rows-1] {
			t.Errorf("%s: got %+v", d.Name, d)
		}
		for j, y := range all {
			my, sy := moments(y.Values)
			sum := 0.0
			for k := range rows {
				sum += (x.Values[k] - mean) * (y.Values[k] - my)
			}
			c := got.Correlation[i][j]
			if squares == 0 || sy == 0 {
				if c != nil {
					t.Errorf("correlation %d, %d of a constant is %v", i, j, *c)
				}
			} else if math.Abs(*c-sum/math.Sqrt(squares*sy)) > 1e-6 {
				t.Errorf("correlation %d, %d: got %v, want %v", i, j, *c, sum/math.Sqrt(squares*sy))
			}
		}
	}
	if d := got.Columns[5]; d.Count != rows-1 || d.Missing != 1 || d.Mean != nil {
		t.Errorf("got %+v", d)
	}
	var text bytes.Buffer
	if err := got.Print(&text); err != nil || !strings.Contains(text.String(), "bob.text") {
		t.Errorf("%v, %s", err, text.String())
	}
}

// TestSizes: messages depend on the numbers of rows and columns only.
func TestSizes(t *testing.T) {
	sent := map[string]bool{}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 2))
		s := &Statistics{Rows: 40, Quantiles: []float64{0.5}, Correlation: true}
		s.Parties = []Party{{Name: "alice", Columns: columns(r, 40, "a", "b")}, {Name: "bob", Columns: columns(r, 40, "c")}}
		if seed == 2 { // extremes
			clear(s.Parties[0].Columns[0].Values)
			s.Parties[1].Columns[0].Values = slices.Clone(s.Parties[0].Columns[1].Values)
		}
		_, sizes := run(t, s)
		sent[sizes] = true
	}
	if len(sent) != 1 {
		t.Errorf("sizes differ: %v", sent)
	}
}

func TestRefuses(t *testing.T) {
	one := []Column{{Name: "a", Values: []float64{1, 2}, Missing: []bool{false, true}}}
	for want, s := range map[string]*Statistics{
		"has missing values":       {Rows: 2, Parties: []Party{{Name: "alice", Columns: one}}, Correlation: true},
		"alice.a has 2 rows":       {Rows: 3, Parties: []Party{{Name: "alice", Columns: one}}},
		"statistics need 2":        {Rows: 1, Parties: []Party{{Name: "alice", Columns: one}}},
		"no columns":               {Rows: 2, Parties: []Party{{Name: "alice", Columns: nil}}},
		"quantile 2 is not from":   {Rows: 2, Parties: []Party{{Name: "alice", Columns: one}}, Quantiles: []float64{2}},
		"quantile NaN is not from": {Rows: 2, Parties: []Party{{Name: "alice", Columns: one}}, Quantiles: []float64{math.NaN()}},
	} {
		if _, err := s.Spec(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
	s := &Statistics{Rows: 2, Parties: []Party{{Name: "alice", Columns: one}}}
	if _, err := s.Result(nil); err == nil {
		t.Error("missing results are not refused")
	}
}

// TestInflation compares with 1/(1 − R²) of regressions, in cases that are computed by hand.
func TestInflation(t *testing.T) {
	matrix := func(rows ...[]float64) [][]*float64 {
		var out [][]*float64
		for _, r := range rows {
			var row []*float64
			for i := range r {
				if math.IsNaN(r[i]) {
					row = append(row, nil)
				} else {
					row = append(row, &r[i])
				}
			}
			out = append(out, row)
		}
		return out
	}
	for _, x := range []struct {
		of   [][]*float64
		want []float64 // NaN: null
	}{
		{matrix([]float64{1}), []float64{1}},
		{matrix([]float64{1, 0.6}, []float64{0.6, 1}), []float64{1.5625, 1.5625}},
		// the inverse of a matrix with 1 and 0.5 has the diagonal 1.5
		{matrix([]float64{1, 0.5, 0.5}, []float64{0.5, 1, 0.5}, []float64{0.5, 0.5, 1}), []float64{1.5, 1.5, 1.5}},
		{matrix([]float64{1, 1, 0}, []float64{1, 1, 0}, []float64{0, 0, 1}), []float64{math.NaN(), math.NaN(), 1}},
		{matrix([]float64{1, math.NaN()}, []float64{math.NaN(), math.NaN()}), nil},
	} {
		got := inflation(x.of)
		if len(got) != len(x.want) {
			t.Errorf("got %d factors, want %v", len(got), x.want)
			continue
		}
		for i, w := range x.want {
			if math.IsNaN(w) != (got[i] == nil) || got[i] != nil && math.Abs(*got[i]-w) > 1e-12 {
				t.Errorf("factor %d is not %v", i, w)
			}
		}
	}
}

// TestShape: skewness and kurtosis of known values, which 0, 0, 0, 4 and 1, 2, 3, 4 have; none of equal ones.
func TestShape(t *testing.T) {
	s := &Statistics{Rows: 4, Parties: []Party{{Name: "a", Columns: []Column{
		{Name: "x", Values: []float64{0, 4, 0, 0}}, {Name: "y", Values: []float64{1, 2, 3, 4}}, {Name: "z", Values: []float64{5, 5, 5, 5}},
	}}, {Name: "b"}}}
	r, _ := run(t, s)
	for i, want := range [][2]float64{{2 / math.Sqrt(3), 7.0/3 - 3}, {0, 1.64 - 3}} {
		if c := r.Columns[i]; math.Abs(*c.Skewness-want[0]) > 1e-12 || math.Abs(*c.Kurtosis-want[1]) > 1e-12 {
			t.Errorf("%s: skewness %v, kurtosis %v, want %v", c.Name, *c.Skewness, *c.Kurtosis, want)
		}
	}
	if c := r.Columns[2]; c.Skewness != nil || c.Kurtosis != nil {
		t.Errorf("equal values have %v, %v", c.Skewness, c.Kurtosis)
	}
	var b bytes.Buffer
	if err := r.Print(&b); err != nil || !strings.Contains(b.String(), "kurtosis") {
		t.Errorf("printed %s: %v", &b, err)
	}
}
