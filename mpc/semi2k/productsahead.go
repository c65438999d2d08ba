package semi2k

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// leastReading is the number of elements that a matrix has, for one of its product, from which the product is computed ahead: reading the
// matrix takes the time then, and the results that wait take little memory.
const leastReading = 64

// ProductsAhead returns the products that the party of c can compute before a request of a service begins, by the id of the request in m
// for what the dealer adds to them: those of a matrix that stays, which the other party knows, with this party's share of the other
// operand's mask (subtractKnown). They depend on what was opened when the service began and on this party's seed, and on no data of the
// request. A product is computed if the matrix has at least leastReading times as many elements. If ctx ends, products are missing.
func ProductsAhead(ctx context.Context, c protocol.Config, m *correlation.Manifest) map[correlation.ID]ring.Vec {
	source, ok := c.Source.(*correlation.Party)
	inputs, _ := c.Inputs.(Inputs)
	if !ok || c.Computing != 2 {
		return nil
	}
	stays := map[correlation.ID]*input{} // by mask: a vector that an earlier program shared has another id here
	for _, in := range inputs {
		if in.stays && in.shared && in.owner == 1-c.Rank {
			stays[in.mask.ID] = in
		}
	}
	out := map[correlation.ID]ring.Vec{}
	for _, r := range m.Requests {
		b, ok := r.B.(maps.MatMul)
		if !ok || r.Kind != correlation.Bilinear || b.Batch != 1 || len(r.Factors) != 2 || ctx.Err() != nil {
			continue
		}
		for i, f := range r.Factors {
			in, other := stays[f.Mask.ID], r.Factors[1-i].Mask
			if in == nil || f.Mask.Kind != correlation.Owned || f.Mask.N < leastReading*r.N || !madeBy(other, c.Rank) {
				continue
			}
			prod, share := ring.NewUninitialised(r.Out, r.N), source.Share(other)
			if i == 0 {
				b.Apply(prod, in.delta.Get(), share)
			} else {
				b.Apply(prod, share, in.delta.Get())
			}
			share.Free()
			out[r.ID] = prod
		}
	}
	return out
}

// madeBy reports whether the seed of the party of the given rank alone makes a mask.
func madeBy(m *correlation.Mask, rank int) bool {
	switch m.Kind {
	case correlation.Owned:
		return m.Owner == rank
	case correlation.Zero:
		return true
	case correlation.Derived:
		for _, o := range m.Of {
			if !madeBy(o, rank) {
				return false
			}
		}
		return true
	}
	return false
}
