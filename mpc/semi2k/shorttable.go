package semi2k

import (
	"math/big"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
)

// wholeKey identifies the short form of a table's values modulo the size of a ring.
type wholeKey struct {
	name      string
	tolerance float64
	out       int
	width     int
}

var wholeTables sync.Map // wholeKey → *shortTable

// wholeTable returns the short form of a key's table. Harmonics whose coefficients are rounded to 0 are left out.
func wholeTable(key wholeKey) *shortTable {
	if have, ok := wholeTables.Load(key); ok {
		return have.(*shortTable)
	}
	t := fourier.Lookup(key.name, fourier.Small).WithTolerance(key.tolerance)
	s := &shortTable{table: t, out: key.out, width: key.width, middle: new(big.Int)}
	at := min(key.out+shortGuard, mostShort)
	s.fill(at, unevenShort)
	groups := s.groups[:0]
	for _, g := range s.groups {
		for g.count > 0 && at+amplitudeBits(t, nil, g.first) < 0 { // below half a unit
			g.first, g.count = g.first+1, g.count-1
		}
		for g.count > 0 && at+amplitudeBits(t, nil, g.first+g.count-1) < 0 {
			g.count--
		}
		if g.count > 0 {
			groups = append(groups, g)
		}
	}
	s.groups = groups
	kept, _ := wholeTables.LoadOrStore(key, s)
	return kept.(*shortTable)
}

// EvalShortTable implements mpc.ShortTables: as EvalTable, with words that are as short as the result's few fraction bits need
// (docs/protocols/look-ups.md#short-words). The multiplier of the phase is a power of two, and x may be in a ring whose size is the
// period. The result has the whole width of its ring, so that it can be added to others and multiplied there.
func (p *Party) EvalShortTable(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string) mpc.Secret {
	s := p.opened(op, x)
	t := wholeTable(wholeKey{name, f.Tolerance, f.Out, f.Ring.Bits})
	v := p.shortWaves(op, newPhase(s, f.In, period(t.table)), t, nil)
	return p.newShare(f.Ring, s.n, f.Ring.Bits-2, p.truncateReduceFresh(op, v, s.n, f.Ring, t.scale-t.out))
}
