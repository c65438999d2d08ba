package psi

import "github.com/tacet-mpc/tacet/mpc/correlation/joins"

type block = joins.Block

const (
	// A group is groupSize adjacent entries of the store.
	groupSize  = 4
	groupSums  = 1 << groupSize
	bandGroups = band/groupSize + 1 // groups that a band may touch
	keptGroups = 128                // a power of two, at least bandGroups
)

// decoder decodes rows in ascending order of their starts. It keeps the sums of all subsets of each group of entries
// that the present band may touch, so that a row takes one sum a group. Each of these sums serves some hundred rows.
type decoder struct {
	p    []block
	sums [keptGroups][groupSums]block // of group i at i mod keptGroups
	next int                          // the first group whose sums are not computed
}

func newDecoder(p []block) *decoder { return &decoder{p: p} }

// add computes the sums of the next group.
func (d *decoder) add() {
	sums := &d.sums[d.next%keptGroups]
	for bit := range groupSize {
		var x block
		if i := d.next*groupSize + bit; i < len(d.p) {
			x = d.p[i]
		}
		for low := range 1 << bit {
			e := sums[low]
			sums[1<<bit|low] = block{e[0] ^ x[0], e[1] ^ x[1]}
		}
	}
	d.next++
}

// decode returns the sum of the entries that a row's band selects. No row before it had a larger start.
func (d *decoder) decode(r *row) block {
	first, shift := int(r.start)/groupSize, uint(r.start)%groupSize
	for d.next = max(d.next, first); d.next < first+bandGroups; {
		d.add()
	}
	var a, c, carry uint64
	at := uint(first)
	for _, word := range r.band {
		b := word<<shift | carry
		carry = word >> (64 - shift)
		for range 64 / groupSize {
			e := &d.sums[at%keptGroups][b%groupSums]
			a ^= e[0]
			c ^= e[1]
			b /= groupSums
			at++
		}
	}
	e := &d.sums[at%keptGroups][carry]
	return block{a ^ e[0], c ^ e[1]}
}
