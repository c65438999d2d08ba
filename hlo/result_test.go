package hlo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

// everyOp visits every operation of every_op.
func everyOp(t *testing.T, f func(o *Op)) {
	var visit func(b *Block)
	visit = func(b *Block) {
		for _, o := range b.Ops {
			for _, r := range o.Regions {
				visit(r)
			}
			f(o)
		}
	}
	for _, fn := range parsed(t, "every_op.pretty.mlir").Funcs {
		visit(fn.Body)
	}
}

// The result types of all operations follow from the rest, but for those whose
// results a program chooses.
func TestInfer(t *testing.T) {
	chosen := map[string]bool{}
	everyOp(t, func(o *Op) {
		want := types(o.Results)
		p := *o
		p.Results, p.Attrs = nil, maps.Clone(o.Attrs)
		err := p.Infer()
		if registry[o.Name].free {
			if err == nil || !strings.Contains(err.Error(), "give them") {
				t.Errorf("%s: got %v", o.Name, err)
			}
			chosen[o.Name] = true
			p.Results = o.Results
			err = p.Infer()
		}
		if o.Name == "stablehlo.custom_call" && o.Attrs.Str("call_target_name") == "a b" {
			return // of a target that nobody knows
		}
		if err != nil {
			t.Errorf("%v: %s: %v", o.Pos, o.Name, err)
			return
		}
		if diff := cmp.Diff(want, types(p.Results)); diff != "" {
			t.Errorf("%v: %s: -parsed +inferred:\n%s", o.Pos, o.Name, diff)
		}
		if diff := cmp.Diff(o.Attrs, p.Attrs, sameProgram); diff != "" {
			t.Errorf("%v: %s: -parsed +inferred:\n%s", o.Pos, o.Name, diff)
		}
	})
	want := []string{
		"stablehlo.all_gather", "stablehlo.bitcast_convert", "stablehlo.broadcast_in_dim", "stablehlo.convert", "stablehlo.iota",
		"stablehlo.reduce_scatter", "stablehlo.reshape", "stablehlo.rng", "stablehlo.rng_bit_generator",
	}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(chosen))); diff != "" {
		t.Errorf("results are chosen of: -want +got:\n%s", diff)
	}
}

// The parameters of all regions follow from the operands.
func TestRegionParams(t *testing.T) {
	everyOp(t, func(o *Op) {
		want, err := o.RegionParams()
		if err != nil {
			t.Errorf("%v: %s: %v", o.Pos, o.Name, err)
		}
		for i, r := range o.Regions {
			if !sameTypes(types(r.Params), want) {
				t.Errorf("%v: %s: region %d takes %v, RegionParams gives %v", o.Pos, o.Name, i, types(r.Params), want)
			}
		}
	})
}

// Types that texts cannot have are refused.
func TestCheckType(t *testing.T) {
	for _, c := range []struct {
		d    tensor.DType
		dims tensor.Shape
		want string
	}{
		{tensor.F32, tensor.Shape{2, 0, 3}, ""},
		{tensor.C128, nil, ""},
		{tensor.Invalid, nil, "there is no element type invalid"},
		{99, nil, "there is no element type dtype(99)"},
		{tensor.F32, make(tensor.Shape, 65), "has 65 dimensions, more than 64"},
		{tensor.F32, tensor.Shape{-1}, "negative dimension"},
		{tensor.F32, tensor.Shape{0, 1<<40 + 1}, "is larger than 2^40"},
		{tensor.F32, tensor.Shape{1 << 30, 1 << 30}, "more than 2^40 elements"},
	} {
		err := CheckType(tensor.Type{DType: c.d, Shape: c.dims})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v %v: got %v, want %q", c.d, c.dims, err, c.want)
		}
	}
}

// Infer refuses what Parse would refuse.
func TestInferRefuses(t *testing.T) {
	v := &Value{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{3}}}
	huge := &Value{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{1 << 30}}}
	for _, c := range []struct {
		name, want string
		op         Op
	}{
		{"an unknown operation", "unknown operation", Op{Name: "stablehlo.ad"}},
		{"a refused one", "not supported", Op{Name: "stablehlo.infeed"}},
		{"too few operands", "has 1 operands, but takes 2", Op{Name: "stablehlo.add", Operands: []*Value{v}}},
		{"a missing region", "has 0 regions, but takes 2", Op{Name: "stablehlo.while"}},
		{"an unknown attribute", "unknown attribute axis", Op{Name: "stablehlo.abs", Operands: []*Value{v}, Attrs: Attrs{"axis": int64(1)}}},
		{"an attribute's type", "attribute permutation must be a list of integers", Op{Name: "stablehlo.transpose", Operands: []*Value{v}, Attrs: Attrs{"permutation": "x"}}},
		{"a dialect's attribute", "attribute x.y: a value of type func() has no text", Op{Name: "stablehlo.abs", Operands: []*Value{v}, Attrs: Attrs{"x.y": func() {}}}},
		{"another type", "result 0 has type tensor<3xf32>", Op{Name: "stablehlo.is_finite", Operands: []*Value{v}, Results: []*Value{{Type: v.Type}}}},
		{"a huge result", "more than 2^40", Op{Name: "stablehlo.broadcast", Operands: []*Value{huge}, Attrs: Attrs{"broadcast_sizes": []int64{1 << 20}}}},
	} {
		o := c.op
		if o.Attrs == nil {
			o.Attrs = Attrs{}
		}
		if err := o.Infer(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}
