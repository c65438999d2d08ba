package party_test

import (
	"context"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/timing"
)

// layers is two dots with a maximum between them.
const layers = `func.func @main(%x: tensor<8x32xf32>, %w: tensor<32x16xf32>, %v: tensor<16x4xf32>) -> tensor<8x4xf32> {
 %zero = stablehlo.constant dense<0.0> : tensor<8x16xf32>
 %1 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
 %2 = stablehlo.maximum %1, %zero : tensor<8x16xf32>
 %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
 return %3 : tensor<8x4xf32>
}`

// layersSpec is a job of two parties that nobody has data of.
func layersSpec(t *testing.T, n int) party.Spec {
	t.Helper()
	p, err := hlo.Parse("layers.mlir", []byte(layers))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a", "b", "c", "d", "e"}[:n]
	return party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: n, Parties: names, Reveal: []int{0}, Network: "none",
		Args: []party.Arg{{Owner: 0}, {Owner: 1}, {Owner: 1}}}
}

// A plan for a machine says times, local work, memory and what is ordered.
func TestPlanOutlook(t *testing.T) {
	for n := 2; n <= 3; n++ {
		s := layersSpec(t, n)
		machine := timing.Default
		s.Machine, s.Networks = &machine, []string{"lan", "slow"}
		r, err := party.Plan(context.Background(), s)
		if err != nil {
			t.Fatal(err)
		}
		p := r.Plan
		if len(p.Networks) != 3 || p.Networks[0].Name != "none" {
			t.Fatalf("networks %+v", p.Networks)
		}
		for i, name := range []string{"none", "lan", "slow"} {
			shape, got := link.Shapes[name], p.Networks[i]
			least := shape.Seconds(r.Online.Rounds, 0)
			if got.Name != name || got.Online <= least || got.Online > least+0.05 {
				t.Errorf("%d parties: %s online takes %v s, %d rounds alone take %v", n, name, got.Online, r.Online.Rounds, least)
			}
		}
		// A dot takes a product for each operand of whose mask the party has a
		// share that is not zero; of the first party the one with Δ serves too.
		const first, second = 8 * 32 * 16, 8 * 16 * 4
		want := []int64{first + second, first + 2*second, second}[:n]
		const elements = 8 * 16 // of the maximum: a few products each
		for i, got := range p.MultiplyAdds {
			if got < want[i]+elements || got > want[i]+10*elements {
				t.Errorf("%d parties: %v multiply-adds, want those of dots, %v, and some of the maximum", n, p.MultiplyAdds, want)
			}
		}
		var bytes, adds int64
		for _, c := range p.Correlations {
			bytes += c.Bytes
		}
		for _, o := range r.Ops {
			adds += o.MultiplyAdds
		}
		if bytes != r.Offline.BytesSent || bytes == 0 {
			t.Errorf("%d parties: %d bytes by kind of %d", n, bytes, r.Offline.BytesSent)
		}
		for _, x := range p.MultiplyAdds {
			adds -= x
		}
		if adds != 0 {
			t.Errorf("%d parties: operations' multiply-adds are off by %d", n, adds)
		}
		const weights = 8 * (8*32 + 32*16 + 16*4) // masked, at every party
		for _, m := range p.MemoryBytes {
			if m < weights || m > 10*weights+r.Offline.BytesSent {
				t.Errorf("%d parties: vectors take %v bytes", n, p.MemoryBytes)
			}
		}
	}
}

// Without a machine's profile a plan costs the same and says no times.
func TestPlanWithoutMachine(t *testing.T) {
	s := layersSpec(t, 2)
	bare, err := party.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	machine := timing.Default
	s.Machine = &machine
	full, err := party.Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	if bare.Plan != nil || bare.Online.Seconds != 0 {
		t.Errorf("times from nowhere: %+v", bare)
	}
	same := func(a, b profile.Prediction) bool {
		return a.Online.Rounds == b.Online.Rounds && a.Online.BytesSent[0] == b.Online.BytesSent[0] && a.Offline == b.Offline
	}
	if !same(bare.Predicted, full.Predicted) {
		t.Errorf("%+v and %+v", bare.Predicted, full.Predicted)
	}
	s.Networks = []string{"dialup"}
	if _, err := party.Plan(context.Background(), s); err == nil {
		t.Error("planned for a network that is none")
	}
}

// TestPlanReads: the time of a plan counts the bytes of matrices that are read for products, at each party.
func TestPlanReads(t *testing.T) {
	s := layersSpec(t, 2)
	s.Machine = &timing.Machine{Cores: 1, Read: 1e-6}
	r, err := party.Plan(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	const operands = 8 * (8*32 + 32*16 + 8*16 + 16*4)
	if got := r.Online.Seconds * 1e6; got < 2*operands || got > 4*operands {
		t.Errorf("%v bytes are read, want %d at each of two parties, once or twice", got, operands)
	}
}
