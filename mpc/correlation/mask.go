package correlation

import (
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// ID names one mask or one dealt value of a session: the number of the operation instance in its upper 32 bits, a
// count in its lower 32 bits.
type ID uint64

// Op returns the number of the operation instance.
func (id ID) Op() uint32 { return uint32(id >> 32) }

// String returns the id for messages: the instance's number and the count.
func (id ID) String() string { return fmt.Sprintf("%d.%d", id>>32, uint32(id)) }

// Mask describes a vector that the dealer knows and that is shared among the computing parties. It holds no values: a
// party's share and the mask's value are computed from it and the seeds.
type Mask struct {
	ID   ID        // names the mask, and the pseudo-random streams that make it
	Kind MaskKind  // how the mask is made
	Ring ring.Ring // the ring of the elements; unused for FreshBits
	N    int       // number of elements, or of bits in a plane
	// Planes is the number of vectors of N bits of a FreshBits mask.
	Planes int
	// Owner is the rank of the party whose seed makes an Owned mask.
	Owner int
	// Map and Of define a Derived mask: a linear map, and the masks over rings that it is applied to. Of[0] is the
	// mask that a Shuffled mask permutes, or whose shares an Upper mask shifts.
	Map maps.Linear
	Of  []*Mask
	// Rows and Order define a Shuffled mask: each Rows consecutive elements of Of[0] are permuted among themselves.
	// Order is the id of the permutations; several masks may have the same permutations.
	Rows  int
	Order ID
	// Owners is one more than the highest rank among the owners of the Owned masks that the mask
	// is, or is derived from; 0 if there are none.
	Owners int
}

// MaskKind is the way in which a mask is made.
type MaskKind uint8

// The kinds of masks.
const (
	// Fresh is the sum of one pseudo-random vector of each computing party, expanded from the party's seed.
	Fresh MaskKind = iota
	// FreshBits is the XOR of pseudo-random bits of each computing party, expanded from the party's seed, in one or
	// more vectors of N bits, called planes.
	FreshBits
	// Owned is a vector expanded from its owner's seed. If the owner computes, its share is all of the mask and the
	// other shares are zero. Otherwise the shares of the mask have to be dealt (a Request of kind Product).
	Owned
	// Zero is a vector of zeros, the mask of a public value.
	Zero
	// Derived is a public linear map of other masks, reduced into the ring.
	Derived
	// Shuffled is another mask of which the computing parties, one after the other, permute every Rows elements and
	// to which they add a vector, both from their seeds. No party can compute a share by itself: the shares have to
	// be dealt.
	Shuffled
	// Upper is the sum of the computing parties' shares of the Fresh mask Of[0], each without its low bits: as many as Of[0]'s
	// ring has more than this one. A party's share is its share of Of[0], shifted.
	Upper
)

// NewFresh returns a mask of n uniform elements of r that no party knows.
func NewFresh(id uint64, r ring.Ring, n int) *Mask {
	return &Mask{ID: ID(id), Kind: Fresh, Ring: r, N: n}
}

// NewFreshBits returns a mask of planes vectors of n uniform bits each that no party knows.
func NewFreshBits(id uint64, n, planes int) *Mask {
	return &Mask{ID: ID(id), Kind: FreshBits, Ring: ring.Z(1), N: n, Planes: planes}
}

// NewOwned returns a mask of n uniform elements of r that the party of rank owner knows.
func NewOwned(id uint64, r ring.Ring, n, owner int) *Mask {
	return &Mask{ID: ID(id), Kind: Owned, Ring: r, N: n, Owner: owner, Owners: owner + 1}
}

// NewZero returns the mask of a public value: n zeros in r.
func NewZero(id uint64, r ring.Ring, n int) *Mask {
	return &Mask{ID: ID(id), Kind: Zero, Ring: r, N: n}
}

// NewDerived returns the mask that map m makes of the masks of, reduced into r, which is at most as wide as any of
// their rings.
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

// NewShuffled returns the mask that the computing parties make by shuffling the mask of, each rows consecutive
// elements among themselves. order is the id of the permutations.
func NewShuffled(id, order uint64, rows int, of *Mask) *Mask {
	return &Mask{ID: ID(id), Kind: Shuffled, Ring: of.Ring, N: of.N, Of: []*Mask{of}, Rows: rows, Order: ID(order), Owners: of.Owners}
}

// NewUpper returns the mask whose shares are those of the Fresh mask of without their lowest by bits.
func NewUpper(id uint64, by int, of *Mask) *Mask {
	return &Mask{ID: ID(id), Kind: Upper, Ring: ring.Z(of.Ring.Bits - by), N: of.N, Of: []*Mask{of}}
}

// Lanes separate the streams of one seed and id.
const (
	laneMask uint8 = iota
	laneShare
	laneZero
	laneOrder
	laneJoin
)

// seeded expands one party's vector of a leaf mask.
func (m *Mask) seeded(p *ring.PRG) ring.Vec {
	v := ring.NewUninitialised(m.Ring, m.N)
	p.Vec(v, uint64(m.ID), laneMask)
	return v
}

// shuffledBy permutes v as one party does and adds that party's vector.
func (m *Mask) shuffledBy(p *ring.PRG, v ring.Vec) ring.Vec {
	out := v.UninitialisedLike(m.Ring, m.N)
	ring.Gather(out, v, ordersOf(p, m.Order, m.Rows, m.N))
	ring.AddStream(out, p.Stream(m.Ring, m.N, uint64(m.ID), laneMask))
	return out
}

// ordersOf expands one party's permutations: n elements, each rows of them permuted by themselves.
func ordersOf(p *ring.PRG, order ID, rows, n int) []int32 {
	index := make([]int32, n)
	p.Permutations(index, rows, uint64(order), laneOrder)
	return index
}

// upperOf is one party's share of an Upper mask.
func (m *Mask) upperOf(p *ring.PRG) ring.Vec {
	v := m.Of[0].seeded(p)
	out := v.UninitialisedLike(m.Ring, m.N)
	ring.Rsh(out, v, m.Of[0].Ring.Bits-m.Ring.Bits)
	v.Free()
	return out
}

// sum is the value of a Fresh mask, from the seeds of all computing parties.
func (m *Mask) sum(ps []*ring.PRG) ring.Vec {
	out := m.seeded(ps[0])
	for _, p := range ps[1:] {
		ring.AddStream(out, p.Stream(m.Ring, m.N, uint64(m.ID), laneMask))
	}
	return out
}

func (m *Mask) seededBits(p *ring.PRG) []ring.Bits {
	b := ring.NewUninitialisedPlanes(equal(m.N, m.Planes)...)
	p.Planes(b, uint64(m.ID), laneMask)
	return b
}

// equal lists count times the length n.
func equal(n, count int) []int {
	lens := make([]int, count)
	for i := range lens {
		lens[i] = n
	}
	return lens
}
