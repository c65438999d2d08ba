package party_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// train gives a model, some of which all know, and a count; infer uses it.
const (
	trainText = `func.func @main(%x: tensor<3xf32>, %w: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xi32>, tensor<3xi1>, tensor<3xf32>) {
  %0 = stablehlo.multiply %x, %w : tensor<3xf32>
  %1 = stablehlo.multiply %0, %x : tensor<3xf32>
  %c = stablehlo.constant dense<[5, -7]> : tensor<2xi32>
  %2 = stablehlo.compare GT, %x, %w : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %3 = stablehlo.add %x, %x : tensor<3xf32>
  return %1, %c, %2, %3 : tensor<3xf32>, tensor<2xi32>, tensor<3xi1>, tensor<3xf32>
}`
	inferText = `func.func @main(%m: tensor<3xf32>, %c: tensor<2xi32>, %b: tensor<3xi1>, %x: tensor<3xf32>, %z: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xi32>) {
  %0 = stablehlo.multiply %m, %z : tensor<3xf32>
  %1 = stablehlo.select %b, %0, %x : tensor<3xi1>, tensor<3xf32>
  %2 = stablehlo.multiply %c, %c : tensor<2xi32>
  return %1, %2 : tensor<3xf32>, tensor<2xi32>
}`
)

// keeping runs train and keeps what it gives.
func keeping(t *testing.T, protocol string, parties, computing int) (party.Spec, []*party.StoredShare) {
	t.Helper()
	s := small(t, parties, computing)
	s.Store, s.Protocol, s.Keep, s.Reveal = "", protocol, true, []int{}
	s.Program = parse(t, trainText)
	s.Args = []party.Arg{{Owner: parties - 1, Data: vector3(1, -2, 3)}, {Owner: 0, Data: vector3(0.5, 0.25, 4)}}
	out, err := party.Run(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	checkPrediction(t, out.Report)
	if out.Results != nil || slices.Max(out.Report.Output.BytesSent) > 0 {
		t.Errorf("nobody learns anything, and %v is revealed", out.Results)
	}
	return s, out.Shares
}

func parse(t *testing.T, text string) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("kept.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func vector3(x ...float64) *tensor.Array {
	return tensor.FromFloats(tensor.F32, tensor.Shape{len(x)}, x)
}

// using is infer with what train has kept.
func using(t *testing.T, s party.Spec, held []*party.StoredShare) party.Spec {
	s.Program, s.Keep, s.Reveal, s.Facts = parse(t, inferText), false, []int{1}, nil
	s.Args = make([]party.Arg, 4, 5)
	for i := range s.Args {
		s.Args[i].Owner = party.Kept
		for _, h := range held {
			if h.Result == i {
				s.Args[i].Shares = append(s.Args[i].Shares, h)
			}
		}
	}
	s.Args = append(s.Args, party.Arg{Owner: 1, Data: vector3(2, 3, -1)})
	return s
}

// TestKept checks that a run uses results kept by another run as if both were one run, and that the
// shares of one party alone do not reveal them.
func TestKept(t *testing.T) {
	for _, c := range []struct {
		protocol           string
		parties, computing int
	}{{"semi2k", 2, 2}, {"semi2k", 3, 2}, {"semi2k", 3, 3}, {"aby3", 3, 3}} {
		t.Run(fmt.Sprintf("%s-%d-%d", c.protocol, c.parties, c.computing), func(t *testing.T) {
			defer goleak.VerifyNone(t)
			s, held := keeping(t, c.protocol, c.parties, c.computing)
			if len(held) != 4*c.parties {
				t.Fatalf("%d values are held", len(held))
			}
			for _, h := range held {
				if h.Result == 0 && h.Words != nil && len(h.Words) == 3 { // of 64 bits: 0.5, 1 and 36 at 2^18 would have few
					if w := h.Words[0]; w>>40 == 0 || w>>40 == 1<<24-1 {
						t.Errorf("rank %d holds %x", h.Rank, h.Words)
					}
				}
			}
			use := using(t, s, held)
			out, err := party.Run(t.Context(), use)
			if err != nil {
				t.Fatal(err)
			}
			checkPrediction(t, out.Report)
			want := []float64{1, -4, 6} // x > w: 1 > 0.5, −2 < 0.25, 3 < 4
			for i, x := range out.Results[0].Floats() {
				if d := x - want[i]; d > 1e-3 || d < -1e-3 {
					t.Errorf("element %d: %v, want %v", i, x, want[i])
				}
			}
			if got := out.Results[1].Data.([]int32); got[0] != 25 || got[1] != 49 {
				t.Errorf("integers: %v", got)
			}
			// again: what is kept may be used more than once
			if _, err := party.Run(t.Context(), use); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// TestKeptServed: a service uses what is kept in every request.
func TestKeptServed(t *testing.T) {
	defer goleak.VerifyNone(t)
	s, held := keeping(t, "semi2k", 3, 2)
	v, err := party.Open(t.Context(), using(t, s, held), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for request := range 3 {
		z := float64(request + 1)
		out, err := v.EvaluateSingle(t.Context(), []*tensor.Array{nil, nil, nil, nil, vector3(z, 1, 1)})
		if err != nil {
			t.Fatal(err)
		}
		checkPrediction(t, out.Report)
		if d := out.Results[0].Floats()[0] - 0.5*z; d > 1e-3 || d < -1e-3 {
			t.Errorf("request %d: %v", request, out.Results[0].Floats())
		}
	}
}

// TestKeptRefused: values of other parties, rings, types are refused, and those
// of another run at one party.
func TestKeptRefused(t *testing.T) {
	s, held := keeping(t, "semi2k", 3, 3)
	_, others := keeping(t, "semi2k", 3, 3)
	for name, c := range map[string]struct {
		change func(s *party.Spec)
		want   string
	}{
		"other parties":    {func(s *party.Spec) { s.Parties = []string{"alice", "bob", "dave"} }, "are kept by parties [alice bob carol]"},
		"another order":    {func(s *party.Spec) { s.Parties = []string{"bob", "alice", "carol"} }, "are kept by parties [alice bob carol]"},
		"another ring":     {func(s *party.Spec) { s.Ring, s.Fraction = 128, 26 }, "ring of 64 bits and 18"},
		"fraction":         {func(s *party.Spec) { s.Fraction = 20 }, "ring of 64 bits and 18"},
		"another protocol": {func(s *party.Spec) { s.Protocol = "aby3" }, "are of protocol semi2k"},
		"another type":     {func(s *party.Spec) { s.Args[0].Shares = s.Args[1].Shares }, "are a tensor<2xi32>"},
		"of two runs":      {func(s *party.Spec) { s.Args[0].Shares[1] = using(t, *s, others).Args[0].Shares[1] }, "results of different runs"},
		"none":             {func(s *party.Spec) { s.Args[0].Shares = nil }, "whose results were kept as shares, and it has no Shares"},
		"plain":            {func(s *party.Spec) { s.Protocol = "plain" }, "protocol plain"},
	} {
		t.Run(name, func(t *testing.T) {
			use := using(t, s, held)
			c.change(&use)
			if _, err := party.Run(context.Background(), use); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}
