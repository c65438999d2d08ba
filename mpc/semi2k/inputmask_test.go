package semi2k

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// TestInputMask: an owner does not keep the mask of its vector from the input phase to the online phase, which expands the
// same mask again.
func TestInputMask(t *testing.T) {
	r, words := ring.Z(64), []uint64{5, 1 << 40, 0, 1<<64 - 7}
	vec := ring.New(r, len(words))
	copy(vec.Words(), words)
	inputs := Inputs{}
	party := func(s correlation.Source) *Party {
		return New(t.Context(), Config{Rank: 1, Computing: 2, Source: s, Inputs: inputs})
	}
	input := func(p *Party, op *flow.Op) *share {
		return p.Input(op, 1, r, len(words), 62, func() ring.Vec { return vec }).(*share)
	}
	input(party(&correlation.Recorder{}), flow.NewDryRun(link.Online, &flow.Account{}).Op(1, &flow.Cost{}, "test"))
	if shared, own := inputs.Bytes(1); shared != 32 || own != 0 {
		t.Errorf("%d and %d bytes, want 32 and none for the mask", shared, own)
	}
	ends := link.Memory(2)
	defer ends[0].Close()
	defer ends[1].Close()
	p := party(correlation.NewParty(1, 2, ring.Seed{1}, nil))
	g := flow.New(t.Context(), link.Input, ends[1], &flow.Account{})
	p.ShareInputs(g)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	inputs.EndPhase()
	for _, in := range inputs {
		if !in.lambda.Get().ShapeOnly() || slices.Equal(in.delta.Get().Words(), words) {
			t.Error("the mask is kept, or the vector is not masked")
		}
	}
	g = flow.New(t.Context(), link.Online, ends[1], &flow.Account{})
	op := g.Op(1, &flow.Cost{}, "test")
	x := input(p, op)
	flow.Force(op, x.masked.delta, x.masked.lambda)
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	got := ring.New(r, len(words))
	ring.Sub(got, x.masked.delta.Get(), x.masked.lambda.Get())
	if !slices.Equal(got.Words(), words) {
		t.Errorf("Δ − λ is %v, want %v", got.Words(), words)
	}
}
