package hlo

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tacet-mpc/tacet/tensor"
)

// sameProgram compares the meaning of programs: everything except texts, positions, value names and
// locations.
var sameProgram = cmp.Options{
	cmpopts.IgnoreFields(Program{}, "File", "Text"),
	cmpopts.IgnoreFields(Func{}, "Pos"),
	cmpopts.IgnoreFields(Value{}, "Name", "Pos"),
	cmpopts.IgnoreFields(Op{}, "Written", "Pos", "Loc", "Callee"), // its name is an attribute
	cmpopts.EquateNaNs(),
	cmpopts.EquateEmpty(),
}

func parsed(t *testing.T, file string) *Program {
	t.Helper()
	p, err := ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// every_op.*.mlir hold one program that contains every supported operation, as MLIR prints it in
// pretty form, in generic form, and with locations. All give the same program.
func TestFormsAgree(t *testing.T) {
	pretty := parsed(t, "every_op.pretty.mlir")
	for _, file := range []string{"every_op.generic.mlir", "every_op.loc.mlir"} {
		if diff := cmp.Diff(pretty, parsed(t, file), sameProgram); diff != "" {
			t.Errorf("%s differs (-pretty +%s):\n%s", file, file, diff)
		}
	}
}

// Functions are read in both forms as the same operation and print in the pretty one. Their texts differ in names only,
// so every_op need not contain them all.
func TestFunctions(t *testing.T) {
	for _, f := range slices.Concat(accurateFunctions, otherFunctions, chloFunctions) {
		typ, arrow := "tensor<2xf32>", ""
		if !f.takes.has(tensor.F32) {
			typ = "tensor<2xi32>"
		}
		if strings.HasPrefix(f.name, "chlo.") {
			arrow = typ + " -> "
		}
		pretty := f.name + " %arg0 : " + arrow + typ
		var read []*Program
		for _, op := range []string{pretty, strconv.Quote(f.name) + "(%arg0) : (" + typ + ") -> " + typ} {
			p, err := parse(t.Context(), "test.mlir", []byte("func.func @main(%arg0: "+typ+") -> "+typ+" {\n  %0 = "+op+"\n  return %0 : "+typ+"\n}"))
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, p)
		}
		if diff := cmp.Diff(read[0], read[1], sameProgram); diff != "" {
			t.Errorf("-pretty +generic:\n%s", diff)
		}
		if text := string(printed(t, read[1])); !strings.Contains(text, "%0 = "+pretty+"\n") {
			t.Errorf("%s prints as\n%s", pretty, text)
		}
	}
}

// every_op contains every operation that is neither refused nor a function (TestFunctions).
func TestEveryOpOccurs(t *testing.T) {
	seen := map[string]bool{}
	var visit func(b *Block)
	visit = func(b *Block) {
		for _, o := range b.Ops {
			seen[o.Title()] = true
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, f := range parsed(t, "every_op.pretty.mlir").Funcs {
		visit(f.Body)
	}
	for _, f := range slices.Concat(accurateFunctions, otherFunctions, chloFunctions) {
		seen[f.name] = true
	}
	for name, d := range registry {
		if d.refusal == "" && !seen[name] {
			t.Errorf("%s does not occur", name)
		}
	}
}
