package party

import (
	"fmt"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// aheadText multiplies x with matrices that stay at the other party, from the left and from the right. The last product has too many
// elements to be computed ahead.
const aheadText = `module @ahead {
  func.func public @main(%x: tensor<1x96xf32>, %w: tensor<96x80xf32>, %v: tensor<96x80xf32>, %u: tensor<80x9xf32>) -> tensor<1x80xf32> {
    %a = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<1x96xf32>, tensor<96x80xf32>) -> tensor<1x80xf32>
    %b = stablehlo.dot_general %v, %a, contracting_dims = [1] x [1] : (tensor<96x80xf32>, tensor<1x80xf32>) -> tensor<96x1xf32>
    %c = stablehlo.transpose %b, dims = [1, 0] : (tensor<96x1xf32>) -> tensor<1x96xf32>
    %d = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<1x96xf32>, tensor<96x80xf32>) -> tensor<1x80xf32>
    %e = stablehlo.dot_general %d, %u, contracting_dims = [1] x [0] : (tensor<1x80xf32>, tensor<80x9xf32>) -> tensor<1x9xf32>
    %f = stablehlo.dot_general %e, %u, contracting_dims = [1] x [1] : (tensor<1x9xf32>, tensor<80x9xf32>) -> tensor<1x80xf32>
    return %f : tensor<1x80xf32>
  }
}`

// A party multiplies the masked matrices that stay at the other one before a request begins, and the request takes these products. One
// that was declined leaves them for the next one.
func TestProductsAhead(t *testing.T) {
	p, err := hlo.Parse("ahead.mlir", []byte(aheadText))
	if err != nil {
		t.Fatal(err)
	}
	of := func(rows, columns int, f func(i, j int) float64) *tensor.Array {
		list := make([]float64, 0, rows*columns)
		for i := range rows {
			for j := range columns {
				list = append(list, f(i, j))
			}
		}
		return tensor.FromFloats(tensor.F32, tensor.Shape{rows, columns}, list)
	}
	w := of(96, 80, func(i, j int) float64 { return math.Sin(float64(3*i+j)) / 8 })
	u := of(80, 9, func(i, j int) float64 { return math.Cos(float64(i-j)) / 8 })
	times := func(x []float64, w []float64, columns int, across bool) []float64 {
		out := make([]float64, columns)
		if across {
			out = make([]float64, len(w)/columns)
		}
		for i, y := range w {
			if across {
				out[i/columns] += y * x[i%columns]
			} else {
				out[i%columns] += y * x[i/columns]
			}
		}
		return out
	}
	for owner := range 2 {
		t.Run(fmt.Sprint(owner), func(t *testing.T) {
			s := Spec{
				Program: p, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0},
				Args: []Arg{
					{Owner: 1 - owner}, {Owner: owner, Data: w, Resident: true}, {Owner: owner, Data: w, Resident: true},
					{Owner: owner, Data: u, Resident: true},
				},
			}
			v, err := Open(t.Context(), s, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			for round := range 3 {
				if len(v.programs[0].prepared) == 0 {
					if err := v.requestCorrelations(t.Context(), v.programs[0], 1); err != nil {
						t.Fatal(err)
					}
				}
				request := v.programs[0].prepared[0]
				other, own := request.sessionOf(1-owner), request.sessionOf(owner)
				if len(other.products) != 4 || len(own.products) != 0 {
					t.Fatalf("%d products ahead at the other party and %d at the owner, want 4 and none", len(other.products), len(own.products))
				}
				x := of(1, 96, func(_, j int) float64 { return math.Cos(float64(j+round)) / 4 })
				if round == 0 { // of another type
					err := v.Evaluate(t.Context(), []Request{{Data: []*tensor.Array{u, nil, nil, nil}, Done: func(_ *Outcome, err error) error {
						if err == nil {
							t.Error("a request with an argument of another type is evaluated")
						}
						return nil
					}}})
					if err != nil || len(other.products) != 4 {
						t.Fatal(err, len(other.products))
					}
				}
				want := times(times(times(x.Floats(), w.Floats(), 80, false), w.Floats(), 80, true), w.Floats(), 80, false)
				want = times(times(want, u.Floats(), 9, false), u.Floats(), 9, true)
				done := func(out *Outcome, err error) error {
					if err != nil {
						return err
					}
					for j, got := range out.Results[0].Floats() {
						if math.Abs(got-want[j]) > 1e-2 {
							t.Errorf("request %d: element %d is %g, want %g", round, j, got, want[j])
						}
					}
					return nil
				}
				if err := v.Evaluate(t.Context(), []Request{{Data: []*tensor.Array{x, nil, nil, nil}, Done: done}}); err != nil {
					t.Fatal(err)
				}
				if len(other.products) != 0 {
					t.Errorf("request %d has left %d products", round, len(other.products))
				}
			}
		})
	}
}
