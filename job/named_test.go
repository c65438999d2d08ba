package job_test

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/job/safetensors"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestSafetensors reads arguments from a .safetensors file, and refuses names that are no arguments and damaged files.
func TestSafetensors(t *testing.T) {
	p, err := hlo.Parse("p.mlir", []byte("func.func @main(%a: tensor<2xf32>, %b: tensor<f32>) -> tensor<2xf32> {\n return %a : tensor<2xf32>\n}"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write := func(name string, b []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("job.yaml", []byte("program: p.mlir\nparties: [alice, bob]\ninputs:\n- {owner: bob, file: weights.safetensors}\n"))
	load := func(names ...string) ([]*tensor.Array, error) {
		all := []safetensors.Tensor{
			{Name: names[0], Array: tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{7})},
			{Name: names[1], Array: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{1, 2})},
		}
		var b bytes.Buffer
		if err := safetensors.Write(&b, all); err != nil {
			t.Fatal(err)
		}
		if len(names) > 2 {
			b.Truncate(b.Len() - 1)
		}
		write("weights.safetensors", b.Bytes())
		j, err := job.Load(filepath.Join(dir, "job.yaml"))
		if err != nil {
			return nil, err
		}
		s, err := j.RunSpec(p)
		if err != nil {
			return nil, err
		}
		return []*tensor.Array{s.Args[0].Data, s.Args[1].Data}, nil
	}
	args, err := load("arg1", "arg0")
	if err != nil || !reflect.DeepEqual(args[0].Floats(), []float64{1, 2}) || args[1].Floats()[0] != 7 {
		t.Errorf("%v, %v", args, err)
	}
	for want, names := range map[string][]string{
		`weights.safetensors: array "fc.bias" does not name an argument`:               {"fc.bias", "arg0"},
		"weights.safetensors: argument 0 has type tensor<f32>, but the program expect": {"arg0", "arg1"},
		"weights.safetensors: the tensors have 12 bytes of elements, but the file has": {"arg1", "arg0", "truncated"},
	} {
		if _, err := load(names...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
