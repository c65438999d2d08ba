package correlation

import (
	"encoding/binary"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// Kind is the function of masks that a Request asks for.
type Kind uint8

// The kinds of requests. N, Out, Factors and other names with a capital are fields of Request; [p] is 1 if p holds
// and 0 otherwise.
const (
	// BitProduct asks for XOR shares of the product of all factors' bits or, if Products is set, of each of the
	// listed products; N bits each.
	BitProduct Kind = iota
	// Thermometer asks for XOR shares of the bits [v < l], v = 0 … 2^d−2, for each digit l of a mask. Digits lists
	// the digits' widths d in bits, the lowest digit first; the first digit starts at bit Pos. Each digit has 2^d−1
	// bits for each element, digit by digit.
	Thermometer
	// Product asks for additive shares in Out of the product of the factors.
	Product
	// Lift asks for additive shares in Out of a mask's low Width bits as an integer. They are congruent modulo
	// 2^Width to the shares of the mask itself, so that only the bits above Width are corrected. With them a masked
	// value moves to a wider ring (docs/protocols/correlations.md#lift).
	Lift
	// Bilinear asks for additive shares in Out of B(Factors[0], Factors[1]), or of B(Factors[0], Factors[1]·Factors[2]) with
	// three factors, the last one a whole mask over a ring.
	Bilinear
	// WrapTable takes masks r_i of t bits, one of each computing party i (one Fresh mask over Z_2^t), with the sum R
	// as an integer. It asks for additive shares in Out of ⌊(j + n − 1 − R)/2^t⌋ for j = 0 … 2^t−2 and n computing
	// parties: one block of N elements for each j.
	WrapTable
	// Waves asks for additive shares in Out of 2^Scale·cos(j·θ), then of 2^Scale·sin(j·θ), j = 1 … Harmonics, each
	// times the other factors; one block of N elements each. If there are other factors, their product is a block
	// before these. θ is the sum of the phases, which come first among the factors. If First > 0, j is First …
	// First+Harmonics−1, and there is no block of the factors' product: the harmonics of one table can so be split
	// into several requests in rings of different widths.
	Waves
	// Exponential asks for additive shares in Out = Z_(2^q−1) of 2^(Off−e)·2^Scale times the other factors, the
	// integer part of the exponent taken modulo q. e is the sum of the phases, read as a number in [0, q). The
	// mantissa has Scale bits after the point.
	Exponential
	// OneHot asks for additive shares in Out of the one-hot vector [λ = v], v = 0 … 2^s−2, of the low s = Width bits
	// of each element λ of the factor: one row for each element.
	OneHot
	// Rotated takes indices as OneHot does and, in the second factor, tables of 2^s rows, with the same number of
	// indices for each table. It asks, for each index λ, for additive shares of the table's rows δ − λ mod 2^s, δ = 0
	// … 2^s−1.
	Rotated
	// Placed takes indices as OneHot does and, in the second factor, one row for each index. It asks, for each index
	// λ, for additive shares of 2^s rows, of which row λ is that of the second factor and the others are zero.
	Placed
	// VOLE asks for what package joins deals for an intersection of keys: N entries in Out = Z_2^128, for two computing parties of
	// which the first is the receiver. It has no factors, and no source takes it: the correction is joins.VOLE.
	VOLE
	// HiddenJoin asks for what package joins deals for a hidden join of the sizes Join, but for its VOLE, with shares of the columns
	// in Out. The first of two computing parties is the keeper. It has no factors, and no source takes it: the correction is
	// joins.Sizes.Hidden.
	HiddenJoin
)

var kindNames = [...]string{"bit product", "thermometer", "product", "lift", "bilinear", "wrap table", "waves", "exponential", "one-hot", "rotated table", "placed rows",
	"vole", "hidden join"}

// String returns the kind's name, for messages.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("kind %d", uint8(k))
}

// Part names the function of a mask that a Factor is.
type Part uint8

// The functions of a mask λ over Z_2^k, or of a mask of bits. Width and Shift are the fields of Factor.
const (
	Whole         Part = iota // λ; for a mask of bits its plane number Width, as 0 or 1
	LowBits                   // λ mod 2^Width as an integer
	Wrap                      // λ's bit Width−1, times 2^Width
	Shifted                   // ⌊(λ mod 2^Width)/2^Shift⌋
	WrapShifted               // λ's bit Width−1, times 2^(Width−Shift)
	Bit                       // λ's bit Width, as a bit
	Sign                      // 1 − 2b for b the plane number Width of a mask of bits
	Phase                     // C·λ mod 2^k as a fraction of 2^k, which stands for one period
	LongPhase                 // C·λ mod 2^128, λ read as an integer, as a fraction of 2^128
	LongPhaseWrap             // C·(λ − 2^k·λ's top bit) mod 2^128, as a fraction of 2^128
	Planes                    // planes number Shift … Shift+Width−1 of a mask of bits; each counts as a factor of its own
)

// IsPhase reports whether the function's value is a fraction of a period: Phase, LongPhase or LongPhaseWrap.
func (p Part) IsPhase() bool { return p == Phase || p == LongPhase || p == LongPhaseWrap }

// Factor is a function of a mask λ: the one that Part names, with Width, Shift and C as its parameters.
type Factor struct {
	Mask *Mask // the mask λ
	Part Part  // which function of λ
	// Width and Shift are numbers of bits, or numbers of planes, as Part says.
	Width int
	Shift int
	C     Multiplier // the multiplier of a phase; zero for other parts
}

