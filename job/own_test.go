package job

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestOwn binds one party's inputs; the other party's files do not exist.
func TestOwn(t *testing.T) {
	p, err := hlo.Parse("p.mlir", []byte(`func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>, %c: tensor<2xf32>) -> tensor<2xf32> {
  return %a : tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	array := &tensor.Array{Type: p.Main.Body.Params[0].Type, Data: []float32{1, 2}}
	for _, name := range []string{"b.npy", "c.npy"} {
		if err := npy.WriteFile(filepath.Join(dir, name), array); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "job.yaml")
	if err := os.WriteFile(file, []byte(`program: p.mlir
parties: [alice, bob]
inputs:
  - {owner: alice, name: ledger, args: [0]}
  - {owner: bob, file: b.npy, arg: 1}
  - {public: true, file: c.npy, arg: 2}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	j, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if args, err := j.Own(p, "bob"); err != nil || !slices.Equal(args, []int{1}) {
		t.Errorf("bob owns %v, %v", args, err)
	}
	if _, err := j.Own(p, "alice"); err == nil || !strings.Contains(err.Error(), "input ledger is an entry in the catalogue of alice") {
		t.Errorf("alice without her catalogue: %v", err)
	}
	public, _, err := j.Public(p)
	if err != nil || len(public) != 3 || public[0] != nil || public[1] != nil || public[2] == nil {
		t.Fatalf("public arguments are %v, %v", public, err)
	}
	s, err := j.OwnSpec(p, "bob", []int{0, 1, party.Public}, public)
	if err != nil {
		t.Fatal(err)
	}
	if s.Args[0].Data != nil || s.Args[1].Data != nil || s.Args[2].Data == nil || s.Args[0].Owner != 0 || s.Args[2].Owner != party.Public {
		t.Errorf("bob has arguments %+v", s.Args)
	}
	if own, err := j.OwnArgs(p, "bob"); err != nil || len(own) != 3 || own[0] != nil || own[1] == nil || own[2] != nil {
		t.Errorf("bob reads %v, %v", own, err)
	}
	for text, owners := range map[string][]int{
		"argument 0 is not in the inputs of bob":           {1, 1, party.Public},
		"public argument 1 is missing from the submission": {0, party.Public, party.Public},
		"argument 0 has no owner":                          {7, 1, party.Public},
		"owners of 1 arguments for a program of 3":         {0},
	} {
		if _, err := j.OwnSpec(p, "bob", owners, public); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("owners %v: %v, want %q", owners, err, text)
		}
	}
}
