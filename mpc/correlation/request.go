package correlation

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Kind is what a request asks for.
type Kind uint8

// The kinds of requests.
const (
	// BitProduct: XOR shares of products of the factors' bits: of all of them,
	// or, if there are Products, of each of these. n bits each.
	BitProduct Kind = iota
	// Thermometer: XOR shares of [v < l], v = 0 … 2^d−2, for digits l of a mask
	// from bit Pos on, of as many bits d as Digits lists, the lowest first.
	// 2^d−1 bits for each element, digit by digit.
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
	// Waves: additive shares in Out of 2^Scale·cos(j·θ), then 2^Scale·sin(j·θ),
	// j = 1 … Harmonics, each times the other factors; one block of elements
	// each, before them a block of the other factors' product itself if there
	// are any. θ is the sum of the phases, which come first among the factors.
	Waves
	// Exponential: additive shares in Out, Z_(2^q−1), of
	// 2^(Off−e)·2^Scale times the other factors, the integer part of the
	// exponent taken modulo q; e is the sum of the phases, read as a number of
	// [0, q). Its mantissa has Scale bits after the point.
	Exponential
	// OneHot: for the low s = Width bits of each element λ of the factor,
	// additive shares in Out of [λ = v], v = 0 … 2^s−2: a row for each.
	OneHot
	// Rotated: for indices like OneHot's and tables of 2^s rows in the second
	// factor, as many indices for each table: additive shares of the table's
	// rows δ − λ mod 2^s, δ = 0 … 2^s−1, for each index.
	Rotated
	// Placed: for indices like OneHot's and as many rows in the second factor,
	// additive shares of 2^s rows for each index: row λ is the factor's, the
	// others are zero.
	Placed
)

var kindNames = [...]string{"bit product", "thermometer", "product", "lift", "bilinear", "wrap table", "waves", "exponential", "one-hot", "rotated table", "placed rows"}

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
	Whole         Part = iota // λ; of bits plane Width, 0 or 1
	LowBits                   // λ mod 2^Width as an integer
	Wrap                      // λ's bit Width−1, times 2^Width
	Shifted                   // ⌊(λ mod 2^Width)/2^Shift⌋
	WrapShifted               // λ's bit Width−1, times 2^(Width−Shift)
	Bit                       // λ's bit Width, as a bit
	Sign                      // 1 − 2λ for plane Width of a mask of bits
	Phase                     // C·λ mod 2^k as a fraction of a period 2^k
	LongPhase                 // C·λ mod 2^128 of λ as an integer, as a fraction of 2^128
	LongPhaseWrap             // C·(λ − 2^k·λ's top bit) mod 2^128, as a fraction of 2^128
	Planes                    // planes Shift … Shift+Width−1 of a mask of bits, each for itself
)

// IsPhase reports whether the part is a fraction of a period.
func (p Part) IsPhase() bool { return p == Phase || p == LongPhase || p == LongPhaseWrap }

// Factor is a function of a mask.
type Factor struct {
	Mask  *Mask
	Part  Part
	Width int
	Shift int
	C     Multiplier // of phases
}

// Multiplier is an integer of 128 bits, low word first, that the program's
// text determines.
type Multiplier [2]uint64

// Key names the factor within a session: the mask first, all of one length.
func (f Factor) Key() string {
	var b [13]byte
	binary.BigEndian.PutUint64(b[:], uint64(f.Mask.ID))
	b[8] = byte(f.Part)
	binary.BigEndian.PutUint16(b[9:], uint16(f.Width))
	binary.BigEndian.PutUint16(b[11:], uint16(f.Shift))
	return string(b[:])
}

// IsBit reports whether the factor's values are 0 and 1.
func (f Factor) IsBit() bool { return f.Mask.Kind == FreshBits && f.Part == Whole || f.Part == Bit }

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

// Digits are the sizes, in bits, of neighbouring digits, the lowest first.
type Digits []int

// Request asks for one dealt vector. It depends on public values alone.
type Request struct {
	ID      ID
	Kind    Kind
	Factors []Factor
	Out     ring.Ring
	N       int
	Pos     int    // Thermometer: the first digit's lowest bit
	Digits  Digits // Thermometer: bits of each digit
	// Products, of a BitProduct, are what is asked for of the factors' bits, all
	// planes laid end to end; nil: the product of all factors.
	Products *Products
	// Zeros is how many low bits of the value are always zero: they are not
	// shared (see Shares).
	Zeros int
	B     maps.Bilinear
	// Waves and Exponential: see there.
	Harmonics, Scale, Off int
	Op                    string // where it comes from, for messages
}

// phases is how many of the factors are phases: the first ones.
func (r *Request) phases() int {
	n := 0
	for n < len(r.Factors) && r.Factors[n].Part.IsPhase() {
		n++
	}
	return n
}

// WaveBlocks is how many blocks a Waves request with so many harmonics gives.
func WaveBlocks(harmonics int, times bool) int {
	if times {
		return 2*harmonics + 1
	}
	return 2 * harmonics
}

// CorrectionBits is how long the correction is for all elements.
func (r *Request) CorrectionBits() int {
	switch r.Kind {
	case BitProduct:
		if r.Products != nil {
			return r.N * len(r.Products.sets)
		}
		return r.N
	case Thermometer:
		width := 0
		for _, d := range r.Digits {
			width += 1<<d - 1
		}
		return r.N * width
	}
	return r.N * r.Shares().Bits
}

// Shift is how many low bits of the shares are always zero and left away.
func (r *Request) Shift() int {
	if r.Kind == Lift {
		return r.Factors[0].Width
	}
	return r.Zeros
}

// Shares is the ring that shares in Out are given in, divided by 2^Shift: where
// their low bits are zero a narrower one.
func (r *Request) Shares() ring.Ring {
	if z := r.Shift(); z > 0 {
		return ring.Z(r.Out.Bits - z)
	}
	return r.Out
}

// Bytes is how long the correction is on the wire.
func (r *Request) Bytes() int64 { return int64(r.CorrectionBits()+7) / 8 }

// OfBits reports whether shares are bits, whose sum is XOR.
func (r *Request) OfBits() bool { return r.Kind == BitProduct || r.Kind == Thermometer }

// lengths are those of the vectors of bits that the request asks for: one for
// each product or digit.
func (r *Request) lengths() []int {
	switch {
	case r.Kind == Thermometer:
		lens := make([]int, len(r.Digits))
		for i, d := range r.Digits {
			lens[i] = r.N * (1<<d - 1)
		}
		return lens
	case r.Products != nil:
		return equal(r.N, len(r.Products.sets))
	}
	return equal(r.N, 1)
}

// Weightless is what the request asks for without storage.
func (r *Request) Weightless() Material {
	if r.OfBits() {
		return Material{Bits: ring.WeightlessPlanes(r.lengths()...)}
	}
	return Material{Vec: ring.StreamOf(ring.Weightless(r.Shares(), r.N))}
}

// Material is one party's share of what a request asked for: Bits, one vector for
// each product or digit, where the kind is OfBits, Vec, over Shares, for all others. For Lift it is the part above
// Width only: a party adds its own share's low bits.
type Material struct {
	Vec  ring.Stream
	Bits []ring.Bits
}
