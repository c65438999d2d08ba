package correlation

import (
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Kind is what a request asks for.
type Kind uint8

// The kinds of requests.
const (
	// BitProduct: XOR shares of the product of the factors' bits. n bits.
	BitProduct Kind = iota
	// Thermometer: XOR shares of [v < l], v = 0 … 2^d−2, for the digit l of d
	// bits at bit Pos of a mask. A vector over Z_2^(2^d−1), added bit by bit.
	Thermometer
	// Product: additive shares in Out of the product of the factors.
	Product
	// Lift: additive shares in Out of a mask's low Width bits as an integer,
	// congruent modulo 2^Width to the shares of the mask itself, so that only
	// the bits above are corrected. protocols: narrow masked values.
	Lift
	// Bilinear: additive shares in Out of B(Factors[0], Factors[1]).
	Bilinear
	// WrapTable: for per-party masks r_i of t bits (one Fresh mask over
	// Z_2^t), R = Σ r_i: additive shares in Out of ⌊(j + n − 1 − R)/2^t⌋,
	// j = 0 … 2^t−2, one block of N elements for each j.
	WrapTable
)

var kindNames = [...]string{"bit product", "thermometer", "product", "lift", "bilinear", "wrap table"}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Part says which function of a mask a factor is.
type Part uint8

// The functions of a mask λ over Z_2^k.
const (
	Whole       Part = iota // λ; of bits 0 or 1
	LowBits                 // λ mod 2^Width as an integer
	Wrap                    // λ's bit Width−1, times 2^Width
	Shifted                 // ⌊(λ mod 2^Width)/2^Shift⌋
	WrapShifted             // λ's bit Width−1, times 2^(Width−Shift)
	Bit                     // λ's bit Width, as a bit
)

// Factor is a function of a mask.
type Factor struct {
	Mask  *Mask
	Part  Part
	Width int
	Shift int
}

// Key names the factor within a session.
func (f Factor) Key() string {
	return fmt.Sprintf("%v/%d/%d/%d", f.Mask.ID, f.Part, f.Width, f.Shift)
}

// IsBit reports whether the factor's values are 0 and 1.
func (f Factor) IsBit() bool { return f.Mask.Kind == FreshBits || f.Part == Bit }

// Zeros is how many low bits of the factor's values are always zero.
func (f Factor) Zeros() int {
	switch f.Part {
	case Wrap:
		return f.Width
	case WrapShifted:
		return f.Width - f.Shift
	}
	return 0
}

// Request asks for one dealt vector. It depends on public values alone.
type Request struct {
	ID      ID
	Kind    Kind
	Factors []Factor
	Out     ring.Ring
	N       int
	Pos     int // Thermometer: the digit's lowest bit
	// Zeros is how many low bits of the value are always zero; all shares
	// then have them zero.
	Zeros int
	B     maps.Bilinear
	Op    string // where it comes from, for messages
}

// CorrectionBits is how long the correction is for all elements.
func (r *Request) CorrectionBits() int {
	switch r.Kind {
	case BitProduct:
		return r.N
	case Lift:
		return r.N * (r.Out.Bits - r.Factors[0].Width)
	}
	return r.N * (r.Out.Bits - r.Zeros)
}

// Bytes is how long the correction is on the wire.
func (r *Request) Bytes() int64 { return int64(r.CorrectionBits()+7) / 8 }

// Material is one party's share of what a request asked for: Bits for
// BitProduct, Vec for all others.
type Material struct {
	Vec  ring.Vec
	Bits ring.Bits
}
