package onnx_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/problem"
)

// mlp copies a model of PyTorch with external data into a folder. change may change the model's bytes.
func mlp(t *testing.T, change func(b []byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"model.onnx", "model.onnx.data"} {
		b, err := os.ReadFile(filepath.Join("testdata", "models", "mlp-dynamo", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "model.onnx" && change != nil {
			b = change(b)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "model.onnx")
}

func imported(t *testing.T, path string, o onnx.Options) (*onnx.Imported, error) {
	t.Helper()
	f, err := onnx.Open(path)
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { f.Close() })
	return f.Import(o)
}

// TestWeights compares the weights in the .npz file with those of the model: they are the arguments after the inputs.
func TestWeights(t *testing.T) {
	path := mlp(t, nil)
	m, err := imported(t, path, onnx.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Inputs) != 1 || len(m.Weights) != 4 || len(m.Program.Main.Body.Params) != 5 {
		t.Fatalf("%d inputs, %d weights, %d arguments", len(m.Inputs), len(m.Weights), len(m.Program.Main.Body.Params))
	}
	out := filepath.Join(filepath.Dir(path), "weights.npz")
	if err := m.WriteWeights(out); err != nil {
		t.Fatal(err)
	}
	z, err := npy.OpenArchive(out)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if names := []string{"arg1", "arg2", "arg3", "arg4"}; !slices.Equal(z.Names(), names) {
		t.Fatalf("the file has %v, want %v", z.Names(), names)
	}
	for i := range m.Weights {
		want, err := m.Weights[i].Array()
		if err != nil {
			t.Fatal(err)
		}
		got, err := z.Read(z.Names()[i])
		if err != nil {
			t.Fatal(err)
		}
		if !got.Type.Equal(want.Type) || !slices.Equal(got.Floats(), want.Floats()) {
			t.Errorf("weight %s is %v, want %v", m.Weights[i].Name, got.Type, want.Type)
		}
	}
}

// TestLinkedData checks that a symbolic link does not make any file a weight, and that a cache whose files are links to files beside each
// other can be imported.
func TestLinkedData(t *testing.T) {
	real := mlp(t, nil)
	dir := t.TempDir()
	path := filepath.Join(dir, "model.onnx")
	link := func(from, to string) {
		t.Helper()
		if err := os.Symlink(from, to); err != nil {
			t.Skip(err)
		}
	}
	link(real, path)
	link(real+".data", path+".data")
	if _, err := imported(t, path, onnx.Options{}); err != nil {
		t.Errorf("a cache of links: %v", err)
	}
	path = mlp(t, nil)
	if err := os.Remove(path + ".data"); err != nil {
		t.Fatal(err)
	}
	link(real+".data", path+".data")
	if _, err := imported(t, path, onnx.Options{}); err == nil || !strings.Contains(err.Error(), "a link to outside of the model's folder") {
		t.Errorf("data in another folder: %v", err)
	}
}

// TestMistakes has models and options that are refused with place and remedy.
func TestMistakes(t *testing.T) {
	replace := func(old, new string) func(b []byte) []byte {
		return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(old), []byte(new)) }
	}
	x := map[string][]int{"input": {4, 9}}
	for _, c := range []struct {
		name   string
		change func(b []byte) []byte
		data   string // replaces the external data; "" for the file as it is
		o      onnx.Options
		kind   problem.Kind
		want   string
	}{
		{"data outside of the folder", replace("model.onnx.data", "../../etc/hosts"), "", onnx.Options{}, problem.Usage, "which is outside of the model's folder"},
		{"no data", replace("model.onnx.data", "other.onnx.data"), "", onnx.Options{}, problem.Usage, "other.onnx.data, which cannot be read"},
		{"too little data", nil, "short", onnx.Options{}, problem.Usage, "has 5 bytes, too few for"},
		{"an unknown operation", replace("Softmax", "Softmux"), "", onnx.Options{}, problem.Unsupported, "the operation Softmux of the default domain is not supported"},
		{"another shape", nil, "", onnx.Options{Shapes: x}, problem.Usage, `input "input": dimension 1 is 8 in the file and 9 in the given shape`},
		{"another name", nil, "", onnx.Options{Shapes: map[string][]int{"y": {1}}}, problem.Usage, `the model has no such input (inputs: input)`},
		{"a dimension without a name", nil, "", onnx.Options{Dims: map[string]int{"batch": 1}}, problem.Usage, "no input has a dimension of that name"},
		{"half a file", func(b []byte) []byte { return b[:len(b)/2] }, "", onnx.Options{}, problem.Usage, "it is no ONNX model, or it is damaged"},
		{"an empty file", func([]byte) []byte { return nil }, "", onnx.Options{}, problem.Usage, "the file has no graph"},
	} {
		path := mlp(t, c.change)
		if c.data != "" {
			if err := os.WriteFile(path+".data", []byte(c.data), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		_, err := imported(t, path, c.o)
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "model.onnx") {
			t.Errorf("%s: %v, want %q of kind %s", c.name, err, c.want, c.kind)
		}
	}
}
