package fxp

import (
	"testing"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestFactorsAreShared checks that one array is encoded once, and that the most recent encodings are kept.
func TestFactorsAreShared(t *testing.T) {
	a := &Arith{Ring: ring.Z(64), Fraction: 18}
	array := func(n int) *tensor.Array { return tensor.FromFloats(tensor.F64, tensor.Shape{n}, make([]float64, n)) }
	c := array(1000)
	m, _, _ := a.factor(c)
	if again, _, _ := a.factor(c); &again.Words()[0] != &m.Words()[0] {
		t.Error("encoded twice")
	}
	for range 9 {
		a.factor(array(1 << 20))
	}
	if a.Encodings.bytes > maxFactors || len(a.Encodings.known) != len(a.Encodings.oldest) {
		t.Errorf("%d bytes of %d arrays are kept", a.Encodings.bytes, len(a.Encodings.known))
	}
	if again, _, _ := a.factor(c); &again.Words()[0] == &m.Words()[0] {
		t.Error("the oldest was kept")
	}
	big := array(maxFactors/8 + 1)
	m, _, _ = a.factor(big)
	if again, _, _ := a.factor(big); &again.Words()[0] != &m.Words()[0] || len(a.Encodings.known) != 1 {
		t.Error("a big one is not kept alone")
	}
}
