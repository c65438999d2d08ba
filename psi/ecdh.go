package psi

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"

	"github.com/cloudflare/circl/group"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// pointsPerMessage is the largest number of points, and of values, of one message: the peer computes on a message while
// the next one is made.
const pointsPerMessage = 1 << 12

// The operations of ECDH. opMatches is the same.
const (
	opReceiver = iota // the receiver's points
	opSender          // the sender's points
	opCommon          // values
)

var ecdhNames = [numOps]string{"psi.receiver", "psi.sender", "psi.values", "psi.matches"}

// The domain tags of hashes.
const (
	pointTag = "tacet: psi: key to ristretto255"
	valueTag = "tacet: psi: value of a point"
)

// ranges returns the bounds of the messages of n points.
func (s *side) ranges(n int) [][2]int {
	var out [][2]int
	for lo := 0; lo < n; lo += s.perMessage {
		out = append(out, [2]int{lo, min(lo+s.perMessage, n)})
	}
	return out
}

// keyPoint returns H(key).
func keyPoint(g group.Group, k Key) group.Element {
	var in [16]byte
	binary.LittleEndian.PutUint64(in[:], k[0])
	binary.LittleEndian.PutUint64(in[8:], k[1])
	return g.HashToElement(in[:], []byte(pointTag))
}

// points returns the encodings of secret·H(key) of some keys.
func points(secret group.Scalar, keys []Key) ([]byte, error) {
	return perPoint(len(keys), ot.PointBytes, func(i int, to []byte) error {
		e := keyPoint(ot.Curve(), keys[i])
		b, err := e.Mul(e, secret).MarshalBinary()
		copy(to, b)
		return err
	})
}

// commonValues returns hashes, of size bytes, of secret·P of a peer's encoded points P. first is the number of the
// first one.
func commonValues(secret group.Scalar, encoded []byte, size, first int, peer string) ([]byte, error) {
	return perPoint(len(encoded)/ot.PointBytes, size, func(i int, to []byte) error {
		e := ot.Curve().NewElement()
		if err := e.UnmarshalBinary(encoded[i*ot.PointBytes : (i+1)*ot.PointBytes]); err != nil {
			return fmt.Errorf("psi: point %d of %s is not one of ristretto255: %w", first+i+1, peer, err)
		}
		if e.IsIdentity() {
			return fmt.Errorf("psi: point %d of %s is the neutral element", first+i+1, peer)
		}
		b, err := e.Mul(e, secret).MarshalBinary()
		sum := sha256.Sum256(append([]byte(valueTag), b...))
		copy(to, sum[:])
		return err
	})
}

// perPoint calls f for n parts of size bytes each, in parallel, and returns them all.
func perPoint(n, size int, f func(i int, to []byte) error) ([]byte, error) {
	out := make([]byte, n*size)
	var mu sync.Mutex
	var failure error
	ring.Parallel(n, 1<<5, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if err := f(i, out[i*size:(i+1)*size]); err != nil {
				mu.Lock()
				failure = cmp.Or(failure, err)
				mu.Unlock()
				return
			}
		}
	})
	return out, failure
}

// distinct returns an error if two keys are equal.
func distinct(keys []Key) error {
	order := make([]int, len(keys))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return slices.Compare(keys[i][:], keys[j][:]) })
	for i := 1; i < len(order); i++ {
		if first, second := order[i-1], order[i]; keys[first] == keys[second] {
			return fmt.Errorf("psi: keys %d and %d are equal", min(first, second), max(first, second))
		}
	}
	return nil
}

// beginECDH adds the choice of the party's secret, for one session. Its keys must be distinct.
func (s *side) beginECDH(op int) *flow.Future[group.Scalar] {
	return do(s, op, func() (group.Scalar, error) {
		return ot.Curve().RandomNonZeroScalar(rand.Reader), distinct(s.keys)
	})
}

// receiveECDH is receive without a dealer.
func (s *side) receiveECDH() *flow.Future[[]int32] {
	a := s.beginECDH(opReceiver)
	var own, theirs []*flow.Future[[]byte]
	var all []flow.Dep
	for _, r := range s.ranges(s.receiver) {
		made := do(s, opReceiver, func() ([]byte, error) { return points(a.Get(), s.keys[r[0]:r[1]]) }, a)
		s.exchange(opReceiver, true, ot.PointBytes*(r[1]-r[0]), 0, func() []byte { return made.Get() }, made)
	}
	for _, r := range s.ranges(s.sender) {
		in := s.exchange(opSender, false, ot.PointBytes*(r[1]-r[0]), 1, nil)
		v := do(s, opCommon, func() ([]byte, error) { return commonValues(a.Get(), in.Get(), s.value, r[0], s.name) }, a, in)
		theirs, all = append(theirs, v), append(all, v)
	}
	for _, r := range s.ranges(s.receiver) {
		in := s.exchange(opCommon, false, s.value*(r[1]-r[0]), 2, nil)
		own, all = append(own, in), append(all, in)
	}
	found := do(s, opMatches, func() ([]int32, error) {
		return find(joined(own), joined(theirs), s.value, s.name)
	}, all...)
	s.sendMatches(found)
	return found
}

// sendECDH is send without a dealer.
func (s *side) sendECDH() *flow.Future[[]int32] {
	b := s.beginECDH(opSender)
	order := s.drawOrder(opSender)
	ordered := do(s, opSender, func() ([]Key, error) {
		out := make([]Key, len(s.keys))
		for key, at := range order.Get() {
			out[at] = s.keys[key]
		}
		return out, nil
	}, order)
	var sent []flow.Dep
	for _, r := range s.ranges(s.sender) {
		made := do(s, opSender, func() ([]byte, error) { return points(b.Get(), ordered.Get()[r[0]:r[1]]) }, b, ordered)
		sent = append(sent, s.exchange(opSender, true, ot.PointBytes*(r[1]-r[0]), 0, func() []byte { return made.Get() }, made))
	}
	for _, r := range s.ranges(s.receiver) {
		in := s.exchange(opReceiver, false, ot.PointBytes*(r[1]-r[0]), 1, nil)
		v := do(s, opCommon, func() ([]byte, error) { return commonValues(b.Get(), in.Get(), s.value, r[0], s.name) }, b, in)
		sent = append(sent, s.exchange(opCommon, true, s.value*(r[1]-r[0]), 0, func() []byte { return v.Get() }, v))
	}
	return s.awaitMatches(order, sent...)
}

// joined returns the parts one after the other.
func joined(parts []*flow.Future[[]byte]) []byte {
	var out []byte
	for _, p := range parts {
		out = append(out, p.Get()...)
	}
	return out
}
