package conformance_test

import (
	"math"
	"slices"
	"sync"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// toyProgram is a product and a comparison: triples of numbers and of bits.
const toyProgram = `
func.func @main(%x: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<3xf32> {
  %p = stablehlo.multiply %x, %w : tensor<3xf32>
  %z = stablehlo.constant dense<0.0> : tensor<3xf32>
  %r = stablehlo.maximum %p, %z : tensor<3xf32>
  return %r : tensor<3xf32>
}`

// toySpec runs toyProgram with a protocol of two parties: the first brings x, the second w.
func toySpec(t *testing.T, name string) party.Spec {
	t.Helper()
	p, err := hlo.Parse("toy.mlir", []byte(toyProgram))
	if err != nil {
		t.Fatal(err)
	}
	return party.Spec{
		Program: p, Protocol: name, Ring: 64, Fraction: 18, Computing: 2, Network: "none",
		Parties: []string{"alice", "bob"}, Reveal: []int{0, 1}, Set: map[string]string{},
		Args: []party.Arg{{Owner: 0, Data: floats(1, -2, 3)}, {Owner: 1, Data: floats(0.5, 0.25, -4)}},
	}
}

func floats(xs ...float32) *tensor.Array {
	a := tensor.NewArray(tensor.Type{DType: tensor.F32, Shape: tensor.Shape{len(xs)}})
	copy(a.Data.([]float32), xs)
	return a
}

// TestToyService checks that a service of a protocol between parties makes its correlations anew for
// every request, in batches too, and that the requests' costs are as planned.
func TestToyService(t *testing.T) {
	defer goleak.VerifyNone(t)
	s := toySpec(t, toy.Name)
	s.Args[1].Resident = true
	v, err := party.Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	var mu sync.Mutex
	answered := 0
	for _, batch := range [][][]float32{{{1, -2, 3}}, {{4, 4, -1}, {0.5, 8, -2}}, {{-1, -1, -1}}} {
		var requests []party.Request
		for _, x := range batch {
			want := []float64{max(0, float64(x[0])/2), max(0, float64(x[1])/4), max(0, -4*float64(x[2]))}
			requests = append(requests, party.Request{
				Data: []*tensor.Array{floats(x...), nil},
				Done: func(out *party.Outcome, err error) error {
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Errorf("request %v: %v", x, err)
						return nil
					}
					answered++
					for i, got := range out.Results[0].Floats() {
						if math.Abs(got-want[i]) > 1e-4 {
							t.Errorf("request %v: element %d is %v, want %v", x, i, got, want[i])
						}
					}
					r := out.Report
					if r.Offline.BytesSent != r.Predicted.Offline.BytesSent || r.Offline.BytesSent == 0 ||
						r.Online.Rounds != r.Predicted.Online.Rounds || slices.Max(r.Online.BytesSent) != slices.Max(r.Predicted.Online.BytesSent) {
						t.Errorf("request %v: online %+v, offline %+v, predicted %+v", x, r.Online, r.Offline, r.Predicted)
					}
					return nil
				},
			})
		}
		if err := v.Evaluate(t.Context(), requests); err != nil {
			t.Fatal(err)
		}
	}
	if answered != 4 {
		t.Errorf("%d of 4 requests were answered", answered)
	}
}
