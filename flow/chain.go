package flow

// chain is what makes a weightless graph's clocks: its exchanges, each with
// the one that its own clock came from. It costs 16 bytes for each exchange
// and holds no step.
type chain []chained

// chained is one exchange. Places in a chain count from 1; 0 is none.
type chained struct {
	cost   *Cost
	rounds int32
	before int32
}

// add notes an exchange of so many rounds that is done at a clock, and returns
// its place.
func (c *chain) add(cost *Cost, rounds, clock, before int32) int32 {
	*c = append(*c, chained{cost, rounds, before})
	if cost.Last == 0 || clock-rounds < cost.First {
		cost.First = clock - rounds
	}
	cost.Last = max(cost.Last, clock)
	return int32(len(*c))
}

// walk books the exchanges that lead to a place as the longest path, and
// forgets the chain.
func (c *chain) walk(at int32) {
	for at > 0 {
		e := (*c)[at-1]
		e.cost.Path += e.rounds
		at = e.before
	}
	*c = nil
}
