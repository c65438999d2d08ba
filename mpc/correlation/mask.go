package correlation

import (
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// ID names one mask or one dealt vector of a session: the operation instance
// in its upper half, a count in its lower.
type ID uint64

// Op is the operation instance.
func (id ID) Op() uint32 { return uint32(id >> 32) }

func (id ID) String() string { return fmt.Sprintf("%d.%d", id>>32, uint32(id)) }

// Mask is a vector that the dealer knows and the parties share. It is plain
// data: a party's share and the whole are computed from it by whoever holds
// the seeds.
type Mask struct {
	ID   ID
	Kind MaskKind
	Ring ring.Ring // of ring masks
	N    int
	// Planes is how many vectors of N bits a FreshBits mask has.
	Planes int
	// Owner is the rank whose seed makes an Owned mask.
	Owner int
	// Map and Of make a Derived mask of other ring masks.
	Map maps.Linear
	Of  []*Mask
	// Rows and Order make a Shuffled mask of another one: so many elements are
	// put in one order, and Order names the orders, which several masks may
	// have in common.
	Rows  int
	Order ID
	// Owners is one more than the highest rank among the owners of what the
	// mask is made of; 0 if it is made of no Owned mask.
	Owners int
}

// MaskKind says how a mask comes about.
type MaskKind uint8

// The kinds of masks.
const (
	// Fresh: the sum over the computing parties of a vector from each one's
	// seed.
	Fresh MaskKind = iota
	// FreshBits: the XOR of bits from each computing party's seed, in one or
	// more vectors of N bits, planes.
	FreshBits
	// Owned: a vector from its owner's seed. A computing owner's share is all
	// of it and the other shares are zero; of an owner who does not compute
	// it has to be dealt (Request kind Product).
	Owned
	// Zero: zeros, the mask of a value that everybody knows.
	Zero
	// Derived: a public linear map of other masks, reduced into the ring.
	Derived
	// Shuffled: each computing party in turn puts every Rows elements of
	// another mask in an order of its own, and adds a vector, both from its
	// seed. No party can share it by itself: its shares have to be dealt.
	Shuffled
)

// NewFresh makes a mask uniform in r.
func NewFresh(id uint64, r ring.Ring, n int) *Mask {
	return &Mask{ID: ID(id), Kind: Fresh, Ring: r, N: n}
}

// NewFreshBits makes a mask of so many planes of n uniform bits.
func NewFreshBits(id uint64, n, planes int) *Mask {
	return &Mask{ID: ID(id), Kind: FreshBits, Ring: ring.Z(1), N: n, Planes: planes}
}

// NewOwned makes a mask uniform in r that its owner knows.
func NewOwned(id uint64, r ring.Ring, n, owner int) *Mask {
	return &Mask{ID: ID(id), Kind: Owned, Ring: r, N: n, Owner: owner, Owners: owner + 1}
}

// NewZero makes the mask of a public value.
func NewZero(id uint64, r ring.Ring, n int) *Mask {
	return &Mask{ID: ID(id), Kind: Zero, Ring: r, N: n}
}

// NewDerived makes a linear map of masks, reduced into r: no wider than any of
// theirs.
func NewDerived(id uint64, r ring.Ring, m maps.Linear, of ...*Mask) *Mask {
	owners := 0
	for _, o := range of {
		if o.Ring.Bits < r.Bits {
			panic(fmt.Sprintf("correlation: mask in %v derived from one in %v", r, o.Ring))
		}
		owners = max(owners, o.Owners)
	}
	return &Mask{ID: ID(id), Kind: Derived, Ring: r, N: m.Out(), Map: m, Of: of, Owners: owners}
}

// NewShuffled makes what shuffling another mask makes of it. order is the id of
// the orders.
func NewShuffled(id, order uint64, rows int, of *Mask) *Mask {
	return &Mask{ID: ID(id), Kind: Shuffled, Ring: of.Ring, N: of.N, Of: []*Mask{of}, Rows: rows, Order: ID(order), Owners: of.Owners}
}

// Lanes keep the streams of one seed and id apart.
const (
	laneMask uint8 = iota
	laneShare
	laneZero
	laneOrder
)

// seeded expands one party's part of a leaf mask.
func (m *Mask) seeded(p *ring.PRG) ring.Vec {
	v := ring.Blank(m.Ring, m.N)
	p.Vec(v, uint64(m.ID), laneMask)
	return v
}

// shuffledBy is what a party's part of shuffling makes of a vector.
func (m *Mask) shuffledBy(p *ring.PRG, v ring.Vec) ring.Vec {
	out := v.BlankLike(m.Ring, m.N)
	ring.Gather(out, v, ordersOf(p, m.Order, m.Rows, m.N))
	ring.AddStream(out, p.Stream(m.Ring, m.N, uint64(m.ID), laneMask))
	return out
}

// ordersOf expands one party's orders of every rows of n elements.
func ordersOf(p *ring.PRG, order ID, rows, n int) []int32 {
	index := make([]int32, n)
	p.Orders(index, rows, uint64(order), laneOrder)
	return index
}

// sum is a Fresh mask, from the seeds of all computing parties.
func (m *Mask) sum(ps []*ring.PRG) ring.Vec {
	out := m.seeded(ps[0])
	for _, p := range ps[1:] {
		ring.AddStream(out, p.Stream(m.Ring, m.N, uint64(m.ID), laneMask))
	}
	return out
}

func (m *Mask) seededBits(p *ring.PRG) []ring.Bits {
	b := ring.NewPlanes(equal(m.N, m.Planes)...)
	p.Planes(b, uint64(m.ID), laneMask)
	return b
}

// equal is so many times one length.
func equal(n, count int) []int {
	lens := make([]int, count)
	for i := range lens {
		lens[i] = n
	}
	return lens
}
