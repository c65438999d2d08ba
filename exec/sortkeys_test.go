package exec

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// TestKeysOf reads comparators of two operands, f32 %x, %y and i32 %v, %w.
func TestKeysOf(t *testing.T) {
	const f, i, b = "tensor<f32>", "tensor<i32>", "tensor<i1>"
	compare := func(to, dir, x, y, typ string) string {
		return fmt.Sprintf("%s = stablehlo.compare %s, %s, %s : (%s, %s) -> %s\n", to, dir, x, y, typ, typ, b)
	}
	abs := "%m = stablehlo.abs %x : " + f + "\n%n = stablehlo.abs %y : " + f + "\n"
	two := "%k = stablehlo.constant dense<2.0> : " + f + "\n%l = stablehlo.constant dense<2.0> : " + f + "\n" +
		"%m = stablehlo.multiply %x, %k : " + f + "\n%n = stablehlo.multiply %y, %l : " + f + "\n"
	chain := compare("%1", "LT", "%x", "%y", f) + compare("%2", "EQ", "%y", "%x", f) + compare("%3", "GT", "%v", "%w", i)
	for _, c := range []struct{ name, body, want string }{
		{"one", compare("%p", "LT", "%x", "%y", f), "x up"},
		{"descending", compare("%p", "GT", "%x", "%y", f), "x down"},
		{"swapped", compare("%p", "LT", "%w", "%v", i), "v down"},
		{"of equal ones none", compare("%p", "GE", "%w", "%v", i), "v up"},
		{"a function", abs + compare("%p", "LT", "%m", "%n", f), "m up"},
		{"a function, swapped", abs + compare("%p", "LT", "%n", "%m", f), "m down"},
		{"with constants", two + compare("%p", "LT", "%m", "%n", f), "m up"},
		{"other constants", strings.Replace(two, "2.0", "3.0", 1) + compare("%p", "LT", "%m", "%n", f), ""},
		{"two", chain + "%4 = stablehlo.and %2, %3 : " + b + "\n%p = stablehlo.or %1, %4 : " + b + "\n", "x up, v down"},
		{"two, the other way round", chain + "%4 = stablehlo.and %3, %2 : " + b + "\n%p = stablehlo.or %4, %1 : " + b + "\n", "x up, v down"},
		{"two, selected", chain + "%p = stablehlo.select %2, %3, %1 : " + b + ", " + b + "\n", "x up, v down"},
		{"selected the wrong way", chain + "%p = stablehlo.select %2, %1, %3 : " + b + ", " + b + "\n", ""},
		{"not strict", strings.Replace(chain, "LT", "LE", 1) + "%4 = stablehlo.and %2, %3 : " + b + "\n%p = stablehlo.or %1, %4 : " + b + "\n", ""},
		{"equality of another", chain + compare("%5", "EQ", "%v", "%w", i) + "%4 = stablehlo.and %5, %3 : " + b + "\n%p = stablehlo.or %1, %4 : " + b + "\n", ""},
		{"either of two", chain + "%p = stablehlo.or %1, %3 : " + b + "\n", ""},
		{"equal", compare("%p", "EQ", "%x", "%y", f), ""},
		{"one row alone", compare("%p", "LT", "%x", "%x", f), ""},
		{"both rows on a side", "%m = stablehlo.subtract %x, %y : " + f + "\n%n = stablehlo.subtract %y, %x : " + f + "\n" + compare("%p", "LT", "%m", "%n", f), ""},
		{"different functions", "%m = stablehlo.abs %x : " + f + "\n%n = stablehlo.negate %y : " + f + "\n" + compare("%p", "LT", "%m", "%n", f), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := "module @m {\nfunc.func @main(%a: tensor<4xf32>, %b: tensor<4xi32>) -> tensor<4xf32> {\n" +
				"%0:2 = \"stablehlo.sort\"(%a, %b) <{dimension = 0 : i64}> ({\n^bb0(%x: " + f + ", %y: " + f + ", %v: " + i + ", %w: " + i + "):\n" + c.body +
				"stablehlo.return %p : " + b + "\n}) : (tensor<4xf32>, tensor<4xi32>) -> (tensor<4xf32>, tensor<4xi32>)\nreturn %0#0 : tensor<4xf32>\n}\n}\n"
			p, err := hlo.Parse("test.mlir", []byte(text))
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			var got []string
			for _, k := range keysOf(simplified(p.Main.Body.Ops[0].Regions[0])) {
				got = append(got, k.of.Name+map[bool]string{false: " up", true: " down"}[k.descending])
			}
			if s := strings.Join(got, ", "); s != c.want {
				t.Errorf("keys are %q, want %q", s, c.want)
			}
		})
	}
}
