package semi2k

import (
	"math/bits"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
)

// circuit is how a comparison of so many bits is done: digit sizes, least
// significant first, and levels.
type circuit struct {
	digits []int
	levels []level
}

// split divides total into parts that differ by one at most, larger first.
func split(total, parts int) []int {
	out := make([]int, parts)
	for i := range out {
		out[i] = total / parts
		if i < total%parts {
			out[i]++
		}
	}
	return out
}

func newCircuit(width, digits int, counts []int) circuit {
	c := circuit{digits: split(width, digits)}
	have := digits
	for _, n := range counts {
		c.levels = append(c.levels, level{groups: split(have, n)})
		have = n
	}
	return c
}

// rounds are one for each level and one to open the result.
func (c circuit) rounds() int { return len(c.levels) + 1 }

// cost is bits opened and bits dealt for each element, the masked result bit
// and the mask's sign bit included. A group of r digits opens r−1 "less" and
// its "equal" bits but the lowest (that too if its own "equal" is needed), and
// needs all monomials of two or more of the masks that meet in one product.
func (c circuit) cost() (online, dealt int) {
	online, dealt = 1, 1
	for _, d := range c.digits {
		dealt += 1<<d - 1
	}
	for _, level := range c.levels {
		for i, r := range level.groups {
			switch {
			case r == 1:
			case i > 0:
				online += 2*(r-1) + 1
				dealt += 2 * (1<<r - 1 - r)
			default:
				online += 2 * (r - 1)
				dealt += 3<<(r-1) - 1 - 2*r
			}
		}
	}
	return online, dealt
}

// Limits of the search for circuits.
const (
	maxDigit = 8
	maxFanIn = 8
	// dealtPrice is how many dealt bits weigh as much as one opened bit.
	dealtPrice = 16
)

var circuits sync.Map // [2]int → circuit

// compareCircuit is the cheapest circuit for a width in bits, of at most so
// many rounds if there is one, in opened plus dealt/dealtPrice bits.
func compareCircuit(width, rounds int) circuit {
	key := [2]int{width, rounds}
	if c, ok := circuits.Load(key); ok {
		return c.(circuit)
	}
	var best circuit
	for levels := rounds - 1; best.digits == nil; levels++ {
		search(width, levels, func(c circuit) {
			if best.digits == nil || c.cheaper(best) {
				best = c
			}
		})
	}
	for i, l := range best.levels {
		best.levels[i] = newLevel(l.groups)
	}
	kept, _ := circuits.LoadOrStore(key, best) // one for all parties
	return kept.(circuit)
}

// comparisonRounds is how many rounds a comparison may take, its result's opening
// included. With 2 it takes more dealt and fewer sent bits.
func comparisonRounds(op *flow.Op) int {
	if op.Aim == flow.ForRounds {
		return 2
	}
	return 3
}

// cheaper compares costs; of equal ones fewer rounds win, then fewer opened
// bits.
func (c circuit) cheaper(d circuit) bool {
	con, coff := c.cost()
	don, doff := d.cost()
	x, y := con*dealtPrice+coff, don*dealtPrice+doff
	if x != y {
		return x < y
	}
	if c.rounds() != d.rounds() {
		return c.rounds() < d.rounds()
	}
	return con < don
}

// search calls f for every circuit of at most the given number of levels.
func search(width, levels int, f func(circuit)) {
	var descend func(digits, have int, counts []int)
	descend = func(digits, have int, counts []int) {
		if have == 1 {
			f(newCircuit(width, digits, counts))
			return
		}
		if len(counts) == levels {
			return
		}
		for n := (have + maxFanIn - 1) / maxFanIn; n < have; n++ {
			descend(digits, n, append(counts[:len(counts):len(counts)], n))
		}
	}
	for digits := (width + maxDigit - 1) / maxDigit; digits <= width; digits++ {
		descend(digits, digits, nil)
	}
}

// wrapBits is how many top bits the parties open to count how often the sum
// of n shares wraps: 1, 2, 3 for 2, 3, 4 to 5 parties.
func wrapBits(n int) int { return 1 + bits.Len(uint(n-2)) }
