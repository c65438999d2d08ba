package ot

import (
	"fmt"
	"io"
	"math/bits"
	"unsafe"

	"github.com/tacet-mpc/tacet/ring"
)

// SilentSet is a parameter set of the silent extension. From Takes transfers it makes Made transfers: Trees trees of
// 2^Depth leaves, Depth at least 6, have a transfer in each leaf. Of the transfers taken, Secrets, a power of two, are multiplied by a
// public matrix with 10 ones in each row; Trees·Depth are used for the trees. The noise has one error in each tree;
// Security is the base-2 logarithm of the cost of the best of the attacks on it that SilentSets names.
type SilentSet struct {
	Name                            string
	Trees, Secrets, Depth, Security int
}

// SilentSets lists the parameter sets, smallest first, as of 2026-11-24: those that emp-ot 1.0 has. Security is the
// least of the estimates of Gauss, information-set, statistical and regular decoding, of the hybrid attack (IACR eprint
// 2025/1284) and of the algebraic attack (eprint 2025/1476), by their authors' estimators.
var SilentSets = []SilentSet{
	{"b10", 850, 1 << 16, 10, 131},
	{"b11", 1170, 1 << 17, 11, 128},
	{"b12", 1520, 1 << 18, 12, 139},
	{"b13", 1900, 1 << 19, 13, 142},
}

// leastSecurity is the number of bits of security that a set must have.
const leastSecurity = 128

// check returns an error if the set is not as secure as it must be.
func (s SilentSet) check() error {
	if s.Security < leastSecurity {
		return fmt.Errorf("ot: set %s has %d bits of security, less than %d", s.Name, s.Security, leastSecurity)
	}
	return nil
}

// Made returns the number of transfers that the extension makes.
func (s SilentSet) Made() int { return s.Trees << s.Depth }

// Making returns the set with no more trees than n transfers need. The noise of fewer leaves is a part of the noise of all:
// whoever finds it there finds it in all of them.
func (s SilentSet) Making(n int) SilentSet {
	s.Trees = min(s.Trees, max(1, (n+1<<s.Depth-1)>>s.Depth))
	return s
}

// Takes returns the number of transfers from which the extension starts.
func (s SilentSet) Takes() int { return s.Secrets + s.Trees*s.Depth }

// Bytes returns the length in bytes of the message of SilentSend.
func (s SilentSet) Bytes() int { return s.Trees * s.Depth * BlockBytes }

// halfTree is the permutation of the trees, and rowStream the key of the matrix, both public.
var (
	halfTree  = named("tacet: half tree")
	rowStream = named("tacet: rows of the code")
)

// listBits is log2 of the number of blocks of a list that a silent extension makes, but the last one. Lists of a megabyte find room where
// memory was used before, which a list of all does not, and each is free when its transfers are spent.
const listBits = 16

// newBlocks returns n blocks, which may be any.
func newBlocks(n int) []Block {
	return unsafe.Slice((*Block)(unsafe.Pointer(unsafe.SliceData(newWords(2*n)))), n)
}

// inLists calls f for all trees, on several cores, with the memory of their leaves and an encoder of the core that e makes. It returns
// the lists that have the leaves; a tree's are in one list.
func (s SilentSet) inLists(e func() *encoder, f func(e *encoder, tree int, leaves []Block)) [][]Block {
	made := s.Made()
	out := make([][]Block, (made+1<<listBits-1)>>listBits)
	ring.Parallel(len(out), 1, func(lo, hi int) {
		e := e()
		for i := lo; i < hi; i++ {
			first := i << listBits
			list := newBlocks(min(made-first, 1<<listBits)) // all are written
			for at := 0; at < len(list); at += 1 << s.Depth {
				f(e, (first+at)>>s.Depth, list[at:][:1<<s.Depth])
			}
			out[i] = list
		}
	})
	return out
}

// SilentSend is the sender's side of a silent extension. q are the blocks of Takes transfers with the difference delta,
// which must serve nothing else. It returns the blocks of Made transfers with the same difference, in several lists, and the
// message to the receiver, of Bytes bytes. The roots of the trees are drawn from rand.
func (s SilentSet) SilentSend(delta Block, q []Block, rand io.Reader) (out [][]Block, message []byte, err error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	roots := make([]byte, s.Trees*BlockBytes)
	if _, err := io.ReadFull(rand, roots); err != nil {
		return nil, nil, fmt.Errorf("ot: draw roots: %w", err)
	}
	message = make([]byte, s.Bytes())
	out = s.inLists(func() *encoder { return s.encoder(q[:s.Secrets], nil, nil) }, func(e *encoder, tree int, nodes []Block) {
		root := blockOf(roots[tree*BlockBytes:])
		nodes[0], nodes[1] = root, root.Xor(delta)
		for l := range s.Depth {
			left := root // the sum of all left nodes of the level
			if l > 0 {
				left, _ = inUse.expand(halfTree, nodes[:2<<l])
			}
			i := tree*s.Depth + l
			b := left.Xor(q[s.Secrets+i]).bytes()
			copy(message[i*BlockBytes:], b[:])
		}
		e.tree(tree, nodes)
	})
	return out, message, nil
}

