package hlo

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

// every_op contains every operation that is not refused.
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
	for name, d := range registry {
		if d.refusal == "" && !seen[name] {
			t.Errorf("%s does not occur", name)
		}
	}
}
