package correlation

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

// check returns what is malformed in a request, if anything; sources and dealers refuse such a
// request. Mask.check checks how its masks are made.
func (r *Request) check() error {
	if int(r.Kind) >= len(kindNames) {
		return fmt.Errorf("kind %d", uint8(r.Kind))
	}
	if r.N < 0 || r.OfBits() != (r.Out == ring.Ring{}) || r.Out.Bits < 0 {
		return fmt.Errorf("%d elements of %v", r.N, r.Out)
	}
	if r.OfJoin() {
		return r.checkJoin()
	}
	if r.Join != (joins.Sizes{}) {
		return errors.New("sizes of a join in a request of another kind")
	}
	zeros := 0
	for _, f := range r.Factors {
		if err := f.check(); err != nil {
			return err
		}
		zeros += f.Zeros()
	}
	if r.Kind != Product && r.Kind != Bilinear {
		zeros = 0
	}
	if r.Zeros < 0 || r.Zeros > zeros || r.Zeros > 0 && r.Zeros >= r.Out.Bits {
		return fmt.Errorf("%d low bits of %v are said to be zero", r.Zeros, r.Out)
	}
	if r.Kind == Waves || r.Kind == Exponential {
		return r.checkPhases()
	}
	if r.Kind != Thermometer && r.Digits != nil || r.Kind != BitProduct && r.Products != nil {
		return errors.New("digits or products in a request of another kind")
	}
	if r.Harmonics != 0 || r.Scale != 0 || r.Off != 0 || r.First != 0 || r.Out.Cyclic {
		return fmt.Errorf("%d harmonics at scale %d, offset %d, in %v", r.Harmonics, r.Scale, r.Off, r.Out)
	}
	if r.Kind == OneHot || r.Kind == Rotated || r.Kind == Placed {
		return r.checkIndex()
	}
	return r.checkFactors()
}

// checkTaken is check for a source, which gives shares of functions of masks only.
func (r *Request) checkTaken() error {
	if r.OfJoin() {
		return fmt.Errorf("a source has no %v", r.Kind)
	}
	return r.check()
}

// checkJoin is check for requests of joins.
func (r *Request) checkJoin() error {
	l := r.Join
	if r.Factors != nil || r.Digits != nil || r.Products != nil || r.B != nil || r.Zeros != 0 || r.Pos != 0 ||
		r.Harmonics != 0 || r.Scale != 0 || r.Off != 0 || r.First != 0 {
		return fmt.Errorf("a %v has no parameters of other kinds", r.Kind)
	}
	ok := r.Kind == VOLE && l == (joins.Sizes{}) && r.Out == ring.Z(128) && 1 <= r.N && r.N <= joins.MaxEntries
	if r.Kind == HiddenJoin {
		ok = l.Check() == nil && (r.Out == ring.Z(64) || r.Out == ring.Z(128)) && r.N == l.Keeper*l.Columns
	}
	if !ok {
		return fmt.Errorf("a %v of %d elements in %v, sizes %+v", r.Kind, r.N, r.Out, l)
	}
	return nil
}

// Limits of Waves and Exponential requests.
const (
	maxHarmonics = 1 << 12
	maxScale     = 60
)

