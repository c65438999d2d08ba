package build_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// sameProgram compares what programs mean: all but names of modules and
// values, texts and positions.
var sameProgram = cmp.Options{
	cmpopts.IgnoreFields(hlo.Program{}, "File", "Name", "Text"),
	cmpopts.IgnoreFields(hlo.Func{}, "Pos"),
	cmpopts.IgnoreFields(hlo.Value{}, "Name", "Pos"),
	cmpopts.IgnoreFields(hlo.Op{}, "Written", "Pos", "Callee"), // its name is an attribute
	cmpopts.EquateNaNs(),
	cmpopts.EquateEmpty(),
}

// rebuilt builds a parsed program anew, operation by operation. Results are
// inferred, but of operations for which typed returns true.
type rebuilt struct {
	b      *build.Builder
	values map[*hlo.Value]build.Value
	typed  func(o *hlo.Op) bool
}

// rebuild builds all of p's functions; called ones first.
func rebuild(p *hlo.Program, typed func(o *hlo.Op) bool) (*hlo.Program, error) {
	b := build.New(p.Name)
	for _, f := range p.Funcs {
		if f != p.Main {
			function(f, b.Func(f.Name), typed)
		}
	}
	function(p.Main, b, typed)
	return b.Program()
}

func function(f *hlo.Func, b *build.Builder, typed func(o *hlo.Op) bool) {
	r := &rebuilt{b, map[*hlo.Value]build.Value{}, typed}
	for _, v := range f.Body.Params {
		r.values[v] = b.Arg(v.Name, v.Type.DType, v.Type.Shape...)
	}
	b.Return(r.block(f.Body)...)
}

func (r *rebuilt) of(vs []*hlo.Value) []build.Value {
	out := make([]build.Value, len(vs))
	for i, v := range vs {
		out[i] = r.values[v]
	}
	return out
}

// block builds a block's operations and returns what its terminator returns.
func (r *rebuilt) block(b *hlo.Block) []build.Value {
	for _, o := range b.Ops[:len(b.Ops)-1] {
		r.op(o)
	}
	return r.of(b.Return().Operands)
}

func (r *rebuilt) op(o *hlo.Op) {
	var regions []build.Region
	for _, inner := range o.Regions {
		regions = append(regions, func(params []build.Value) []build.Value {
			for i, v := range inner.Params {
				r.values[v] = params[i]
			}
			return r.block(inner)
		})
	}
	var results []build.Value
	if r.typed(o) {
		results = r.b.TypedOp(o.Name, types(o.Results), r.of(o.Operands), o.Attrs, regions...)
	} else {
		results = r.b.Op(o.Name, r.of(o.Operands), o.Attrs, regions...)
	}
	for i, v := range o.Results {
		r.values[v] = results[i]
	}
}

func types(vs []*hlo.Value) []tensor.Type {
	out := make([]tensor.Type, len(vs))
	for i, v := range vs {
		out[i] = v.Type
	}
	return out
}

// functionsOf is p with main as its first function, as a Builder has it.
func functionsOf(p *hlo.Program) *hlo.Program {
	out := *p
	out.Funcs = append([]*hlo.Func{p.Main}, slices.DeleteFunc(slices.Clone(p.Funcs), func(f *hlo.Func) bool { return f == p.Main })...)
	return &out
}

// chosen are the operations whose result types do not follow from the rest.
var chosen = []string{
	"stablehlo.all_gather", "stablehlo.bitcast_convert", "stablehlo.broadcast_in_dim", "stablehlo.convert", "stablehlo.custom_call", "stablehlo.iota",
	"stablehlo.reduce_scatter", "stablehlo.reshape", "stablehlo.rng", "stablehlo.rng_bit_generator",
}

// Every operation of the registry is built as its text is parsed, with types
// given and with types inferred.
func TestEveryOp(t *testing.T) {
	p, err := hlo.ReadFile(filepath.Join("..", "testdata", "every_op.pretty.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	for name, typed := range map[string]func(o *hlo.Op) bool{
		"given":    func(o *hlo.Op) bool { return len(o.Results) > 0 },
		"inferred": func(o *hlo.Op) bool { return slices.Contains(chosen, o.Name) && len(o.Results) > 0 },
	} {
		t.Run(name, func(t *testing.T) {
			q, err := rebuild(p, typed)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(functionsOf(p), q, sameProgram); diff != "" {
				t.Errorf("-parsed +built:\n%s", diff)
			}
			reads(t, q)
			missing := slices.DeleteFunc(hlo.Operations(), func(name string) bool { return hlo.Has(name, hlo.Alias) })
			eachOp(q, func(o *hlo.Op) {
				missing = slices.DeleteFunc(missing, func(name string) bool { return name == o.Name })
			})
			missing = slices.DeleteFunc(missing, builtAlone)
			if len(missing) > 0 {
				t.Errorf("not built: %s", strings.Join(missing, ", "))
			}
		})
	}
}

// builtAlone reports whether an operation can be built of one tensor: a function, which the text need not contain.
func builtAlone(name string) bool {
	if !hlo.Has(name, hlo.Elementwise) {
		return false
	}
	for _, d := range []tensor.DType{tensor.F32, tensor.I32} {
		b := build.New("alone")
		x := b.Arg("x", d, 2)
		if b.Return(b.Op(name, []build.Value{x}, nil)[0]); b.Err() == nil {
			return true
		}
	}
	return false
}

// reads checks that a built program's text parses as the same program and
// prints the same again.
func reads(t rapid.TB, p *hlo.Program) *hlo.Program {
	t.Helper()
	q := prints(t, p)
	if diff := cmp.Diff(p, q, sameProgram); diff != "" {
		t.Fatalf("-built +parsed:\n%s", diff)
	}
	return q
}

// prints checks that a built program's text parses and prints the same again.
func prints(t rapid.TB, p *hlo.Program) *hlo.Program {
	t.Helper()
	q, err := hlo.Parse("printed", p.Text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, p.Text)
	}
	var text bytes.Buffer
	if err := q.Print(&text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(p.Text), text.String()); diff != "" {
		t.Fatalf("-built +parsed:\n%s", diff)
	}
	return q
}

// eachOp visits all operations of a program.
func eachOp(p *hlo.Program, f func(o *hlo.Op)) {
	var visit func(b *hlo.Block)
	visit = func(b *hlo.Block) {
		for _, o := range b.Ops {
			f(o)
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, fn := range p.Funcs {
		visit(fn.Body)
	}
}
