package party_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// near makes indices of the remainders of what is secret: the type's own
// elements are at and beyond both ends of small tables.
func near(name, from, typ string, modulus int) string {
	return fmt.Sprintf(` %%%[1]s_m = stablehlo.constant dense<%[4]d> : tensor<%[3]s>
 %%%[1]s = stablehlo.remainder %%%[2]s, %%%[1]s_m : tensor<%[3]s>
`, name, from, typ, modulus)
}

func gatherProgram(name, in, idx, out, dims, sizes string) program {
	return program{name: "gather " + name, args: in + " " + idx, outs: out + " " + out, body: near("i", "b", idx, 6) + fmt.Sprintf(`
 %%0 = "stablehlo.gather"(%%a, %%i) <{dimension_numbers = #stablehlo.gather<%[4]s>, indices_are_sorted = false, slice_sizes = array<i64: %[5]s>}> : (tensor<%[1]s>, tensor<%[2]s>) -> tensor<%[3]s>
 %%1 = "stablehlo.gather"(%%a, %%b) <{dimension_numbers = #stablehlo.gather<%[4]s>, indices_are_sorted = false, slice_sizes = array<i64: %[5]s>}> : (tensor<%[1]s>, tensor<%[2]s>) -> tensor<%[3]s>
 return %%0, %%1 : tensor<%[3]s>, tensor<%[3]s>`, in, idx, out, dims, sizes)}
}

func scatterProgram(name, in, idx, upd, dims, body string) program {
	elem := in[strings.LastIndex(in, "x")+1:]
	return program{name: "scatter " + name, args: in + " " + idx + " " + upd, outs: in, tol: 3e-4, body: near("i", "b", idx, 6) + fmt.Sprintf(`
 %%0 = "stablehlo.scatter"(%%a, %%i, %%c) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%[4]s>, unique_indices = false}> ({
 ^bb0(%%x: tensor<%[6]s>, %%y: tensor<%[6]s>):
   %[5]s
 }) : (tensor<%[1]s>, tensor<%[2]s>, tensor<%[3]s>) -> tensor<%[1]s>
 return %%0 : tensor<%[1]s>`, in, idx, upd, dims, body, elem)}
}

const (
	rowsOf  = "offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1"
	intoRow = "update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
)

func returned(typ string) string { return "stablehlo.return %y : tensor<" + typ + ">" }

func combined(op, typ string) string {
	return "%z = stablehlo." + op + " %x, %y : tensor<" + typ + ">\n   stablehlo.return %z : tensor<" + typ + ">"
}