// Multiplier is an integer of 128 bits, the low word first: a public constant of the program.
type Multiplier [2]uint64

// Key returns a string of 13 bytes that is unique to the factor within a session: the mask's id, Part, Width and
// Shift.
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

// Zeros returns the number of low bits of the factor's values that are always zero.
func (f Factor) Zeros() int {
	switch f.Part {
	case Wrap:
		return f.Width
	case WrapShifted:
		return f.Width - f.Shift
	}
	return 0
}

// Digits holds the widths in bits of adjacent digits of a number, the lowest digit first.
type Digits []int

// Request asks the dealer for one dealt value: a sharing of a function of masks. It depends on public values only.
type Request struct {
	ID      ID        // names the dealt value
	Kind    Kind      // which function; it says which of the fields below are used
	Factors []Factor  // the functions of masks that are its arguments
	Out     ring.Ring // the ring of the dealt value; unused for bits
	N       int       // number of elements of the result, or of each block
	Pos     int       // Thermometer: the number of the lowest bit of the first digit
	Digits  Digits    // Thermometer: the digits' widths in bits
	// Products, for BitProduct, lists the products that are asked for; their factors are the bits of all Factors,
	// with all planes numbered consecutively. nil asks for one product, that of all factors.
	Products *Products
	// Zeros is the number of low bits of the value that are always zero; they are not shared (see
	// Shares).
	Zeros int
	B     maps.Bilinear // Bilinear: the map of Factors[0] and Factors[1], or the product of Factors[1] and Factors[2]
	// Harmonics, Scale and First are parameters of Waves, Off and Scale of Exponential (see the kinds).
	Harmonics, Scale, Off, First int
	Join                         joins.Sizes // HiddenJoin: its sizes; N is the number of elements of the columns
	Op                           string      // position and name of the operation that asks, for messages; not sent
}

// phases is the number of factors that are phases; they come first.
func (r *Request) phases() int {
	n := 0
	for n < len(r.Factors) && r.Factors[n].Part.IsPhase() {
		n++
	}
	return n
}

// Streamed returns the number of the factor of a matrix product that the dealer expands where it is multiplied, −1 if there is none: an
// owner's mask that is not the smaller factor, the first one only in a ring whose elements are multiplied in halves of words. That takes
// less time than to read it from memory, also where the mask is a factor of other requests.
func (r *Request) Streamed() int {
	m, ok := r.B.(maps.MatMul)
	if !ok || r.Kind != Bilinear || len(r.Factors) != 2 || m.Batch != 1 {
		return -1
	}
	larger := 1
	if m.N < m.M {
		if larger = 0; !r.Shares().InHalves() {
			return -1
		}
	}
	if f := r.Factors[larger]; f.Part != Whole || f.Mask.Kind != Owned || f.Mask.Ring != r.Shares() {
		return -1
	}
	return larger
}

// WaveBlocks returns the number of blocks of N elements in the value of a Waves request: a cosine and a sine for each
// harmonic, and one more if times, which says that the request has factors that are not phases.
func WaveBlocks(harmonics int, times bool) int {
	if times {
		return 2*harmonics + 1
	}
	return 2 * harmonics
}

// CorrectionBits returns the length of the correction of all elements, in bits.
func (r *Request) CorrectionBits() int {
	switch r.Kind {
	case HiddenJoin:
		return 8 * r.Join.Bytes(r.Out)
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

// Shift returns the number of low bits of the shares that are always zero, or are known to the parties already, and
// so are not sent.
func (r *Request) Shift() int {
	if r.Kind == Lift {
		return r.Factors[0].Width
	}
	return r.Zeros
}

// Shares returns the ring in which the shares are sent, divided by 2^Shift: Out, or a narrower ring where Shift > 0.
func (r *Request) Shares() ring.Ring {
	if z := r.Shift(); z > 0 {
		return ring.Z(r.Out.Bits - z)
	}
	return r.Out
}

// OfJoin reports whether the request is one of a join: the kinds VOLE and HiddenJoin.
func (r *Request) OfJoin() bool { return r.Kind == VOLE || r.Kind == HiddenJoin }

// Bytes returns the length of the correction in bytes.
func (r *Request) Bytes() int64 { return int64(r.CorrectionBits()+7) / 8 }

// OfBits reports whether the shares are XOR shares of bits: the kinds BitProduct and Thermometer.
func (r *Request) OfBits() bool { return r.Kind == BitProduct || r.Kind == Thermometer }

// lengths are the lengths of the requested vectors of bits, one for each product or digit.
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

// ShapeOnly returns a result of the request without storage, for dry runs.
func (r *Request) ShapeOnly() Correlation {
	if r.OfBits() {
		return Correlation{Bits: ring.ShapeOnlyPlanes(r.lengths()...)}
	}
	return Correlation{Vec: ring.StreamOf(ring.ShapeOnly(r.Shares(), r.N))}
}

// Correlation is one party's share of a dealt value.
type Correlation struct {
	// Vec is the share over the ring Request.Shares, if the request is not OfBits. For the kind Lift it holds the
	// bits from Width on only; the party adds the low bits of its own share of the mask.
	Vec ring.Stream
	// Bits is the share if the request is OfBits: one vector for each product or digit.
	Bits []ring.Bits
}
