package ot

import "github.com/tacet-mpc/tacet/ring"

// Hash is the hash function that makes strings of transfers. Both parties of a session use the same one.
type Hash struct{ pi *permutation }

// NewHash returns the Hash for a key that both parties know.
func NewHash(key [BlockBytes]byte) *Hash { return &Hash{newPermutation(blockOf(key[:]))} }

// hashed is the number of transfers that are hashed at a time.
const hashed = 64

// words sets dst to the words first to first+each−1 of a string of each transfer, one string after the other: those of blocks x
// plus delta, whose numbers begin at i. first is even.
func (h *Hash) words(dst []uint64, x []Block, delta Block, i uint64, first, each int) {
	var out [hashed]Block
	for at := 0; at < len(x); at += hashed {
		part := x[at:min(at+hashed, len(x))]
		for piece := 0; piece < each; piece += 2 {
			inUse.hash(h.pi, out[:], part, delta, i+uint64(at), uint64((first+piece)/2))
			if each == 1 {
				to := dst[at : at+len(part)]
				for j := range to {
					to[j] = out[j][0]
				}
				continue
			}
			for j := range part {
				to := dst[(at+j)*each+piece:]
				to[0] = out[j][0]
				if piece+1 < each {
					to[1] = out[j][1]
				}
			}
		}
	}
}

// Sent is the sender's side of consecutive random transfers: blocks Q, from which the Hash makes one string of each
// transfer, and from Q ⊕ Delta the other.
type Sent struct {
	Hash  *Hash
	Delta Block
	First uint64 // number of the first transfer in the session, in tweaks
	Q     []Block
	Rest  [][]Block // blocks of the transfers after those of Q, where they lie elsewhere
}

// Received is the receiver's side of consecutive random transfers: the choices, and the blocks T from which the Hash
// makes the chosen strings.
type Received struct {
	Hash    *Hash
	First   uint64
	Choices ring.Bits
	T       []Block
	Rest    [][]Block // blocks of the transfers after those of T, where they lie elsewhere
}

// newWords returns n words, which may be any. Package ring reuses them if they are freed.
func newWords(n int) []uint64 { return ring.NewUninitialised(ring.Z(64), n).Words() }

// between calls f for each list of blocks of transfers lo to hi−1; at is the number of its first one. The lists are first and those of
// rest, one after the other.
func between(first []Block, rest [][]Block, lo, hi int, f func(at int, blocks []Block)) {
	at := 0
	for i := -1; i < len(rest) && at < hi; i++ {
		list := first
		if i >= 0 {
			list = rest[i]
		}
		if from, to := max(lo, at)-at, min(hi-at, len(list)); from < to {
			f(at+from, list[from:to])
		}
		at += len(list)
	}
}

// grain is the number of transfers from which strings are made on several cores.
const grain = 256

// Words returns a piece of both strings of transfers lo to hi−1: the 64-bit words first to first+each−1 of each, one
// string after the other. first must be even.
func (s *Sent) Words(lo, hi, first, each int) (zero, one []uint64) {
	zero, one = newWords((hi-lo)*each), newWords((hi-lo)*each)
	ring.Parallel(hi-lo, grain, func(a, b int) {
		between(s.Q, s.Rest, lo+a, lo+b, func(at int, q []Block) {
			from, to, number := (at-lo)*each, (at-lo+len(q))*each, s.First+uint64(at)
			s.Hash.words(zero[from:to], q, Block{}, number, first, each)
			s.Hash.words(one[from:to], q, s.Delta, number, first, each)
		})
	})
	return zero, one
}

// Words returns a piece of the chosen strings of transfers lo to hi−1: the 64-bit words first to first+each−1 of each,
// one string after the other. first must be even.
func (r *Received) Words(lo, hi, first, each int) []uint64 {
	out := newWords((hi - lo) * each)
	ring.Parallel(hi-lo, grain, func(a, b int) {
		between(r.T, r.Rest, lo+a, lo+b, func(at int, t []Block) {
			r.Hash.words(out[(at-lo)*each:(at-lo+len(t))*each], t, Block{}, r.First+uint64(at), first, each)
		})
	})
	return out
}
