package pass

import (
	"fmt"
	"strings"
	"testing"
)

// TestNaNOfLongSums: whether a comparison sees NaN is found in time that grows with the program, also of sums that double at each step,
// and behind so many that it is not found.
func TestNaNOfLongSums(t *testing.T) {
	for n, compares := range map[int]int{100: 1, 2 * deepest: 2} {
		var body strings.Builder
		last := "%a"
		for i := range n {
			fmt.Fprintf(&body, "%%s%d = stablehlo.add %s, %s : tensor<3xf32>\n ", i, last, last)
			last = fmt.Sprintf("%%s%d", i)
		}
		for name, dir := range map[string]string{"x": "LT", "y": "GE"} {
			fmt.Fprintf(&body, "%%%s = stablehlo.compare %s, %s, %%b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>\n ", name, dir, last)
		}
		body.WriteString("return %x, %y : tensor<3xi1>, tensor<3xi1>")
		c := sample{name: "sums", args: "3xf32@1 3xf32", body: body.String(), outs: "3xi1 3xi1"}
		p, o := c.parsed(t)
		if got := counts(common.Apply(p, o))["compare"]; got != compares {
			t.Errorf("%d sums: %d comparisons, want %d", n, got, compares)
		}
	}
}
