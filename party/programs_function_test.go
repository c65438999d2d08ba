package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// function is a program of one or two 4×6 arguments that no party knows, each
// the sum of two, with values in an interval.
type function struct {
	name   string
	body   string // from %x (and %y) to %r
	lo, hi float64
	ylo    float64 // of %y, if there is one
	yhi    float64
	tol    float64 // default: a few units
	set    map[string]string
}

func op(name string) string { return "%r = " + name + " %x : tensor<4x6xf32>" }

func chlo(name string) string {
	return "%r = chlo." + name + " %x : tensor<4x6xf32> -> tensor<4x6xf32>"
}

var functions = []function{
	{name: "exponential", body: op("stablehlo.exponential"), lo: -30, hi: 8},
	{name: "exponential far out", body: op("stablehlo.exponential"), lo: -10000, hi: 2},
	{name: "taylor", body: op("stablehlo.exponential"), lo: -1, hi: 1, tol: 1e-2, set: map[string]string{"exp.mode": "taylor"}},
	{name: "pade", body: op("stablehlo.exponential"), lo: -20, hi: 5, set: map[string]string{"exp.mode": "pade"}},
	{name: "lower clamp", body: op("stablehlo.exponential"), lo: -30, hi: 8, set: map[string]string{"exp.clamp": "lower"}},
	{name: "no clamp", body: op("stablehlo.exponential"), lo: -10, hi: 8, set: map[string]string{"exp.clamp": "none"}},
	{name: "exponential_minus_one", body: op("stablehlo.exponential_minus_one"), lo: -20, hi: 5},
	{name: "log", body: op("stablehlo.log"), lo: 0.01, hi: 1000},
	{name: "log_plus_one", body: op("stablehlo.log_plus_one"), lo: -0.9, hi: 1000},
	{name: "sqrt", body: op("stablehlo.sqrt"), lo: 0, hi: 1000},
	{name: "rsqrt", body: op("stablehlo.rsqrt"), lo: 0.01, hi: 1000},
	{name: "cbrt", body: op("stablehlo.cbrt"), lo: -1000, hi: 1000},
	{name: "logistic", body: op("stablehlo.logistic"), lo: -30, hi: 30},
	{name: "logistic, thrifty", body: op("stablehlo.logistic"), lo: -30, hi: 30, set: map[string]string{"sigmoid.table": "thrifty"}},
	{name: "tanh", body: op("stablehlo.tanh"), lo: -20, hi: 20},
	{name: "sine", body: op("stablehlo.sine"), lo: -100, hi: 100},
	{name: "cosine", body: op("stablehlo.cosine"), lo: -100, hi: 100},
	{name: "tan", body: op("stablehlo.tan"), lo: -1.4, hi: 1.4},
	{name: "floor", body: op("stablehlo.floor"), lo: -100, hi: 100},
	{name: "ceil", body: op("stablehlo.ceil"), lo: -100, hi: 100},
	{name: "round_nearest_even", body: op("stablehlo.round_nearest_even"), lo: -100, hi: 100},
	{name: "round_nearest_afz", body: op("stablehlo.round_nearest_afz"), lo: -100, hi: 100},
	{name: "erf", body: chlo("erf"), lo: -6, hi: 6},
	{name: "erfc", body: chlo("erfc"), lo: -6, hi: 6},
	{name: "erf_inv", body: chlo("erf_inv"), lo: -0.99, hi: 0.99},
	{name: "bessel_i1e", body: chlo("bessel_i1e"), lo: -40, hi: 40, tol: 6e-5}, // 32 exponentials, weighed: up to 2.9e-5 in 7,200 draws
	{
		name: "zeta",
		body: "%r = chlo.zeta %x, %y : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>",
		lo:   1.5,
		hi:   4,
		ylo:  0.5,
		yhi:  6,
		tol:  1e-3,
	},
	{
		name: "polygamma",
		body: "%n = stablehlo.constant dense<2.0> : tensor<4x6xf32>\n%r = chlo.polygamma %n, %x : tensor<4x6xf32>, tensor<4x6xf32> -> tensor<4x6xf32>",
		lo:   0.8,
		hi:   9,
		tol:  1e-3,
	},
	{name: "powers of negative numbers", body: `%i = stablehlo.convert %y : (tensor<4x6xf32>) -> tensor<4x6xi32>
%e = stablehlo.convert %i : (tensor<4x6xi32>) -> tensor<4x6xf32>
%r = stablehlo.power %x, %e : tensor<4x6xf32>`, lo: -3, hi: 3, ylo: 0, yhi: 5.9, tol: 1e-3},
	{name: "unsigned of negative numbers", body: `%i = stablehlo.convert %x : (tensor<4x6xf32>) -> tensor<4x6xui16>
%r = stablehlo.convert %i : (tensor<4x6xui16>) -> tensor<4x6xf32>`, lo: -30, hi: 30},
	{name: "lgamma", body: chlo("lgamma"), lo: 0.1, hi: 50},
	{name: "lgamma, negative", body: chlo("lgamma"), lo: -3.8, hi: 3, tol: 3e-3},
	{name: "digamma", body: chlo("digamma"), lo: 0.1, hi: 50},
	{name: "sinh", body: chlo("sinh"), lo: -5, hi: 5},
	{name: "cosh", body: chlo("cosh"), lo: -5, hi: 5},
	{name: "asin", body: chlo("asin"), lo: -0.99, hi: 0.99},
	{name: "acos", body: chlo("acos"), lo: -0.99, hi: 0.99},
	{name: "atan", body: chlo("atan"), lo: -50, hi: 50},
	{name: "asinh", body: chlo("asinh"), lo: -50, hi: 50},
	{name: "acosh", body: chlo("acosh"), lo: 1.1, hi: 50},
	{name: "atanh", body: chlo("atanh"), lo: -0.95, hi: 0.95},
	{name: "atan2", body: "%r = stablehlo.atan2 %x, %y : tensor<4x6xf32>", lo: -3, hi: 3, ylo: -3, yhi: 3},
	{name: "divide", body: "%r = stablehlo.divide %x, %y : tensor<4x6xf32>", lo: -50, hi: 50, ylo: 0.1, yhi: 20},
	{name: "divide by negatives", body: "%r = stablehlo.divide %x, %y : tensor<4x6xf32>", lo: -50, hi: 50, ylo: -20, yhi: -0.1},
	{name: "remainder", body: "%r = stablehlo.remainder %x, %y : tensor<4x6xf32>", lo: -50, hi: 50, ylo: 1, yhi: 20, tol: 1e-3},
	{name: "power", body: "%r = stablehlo.power %x, %y : tensor<4x6xf32>", lo: 0.1, hi: 8, ylo: -2, yhi: 2},
	{
		name: "power of a number",
		body: "%c = stablehlo.constant dense<1.7> : tensor<4x6xf32>\n %r = stablehlo.power %x, %c : tensor<4x6xf32>",
		lo:   0.1,
		hi:   8,
	},
	{
		name: "fifth power",
		body: "%c = stablehlo.constant dense<5.0> : tensor<4x6xf32>\n %r = stablehlo.power %x, %c : tensor<4x6xf32>",
		lo:   -4,
		hi:   4,
		tol:  1e-3,
	},
	{
		name: "fourth power",
		body: "%c = stablehlo.constant dense<4.0> : tensor<4x6xf32>\n %r = stablehlo.power %x, %c : tensor<4x6xf32>",
		lo:   -4,
		hi:   4,
		tol:  1e-3,
	},
	{
		name: "powers that differ",
		body: "%c = stablehlo.constant dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0], [3.0, 3.0, 3.0, 3.0, 3.0, 7.0]]> : tensor<4x6xf32>\n %r = stablehlo.power %x, %c : tensor<4x6xf32>",
		lo:   -2,
		hi:   2,
		tol:  1e-3,
	},
	{
		name: "power of two",
		body: "%c = stablehlo.constant dense<2.0> : tensor<4x6xf32>\n %r = stablehlo.power %c, %x : tensor<4x6xf32>",
		lo:   -8,
		hi:   8,
	},
	{
		name: "reciprocal",
		body: "%c = stablehlo.constant dense<1.0> : tensor<4x6xf32>\n %r = stablehlo.divide %c, %x : tensor<4x6xf32>",
		lo:   -20,
		hi:   -0.05,
	},
	{name: "softmax", lo: -5, hi: 5, body: `%i = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
 %d = stablehlo.subtract %x, %mb : tensor<4x6xf32>
 %e = stablehlo.exponential %d : tensor<4x6xf32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
 %r = stablehlo.divide %e, %sb : tensor<4x6xf32>`},
	{name: "softmax over columns", lo: -5, hi: 5, body: `%i = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %m = stablehlo.reduce(%x init: %i) applies stablehlo.maximum across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
 %mb = stablehlo.broadcast_in_dim %m, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
 %d = stablehlo.subtract %x, %mb : tensor<4x6xf32>
 %e = stablehlo.exponential %d : tensor<4x6xf32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
 %sb = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
 %r = stablehlo.divide %e, %sb : tensor<4x6xf32>`},
	{name: "masked softmax", lo: -5, hi: 5, body: `%i = stablehlo.constant dense<0xFF800000> : tensor<f32>
 %k = stablehlo.constant dense<[true, true, false, true, false, true]> : tensor<6xi1>
 %kb = stablehlo.broadcast_in_dim %k, dims = [1] : (tensor<6xi1>) -> tensor<4x6xi1>
 %ib = stablehlo.broadcast_in_dim %i, dims = [] : (tensor<f32>) -> tensor<4x6xf32>
 %w = stablehlo.select %kb, %x, %ib : tensor<4x6xi1>, tensor<4x6xf32>
 %m = stablehlo.reduce(%w init: %i) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 %mb = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
 %d = stablehlo.subtract %w, %mb : tensor<4x6xf32>
 %e = stablehlo.exponential %d : tensor<4x6xf32>
 %z = stablehlo.constant dense<0.0> : tensor<f32>
 %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
 %sb = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<4xf32>) -> tensor<4x6xf32>
 %r = stablehlo.divide %e, %sb : tensor<4x6xf32>`},
}

