package model_test

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/onnx/model"
)

// seeds are the models of the importer's tests.
func seeds(f *testing.F) {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "models", "*", "*"))
	if err != nil || len(names) == 0 {
		f.Fatalf("no models: %v", err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		if len(b) < 64<<10 {
			f.Add(b)
		}
	}
}

// FuzzRead reads damaged models and tensors: an error has a place in the file, and tensors have the elements of their
// shape.
func FuzzRead(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		m, err := model.Read(r, int64(len(b)))
		check(t, b, err)
		if err == nil && m.Graph != nil {
			for _, x := range m.Graph.Initializers {
				elements(t, x)
			}
		}
		x, err := model.ReadTensor(r, int64(len(b)))
		check(t, b, err)
		if err == nil {
			elements(t, x)
		}
	})
}

func check(t *testing.T, b []byte, err error) {
	var e *model.Error
	if err != nil && (!errors.As(err, &e) || e.Offset < 0 || e.Offset > int64(len(b)) || e.Msg == "") {
		t.Fatalf("%v is no error with a place", err)
	}
}

func elements(t *testing.T, x *model.Tensor) {
	a, err := x.Array()
	if err != nil {
		return
	}
	if n := a.Len(); n != x.Elements() || n > math.MaxInt32 {
		t.Fatalf("%d elements, want %d", n, x.Elements())
	}
	if err := a.Check(); err != nil {
		t.Fatal(err)
	}
}
