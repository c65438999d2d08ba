package cheetah

import (
	"encoding/binary"
	"io"
	"math/bits"

	"github.com/cloudflare/circl/group"

	"github.com/tacet-mpc/tacet/ot"
)

// toyGroup is the multiplicative group modulo 2^61 − 1, which keeps nothing secret: base transfers in it take no time.
// Encodings have the size of those of ristretto255, so that costs are the same.
type toyGroup struct{ group.Group }

type toyScalar struct {
	group.Scalar
	x uint64
}

type toyElement struct {
	group.Element
	x uint64
}

const toyModulus = 1<<61 - 1

func toyTimes(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	_, rem := bits.Div64(hi, lo, toyModulus)
	return rem
}

func toyPower(a, e uint64) uint64 {
	out := uint64(1)
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			out = toyTimes(out, a)
		}
		a = toyTimes(a, a)
	}
	return out
}

func (toyGroup) NewElement() group.Element { return &toyElement{x: 1} }

func (toyGroup) RandomScalar(r io.Reader) group.Scalar {
	var b [8]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		panic(err)
	}
	return &toyScalar{x: binary.LittleEndian.Uint64(b[:])%(toyModulus-2) + 1}
}

func (g toyGroup) RandomNonZeroScalar(r io.Reader) group.Scalar { return g.RandomScalar(r) }

func (e *toyElement) MulGen(s group.Scalar) group.Element {
	e.x = toyPower(37, s.(*toyScalar).x)
	return e
}

func (e *toyElement) Mul(x group.Element, s group.Scalar) group.Element {
	e.x = toyPower(x.(*toyElement).x, s.(*toyScalar).x)
	return e
}

func (e *toyElement) Add(x, y group.Element) group.Element {
	e.x = toyTimes(x.(*toyElement).x, y.(*toyElement).x)
	return e
}

func (e *toyElement) Neg(x group.Element) group.Element {
	e.x = toyPower(x.(*toyElement).x, toyModulus-2)
	return e
}

func (e *toyElement) CMov(b int, x group.Element) group.Element {
	if b == 1 {
		e.x = x.(*toyElement).x
	}
	return e
}

func (e *toyElement) IsIdentity() bool { return e.x == 1 }

func (e *toyElement) MarshalBinary() ([]byte, error) {
	return append(binary.LittleEndian.AppendUint64(nil, e.x), make([]byte, ot.PointBytes-8)...), nil
}

func (e *toyElement) UnmarshalBinary(b []byte) error {
	e.x = binary.LittleEndian.Uint64(b) % toyModulus
	return nil
}
