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

// factors are pairs whose products are hard for truncation without the wrap:
// nothing, one unit, the largest magnitudes that the ring holds, in every
// combination and sign. unit is a float's last place, most bounds products.
func factors(unit, most float64) [][2]float64 {
	magnitudes := []float64{0, unit, 3 * unit, 0.37, 1, math.Sqrt(most) - unit, most - 1}
	var out [][2]float64
	for _, x := range magnitudes {
		for _, y := range magnitudes {
			if x*y >= most {
				continue
			}
			for sign := range 4 {
				out = append(out, [2]float64{x * float64(1-2*(sign&1)), y * float64(1-(sign&2))})
			}
		}
	}
	return out
}

// TestProducts: whatever is multiplied, an element is off by half a unit in
// the last place for each computing party at most, elementwise and in a dot
// product.
func TestProducts(t *testing.T) {
	elements := 200_000
	if raced {
		elements = 500
	}
	const fraction = 18
	unit := math.Ldexp(1, -fraction)
	pairs := factors(unit, math.Ldexp(1, 62-2*fraction))
	at := func(side int) *tensor.Array {
		v := make([]float64, elements)
		for i := range v {
			v[i] = pairs[i%len(pairs)][side]
		}
		return &tensor.Array{Type: tensor.Type{DType: tensor.F64, Shape: tensor.Shape{elements}}, Data: v}
	}
	ty := fmt.Sprintf("%dxf64", elements)
	for _, p := range []program{
		{name: "elementwise", body: " %0 = stablehlo.multiply %a, %b : tensor<" + ty + ">\n return %0 : tensor<" + ty + ">"},
		{name: "dot", body: " %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [] x [] : (tensor<" + ty + ">, tensor<" + ty + ">) -> tensor<" + ty + ">\n return %0 : tensor<" + ty + ">"},
	} {
		p.args, p.outs = ty+" "+ty, ty
		prog, err := hlo.Parse("test.mlir", []byte(p.text()))
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{2, 3, 5, 8} {
			t.Run(fmt.Sprintf("%s/n=%d", p.name, n), func(t *testing.T) {
				spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: fraction, Computing: n, Reveal: []int{0}, Network: "none",
					Args: []party.Arg{{Owner: 0, Data: at(0)}, {Owner: 1, Data: at(1)}}}
				for i := range n {
					spec.Parties = append(spec.Parties, fmt.Sprint("p", i))
				}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				worst := 0.0
				for i, got := range out.Results[0].Data.([]float64) {
					x, y := pairs[i%len(pairs)][0], pairs[i%len(pairs)][1]
					want := math.RoundToEven(x/unit) * math.RoundToEven(y/unit) * unit * unit
					worst = max(worst, math.Abs(got-want)/unit)
				}
				most := float64(n) / 2
				if worst > most || worst == 0 {
					t.Errorf("%g units off, want at most %g", worst, most)
				}
			})
		}
	}
}
