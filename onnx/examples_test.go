package onnx_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/party"
)

// TestExamples runs the jobs in examples whose program is an ONNX model and compares the results with those of onnxruntime.
func TestExamples(t *testing.T) {
	for _, name := range []string{"onnx", "resnet"} {
		t.Run(name, func(t *testing.T) {
			j, err := job.Load(filepath.Join("../examples", name, "job.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			p, err := j.ReadProgram(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			want, err := j.Expected(p)
			if err != nil {
				t.Fatal(err)
			}
			s, err := j.RunSpec(p)
			if err != nil {
				t.Fatal(err)
			}
			out, err := party.Run(context.Background(), s)
			if err != nil {
				t.Fatal(err)
			}
			if _, off := job.Compare(out.Results, want, j.Expect.Atol, j.Expect.Rtol); off != nil {
				t.Error(off)
			}
		})
	}
}

// TestOutputs imports a model up to the features before its last layer: neither the layer nor its weights are there.
func TestOutputs(t *testing.T) {
	path := "../examples/resnet/model.onnx"
	shapes := map[string][]int{"image": {2, 1, 8, 8}}
	whole, err := imported(t, path, onnx.Options{Shapes: shapes})
	if err != nil {
		t.Fatal(err)
	}
	m, err := imported(t, path, onnx.Options{Shapes: shapes, Outputs: []string{"/6/Flatten_output_0"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Program.Main.Results; len(got) != 1 || !slices.Equal([]int(got[0].Shape), []int{2, 16}) {
		t.Errorf("results %v, want the features", got)
	}
	if got, want := len(m.Weights), len(whole.Weights)-2; got != want {
		t.Errorf("%d weights, want %d: those of the last layer are left out", got, want)
	}
	_, err = imported(t, path, onnx.Options{Shapes: shapes, Outputs: []string{"features"}})
	if err == nil || !strings.Contains(err.Error(), `"features"`) || !strings.Contains(err.Error(), "scores") {
		t.Errorf("error %v, want one that names the output and the last ones of the graph", err)
	}
}
