package semi2k

import (
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// precision is the set of bit lengths with which functions compute, chosen by the result's fraction bits
// (docs/protocols/functions.md).
type precision struct {
	class fourier.Class
	g     int // bits of the public and the dealt mantissa of an exponential
	gb    int // scale of dealt sines and cosines
	ga    int // scale of the public coefficients that multiply them
	u     int // bits with which a normalised argument is opened
	e     int // bits with which an exponent is opened
	// exponent is the number of fraction bits with which an exponent is opened that is an integer's logarithm to radix 4,
	// modulo a power of two.
	exponent int
	k        int // width of the ring of a logarithm modulo the exponential's period
	sum      int // fraction bits of a row's sum of exponentials, and of a logarithm that is multiplied
	// width is the default bound on arguments whose leading digit has to be found: they are below 2^width
	// units.
	width int
	// digits are the numbers of hexadecimal digits with which arguments are normalised: those of all tables,
	// and the numbers of a whole ring of 128 bits and of the fine form beside it.
	digits []int
	row    int // the largest number of digits of a row's variance
}

var (
	small = precision{
		class: fourier.Small, g: 30, gb: 31, ga: 26, u: 27, e: 32, exponent: 23, k: 64, sum: 24,
		width: 32, digits: []int{8, 10, 12, 15, 16, 25, 32, 40}, row: 15,
	}
	large = precision{
		class: fourier.Large, g: 34, gb: 44, ga: 38, u: 37, e: 48, exponent: 34, k: 96, sum: 36,
		width: 40, digits: []int{10, 12, 15, 23, 25, 32, 40}, row: 23,
	}
)

// precisionFor is small for up to 18 fraction bits and for rings of up to 64 bits, which have no room for
// more.
func precisionFor(r ring.Ring, fraction int) precision {
	if fraction <= 18 || r.Bits <= 64 {
		return small
	}
	return large
}

// byteAligned rounds up to a multiple of 8.
func byteAligned(bits int) int { return (bits + 7) / 8 * 8 }

// offset is the smallest off for results of that many fraction bits: exponentials below 2^−(off−1) are
// meaningless and have to be clamped.
func offset(fraction int) int { return fraction + 3 }

// offsetAndModulus is the offset for results down to 2^−smallest, and the q with which
// dropping 2g + off − out bits leaves k.
func (z precision) offsetAndModulus(k, fraction, smallest, out int) (off, q int) {
	off = max(offset(fraction), smallest+2)
	return off, byteAligned(k + 2*z.g + off - out)
}
