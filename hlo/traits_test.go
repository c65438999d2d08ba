package hlo

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// listed returns the names of the operations with a trait, without their dialects.
func listed(t Traits) string {
	var out []string
	for _, name := range With(t) {
		if _, base, _ := strings.Cut(name, "."); !Has(name, Alias) {
			out = append(out, base)
		}
	}
	return strings.Join(out, " ")
}

// Traits that decide what passes may do are held to their members: a new operation gets one by intent only.
func TestTraits(t *testing.T) {
	for _, c := range []struct {
		trait Traits
		want  string
	}{
		{Commutative, "add and maximum minimum multiply or xor"},
		{Structured, "broadcast_in_dim concatenate dynamic_slice dynamic_update_slice gather pad reshape reverse slice transpose"},
		{Moving, "broadcast_in_dim dynamic_slice gather reshape reverse slice transpose"},
		{Contraction, "convolution dot_general"},
		{Precise, "abs add clamp convert divide maximum minimum multiply negate optimization_barrier reduce select subtract"},
		{Branch, "case if"},
		{Control, "case if while"},
		{Collective, "all_gather all_reduce all_to_all collective_broadcast collective_permute reduce_scatter"},
	} {
		if got := listed(c.trait); got != c.want {
			t.Errorf("trait %b: %s, want %s", c.trait, got, c.want)
		}
	}
	var impure []string
	for _, name := range Operations() {
		if !Has(name, Pure) {
			_, base, _ := strings.Cut(name, ".")
			impure = append(impure, base)
		}
	}
	slices.Sort(impure)
	if got, want := strings.Join(impure, " "), "all_gather all_reduce all_to_all collective_broadcast collective_permute custom_call "+
		"optimization_barrier partition_id reduce_scatter replica_id return return rng"; got != want {
		t.Errorf("impure: %s, want %s", got, want)
	}
}

// The form of an entry agrees with its traits.
func TestTraitsFit(t *testing.T) {
	for name, d := range registry {
		bad := func(why string) { t.Errorf("%s %s", name, why) }
		if d.traits&Elementwise != 0 && (d.results != exactly(1) || d.regions != exactly(0)) {
			bad("is elementwise, but has not one result or has regions")
		}
		if d.traits&Commutative != 0 && d.operands != exactly(2) {
			bad("is commutative, but has not two operands")
		}
		if d.traits&Expensive != 0 && (d.traits&Elementwise == 0 || name == OpBitcastConvert) {
			bad("is expensive, but not always elementwise")
		}
		if d.traits&Structured != 0 && len(d.linear) == 0 {
			bad("is structured without data operands")
		}
		if d.monotone.sign != 0 && (d.operands != exactly(1) || d.traits&Elementwise == 0) {
			bad("is monotone, but no function of one operand")
		}
		if d.traits&Branch != 0 && d.traits&Control == 0 {
			bad("is a branch, but no control flow")
		}
	}
}

func TestRegisteredTwice(t *testing.T) {
	table := Table[int]{OpAdd: 1}
	defer func() {
		if r := recover(); r != "operation registered twice: stablehlo.add" {
			t.Error(r)
		}
	}()
	table.AddAll(map[string]int{OpAdd: 2})
}

// The second forms of operations, as text, and what Parse makes of them.
func TestCanonical(t *testing.T) {
	const head = "func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %i: tensor<4xi32>) -> tensor<"
	for _, c := range []struct{ op, typ, want string }{
		{"stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>", "2xf32", "dot_general"},
		{"stablehlo.broadcast %b, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xf32>", "2x3xf32", "broadcast_in_dim"},
		{`"stablehlo.torch_index_select"(%a, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<2x4xf32>`, "2x4xf32", "gather"},
		{"chlo.tan %b : tensor<3xf32> -> tensor<3xf32>", "3xf32", "tan"},
		{"chlo.constant dense<1.0> : tensor<3xf32>", "3xf32", "constant"},
		{"chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>", "2x3xf32", "broadcast_in_dim add"},
		{"chlo.broadcast_add %a, %a : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>", "2x3xf32", "add"},
		{"chlo.broadcast_zeta %b, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>", "3xf32", "zeta"},
	} {
		text := head + c.typ + "> {\n  %r = " + c.op + "\n  return %r : tensor<" + c.typ + ">\n}"
		p, err := Parse("test.mlir", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if string(p.Text) != text {
			t.Error("the text of the program has changed")
		}
		var names []string
		ops := p.Main.Body.Ops[:len(p.Main.Body.Ops)-1]
		for _, o := range ops {
			_, base, _ := strings.Cut(o.Name, ".")
			names = append(names, base)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%s became %s, want %s", c.op, got, c.want)
		}
		last, written := ops[len(ops)-1], strings.Trim(strings.FieldsFunc(c.op, func(r rune) bool { return r == ' ' || r == '(' })[0], `"`)
		if last.Title() != written || last.Pos.String() != "test.mlir:2:8" {
			t.Errorf("%s is shown as %s at %v", written, last.Title(), last.Pos)
		}
		for id, o := range ops {
			if o.Results[0].ID != 3+id {
				t.Errorf("%s: value %d has the number %d", c.op, 3+id, o.Results[0].ID)
			}
		}
		if err := p.Verify(); err != nil {
			t.Errorf("%s: %v", c.op, err)
		}
	}
}

// A second form has a canonical one that is none.
func TestAliases(t *testing.T) {
	if len(With(Alias)) != 30 {
		t.Errorf("%d operations are second forms: %v", len(With(Alias)), With(Alias))
	}
	p := parsed(t, "every_op.pretty.mlir")
	for _, f := range p.Funcs {
		var visit func(b *Block)
		visit = func(b *Block) {
			for _, o := range b.Ops {
				if o.Is(Alias) || o.Written != "" && !Has(o.Written, Alias) {
					t.Errorf("%s (%s) is not in its canonical form", o.Name, o.Written)
				}
				for _, r := range o.Regions {
					visit(r)
				}
			}
		}
		visit(f.Body)
	}
}

// An operation of a region is brought to its canonical form too.
func TestCanonicalInRegion(t *testing.T) {
	p, err := Parse("test.mlir", []byte(`func.func @main(%a: tensor<3xf32>, %z: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.reduce(%a init: %z) applies chlo.broadcast_add across dimensions = [0] : (tensor<3xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	if o := p.Main.Body.Ops[0].Regions[0].Ops[0]; o.Name != OpAdd || o.Written != "chlo.broadcast_add" {
		t.Errorf("%s, written %s", o.Name, o.Written)
	}
}

func TestLinearOperand(t *testing.T) {
	value := &Value{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{}}}
	for _, c := range []struct {
		name     string
		operands int
		want     []int
	}{
		{OpAdd, 2, []int{0, 1}}, {OpDivide, 2, []int{0}}, {OpSelect, 3, []int{1, 2}}, {OpPad, 2, []int{0, 1}},
		{OpDynamicUpdateSlice, 4, []int{0, 1}},
		{OpConcatenate, 5, []int{0, 1, 2, 3, 4}}, {OpMaximum, 2, nil}, {OpTanh, 1, nil}, {"no.such", 1, nil},
	} {
		o := &Op{Name: c.name, Operands: slices.Repeat([]*Value{value}, c.operands)}
		var got []int
		for i := range c.operands + 1 {
			if o.LinearOperand(i) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s is linear in %v, want %v", c.name, got, c.want)
		}
	}
}
