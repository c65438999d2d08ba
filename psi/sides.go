package psi

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

// lengths are the sizes of the messages, which follow from the numbers of keys.
type lengths struct {
	receiver, sender int // numbers of keys
	entries          int // of the OKVS; 0 without one
	value            int // bytes of a value
}

func newLengths(method Method, receiver, sender int) lengths {
	bits := 40 + math.Log2(float64(max(receiver, 1))) + math.Log2(float64(max(sender, 1)))
	l := lengths{receiver, sender, entries(receiver), max(10, int(math.Ceil(bits/8)))}
	if method == ECDH {
		l.entries = 0
	}
	return l
}

// voleID is the request for a VOLE in a manifest.
const voleID correlation.ID = 1

// vole returns the request for the VOLE of the given lengths.
func (l lengths) vole() *correlation.Request {
	return &correlation.Request{ID: voleID, Kind: correlation.VOLE, Out: ring.Z(128), N: l.entries, Op: "psi.encoding"}
}

// The operations of VOLE, in the order of messages.
const (
	opSeed = iota
	opEncoding
	opValues
	opMatches
	numOps
)

var voleNames = [numOps]string{"psi.seed", "psi.encoding", "psi.values", "psi.matches"}

// side is one party's part of a session.
type side struct {
	lengths
	peer int       // rank on the link
	name string    // of the peer
	keys []Key     // empty in a dry run
	seed ring.Seed // in common with the dealer, for the VOLE, if there is one
	// perMessage is the largest number of points, and of values, of a message of ECDH.
	perMessage int
	// correction is B of the VOLE, at the sender.
	correction []byte

	session *flow.Future[ring.Seed]
	rows    *flow.Future[[]row]
	ops     []*flow.Op
	base    uint32                  // runner.base
	perKey  int                     // number of keys that stand for a row; 0: one
	seen    func(op int, in []byte) // what tests do with messages that arrive; nil
}

// takeDealt takes what the dealer deals: the seed in common with it, and its messages, nil but at the sender.
func (s *side) takeDealt(common ring.Seed, messages [][]byte) {
	s.seed = correlation.JoinSeed(common, voleID)
	if messages != nil {
		s.correction = messages[0]
	}
}

func (s *side) begin(g *flow.Graph, names []string, costs []flow.Cost) {
	for i, name := range names {
		s.ops = append(s.ops, g.Op(firstOp+s.base+uint32(i), &costs[i], name))
		costs[i].Calls.Add(1)
	}
}

// exchange adds a message from the party to its peer, of size bytes, or the other way. data makes it. An awaited
// message is the given number of rounds after deps: two if the peer answers a message that follows them.
func (s *side) exchange(op int, sends bool, size, rounds int, data func() []byte, deps ...flow.Dep) *flow.Future[[]byte] {
	t := flow.ExchangeSpec{From: []int{s.peer}, Size: size, Rounds: rounds}
	if sends {
		dry := s.ops[op].Graph.DryRun()
		t = flow.ExchangeSpec{To: []int{s.peer}, Pack: func() ring.Payload {
			if dry {
				return ring.Payload{Len: size}
			}
			b := data()
			return ring.Payload{Len: len(b), Data: b}
		}}
	}
	return flow.Exchange(s.ops[op], 0, t, func(in []ring.Payload) ([]byte, error) {
		if sends {
			return nil, nil
		}
		if s.seen != nil {
			s.seen(op, in[0].Data)
		}
		return in[0].Data, nil
	}, deps...)
}

// do adds local work, which a dry run leaves out.
func do[T any](s *side, op int, f func() (T, error), deps ...flow.Dep) *flow.Future[T] {
	dry := s.ops[op].Graph.DryRun()
	return flow.Try(s.ops[op], 0, func() (T, error) {
		if dry {
			var none T
			return none, nil
		}
		return f()
	}, deps...)
}

// hash adds the computation of the keys' rows.
func (s *side) hash(deps ...flow.Dep) {
	s.rows = do(s, opEncoding, func() ([]row, error) {
		rows, err := newHasher(s.session.Get(), s.entries).rows(s.keys, s.entries)
		if equal, ok := err.(equalKeys); ok && s.perKey > 0 {
			err = equalKeys{equal[0] / s.perKey, equal[1] / s.perKey}
		}
		return rows, err
	}, append(deps, s.session)...)
}

