package party_test

import (
	"math"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/cheetah"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// cheetahFixtures are programs with fewer than 10^5 input elements, and ResNet18.
var cheetahFixtures = []string{
	"add-mul", "control", "logreg-infer", "secret-index", // and with TACET_TEST_CHEETAH=all
	"mlp-infer", "integers", "conv1", "kmeans", "functions", "cnn-digits", "quantiles", "winograd-gemm", "gpr", "gpr-cg", "gpr-lapack", "glm-gamma",
	"glm-poisson", "glm-tweedie", "logreg-train", "winograd-ewmm", "gcn-train", "transformer-block", "bert-tiny-like", "resnet18",
}

// cheetahQuick is the number of fixtures that every run of the tests includes.
const cheetahQuick = 4

// TestFixturesCheetah runs programs among two parties without a dealer: results are right, and bytes, messages and
// rounds of all phases are as planned, operation by operation.
func TestFixturesCheetah(t *testing.T) {
	for i, name := range cheetahFixtures {
		t.Run(name, func(t *testing.T) {
			if i >= cheetahQuick && os.Getenv("TACET_TEST_CHEETAH") != "all" {
				t.Skip("it takes long (TACET_TEST_CHEETAH=all runs it)")
			}
			if raced && i > 0 {
				t.Skip("one of them with the race detector")
			}
			j, s := load(t, fixture(t, name), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
			out, err := party.Run(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			checkExpected(t, j, s, out)
			checkPlanned(t, out.Report)
		})
	}
}

// TestCheetahTotals plans two networks: all that both parties send stays below what they are meant for.
func TestCheetahTotals(t *testing.T) {
	for name, most := range map[string]int64{"resnet18": 7_800_000, "transformer-block": 15_500_000} {
		_, s := load(t, fixture(t, name), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
		r, err := party.Plan(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		online := r.Online.BytesSent[0] + r.Online.BytesSent[1]
		if sent := online + r.Offline.BytesSent; sent > most {
			t.Errorf("%s sends %d bytes, %d online, want at most %d", name, sent, online, most)
		}
	}
}

// checkPlanned compares a run's costs with its plan's, in total and by operation.
func checkPlanned(t *testing.T, r *profile.Report) {
	t.Helper()
	p := r.Predicted
	if !reflect.DeepEqual(p.Online.BytesSent, r.Online.BytesSent) || !reflect.DeepEqual(p.Online.Messages, r.Online.Messages) ||
		p.Online.Rounds != r.Online.Rounds || p.Offline.BytesSent != r.Offline.BytesSent {
		t.Errorf("predicted %+v, measured online %+v, offline %+v", p, r.Online, r.Offline)
	}
	if r.Offline.BytesSent == 0 {
		t.Error("nothing is sent offline")
	}
	for _, o := range r.Ops {
		got := profile.OpCost{BytesSent: o.BytesSent, Messages: o.Messages, Rounds: o.Rounds}
		want := o.Predicted
		want.OfflineBytes = 0 // the plan attributes transfers to operations; the offline phase makes them all together
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: predicted %+v, measured %+v", o.Loc, o.Op, want, got)
		}
	}
}

// TestCheetahOwners runs a program whose inputs come from parties that do not compute, and reveals results to one of
// them.
func TestCheetahOwners(t *testing.T) {
	j, s := load(t, fixture(t, "add-mul"), func(j *job.Job) { j.Protocol = cheetah.Protocol.Name })
	s.Parties = append(s.Parties, "carol", "dave")
	for i := range s.Args {
		s.Args[i].Owner = []int{2, 3, 0, 1}[i%4]
	}
	s.Reveal = []int{3}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkExpected(t, j, s, out)
}

// TestCheetahRanges checks that a max-pool, a ReLU and a comparison of bounded numbers compare fewer bits, with right results at
// the ends of the ranges. Sums are below 2^4 in magnitude and have 36 fraction bits; with the bit for errors and that of a
// difference, the carries of the pool have 42 bits instead of 62.
func TestCheetahRanges(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(`func.func @main(%x: tensor<16x4xf32>, %w: tensor<4x1xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xi1>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<16x4xf32>, tensor<4x1xf32>) -> tensor<16x1xf32>
  %1 = stablehlo.reshape %0 : (tensor<16x1xf32>) -> tensor<4x4xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<4xf32>
  %3 = stablehlo.maximum %2, %zero : tensor<4xf32>
  %4 = stablehlo.compare LT, %2, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
  return %2, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xi1>
}`))
	if err != nil {
		t.Fatal(err)
	}
	const most = 1.5
	x, w, c := make([]float64, 64), []float64{most, -most, most, -most}, []float64{-most, most, 0.25, 0}
	for i := range x {
		sign := []float64{1, -1, 0.5, -0.5}[i/16]
		if i%2 == 1 {
			sign = -sign
		}
		x[i] = sign * most * float64(4-i/4%4) / 4
	}
	spec := party.Spec{
		Program: prog, Protocol: cheetah.Protocol.Name, Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"a", "b"}, Network: "none",
		Reveal: []int{0}, Args: []party.Arg{
			{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{16, 4}, x)},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4, 1}, w)},
			{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4}, c)},
		},
	}
	run := func() (pool int64) {
		out, err := party.Run(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		checkPlanned(t, out.Report)
		for i := range 4 {
			want := math.Inf(-1)
			for j := range 4 {
				sum := 0.0
				for k := range 4 {
					sum += x[16*i+4*j+k] * w[k]
				}
				want = max(want, sum)
			}
			if got := out.Results[0].Floats()[i]; math.Abs(got-want) > 1e-4 {
				t.Errorf("maximum %d is %v, want %v", i, got, want)
			}
			if got := out.Results[1].Floats()[i]; math.Abs(got-max(want, 0)) > 1e-4 {
				t.Errorf("ReLU %d is %v, want %v", i, got, max(want, 0))
			}
			if got := out.Results[2].Words()[i] == 1; got != (want < c[i]) {
				t.Errorf("%v < %v: %v", want, c[i], got)
			}
		}
		for _, o := range out.Report.Ops {
			if o.Op == "stablehlo.reduce" {
				for _, n := range o.BytesSent {
					pool += n
				}
			}
		}
		return pool
	}
	without := run()
	for i := range spec.Args {
		spec.Args[i].Range = &pattern.Interval{Lo: -most, Hi: most}
	}
	with := run()
	t.Logf("the maximum sends %d bytes with declared ranges, %d without", with, without)
	if with == 0 || with > without*3/4 {
		t.Errorf("the maximum sends %d bytes with declared ranges, %d without", with, without)
	}
}

