package fitted_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/gbt"
	"github.com/tacet-mpc/tacet/glm"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/onnx/fitted"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// predicted writes an ONNX model to a file, imports it, and returns its prediction for rows of the inputs, by name.
func predicted(t *testing.T, m *model.Model, rows map[string][]float64) []float64 {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(path, m.Encode(), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := onnx.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for _, values := range rows {
		n = len(values)
	}
	imported, err := f.Import(onnx.Options{Dims: map[string]int{"rows": n}})
	if err != nil {
		t.Fatal(err)
	}
	var args []*tensor.Array
	for _, in := range imported.Inputs {
		values, ok := rows[in.Name]
		if !ok {
			t.Fatalf("there is an input %q", in.Name)
		}
		if in.Type.DType != tensor.F64 || !in.Type.Shape.Equal(tensor.Shape{n, 1}) {
			t.Errorf("input %s has type %v", in.Name, in.Type)
		}
		args = append(args, tensor.FromFloats(in.Type.DType, in.Type.Shape, values))
	}
	if len(args) != len(rows) {
		t.Errorf("%d inputs, want %d", len(args), len(rows))
	}
	for _, w := range imported.Weights {
		a, err := w.Array()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, a)
	}
	out, err := eval.Func(context.Background(), imported.Program.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out[0].Floats()
}

func near(t *testing.T, got, want []float64, relative float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d predictions, want %d", len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= relative*math.Abs(want[i])) {
			t.Errorf("row %d: %v, want %v", i, got[i], want[i])
		}
	}
}

// TestLinks: the ONNX model of a fit computes the mean of each link, with an offset and without, of features as large as years.
func TestLinks(t *testing.T) {
	means := map[glm.Link]func(x float64) float64{
		glm.Identity: func(x float64) float64 { return x },
		glm.Log:      math.Exp,
		glm.Logit:    func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		glm.Inverse:  func(x float64) float64 { return 1 / x },
	}
	year, level, exposure := []float64{1947, 1950, 1962}, []float64{0, 1, 1}, []float64{0.5, 0, -0.25}
	for link, mean := range means {
		for _, offset := range []string{"", "bob.exposure"} {
			t.Run(fmt.Sprint(link, offset), func(t *testing.T) {
				r := &glm.Result{Link: link, Family: glm.Gaussian, Offset: offset, Coefficients: []glm.Coefficient{
					{Name: "const", Value: -1829151.125}, {Name: "alice.year", Value: 939.5}, {Name: "bob.region=north", Value: 0.75},
				}}
				if link != glm.Identity {
					r.Coefficients[0].Value, r.Coefficients[1].Value = -9.5, 0.005
				}
				m, err := fitted.GLM(r)
				if err != nil {
					t.Fatal(err)
				}
				rows := map[string][]float64{"alice.year": year, "bob.region=north": level}
				if offset != "" {
					rows[offset] = exposure
				}
				var want []float64
				for i := range year {
					x := r.Coefficients[0].Value + r.Coefficients[1].Value*year[i] + r.Coefficients[2].Value*level[i]
					if offset != "" {
						x += exposure[i]
					}
					want = append(want, mean(x))
				}
				near(t, predicted(t, m, rows), want, 1e-12)
			})
		}
	}
}

// TestTrees: rows go where the trees send them, also rows on a threshold that no number of 32 bits is, and through positions without a
// split.
func TestTrees(t *testing.T) {
	threshold := 0.1 // not a float32
	m := &gbt.Model{Kind: gbt.KindName, Rows: 100, Bins: 8, Depth: 2, Trees: []gbt.Tree{
		{Nodes: []gbt.Node{{Feature: "alice.age", Threshold: threshold}, {Feature: "bob.km", Threshold: -3}, {}}, Leaves: []float64{1, -1, 0.5, 7}},
		{Nodes: []gbt.Node{{}, {Feature: "alice.age", Threshold: 2}, {}}, Leaves: []float64{-0.25, 0.25, 7, 7}},
	}}
	x, err := fitted.Trees(m)
	if err != nil {
		t.Fatal(err)
	}
	age := []float64{threshold, math.Nextafter(threshold, 1), 0, 3}
	km := []float64{-3, 0, -2.5, -4}
	scores := []float64{1 - 0.25, 0.5 - 0.25, -1 - 0.25, 0.5 + 0.25}
	var want []float64
	for _, s := range scores {
		want = append(want, 1/(1+math.Exp(-s)))
	}
	near(t, predicted(t, x, map[string][]float64{"alice.age": age, "bob.km": km}), want, 1e-6)
}

// TestRefused: models without an input, or that no fit makes, are refused.
func TestRefused(t *testing.T) {
	for name, r := range map[string]*glm.Result{
		"no features":   {Link: glm.Log, Coefficients: []glm.Coefficient{{Name: "const"}}},
		"no link":       {Link: "probit", Coefficients: []glm.Coefficient{{Name: "const"}, {Name: "a"}}},
		"not a number":  {Link: glm.Log, Coefficients: []glm.Coefficient{{Name: "const"}, {Name: "a", Value: math.NaN()}}},
		"a name twice":  {Link: glm.Log, Coefficients: []glm.Coefficient{{Name: "const"}, {Name: "a"}, {Name: "a"}}},
		"a name inside": {Link: glm.Log, Coefficients: []glm.Coefficient{{Name: "const"}, {Name: "prediction"}}},
	} {
		if _, err := fitted.GLM(r); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for name, m := range map[string]*gbt.Model{
		"no split":       {Kind: gbt.KindName, Depth: 1, Trees: []gbt.Tree{{Nodes: []gbt.Node{{}}, Leaves: []float64{1, 2}}}},
		"a missing leaf": {Kind: gbt.KindName, Depth: 1, Trees: []gbt.Tree{{Nodes: []gbt.Node{{Feature: "a"}}, Leaves: []float64{1}}}},
	} {
		if _, err := fitted.Trees(m); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