var indexPrograms = []program{
	gatherProgram("rows", "5x3xf32", "4x1xi32", "4x3xf32", rowsOf, "1, 3"),
	gatherProgram("rows by bytes", "8x3xf32", "4x1xi8", "4x3xf32", rowsOf, "1, 3"),
	gatherProgram("rows by unsigned", "5x3xi32", "4x1xui32", "4x3xi32", rowsOf, "1, 3"),
	gatherProgram("booleans", "5x3xi1", "4x1xi64", "4x3xi1", rowsOf, "1, 3"),
	gatherProgram("parts of rows", "5x3xf32", "4x1xi32", "4x2xf32", rowsOf, "1, 2"),
	gatherProgram(
		"elements",
		"4x5xf32",
		"3x2xi32",
		"3xf32",
		"collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1",
		"1, 1",
	),
	gatherProgram(
		"elements, swapped",
		"4x5xf32",
		"2x3xi32",
		"3xf32",
		"collapsed_slice_dims = [0, 1], start_index_map = [1, 0], index_vector_dim = 0",
		"1, 1",
	),
	gatherProgram(
		"windows",
		"4x5xf32",
		"2x3x2xi32",
		"2x2x3x3xf32",
		"offset_dims = [1, 3], start_index_map = [0, 1], index_vector_dim = 2",
		"2, 3",
	),
	gatherProgram(
		"windows along one",
		"4x5xf32",
		"3xi32",
		"3x4x2xf32",
		"offset_dims = [1, 2], start_index_map = [1], index_vector_dim = 1",
		"4, 2",
	),
	gatherProgram(
		"batches",
		"4x5x3xf32",
		"2x4x1xi32",
		"2x4x3xf32",
		"offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [1], start_index_map = [1], index_vector_dim = 2",
		"1, 1, 3",
	),
	gatherProgram("from one row", "1x3xf32", "2x1xi32", "2x3xf32", rowsOf, "1, 3"),
	generic(
		"index select",
		"stablehlo.torch_index_select",
		"dim = 1 : i64, batch_dims = 1 : i64",
		"2x5x3xf32 2x4xi32",
		"2x4x3xf32",
		[]string{"2x5x3xf32", "2x4xi32"},
		[]string{"2x4x3xf32"},
	),
	generic(
		"index select of columns",
		"stablehlo.torch_index_select",
		"dim = 1 : i64, batch_dims = 0 : i64",
		"3x5x2xi8 2x2xi32",
		"3x2x2x2xi8",
		[]string{"3x5x2xi8", "2x2xi32"},
		[]string{"3x2x2x2xi8"},
	),
	{name: "gather from constants", args: "2xi32 4x1xi32", outs: "4x2xf32", body: `
 %t = stablehlo.constant dense<[[1.5, -2.0], [0.25, 3.0], [100.0, 0.001], [7.0, 8.0], [-9.0, 10.0]]> : tensor<5x2xf32>
 %k = stablehlo.constant dense<1> : tensor<4x1xi32>
 %i = stablehlo.add %b, %k : tensor<4x1xi32>
 %0 = "stablehlo.gather"(%t, %i) <{dimension_numbers = #stablehlo.gather<` + rowsOf + `>, indices_are_sorted = false, slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xf32>, tensor<4x1xi32>) -> tensor<4x2xf32>
 return %0 : tensor<4x2xf32>`},
	{
		name: "secret dynamic slice",
		args: "4x5xf32 i32 i32",
		outs: "2x3xf32 2x3xf32 4x5xf32",
		body: near("i", "b", "i32", 4) + near("j", "c", "i32", 4) + `
 %k = stablehlo.constant dense<1> : tensor<i32>
 %0 = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
 %1 = stablehlo.dynamic_slice %a, %k, %b, sizes = [2, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
 %2 = stablehlo.dynamic_slice %a, %c, %b, sizes = [4, 5] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
 return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<4x5xf32>`,
	},
	{
		name: "secret dynamic update slice",
		args: "4x5xf32 i32 2x3xf32 i32",
		outs: "4x5xf32 4x5xf32 4x5xf32",
		body: near("i", "b", "i32", 4) + near("j", "d", "i32", 4) + `
 %k = stablehlo.constant dense<9> : tensor<i32>
 %0 = stablehlo.dynamic_update_slice %a, %c, %i, %j : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
 %1 = stablehlo.dynamic_update_slice %a, %c, %k, %b : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
 %2 = stablehlo.multiply %a, %a : tensor<4x5xf32>
 %3 = stablehlo.dynamic_update_slice %2, %c, %d, %k : (tensor<4x5xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
 return %0, %1, %3 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>`,
	},
	scatterProgram("add", "5x3xf32", "4x1xi32", "4x3xf32", intoRow, combined("add", "f32")),
	scatterProgram("add parts of rows", "5x3xf32", "4x1xi32", "4x2xf32", intoRow, combined("add", "f32")),
	scatterProgram("add integers", "8x3xi32", "4x1xi32", "4x3xi32", intoRow, combined("add", "i32")),
	scatterProgram("set", "5x3xf32", "7x1xi32", "7x3xf32", intoRow, returned("f32")),
	scatterProgram("set booleans", "8x3xi1", "7x1xi32", "7x3xi1", intoRow, returned("i1")),
	scatterProgram("or", "5x3xi1", "3x1xi32", "3x3xi1", intoRow, combined("or", "i1")),
	scatterProgram("set one", "5x3xf32", "1x1xi32", "1x3xf32", intoRow, returned("f32")),
	scatterProgram(
		"set windows",
		"5x4xf32",
		"3x1xi32",
		"3x2x4xf32",
		"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
		returned("f32"),
	),
	scatterProgram(
		"add windows",
		"5x4xf32",
		"3x2xi32",
		"3x2x2xf32",
		"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1",
		combined("add", "f32"),
	),
	scatterProgram("maximum", "5x3xf32", "3x1xi32", "3x3xf32", intoRow, combined("maximum", "f32")),
	scatterProgram(
		"multiply",
		"5xf32",
		"3x1xi32",
		"3xf32",
		"inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
		combined("multiply", "f32"),
	),
	scatterProgram(
		"batches",
		"2x5xf32",
		"2x3x1xi32",
		"2x3xf32",
		"inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2",
		returned("f32"),
	),
}

