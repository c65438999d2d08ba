package flow

// Work is a kind of local work. A dry run estimates the time of a step from the amounts of each kind (Op.Spend,
// Rates).
type Work uint8

// The kinds of work, each with the unit in which it is counted.
const (
	Steps    Work = iota // steps of a graph; the work is scheduling them
	Bytes                // bytes of vectors that are written to memory
	Cached               // bytes of vectors that are written to a cache, as passes over a block of elements do
	Reads                // bytes of matrices that are read for a product
	Products             // multiply-adds of 64-bit words
	Stream               // bytes of pseudo-random streams
	Packed               // words of elements that are packed into messages without gaps, or unpacked
	Waves                // one for each element and harmonic of a Fourier table: a public cosine and sine, times dealt ones
	Powers               // exponentials of public values, and phases of masks
	Cyclic               // words of elements of a ring modulo 2^q − 1 that are added, multiplied or rotated
	Lookups              // digits looked up in dealt tables
	NumWorks             // not a kind: the number of kinds
)

// Rates holds, for each kind of work, the seconds that one unit takes on one core.
type Rates [NumWorks]float64

// Spend adds work that a step does beyond writing its result to the estimate of the step's time. amount is in the
// unit of w; negative bytes are those of a result that is not written, such as a view. Steps call it in dry runs as in
// other runs; it has an effect in dry runs only.
func (o *Op) Spend(w Work, amount int64) {
	g := o.Graph
	if !g.DryRun() {
		return
	}
	g.spent[w] += amount
	if w == Products {
		o.cost.Products.Add(amount)
	}
}

// takeEstimate is the estimated time, in seconds, of the work booked since the last call and of
// writing a result of hold bytes.
func (g *Graph) takeEstimate(hold int64) float64 {
	g.spent[Steps]++
	g.spent[Bytes] += hold
	seconds := 0.0
	for w, n := range g.spent {
		seconds += float64(n) * g.rates[w]
	}
	clear(g.spent[:])
	return seconds
}
