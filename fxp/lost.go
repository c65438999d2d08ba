package fxp

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/tensor"
)

// mostFraction is the largest fraction at which contractions in a 128-bit ring still reach 2^40.
const mostFraction = 43

// leastContractions is the smallest range of contractions, in bits, that a proposed fraction leaves.
const leastContractions = 20

// noteLost calls Lost if a public array holds one number that is not 0 and rounds to 0 at a scale. Arrays of
// several numbers are data, whose small elements are rounded as inputs' are.
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

// remedy names the settings with which a number of the given magnitude is at least one unit where it has this
// scale now.
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
