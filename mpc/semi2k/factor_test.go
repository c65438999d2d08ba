package semi2k

import (
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// TestOldFactorsKeepNothing: what is dealt for products of one old value with
// many young ones goes with the young ones; and is dealt once.
func TestOldFactorsKeepNothing(t *testing.T) {
	const n = 4
	tr := trial{n: 2, in: []operand{constantOperand(ring.Z(46), 3, n, 20, true), constantOperand(ring.Z(46), 5, n, 20, true)}}
	tr.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		old := p.share(in[0])
		x := in[1]
		for range 10 {
			y := p.TruncateReduce(op, p.Product(op, ring.Z(64), maps.Elementwise{N: n}, old, x, 0), 18)
			p.open(op, y.(*share))
			for range 2 {
				z := p.Product(op, ring.Z(64), maps.Elementwise{N: n}, old, y, 0)
				p.Finalize(op, z)
			}
			x = y
		}
		for _, f := range old.masked.factors {
			if len(f.dealt) > 4 || len(f.bits) > 4 {
				t.Errorf("%v keeps %d and %d dealt vectors", f.key(), len(f.dealt), len(f.bits))
			}
		}
		return nil
	}
	_, form, _, _ := tr.dryRun(0)
	// Of each of the 11 pairs four products of a part of each, and at most two
	// parts of each value by themselves.
	if got := len(form.Requests); got > 11*4+12*2 {
		t.Errorf("%d vectors are dealt", got)
	}
}
