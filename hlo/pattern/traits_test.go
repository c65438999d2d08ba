package pattern

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// named returns the names of values, sorted.
func named(set map[*hlo.Value]bool) string {
	var out []string
	for v := range set {
		out = append(out, v.Name)
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// Facts go through every operation that only moves elements, whichever it is.
func TestFactsThroughViews(t *testing.T) {
	for _, view := range []string{
		"stablehlo.slice %s [1:3] : (tensor<4xf32>) -> tensor<2xf32>",
		`"stablehlo.gather"(%s, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>`,
		"stablehlo.dynamic_slice %s, %j, sizes = [2] : (tensor<4xf32>, tensor<i32>) -> tensor<2xf32>",
		`"stablehlo.torch_index_select"(%s, %i) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<4xf32>, tensor<2xi32>) -> tensor<2xf32>`,
	} {
		p := parse(t, `func.func public @main(%a: tensor<4xf32>, %c: tensor<4xf32>, %b: tensor<2xf32>, %i: tensor<2xi32>, %j: tensor<i32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %s = stablehlo.multiply %a, %a : tensor<4xf32>
  %v = `+view+`
  %root = stablehlo.sqrt %v : tensor<2xf32>
  %d = stablehlo.abs %a : tensor<4xf32>
  %e = `+strings.Replace(view, "%s", "%d", 1)+`
  %q = stablehlo.divide %b, %e : tensor<2xf32>
  %n = stablehlo.rsqrt %c : tensor<4xf32>
  %m = `+strings.Replace(view, "%s", "%n", 1)+`
  return %root, %q, %m : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}`)
		name, _, _ := strings.Cut(strings.Trim(view, `"`), " ")
		for _, c := range []struct{ what, got, want string }{
			{"roots", named(Roots(p)), "c s v"},
			{"divisors", named(Divisors(p)), "d e"},
			{"inverses", named(Inverses(p)), "m n"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %s are %s, want %s", name, c.what, c.got, c.want)
			}
		}
	}
}

// The bounds of monotone functions are their values at the ends of the operand's bounds.
func TestBoundsOfMonotone(t *testing.T) {
	for _, c := range []struct {
		op     string
		lo, hi float64
	}{
		{"stablehlo.tanh", math.Tanh(-0.5), math.Tanh(0.75)},
		{"chlo.asin", math.Asin(-0.5), math.Asin(0.75)},
		{"chlo.acos", math.Acos(0.75), math.Acos(-0.5)},
		{"chlo.atanh", math.Atanh(-0.5), math.Atanh(0.75)},
		{"chlo.erf_inv", math.Erfinv(-0.5), math.Erfinv(0.75)},
		{"chlo.erfc", math.Erfc(0.75), math.Erfc(-0.5)},
		{"chlo.acosh", 0, 0}, // defined from 1 on
		{"stablehlo.sqrt", 0, math.Sqrt(0.75)},
		{"chlo.tan", math.Inf(-1), math.Inf(1)},
	} {
		form := c.op + " %a : tensor<2xf32>"
		if strings.HasPrefix(c.op, "chlo.") {
			form += " -> tensor<2xf32>"
		}
		p := parse(t, "func.func public @main(%a: tensor<2xf32>) -> tensor<2xf32> {\n  %r = "+form+"\n  return %r : tensor<2xf32>\n}")
		lo, hi := Bounds(p, Interval{-0.5, 0.75}).Of(p.Main.Body.Return().Operands[0])
		if near := func(x, y float64) bool { return x == y || math.Abs(x-y) <= 1e-6*math.Abs(y) }; !near(lo, c.lo) || !near(hi, c.hi) {
			t.Errorf("%s lies in %v … %v, want %v … %v", c.op, lo, hi, c.lo, c.hi)
		}
	}
}

// Two copies of an elementwise function are equal if their operands and attributes are.
func TestEqualTerms(t *testing.T) {
	for _, c := range []struct {
		p, q string
		want string
	}{
		{"stablehlo.sine %a : tensor<2x4xf32>", "stablehlo.sine %a : tensor<2x4xf32>", "softmax"},
		{"chlo.asinh %a : tensor<2x4xf32> -> tensor<2x4xf32>", "chlo.asinh %a : tensor<2x4xf32> -> tensor<2x4xf32>", "softmax"},
		{"stablehlo.reduce_precision %a, format = e8m7 : tensor<2x4xf32>", "stablehlo.reduce_precision %a, format = e8m7 : tensor<2x4xf32>", "softmax"},
		{"stablehlo.reduce_precision %a, format = e8m7 : tensor<2x4xf32>", "stablehlo.reduce_precision %a, format = e8m10 : tensor<2x4xf32>", ""},
		{"stablehlo.sine %a : tensor<2x4xf32>", "stablehlo.cosine %a : tensor<2x4xf32>", ""},
	} {
		p := parse(t, `func.func public @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %x = `+c.p+`
  %y = `+c.q+`
  %m = stablehlo.reduce(%y init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %b = stablehlo.broadcast_in_dim %m, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %d = stablehlo.subtract %x, %b : tensor<2x4xf32>
  %e = stablehlo.exponential %d : tensor<2x4xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>
  %t = stablehlo.broadcast_in_dim %s, dims = [0] : (tensor<2xf32>) -> tensor<2x4xf32>
  %r = stablehlo.divide %e, %t : tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}`)
		got := strings.Join(outer(p, Find(p)), "; ")
		if is, _, _ := strings.Cut(got, "("); is != c.want {
			t.Errorf("%s, %s: %q, want %q", c.p, c.q, got, c.want)
		}
	}
}
