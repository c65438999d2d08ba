package semi2k

import (
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/ring"
)

// precision is how many bits functions keep, by the result's fraction bits
// (protocols-functions.md §2).
type precision struct {
	class fourier.Class
	g     int // mantissa bits of 2^F, public and dealt
	gb    int // scale of dealt sines and cosines
	ga    int // scale of what multiplies them
	u     int // bits in which a normalised argument is opened
	e     int // bits in which an exponent is opened
	k     int // ring of a logarithm modulo the exponential's period
	sum   int // fraction bits of a row's sum, and of a logarithm that is multiplied
	// An argument whose leading digit has to be found and whose range is not
	// known is taken to be below 2^width units.
	width  int
	digits []int // hex digits of which there are tables
}

var (
	small = precision{class: fourier.Small, g: 30, gb: 31, ga: 26, u: 27, e: 32, k: 64, sum: 24, width: 32, digits: []int{8, 10, 12, 15}}
	large = precision{class: fourier.Large, g: 34, gb: 44, ga: 38, u: 37, e: 48, k: 96, sum: 36, width: 40, digits: []int{10, 12, 15, 23}}
)

// precisionFor is small for 18 fraction bits or less, and where the ring has
// no room for more.
func precisionFor(r ring.Ring, fraction int) precision {
	if fraction <= 18 || r.Bits <= 64 {
		return small
	}
	return large
}

// byteAligned rounds up to whole bytes.
func byteAligned(bits int) int { return (bits + 7) / 8 * 8 }

// offset is off: results keep bits down to 2^−off, and those below 2^−(off−1)
// are out of range.
func offset(fraction int) int { return fraction + 3 }

// room is the offset for results down to 2^−smallest, and the q with which
// dropping 2g + off − out bits leaves k.
func (z precision) room(k, fraction, smallest, out int) (off, q int) {
	off = max(offset(fraction), smallest+2)
	return off, byteAligned(k + 2*z.g + off - out)
}
