package onnx_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/problem"
)

// FuzzImport imports damaged models: each one is refused with an error of a kind, or makes a valid program.
func FuzzImport(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("testdata", "models", "*", "model.onnx"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no models: %v", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 20<<10 {
			f.Add(b)
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := onnx.Read("fuzz.onnx", bytes.NewReader(b), int64(len(b)))
		if err != nil {
			return
		}
		o := onnx.Options{Shapes: map[string][]int{}}
		for _, in := range r.Model.Graph.Inputs { // dimensions without a size get a small one
			shape := []int{}
			for _, d := range in.Type.Dims {
				size := int(d.Size)
				if d.Size < 0 || d.Size > 8 {
					size = 3
				}
				shape = append(shape, size)
			}
			o.Shapes[in.Name] = shape
		}
		m, err := r.Import(o)
		if err != nil {
			if !errors.Is(err, problem.Usage) && !errors.Is(err, problem.Unsupported) {
				t.Fatalf("%v has no kind", err)
			}
			return
		}
		if err := m.Program.Verify(); err != nil {
			t.Fatal(err)
		}
	})
}