// TestCheetahProductsOnce: a product of secrets that is rescaled, also behind views, is sent once, in a ring that holds it before
// that. A product that is summed is in the ring of its sum.
func TestCheetahProductsOnce(t *testing.T) {
	for _, c := range []struct {
		name, text string
		out        string
	}{
		{"returned", "%1 = stablehlo.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>\n  return %1 : tensor<2x2xf32>", "tensor<2x2xf32>"},
		{"summed", `%init = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %init) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>`, "tensor<f32>"},
	} {
		prog, err := hlo.Parse("test.mlir", []byte("func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> "+c.out+
			" {\n  %0 = stablehlo.multiply %x, %y : tensor<4xf32>\n  "+c.text+"\n}"))
		if err != nil {
			t.Fatal(err)
		}
		x, y := []float64{3000, -0.5, 8000, 1}, []float64{-4000, 0.25, 8000, 0}
		out, err := party.Run(t.Context(), party.Spec{
			Program: prog, Protocol: cheetah.Protocol.Name, Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"a", "b"}, Network: "none",
			Reveal: []int{0}, Args: []party.Arg{
				{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4}, x)},
				{Owner: 1, Data: tensor.FromFloats(tensor.F32, tensor.Shape{4}, y)},
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		checkPlanned(t, out.Report)
		sum := 0.0
		for i := range x {
			sum += x[i] * y[i]
			if got := out.Results[0].Floats(); c.name == "returned" && math.Abs(got[i]-x[i]*y[i]) > 1e-4*math.Abs(x[i]*y[i])+1e-5 {
				t.Errorf("%v·%v is %v", x[i], y[i], got[i])
			}
		}
		if got := out.Results[0].Floats()[0]; c.name == "summed" && math.Abs(got-sum) > 1e-4*math.Abs(sum) {
			t.Errorf("a sum of products is %v, want %v", got, sum)
		}
		// Bits of one factor are the choices of transfers: 82 of them in the ring of a product that is rescaled, 64 in a sum's.
		sent := int64(0)
		for _, o := range out.Report.Ops {
			if o.Op == "stablehlo.multiply" || o.Op == "func.return" {
				sent += o.BytesSent[0] + o.BytesSent[1]
			}
		}
		t.Logf("%s: %d bytes", c.name, sent)
		if most := map[string]int64{"returned": 1750, "summed": 1150}[c.name]; sent > most {
			t.Errorf("%s: %d bytes for four products, at most %d", c.name, sent, most)
		}
	}
}

// TestCheetahNoTerms: products of secrets without terms need no transfers, and are zeros.
func TestCheetahNoTerms(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(`func.func @main(%x: tensor<3x0xi64>, %y: tensor<0x2xi64>) -> tensor<3x2xi64> {
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<3x0xi64>, tensor<0x2xi64>) -> tensor<3x2xi64>
  return %0 : tensor<3x2xi64>
}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := party.Spec{Program: prog, Protocol: cheetah.Protocol.Name, Ring: 64, Fraction: 18, Computing: 2, Parties: []string{"alice", "bob"},
		Reveal: []int{0}, Network: "none"}
	for i, shape := range []tensor.Shape{{3, 0}, {0, 2}} {
		s.Args = append(s.Args, party.Arg{Owner: i, Data: tensor.NewArray(tensor.Type{DType: tensor.I64, Shape: shape})})
	}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	if got := out.Results[0].Words(); len(got) != 6 || slices.Max(got) != 0 {
		t.Errorf("got %v, want zeros", got)
	}
}