// around fills an array like random; integers are small: at, between and
// beyond both ends of small tables.
func around(r *rand.Rand, t tensor.Type) *tensor.Array {
	if t.DType == tensor.Bool || !t.DType.IsInt() {
		return random(r, t)
	}
	w := make([]uint64, t.Shape.Size())
	for i := range w {
		if w[i] = uint64(r.IntN(16) - 4); r.IntN(8) == 0 {
			w[i] = edged(r, tensor.Type{DType: t.DType, Shape: tensor.Shape{1}}).Words()[0]
		}
	}
	return tensor.FromWords(t.DType, t.Shape, w)
}

// TestIndexPrograms: indices that nobody knows (of two parties' numbers), and
// those that one party knows.
func TestIndexPrograms(t *testing.T) {
	t.Parallel()
	for index, p := range indexPrograms {
		t.Run(p.name, func(t *testing.T) {
			secret := p
			for _, arg := range []string{"b", "d"} { // hide integers: %b and %d become sums of two parties'
				if i := int(arg[0] - 'a'); i < len(strings.Fields(p.args)) && strings.Contains(strings.Fields(p.args)[i], "i") {
					typ := strings.Fields(p.args)[i]
					secret.args += " " + typ
					secret.body = fmt.Sprintf(
						" %%%[1]s9 = stablehlo.add %%%[1]s, %%%[3]c : tensor<%[2]s>\n%[4]s",
						arg,
						typ,
						'a'+len(
							strings.Fields(secret.args),
						)-1,
						strings.ReplaceAll(strings.ReplaceAll(secret.body, "%"+arg+",", "%"+arg+"9,"), "%"+arg+")", "%"+arg+"9)"),
					)
				}
			}
			for _, p := range []program{p, secret} {
				runWith(t, p, around, nil, turns(index, settings)...)
			}
		})
	}
}

