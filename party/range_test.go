package party_test

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestDeclaredRanges: a function of what is declared to be small needs no clamp, and
// its results are right up to the ends of the range.
func TestDeclaredRanges(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(program{args: "4xf32 4xf32 4xi32", outs: "4xf32 4xi32", body: `
 %s = stablehlo.add %a, %b : tensor<4xf32>
 %0 = stablehlo.exponential %s : tensor<4xf32>
 return %0, %c : tensor<4xf32>, tensor<4xi32>`}.text()))
	if err != nil {
		t.Fatal(err)
	}
	x, y := []float64{-1, 1, 0.25, 1}, []float64{-1.1, 2.7, 0, -1.1}
	integers := tensor.FromWords(tensor.I32, tensor.Shape{4}, []uint64{1, 2, 3, 4})
	for _, s := range settings {
		spec := party.Spec{
			Program:   prog,
			Protocol:  s.protocol,
			Ring:      s.ring,
			Fraction:  s.f,
			Computing: s.computing,
			Network:   "none",
			Reveal:    []int{0},
		}
		for j := range s.parties {
			spec.Parties = append(spec.Parties, string(rune('a'+j)))
		}
		spec.Args = []party.Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4}, x)},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4}, y)},
			{Owner: 0, Data: integers},
		}
		online := func() (sent int64) {
			out, err := party.Run(context.Background(), spec)
			if err != nil {
				t.Fatalf("%+v: %v", s, err)
			}
			for i, got := range out.Results[0].Floats() {
				want := math.Exp(x[i] + y[i])
				if off := math.Abs(got-want) / want; off > math.Ldexp(16, -s.f) {
					t.Errorf("%+v: exp(%v) is %v, want %v", s, x[i]+y[i], got, want)
				}
			}
			checkPlan(t, spec, out)
			for _, b := range out.Report.Online.BytesSent {
				sent += b
			}
			return sent
		}
		without := online()
		spec.Args[0].Range, spec.Args[1].Range = &pattern.Interval{Lo: -1, Hi: 1}, &pattern.Interval{Lo: -1.1, Hi: 2.7}
		spec.Args[2].Range = &pattern.Interval{Lo: 0.5, Hi: 4.5}
		if with := online(); s.protocol != "plain" && with >= without {
			t.Errorf("%+v: %d bytes online with ranges, %d without", s, with, without)
		}
	}
}
