package flow

// chain holds the exchanges of a dry run, each with the exchange that its clock follows from, so
// that the longest path can be found. It takes 16 bytes for each exchange and keeps no step alive.
type chain []chainedExchange

// chainedExchange is one exchange. Positions in a chain count from 1; 0 is none.
type chainedExchange struct {
	cost   *Cost
	rounds int32
	before int32
}

// add appends an exchange of so many rounds that ends at a clock, and returns its position.
func (c *chain) add(cost *Cost, rounds, clock, before int32) int32 {
	*c = append(*c, chainedExchange{cost, rounds, before})
	if cost.Last == 0 || clock-rounds < cost.First {
		cost.First = clock - rounds
	}
	cost.Last = max(cost.Last, clock)
	return int32(len(*c))
}

// bookPath books the exchanges that lead to a position in Cost.Path, and clears the chain.
func (c *chain) bookPath(at int32) {
	for at > 0 {
		e := (*c)[at-1]
		e.cost.Path += e.rounds
		at = e.before
	}
	*c = nil
}