// receive adds the receiver's steps. The result is, for each value, the position of its key, or -1.
func (s *side) receive() *flow.Future[[]int32] {
	s.session = do(s, opSeed, func() (ring.Seed, error) { return ring.NewSeed(), nil })
	s.exchange(opSeed, true, len(ring.Seed{}), 0, func() []byte { seed := s.session.Get(); return seed[:] }, s.session)
	s.hash()
	own := do(s, opValues, func() ([]byte, error) {
		return s.values(s.rows.Get(), joins.Blocks(s.seed, joins.Offset, s.entries), nil, nil), nil
	}, s.rows)
	s.sendEncoding()
	values := s.exchange(opValues, false, s.sender*s.value, 2, nil)
	found := do(s, opMatches, func() ([]int32, error) {
		return find(own.Get(), values.Get(), s.value, s.name)
	}, own, values)
	s.sendMatches(found)
	return found
}

// sendEncoding adds the message of the receiver's encoding.
func (s *side) sendEncoding() {
	encoded := do(s, opEncoding, func() ([]byte, error) {
		rows := append([]row(nil), s.rows.Get()...)
		p, err := encode(rows, s.entries, nil)
		if err != nil {
			return nil, err
		}
		out := make([]byte, 8*s.entries)
		for i, a := range joins.Stream(s.seed, joins.Mask, s.entries) {
			binary.LittleEndian.PutUint64(out[8*i:], p[i]^a)
		}
		return out, nil
	}, s.rows)
	s.exchange(opEncoding, true, 8*s.entries, 0, func() []byte { return encoded.Get() }, encoded)
}

// sendMatches adds the message of the matches.
func (s *side) sendMatches(found *flow.Future[[]int32]) {
	s.exchange(opMatches, true, (s.sender+7)/8, 0, func() []byte {
		out := make([]byte, (s.sender+7)/8)
		for i, at := range found.Get() {
			if at >= 0 {
				out[i/8] |= 1 << (i % 8)
			}
		}
		return out
	}, found)
}

// drawOrder adds the choice of a random order of the sender's keys. Key i is at place order[i].
func (s *side) drawOrder(op int) *flow.Future[[]int32] {
	return do(s, op, func() ([]int32, error) {
		order := make([]int32, len(s.keys))
		if len(order) > 0 {
			ring.NewPRG(ring.NewSeed()).Permutations(order, len(order), 0, 0)
		}
		return order, nil
	})
}

// awaitMatches adds the wait for the matches, which follow the messages sent. The result is, for each place of the order, its
// key, or -1 if it does not match.
func (s *side) awaitMatches(order *flow.Future[[]int32], sent ...flow.Dep) *flow.Future[[]int32] {
	matches := s.exchange(opMatches, false, (s.sender+7)/8, 2, nil, sent...)
	return do(s, opMatches, func() ([]int32, error) {
		bits, out := matches.Get(), make([]int32, len(s.keys))
		for key, at := range order.Get() {
			out[at] = -1
			if bits[at/8]>>(at%8)&1 != 0 {
				out[at] = int32(key)
			}
		}
		return out, nil
	}, matches, order)
}

// send adds the sender's steps. The result is, for each value, the position of its key, or -1 if it does not match.
func (s *side) send() *flow.Future[[]int32] {
	seed := s.exchange(opSeed, false, len(ring.Seed{}), 1, nil)
	s.session = do(s, opSeed, func() (ring.Seed, error) { return ring.Seed(seed.Get()), nil }, seed)
	s.hash()
	order := s.drawOrder(opValues)
	encoding := s.exchange(opEncoding, false, 8*s.entries, 1, nil)
	values := do(s, opValues, func() ([]byte, error) {
		return s.evaluate(encoding.Get(), order.Get()), nil
	}, s.rows, encoding, order)
	sent := s.exchange(opValues, true, s.sender*s.value, 0, func() []byte { return values.Get() }, values)
	return s.awaitMatches(order, sent)
}

