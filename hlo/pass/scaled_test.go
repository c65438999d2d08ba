package pass

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
)

// TestScaleAfterContractions: what a residual sum reads of a normalisation times its scale is computed after the contraction
// that reads the normalisation, in the order of its operations.
func TestScaleAfterContractions(t *testing.T) {
	at := strings.Index(shifted, " return ")
	c := sample{args: "3x4xf32 4xf32@1 4xf32@1 4x5xf32@1", outs: "3x5xf32 3x4xf32", body: shifted[:at] +
		" %4 = stablehlo.add %2, %a : tensor<3x4xf32>\n return %3, %4 : tensor<3x5xf32>, tensor<3x4xf32>"}
	p, o := c.parsed(t)
	q := scaled.Apply(p, o)
	if err := q.Verify(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, o := range q.Main.Body.Ops {
		if o.Name == hlo.OpDotGeneral || o.Name == hlo.OpMultiply || o.Name == hlo.OpAdd {
			names = append(names, o.Name)
		}
	}
	if n := len(names); n < 4 || !slices.Equal(names[n-3:], []string{hlo.OpMultiply, hlo.OpAdd, hlo.OpAdd}) ||
		!slices.Contains(names[:n-3], hlo.OpDotGeneral) {
		t.Errorf("operations in the order %v", names)
	}
}
