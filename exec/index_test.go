package exec_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/tensor"
)

const (
	rowsOf  = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
	intoRow = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
)

func gather(in, indices, out, dims, sizes string) program {
	return program{
		name:  "gather " + in + " " + indices + " " + dims,
		op:    "stablehlo.gather",
		args:  in + " " + indices,
		outs:  out,
		least: -2,
		most:  6,
		attrs: "dimension_numbers = #stablehlo.gather<" + dims + ">, indices_are_sorted = false, slice_sizes = array<i64" + sizes + ">",
	}
}

func TestGather(t *testing.T) {
	for _, c := range [][5]string{
		{"5x3xf32", "4x1xi32", "4x3xf32", rowsOf, ": 1, 3"},
		{"5x3xi8", "4x1xi32", "4x3xi8", rowsOf, ": 1, 3"},
		{"5x3xi64", "4x1xi64", "4x3xi64", rowsOf, ": 1, 3"},
		{"5x3xf32", "4x1xi32", "4x2xf32", rowsOf, ": 1, 2"},
		{"4x5xf32", "3x2xi32", "3xf32", "collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1", ": 1, 1"},
		{"4x5xf32", "2x3xi32", "3xf32", "collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0", ": 1, 1"},
		{"4x5xf32", "2x3x2xi32", "2x2x3x3xf32", "offset_dims = [1, 3], start_index_map = [0, 1], index_vector_dim = 2", ": 2, 3"},
		{"4x5xf32", "3xi32", "3x4x2xf32", "offset_dims = [1, 2], start_index_map = [1], index_vector_dim = 1", ": 4, 2"},
		{"4x5x3xf32", "2x4x1xi32", "2x4x3xf32", "offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2", ": 1, 1, 3"},
		{"1x3xf32", "2x1xi32", "2x3xf32", rowsOf, ": 1, 3"},
		{"5x3xf32", "0x1xi32", "0x3xf32", rowsOf, ": 1, 3"},
		{"5x3xf32", "1xi32", "3xf32", "offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0", ": 1, 3"},
		{"5xcomplex<f32>", "2x1xi32", "2xcomplex<f32>", "collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1", ": 1"},
	} {
		p := gather(c[0], c[1], c[2], c[3], c[4])
		if p.alone = elementOf(c[0])[0] == 'c'; p.alone {
			continue // secret indices of complex operands are refused, below
		}
		agree(t, p)
		unsigned := p
		unsigned.args = c[0] + " " + c[1][:len(c[1])-len(elementOf(c[1]))] + "ui8"
		unsigned.name, unsigned.least = p.name+" unsigned", 0
		agree(t, unsigned)
	}
	bits := gather("5x3xi1", "4x1xi32", "4x3xi1", rowsOf, ": 1, 3") // random booleans, and indices of all bits
	bits.least, bits.most = 0, 0
	agree(t, bits)
	agree(t, program{name: "remainders", args: "8x3xf32 4x1xi32", outs: "4x3xf32", body: `
%k = stablehlo.constant dense<7> : tensor<4x1xi32>
%i = stablehlo.and %b, %k : tensor<4x1xi32>
%0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<` + rowsOf + `>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<8x3xf32>, tensor<4x1xi32>) -> tensor<4x3xf32>
return %0 : tensor<4x3xf32>`})
}

func TestIndexSelect(t *testing.T) {
	for _, c := range [][4]string{
		{"2x5x3xf32", "2x4xi32", "2x4x3xf32", "dim = 1 : i64, batch_dims = 1 : i64"}, {"3x5x2xi8", "2x2xi32", "3x2x2x2xi8", "dim = 1 : i64, batch_dims = 0 : i64"},
		{"5xf32", "i32", "f32", "dim = 0 : i64, batch_dims = 0 : i64"}, {"5xf32", "0xi32", "0xf32", "dim = 0 : i64, batch_dims = 0 : i64"},
	} {
		agree(t, program{op: "stablehlo.torch_index_select", args: c[0] + " " + c[1], outs: c[2], attrs: c[3], least: 0, most: 4})
	}
}