var controlPrograms = []program{
	{name: "flag that is public at first", args: "4xf32 4xf32", outs: "4xf32 4xi1", body: `
 %f = stablehlo.constant dense<false> : tensor<4xi1>
 %z = stablehlo.constant dense<0.0> : tensor<4xf32>
 %0:2 = stablehlo.while(%d = %f, %s = %z) : tensor<4xi1>, tensor<4xf32>
 cond {
   %t = stablehlo.constant dense<true> : tensor<i1>
   %p = stablehlo.reduce(%d init: %t) applies stablehlo.and across dimensions = [0] : (tensor<4xi1>, tensor<i1>) -> tensor<i1>
   %q = stablehlo.not %p : tensor<i1>
   stablehlo.return %q : tensor<i1>
 } do {
   %k = stablehlo.constant dense<1.5> : tensor<4xf32>
   %1 = stablehlo.abs %a : tensor<4xf32>
   %2 = stablehlo.abs %b : tensor<4xf32>
   %3 = stablehlo.add %1, %2 : tensor<4xf32>
   %4 = stablehlo.add %s, %3 : tensor<4xf32>
   %5 = stablehlo.add %4, %k : tensor<4xf32>
   %6 = stablehlo.select %d, %z, %5 : tensor<4xi1>, tensor<4xf32>
   %m = stablehlo.constant dense<4.0> : tensor<4xf32>
   %7 = stablehlo.compare GT, %6, %m : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
   %8 = stablehlo.or %d, %7 : tensor<4xi1>
   stablehlo.return %8, %6 : tensor<4xi1>, tensor<4xf32>
 }
 return %0#1, %0#0 : tensor<4xf32>, tensor<4xi1>`},
	{name: "if", args: "i1 3xf32 3xf32", outs: "3xf32 i32 3xi1", body: `
 %0:3 = "stablehlo.if"(%a) ({
   %1 = stablehlo.multiply %b, %c : tensor<3xf32>
   %k = stablehlo.constant dense<7> : tensor<i32>
   %t = stablehlo.constant dense<true> : tensor<3xi1>
   stablehlo.return %1, %k, %t : tensor<3xf32>, tensor<i32>, tensor<3xi1>
 }, {
   %k = stablehlo.constant dense<-2> : tensor<i32>
   %t = stablehlo.compare LT, %b, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
   stablehlo.return %b, %k, %t : tensor<3xf32>, tensor<i32>, tensor<3xi1>
 }) : (tensor<i1>) -> (tensor<3xf32>, tensor<i32>, tensor<3xi1>)
 return %0#0, %0#1, %0#2 : tensor<3xf32>, tensor<i32>, tensor<3xi1>`},
	{name: "case", args: "i32 3xf32 3xf32 i32", outs: "3xf32 i32 3xf32 3xi1", body: `
 %i = stablehlo.add %a, %d : tensor<i32>
 %0:4 = "stablehlo.case"(%i) ({
   %1 = stablehlo.multiply %b, %c : tensor<3xf32>
   %k = stablehlo.constant dense<7> : tensor<i32>
   %t = stablehlo.constant dense<true> : tensor<3xi1>
   stablehlo.return %1, %k, %b, %t : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xi1>
 }, {
   %k = stablehlo.constant dense<-2> : tensor<i32>
   %1 = stablehlo.add %b, %c : tensor<3xf32>
   %t = stablehlo.compare LT, %b, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
   stablehlo.return %1, %k, %b, %t : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xi1>
 }, {
   %k = stablehlo.constant dense<-2> : tensor<i32>
   %t = stablehlo.constant dense<[true, false, true]> : tensor<3xi1>
   stablehlo.return %c, %k, %b, %t : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xi1>
 }) : (tensor<i32>) -> (tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xi1>)
 return %0#0, %0#1, %0#2, %0#3 : tensor<3xf32>, tensor<i32>, tensor<3xf32>, tensor<3xi1>`},
	{name: "if in a loop", args: "f32 f32", outs: "f32", tol: 1e-3, body: `
 %z = stablehlo.constant dense<0> : tensor<i32>
 %0:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<f32>
 cond {
   %n = stablehlo.constant dense<4> : tensor<i32>
   %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   stablehlo.return %p : tensor<i1>
 } do {
   %p = stablehlo.compare LT, %x, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %1 = "stablehlo.if"(%p) ({
     %s = stablehlo.add %x, %b : tensor<f32>
     stablehlo.return %s : tensor<f32>
   }, {
     %s = stablehlo.subtract %x, %b : tensor<f32>
     stablehlo.return %s : tensor<f32>
   }) : (tensor<i1>) -> tensor<f32>
   %o = stablehlo.constant dense<1> : tensor<i32>
   %j = stablehlo.add %i, %o : tensor<i32>
   stablehlo.return %j, %1 : tensor<i32>, tensor<f32>
 }
 return %0#1 : tensor<f32>`},
	{name: "while", args: "f32 f32", outs: "f32 i32 f32", tol: 1e-3, body: `
 %z = stablehlo.constant dense<0> : tensor<i32>
 %0:3 = stablehlo.while(%i = %z, %x = %a, %y = %b) : tensor<i32>, tensor<f32>, tensor<f32>
 cond {
   %n = stablehlo.constant dense<6> : tensor<i32>
   %q = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
   %p = stablehlo.compare LT, %x, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
   %r = stablehlo.and %p, %q : tensor<i1>
   stablehlo.return %r : tensor<i1>
 } do {
   %o = stablehlo.constant dense<1> : tensor<i32>
   %h = stablehlo.constant dense<0.75> : tensor<f32>
   %j = stablehlo.add %i, %o : tensor<i32>
   %1 = stablehlo.add %x, %h : tensor<f32>
   stablehlo.return %j, %1, %y : tensor<i32>, tensor<f32>, tensor<f32>
 }
 return %0#1, %0#0, %0#2 : tensor<f32>, tensor<i32>, tensor<f32>`},
}

func TestControlPrograms(t *testing.T) {
	t.Parallel()
	for _, p := range controlPrograms {
		t.Run(p.name, func(t *testing.T) { runWith(t, p, around, map[string]string{"while.bound": "7"}, settings...) })
	}
}

// TestUnbounded: a loop on a secret condition without a bound is refused with
// place and advice.
func TestUnbounded(t *testing.T) {
	p := controlPrograms[len(controlPrograms)-1]
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	spec := party.Spec{
		Program:   prog,
		Protocol:  "semi2k",
		Ring:      64,
		Fraction:  18,
		Computing: 2,
		Parties:   []string{"a", "b"},
		Reveal:    []int{0},
		Network:   "none",
		Args:      []party.Arg{{Owner: 0}, {Owner: 1}},
	}
	_, err = party.Plan(context.Background(), spec)
	var e *hlo.Error
	if !errors.As(err, &e) || e.Pos.Line != 5 || !strings.Contains(err.Error(), "--set while.bound=N") {
		t.Errorf("refused with %v", err)
	}
}
