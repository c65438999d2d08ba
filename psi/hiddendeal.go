package psi

import (
	"encoding/binary"

	"github.com/tacet-mpc/tacet/ring"
)

// Ids of streams under the seeds that the dealer has in common with the parties, beside those of a VOLE. Both parties have
// idDifference and idSmall.
const (
	idDifference  = 16 + iota // λ: masks of differences, a word each
	idSmall                   // a word for each slot, which small reads
	idCounts                  // of the keeper: its shares of the bits of λ, countWords words a slot
	idTable                   // of the keeper: its shares of the tables, tableWords words a slot
	idProducts                // of the keeper: its shares of ρ and of ρ·σ, a word a slot
	idPermutation             // of the keeper: q
	idShares                  // of the keeper: its shares of R∘q, from here on, one id a column
	idRows        = 1 << 32   // of the other party: R, from here on, one id a column
)

const (
	countWords = 8 // 64 bits of λ, a byte each
	tableWords = 2 // 2^countBits bits
	countBits  = 7 // a count is at most 64
)

// small reads a word of idSmall: shares of μ, which masks a count, of ρ, which masks a bit, and of σ, which masks a place.
func small(w uint64) (mu uint8, rho uint64, sigma uint32) {
	return uint8(w) % (1 << countBits), w >> 8 & 1, uint32(w >> 32)
}

// slotBytes is the size of what the dealer sends to the other party for a slot.
const slotBytes = 8*countWords + 8*tableWords + 8

// hiddenDealt returns the size of the dealer's message to the other party, for columns of elements of the given size.
func (l hiddenLengths) hiddenDealt(element, columns int) int {
	return slotBytes*l.slots + element*columns*l.keeper
}

// dealHidden returns what the dealer sends to the other party: for each slot, its shares of the bits of λ, of the table of μ,
// of ρ and of ρ·σ; then, for each column, its shares of R∘q for the keeper's rows.
func (l hiddenLengths) dealHidden(keeper, other ring.Seed, r ring.Ring, columns int) []byte {
	out := make([]byte, 0, l.hiddenDealt(r.Words()*8, columns))
	m := l.slots
	counts, tables, products := stream(keeper, idCounts, countWords*m), stream(keeper, idTable, tableWords*m), stream(keeper, idProducts, m)
	lambdaA, lambdaB := stream(keeper, idDifference, m), stream(other, idDifference, m)
	smallA, smallB := stream(keeper, idSmall, m), stream(other, idSmall, m)
	out = out[:slotBytes*m]
	ring.Parallel(m, 1<<10, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			to := out[slotBytes*s : slotBytes*(s+1)]
			lambda := lambdaA[s] + lambdaB[s]
			for w := range countWords {
				given := counts[countWords*s+w]
				for i := range 8 {
					to[8*w+i] = byte(lambda>>(8*w+i)&1) - byte(given>>(8*i))
				}
			}
			muA, rhoA, sigmaA := small(smallA[s])
			muB, rhoB, sigmaB := small(smallB[s])
			mu := (muA + muB) % (1 << countBits)
			for w := range tableWords {
				var table uint64
				if int(mu)/64 == w {
					table = 1 << (mu % 64)
				}
				binary.LittleEndian.PutUint64(to[8*countWords+8*w:], table^tables[tableWords*s+w])
			}
			rho := uint32(rhoA ^ rhoB)
			binary.LittleEndian.PutUint32(to[slotBytes-8:], rho-uint32(products[s]))
			binary.LittleEndian.PutUint32(to[slotBytes-4:], rho*(sigmaA+sigmaB)-uint32(products[s]>>32))
		}
	})
	q := permutation(keeper, l.places)[:l.keeper]
	for c := range columns {
		masks, shares, given := ring.NewUninitialised(r, l.places), ring.NewUninitialised(r, l.keeper), ring.New(r, l.keeper)
		ring.NewPRG(other).Vec(masks, idRows+uint64(c), 0)
		ring.NewPRG(keeper).Vec(shares, idShares+uint64(c), 0)
		ring.Gather(given, masks, q)
		ring.Sub(shares, shares, given)
		for _, w := range shares.Words() {
			out = binary.LittleEndian.AppendUint64(out, w)
		}
	}
	return out
}

// permutation returns q: a random order of n rows.
func permutation(s ring.Seed, n int) []int32 {
	q := make([]int32, n)
	ring.NewPRG(s).Permutations(q, n, idPermutation, 0)
	return q
}
