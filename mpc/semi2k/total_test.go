package semi2k

import (
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// TestScattered runs every operation with openings that are scattered and
// gathered, of lengths that do not divide evenly, and fewer elements than
// parties.
func TestScattered(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	for i, o := range operations {
		k := 64
		if o.rings != nil {
			k = o.rings[i%len(o.rings)]
		}
		n := 3 + i%3
		t.Run(o.name, func(t *testing.T) {
			for _, elements := range []int{1, 203} {
				tr := trial{n: n, k: ring.Z(k), seed: byte(i), scatter: 1, in: o.in(ring.Z(k), elements), build: o.build}
				o.checkTrial(t, tr, elements)
			}
		})
	}
}

// TestScatterCosts compares an opening in one round with one in two.
func TestScatterCosts(t *testing.T) {
	const elements = 6400
	open := func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		p.open(op, in[0].(*share))
		return in
	}
	for _, n := range []int{3, 4, 5, 8, 16} {
		tr := trial{n: n, in: []operand{constantOperand(ring.Z(64), -5, elements, 20, false)}, build: open}
		whole := tr.run(t)
		tr.scatter = 8 * elements // just reached
		parts := tr.run(t)
		if whole.rounds != 1 || whole.online != 8*elements {
			t.Errorf("n = %d: %d rounds, %d bytes to each party", n, whole.rounds, whole.online)
		}
		if want := int64(2 * 8 * elements / n); parts.rounds != 2 || parts.online < want-16 || parts.online > want+16 {
			t.Errorf("n = %d: %d rounds, %d bytes to each party, want 2 and %d", n, parts.rounds, parts.online, want)
		}
		tr.scatter++
		if res := tr.run(t); res.rounds != 1 {
			t.Errorf("n = %d: scattered below the threshold", n)
		}
	}
}

// TestOpeningWork: a dry run counts each element that is packed into the message and unpacked from it, but those that lie in memory as
// they are sent, and the bytes of the summands and of the message.
func TestOpeningWork(t *testing.T) {
	const n = 1000
	for _, c := range []struct{ bits, packed int }{{20, n}, {64, 0}, {100, 2 * n}, {128, 0}} {
		r := ring.Z(c.bits)
		kinds, size := []addend{vecAddend(r, n), bitsAddend(n)}, n*(c.bits+1)/8
		for work, want := range map[flow.Work][2]int{flow.Packed: {c.packed, c.packed}, flow.Bytes: {int(bytes(r, n)) + size, size}} {
			var rates flow.Rates
			rates[work] = 1
			trace, p := &flow.Trace{}, &Party{n: 2, others: []int{1}}
			g := flow.NewTraced(link.Online, &flow.Account{}, rates, trace)
			p.openSum(g.Op(1, &flow.Cost{}, ""), bytes(r, n), kinds, func() []addend {
				own := slices.Clone(kinds)
				own[0].vec, own[1].bits = ring.ShapeOnly(r, n), ring.ShapeOnlyBits(n)
				return own
			})
			if err := g.Wait(); err != nil {
				t.Fatal(err)
			}
			if sent, received := trace.Exchanges[0].Seconds, trace.Steps[0].Seconds; sent != float32(want[0]) || received != float32(want[1]) {
				t.Errorf("%d bits, work %d: %v before sending and %v afterwards, want %v", c.bits, work, sent, received, want)
			}
		}
	}
}

// TestScatterUniform looks at every message of a scattered opening of a
// constant: parts of one party's masked shares, then parts of the sum.
func TestScatterUniform(t *testing.T) {
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	for _, x := range []int64{0, -1, 77} {
		tr := trial{n: 4, seed: byte(x), scatter: 1, in: []operand{constantOperand(ring.Z(64), x, 1<<13, 20, false)}}
		tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			p.open(op, in[0].(*share))
			return in
		}
		seen := map[link.Key]int{}
		for _, m := range tr.transcript(t) {
			seen[m.key]++
			if s := chiSquare(m.data); s > 6 {
				t.Errorf("x = %d, %v, party %d: bytes are %.1f sigma from uniform", x, m.key, m.from, s)
			}
		}
		if len(seen) != 2 {
			t.Errorf("messages of %d steps, want 2", len(seen))
		}
	}
}
