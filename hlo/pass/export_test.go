package pass

// Results and Agree are exported for tests that need packages above this one.
var (
	Results = results
	Agree   = agree
)
