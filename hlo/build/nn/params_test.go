package nn_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestFiles saves and loads parameters in both formats.
func TestFiles(t *testing.T) {
	b := build.New("files")
	m := nn.New(b)
	m.Within("block", func() { m.Dense("dense", 3, 2) })
	first := m.Init(1)
	for _, name := range []string{"p.npz", "p.safetensors"} {
		path := filepath.Join(t.TempDir(), name)
		if err := first.Save(path); err != nil {
			t.Fatal(err)
		}
		p, err := nn.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Arrays(m)
		if err != nil {
			t.Fatal(err)
		}
		want, err := first.Arrays(m)
		if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(p.Names(), []string{"block.dense.weight", "block.dense.bias"}) {
			t.Errorf("%s: %v, want %v (%v)", name, got, want, err)
		}
	}
	if same := m.Init(1).Array("block.dense.weight"); !reflect.DeepEqual(same, first.Array("block.dense.weight")) {
		t.Error("one seed gives different numbers")
	}
	if other := m.Init(2).Array("block.dense.weight"); reflect.DeepEqual(other, first.Array("block.dense.weight")) {
		t.Error("two seeds give the same numbers")
	}
}

// TestParamMistakes names the file or the parameter.
func TestParamMistakes(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.safetensors")
	if err := os.WriteFile(bad, []byte("garbage!garbage!"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := nn.New(build.New("mistakes"))
	m.Param("p", nn.Fill(0), 2)
	missing, wrong, more := &nn.Params{}, &nn.Params{}, m.Init(1)
	wrong.Set("p", tensor.FromFloats(tensor.F32, tensor.Shape{3}, make([]float64, 3)))
	more.Set("q", tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{0}))
	for want, err := range map[string]error{
		"bad.safetensors: not a safetensors file":          second(nn.Load(bad)),
		"p.txt: parameters are .npz or .safetensors files": second(nn.Load("p.txt")),
		"p.txt: save parameters as .npz or .safetensors":   more.Save("p.txt"),
		`parameter "p" is missing`:                         second(missing.Arrays(m)),
		`parameter "p" is tensor<3xf32>, but the model`:    second(wrong.Arrays(m)),
		`the model has no parameter "q"`:                   second(more.Arrays(m)),
		"0 arrays are too few for 1 parameters":            second(m.Collect(nil)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// TestBuilderMistakes keeps the first mistake, and panics nowhere.
func TestBuilderMistakes(t *testing.T) {
	b := build.New("mistakes")
	x := b.Arg("x", tensor.F32, 2, 3, 4)
	m := nn.New(b)
	lstm, gru, attention := m.LSTM("l", 5, 6), m.GRU("g", 5, 6), m.Attention("a", 5, 2)
	dense, norm, table := m.Dense("d", 9, 1), m.BatchNorm("n", 9, 1e-3, 0.9), m.Embedding("e", 3, 2)
	loss := m.Train(3, nn.Adam{}, func(build.Value) build.Value {
		lstm.Apply(x)
		gru.Apply(x)
		attention.Apply(x, x, build.Value{})
		norm.Apply(norm.Train(dense.Apply(x)))
		return nn.SoftmaxCrossEntropy(b, table.Apply(x), x)
	})
	b.Return(append(m.Values(), loss)...)
	_, err := b.Program()
	if err == nil || !strings.Contains(err.Error(), "recurrent.go") && !strings.Contains(err.Error(), "layers.go") {
		t.Errorf("%v", err)
	}
}
