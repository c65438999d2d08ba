package ot

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cloudflare/circl/group"

	"github.com/tacet-mpc/tacet/ring"
)

// Bases is the number of base transfers that an extension needs.
const Bases = 128

const (
	// PointBytes is the length in bytes of the encoding of a group element.
	PointBytes = 32
	// BaseReplyBytes is the length in bytes of the receiver's message of the base transfers.
	BaseReplyBytes = Bases * PointBytes
)

// ErrMessage is wrapped by the errors about a malformed message of the peer.
var ErrMessage = errors.New("malformed message of oblivious transfer")

// Curve returns the group of the base transfers, ristretto255.
func Curve() group.Group { return group.Ristretto255 }

// BaseSender is the sender's side of Bases random transfers, whose strings are keys of 128 bits.
type BaseSender struct {
	g       group.Group
	a       group.Scalar
	first   []byte        // encoding of A = a·G
	squared group.Element // a·A
}

// NewBaseSender returns the sender's side of base transfers in the group g, whose secret it draws from rand.
func NewBaseSender(g group.Group, rand io.Reader) (*BaseSender, error) {
	s := &BaseSender{g: g, a: g.RandomNonZeroScalar(rand)}
	A := g.NewElement().MulGen(s.a)
	s.squared = g.NewElement().Mul(A, s.a)
	var err error
	s.first, err = A.MarshalBinary()
	return s, err
}

// Message returns the message to the receiver, of PointBytes bytes.
func (s *BaseSender) Message() []byte { return s.first }

// Keys returns the Bases pairs of keys, given the receiver's reply. If the reply is malformed, the error wraps
// ErrMessage.
func (s *BaseSender) Keys(reply []byte) ([][2]Block, error) {
	if len(reply) != BaseReplyBytes {
		return nil, fmt.Errorf("%w: a reply of %d bytes, want %d", ErrMessage, len(reply), BaseReplyBytes)
	}
	out := make([][2]Block, Bases)
	minus := s.g.NewElement().Neg(s.squared)
	return out, each(func(i int) (err error) {
		encoded := reply[i*PointBytes : (i+1)*PointBytes]
		B := s.g.NewElement()
		if err := B.UnmarshalBinary(encoded); err != nil {
			return fmt.Errorf("%w: base transfer %d: %w", ErrMessage, i, err)
		}
		zero := s.g.NewElement().Mul(B, s.a)
		if out[i][0], err = baseKey(i, s.first, encoded, zero); err != nil {
			return err
		}
		out[i][1], err = baseKey(i, s.first, encoded, s.g.NewElement().Add(zero, minus)) // a·(B − A)
		return err
	})
}

// each calls f for each base transfer, on all processors, and returns the first error.
func each(f func(i int) error) error {
	var errs [Bases]error
	ring.Parallel(Bases, 8, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			errs[i] = f(i)
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// BaseReceive answers the message of a BaseSender. It returns the reply, of BaseReplyBytes bytes, and Bases keys: key i
// is the one of the sender's pair i that bit i of choices selects. Secrets are drawn from rand. If message is
// malformed, the error wraps ErrMessage.
func BaseReceive(g group.Group, rand io.Reader, choices Block, message []byte) (reply []byte, keys []Block, err error) {
	if len(message) != PointBytes {
		return nil, nil, fmt.Errorf("%w: a point of %d bytes, want %d", ErrMessage, len(message), PointBytes)
	}
	A := g.NewElement()
	if err := A.UnmarshalBinary(message); err != nil {
		return nil, nil, fmt.Errorf("%w: the point of the base transfers: %w", ErrMessage, err)
	}
	if A.IsIdentity() {
		return nil, nil, fmt.Errorf("%w: the point of the base transfers is the neutral element", ErrMessage)
	}
	var secrets [Bases]group.Scalar
	for i := range secrets {
		secrets[i] = g.RandomScalar(rand)
	}
	reply, keys = make([]byte, BaseReplyBytes), make([]Block, Bases)
	err = each(func(i int) error {
		b := secrets[i]
		B := g.NewElement().MulGen(b)
		B.CMov(int(choices[i/64]>>(i%64)&1), g.NewElement().Add(B, A))
		encoded, err := B.MarshalBinary()
		if err != nil {
			return err
		}
		copy(reply[i*PointBytes:], encoded)
		keys[i], err = baseKey(i, message, encoded, g.NewElement().Mul(A, b))
		return err
	})
	return reply, keys, err
}

// baseKey is the key of base transfer i: a hash of both messages and the common element.
func baseKey(i int, first, reply []byte, common group.Element) (Block, error) {
	encoded, err := common.MarshalBinary()
	if err != nil {
		return Block{}, err
	}
	h := sha256.New()
	h.Write([]byte("tacet: base transfer"))
	h.Write(binary.LittleEndian.AppendUint32(nil, uint32(i)))
	h.Write(first)
	h.Write(reply)
	h.Write(encoded)
	return blockOf(h.Sum(nil)), nil
}
