package semi2k

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// TestShortWordsTellLittle bounds what TestCoinsAreNotTheDealers has no power to see. There the dealer compares
// roundings; here it computes values before their rounding from Δ = x + λ and its words, for a candidate x that is
// the input. By how much they differ from the table's value it knows and others do not.
func TestShortWordsTellLittle(t *testing.T) {
	t.Parallel()
	const n, fraction = 1 << 13, 18
	x := int64(math.Ldexp(-9.0109, fraction))
	xs := make([]int64, n)
	for i := range xs {
		xs[i] = x
	}
	in := []operand{{v: ring.FromInts(ring.Z(64), xs), bound: 40, masked: true, others: true}}
	fn, whole := fourier.Windowed("sigmoid", fourier.Small)
	table := shortTableOf(fn, fourier.Small, false, 0, fraction)
	after := trial{n: 2, seed: 9, in: in, build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.EvalTableWithTails(op, x, f, "sigmoid", false)
	})}
	before := trial{n: 2, seed: 9, in: in, build: openingOf(func(p *Party, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		r := table.ring()
		v := p.shortWaves(op, newPhase(p.opened(op, x), f.In, period(whole)), table, nil)
		return p.newShare(r, n, r.Bits-2, v)
	})}
	seen, replayed := after.run(t).out[0], before.run(t).out[0]
	exact := math.Ldexp(tabled("sigmoid")(math.Ldexp(float64(x), -fraction)), fraction)
	var known, both, all float64 // squares of what is known and of the results' errors, and their products
	for i := range n {
		knows := math.Ldexp(float64(replayed.Int(i).Int64()), fraction-table.scale) + float64(table.middle.Int64()) - exact
		off := float64(seen.Int(i).Int64()) - exact
		known, both, all = known+knows*knows, both+knows*off, all+off*off
	}
	if rms, most := math.Sqrt(known/n), math.Ldexp(math.Sqrt(float64(whole.N())/3), -shortGuard); rms > most {
		t.Errorf("the dealer knows values before rounding to %.3f units in rms, more than %.3f", rms, most)
	}
	if bits := known / all / 2 / math.Ln2; bits > 0.002 {
		t.Errorf("a result tells the dealer %.4f bits more than others", bits)
	}
	// The rest of the error is a dither that it lacks.
	if sigma := (both - known) / math.Sqrt(known*all/n); math.Abs(sigma) > 5 {
		t.Errorf("what the dealer knows explains the results by %.1f standard deviations more than it should", sigma)
	}
}
