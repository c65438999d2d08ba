package pass

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// sample is a program and what a pass must make of it.
type sample struct {
	name string
	args string // types and owners: "3x4xf32@0 i32@p 2xf32" (0, 1: that party; p: all; else secret)
	body string
	outs string
	// want is the required number of operations of some kinds after the pass.
	want map[string]int // "tanh", or "tanh tensor<3xf32>" by its first result
}

// parsed returns the program and the visibilities of its arguments.
func (c sample) parsed(t testing.TB) (*hlo.Program, Options) {
	t.Helper()
	o := Options{Fold: true, Guard: 4, Guarded: math.Inf(1), Squares: 28}
	var args, outs []string
	for i, a := range strings.Fields(c.args) {
		typ, who, _ := strings.Cut(a, "@")
		args = append(args, fmt.Sprintf("%%%c: tensor<%s>", 'a'+i, typ))
		vis := hlo.Secret
		switch who {
		case "0", "1":
			vis = hlo.OwnerLocal(int(who[0] - '0'))
		case "p":
			vis = hlo.Public
		}
		o.Args = append(o.Args, vis)
	}
	for _, typ := range strings.Fields(c.outs) {
		outs = append(outs, "tensor<"+typ+">")
	}
	body, funcs, _ := strings.Cut(c.body, "func.func")
	if funcs != "" {
		funcs = "func.func" + funcs
	}
	text := fmt.Sprintf("func.func public @main(%s) -> (%s) {\n%s\n}\n%s", strings.Join(args, ", "), strings.Join(outs, ", "), body, funcs)
	p, err := hlo.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p, o
}

func counts(p *hlo.Program) map[string]int {
	n := map[string]int{}
	for _, f := range p.Funcs {
		eachIn(f.Body, func(o *hlo.Op) {
			name := strings.TrimPrefix(o.Name, "stablehlo.")
			n[name]++
			if len(o.Results) > 0 {
				n[name+" "+o.Results[0].Type.String()]++
			}
		})
	}
	return n
}

// random returns an argument of random numbers from −2 to 2.
func random(r *rand.Rand, t tensor.Type) *tensor.Array {
	if t.DType.IsFloat() {
		v := make([]float64, t.Shape.Size())
		for i := range v {
			v[i] = 4*r.Float64() - 2
		}
		return tensor.FromFloats(t.DType, t.Shape, v)
	}
	w := make([]uint64, t.Shape.Size())
	for i := range w {
		if w[i] = r.Uint64(); t.DType == tensor.Bool {
			w[i] &= 1
		}
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// results evaluates a program in the clear.
func results(t *testing.T, p *hlo.Program, args []*tensor.Array) []*tensor.Array {
	t.Helper()
	out, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// agree compares results; non-floats must be equal.
func agree(t *testing.T, got, want []*tensor.Array, tol float64) {
	t.Helper()
	for i, g := range got {
		w := want[i]
		if !g.Type.Equal(w.Type) {
			t.Errorf("result %d is %v, but was %v", i, g.Type, w.Type)
			continue
		}
		if !g.DType.IsFloat() {
			if d := cmp.Diff(w.Words(), g.Words()); d != "" {
				t.Errorf("result %d (-without +with passes):\n%s", i, d)
			}
			continue
		}
		a, b := g.Floats(), w.Floats()
		for j := range a {
			if math.IsNaN(a[j]) != math.IsNaN(b[j]) || math.Abs(a[j]-b[j]) > tol*(1+math.Abs(b[j])) {
				t.Errorf("result %d, element %d is %v, but was %v", i, j, a[j], b[j])
				break
			}
		}
	}
}

// check applies passes. The verifier must accept the result, the given program must be unchanged,
// and the results must be the same.
func check(t *testing.T, c sample, apply func(p *hlo.Program, o Options) *hlo.Program) *hlo.Program {
	t.Helper()
	p, o := c.parsed(t)
	before := counts(p)
	q := apply(p, o)
	if err := q.Verify(); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(before, counts(p)); d != "" {
		t.Errorf("the program was changed:\n%s", d)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var args []*tensor.Array
	for _, v := range p.Main.Body.Params {
		args = append(args, random(r, v.Type))
	}
	agree(t, results(t, q, args), results(t, p, args), 1e-5)
	lines := strings.Count(string(p.Text), "\n")
	for _, f := range q.Funcs {
		eachIn(f.Body, func(o *hlo.Op) {
			if o.Pos.File != "test.mlir" || o.Pos.Line < 1 || o.Pos.Line > lines {
				t.Errorf("%s has position %v", o.Name, o.Pos)
			}
		})
	}
	return q
}

func TestPasses(t *testing.T) {
	for pass, samples := range samples {
		var p Pass
		for _, x := range Passes() {
			if x.Name == pass {
				p = x
			}
		}
		if p.run == nil {
			t.Fatalf("there is no pass %s", pass)
		}
		for _, c := range samples {
			t.Run(pass+"/"+c.name, func(t *testing.T) {
				q := check(t, c, p.Apply)
				got := counts(q)
				for name, want := range c.want {
					if got[name] != want {
						t.Errorf("%d times %s, not %d: %v", got[name], name, want, got)
					}
				}
				check(t, c, Rewrite)
			})
		}
	}
	for _, x := range Passes() {
		if samples[x.Name] == nil {
			t.Errorf("pass %s has no test", x.Name)
		}
	}
}
