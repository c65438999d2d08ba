package party_test

import (
	"fmt"
	"strings"
)

// operation is one row of the conformance table: a program of one operation.
type operation struct {
	name, form string // what the table calls it
	in, out    []string
	attrs      string
	regions    string // of the generic form
	callee     string // a function of the program
	lo, hi     float64
	tol        float64
	unlike     string // why some combinations are left out
	constant   map[int]string
}

func list(s string) []string { return strings.Fields(s) }

// values makes operations of one type in and out.
func values(typ string, operands int, lo, hi float64, names ...string) []operation {
	var out []operation
	for _, n := range names {
		in := make([]string, operands)
		for i := range in {
			in[i] = typ
		}
		out = append(out, operation{name: n, in: in, out: []string{typ}, lo: lo, hi: hi})
	}
	return out
}

func stable(names string) []string {
	out := list(names)
	for i, n := range out {
		out[i] = "stablehlo." + n
	}
	return out
}

func chloNames(names string) []string {
	out := list(names)
	for i, n := range out {
		out[i] = "chlo." + n
	}
	return out
}

// region is a body of one operation on two scalars.
func region(op, typ string) string {
	return fmt.Sprintf("({\n ^bb0(%%p: tensor<%[2]s>, %%q: tensor<%[2]s>):\n  %%t = %[1]s %%p, %%q : tensor<%[2]s>\n  stablehlo.return %%t : tensor<%[2]s>\n })", op, typ)
}

func region2(op, typ, out string) string {
	return fmt.Sprintf("({\n ^bb0(%%p: tensor<%[2]s>, %%q: tensor<%[2]s>):\n  %%t = %[1]s %%p, %%q : (tensor<%[2]s>, tensor<%[2]s>) -> tensor<%[3]s>\n  stablehlo.return %%t : tensor<%[3]s>\n })", op, typ, out)
}

const (
	vec  = "24xf32"
	mat  = "4x6xf32"
	ints = "24xi32"
	uns  = "24xui8"
	bits = "24xi1"
)

// operations are the rows of the table.
func operations() []operation {
	var ops []operation
	add := func(more ...operation) { ops = append(ops, more...) }
	add(values(vec, 2, -2, 2, stable("add subtract multiply maximum minimum atan2")...)...)
	add(values(vec, 2, 0.5, 4, stable("divide remainder power")...)...)
	add(values(vec, 1, -4, 4, stable("negate abs sign floor ceil round_nearest_even round_nearest_afz exponential exponential_minus_one logistic tanh sine cosine cbrt")...)...)
	add(values(vec, 1, 0.1, 8, stable("log log_plus_one sqrt rsqrt")...)...)
	add(values(vec, 1, -1, 1, "stablehlo.tan")...)
	add(values(vec, 1, -3, 3, chloNames("erf erfc sinh cosh asinh atan square")...)...)
	add(values(vec, 1, -0.9, 0.9, chloNames("asin acos atanh")...)...)
	add(values(vec, 1, 1.1, 8, chloNames("acosh")...)...)
	add(values(vec, 1, -9, 9, chloNames("bessel_i1e")...)...)
	add(values(vec, 2, 1.5, 4, chloNames("zeta")...)...)
	add(values(vec, 3, -2, 2, "stablehlo.clamp")...)
	add(operation{name: "stablehlo.select", in: []string{bits, vec, vec}, out: []string{vec}, lo: -2, hi: 2})
	for _, t := range []string{vec, ints, uns} {
		for _, d := range []string{"LT", "EQ"} {
			add(operation{name: "stablehlo.compare", form: d, in: []string{t, t}, out: []string{bits}, attrs: "comparison_direction = #stablehlo<comparison_direction " + d + ">", lo: -2, hi: 2})
		}
	}
	add(operation{name: "stablehlo.is_finite", in: []string{vec}, out: []string{bits}, lo: -2, hi: 2})
	for _, t := range []string{ints, uns} {
		add(values(t, 2, 0, 0, stable("add subtract multiply maximum minimum divide remainder and or xor shift_left shift_right_logical shift_right_arithmetic")...)...)
		add(values(t, 1, 0, 0, stable("negate abs sign not popcnt count_leading_zeros")...)...)
	}
	ops = without(ops, func(o operation) bool {
		return o.in[0] == uns && (o.name == "stablehlo.negate" || o.name == "stablehlo.abs" || o.name == "stablehlo.sign")
	})
	add(values(bits, 2, 0, 0, stable("and or xor")...)...)
	add(values(bits, 1, 0, 0, "stablehlo.not")...)
	for _, c := range []string{vec + " " + ints, ints + " " + vec, ints + " 24xi64", ints + " 24xi8", bits + " " + vec, vec + " " + bits, uns + " " + ints} {
		f := list(c)
		add(operation{name: "stablehlo.convert", in: f[:1], out: f[1:], lo: -4, hi: 4})
	}
	add(operation{name: "stablehlo.bitcast_convert", in: []string{ints}, out: []string{"24xui32"}})
	add(operation{name: "chlo.mulhi", in: []string{ints, ints}, out: []string{ints}})
	add(structuredOps()...)
	add(furtherOps()...)
	return ops
}

