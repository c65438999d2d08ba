package exec

// SetLeastOwned sets leastOwned and returns what it was.
func SetLeastOwned(n int) (before int) {
	before, leastOwned = leastOwned, n
	return before
}
