package pass

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomProgram returns a random program: a chain of elementwise operations on vectors of floats and
// integers that read earlier values, often the same ones.
func randomProgram(r *rand.Rand) sample {
	types := []string{"4xf32", "4xi32", "4xi8"}
	values := map[string][]string{"4xf32": {"%a"}, "4xi32": {"%b"}, "4xi8": {"%c"}}
	var body strings.Builder
	n := 0
	add := func(typ, format string, args ...any) string {
		v := fmt.Sprintf("%%v%d", n)
		n++
		fmt.Fprintf(&body, " %s = %s\n", v, fmt.Sprintf(format, args...))
		if typ != "" {
			values[typ] = append(values[typ], v)
		}
		return v
	}
	pick := func(typ string) string { vs := values[typ]; return vs[len(vs)-1-r.IntN(min(len(vs), 4))] }
	for _, t := range types {
		for _, k := range []string{"0", "1", "-3"} {
			if t == "4xf32" {
				k += ".0"
			}
			add(t, "stablehlo.constant dense<%s> : tensor<%s>", k, t)
		}
		values[t] = append(values[t], values[t][0])
	}
	for range 24 {
		t := types[r.IntN(len(types))]
		x, y := pick(t), pick(t)
		switch r.IntN(8) {
		case 0, 1:
			add(t, "stablehlo.%s %s, %s : tensor<%s>", []string{"add", "subtract", "multiply"}[r.IntN(3)], x, y, t)
		case 2, 3:
			add(t, "stablehlo.%s %s, %s : tensor<%s>", []string{"maximum", "minimum"}[r.IntN(2)], x, y, t)
		case 4, 5:
			dir := []string{"LT", "LE", "GT", "GE", "EQ", "NE"}[r.IntN(6)]
			p := add("", "stablehlo.compare %s, %s, %s : (tensor<%s>, tensor<%s>) -> tensor<4xi1>", dir, x, y, t, t)
			if r.IntN(2) == 0 {
				x, y = y, x
			}
			if r.IntN(3) == 0 {
				x = add(t, "stablehlo.negate %s : tensor<%s>", y, t)
			}
			add(t, "stablehlo.select %s, %s, %s : tensor<4xi1>, tensor<%s>", p, x, y, t)
		case 6:
			if t == "4xf32" {
				x = add(t, "stablehlo.tanh %s : tensor<%s>", x, t) // keeps them small
			}
			add(t, "stablehlo.negate %s : tensor<%s>", x, t)
		case 7:
			to := types[1+r.IntN(2)]
			if t == "4xf32" || r.IntN(3) == 0 {
				t, to = "4xi8", "4xf32"
				x = pick(t)
			}
			add(to, "stablehlo.convert %s : (tensor<%s>) -> tensor<%s>", x, t, to)
		}
	}
	f := add("4xf32", "stablehlo.tanh %s : tensor<4xf32>", pick("4xf32"))
	fmt.Fprintf(&body, " return %s, %s, %s : tensor<4xf32>, tensor<4xi32>, tensor<4xi8>", f, pick("4xi32"), pick("4xi8"))
	who := []string{"", "@0", "@p"}
	return sample{args: "4xf32" + who[r.IntN(3)] + " 4xi32" + who[r.IntN(3)] + " 4xi8" + who[r.IntN(3)], body: body.String(), outs: "4xf32 4xi32 4xi8"}
}

// Random programs have the same results with and without passes.
func TestRandomPrograms(t *testing.T) {
	for seed := range uint64(400) {
		c := randomProgram(rand.New(rand.NewPCG(seed, 7)))
		check(t, c, Rewrite)
		if t.Failed() {
			t.Fatalf("seed %d, arguments %s:\n%s", seed, c.args, c.body)
		}
	}
}
