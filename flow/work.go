package flow

// Work is a kind of local work, by which a dry run estimates the time of its steps.
type Work uint8

// The kinds of work and their units.
const (
	Steps    Work = iota // steps of a graph: the time of scheduling one
	Bytes                // bytes of vectors written
	Products             // multiply-adds of words of 64 bits
	Stream               // bytes of pseudo-random streams
	Waves                // elements times harmonics: a cosine and a sine, of the public and of the dealt side
	Powers               // exponentials
	Lookups              // digits looked up in dealt tables
	NumWorks             // number of kinds
)

// Rates are seconds for a unit of each kind of work, on one core.
type Rates [NumWorks]float64

// Spend books work that a step does beyond writing its result. It has an effect only in dry runs,
// whose steps call it where a run would do the work.
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