func structuredOps() []operation {
	i64 := func(name string, v string) string { return name + " = array<i64: " + v + ">" }
	ops := []operation{
		{name: "stablehlo.broadcast_in_dim", in: list("6xf32"), out: list(mat), attrs: i64("broadcast_dimensions", "1")},
		{name: "stablehlo.reshape", in: list(mat), out: list(vec)},
		{name: "stablehlo.transpose", in: list(mat), out: list("6x4xf32"), attrs: i64("permutation", "1, 0")},
		{name: "stablehlo.reverse", in: list(mat), out: list(mat), attrs: i64("dimensions", "1")},
		{name: "stablehlo.slice", in: list(mat), out: list("2x3xf32"), attrs: i64("start_indices", "1, 0") + ", " + i64("limit_indices", "3, 6") + ", " + i64("strides", "1, 2")},
		{name: "stablehlo.pad", in: list(mat + " f32"), out: list("5x8xf32"), attrs: i64("edge_padding_low", "1, 1") + ", " + i64("edge_padding_high", "0, 1") + ", " + i64("interior_padding", "0, 0")},
		{name: "stablehlo.concatenate", in: []string{mat, mat}, out: list("8x6xf32"), attrs: "dimension = 0 : i64"},
		{name: "stablehlo.dynamic_slice", form: "public start", in: list(mat + " i32 i32"), out: list("2x3xf32"), attrs: i64("slice_sizes", "2, 3"), constant: map[int]string{1: "1", 2: "2"}},
		{name: "stablehlo.dynamic_update_slice", form: "public start", in: list(mat + " 2x3xf32 i32 i32"), out: list(mat), constant: map[int]string{2: "1", 3: "2"}},
		{name: "stablehlo.gather", form: "public indices", in: list(mat + " 3x1xi32"), out: list("3x6xf32"), constant: map[int]string{1: "[[2], [0], [3]]"},
			attrs: "dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 6>"},
		{name: "stablehlo.dot_general", in: list(mat + " 6x3xf32"), out: list("4x3xf32"), attrs: "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"},
		{name: "stablehlo.dot_general", form: "i32", in: list("4x6xi32 6x3xi32"), out: list("4x3xi32"), attrs: "dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>"},
		{name: "stablehlo.convolution", in: list("1x6x6x2xf32 3x3x2x4xf32"), out: list("1x4x4x4xf32"),
			attrs: "batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<0> : tensor<2x2xi64>, window_strides = array<i64: 1, 1>"},
		{name: "stablehlo.map", in: []string{vec, vec}, out: list(vec), attrs: i64("dimensions", "0"), regions: region("stablehlo.multiply", "f32")},
		{name: "stablehlo.sort", form: "few rows", in: list(vec), out: list(vec), attrs: "dimension = 0 : i64, is_stable = true", regions: region2("stablehlo.compare LT,", "f32", "i1")},
		{name: "stablehlo.sort", form: "many rows", in: list("200xf32"), out: list("200xf32"), attrs: "dimension = 0 : i64, is_stable = true", regions: region2("stablehlo.compare LT,", "f32", "i1")},
		{name: "chlo.top_k", form: "5 of 200", in: list("200xf32"), out: list("5xf32 5xi32"), attrs: "k = 5 : i64"},
		{name: "stablehlo.cholesky", in: list("4x4xf32"), out: list("4x4xf32"), attrs: "lower = true", unlike: "definite"},
		{name: "stablehlo.triangular_solve", in: list("4x4xf32 4x2xf32"), out: list("4x2xf32"), unlike: "definite",
			attrs: "left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false"},
		{name: "stablehlo.batch_norm_inference", in: list("4x6xf32 6xf32 6xf32 6xf32 6xf32"), out: list(mat), attrs: "epsilon = 4.0 : f32, feature_index = 1 : i64"},
		{name: "stablehlo.batch_norm_training", in: list("4x6xf32 6xf32 6xf32"), out: list("4x6xf32 6xf32 6xf32"), attrs: "epsilon = 0.1 : f32, feature_index = 1 : i64"},
		{name: "stablehlo.fft", form: "RFFT", in: list("4x8xf32"), out: list("4x5xcomplex<f32>"), attrs: "fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 8>"},
		{name: "stablehlo.complex", in: []string{vec, vec}, out: list("24xcomplex<f32>")},
		{name: "stablehlo.select_and_scatter", form: "GE, add", in: list("4x6xf32 2x3xf32 f32"), out: list(mat),
			attrs:   i64("window_dimensions", "2, 2") + ", " + i64("window_strides", "2, 2"),
			regions: strings.TrimSuffix(region2("stablehlo.compare GE,", "f32", "i1"), ")") + ", " + strings.TrimPrefix(region("stablehlo.add", "f32"), "(")},
	}
	for _, b := range list("add multiply maximum minimum") {
		ops = append(ops,
			operation{name: "stablehlo.reduce", form: b, in: list(mat + " f32"), out: list("4xf32"), attrs: i64("dimensions", "1"), regions: region("stablehlo."+b, "f32"), lo: -1.5, hi: 1.5},
			operation{name: "stablehlo.reduce_window", form: b, in: list(mat + " f32"), out: list("2x3xf32"), lo: -1.5, hi: 1.5,
				attrs: i64("window_dimensions", "2, 2") + ", " + i64("window_strides", "2, 2"), regions: region("stablehlo."+b, "f32")},
			operation{name: "stablehlo.scatter", form: b + ", public indices", in: list(mat + " 3x1xi32 3x6xf32"), out: list(mat), constant: map[int]string{1: "[[2], [0], [2]]"},
				attrs:   "indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false",
				regions: region("stablehlo."+b, "f32")})
	}
	for i := range ops {
		if ops[i].lo == ops[i].hi {
			ops[i].lo, ops[i].hi = -2, 2
		}
	}
	return ops
}

