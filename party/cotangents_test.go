package party_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// trainingStep is one step of two layers, a ReLU and a tanh, whose gradients are about
// 2^-12 and are divided by their size.
const trainingStep = `func.func @main(%x: tensor<8x4xf32>, %y: tensor<8x3xf32>, %w1: tensor<4x5xf32>, %w2: tensor<5x3xf32>) -> (tensor<4x5xf32>, tensor<5x3xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<5x3xf32>, tensor<5xf32>, tensor<f32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %none = stablehlo.constant dense<0.0> : tensor<8x5xf32>
  %one = stablehlo.constant dense<1.0> : tensor<8x3xf32>
  %scale = stablehlo.constant dense<SCALE> : tensor<8x3xf32>
  %a = stablehlo.dot_general %x, %w1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  %h = stablehlo.maximum %a, %none : tensor<8x5xf32>
  %some = stablehlo.compare GT, %a, %none, FLOAT : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
  %z = stablehlo.dot_general %h, %w2, contracting_dims = [1] x [0] : (tensor<8x5xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
  %t = stablehlo.tanh %z : tensor<8x3xf32>
  %e = stablehlo.subtract %t, %y : tensor<8x3xf32>
  %ee = stablehlo.multiply %e, %e : tensor<8x3xf32>
  %loss = stablehlo.reduce(%ee init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<8x3xf32>, tensor<f32>) -> tensor<f32>
  %d = stablehlo.multiply %e, %scale : tensor<8x3xf32>
  %tt = stablehlo.multiply %t, %t : tensor<8x3xf32>
  %slope = stablehlo.subtract %one, %tt : tensor<8x3xf32>
  %small = stablehlo.constant dense<SMALL> : tensor<8x3xf32>
  %dy = stablehlo.multiply %d, %slope : tensor<8x3xf32>
  %dz = stablehlo.multiply %dy, %small : tensor<8x3xf32>
  %gt = stablehlo.dot_general %dz, %h, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
  %g2 = stablehlo.transpose %gt, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
  %dh = stablehlo.dot_general %dz, %w2, contracting_dims = [1] x [1] : (tensor<8x3xf32>, tensor<5x3xf32>) -> tensor<8x5xf32>
  %da = stablehlo.select %some, %dh, %none : tensor<8x5xi1>, tensor<8x5xf32>
  %g1 = stablehlo.dot_general %x, %da, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
  %gb = stablehlo.reduce(%da init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<5xf32>
  %u1 = func.call @first(%g1) : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %u2 = func.call @second(%g2) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %u3 = func.call @bias(%gb) : (tensor<5xf32>) -> tensor<5xf32>
  return %u1, %u2, %u3, %g1, %g2, %gb, %loss : tensor<4x5xf32>, tensor<5x3xf32>, tensor<5xf32>, tensor<4x5xf32>, tensor<5x3xf32>, tensor<5xf32>, tensor<f32>
}
UPDATES`

// step is trainingStep for cotangents that begin with two factors.
func step(scale, small float64) string {
	var updates strings.Builder
	for name, shape := range map[string]string{"first": "4x5", "second": "5x3", "bias": "5"} {
		updates.WriteString(strings.NewReplacer("NAME", name, "T", "tensor<"+shape+"xf32>").Replace(`
func.func private @NAME(%g: T) -> T {
  %before = stablehlo.constant dense<1.0E-7> : T
  %gg = stablehlo.multiply %g, %g : T
  %v = stablehlo.add %gg, %before : T
  %r = stablehlo.rsqrt %v : T
  %u = stablehlo.multiply %r, %g : T
  return %u : T
}`))
	}
	return strings.NewReplacer("SCALE", fmt.Sprintf("%e", scale), "SMALL", fmt.Sprintf("%e", small), "UPDATES", updates.String()).Replace(trainingStep)
}

