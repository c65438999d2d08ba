package exec

import (
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestInvariants checks that results are given for the same operands alone, that an operation whose operands vary is not
// kept, and that the results that are kept have a limit.
func TestInvariants(t *testing.T) {
	array := func(n int) *tensor.Array {
		return tensor.NewArray(tensor.Type{DType: tensor.F64, Shape: tensor.Shape{n}})
	}
	var k invariants
	a, b, out := array(2), array(2), array(2)
	fixed, varying, large := &hlo.Op{}, &hlo.Op{}, &hlo.Op{}
	k.put(fixed, []*tensor.Array{a, b}, []*tensor.Array{out})
	for range 3 {
		if got := k.get(fixed, []*tensor.Array{a, b}); len(got) != 1 || got[0] != out {
			t.Fatalf("the results for the same operands are %v", got)
		}
	}
	if got := k.get(fixed, []*tensor.Array{b, a}); got != nil {
		t.Errorf("the results for other operands are %v", got)
	}
	for _, x := range []*tensor.Array{a, b, a} {
		if got := k.get(varying, []*tensor.Array{x}); got != nil {
			t.Errorf("the results of an operation whose operands vary are %v", got)
		}
		k.put(varying, []*tensor.Array{x}, []*tensor.Array{array(2)})
	}
	if k.bytes != 16 || len(k.known) != 1 {
		t.Errorf("%d operations with %d bytes are kept", len(k.known), k.bytes)
	}
	k.put(large, []*tensor.Array{a}, []*tensor.Array{array(invariantBytes / 8)})
	if got := k.get(large, []*tensor.Array{a}); got != nil || k.bytes != 16 {
		t.Error("results beyond the limit are kept")
	}
}
