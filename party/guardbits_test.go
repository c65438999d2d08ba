package party_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestExpOfMany: an exponential of a product that many parties compute is off by no
// more than what is rounded last, half a unit for each, saturates where that of two
// does, and takes no message and hardly a byte more to each.
func TestExpOfMany(t *testing.T) {
	t.Parallel()
	const n = 2000
	if raced {
		t.Skip("long")
	}
	p := program{args: fmt.Sprintf("%[1]dxf64 %[1]dxf64", n), outs: fmt.Sprintf("%dxf64", n), body: fmt.Sprintf(`
 %%0 = stablehlo.multiply %%a, %%b : tensor<%[1]dxf64>
 %%1 = stablehlo.exponential %%0 : tensor<%[1]dxf64>
 return %%1 : tensor<%[1]dxf64>`, n)}
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	for _, form := range []struct {
		ring, fraction int
		guards         bool // opens guard bits too
	}{{64, 18, false}, {128, 26, true}} {
		unit, highest := math.Ldexp(1, -form.fraction), float64(form.ring-2-form.fraction)*math.Ln2
		x, one := make([]float64, n), make([]float64, n)
		for i := range x {
			x[i], one[i] = math.RoundToEven((-30+(highest+34)*float64(i)/n)/unit)*unit, 1
		}
		var first int64 // sent to each other party
		for _, parties := range []int{2, 3, 4} {
			t.Run(fmt.Sprintf("ring %d/%d parties", form.ring, parties), func(t *testing.T) {
				shape := tensor.Shape{n}
				spec := party.Spec{
					Program:   prog,
					Protocol:  "semi2k",
					Ring:      form.ring,
					Fraction:  form.fraction,
					Computing: parties,
					Parties:   []string{"a", "b", "c", "d"}[:parties],
					Reveal:    []int{0},
					Network:   "none",
					Args: []party.Arg{
						{Owner: 0, Data: tensor.FromFloats(tensor.F64, shape, x)},
						{Owner: 1, Data: tensor.FromFloats(tensor.F64, shape, one)},
					},
				}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				checkPrediction(t, out.Report)
				for i, got := range out.Results[0].Floats() {
					want := math.Exp(math.Min(x[i], highest-math.Ln2/1024))
					if most := max(1.05, float64(parties)/2+0.1); math.Abs(got-want) > most*unit*math.Max(1, want) {
						t.Fatalf("e^%v is %v, not %v: %v units off", x[i], got, want, math.Abs(got-want)/math.Max(1, want)/unit)
					}
				}
				sent := out.Report.Online.BytesSent[0] / int64(parties-1)
				if parties == 2 {
					first = sent
				}
				more := int64(0)
				if form.guards {
					more = n * 2 / 8
				}
				if sent > first+more {
					t.Errorf("%d bytes to each other party, of two %d", sent, first)
				}
			})
		}
	}
}
