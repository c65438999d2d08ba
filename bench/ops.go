package bench

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
)

// Default numbers of elements for cheap operations, real functions and sorts.
const (
	many  = 1_000_000
	some  = 100_000
	sorts = 10_000
)

// row is the number of elements of the first softmax's rows.
const row = 10

// bits32 bounds numbers of 32 bits of which 18 are fraction bits, with the margin of 1/1024 that known ranges get for roundings.
const bits32 = 16000

// Ops returns all operations that can be measured, in the order in which the tables of results list them.
func Ops() []Op {
	log := function("log", "stablehlo.log %x0 : T", 0.01, 100)
	reciprocal := elementwise("reciprocal", some, "  %c = stablehlo.constant dense<1.0> : T\n  %r = stablehlo.divide %c, %x0 : T", 0.1, 100)
	rsqrt := function("rsqrt", "stablehlo.rsqrt %x0 : T", 0.01, 100)
	ops := []Op{
		binary("mul", hlo.OpMultiply, -100, 100),
		elementwise("square", many, "  %r = stablehlo.multiply %x0, %x0 : T", -100, 100),
		comparison("less", "LT", operand{lo: -100, hi: 100}),
		comparison("equal", "EQ", operand{lo: 0, hi: 4, integer: true}),
		elementwise("relu", many, "  %c = stablehlo.constant dense<0.0> : T\n  %r = stablehlo.maximum %x0, %c : T", -100, 100),
		{"select", many, func(n int) program {
			t := vector(n, "f64")
			return program{
				[]operand{{typ: vector(n, "i1")}, {typ: t, lo: -100, hi: 100}, {typ: t, lo: -100, hi: 100}},
				fmt.Sprintf("  %%r = stablehlo.select %%x0, %%x1, %%x2 : %s, %s", vector(n, "i1"), t), t, n,
			}
		}},
		binary("max", hlo.OpMaximum, -100, 100),
		function("exp", "stablehlo.exponential %x0 : T", -10, 1),
		log, declared(log, "log-32", 0, bits32),
		reciprocal, declared(reciprocal, "reciprocal-32", 0, bits32),
		{"divide", some, func(n int) program {
			t := vector(n, "f64")
			return program{[]operand{{typ: t, lo: -50, hi: 50}, {typ: t, lo: 0.1, hi: 20}}, "  %r = stablehlo.divide %x0, %x1 : " + t, t, n}
		}},
		rsqrt, declared(rsqrt, "rsqrt-32", 0, bits32),
		function("sqrt", "stablehlo.sqrt %x0 : T", 0, 100),
		function("sigmoid", "stablehlo.logistic %x0 : T", -8, 8),
		function("tanh", "stablehlo.tanh %x0 : T", -8, 8),
		elementwise("gelu", some, `  %c = stablehlo.constant dense<-0.70710678118654757> : T
  %m = stablehlo.multiply %x0, %c : T
  %e = chlo.erfc %m : T -> T
  %h = stablehlo.constant dense<0.5> : T
  %y = stablehlo.multiply %h, %x0 : T
  %r = stablehlo.multiply %y, %e : T`, -8, 8),
		elementwise("silu", some, "  %s = stablehlo.logistic %x0 : T\n  %r = stablehlo.multiply %x0, %s : T", -8, 8),
		elementwise("softplus", some, `  %z = stablehlo.constant dense<0.0> : T
  %m = stablehlo.maximum %x0, %z : T
  %a = stablehlo.abs %x0 : T
  %n = stablehlo.negate %a : T
  %e = stablehlo.exponential %n : T
  %l = stablehlo.log_plus_one %e : T
  %r = stablehlo.add %m, %l : T`, -8, 8),
		elementwise("relu6", many, `  %c = stablehlo.constant dense<0.0> : T
  %d = stablehlo.constant dense<6.0> : T
  %r = stablehlo.clamp %c, %x0, %d : T`, -100, 100),
		function("erf", "chlo.erf %x0 : T -> T", -8, 8),
		{"softmax", some, softmax(row)},
		{"softmax-128", some, softmax(128)},
		{"softmax-1500", some, softmax(1500)},
		{"sort", sorts, func(n int) program {
			t := vector(n, "f64")
			return program{[]operand{{typ: t, lo: -100, hi: 100}}, fmt.Sprintf(`  %%r = "stablehlo.sort"(%%x0) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%%a: tensor<f64>, %%b: tensor<f64>):
    %%p = stablehlo.compare LT, %%a, %%b : (tensor<f64>, tensor<f64>) -> tensor<i1>
    stablehlo.return %%p : tensor<i1>
  }) : (%[1]s) -> %[1]s`, t), t, n}
		}},
	}
	for n := 256; n <= 2048; n *= 2 {
		ops = append(ops, matmul(n))
	}
	for _, c := range convolutions {
		ops = append(ops, Op{c.name(), 0, func(int) program { return c.program() }})
	}
	for _, c := range convolutions {
		if c.window == 3 {
			ops = append(ops, Op{"winograd" + c.name()[len("conv"):], 0, func(int) program { return c.winograd() }})
		}
	}
	return ops
}

func vector(n int, elem string) string { return fmt.Sprintf("tensor<%dx%s>", n, elem) }
