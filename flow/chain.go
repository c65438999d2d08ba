package flow

// chain is what makes a weightless graph's clocks: its exchanges, each with
// the one that its own clock came from. It costs 16 bytes for each exchange
// and holds no step.
type chain []chained

// chained is one exchange. Places in a chain count from 1; 0 is none.
type chained struct {
	cost   *Cost
	before int32
}

// add notes an exchange that is done at a clock, and returns its place.
func (c *chain) add(cost *Cost, clock, before int32) int32 {
	*c = append(*c, chained{cost, before})
	if cost.Last == 0 || clock-1 < cost.First {
		cost.First = clock - 1
	}
	cost.Last = max(cost.Last, clock)
	return int32(len(*c))
}

// walk books the exchanges that lead to a place as the longest path, and
// forgets the chain.
func (c *chain) walk(at int32) {
	for at > 0 {
		e := (*c)[at-1]
		e.cost.Path++
		at = e.before
	}
	*c = nil
}
