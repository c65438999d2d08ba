package joins

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/ring"
)

// Ids of streams of a hidden join under the seeds that the dealer has in common with the parties. Both parties have Difference and
// SmallMasks.
const (
	Difference  = iota    // λ: masks of differences, a word each
	SmallMasks            // a word for each slot, which Small reads
	Counts                // of the keeper: its shares of the bits of λ, CountWords words a slot
	Tables                // of the keeper: its shares of the tables, TableWords words a slot
	Products              // of the keeper: its shares of ρ and of ρ·σ, a word a slot
	permutation           // of the keeper: q
	Shares                // of the keeper: its shares of R∘q, from here on, one id a column
	Rows        = 1 << 32 // of the other party: R, from here on, one id a column
)

const (
	CountWords = 8 // words that hold 64 bits of λ, a byte each
	TableWords = 2 // words that hold 2^CountBits bits
	CountBits  = 7 // width of a number of bits, at most 64
)

// Small reads a word of SmallMasks: shares of μ, which masks a count, of ρ, which masks a bit, and of σ, which masks a place.
func Small(w uint64) (mu uint8, rho uint64, sigma uint32) {
	return uint8(w) % (1 << CountBits), w >> 8 & 1, uint32(w >> 32)
}

// SlotBytes is the size of what the dealer sends to the other party for a slot.
const SlotBytes = 8*CountWords + 8*TableWords + 8

// Sizes are the sizes of a hidden join.
type Sizes struct {
	Slots   int // of the cuckoo table
	Places  int // rows of the other party, and one of zeros for each slot
	Keeper  int // rows of the keeper
	Columns int // with that of weights
}

// Check refuses sizes that no hidden join has.
func (l Sizes) Check() error {
	if l.Slots < 1 || l.Slots > MaxEntries || l.Keeper < 0 || l.Keeper > l.Slots || l.Places < l.Slots || l.Places > 2*MaxEntries ||
		l.Columns < 1 || l.Columns > maxColumns {
		return fmt.Errorf("joins: a hidden join of sizes %+v", l)
	}
	return nil
}

// maxColumns bounds the number of columns.
const maxColumns = 1 << 17

// Bytes returns the size of what Hidden returns, for columns over the ring r.
func (l Sizes) Bytes(r ring.Ring) int { return SlotBytes*l.Slots + 8*r.Words()*l.Columns*l.Keeper }

// Hidden returns what the dealer sends to the other party: for each slot, its shares of the bits of λ, of the table of μ, of ρ and of
// ρ·σ; then, for each column, its shares of R∘q for the keeper's rows.
func (l Sizes) Hidden(keeper, other ring.Seed, r ring.Ring) []byte {
	out := make([]byte, 0, l.Bytes(r))
	m := l.Slots
	counts, tables, products := Stream(keeper, Counts, CountWords*m), Stream(keeper, Tables, TableWords*m), Stream(keeper, Products, m)
	lambdaA, lambdaB := Stream(keeper, Difference, m), Stream(other, Difference, m)
	smallA, smallB := Stream(keeper, SmallMasks, m), Stream(other, SmallMasks, m)
	out = out[:SlotBytes*m]
	ring.Parallel(m, 1<<10, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			to := out[SlotBytes*s : SlotBytes*(s+1)]
			lambda := lambdaA[s] + lambdaB[s]
			for w := range CountWords {
				given := counts[CountWords*s+w]
				for i := range 8 {
					to[8*w+i] = byte(lambda>>(8*w+i)&1) - byte(given>>(8*i))
				}
			}
			muA, rhoA, sigmaA := Small(smallA[s])
			muB, rhoB, sigmaB := Small(smallB[s])
			mu := (muA + muB) % (1 << CountBits)
			for w := range TableWords {
				var table uint64
				if int(mu)/64 == w {
					table = 1 << (mu % 64)
				}
				binary.LittleEndian.PutUint64(to[8*CountWords+8*w:], table^tables[TableWords*s+w])
			}
			rho := uint32(rhoA ^ rhoB)
			binary.LittleEndian.PutUint32(to[SlotBytes-8:], rho-uint32(products[s]))
			binary.LittleEndian.PutUint32(to[SlotBytes-4:], rho*(sigmaA+sigmaB)-uint32(products[s]>>32))
		}
	})
	q := Order(keeper, l.Places)[:l.Keeper]
	for c := range l.Columns {
		masks, shares, given := ring.NewUninitialised(r, l.Places), ring.NewUninitialised(r, l.Keeper), ring.New(r, l.Keeper)
		ring.NewPRG(other).Vec(masks, Rows+uint64(c), 0)
		ring.NewPRG(keeper).Vec(shares, Shares+uint64(c), 0)
		ring.Gather(given, masks, q)
		ring.Sub(shares, shares, given)
		for _, w := range shares.Words() {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	return out
}

// Order returns q: a random order of n rows, from the keeper's seed.
func Order(s ring.Seed, n int) []int32 {
	q := make([]int32, n)
	ring.NewPRG(s).Permutations(q, n, permutation, 0)
	return q
}