// SilentReceive is the receiver's side of a silent extension. c and t are the choices and blocks of Takes transfers,
// which must serve nothing else; message is that of SilentSend. It returns choices and blocks of Made transfers, as SilentSend does.
// Memory accesses do not depend on choices. If the message is malformed, the error wraps ErrMessage.
func (s SilentSet) SilentReceive(c ring.Bits, t []Block, message []byte) (choices ring.Bits, out [][]Block, err error) {
	if err := s.check(); err != nil {
		return choices, nil, err
	}
	if len(message) != s.Bytes() {
		return choices, nil, fmt.Errorf("%w: trees of %d bytes, want %d", ErrMessage, len(message), s.Bytes())
	}
	choices = ring.NewBits(s.Made())
	words, given := choices.Words(), c.Words()
	out = s.inLists(func() *encoder { return s.encoder(t[:s.Secrets], words, given) }, func(e *encoder, tree int, nodes []Block) {
		missing := uint64(0)
		var sum Block // of all nodes of the level
		for l := range s.Depth {
			i := tree*s.Depth + l
			at := s.Secrets + i
			side := given[at/64] >> (at % 64) & 1 // the side whose sum is known: away from the path to the missing leaf
			known := blockOf(message[i*BlockBytes:]).Xor(t[at])
			if l == 0 {
				nodes[0], nodes[1], sum = known.mask(1-side), known.mask(side), known
			} else {
				sum = grown(nodes[:2<<l], missing, side, known)
			}
			missing = missing<<1 | (1 - side)
		}
		// the missing leaf ⊕ Δ is the sum of the others
		odd := missing & 1
		inUse.correct(nodes, missing/2, sum.mask(1-odd), sum.mask(odd))
		for i := range len(nodes) / 64 {
			words[tree<<s.Depth/64+i] |= same(uint64(i), missing/64) << (missing % 64)
		}
		e.tree(tree, nodes)
	})
	return choices, out, nil
}

// same is 1 if a equals b, below 2^63, and 0 otherwise.
func same(a, b uint64) uint64 { return ((a ^ b) - 1) >> 63 }

// lone is the left child, and the right one, of a node that is zero.
var lone = func() Block {
	var nodes [2]Block
	left, _ := expand(halfTree, nodes[:])
	return left
}()

// grown replaces the first half of nodes, of which the missing one is zero, by their children: the missing one's child at
// the given side follows from the sum known of all children at that side, and the other one is zero. It returns the sum of
// all children.
func grown(nodes []Block, missing, side uint64, known Block) Block {
	left, all := inUse.expand(halfTree, nodes)
	left = left.Xor(lone) // without the missing node's children
	right := left.Xor(all)
	there, other := right, left // the sums at the side and at the other one
	swap(&there, &other, 1-side)
	child := there.Xor(known)
	inUse.correct(nodes, missing, lone.Xor(child.mask(1-side)), lone.Xor(child.mask(side)))
	return known.Xor(other)
}

// weight is the number of ones in a row of the matrix.
const weight = 10

// codeChunk is the number of rows whose places are drawn together.
const codeChunk = 1024

// encoder adds to each leaf the sum of the secrets in its row, and the same to bits if there are some. The places in
// rows are public.
type encoder struct {
	s               SilentSet
	secrets         []Block
	bit, secretBits []uint64
	places          []byte
	drawn           int // the chunk of which places are, or −1
}

func (s SilentSet) encoder(secrets []Block, bit, secretBits []uint64) *encoder {
	return &encoder{s, secrets, bit, secretBits, make([]byte, 4*weight*codeChunk), -1}
}

// tree encodes the leaves of a tree, which are in a cache when they have just been made.
func (e *encoder) tree(tree int, leaves []Block) {
	begin, end := tree<<e.s.Depth, (tree+1)<<e.s.Depth
	mask := uint32(e.s.Secrets - 1)
	for from := begin; from < end; {
		chunk := from / codeChunk
		to := min(end, (chunk+1)*codeChunk)
		if chunk != e.drawn {
			inUse.stream(rowStream, e.places, uint64(bits.Len(uint(e.s.Secrets)))<<32|uint64(chunk))
			e.drawn = chunk
		}
		places := e.places[4*weight*(from-chunk*codeChunk):]
		inUse.encode(leaves[from-begin:to-begin], e.secrets, places, mask)
		if e.bit != nil {
			inUse.encodeBits(e.bit[from/64:to/64], e.secretBits[:e.s.Secrets/64], places, mask)
		}
		from = to
	}
}
