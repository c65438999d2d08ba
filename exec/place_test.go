package exec_test

import (
	"fmt"
	"strings"
	"testing"
)

// scatter combines %c into %a at the indices %b.
func scatter(in, indices, updates, dims, body string) program {
	e := elementOf(in)
	p := program{
		name:   "scatter " + in + " " + indices + " " + dims + " " + body,
		op:     "stablehlo.scatter",
		args:   in + " " + indices + " " + updates,
		outs:   in,
		units:  40,
		least:  -1,
		most:   6,
		attrs:  "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<" + dims + ">, unique_indices = false",
		region: fmt.Sprintf("^bb0(%%x: tensor<%[1]s>, %%y: tensor<%[1]s>):\nstablehlo.return %%y : tensor<%[1]s>", e),
	}
	switch body {
	case "set":
	case "halves": // neither commutative nor associative
		p.region = strings.ReplaceAll(
			"^bb0(%x: tensor<E>, %y: tensor<E>):\n%h = stablehlo.constant dense<0.5> : tensor<E>\n%m = stablehlo.multiply %x, %h : tensor<E>\n"+
				"%s = stablehlo.add %m, %y : tensor<E>\nstablehlo.return %s : tensor<E>",
			"E",
			e,
		)
	default:
		p.region = combiner("stablehlo."+body, e)
	}
	return p
}

const (
	elements = "inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
	batched  = "inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2"
)

// TestScatter has public, known and secret indices, some of them out of bounds and some equal.
func TestScatter(t *testing.T) {
	for _, body := range []string{"set", "add", "multiply", "maximum", "minimum", "subtract", "halves"} {
		agree(t, scatter("5x3xf32", "4x1xi32", "4x3xf32", intoRow, body), scatter("5xf32", "6x1xi32", "6xf32", elements, body),
			scatter("5x3xf32", "4x1xi32", "4x2xf32", intoRow, body), scatter("2x5xf32", "2x3x1xi32", "2x3xf32", batched, body))
	}
	for _, body := range []string{"set", "add", "maximum", "and", "or", "xor"} {
		agree(t, scatter("5x3xi16", "4x1xi32", "4x3xi16", intoRow, body), scatter("5x3xui8", "4x1xui8", "4x3xui8", intoRow, body).bits())
	}
	for _, body := range []string{"set", "add", "and", "or", "xor"} {
		agree(t, scatter("8x3xi1", "5x1xi8", "5x3xi1", intoRow, body).bits())
	}
	agree(
		t,
		scatter(
			"5x4xf32",
			"3x1xi32",
			"3x2x4xf32",
			"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [0], index_vector_dim = 1",
			"set",
		),
		scatter(
			"5x4xf32",
			"3x2xi32",
			"3x2x2xf32",
			"update_window_dims = [1, 2], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1",
			"add",
		),
		scatter("5x3xf32", "1x1xi32", "1x3xf32", intoRow, "set"),
		scatter("5x3xf32", "0x1xi32", "0x3xf32", intoRow, "set"),
		scatter("5x3xf32", "0x1xi32", "0x3xf32", intoRow, "add"),
		scatter("4xf32", "3x0xi32", "3x4xf32", "update_window_dims = [1], index_vector_dim = 1", "add"),
	)
}

// bits is p with arguments of all bits.
func (p program) bits() program {
	p.least, p.most = 0, 0
	return p
}

// TestScatterOfPairs combines two operands at once.
func TestScatterOfPairs(t *testing.T) {
	agree(t, program{name: "pairs", op: "stablehlo.scatter", args: "5xi32 5xi32 3x1xi32 3xi32 3xi32", outs: "5xi32 5xi32", least: 0, most: 5,
		attrs: "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<" + elements + ">, unique_indices = false",
		region: `^bb0(%x: tensor<i32>, %y: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>):
%s = stablehlo.add %x, %v : tensor<i32>
%m = stablehlo.maximum %y, %u : tensor<i32>
stablehlo.return %s, %m : tensor<i32>, tensor<i32>`})
}

// TestScatterAtPlaces has public indices, given as constants, for complex numbers too.
func TestScatterAtPlaces(t *testing.T) {
	for _, body := range []string{"set", "add", "multiply"} {
		p := scatter("5xcomplex<f32>", "6x1xi32", "6xcomplex<f32>", elements, body)
		p.alone = true
		p.args = "5xcomplex<f32> 6xcomplex<f32>"
		p.body = `%i = stablehlo.constant dense<[[3], [1], [3], [9], [3], [0]]> : tensor<6x1xi32>
%0 = "stablehlo.scatter"(%a, %i, %b) <{` + p.attrs + `}> ({
` + p.region + `
}) : (tensor<5xcomplex<f32>>, tensor<6x1xi32>, tensor<6xcomplex<f32>>) -> tensor<5xcomplex<f32>>
return %0 : tensor<5xcomplex<f32>>`
		agree(t, p)
	}
}
