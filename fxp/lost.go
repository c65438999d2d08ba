package fxp

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// mostFraction is the largest fraction that leaves contractions in a ring of 128 bits 2^40.
const mostFraction = 43

// leastContractions is the range of contractions, in bits, that a remedy leaves.
const leastContractions = 20

// noteLost tells of a public array of one number that is not 0, but rounds to it at
// a scale. Arrays of several numbers are data, whose small elements are rounded as
// inputs' are.
func (a *Arith) noteLost(op *flow.Op, c *tensor.Array, scale int) {
	if a.Lost == nil || !c.DType.IsFloat() || c.Len() == 0 {
		return
	}
	v, ok := c.Uniform()
	if size := math.Abs(v); !ok || size == 0 || !(math.Ldexp(size, scale) <= 0.5) {
		return
	}
	a.Lost(op.Where(), fmt.Sprintf("the constant %.3g becomes 0, as it has %d fraction bits here: %s", v, scale, a.remedy(math.Abs(v), scale)))
}

// remedy is what to set so that a number is a unit at least where it has a scale now.
func (a *Arith) remedy(size float64, scale int) string {
	_, top := math.Frexp(size) // size ≥ 2^(top−1)
	fraction := a.Fraction + (1 - top) - scale
	usual, _ := UsualFraction(128)
	switch {
	case fraction > mostFraction:
		return "no ring holds it, so give the program larger numbers (another unit of measure, or a larger constant)"
	case a.Ring.Bits >= 128 || ContractionBits(a.Ring, fraction) >= leastContractions:
		return fmt.Sprintf("set fraction: %d", fraction)
	case fraction > usual:
		return fmt.Sprintf("set ring: 128 and fraction: %d", fraction)
	}
	return "set ring: 128"
}
