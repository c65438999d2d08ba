package hlo

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var rewrite = flag.Bool("rewrite", false, "write golden files anew")

// named returns a program's values by "function/name".
func named(p *Program) map[string]*Value {
	out := map[string]*Value{}
	var visit func(f string, b *Block)
	visit = func(f string, b *Block) {
		for _, v := range b.Params {
			out[f+"/"+v.Name] = v
		}
		for _, o := range b.Ops {
			for _, v := range o.Results {
				out[f+"/"+v.Name] = v
			}
			for _, r := range o.Regions {
				visit(f, r)
			}
		}
	}
	for _, f := range p.Funcs {
		visit(f.Name, f.Body)
	}
	return out
}

func TestVisibility(t *testing.T) {
	p := parsed(t, "visibility.mlir")
	values := named(p)
	for _, c := range []struct {
		name string
		args []Visibility
		want map[string]Visibility
	}{
		{"two parties", []Visibility{Public, OwnerLocal(0), OwnerLocal(1), Secret}, map[string]Visibility{
			"main/aa": OwnerLocal(0), "main/bb": OwnerLocal(1), "main/ab": Secret, "twice/0": Secret, "main/zero": Public,
			"main/loop#0": Public, "main/loop#1": Secret, "main/loop#2": Public, "main/more": Public, "main/i": Public, "main/y": Secret,
			"main/branch#0": Secret, "main/branch#1": Secret, "main/sum": OwnerLocal(0), "main/lhs": OwnerLocal(0),
		}},
		{"one party", []Visibility{Public, OwnerLocal(0), OwnerLocal(0), OwnerLocal(0)}, map[string]Visibility{
			"main/ab": OwnerLocal(0), "main/loop#0": Public, "main/loop#1": OwnerLocal(0), "main/branch#0": OwnerLocal(0), "twice/0": OwnerLocal(0),
		}},
		{"secret trip count", []Visibility{Secret, OwnerLocal(0), OwnerLocal(1), Public}, map[string]Visibility{
			"main/loop#0": Secret, "main/i": Secret, "main/next": Secret, "main/one": Public, "main/branch#0": OwnerLocal(0), "main/branch#1": Public,
		}},
		{"all public", []Visibility{Public, Public, Public, Public}, map[string]Visibility{"main/ab": Public, "main/loop#1": Public, "main/sum": Public}},
		{"all secret", nil, map[string]Visibility{"main/pub": Secret, "main/zero": Public, "main/sum": Secret}},
	} {
		t.Run(c.name, func(t *testing.T) {
			vis := p.Visibility(c.args)
			for name, want := range c.want {
				got, ok := vis[values[name]]
				if !ok || got != want {
					t.Errorf("%s is %v (%v), want %v", name, got, ok, want)
				}
			}
			if _, ok := vis[values["unused/0"]]; ok {
				t.Error("a function that main does not call is examined")
			}
		})
	}
}

// Join is the join of a lattice: commutative, associative, idempotent, with Public as smallest and
// Secret as largest element.
func TestJoin(t *testing.T) {
	one := rapid.Custom(func(t *rapid.T) Visibility { return Visibility(rapid.IntRange(-1, 3).Draw(t, "v")) })
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := one.Draw(t, "a"), one.Draw(t, "b"), one.Draw(t, "c")
		if a.Join(b) != b.Join(a) || a.Join(b).Join(c) != a.Join(b.Join(c)) || a.Join(a) != a || a.Join(Public) != a || a.Join(Secret) != Secret {
			t.Fatalf("%v, %v, %v do not obey", a, b, c)
		}
	})
	if party, ok := OwnerLocal(2).Party(); party != 2 || !ok || OwnerLocal(0).Join(OwnerLocal(1)) != Secret || OwnerLocal(1).String() != "party 1" {
		t.Errorf("Known(2) is of party %d, %v", party, ok)
	}
	if _, ok := Public.Party(); ok {
		t.Error("Public is of a party")
	}
}

// Functions called in too many contexts are merged, so that the analysis ends.
func TestVisibilityContexts(t *testing.T) {
	var text bytes.Buffer
	const n = 40 // 2^40 paths through the calls
	text.WriteString("func.func @main(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) { call @f0(%a, %b, %c) : (tensor<f32>, tensor<f32>, tensor<f32>) -> ()\n return }\n")
	for i := range n {
		name := func(k int) string { return "@f" + string(rune('0'+k/10)) + string(rune('0'+k%10)) }
		if i == 0 {
			text.WriteString("func.func private @f0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) {\n")
		} else {
			text.WriteString("func.func private " + name(i) + "(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>) {\n")
		}
		if i < n-1 {
			text.WriteString("%x = stablehlo.add %a, %b : tensor<f32>\n")
			for _, args := range []string{"%b, %c, %a", "%x, %b, %a", "%c, %x, %b"} {
				text.WriteString("call " + name(i+1) + "(" + args + ") : (tensor<f32>, tensor<f32>, tensor<f32>) -> ()\n")
			}
		}
		text.WriteString("return }\n")
	}
	p, err := Parse("p", text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	vis := p.Visibility([]Visibility{Public, OwnerLocal(0), OwnerLocal(1)})
	last := p.Funcs[len(p.Funcs)-1].Body.Params[0]
	if vis[last] != Secret {
		t.Errorf("the last function's argument is %v", vis[last])
	}
}

func TestInspect(t *testing.T) {
	var out bytes.Buffer
	if err := parsed(t, "visibility.mlir").Inspect(&out, []Visibility{Public, OwnerLocal(0), OwnerLocal(1), Secret}); err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "visibility.inspect.txt")
	if *rewrite {
		if err := os.WriteFile(golden, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Where the inference of visibilities has looked at too many operations, all values count as secret.
func TestVisibilityEnds(t *testing.T) {
	const depth = 50
	text := fmt.Sprintf("stablehlo.return %%u%d : tensor<i64>\n", depth-1)
	for i := depth - 1; i >= 0; i-- { // loop i is in the body of loop i-1
		text = fmt.Sprintf(`%%l%d = "stablehlo.while"(%%u%d) ({
^bb0(%%w%d: tensor<i64>):
  %%c%d = stablehlo.constant dense<true> : tensor<i1>
  stablehlo.return %%c%d : tensor<i1>
}, {
^bb0(%%u%d: tensor<i64>):
%s}) : (tensor<i64>) -> tensor<i64>
`, i, i-1, i, i, i, i, text)
		if i == 0 {
			text = strings.Replace(text, "(%u-1)", "(%first)", 1)
		} else {
			text += fmt.Sprintf("stablehlo.return %%l%d : tensor<i64>\n", i)
		}
	}
	p, err := Parse("p", []byte("func.func @main(%first: tensor<i64>) -> tensor<i64> {\n"+text+"return %l0 : tensor<i64>\n}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		work int
		want Visibility
	}{{maxWork, Public}, {100, Secret}} {
		all, n := p.visibility([]Visibility{Public}, c.work), 0
		p.Main.Body.eachValue(func(v *Value) {
			if n++; all[v] != c.want {
				t.Errorf("%%%s is %v after %d operations", v.Name, all[v], c.work)
			}
		})
		if n < 3*depth {
			t.Errorf("the program has %d values", n)
		}
	}
}