// checkPhases is checkFactors for functions of phases.
func (r *Request) checkPhases() error {
	p := r.phases()
	n, blocks := 0, 1
	if p > 0 {
		n = r.Factors[0].Mask.N
	}
	ok := p > 0 && 0 < r.Scale && r.Scale <= maxScale && r.Pos == 0 && r.Zeros == 0 && r.B == nil
	if r.Kind == Waves {
		blocks = WaveBlocks(r.Harmonics, p < len(r.Factors) && r.First == 0)
		ok = ok && 0 < r.Harmonics && r.Harmonics <= maxHarmonics && 0 <= r.First && r.First <= maxHarmonics
		ok = ok && r.Off == 0 && !r.Out.Cyclic && r.Out.Bits > r.Scale+1
	} else {
		ok = ok && r.Harmonics == 0 && r.First == 0 && 0 <= r.Off && r.Off < r.Out.Bits && r.Out.Cyclic && r.Out.Bits > r.Scale+1
	}
	if !ok || r.N != n*blocks {
		return fmt.Errorf("%d elements of %d phases, %d harmonics from %d on, scale %d, offset %d in %v",
			r.N, p, r.Harmonics, r.First, r.Scale, r.Off, r.Out)
	}
	for i, f := range r.Factors {
		if f.Mask.N != n || i >= p && (f.Part.IsPhase() || r.Kind == Waves && !f.IsBit() && f.Part != Sign) {
			return fmt.Errorf("factor %d, part %d of %d elements, in %v of %d phases of %d elements", i, f.Part, f.Mask.N, r.Kind, p, n)
		}
	}
	return nil
}

// checkFactors checks the factors against the request's kind.
func (r *Request) checkFactors() error {
	want, length := 1, r.N
	switch r.Kind {
	case BitProduct, Product:
		want = max(1, len(r.Factors))
	case Bilinear:
		want = min(max(2, len(r.Factors)), 3)
	case WrapTable:
		length = -1
	}
	if len(r.Factors) != want {
		return fmt.Errorf("%d factors where %d are expected", len(r.Factors), want)
	}
	if r.Kind == Bilinear {
		return r.checkBilinear()
	}
	f := r.Factors[0]
	k := f.Mask.Ring.Bits
	switch r.Kind {
	case Thermometer:
		if f.Part != Whole || f.Mask.Kind == FreshBits || len(r.Digits) == 0 || len(r.Digits) > maxDigits {
			return fmt.Errorf("tables of %d digits of part %d of mask %v", len(r.Digits), f.Part, f.Mask.ID)
		}
		at := r.Pos
		for _, d := range r.Digits {
			if at < 0 || at >= k || d < 1 || d > maxDigitBits {
				return fmt.Errorf("a table of the %d bits from bit %d of %d on", d, at, k)
			}
			at += d
		}
	case BitProduct:
		if r.Products != nil && r.Products.planes != r.planes() {
			return fmt.Errorf("products of %d planes where the factors have %d", r.Products.planes, r.planes())
		}
	case Lift:
		if f.Part != LowBits || f.Width >= r.Out.Bits {
			return fmt.Errorf("a lift of %d bits into %v", f.Width, r.Out)
		}
	case WrapTable:
		if f.Part != Whole || f.Mask.Kind != Fresh || k > maxWrapBits || r.N != f.Mask.N*(1<<k-1) {
			return fmt.Errorf("a wrap table of %d elements of %d masks of %d bits", r.N, f.Mask.N, k)
		}
	}
	for _, f := range r.Factors {
		if length >= 0 && f.Mask.N != length {
			return fmt.Errorf("%d elements of a factor of %d", length, f.Mask.N)
		}
		if f.Part.IsPhase() {
			return fmt.Errorf("a phase of mask %v in a %v", f.Mask.ID, r.Kind)
		}
		if r.Kind == BitProduct && !f.IsBit() && (r.Products == nil || f.Part != Planes) {
			return fmt.Errorf("ring mask %v in a product of bits", f.Mask.ID)
		}
		if r.Kind != BitProduct && f.Part == Planes {
			return fmt.Errorf("all planes of mask %v in a %v", f.Mask.ID, r.Kind)
		}
	}
	return nil
}

// maxDigitBits bounds a digit's width, and maxDigits the number of digits.
const (
	maxDigitBits = 16
	maxDigits    = 1 << 12
)

// maxWrapBits bounds the index width of a truncation's wrap table; five parties need 3 bits.
const maxWrapBits = 16