// stepArgs are multiples of 2^-8, of magnitudes up to one.
func stepArgs() []*tensor.Array {
	var out []*tensor.Array
	for k, shape := range []tensor.Shape{{8, 4}, {8, 3}, {4, 5}, {5, 3}} {
		f := make([]float64, shape.Size())
		for i := range f {
			f[i] = math.Round(math.Sin(float64(7*i+3*k+1))*256) / 256
		}
		out = append(out, tensor.FromFloats(tensor.F32, shape, f))
	}
	return out
}

// TestCotangents: the updates that follow from small gradients are right to two in a
// thousand, since the cotangents that reach the gradients have guard bits.
func TestCotangents(t *testing.T) {
	for _, c := range []struct {
		protocol       string
		computing      int
		ring, fraction int
	}{{"plain", 2, 64, 18}, {"semi2k", 2, 64, 18}, {"semi2k", 3, 64, 18}, {"aby3", 3, 64, 18}, {"semi2k", 2, 128, 18}, {"semi2k", 2, 128, 26}, {"aby3", 3, 128, 26}} {
		if raced && (c.protocol != "semi2k" || c.computing > 2 || c.ring != 64) {
			continue
		}
		t.Run(fmt.Sprintf("%s-%d-%d-%d", c.protocol, c.computing, c.ring, c.fraction), func(t *testing.T) {
			s := small(t, c.computing, c.computing)
			s.Store, s.Protocol, s.Ring, s.Fraction = "", c.protocol, c.ring, c.fraction
			for _, factors := range [][2]float64{{1. / 4096, 1}, {4, 1. / (1 << 14)}, {0.3, 0.8e-3}} {
				s.Program = parse(t, step(factors[0], factors[1]))
				for i, w := range trained(t, s, stepArgs()) {
					for k, x := range w.want {
						if y := w.got[k]; math.Abs(y-x) > 0.002 {
							t.Errorf("factors %v, result %d, element %d: %v, want %v", factors, i, k, y, x)
						}
					}
				}
			}
		})
	}
}

// TestCotangentsRange: guard bits take nothing from the range of contractions.
func TestCotangentsRange(t *testing.T) {
	s := small(t, 2, 2)
	s.Store = ""
	s.Program = parse(t, step(1<<22, 1))
	most := 0.0
	for i, w := range trained(t, s, stepArgs())[3:] {
		for k, x := range w.want {
			if y := w.got[k]; math.Abs(y-x) > math.Abs(x)*1e-3+256 {
				t.Errorf("gradient %d, element %d: %v, want %v", i, k, y, x)
			}
			most = math.Max(most, math.Abs(x))
		}
	}
	if most < 1<<23 {
		t.Errorf("the largest gradient is %v, which is no test of the range", most)
	}
}

// TestCotangentsFallBack: rings without room for guard bits do without.
func TestCotangentsFallBack(t *testing.T) {
	for _, c := range []struct{ ring, fraction, guard int }{{32, 8, 0}, {64, 18, 10}, {64, 22, 6}, {64, 26, 0}, {128, 26, 0}, {128, 18, 10}} {
		a := &fxp.Arith{Ring: ring.Z(c.ring), Fraction: c.fraction}
		if got := a.Guard(); got != c.guard {
			t.Errorf("ring %d, fraction %d: %d guard bits, want %d", c.ring, c.fraction, got, c.guard)
		}
	}
}

type result struct{ got, want []float64 }

// trained runs a program of four arguments, and gives all results but the last, the loss.
func trained(t *testing.T, s party.Spec, args []*tensor.Array) []result {
	t.Helper()
	s.Args, s.Reveal = nil, []int{0}
	for i, a := range args {
		s.Args = append(s.Args, party.Arg{Owner: []int{0, 0, 1, 1}[i], Data: a})
	}
	want, err := eval.Func(context.Background(), s.Program.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if s.Protocol != "plain" {
		checkPrediction(t, out.Report)
	}
	var all []result
	for i := range want[1:] {
		all = append(all, result{out.Results[i].Floats(), want[i].Floats()})
	}
	return all
}
