package party_test

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// pytorchModules are the modules of testdata/pytorch, and the size of their parameters.
var pytorchModules = map[string]float64{"mlp": 0.3, "lstm": 0.3, "encoder": 0.1, "resnet18": 0.03}

// pytorch returns a module as a front-end prints it, with inputs of alice and weights of bob: the same numbers for the
// same names.
func pytorch(t *testing.T, module, frontend string, size float64) party.Spec {
	t.Helper()
	file := filepath.Join("testdata", "pytorch", module+"."+frontend)
	p, err := hlo.ReadFile(file + ".mlir")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	if err := json.Unmarshal(text, &names); err != nil {
		t.Fatal(err)
	}
	if len(names) != len(p.Main.Body.Params) {
		t.Fatalf("%s has %d arguments and %d names", file, len(p.Main.Body.Params), len(names))
	}
	s := party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0}, Network: "none"}
	input := regexp.MustCompile(`^x[0-9]+$`)
	for i, v := range p.Main.Body.Params {
		h := fnv.New64a()
		h.Write([]byte(names[i]))
		r := rand.New(rand.NewPCG(1, h.Sum64()))
		x := make([]float64, v.Type.Shape.Size())
		for j := range x {
			x[j] = size * r.NormFloat64()
		}
		owner, name := 1, names[i]
		switch {
		case input.MatchString(name):
			owner = 0
			for j := range x {
				x[j] /= size
			}
		case strings.HasSuffix(name, "running_var"),
			(strings.Contains(name, "norm") || strings.Contains(name, "bn")) && strings.HasSuffix(name, "weight"):
			for j := range x {
				x[j] = 1 + 0.2*math.Tanh(x[j])
			}
		}
		data := tensor.NewArray(v.Type) // of integers: num_batches_tracked, which nothing reads
		if v.Type.DType.IsFloat() {
			data = tensor.FromFloats(v.Type.DType, v.Type.Shape, x)
		}
		s.Args = append(s.Args, party.Arg{Owner: owner, Data: data})
	}
	return s
}

// torch-mlir and torch_xla print the same modules otherwise than JAX does: arith.constant, float64 within a layer norm,
// a softmax that asks for infinite rows, erf as a quotient of polynomials or a custom call, batch_norm_inference,
// batch_norm_training for a layer norm, a padded max-pool. None costs more than torchax's text, within 5 %.
func TestPyTorchCosts(t *testing.T) {
	t.Parallel()
	for module, size := range pytorchModules {
		var bytes, dealt int64
		for _, frontend := range []string{"torchax", "torch_mlir", "torch_xla"} {
			r, err := party.Plan(context.Background(), pytorch(t, module, frontend, size))
			if err != nil {
				t.Fatalf("%s of %s: %v", module, frontend, err)
			}
			online := int64(0)
			for _, b := range r.Online.BytesSent {
				online += b
			}
			t.Logf("%s of %s: %d bytes online in %d rounds, %d dealt", module, frontend, online, r.Online.Rounds, r.Offline.BytesSent)
			if frontend == "torchax" {
				bytes, dealt = online, r.Offline.BytesSent
			}
			if float64(online) > 1.05*float64(bytes) || float64(r.Offline.BytesSent) > 1.05*float64(dealt) {
				t.Errorf("%s of %s: %d bytes online and %d dealt, and of torchax %d and %d", module, frontend, online, r.Offline.BytesSent, bytes, dealt)
			}
		}
	}
}

// The texts of the three front-ends compute the same, in the clear and on secrets.
func TestPyTorchResults(t *testing.T) {
	t.Parallel()
	for module, size := range pytorchModules {
		if module == "resnet18" && !testcases.All() {
			t.Log("without resnet18 (TACET_TEST_ALL=1 runs it)")
			continue
		}
		var want *tensor.Array
		for _, frontend := range []string{"torchax", "torch_mlir", "torch_xla"} {
			s := pytorch(t, module, frontend, size)
			if want == nil {
				var args []*tensor.Array
				for _, a := range s.Args {
					args = append(args, a.Data)
				}
				clear, err := eval.Func(context.Background(), s.Program.Main, args)
				if err != nil {
					t.Fatalf("%s of %s: %v", module, frontend, err)
				}
				want = clear[0]
			}
			if module == "resnet18" && frontend != "torch_xla" {
				continue // takes seconds: the text that differs most
			}
			out, err := party.Run(context.Background(), s)
			if err != nil {
				t.Fatalf("%s of %s: %v", module, frontend, err)
			}
			got := out.Results[0]
			if !got.Type.Equal(want.Type) {
				t.Fatalf("%s of %s: the result is %v, not %v", module, frontend, got.Type, want.Type)
			}
			worst := 0.0
			for i, x := range want.Floats() {
				worst = max(worst, math.Abs(got.Floats()[i]-x))
			}
			if !(worst < 1e-3) {
				t.Errorf("%s of %s: the largest error is %v", module, frontend, worst)
			}
			t.Logf("%s of %s: largest error %.2g", module, frontend, worst)
		}
	}
}
