package onnx_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// exported is a model with inputs and the outputs that onnxruntime computes; nil for an output that is no tensor.
type exported struct {
	file    *onnx.File
	in, out []*tensor.Array
}

func readExported(t *testing.T, folder string) exported {
	t.Helper()
	f, err := onnx.Open(filepath.Join(folder, "model.onnx"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	e := exported{file: f}
	for _, list := range []struct {
		name string
		to   *[]*tensor.Array
	}{{"in", &e.in}, {"out", &e.out}} {
		for i := 0; ; i++ {
			a, err := readTensor(filepath.Join(folder, fmt.Sprintf("%s%d.pb", list.name, i)))
			if errors.Is(err, os.ErrNotExist) {
				break
			}
			if err != nil && !errors.As(err, new(errSkip)) {
				t.Fatal(err)
			}
			*list.to = append(*list.to, a)
		}
	}
	return e
}

// TestModels runs what PyTorch's two exporters and the converters of scikit-learn, XGBoost and LightGBM write, privately with
// semi2k: alice has the inputs and bob the weights. testdata/models holds small ones; TACET_TEST_ONNX_MODELS is a folder with more, as
// testdata/models.py writes it.
func TestModels(t *testing.T) {
	folders := []string{filepath.Join("testdata", "models")}
	if more := os.Getenv("TACET_TEST_ONNX_MODELS"); more != "" {
		folders = append(folders, more)
	}
	for _, folder := range folders {
		names, err := filepath.Glob(filepath.Join(folder, "*", "out0.pb"))
		if err != nil || len(names) == 0 {
			t.Fatalf("%s has no models: %v", folder, err)
		}
		for _, name := range names {
			t.Run(filepath.Base(filepath.Dir(name)), func(t *testing.T) { runExported(t, filepath.Dir(name)) })
		}
	}
}

func runExported(t *testing.T, folder string) {
	e := readExported(t, folder)
	o := onnx.Options{Shapes: map[string][]int{}}
	for i, in := range e.file.Model.Graph.Inputs[:len(e.in)] {
		o.Shapes[in.Name] = e.in[i].Shape
	}
	m, err := e.file.Import(o)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]*tensor.Array{}, e.in...)
	s := party.Spec{Program: m.Program, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Reveal: []int{0}, Seed: []byte{1}}
	for i := range m.Weights {
		a, err := m.Weights[i].Array()
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, a)
	}
	for i, a := range args {
		s.Args = append(s.Args, party.Arg{Owner: min(1, i/len(e.in)), Data: a})
	}
	clear, err := eval.Func(context.Background(), m.Program.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	if worst, err := e.off(clear, 1e-4); err != nil {
		t.Fatalf("in clear: %v (largest error %.3g)", err, worst)
	}
	if s, err = s.Resolve(); err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	worst, err := e.off(out.Results, 1e-3)
	if err != nil {
		t.Errorf("privately: %v (largest error %.3g)", err, worst)
	}
	t.Logf("largest error %.2g, %d bytes online in %d rounds, %d bytes dealt", worst, sum(out.Report.Online.BytesSent), out.Report.Online.Rounds, out.Report.Offline.BytesSent)
}

// off is the largest error relative to 1 + |expected|; an error says where it is above the tolerance, or an integer differs.
func (e exported) off(got []*tensor.Array, tolerance float64) (worst float64, err error) {
	if len(got) != len(e.out) {
		return 0, fmt.Errorf("%d results, want %d", len(got), len(e.out))
	}
	for i, want := range e.out {
		if want == nil {
			continue
		}
		if got[i].Len() != want.Len() {
			return 0, fmt.Errorf("result %d has type %v, want %v", i, got[i].Type, want.Type)
		}
		g, w := got[i].Floats(), want.Floats()
		for k := range w {
			off := math.Abs(g[k]-w[k]) / (1 + math.Abs(w[k]))
			worst = max(worst, off)
			if !(off <= tolerance) && err == nil {
				err = fmt.Errorf("result %d: element %d is %v, want %v", i, k, g[k], w[k])
			}
		}
	}
	return worst, err
}

func sum(list []int64) (total int64) {
	for _, n := range list {
		total += n
	}
	return total
}
