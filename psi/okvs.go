package psi

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

const (
	// bandWords is the width w of a band in words of 64 bits.
	bandWords = 4
	band      = 64 * bandWords
)

// entries returns the length m = ⌈1.1·n⌉ + 256 of the OKVS of n keys.
func entries(n int) int { return n + (n+9)/10 + band }

// FailureBits returns λ such that the band matrix of n keys is singular with probability 2^-λ, which ends a run of
// method VOLE with an error. λ = a·w − log2 n + c, with the band's width w in bits, a = θ/ln 2, e^θ − 1 = 1.1·θ, and c
// = 2·log2(10) − 2: the tail of the waiting time of an M/D/1 queue with the load 1/1.1.
func FailureBits(n int) float64 {
	const slope, c = 0.2708, 4.64
	return slope*band - math.Log2(float64(max(n, 1))) + c
}

// row is a key's row of the band matrix: band, whose first bit is set, from column start on, and the value.
type row struct {
	start uint32
	key   uint32 // position of the key
	band  [bandWords]uint64
	value uint64 // H(key)
}

// hasher maps keys to rows of a matrix of m columns: AES under three keys that follow from a public seed.
type hasher struct {
	blocks [3]cipher.Block
	span   uint64
}

func newHasher(seed ring.Seed, m int) *hasher {
	h := &hasher{span: uint64(m - band + 1)}
	prg := ring.NewPRG(seed)
	for i := range h.blocks {
		k := prg.Seed(uint64(i), 0)
		h.blocks[i], _ = aes.NewCipher(k[:]) // the key has the right length
	}
	return h
}

// equalKeys is the error of two equal keys: their positions.
type equalKeys [2]int

func (e equalKeys) Error() string { return fmt.Sprintf("psi: keys %d and %d are equal", e[0], e[1]) }

// rows returns the keys' rows in the order of their starts. Two equal keys are an error.
func (h *hasher) rows(keys []Key, m int) ([]row, error) {
	unsorted := make([]row, len(keys))
	ring.Parallel(len(keys), 1<<12, func(lo, hi int) {
		var in, out [16]byte
		for i := lo; i < hi; i++ {
			r := &unsorted[i]
			r.key = uint32(i)
			binary.LittleEndian.PutUint64(in[:], keys[i][0])
			binary.LittleEndian.PutUint64(in[8:], keys[i][1])
			for j := range 2 {
				h.blocks[j].Encrypt(out[:], in[:])
				r.band[2*j], r.band[2*j+1] = binary.LittleEndian.Uint64(out[:]), binary.LittleEndian.Uint64(out[8:])
			}
			h.blocks[2].Encrypt(out[:], in[:])
			at, _ := bits.Mul64(binary.LittleEndian.Uint64(out[:]), h.span)
			r.start, r.value = uint32(at), binary.LittleEndian.Uint64(out[8:])
			r.band[0] |= 1
		}
	})
	next := make([]uint32, m+1)
	for i := range unsorted {
		next[unsorted[i].start+1]++
	}
	for i := range m {
		next[i+1] += next[i]
	}
	sorted := make([]row, len(keys))
	for i := range unsorted {
		r := &unsorted[i]
		at := next[r.start]
		next[r.start]++
		sorted[at] = *r
		for j := int(at) - 1; j >= 0 && sorted[j].start == r.start; j-- {
			if keys[sorted[j].key] == keys[r.key] {
				return nil, equalKeys{int(sorted[j].key), int(r.key)}
			}
		}
	}
	return sorted, nil
}

var errSingular = errors.New("psi: the band matrix of the keys is singular, which happens with probability 2^-40 or less for keys that are hashes (run again)")

// encode returns P of m entries with decode(P, key) = value for all rows, which are sorted by start. Free entries
// are random. It changes the rows. If more is not nil, it has a further value for each row and receives m further entries:
// those of a second P.
func encode(rows []row, m int, more *[]uint64) ([]uint64, error) {
	pivot := make([]int32, m) // the row whose first bit is in the column, counted from 1
	var second []uint64
	if more != nil {
		second = *more
	}
	for i := range rows {
		if err := eliminate(rows, pivot, int32(i), second); err != nil {
			return nil, err
		}
	}
	prg := ring.NewPRG(ring.NewSeed())
	solve := func(id uint64, value func(row int32) uint64) []uint64 {
		free := ring.NewUninitialised(ring.Z(64), m)
		prg.Vec(free, id, 0)
		p := free.Words()
		backSubstitute(p, rows, pivot, value)
		return p
	}
	if more != nil {
		*more = solve(1, func(i int32) uint64 { return second[i] })
	}
	return solve(0, func(i int32) uint64 { return rows[i].value }), nil
}

// backSubstitute sets the entries of p that have a pivot.
func backSubstitute(p []uint64, rows []row, pivot []int32, value func(row int32) uint64) {
	for column := len(p) - 1; column >= 0; column-- {
		at := pivot[column]
		if at == 0 {
			continue
		}
		r := &rows[at-1]
		v := value(at - 1)
		for w, b := range r.band {
			if w == 0 {
				b &^= 1
			}
			for ; b != 0; b &= b - 1 {
				v ^= p[column+64*w+bits.TrailingZeros64(b)]
			}
		}
		p[column] = v
	}
}

// eliminate reduces row i by the rows before it, until its first bit is in a column without a pivot. more has further
// values of rows, or is nil.
func eliminate(rows []row, pivot []int32, i int32, more []uint64) error {
	r := &rows[i]
	for {
		w := 0
		for w < bandWords && r.band[w] == 0 {
			w++
		}
		if w == bandWords {
			return errSingular
		}
		if by := 64*w + bits.TrailingZeros64(r.band[w]); by > 0 {
			r.band = shifted(r.band, by)
			r.start += uint32(by)
		}
		at := pivot[r.start]
		if at == 0 {
			pivot[r.start] = i + 1
			return nil
		}
		other := &rows[at-1]
		for j := range r.band {
			r.band[j] ^= other.band[j]
		}
		r.value ^= other.value
		if more != nil {
			more[i] ^= more[at-1]
		}
	}
}

// shifted moves the bits of a band towards its first one.
func shifted(b [bandWords]uint64, by int) (out [bandWords]uint64) {
	words, rest := by/64, uint(by%64)
	for j := 0; j+words < bandWords; j++ {
		out[j] = b[j+words] >> rest
		if rest > 0 && j+words+1 < bandWords {
			out[j] |= b[j+words+1] << (64 - rest)
		}
	}
	return out
}