func (f function) text() string {
	second := ""
	if f.yhi != f.ylo {
		second = " %y = stablehlo.add %c0, %d0 : tensor<4x6xf32>\n"
	}
	return "module @m {\n func.func public @main(%a0: tensor<4x6xf32>, %b0: tensor<4x6xf32>, %c0: tensor<4x6xf32>, %d0: tensor<4x6xf32>) -> tensor<4x6xf32> {\n" +
		" %x = stablehlo.add %a0, %b0 : tensor<4x6xf32>\n" + second + " " + f.body + "\n return %r : tensor<4x6xf32>\n }\n}\n"
}

var functionSettings = []setting{
	{"plain", 64, 18, 2, 2, nil},
	{"semi2k", 64, 18, 2, 2, nil},
	{"semi2k", 64, 18, 5, 5, nil},
	{"semi2k", 128, 26, 2, 2, nil},
	{"aby3", 64, 18, 3, 3, nil},
}

// TestFunctionPrograms runs real functions of secrets in programs against
// eval in 64-bit floats.
func TestFunctionPrograms(t *testing.T) {
	t.Parallel()
	for index, f := range functions {
		t.Run(f.name, func(t *testing.T) {
			prog, err := hlo.Parse("test.mlir", []byte(f.text()))
			if err != nil {
				t.Fatalf("%v\n%s", err, f.text())
			}
			for i, s := range functionSettings {
				if s.parties > 2 && index%4 != 0 || s.ring > 64 && index%4 != 2 {
					continue // many parties and wide rings take time
				}
				r := rand.New(rand.NewPCG(uint64(i), 9))
				spec := party.Spec{
					Program:   prog,
					Protocol:  s.protocol,
					Ring:      s.ring,
					Fraction:  s.f,
					Computing: s.computing,
					Network:   "none",
					Reveal:    []int{0},
					Set:       f.set,
				}
				var args []*tensor.Array
				for j, v := range prog.Main.Body.Params {
					lo, hi := f.lo, f.hi
					if j >= 2 {
						lo, hi = f.ylo, f.yhi
					}
					a := make([]float64, v.Type.Shape.Size())
					for k := range a {
						x := (lo + (hi-lo)*r.Float64()) / 2 // halves, exact at the fraction
						a[k] = math.Ldexp(math.Round(math.Ldexp(x, 12)), -12)
					}
					args = append(args, tensor.FromFloats(v.Type.DType, v.Type.Shape, a))
					spec.Args = append(spec.Args, party.Arg{Owner: j % s.parties, Data: args[j]})
				}
				for j := range s.parties {
					spec.Parties = append(spec.Parties, fmt.Sprintf("p%d", j))
				}
				want, err := eval.Func(context.Background(), prog.Main, args)
				if err != nil {
					t.Fatal(err)
				}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Errorf("%+v: %v", s, err)
					continue
				}
				program{tol: max(f.tol, 2e-5)}.near(t, s, out.Results, want)
				checkPrediction(t, out.Report)
				checkPlan(t, spec, out)
			}
		})
	}
}

// near is compare with the tolerance alone.
func (p program) near(t *testing.T, s setting, got, want []*tensor.Array) {
	t.Helper()
	for i := range want {
		w := want[i].Floats()
		for j, g := range got[i].Floats() {
			if !(math.Abs(g-w[j]) <= p.tol*max(1, math.Abs(w[j]))) {
				t.Errorf("%+v: result %d, element %d is %v, want %v", s, i, j, g, w[j])
				break
			}
		}
	}
}
