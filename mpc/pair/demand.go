package pair

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"math/bits"
	"slices"

	"github.com/tacet-mpc/tacet/ot"
)

// Request asks for N random transfers whose receiver is the party of rank Receiver, 0 or 1.
type Request struct {
	ID       uint64 // unique in the session
	Receiver int
	N        int
}

// Demand lists what a session needs of its offline phase: requests of transfers, in the order of the dry run, and keys.
// It implements protocol.Demand.
type Demand struct {
	requests []Request
	ids      map[uint64]Request
	total    [2]int // number of transfers by receiver
	keys     map[KeyRequest]KeySizes
}

// KeyRequest identifies keys of homomorphic encryption: those that the party of rank Owner, 0 or 1, makes for
// he.Sets[Set].
type KeyRequest struct{ Owner, Set int }

// KeySizes says which keys of a KeyRequest a session needs: a public key of numbers of Public bits, and for each of
// Orders, ascending, the switching key of the group of automorphisms of that order, of numbers of Switch bits.
type KeySizes struct {
	Public, Switch int
	Orders         []int
}

// AddKeys adds keys to the Demand. Several calls for one KeyRequest ask for the largest of their sizes and for all of
// their orders.
func (d *Demand) AddKeys(r KeyRequest, s KeySizes) {
	if d.keys == nil {
		d.keys = map[KeyRequest]KeySizes{}
	}
	before := d.keys[r]
	orders := append(slices.Clone(before.Orders), s.Orders...)
	slices.Sort(orders)
	d.keys[r] = KeySizes{max(before.Public, s.Public), max(before.Switch, s.Switch), slices.Compact(orders)}
}

// keyRequests lists the keys, by owner and set.
func (d *Demand) keyRequests() []KeyRequest {
	return slices.SortedFunc(maps.Keys(d.keys), func(a, b KeyRequest) int {
		return cmp.Or(cmp.Compare(a.Owner, b.Owner), cmp.Compare(a.Set, b.Set))
	})
}

// Add appends a request. A request that the Demand has already changes nothing, because a party that takes no part in
// the protocol does two dry runs of the program. Add panics if the id was used for a different request: a transfer
// serves once.
func (d *Demand) Add(r Request) {
	if d.ids == nil {
		d.ids = map[uint64]Request{}
	}
	if r.Receiver < 0 || r.Receiver > 1 || r.N < 0 {
		panic(fmt.Sprintf("pair: request %x of %d transfers to rank %d is invalid", r.ID, r.N, r.Receiver))
	}
	if before, ok := d.ids[r.ID]; ok {
		if before != r {
			panic(fmt.Sprintf("pair: request %x is repeated with other transfers", r.ID))
		}
		return
	}
	d.ids[r.ID] = r
	d.requests = append(d.requests, r)
	d.total[r.Receiver] += r.N
}

// Digest returns a hash of all requests and keys. Parties compare it, since both need the same Demand.
func (d *Demand) Digest() [32]byte {
	h := sha256.New()
	for _, r := range d.requests {
		var b []byte
		b = binary.LittleEndian.AppendUint64(b, r.ID)
		b = binary.LittleEndian.AppendUint64(b, uint64(r.N))
		h.Write(append(b, byte(r.Receiver)))
	}
	for _, r := range d.keyRequests() {
		s := d.keys[r]
		for _, n := range append([]int{r.Owner, r.Set, s.Public, s.Switch, len(s.Orders)}, s.Orders...) {
			h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
		}
	}
	return [32]byte(h.Sum(nil))
}

// HeldBytes implements protocol.Demand: a block for each transfer, and half a bit, as if both parties received half of them.
func (d *Demand) HeldBytes() int64 {
	n := int64(d.total[0] + d.total[1])
	return ot.BlockBytes*n + n/16
}

// made returns how the transfers of each direction, by receiver, are made if state is what both parties have kept. If
// keep, as many are left over as the next session needs to begin like the end of this one.
func (d *Demand) made(state *State, keep bool) (out [2]chain) {
	front := 0
	if d.total[1] > 0 && !state.way[1].extends() {
		front = ot.Bases
	}
	return [2]chain{
		chainFor(front, d.total[0], len(state.way[0].blocks), keep),
		chainFor(0, d.total[1], len(state.way[1].blocks), keep),
	}
}

// chain says how the transfers of a direction are made: those that were kept come first, then SoftSpoken makes extended
// ones. The first front of them are the bases of the other direction. Each set of rounds makes more of some of those that
// there are: the first one of the rest of them, each other one of what the one before it made.
type chain struct {
	front, extended int
	rounds          []ot.SilentSet
}

// cost is what chains are chosen by: bytes, and the time that more secrets take, which fit no cache.
func (c chain) cost() int {
	n := c.bytes()
	for _, s := range c.rounds {
		n += s.Made() / transfersOfByte * bits.Len(uint(s.Secrets/ot.SilentSets[0].Secrets-1))
	}
	return n
}

// transfersOfByte is the number of transfers for which twice the secrets take the time of a byte.
const transfersOfByte = 100

// bytes is the number of bytes that both parties send for a chain, beside trees of SoftSpoken.
func (c chain) bytes() int {
	n := ot.BatchBytes(c.extended)
	for _, s := range c.rounds {
		n += s.Bytes()
	}
	return n
}

// chainFor returns the cheapest chain for n transfers after the front, if there are some that were kept: all its sets but the
// first and the last one are the same. If keep, chains with rounds leave over what their last set takes: then the next session needs no
// SoftSpoken for it.
func chainFor(front, n, kept int, keep bool) chain {
	missing := func(n int) int { return (max(0, n-kept) + ot.Granule - 1) / ot.Granule * ot.Granule }
	best := chain{front: front, extended: missing(front + n)}
	for first := range ot.SilentSets {
		for second := first; second < len(ot.SilentSets); second++ {
			c := chain{front: front, extended: missing(front + ot.SilentSets[first].Takes())}
			c.rounds = append(c.rounds, ot.SilentSets[first])
			needed := n
			if keep {
				needed += ot.SilentSets[second].Takes()
			}
			made := ot.SilentSets[first].Made() + max(0, kept-front-ot.SilentSets[first].Takes())
			for next := ot.SilentSets[second]; made < needed && next.Takes() <= ot.SilentSets[first].Made(); {
				for _, last := range ot.SilentSets[:second] { // a smaller one may do in the end
					if made+last.Made()-last.Takes() >= needed {
						next = last
						break
					}
				}
				c.rounds = append(c.rounds, next)
				made += next.Made() - next.Takes()
			}
			if made < needed {
				continue
			}
			if !keep { // what is left over would serve nothing
				c.trim(made - needed)
				c.extended = missing(front + c.rounds[0].Takes())
			}
			if c.cost() < best.cost() {
				best = c
			}
		}
	}
	return best
}

// trim leaves out trees with at most the given number of transfers, those of the first sets first: they take the most bytes for a transfer.
func (c *chain) trim(spare int) {
	for i := range c.rounds {
		s, least := &c.rounds[i], 0
		if i+1 < len(c.rounds) {
			least = c.rounds[i+1].Takes()
		}
		made := s.Made()
		*s = s.Making(max(least, made-spare))
		spare -= made - s.Made()
	}
}

// batches splits n transfers into batches, by their sizes.
func batches(n int) (out []int) {
	for ; n > 0; n -= out[len(out)-1] {
		out = append(out, min(n, ot.MaxBatch))
	}
	return out
}
