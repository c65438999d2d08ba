package ot

import (
	"crypto/cipher"
	"crypto/subtle"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/tacet-mpc/tacet/ring"
)

const (
	// TreeBytes is the length in bytes of the message that begins an extension.
	TreeBytes = Bases * 2 * BlockBytes
	// Granule divides the number of transfers of a batch.
	Granule = 64
	// MaxBatch is the largest number of transfers of a batch.
	MaxBatch = 1 << 16
)

// BatchBytes returns the length in bytes of Receiver.Extend's message for n transfers.
func BatchBytes(n int) int { return (trees - 1) * n / 8 }

// Receiver is the receiver's side of an extension.
type Receiver struct {
	seeds   [trees][leaves]Block
	streams [trees][leaves]cipher.Block // of the seeds
}

// NewReceiver starts an extension at its receiver. keys are the pairs of base transfers in which this party was the
// sender. It returns the first message to the extension's sender, of TreeBytes bytes. The roots of the trees are drawn
// from rand.
func NewReceiver(keys [][2]Block, rand io.Reader) (*Receiver, []byte, error) {
	r, message := &Receiver{}, make([]byte, 0, TreeBytes)
	for b := range trees {
		var root [BlockBytes]byte
		if _, err := io.ReadFull(rand, root[:]); err != nil {
			return nil, nil, fmt.Errorf("ot: draw a seed: %w", err)
		}
		seeds, sums := grow(blockOf(root[:]))
		r.seeds[b], r.streams[b] = seeds, ciphers(&seeds)
		for l, s := range sums {
			k := keys[b*depth+l]
			message = appendBlock(appendBlock(message, s[0].Xor(k[0])), s[1].Xor(k[1]))
		}
	}
	return r, message, nil
}

// Sender is the sender's side of an extension.
type Sender struct {
	delta   Block
	seeds   [trees][leaves]Block        // in the order of position ⊕ missing position
	streams [trees][leaves]cipher.Block // of the seeds
}

// NewSender starts an extension at its sender. choices and keys are those of base transfers in which this party was the
// receiver; message is that of NewReceiver. If the message is malformed, the error wraps ErrMessage.
func NewSender(choices Block, keys []Block, message []byte) (*Sender, error) {
	if len(message) != TreeBytes {
		return nil, fmt.Errorf("%w: %d bytes of trees, want %d", ErrMessage, len(message), TreeBytes)
	}
	s := &Sender{}
	for b := range trees {
		var missing uint64
		var sums [depth]Block
		for l := range depth {
			i := b*depth + l
			c := choices[i/64] >> (i % 64) & 1
			zero, one := blockOf(message[2*i*BlockBytes:]), blockOf(message[(2*i+1)*BlockBytes:])
			sums[l] = zero.Xor(zero.Xor(one).mask(c)).Xor(keys[i])
			missing = missing<<1 | (c ^ 1) // the side that was chosen is away from the path
		}
		seeds := regrow(missing, sums)
		s.seeds[b], s.streams[b] = seeds, ciphers(&seeds)
		s.delta[b/8] |= missing << (b % 8 * 8)
	}
	return s, nil
}

// Extend returns the receiver's side of a batch of n transfers: the choices as bits of c, the blocks t, and the message
// to the sender, of BatchBytes(n) bytes. n must be a multiple of Granule and at most MaxBatch. batch must differ in
// each call.
func (r *Receiver) Extend(batch uint64, n int) (message []byte, c []uint64, t []Block) {
	rows := newRows(n)
	message = make([]byte, BatchBytes(n))
	sums := make([]byte, trees*n/8)
	ring.Parallel(trees, 1, func(lo, hi int) {
		for b := lo; b < hi; b++ {
			copy(sums[b*n/8:(b+1)*n/8], fold(&r.streams[b], batch, n, 0, rows.of(b)))
		}
	})
	choices := sums[:n/8]
	for b := 1; b < trees; b++ {
		subtle.XORBytes(message[(b-1)*n/8:b*n/8], sums[b*n/8:(b+1)*n/8], choices)
	}
	c = make([]uint64, n/64)
	for i := range c {
		c[i] = binary.LittleEndian.Uint64(choices[8*i:])
	}
	return message, c, rows.transposed()
}

// Extend returns the sender's side of the batch for which the receiver made message with the same batch and n: for
// transfer i the block q[i] = t[i] ⊕ c[i]·Δ. If the message has the wrong length, the error wraps ErrMessage.
func (s *Sender) Extend(batch uint64, n int, message []byte) ([]Block, error) {
	if len(message) != BatchBytes(n) {
		return nil, fmt.Errorf("%w: a batch of %d bytes, want %d", ErrMessage, len(message), BatchBytes(n))
	}
	rows := newRows(n)
	ring.Parallel(trees, 1, func(lo, hi int) {
		masked := make([]byte, n/8)
		for b := lo; b < hi; b++ {
			planes := rows.of(b)
			fold(&s.streams[b], batch, n, 1, planes)
			if b == 0 {
				continue
			}
			part := message[(b-1)*n/8 : b*n/8]
			for j := range depth {
				bit := byte(s.delta[b/8] >> (b%8*8 + j) & 1)
				for i, x := range part {
					masked[i] = x & -bit
				}
				subtle.XORBytes(planes[j], planes[j], masked)
			}
		}
	})
	return rows.transposed(), nil
}

// fold sets plane j to the sum of the streams whose number has bit j, from the number first on, and returns the sum of
// all of them. Subtrees are merged from left to right: the sum of a right one is added to the plane of its level.
func fold(streams *[leaves]cipher.Block, batch uint64, n, first int, planes [depth][]byte) []byte {
	size := n / 8
	zero, store := make([]byte, size), make([]byte, (depth+1)*size)
	level := func(j int) []byte { return store[j*size : (j+1)*size] }
	current := make([]byte, size)
	var iv [BlockBytes]byte
	binary.LittleEndian.PutUint64(iv[:8], batch)
	for x := range leaves {
		if x < first {
			clear(current)
		} else {
			cipher.NewCTR(streams[x], iv[:]).XORKeyStream(current, zero)
		}
		j := 0
		for ; x>>j&1 == 1; j++ {
			subtle.XORBytes(planes[j], planes[j], current)
			subtle.XORBytes(current, current, level(j))
		}
		copy(level(j), current)
	}
	return level(depth)
}

// Delta returns Δ, the secret by which the two blocks of every transfer of this extension differ.
func (s *Sender) Delta() Block { return s.delta }
