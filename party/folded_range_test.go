package party_test

import (
	"context"
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/check"
	"github.com/tacet-mpc/tacet/tensor"
)

// normalised is a convolution and a batch normalisation whose factors and offsets, of two channels, the kernel's owner
// knows: the passes fold them into the kernel.
const normalised = `func.func @main(%x: tensor<1x4x4x2xf32>, %k: tensor<2x2x2x2xf32>, %s: tensor<2xf32>, %m: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<1x3x3x2xf32> {
  %c = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x2xf32>, tensor<2x2x2x2xf32>) -> tensor<1x3x3x2xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [3] : (tensor<2xf32>) -> tensor<1x3x3x2xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [3] : (tensor<2xf32>) -> tensor<1x3x3x2xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [3] : (tensor<2xf32>) -> tensor<1x3x3x2xf32>
  %0 = stablehlo.subtract %c, %mb : tensor<1x3x3x2xf32>
  %1 = stablehlo.multiply %0, %sb : tensor<1x3x3x2xf32>
  %2 = stablehlo.add %1, %bb : tensor<1x3x3x2xf32>
  return %2 : tensor<1x3x3x2xf32>
}`

// TestFoldedRange: a convolution with a normalisation folded into its kernel is right up to 2^26, both signs, with small and
// large factors; a check names what is beyond. Where declared ranges prove that it fits, the kernel has guard bits and
// the result is right too.
func TestFoldedRange(t *testing.T) {
	prog, err := hlo.Parse("folded.mlir", []byte(normalised))
	if err != nil {
		t.Fatal(err)
	}
	array := func(shape tensor.Shape, f func(i int) float64) *tensor.Array {
		out := make([]float64, shape.Size())
		for i := range out {
			out[i] = f(i)
		}
		return tensor.FromFloats(tensor.F32, shape, out)
	}
	run := func(t *testing.T, protocol string, parties int, size float64) (party.Spec, []*tensor.Array) {
		args := []*tensor.Array{
			array(tensor.Shape{1, 4, 4, 2}, func(int) float64 { return size }), // the sums of eight products are as large as they can be
			array(tensor.Shape{2, 2, 2, 2}, func(i int) float64 { return []float64{1, -64}[i%2] }),
			array(tensor.Shape{2}, func(i int) float64 { return []float64{64, 1}[i] }),
			array(tensor.Shape{2}, func(i int) float64 { return []float64{3, -5}[i] }),
			array(tensor.Shape{2}, func(i int) float64 { return []float64{-100, 7}[i] }),
		}
		s := party.Spec{Program: prog, Protocol: protocol, Ring: 64, Fraction: 18, Computing: parties, Reveal: []int{0}, Network: "none",
			Parties: []string{"a", "b", "c"}[:parties]}
		for i, a := range args {
			s.Args = append(s.Args, party.Arg{Owner: min(i, 1), Data: a})
		}
		return s, args
	}
	const most = 1 << 26
	inside, beyond := 0.99*most/(8*64), 3.*most/(8*64)
	declared := func(s party.Spec, size float64) party.Spec {
		for i, r := range []float64{size, 64, 64, 3, 100} {
			s.Args[i].Range = &pattern.Interval{Lo: -r * 1.01, Hi: r * 1.01}
		}
		return s
	}
	for _, c := range []struct {
		protocol string
		parties  int
		size     float64
		ranges   bool
	}{{"plain", 2, inside, false}, {"semi2k", 2, inside, false}, {"semi2k", 3, inside, false}, {"aby3", 3, inside, false},
		{"semi2k", 2, inside, true}, {"semi2k", 2, inside / 64, true}, {"semi2k", 2, inside / 1024, true}, {"semi2k", 2, inside / 1024, false}} {
		s, args := run(t, c.protocol, c.parties, c.size)
		if c.ranges {
			s = declared(s, c.size)
		}
		want, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range want[0].Floats() {
			if y := out.Results[0].Floats()[i]; !(math.Abs(y-x) <= math.Abs(x)*1e-5) {
				t.Errorf("%+v: element %d is %v, want %v", c, i, y, x)
			}
		}
	}
	for size, wrong := range map[float64]bool{inside: false, beyond: true} {
		s, _ := run(t, "semi2k", 2, size)
		c, err := party.Check(context.Background(), s, check.Bound{Atol: 1, Rtol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if found := len(c.Divergences) > 0; found != wrong {
			t.Errorf("a check with inputs of %g finds %+v", size, c.Divergences)
		}
	}
}
