package eval

import (
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Portable artifacts have the same results as the same programs as text.
func TestArtifacts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "hlo", "testdata", "artifact", "[^eo]*.mlirbc"))
	if err != nil || len(files) < 12 {
		t.Fatalf("artifacts %v, %v", files, err)
	}
	files = append(files, filepath.Join("..", "hlo", "testdata", "artifact", "elementwise.mlirbc"))
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".mlirbc"), func(t *testing.T) {
			want, got := run(t, strings.TrimSuffix(file, "bc")), run(t, file)
			if diff := cmp.Diff(want, got, cmpopts.EquateNaNs()); diff != "" {
				t.Errorf("(-text +artifact):\n%s", diff)
			}
			if len(got) == 0 {
				t.Error("no results")
			}
		})
	}
}

// run evaluates a program on arguments that are determined by their types.
func run(t *testing.T, file string) []*tensor.Array {
	t.Helper()
	p, err := hlo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 6))
	var args []*tensor.Array
	for _, v := range p.Main.Body.Params {
		values, words := make([]float64, v.Type.Shape.Size()), make([]uint64, v.Type.Shape.Size())
		for i := range values {
			values[i], words[i] = 4*r.Float64()-2, r.Uint64N(4)
		}
		if v.Type.DType.IsFloat() {
			args = append(args, tensor.FromFloats(v.Type.DType, v.Type.Shape, values))
		} else {
			args = append(args, tensor.FromWords(v.Type.DType, v.Type.Shape, words))
		}
	}
	out, err := Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
