package hlo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

// op parses lines within main and returns the operation before the return.
func op(t *testing.T, lines string) *Op {
	t.Helper()
	p, err := Parse("p", []byte(inMain(lines)))
	if err != nil {
		t.Fatal(err)
	}
	ops := p.Main.Body.Ops
	return ops[len(ops)-2]
}

// Attributes have the Go types that Attrs documents, defaults included.
func TestAttrs(t *testing.T) {
	const f = "tensor<4x6xf32>"
	conv := "%0 = stablehlo.reshape %a : (" + f + ") -> tensor<1x4x6xf32>\n" +
		"%k = stablehlo.constant dense<1.0> : tensor<3x6x2xf32>\n" +
		"%1 = stablehlo.convolution(%0, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x6xf32>, tensor<3x6x2xf32>) -> tensor<1x2x2xf32>"
	window := "%z = stablehlo.constant dense<0.0> : tensor<f32>\n" +
		`%0 = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 2>, padding = dense<1> : tensor<2x2xi64>}> ({` + "\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\nstablehlo.return %x : tensor<f32>\n}) : (" + f + ", tensor<f32>) -> tensor<5x7xf32>"
	for _, c := range []struct {
		name, lines string
		want        Attrs
	}{
		{"dims", "%0 = stablehlo.transpose %a, dims = [1, 0] : (" + f + ") -> tensor<6x4xf32>", Attrs{"permutation": []int64{1, 0}}},
		{"dims, dense", `%0 = "stablehlo.transpose"(%a) {permutation = dense<[1, 0]> : tensor<2xi64>} : (` + f + ") -> tensor<6x4xf32>", Attrs{"permutation": []int64{1, 0}}},
		{"dims, list", `%0 = "stablehlo.transpose"(%a) {permutation = [1, 0]} : (` + f + ") -> tensor<6x4xf32>", Attrs{"permutation": []int64{1, 0}}},
		{"no dims", "%0 = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> tensor<3xi32>", Attrs{"broadcast_dimensions": []int64{}}},
		{"slice", "%0 = stablehlo.slice %a [1:4, 0:6:3] : (" + f + ") -> tensor<3x2xf32>",
			Attrs{"start_indices": []int64{1, 0}, "limit_indices": []int64{4, 6}, "strides": []int64{1, 3}}},
		{"strides by default", `%0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 1, 0>, limit_indices = array<i64: 4, 6>}> : (` + f + ") -> tensor<3x6xf32>",
			Attrs{"start_indices": []int64{1, 0}, "limit_indices": []int64{4, 6}, "strides": []int64{1, 1}}},
		{"compare by default", "%0 = stablehlo.compare LT, %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>", Attrs{"comparison_direction": Enum("LT"), "compare_type": Enum("SIGNED")}},
		{"sort by default", `%0 = "stablehlo.sort"(%a) ({` + "\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\nstablehlo.return %p : tensor<i1>\n}) : (" + f + ") -> " + f, Attrs{"dimension": int64(1), "is_stable": false}},
		{"dot", "%0 = stablehlo.dot_general %a, %a, batching_dims = [1] x [1], contracting_dims = [0] x [0], precision = [HIGH, DEFAULT] : (" + f + ", " + f + ") -> tensor<6xf32>",
			Attrs{"dot_dimension_numbers": &DotDims{[]int{1}, []int{1}, []int{0}, []int{0}}, "precision_config": []any{Enum("HIGH"), Enum("DEFAULT")}}},
		{"convolution", conv, Attrs{
			"dimension_numbers":   &ConvDims{InFeature: 2, InSpatial: []int{1}, KerIn: 1, KerOut: 2, KerSpatial: []int{0}, OutFeature: 2, OutSpatial: []int{1}},
			"feature_group_count": int64(1), "batch_group_count": int64(1), "window_strides": []int64{1}, "padding": []int64{0, 0},
			"lhs_dilation": []int64{1}, "rhs_dilation": []int64{1}, "window_reversal": []bool{false}}},
		{"window", window, Attrs{"window_dimensions": []int64{2, 2}, "window_strides": []int64{1, 1}, "base_dilations": []int64{1, 1}, "window_dilations": []int64{1, 1}, "padding": []int64{1, 1, 1, 1}}},
		{"gather", `%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 6>}> : (` + f + ", tensor<i32>) -> tensor<6xf32>",
			Attrs{"dimension_numbers": &GatherDims{OffsetDims: []int{0}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}}, "slice_sizes": []int64{1, 6}, "indices_are_sorted": false}},
		{"custom_call", `stablehlo.custom_call @"a b"(%a) {backend_config = {u = 76 : ui8, s = "x\22\5C\n", f = 1.5 : f32, h = 0x7F800000 : f32, l = [1, "a", @f], t = i32, e = #unknown.thing<a [">"]>}, has_side_effect = true, mhlo.x = {a = 1 : i32}, operand_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (` + f + ") -> ()",
			Attrs{
				"call_target_name": "a b", "has_side_effect": true, "api_version": int64(1), "called_computations": []any{},
				"backend_config":  map[string]any{"u": int64(76), "s": "x\"\\\n", "f": 1.5, "h": math.Inf(1), "l": []any{int64(1), "a", "f"}, "t": Opaque("i32"), "e": Opaque(`#unknown.thing<a [">"]>`)},
				"mhlo.x":          Opaque("{a = 1 : i32}"),
				"operand_layouts": []any{&tensor.Array{Type: tensor.Type{DType: tensor.I64, Shape: tensor.Shape{2}}, Data: []int64{0, 1}}},
			}},
		{"reduce_precision", "%0 = stablehlo.reduce_precision %a, format = e5m10 : " + f, Attrs{"exponent_bits": int64(5), "mantissa_bits": int64(10)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, op(t, c.lines).Attrs); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAttrsAccess(t *testing.T) {
	a := Attrs{
		"i":   int64(3),
		"l":   []int64{1, 2},
		"s":   "x",
		"e":   Enum("LT"),
		"b":   true,
		"d":   map[string]any{"k": int64(1)},
		"o":   Opaque("{uplo = 76 : ui8}"),
		"bad": Opaque("#x<y>"),
	}
	if a.Int("i", 0) != 3 || a.Int("none", 7) != 7 || len(a.Ints("l")) != 2 || a.Ints("none") != nil || a.Str("s") != "x" ||
		a.Str("e") != "LT" ||
		a.Str("none") != "" ||
		!a.Bool("b") ||
		a.Bool("none") {
		t.Errorf("%v", a)
	}
	if a.Dict("d")["k"] != int64(1) || a.Dict("o")["uplo"] != int64(76) || a.Dict("bad") != nil || a.Dict("none") != nil {
		t.Errorf("%v, %v, %v", a.Dict("d"), a.Dict("o"), a.Dict("bad"))
	}
}

// "applies" is expanded to its region.
func TestApplies(t *testing.T) {
	o := op(
		t,
		"%z = stablehlo.constant dense<0.0> : tensor<f32>\n%0 = stablehlo.reduce(%a init: %z) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>",
	)
	b := o.Regions[0]
	if len(b.Params) != 2 || len(b.Ops) != 2 || b.Ops[0].Name != "stablehlo.maximum" || b.Ops[0].Operands[0] != b.Params[0] ||
		b.Ops[0].Operands[1] != b.Params[1] ||
		b.Return().Operands[0] != b.Ops[0].Results[0] {
		t.Errorf("%+v", b)
	}
	if got := b.Ops[0].Pos.String(); got != "p:3:44" {
		t.Errorf("position %s", got)
	}
}

// A reducer's pairs of parameters become all first parameters, then all second ones.
func TestReducer(t *testing.T) {
	o := op(t, "%z = stablehlo.constant dense<0.0> : tensor<f32>\n%c = stablehlo.iota dim = 0 : tensor<4x6xi32>\n"+
		"%0:2 = stablehlo.reduce(%a init: %z), (%c init: %i) across dimensions = [1] : (tensor<4x6xf32>, tensor<4x6xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)\n"+
		" reducer(%q: tensor<f32>, %r: tensor<f32>) (%s: tensor<i32>, %t: tensor<i32>)  {\n stablehlo.return %q, %t : tensor<f32>, tensor<i32>\n}")
	var names []string
	for _, v := range o.Regions[0].Params {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "q s r t" {
		t.Errorf("parameters %s", got)
	}
	if o.Results[1].Name != "0#1" || o.Operands[2].Name != "z" {
		t.Errorf("result %s, operand %s", o.Results[1].Name, o.Operands[2].Name)
	}
}

// The values of a function have distinct and dense ids.
func TestIDs(t *testing.T) {
	for _, file := range []string{"every_op.pretty.mlir", "every_op.generic.mlir", "visibility.mlir"} {
		for _, f := range parsed(t, file).Funcs {
			ids := map[int]bool{}
			var visit func(b *Block)
			add := func(vs []*Value) {
				for _, v := range vs {
					if ids[v.ID] {
						t.Errorf("%s: @%s has number %d twice", file, f.Name, v.ID)
					}
					ids[v.ID] = true
				}
			}
			visit = func(b *Block) {
				add(b.Params)
				for _, o := range b.Ops {
					add(o.Results)
					for _, r := range o.Regions {
						visit(r)
					}
				}
			}
			visit(f.Body)
			for i := range len(ids) {
				if !ids[i] {
					t.Errorf("%s: @%s has no number %d of %d", file, f.Name, i, len(ids))
				}
			}
		}
	}
}

func TestProgram(t *testing.T) {
	text := "// a comment\nmodule @jit_f attributes {mhlo.num_partitions = 1 : i32} {\n  func.func public @entry(%x: tensor<f32> {jax.arg = \"a, }\"}) -> (tensor<f32> {jax.result_info = \"\"}) {\n    %y = call @g(%x) : (tensor<f32>) -> tensor<f32>\n    return %y : tensor<f32>\n  }\n  func.func private @g(%x: tensor<f32>) -> tensor<f32> {\n    return %x : tensor<f32>\n  }\n}\n"
	p, err := Parse("program.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if p.File != "program.mlir" || p.Name != "jit_f" || p.Main.Name != "entry" || !p.Main.Public || p.Funcs[1].Public {
		t.Errorf("%+v", p)
	}
	call := p.Main.Body.Ops[0]
	if call.Callee != p.Funcs[1] || call.Pos.String() != "program.mlir:4:10" || call.Results[0].Pos.String() != "program.mlir:4:5" ||
		p.Main.Body.Params[0].Pos.String() != "program.mlir:3:27" {
		t.Errorf("%+v at %v", call, call.Pos)
	}
	if p.Digest() != sha256.Sum256([]byte(text)) {
		t.Error("the digest is not the text's")
	}
}

func TestReadFile(t *testing.T) {
	_, err := ReadFile(filepath.Join(t.TempDir(), "none.mlir"))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if p := parsed(t, "visibility.mlir"); p.File != "visibility.mlir" {
		t.Errorf("the file is called %s", p.File)
	}
}

// Operations get the name in their location, wherever the location is defined.
func TestLocations(t *testing.T) {
	for _, c := range []struct{ loc, want string }{
		{"loc(unknown)", ""},
		{`loc("f.py":3:4)`, ""},
		{`loc("f.py":3:4 to :5)`, ""},
		{`loc("f.py":3:4 to 5:6)`, ""},
		{`loc("name")`, "name"},
		{`loc("name"("f.py":3:4))`, "name"},
		{`loc("name"(#loc1))`, "name"},
		{`loc(callsite("callee" at "caller"))`, "callee"},
		{`loc(callsite("f.py":1:2 at "caller"))`, "caller"},
		{`loc(fused["f.py":1:2, "second"])`, "second"},
		{`loc(fused<"strategy">["first", #loc1])`, "first"},
		{"loc(#loc1)", "aliased"},
		{"loc(#loc2)", ""},
		{"loc(#loc4)", "aliased"},
		{"loc(#circle)", ""},
		{"loc(#nowhere)", ""},
		{"", ""},
	} {
		text := inMain("%0 = stablehlo.add %i, %i : tensor<i32> "+c.loc) +
			"#loc1 = loc(\"aliased\"(#loc2))\n#loc2 = loc(\"f.py\":1:2)\n#loc3 = loc(callsite(#loc2 at #loc1))\n#loc4 = loc(#loc3)\n#circle = loc(#round)\n#round = loc(#circle)\n"
		p, err := Parse("p", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", c.loc, err)
			continue
		}
		if got := p.Main.Body.Ops[0].Loc; got != c.want {
			t.Errorf("%s names %q, want %q", c.loc, got, c.want)
		}
	}
}

// An alias is replaced by its attribute.
func TestAlias(t *testing.T) {
	p, err := Parse(
		"p",
		[]byte(
			"#map = affine_map<(d0) -> (d0)>\n#dims = array<i64: 1, 0>\n"+inMain(
				`%0 = "stablehlo.transpose"(%a) <{permutation = #dims}> {x.y = #map} : (tensor<4x6xf32>) -> tensor<6x4xf32>`,
			),
		),
	)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Main.Body.Ops[0].Attrs.Ints("permutation"); !cmp.Equal(got, []int{1, 0}) {
		t.Errorf("permutation %v", got)
	}
}

// Elements of every type, in every spelling.
func TestDense(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		elements, typ string
		want          any
	}{
		{"1", "tensor<3xi8>", []int8{1, 1, 1}},
		{"[-128, 127, 255, 0x0F]", "tensor<4xi8>", []int8{-128, 127, -1, 15}},
		{"[[1, 2], [3, 4]]", "tensor<2x2xi16>", []int16{1, 2, 3, 4}},
		{"-2147483648", "tensor<si32>", []int32{math.MinInt32}},
		{"[9223372036854775807, -9223372036854775808]", "tensor<2xi64>", []int64{math.MaxInt64, math.MinInt64}},
		{"18446744073709551615", "tensor<ui64>", []uint64{math.MaxUint64}},
		{"[0, 255]", "tensor<2xui8>", []uint8{0, 255}},
		{"65535", "tensor<ui16>", []uint16{65535}},
		{"4294967295", "tensor<ui32>", []uint32{math.MaxUint32}},
		{"[true, false, 1, 0]", "tensor<4xi1>", []bool{true, false, true, false}},
		{"", "tensor<0x3xf32>", []float32{}},
		{"[]", "tensor<0xf32>", []float32{}},
		{"[[], []]", "tensor<2x0xi32>", []int32{}},
		{"[1.0, -2.5e-3, 0xFF800000, 0x7FC00000]", "tensor<4xf32>", []float32{1, -2.5e-3, float32(-inf), float32(nan)}},
		{"0x7FF0000000000000", "tensor<f64>", []float64{inf}},
		{"[1.5, 0xFF80]", "tensor<2xbf16>", []uint16{0x3fc0, 0xff80}},
		{"[1.5, 0x7C00]", "tensor<2xf16>", []uint16{0x3e00, 0x7c00}},
		{"(1.0, -2.0)", "tensor<2xcomplex<f32>>", []complex64{1 - 2i, 1 - 2i}},
		{"[(1.0,0x7FF0000000000000)]", "tensor<1xcomplex<f64>>", []complex128{complex(1, inf)}},
		{`"0x0000803F000000C0"`, "tensor<2xf32>", []float32{1, -2}},
		{`"0x0000803F"`, "tensor<3xf32>", []float32{1, 1, 1}},
		{`"0x0000803F000000C0"`, "tensor<1xcomplex<f32>>", []complex64{1 - 2i}},
		{`"0xFEFF0100"`, "tensor<2xi16>", []int16{-2, 1}},
		{`"0x010001"`, "tensor<3xi1>", []bool{true, false, true}},
		{`"0xFF"`, "tensor<9xi1>", []bool{true, true, true, true, true, true, true, true, true}},
		{`"0x0501"`, "tensor<9xi1>", []bool{true, false, true, false, false, false, false, false, true}}, // packed
		{`"0x"`, "tensor<0xi32>", []int32{}},
	} {
		o := op(t, fmt.Sprintf("%%0 = stablehlo.constant dense<%s> : %s", c.elements, c.typ))
		a := elementsOf(o)
		equal := cmp.Equal(c.want, a.Data, cmp.Comparer(func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) }))
		if !equal || a.Type.String() != strings.Replace(c.typ, "si", "i", 1) || !o.Results[0].Type.Equal(a.Type) {
			t.Errorf("dense<%s> : %s is %v %v", c.elements, c.typ, a.Type, a.Data)
		}
	}
}

