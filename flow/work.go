package flow

// Work is a kind of local work, by which a weightless graph estimates how long
// its steps would take.
type Work uint8

// The kinds of work, and what they are counted in.
const (
	Steps    Work = iota // steps of a graph: what scheduling one takes
	Bytes                // bytes of vectors that are written
	Products             // multiply-adds of words of 64 bits
	Stream               // bytes of pseudo-random streams
	Waves                // elements times harmonics: a sine and a cosine, public and dealt
	Powers               // exponentials
	Lookups              // digits looked up in dealt tables
	Works                // how many kinds there are
)

// Rates are the seconds that a unit of each kind of work takes on one core.
type Rates [Works]float64

// Spend books work that a step does beyond writing its result. It counts in
// weightless graphs, whose steps call it where a run would do the work.
func (o *Op) Spend(w Work, amount int64) {
	g := o.Graph
	if !g.Weightless() {
		return
	}
	g.spent[w] += amount
	if w == Products {
		o.cost.Products.Add(amount)
	}
}

// worked is the time of what was spent since the last call; a step's result
// takes so many bytes.
func (g *Graph) worked(hold int64) float64 {
	g.spent[Steps]++
	g.spent[Bytes] += hold
	seconds := 0.0
	for w, n := range g.spent {
		seconds += float64(n) * g.rates[w]
	}
	clear(g.spent[:])
	return seconds
}
