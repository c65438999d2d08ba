package check_test

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/check"
	"github.com/tacet-mpc/tacet/tensor"
)

// A check names where errors begin, in which iteration of a loop, and how large
// secrets become.
func TestCheck(t *testing.T) {
	p, err := hlo.Parse("check.mlir", []byte(`func.func @main(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
 %x = stablehlo.add %a, %b : tensor<2xf32>
 %zero = stablehlo.constant dense<0> : tensor<i32>
 %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<2xf32>
 cond {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.return %c : tensor<i1>
 } do {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %j = stablehlo.add %i, %one : tensor<i32>
  %w = stablehlo.multiply %v, %v : tensor<2xf32>
  stablehlo.return %j, %w : tensor<i32>, tensor<2xf32>
 }
 %1 = stablehlo.negate %0#1 : tensor<2xf32>
 return %1 : tensor<2xf32>
}`))
	if err != nil {
		t.Fatal(err)
	}
	s := party.Spec{
		Program:   p,
		Protocol:  "semi2k",
		Ring:      64,
		Fraction:  18,
		Computing: 2,
		Parties:   []string{"a", "b"},
		Reveal:    []int{0},
		Network:   "none",
		Args: []party.Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{1, 100})},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{2}, []float64{0.5, 11})},
		},
	}
	c, err := party.Check(context.Background(), s, check.Bound{Atol: 1e-3, Rtol: 1e-3})
	if err != nil {
		t.Fatal(err)
	}
	largest := map[string]check.Range{}
	for _, r := range c.Ranges {
		largest[r.Op.Name] = r
	}
	if got := largest["stablehlo.add"]; got.Largest != 111 || got.Ring != 32 {
		t.Errorf("the sum's range is %+v", got)
	}
	// 111^4 is beyond 2^26, which contractions hold in 64 bits, and products are not, and
	// 111^8 beyond all that such a ring holds.
	if got := largest["stablehlo.multiply"]; math.Abs(got.Largest/math.Pow(111, 8)-1) > 1e-5 || got.Ring != 128 {
		t.Errorf("the product's range is %+v", got)
	}
	if len(c.Divergences) != 1 || c.Divergences[0].Op.Name != "stablehlo.multiply" || c.Divergences[0].Iteration != 2 ||
		c.Divergences[0].Index != 1 ||
		c.Divergences[0].Elements != 1 ||
		c.Divergences[0].Of != 2 {
		t.Errorf("off: %+v", c.Divergences)
	}
	if c.Propagated != 2 || len(c.Warnings) == 0 { // the loop's results and the negation
		t.Errorf("%d after it, notes %v", c.Propagated, c.Warnings)
	}
	s.Ring, s.Fraction = 128, 26
	if c, err = party.Check(context.Background(), s, check.Bound{Atol: 1e-3, Rtol: 1e-3}); err != nil || len(c.Divergences) != 0 ||
		len(c.Warnings) != 0 {
		t.Errorf("in 128 bits: %+v, %v", c, err)
	}
}
