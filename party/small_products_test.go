package party_test

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/internal/testcases"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// smallProducts are programs of %a, %b and %c, of eight elements each, in which products that may be far below the last
// place end under a root or in a quotient. S is the sum of a vector, V a vector of a number's copies.
var smallProducts = map[string]string{
	"quotient of products": `
    %p = stablehlo.multiply %a, %b : T
    %q = stablehlo.multiply %a, %c : T
    %r = stablehlo.divide %p, %q : T`,
	"quotient by a value": `
    %p = stablehlo.multiply %a, %b : T
    %r = stablehlo.divide %p, %c : T`,
	"chain of products": `
    %p = stablehlo.multiply %a, %b : T
    %p2 = stablehlo.multiply %p, %c : T
    %q = stablehlo.multiply %b, %b : T
    %q2 = stablehlo.multiply %q, %a : T
    %r = stablehlo.divide %p2, %q2 : T`,
	"root": `
    %p = stablehlo.multiply %a, %b : T
    %s = stablehlo.sqrt %p : T
    %r = stablehlo.divide %s, %c : T`,
	"reciprocal root": `
    %p = stablehlo.multiply %a, %b : T
    %s = stablehlo.rsqrt %p : T
    %r = stablehlo.multiply %s, %c : T`,
	"cube root": `
    %p = stablehlo.multiply %a, %b : T
    %q = stablehlo.multiply %c, %c : T
    %d = stablehlo.subtract %p, %q : T
    %d2 = stablehlo.multiply %d, %b : T
    %s = stablehlo.cbrt %d2 : T
    %r = stablehlo.divide %s, %c : T`,
	"absolute product": `
    %d = stablehlo.subtract %a, %b : T
    %p = stablehlo.multiply %d, %c : T
    %m = stablehlo.abs %p : T
    %s = stablehlo.sqrt %m : T
    %r = stablehlo.divide %s, %b : T`,
	"correlation": `
    %p = stablehlo.multiply %a, %b : T
    %x = stablehlo.multiply %a, %a : T
    %y = stablehlo.multiply %b, %b : T
    S %ps = %p
    S %xs = %x
    S %ys = %y
    %v = stablehlo.multiply %xs, %ys : N
    %s = stablehlo.sqrt %v : N
    %rn = stablehlo.divide %ps, %s : N
    V %r = %rn`,
	"cosine of norms": `
    %p = stablehlo.multiply %a, %b : T
    %x = stablehlo.multiply %a, %a : T
    %y = stablehlo.multiply %b, %b : T
    S %ps = %p
    S %xs = %x
    S %ys = %y
    %xn = stablehlo.sqrt %xs : N
    %yn = stablehlo.sqrt %ys : N
    %v = stablehlo.multiply %xn, %yn : N
    %rn = stablehlo.divide %ps, %v : N
    V %r = %rn`,
	"weighted root mean square": `
    %w = stablehlo.multiply %c, %k : T
    %x = stablehlo.multiply %a, %a : T
    %p = stablehlo.multiply %w, %x : T
    S %ps = %p
    S %ws = %w
    %q = stablehlo.divide %ps, %ws : N
    %s = stablehlo.sqrt %q : N
    %sv = stablehlo.broadcast_in_dim %s, dims = [] : (N) -> T
    %r = stablehlo.divide %sv, %b : T`,
	"dot with squares": `
    %w = stablehlo.multiply %c, %k : T
    %x = stablehlo.multiply %a, %a : T
    %p = stablehlo.dot_general %w, %x, contracting_dims = [0] x [0] : (T, T) -> N
    %s = stablehlo.sqrt %p : N
    %sv = stablehlo.broadcast_in_dim %s, dims = [] : (N) -> T
    %r = stablehlo.divide %sv, %b : T`,
	"dot with a public vector": `
    %x = stablehlo.multiply %a, %b : T
    %p = stablehlo.dot_general %x, %k, contracting_dims = [0] x [0] : (T, T) -> N
    %s = stablehlo.sqrt %p : N
    %sv = stablehlo.broadcast_in_dim %s, dims = [] : (N) -> T
    %r = stablehlo.divide %sv, %b : T`,
	"concatenation": `
    %x = stablehlo.multiply %a, %b : T
    %y = stablehlo.multiply %b, %c : T
    %j = stablehlo.concatenate %x, %y, dim = 0 : (T, T) -> tensor<16xf32>
    %s = stablehlo.sqrt %j : tensor<16xf32>
    %u = stablehlo.slice %s [4:12] : (tensor<16xf32>) -> T
    %r = stablehlo.divide %u, %a : T`,
	"masked": `
    %m = stablehlo.compare LT, %a, %b, FLOAT : (T, T) -> tensor<8xi1>
    %w = stablehlo.convert %m : (tensor<8xi1>) -> T
    %x = stablehlo.multiply %a, %c : T
    %p = stablehlo.multiply %w, %x : T
    S %ps = %p
    S %ws = %w
    %q = stablehlo.divide %ps, %ws : N
    %s = stablehlo.sqrt %q : N
    %sv = stablehlo.broadcast_in_dim %s, dims = [] : (N) -> T
    %r = stablehlo.divide %sv, %b : T`,
	"chosen": `
    %m = stablehlo.compare LT, %a, %b, FLOAT : (T, T) -> tensor<8xi1>
    %x = stablehlo.multiply %a, %c : T
    %y = stablehlo.multiply %b, %b : T
    %z = stablehlo.multiply %c, %b : T
    %s = stablehlo.select %m, %x, %y : tensor<8xi1>, T
    %t = stablehlo.maximum %x, %z : T
    %r = stablehlo.divide %s, %t : T`,
	"computed by its owner": `
    %x = stablehlo.multiply %a, %a : T
    %p = stablehlo.multiply %a, %b : T
    %d = stablehlo.subtract %p, %x : T
    %q = stablehlo.multiply %a, %c : T
    %e = stablehlo.add %q, %x : T
    %r = stablehlo.divide %d, %e : T`,
	"reciprocal of a square": `
    %two = stablehlo.constant dense<-2.0> : T
    %p = stablehlo.power %b, %two : T
    %q = stablehlo.multiply %p, %a : T
    %r = stablehlo.multiply %q, %a : T`,
	"Kalman gain": `
    %p = stablehlo.multiply %a, %b : T
    %h = stablehlo.multiply %p, %b : T
    %n = stablehlo.multiply %c, %c : T
    %n2 = stablehlo.multiply %n, %a : T
    %s = stablehlo.add %h, %n2 : T
    %g = stablehlo.multiply %p, %c : T
    %r = stablehlo.divide %g, %s : T`,
}