func (r *Request) checkBilinear() error {
	if r.B == nil {
		return errors.New("no bilinear map")
	}
	left, right := r.B.In()
	a, b := r.Factors[0].Mask.N, r.Factors[1].Mask.N
	if a != left || b != right || r.N != r.B.Out() {
		return fmt.Errorf("a bilinear map of %d and %d to %d elements from %d and %d to %d", left, right, r.B.Out(), a, b, r.N)
	}
	if len(r.Factors) == 3 {
		if f := r.Factors[2]; f.Part != Whole || f.Mask.Kind == FreshBits || f.Mask.N != right {
			return fmt.Errorf("a bilinear map of %d elements times part %d of %d of mask %v", right, f.Part, f.Mask.N, f.Mask.ID)
		}
	}
	return nil
}

// check reports whether the part, width and shift fit the mask.
func (f Factor) check() error {
	if f.Mask == nil {
		return errors.New("a factor without a mask")
	}
	if f.Mask.N < 0 || f.Mask.Ring.Bits < 1 {
		return fmt.Errorf("mask %v of %d elements in %v", f.Mask.ID, f.Mask.N, f.Mask.Ring)
	}
	k, ok := f.Mask.Ring.Bits, false
	switch f.Part {
	case Whole:
		ok = 0 <= f.Width && f.Width < max(1, f.Mask.Planes) && f.Shift == 0
	case Planes:
		ok = 0 <= f.Shift && 0 < f.Width && f.Width <= f.Mask.Planes-f.Shift
	case LowBits, Wrap:
		ok = 1 <= f.Width && f.Width <= k && f.Shift == 0
	case Shifted, WrapShifted:
		ok = 1 <= f.Width && f.Width <= k && 0 <= f.Shift && f.Shift <= f.Width
	case Bit:
		ok = 0 <= f.Width && f.Width < k && f.Shift == 0
	case Sign:
		ok = 0 <= f.Width && f.Width < f.Mask.Planes && f.Shift == 0
	case Phase, LongPhase, LongPhaseWrap:
		ok = f.Width == 0 && f.Shift == 0 && k <= 128
	}
	if !f.Part.IsPhase() && f.C != (Multiplier{}) {
		ok = false
	}
	if !ok || f.Mask.Kind == FreshBits && f.Part != Whole && f.Part != Sign && f.Part != Planes {
		return fmt.Errorf("part %d, width %d, shift %d of mask %v in %v", f.Part, f.Width, f.Shift, f.Mask.ID, f.Mask.Ring)
	}
	return nil
}

// maxPlanes bounds the planes of a mask of bits.
const maxPlanes = 1 << 16

// check reports whether a mask can be made from the seeds of so many parties.
func (m *Mask) check(parties int) error {
	ok := m.N >= 0 && m.Ring.Bits >= 1 && !m.Ring.Cyclic &&
		(m.Kind == FreshBits || m.Planes == 0) // Cyclic is refused: the parts of a mask are read as bits
	switch m.Kind {
	case FreshBits:
		ok = ok && m.Planes > 0 && m.Planes <= maxPlanes
	case Fresh, Zero:
	case Owned:
		ok = ok && 0 <= m.Owner && m.Owner < parties
	case Derived:
		ok = ok && m.Map != nil && m.N == m.Map.Out() && len(m.Of) == len(m.Map.In())
		for i, o := range m.Of {
			ok = ok && o != nil && o.N == m.Map.In()[i] && o.Ring.Bits >= m.Ring.Bits && o.Kind != FreshBits
		}
	case Upper:
		ok = ok && len(m.Of) == 1 && m.Of[0] != nil && m.Of[0].Kind == Fresh && m.Of[0].N == m.N && m.Of[0].Ring.Bits > m.Ring.Bits
	case Shuffled:
		ok = ok && len(m.Of) == 1 && m.Of[0] != nil && m.Of[0].N == m.N && m.Of[0].Ring == m.Ring && m.Of[0].Kind != FreshBits &&
			m.Rows > 0 && m.N%m.Rows == 0
	default:
		ok = false
	}
	if !ok {
		return fmt.Errorf("mask %v of kind %d, %d elements in %v", m.ID, m.Kind, m.N, m.Ring)
	}
	return nil
}
