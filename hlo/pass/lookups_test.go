package pass

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomLookups returns a program of look-ups in 4 tables of 6 integers, which are indices of a table of floats: at positions in their
// tables or in all of them, negative indices adapted, with or without NaN for indices out of range, as JAX prints them.
func randomLookups(r *rand.Rand) sample {
	var b strings.Builder
	n := 0
	add := func(format string, args ...any) string {
		v := fmt.Sprintf("%%v%d", n)
		n++
		fmt.Fprintf(&b, " %s = %s\n", v, fmt.Sprintf(format, args...))
		return v
	}
	op := func(name, typ string, args ...string) string {
		return add("stablehlo.%s %s : tensor<%s>", name, strings.Join(args, ", "), typ)
	}
	constant := func(k any, typ string) string { return add("stablehlo.constant dense<%v> : tensor<%s>", k, typ) }
	compare := func(dir, x, y, shape, typ string) string {
		return add("stablehlo.compare %s, %s, %s : (tensor<%s%s>, tensor<%[4]s%[5]s>) -> tensor<%[4]si1>", dir, x, y, shape, typ)
	}
	adapted := func(x string, size int, typ string) string {
		below := compare("LT", x, constant(0, "5x4x"+typ), "5x4x", typ)
		sum := op("add", "5x4x"+typ, x, constant(size, "5x4x"+typ))
		return add("stablehlo.select %s, %s, %s : tensor<5x4xi1>, tensor<5x4x%s>", below, sum, x, typ)
	}
	unit := func(x, typ string) string {
		if r.IntN(2) == 0 {
			return add("stablehlo.broadcast_in_dim %s, dims = [0, 1] : (tensor<5x4x%s>) -> tensor<5x4x1x%[2]s>", x, typ)
		}
		return add("stablehlo.reshape %s : (tensor<5x4x%s>) -> tensor<5x4x1x%[2]s>", x, typ)
	}
	spread := func(dim int, typ string) string {
		v := add("stablehlo.iota dim = 0 : tensor<%dx%s>", 5-dim, typ)
		return add("stablehlo.broadcast_in_dim %s, dims = [%d] : (tensor<%dx%s>) -> tensor<5x4x%[4]s>", v, dim, 5-dim, typ)
	}
	gather := func(table, in, index, typ, dims, sizes, out string) string {
		vector := "2"
		if strings.HasPrefix(in, "5x4x") {
			vector = "1"
		}
		return add(`"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<%s, index_vector_dim = %s>, slice_sizes = array<i64: %s>,`+
			` indices_are_sorted = false}> : (tensor<%s>, tensor<%s>) -> tensor<%s>`, table, index, dims, vector, sizes, in, typ, out)
	}

	low := r.IntN(4)
	node := "%c"
	if r.IntN(4) > 0 { // else anything
		node = op("clamp", "5x4xi32", constant(low, "5x4xi32"), "%c", constant(min(5, low+r.IntN(3)), "5x4xi32"))
	}
	feature := func(table, typ string) string {
		if r.IntN(2) == 0 {
			flat := add("stablehlo.reshape %s : (tensor<4x6x%s>) -> tensor<24x%[2]s>", table, typ)
			base := op("multiply", "5x4xi32", spread(1, "i32"), constant(6, "5x4xi32"))
			at := unit(adapted(op("add", "5x4xi32", base, node), 24, "i32"), "i32")
			return gather(flat, "24x"+typ, at, "5x4x1xi32", "collapsed_slice_dims = [0], start_index_map = [0]", "1", "5x4x"+typ)
		}
		at := add("stablehlo.concatenate %s, %s, dim = 2 : (tensor<5x4x1xi32>, tensor<5x4x1xi32>) -> tensor<5x4x2xi32>",
			unit(spread(1, "i32"), "i32"), unit(adapted(node, 6, "i32"), "i32"))
		return gather(table, "4x6x"+typ, at, "5x4x2xi32", "collapsed_slice_dims = [0, 1], start_index_map = [0, 1]", "1, 1", "5x4x"+typ)
	}
	size := []int{60, 64, 100}[r.IntN(3)]
	f := feature("%a", "i8")
	g := adapted(f, size, "i8")
	table := fmt.Sprintf("5x%dxf32", size)
	var x string
	switch r.IntN(3) {
	case 0:
		at := add("stablehlo.concatenate %s, %s, dim = 2 : (tensor<5x4x1xi8>, tensor<5x4x1xi8>) -> tensor<5x4x2xi8>",
			unit(spread(0, "i8"), "i8"), unit(g, "i8"))
		x = gather("%b", table, at, "5x4x2xi8", "collapsed_slice_dims = [0, 1], start_index_map = [0, 1]", "1, 1", "5x4xf32")
	case 1: // windows of two
		x = gather("%b", table, unit(g, "i8"), "5x4x1xi8", "offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [0], "+
			"start_indices_batching_dims = [0], start_index_map = [1]", "1, 2", "5x4x2xf32")
		x = add("stablehlo.slice %s [0:5, 0:4, 1:2] : (tensor<5x4x2xf32>) -> tensor<5x4x1xf32>", x)
		x = add("stablehlo.reshape %s : (tensor<5x4x1xf32>) -> tensor<5x4xf32>", x)
	case 2: // take_along_axis
		at := unit(g, "i8")
		p := op("and", "5x4x1xi1", compare("GE", at, constant(0, "5x4x1xi8"), "5x4x1x", "i8"),
			compare("LE", at, constant(size-1, "5x4x1xi8"), "5x4x1x", "i8"))
		p = add("stablehlo.reduce(%s init: %s) applies stablehlo.and across dimensions = [2] : (tensor<5x4x1xi1>, tensor<i1>) -> tensor<5x4xi1>",
			p, constant("true", "i1"))
		x = gather("%b", table, at, "5x4x1xi8", "collapsed_slice_dims = [1], operand_batching_dims = [0], "+
			"start_indices_batching_dims = [0], start_index_map = [1]", "1, 1", "5x4xf32")
		x = add("stablehlo.select %s, %s, %s : tensor<5x4xi1>, tensor<5x4xf32>", p, x, constant("0x7FC00000", "5x4xf32"))
	}
	y := feature("%d", "f32")
	fmt.Fprintf(&b, " return %s, %s, %s : tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xi8>", x, y, f)
	who := []string{"", "@0", "@p"}
	return sample{
		args: fmt.Sprintf("4x6xi8%s %s%s 5x4xi32 4x6xf32%s", who[r.IntN(3)], table, who[r.IntN(3)], who[r.IntN(3)]),
		body: b.String(), outs: "5x4xf32 5x4xf32 5x4xi8",
	}
}

// TestRandomLookups: look-ups have the same results with and without passes, and their tables are small where the program says so.
func TestRandomLookups(t *testing.T) {
	narrowed, filled := 0, 0
	for seed := range uint64(200) {
		c := randomLookups(rand.New(rand.NewPCG(seed, 11)))
		q := check(t, c, Rewrite)
		if t.Failed() {
			t.Fatalf("seed %d, arguments %s:\n%s", seed, c.args, c.body)
		}
		if counts(q)["slice"] > strings.Count(c.body, ".slice ") {
			narrowed++
		}
		if counts(q)["concatenate tensor<5x61xf32>"]+counts(q)["concatenate tensor<5x101xf32>"] > 0 {
			filled++
		}
	}
	if narrowed < 50 || filled < 10 {
		t.Errorf("of 200 programs, tables became smaller in %d, and have a row of NaN in %d", narrowed, filled)
	}
}
