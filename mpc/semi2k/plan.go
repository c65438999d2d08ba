package semi2k

import (
	"math/bits"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
)

// circuit describes a comparison (docs/protocols/bits.md#less-than): sizes of the digits in bits, least
// significant first, and levels of gates.
type circuit struct {
	digits []int
	levels []level
}

// split divides total into parts that differ by at most one, larger ones first.
func split(total, parts int) []int { return appendSplit(make([]int, 0, parts), total, parts) }

// appendSplit appends the parts that split returns.
func appendSplit(to []int, total, parts int) []int {
	for i := range parts {
		part := total / parts
		if i < total%parts {
			part++
		}
		to = append(to, part)
	}
	return to
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

// rounds is one for each level and one to open the result.
func (c circuit) rounds() int { return len(c.levels) + 1 }

// cost returns the bits opened and dealt for each element, including the opening of the result and the mask's
// top bit. A group of r digits opens r−1 bits less and r−1 bits equal, and one more equal if the group's
// equal is needed. It takes one dealt bit for each monomial of two or more mask bits that occurs in a
// product.
func (c circuit) cost() (online, dealt int) {
	online, dealt = 1, 1
	for _, d := range c.digits {
		dealt += 1<<d - 1
	}
	for _, level := range c.levels {
		sent, more := level.cost()
		online, dealt = online+sent, dealt+more
	}
	return online, dealt
}

// cost returns the bits opened and dealt for each element of a level.
func (l level) cost() (online, dealt int) {
	for i, r := range l.groups {
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
	return online, dealt
}

// Limits of the search for circuits, and the weight of dealt bits.
const (
	maxDigit = 8
	maxFanIn = 8
	// dealtPerOpened is how many dealt bits weigh as much as one opened bit.
	dealtPerOpened = 16
)

var circuits sync.Map // [2]int → circuit

// compareCircuit is the cheapest circuit for a width in bits: opened bits plus dealt bits / dealtPerOpened,
// with at most the given number of rounds if there is such a circuit.
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
	kept, _ := circuits.LoadOrStore(key, best) // all parties share one
	return kept.(circuit)
}

// comparisonRounds is the number of rounds that a comparison may take, the opening of its result included. A
// circuit of two rounds takes more dealt bits and fewer sent bits.
func comparisonRounds(op *flow.Op) int {
	if op.Objective == flow.ForRounds {
		return 2
	}
	return 3
}

// cheaper compares costs. Of circuits with equal costs the one with fewer rounds is cheaper, then the one
// with fewer opened bits.
func (c circuit) cheaper(d circuit) bool {
	con, coff := c.cost()
	don, doff := d.cost()
	x, y := con*dealtPerOpened+coff, don*dealtPerOpened+doff
	if x != y {
		return x < y
	}
	if c.rounds() != d.rounds() {
		return c.rounds() < d.rounds()
	}
	return con < don
}

// search calls f for each circuit with at most the given number of levels.
func search(width, levels int, f func(circuit)) {
	for digits := (width + maxDigit - 1) / maxDigit; digits <= width; digits++ {
		searchLevels(digits, levels, func(counts []int) { f(newCircuit(width, digits, counts)) })
	}
}

// searchLevels calls f with the number of groups of each level, for all ways to combine so many digits in at most the given number of
// levels.
func searchLevels(digits, levels int, f func(counts []int)) {
	var descend func(have int, counts []int)
	descend = func(have int, counts []int) {
		if have == 1 {
			f(counts)
			return
		}
		if len(counts) == levels {
			return
		}
		for n := (have + maxFanIn - 1) / maxFanIn; n < have; n++ {
			descend(n, append(counts[:len(counts):len(counts)], n))
		}
	}
	descend(digits, nil)
}

// wrapBits is the number of top bits t that parties open to count the wraps of the sum of n shares: 1 +
// ⌈log2(n−1)⌉ (docs/protocols/arithmetic.md#truncation).
func wrapBits(n int) int { return 1 + bits.Len(uint(n-2)) }
