package pass

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// artifact parses an exported program.
func artifact(t *testing.T, file string) *hlo.Program {
	t.Helper()
	p, err := hlo.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestExpansions: each expansion becomes one operation, with the same results; with any of its constants or the
// direction of a comparison changed it stays.
func TestExpansions(t *testing.T) {
	files, _ := filepath.Glob("expansions/*.mlirbc")
	if len(files) == 0 {
		t.Fatal("no expansions")
	}
	r := rand.New(rand.NewPCG(1, 2))
	o := Options{Args: []hlo.Visibility{hlo.Secret}}
	for _, f := range files {
		p := artifact(t, f)
		name := filepath.Base(f)
		name = "chlo." + name[:strings.LastIndex(name, "_")]
		q := expansions.Apply(p, o)
		if err := q.Verify(); err != nil {
			t.Fatal(err)
		}
		if n := counts(q); n[name] != 1 || len(q.Main.Body.Ops) != 2 {
			t.Errorf("%s: %v", f, n)
		}
		if n := counts(expansions.Apply(p, Options{Args: []hlo.Visibility{hlo.Public}})); n[name] != 0 {
			t.Errorf("%s: changed on public values", f)
		}
		for range 20 {
			args := []*tensor.Array{random(r, p.Main.Body.Params[0].Type)}
			agree(t, results(t, q, args), results(t, p, args), 2e-5)
		}
		e := newEditor(t.Context(), o, p)
		e.analyse()
		used := map[*hlo.Op]bool{}
		for _, op := range p.Main.Body.Ops {
			for _, v := range op.Operands {
				used[e.def[v]] = true
			}
		}
		for i, op := range p.Main.Body.Ops {
			c := clone(p)
			at := c.Main.Body.Ops[i]
			switch {
			case op.Name == hlo.OpConstant && used[op] && op.Results[0].Type.DType.IsFloat():
				k, _ := op.Constant()
				x := k.Elements.Floats()[0]
				if math.IsInf(x, 0) || math.IsNaN(x) {
					continue
				}
				list := slices.Repeat([]float64{x*1.001 + 1e-6}, k.Type.Shape.Size())
				at.Attrs["value"] = tensor.FromFloats(k.Type.DType, k.Type.Shape, list)
			case op.Name == hlo.OpCompare:
				at.Attrs["comparison_direction"] = map[string]string{"LT": "GT", "GT": "LT", "LE": "GE", "GE": "LE", "EQ": "NE", "NE": "EQ"}[op.Attrs.Str("comparison_direction")]
			default:
				continue
			}
			if n := counts(expansions.Apply(c, o)); n[name] != 0 {
				t.Errorf("%s: %s at %d changed, and it is recognised", f, op.Name, i)
			}
		}
	}
}

// TestExpandedGelu: gelu in portable artifacts of three versions of JAX is recognised as one function.
func TestExpandedGelu(t *testing.T) {
	files, _ := filepath.Glob("testdata/gelu_*.mlirbc")
	if len(files) != 3 {
		t.Fatalf("%d artifacts", len(files))
	}
	for _, f := range files {
		q := Rewrite(artifact(t, f), Options{Args: []hlo.Visibility{hlo.Secret}})
		found := pattern.Find(q).All
		if !slices.ContainsFunc(found, func(m *pattern.Match) bool { return m.Kind == pattern.GeluErf }) {
			t.Errorf("%s: %v in\n%v", f, found, counts(q))
		}
	}
}