// furtherOps are functions, complex numbers, collectives of one replica, and the operations that run blocks.
func furtherOps() []operation {
	const (
		complexVec = "24xcomplex<f32>"
		one        = "dense<0> : tensor<1x1xi64>"
		constant   = "({\n  %k = stablehlo.constant dense<1.5> : tensor<24xf32>\n  stablehlo.return %k : tensor<24xf32>\n })"
		other      = "({\n  %k = stablehlo.constant dense<-0.5> : tensor<24xf32>\n  stablehlo.return %k : tensor<24xf32>\n })"
		callee     = " func.func private @callee(%p: tensor<24xf32>) -> tensor<24xf32> {\n  %q = stablehlo.multiply %p, %p : tensor<24xf32>\n  return %q : tensor<24xf32>\n }\n"
		loop       = "({\n ^bb0(%i: tensor<i32>, %p: tensor<24xf32>):\n  %n = stablehlo.constant dense<3> : tensor<i32>\n" +
			"  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>\n  stablehlo.return %c : tensor<i1>\n }, {\n" +
			" ^bb0(%i: tensor<i32>, %p: tensor<24xf32>):\n  %n = stablehlo.constant dense<1> : tensor<i32>\n" +
			"  %j = stablehlo.add %i, %n : tensor<i32>\n  %q = stablehlo.multiply %p, %p : tensor<24xf32>\n" +
			"  stablehlo.return %j, %q : tensor<i32>, tensor<24xf32>\n })"
	)
	branches := strings.TrimSuffix(constant, ")") + ", " + strings.TrimPrefix(other, "(")
	ops := values(vec, 1, 1.5, 8, chloNames("digamma lgamma")...)
	ops = append(ops, values(vec, 1, -0.9, 0.9, "chlo.erf_inv")...)
	ops = append(ops, values(vec, 2, -2, 2, "chlo.next_after")...)
	for _, name := range chloNames("is_inf is_pos_inf is_neg_inf") {
		ops = append(ops, operation{name: name, in: list(vec), out: list(bits)})
	}
	for _, name := range stable("optimization_barrier") {
		ops = append(ops, operation{name: name, in: list(vec), out: list(vec)})
	}
	ops = append(ops, []operation{
		{name: "chlo.polygamma", form: "order 1", in: []string{vec, vec}, out: list(vec), lo: 1.5, hi: 4, constant: map[int]string{0: "1.0"}},
		{name: "chlo.conj", in: list(complexVec), out: list(complexVec)},
		{name: "stablehlo.real", in: list(complexVec), out: list(vec)},
		{name: "stablehlo.imag", in: list(complexVec), out: list(vec)},
		{name: "stablehlo.reduce_precision", in: list(vec), out: list(vec), attrs: "exponent_bits = 8 : i32, mantissa_bits = 16 : i32"},
		{name: "stablehlo.get_dimension_size", in: list(mat), out: list("i32"), attrs: "dimension = 1 : i64"},
		{name: "stablehlo.custom_call", form: "Sharding", in: list(vec), out: list(vec), attrs: "call_target_name = \"Sharding\""},
		{name: "stablehlo.batch_norm_grad", in: list("4x6xf32 6xf32 6xf32 6xf32 4x6xf32"), out: list("4x6xf32 6xf32 6xf32"),
			attrs: "epsilon = 4.0 : f32, feature_index = 1 : i64"},
		{name: "stablehlo.all_gather", in: list(mat), out: list(mat), attrs: "all_gather_dim = 1 : i64, replica_groups = " + one},
		{name: "stablehlo.all_reduce", in: list(mat), out: list(mat), attrs: "replica_groups = " + one, regions: region("stablehlo.add", "f32")},
		{name: "stablehlo.all_to_all", in: list(mat), out: list(mat),
			attrs: "concat_dimension = 0 : i64, split_count = 1 : i64, split_dimension = 1 : i64, replica_groups = " + one},
		{name: "stablehlo.collective_broadcast", in: list(mat), out: list(mat), attrs: "replica_groups = " + one},
		{name: "stablehlo.collective_permute", in: list(mat), out: list(mat), attrs: "source_target_pairs = dense<0> : tensor<1x2xi64>"},
		{name: "stablehlo.reduce_scatter", in: list(mat), out: list(mat), attrs: "scatter_dimension = 1 : i64, replica_groups = " + one,
			regions: region("stablehlo.add", "f32")},
		{name: "func.call", form: "of a square", in: list(vec), out: list(vec), attrs: "callee = @callee", callee: callee},
		{name: "stablehlo.composite", form: "of a square", in: list(vec), out: list(vec), callee: callee,
			attrs: "composite_attributes = {}, decomposition = @callee, name = \"my.square\", version = 0 : i32"},
		{name: "stablehlo.if", in: list("i1"), out: list(vec), regions: branches},
		{name: "stablehlo.case", in: list("i32"), out: list(vec), regions: branches},
		{name: "stablehlo.while", form: "3 squares", in: list("i32 " + vec), out: list("i32 " + vec), constant: map[int]string{0: "0"},
			lo: -1, hi: 1, regions: loop},
	}...)
	for i := range ops {
		if ops[i].lo == ops[i].hi {
			ops[i].lo, ops[i].hi = -2, 2
		}
	}
	return ops
}

func without(ops []operation, drop func(operation) bool) []operation {
	var out []operation
	for _, o := range ops {
		if !drop(o) {
			out = append(out, o)
		}
	}
	return out
}
