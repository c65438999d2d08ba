package psi

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
)

// choices is the number of parts of a cuckoo table. A key may lie at one slot of each part.
const choices = 3

// Sizes of cuckoo tables: 2·n slots below manyKeys keys, where n is fewKeys at least, and 1.27·n from there on.
const (
	fewKeys  = 512
	manyKeys = 4096
)

// cuckooSlots returns the number of slots of each part of the table of n keys. With these sizes, keys find no places with a
// probability below 2^-44: below manyKeys keys by Hall's theorem and a union bound, from there on by the simulations of
// Pinkas, Schneider, Tkachenko, Yanai (eprint 2019/241).
func cuckooSlots(n int) int {
	if n < manyKeys {
		n = max(n, fewKeys)
		return (2*n + choices - 1) / choices
	}
	return (127*n + 100*choices - 1) / (100 * choices)
}

// positions maps keys to the slots of a cuckoo table: AES under two keys that follow from a public seed.
type positions struct {
	blocks [2]cipher.Block
	slots  int // of each part
}

func newPositions(seed ring.Seed, slots int) *positions {
	p := &positions{slots: slots}
	prg := ring.NewPRG(seed)
	for i := range p.blocks {
		k := prg.Seed(uint64(i), 0)
		p.blocks[i], _ = aes.NewCipher(k[:]) // the key has the right length
	}
	return p
}

// of returns the slots of a key, one in each part.
func (p *positions) of(k Key) (slots [choices]int32) {
	var in, out [16]byte
	binary.LittleEndian.PutUint64(in[:], k[0])
	binary.LittleEndian.PutUint64(in[8:], k[1])
	var words [4]uint64
	for i, b := range p.blocks {
		b.Encrypt(out[:], in[:])
		words[2*i], words[2*i+1] = binary.LittleEndian.Uint64(out[:]), binary.LittleEndian.Uint64(out[8:])
	}
	for j := range slots {
		at, _ := bits.Mul64(words[j], uint64(p.slots))
		slots[j] = int32(j*p.slots + int(at))
	}
	return slots
}

// slotKey returns the key of the pair of a key and its slot in a part: keys are hashes, so that two pairs have one slotKey with
// probability 2^-128.
func slotKey(k Key, part int) Key { return Key{k[0], k[1] ^ uint64(part+1)<<62} }

var errCuckoo = errors.New("psi: the keys have no places in a cuckoo table, which happens with probability 2^-44 or less " +
	"for keys that are hashes (run again)")

// cuckoo returns, for each slot of a table, the key that lies there, or -1. Each key lies at one of its slots. Two equal keys are
// an error.
func cuckoo(keys []Key, p *positions) ([]int32, error) {
	table := make([]int32, choices*p.slots)
	for i := range table {
		table[i] = -1
	}
	at := make([][choices]int32, len(keys))
	ring.Parallel(len(keys), 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			at[i] = p.of(keys[i])
		}
	})
	seen := make([]int32, len(table)) // the last key for whose insertion a slot was visited, counted from 1
	from := make([]int32, len(table)) // the slot from which the slot was visited; -1 for the new key itself
	queue := make([]int32, 0, 1<<10)  // slots in the order of their visits
	visit := func(i int, slots [choices]int32, via int32) {
		for _, s := range slots {
			if seen[s] != int32(i)+1 {
				seen[s], from[s] = int32(i)+1, via
				queue = append(queue, s)
			}
		}
	}
insertion:
	for i := range keys {
		for _, s := range at[i] {
			if other := table[s]; other >= 0 && keys[other] == keys[i] {
				return nil, equalKeys{int(other), i}
			}
		}
		queue = queue[:0]
		visit(i, at[i], -1)
		for n := 0; n < len(queue); n++ {
			s := queue[n]
			if table[s] >= 0 {
				visit(i, at[table[s]], s)
				continue
			}
			for from[s] >= 0 { // each key on the way moves to the slot that was visited from its own
				table[s] = table[from[s]]
				s = from[s]
			}
			table[s] = int32(i)
			continue insertion
		}
		return nil, errCuckoo
	}
	return table, nil
}