// evaluate returns the sender's values from the receiver's encoding.
func (s *side) evaluate(encoding []byte, order []int32) []byte {
	d := joins.NewMultiplier(joins.Blocks(s.seed, joins.Factor, 1)[0])
	k := s.correctionBlocks()
	ring.Parallel(len(k), 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			c := d.Times(binary.LittleEndian.Uint64(encoding[8*i:]))
			k[i][0] ^= c[0]
			k[i][1] ^= c[1]
		}
	})
	return s.values(s.rows.Get(), k, d, order)
}

// values returns Ho(Decode(k, x) + H(x)·D) of all keys: key i's at place order[i], or i without an order. Without d
// the term H(x)·D is left out.
func (s *side) values(rows []row, k []block, d *joins.Multiplier, order []int32) []byte {
	out := make([]byte, len(rows)*s.value)
	session := s.session.Get()
	ring.Parallel(len(rows), 1<<10, func(lo, hi int) {
		var in [48]byte
		copy(in[:], session[:])
		from := newDecoder(k)
		for i := lo; i < hi; i++ {
			r := &rows[i]
			v := from.decode(r)
			if d != nil {
				h := d.Times(r.value)
				v[0], v[1] = v[0]^h[0], v[1]^h[1]
			}
			key := s.keys[r.key]
			binary.LittleEndian.PutUint64(in[16:], v[0])
			binary.LittleEndian.PutUint64(in[24:], v[1])
			binary.LittleEndian.PutUint64(in[32:], key[0])
			binary.LittleEndian.PutUint64(in[40:], key[1])
			sum := sha256.Sum256(in[:])
			at := int(r.key)
			if order != nil {
				at = int(order[at])
			}
			copy(out[at*s.value:], sum[:s.value])
		}
	})
	return out
}

// correctionBlocks returns B.
func (s *side) correctionBlocks() []block {
	out := make([]block, s.entries)
	for i := range out {
		out[i] = block{binary.LittleEndian.Uint64(s.correction[16*i:]), binary.LittleEndian.Uint64(s.correction[16*i+8:])}
	}
	return out
}

// find returns, for each of the values of the peer's keys, its place among own, the values of the party's keys, or -1. size is
// the bytes of a value. A malicious peer may choose both lists: hashes are keyed, so that it cannot make them collide, and find
// returns an error that names the peer if two elements of own are equal, or if two values match one element of own.
func find(own, values []byte, size int, peer string) ([]int32, error) {
	n := len(own) / size
	bits := 1
	for 1<<bits < 2*n {
		bits++
	}
	key, mask := maphash.MakeSeed(), uint64(1)<<bits-1
	slots := make([]int32, 1<<bits) // places, counted from 1
	for i := range n {
		v := own[i*size : (i+1)*size]
		at := maphash.Bytes(key, v) & mask
		for ; slots[at] != 0; at = (at + 1) & mask {
			if place := int(slots[at] - 1); string(own[place*size:(place+1)*size]) == string(v) {
				return nil, fmt.Errorf("psi: %s returned equal values for two different keys, %d and %d", peer, place+1, i+1)
			}
		}
		slots[at] = int32(i) + 1
	}
	out := make([]int32, len(values)/size)
	ring.Parallel(len(out), 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v := values[i*size : (i+1)*size]
			out[i] = -1
			for at := maphash.Bytes(key, v) & mask; slots[at] != 0; at = (at + 1) & mask {
				place := int(slots[at] - 1)
				if string(own[place*size:(place+1)*size]) == string(v) {
					out[i] = int32(place)
					break
				}
			}
		}
	})
	matched := make([]int32, n) // places, counted from 1
	for i, place := range out {
		if place < 0 {
			continue
		}
		if first := matched[place]; first > 0 {
			return nil, fmt.Errorf("psi: keys %d and %d of %s are equal, but a party's keys must be distinct", first, i+1, peer)
		}
		matched[place] = int32(i) + 1
	}
	return out, nil
}

// check refuses more keys than most.
func check(party string, n, most int) error {
	if n > most {
		return fmt.Errorf("psi: %s has %d keys, and at most %d are supported", party, n, most)
	}
	return nil
}