func TestDynamicSlice(t *testing.T) {
	for _, e := range []string{"f32", "i16", "i1"} {
		p := program{op: "stablehlo.dynamic_slice", attrs: "slice_sizes = array<i64: 2, 3>", args: "4x5x" + e + " i32 i32", outs: "2x3x" + e}
		agree(t, p)
		p.name, p.least, p.most = "near, "+e, -1, 3
		if e != "i1" {
			agree(t, p)
		}
	}
	agree(t, program{op: "stablehlo.dynamic_slice", attrs: "slice_sizes = array<i64: 2>", args: "4xf32 ui8", outs: "2xf32", least: 0, most: 6},
		program{op: "stablehlo.dynamic_slice", attrs: "slice_sizes = array<i64: 4>", args: "4xf32 i64", outs: "4xf32"},
		program{op: "stablehlo.dynamic_slice", attrs: "slice_sizes = array<i64>", args: "f32", outs: "f32"},
		program{op: "stablehlo.dynamic_slice", attrs: "slice_sizes = array<i64: 0>", args: "4xf32 i32", outs: "0xf32"})
}

func TestDynamicUpdateSlice(t *testing.T) {
	for _, e := range []string{"f32", "i16", "ui64"} {
		agree(
			t,
			program{op: "stablehlo.dynamic_update_slice", args: "4x5x" + e + " 2x3x" + e + " i32 i32", outs: "4x5x" + e, least: 0, most: 3},
			program{
				name:  "whole " + e,
				op:    "stablehlo.dynamic_update_slice",
				args:  "4x" + e + " 4x" + e + " i32",
				outs:  "4x" + e,
				least: 0,
				most:  3,
			},
		)
	}
	agree(t, program{op: "stablehlo.dynamic_update_slice", args: "4xf32 0xf32 i32", outs: "4xf32"},
		program{op: "stablehlo.dynamic_update_slice", args: "4xf32 2xf32 i64", outs: "4xf32"})
}

// TestGatherAfterScatter: what is set at different secret indices is read there again, and all else stays.
func TestGatherAfterScatter(t *testing.T) {
	p := parse(t, program{args: "6x2xi32 3x1xi32 3x2xi32", outs: "3x2xi32 6x2xi32", body: fmt.Sprintf(`
%%0 = "stablehlo.scatter"(%%a, %%b, %%c) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%s>, unique_indices = true}> ({
^bb0(%%x: tensor<i32>, %%y: tensor<i32>):
stablehlo.return %%y : tensor<i32>
}) : (tensor<6x2xi32>, tensor<3x1xi32>, tensor<3x2xi32>) -> tensor<6x2xi32>
%%1 = "stablehlo.gather"(%%0, %%b) <{dimension_numbers = #stablehlo.gather<%s>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<6x2xi32>, tensor<3x1xi32>) -> tensor<3x2xi32>
return %%1, %%0 : tensor<3x2xi32>, tensor<6x2xi32>`, intoRow, rowsOf)})
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.Permutation([]int64{0, 1, 2, 3, 4, 5}).Draw(t, "at")[:3]
		numbers := rapid.SliceOfN(rapid.Int64Range(-1<<31, 1<<31-1), 18, 18).Draw(t, "numbers")
		old, set := numbers[:12], numbers[12:]
		got, err := walk(
			p,
			middle[0],
			nil,
			[]int{kept, kept, kept},
			arrays(
				integers(tensor.I32, shape{6, 2}, old...),
				integers(tensor.I32, shape{3, 1}, at...),
				integers(tensor.I32, shape{3, 2}, set...),
			),
			nil,
		)
		if err != nil {
			t.Fatal(err)
		}
		want := append([]int64{}, old...)
		for i, p := range at {
			copy(want[2*p:2*p+2], set[2*i:])
		}
		if g := fmt.Sprint(got.arrays[0].Data); g != fmt.Sprint(set) {
			t.Fatalf("read %v, want %v", g, set)
		}
		if g := fmt.Sprint(got.arrays[1].Data); g != fmt.Sprint(want) {
			t.Fatalf("scattered to %v, want %v", g, want)
		}
	})
}