// smallProduct is the text of one of them.
func smallProduct(name string) string {
	var body []string
	for _, line := range strings.Split(smallProducts[name], "\n") {
		line = strings.TrimSpace(line)
		if f := strings.Fields(line); len(f) == 4 && f[0] == "S" {
			line = f[1] + " = stablehlo.reduce(" + f[3] + " init: %zero) applies stablehlo.add across dimensions = [0] : (T, N) -> N"
		} else if len(f) == 4 && f[0] == "V" {
			line = f[1] + " = stablehlo.broadcast_in_dim " + f[3] + ", dims = [] : (N) -> T"
		}
		body = append(body, line)
	}
	text := "func.func public @main(%a: T, %b: T, %c: T) -> T {\n%zero = stablehlo.constant dense<0.0> : N\n" +
		"%k = stablehlo.constant dense<0.25> : T\n" + strings.Join(body, "\n") + "\nreturn %r : T\n}"
	for _, r := range [][2]string{{": T", ": tensor<8xf32>"}, {"(T", "(tensor<8xf32>"}, {", T", ", tensor<8xf32>"}, {"> T", "> tensor<8xf32>"},
		{": N", ": tensor<f32>"}, {"(N", "(tensor<f32>"}, {", N", ", tensor<f32>"}, {"> N", "> tensor<f32>"}} {
		text = strings.ReplaceAll(text, r[0], r[1])
	}
	return text
}

// TestSmallProducts: roots and quotients of products of two values are right for values down to a few hundred units of
// the last place, and for values whose products are at the end of the range of values.
func TestSmallProducts(t *testing.T) {
	runs := testcases.OneOf(t, 3)
	for _, name := range slices.Sorted(maps.Keys(smallProducts)) {
		for _, c := range []struct {
			protocol      string
			parties, ring int
		}{
			{"plain", 2, 64}, {"plain", 2, 128}, {"plain", 2, 32}, {"semi2k", 2, 64}, {"semi2k", 3, 64}, {"aby3", 3, 64}, {"semi2k", 2, 128}, {"semi2k", 2, 32},
		} {
			if !runs() {
				continue
			}
			t.Run(fmt.Sprintf("%s/%s-%d-%d", name, c.protocol, c.parties, c.ring), func(t *testing.T) {
				t.Parallel()
				fraction := map[int]int{32: 8, 64: 18, 128: 26}[c.ring]
				unit := math.Ldexp(1, -fraction)
				sizes := []float64{max(400*unit, 0.0015), 1}
				if strings.HasPrefix(name, "quotient") || name == "root" || name == "absolute product" || name == "concatenation" {
					sizes = append(sizes, math.Sqrt(math.Ldexp(1, c.ring-2-fraction)/64)) // the products are in the range of values, barely
				}
				for _, size := range sizes {
					checkSmallProduct(t, name, c.protocol, c.parties, c.ring, fraction, size)
				}
			})
		}
	}
}

func checkSmallProduct(t *testing.T, name, protocol string, parties, ring, fraction int, size float64) {
	t.Helper()
	s := small(t, parties, parties)
	s.Store, s.Protocol, s.Ring, s.Fraction, s.Reveal = "", protocol, ring, fraction, []int{0}
	s.Program, s.Args = parse(t, smallProduct(name)), nil
	var clear []*tensor.Array
	for i, factors := range [][]float64{
		{1, 1.3, 0.9, 1.1, 1.7, 0.8, 1.2, 1.5},
		{1.2, 1, 1.4, 0.9, 1.5, 1.1, 1.6, 0.8},
		{0.8, 1.5, 1, 1.2, 0.9, 1.6, 1.1, 1.3},
	} {
		x := make([]float64, len(factors))
		for j, f := range factors { // multiples of the unit
			x[j] = math.Ldexp(math.Round(math.Ldexp(f*size, fraction)), -fraction)
		}
		a := tensor.FromFloats(tensor.F32, tensor.Shape{len(x)}, x)
		clear = append(clear, a)
		s.Args = append(s.Args, party.Arg{Owner: []int{0, 1, 0}[i], Data: a})
	}
	want, err := eval.Func(context.Background(), s.Program.Main, clear)
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range want[0].Floats() {
		// Two units, or a hundredth: intermediate results at the fraction have 400 units.
		if got := out.Results[0].Floats()[i]; !(math.Abs(got-w) <= math.Abs(w)/100+2*math.Ldexp(1, -fraction)) {
			t.Errorf("values near %.3g: element %d is %v, want %v", size, i, got, w)
		}
	}
}