// Forms printed by older versions give the same program as the current form.
func TestOlderForms(t *testing.T) {
	today := inMain("%0 = stablehlo.constant dense<1> : tensor<i32>\n" +
		"%1 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<1x4x6xf32>\n" +
		"%2 = stablehlo.convolution(%1, %1) dim_numbers = [b, 0, f]x[i, 0, o]->[b, 0, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<1x4x6xf32>, tensor<1x4x6xf32>) -> tensor<1x1x6xf32>\n" +
		"%3 = stablehlo.select %p, %a, %a : tensor<i1>, tensor<4x6xf32>\n" +
		"%4 = stablehlo.complex %a, %a : tensor<4x6xcomplex<f32>>\n" +
		"%5 = chlo.erf %a : tensor<4x6xf32> -> tensor<4x6xf32>")
	const t46, t146 = "tensor<4x6xf32>", "tensor<1x4x6xf32>"
	body := "^bb0(%a: " + t46 + ", %i: tensor<i32>, %p: tensor<i1>):\n" +
		"%0 = stablehlo.constant() {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n" +
		"%1 = \"stablehlo.reshape\"(%a) : (" + t46 + ") -> " + t146 + "\n" +
		"%2 = \"stablehlo.convolution\"(%1, %1) {batch_group_count = 1 : i64, feature_group_count = 6 : i64, window_reversal = dense<true> : tensor<1xi1>, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = 0, input_feature_dimension = 2, input_spatial_dimensions = [1], kernel_input_feature_dimension = 0, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [1], output_batch_dimension = 0, output_feature_dimension = 2, output_spatial_dimensions = [1]>} : (" + t146 + ", " + t146 + ") -> tensor<1x1x6xf32>\n" +
		"%3 = stablehlo.select %p, %a, %a : (tensor<i1>, " + t46 + ", " + t46 + ") -> " + t46 + "\n" +
		"%4 = stablehlo.complex %a, %a : (" + t46 + ", " + t46 + ") -> tensor<4x6xcomplex<f32>>\n" +
		"%5 = chlo.erf %a : (" + t46 + ") -> " + t46 + "\n" +
		"\"func.return\"(%a) : (" + t46 + ") -> ()\n"
	older := "\"builtin.module\"() ({\n\"func.func\"() ({\n" + body + "}) {function_type = (" + t46 + ", tensor<i32>, tensor<i1>) -> " + t46 + ", sym_name = \"main\"} : () -> ()\n}) {sym_name = \"m\"} : () -> ()\n"
	p, err := Parse("p", []byte("module @m {"+today+"}"))
	if err != nil {
		t.Fatal(err)
	}
	q, err := Parse("p", []byte(older))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(p, q, sameProgram); diff != "" {
		t.Errorf("-today +older:\n%s", diff)
	}
}

// Meshes of a module are skipped, with or without attributes: JAX writes one beside a callback.
func TestMeshes(t *testing.T) {
	const text = "module @m {\n  sdy.mesh @mesh = <[\"x\"=2]>\n  sdy.mesh @maximal_mesh_0 = <[], device_ids=[0]> {stablehlo.mesh = {axes = []}} loc(unknown)\n" +
		"  func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n    return %a : tensor<f32>\n  }\n}\n"
	if p, err := Parse("p", []byte(text)); err != nil || len(p.Funcs) != 1 {
		t.Errorf("%v, %v", p, err)
	}
}
