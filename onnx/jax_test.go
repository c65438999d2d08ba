package onnx_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/party"
)

// TestAgainstJAX plans exports by PyTorch and the same networks in flax, with semi2k: an export may take up to 1.05 times the
// bytes, online and dealt, and the rounds. It runs if TACET_TEST_ONNX_MODELS is a folder that testdata/models.py writes, and
// TACET_TEST_ONNX_JAX one that testdata/jaxforms.py writes.
func TestAgainstJAX(t *testing.T) {
	exports, forms := os.Getenv("TACET_TEST_ONNX_MODELS"), os.Getenv("TACET_TEST_ONNX_JAX")
	if exports == "" || forms == "" {
		t.Skip("TACET_TEST_ONNX_MODELS or TACET_TEST_ONNX_JAX is not set")
	}
	files, err := filepath.Glob(filepath.Join(forms, "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no programs: %v", forms, err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".mlir")
		p, err := hlo.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want := planned(t, p)
		for _, exporter := range []string{"dynamo", "script"} {
			t.Run(name+"-"+exporter, func(t *testing.T) {
				e := readExported(t, filepath.Join(exports, name+"-"+exporter))
				m, err := e.file.Import(onnx.Options{Shapes: map[string][]int{e.file.Model.Graph.Inputs[0].Name: e.in[0].Shape}})
				if err != nil {
					t.Fatal(err)
				}
				got := planned(t, m.Program)
				t.Logf("%d bytes online, %d rounds, %d bytes dealt; in flax %d, %d, %d",
					got.bytes, got.rounds, got.dealt, want.bytes, want.rounds, want.dealt)
				over := func(a, b int64) bool { return float64(a) > 1.05*float64(b) }
				if over(got.bytes, want.bytes) || over(got.rounds, want.rounds) || over(got.dealt, want.dealt) {
					t.Error("more than 1.05 times of the form in flax")
				}
			})
		}
	}
}

// costs are those of a plan: bytes of both parties and rounds of the online phase, and bytes of the dealer.
type costs struct{ bytes, rounds, dealt int64 }

// planned returns the costs of a program with semi2k: alice owns the first argument, bob the others.
func planned(t *testing.T, p *hlo.Program) costs {
	t.Helper()
	s := party.Spec{Program: p, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Reveal: []int{0}}
	for i := range p.Main.Body.Params {
		s.Args = append(s.Args, party.Arg{Owner: min(i, 1)})
	}
	s, err := s.Resolve()
	if err != nil {
		t.Fatal(err)
	}
	r, err := party.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	online := r.Predicted.Online
	return costs{sum(online.BytesSent), int64(online.Rounds), r.Predicted.Offline.BytesSent}
}
