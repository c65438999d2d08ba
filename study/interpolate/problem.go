package interpolate

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// problem is what the models are compared on: readings at n sites and t times, split into training and test sites.
type problem struct {
	sites, times int
	owner        []int     // by site, ascending: the number of its owner
	owners       int       // number of owners
	features     int       // number of secret features
	x            []float64 // sites × times × features, secret
	y            []float64 // sites × times, secret
	places       []float64 // sites × 2: km east and north of the sites' centre, public
	clock        []float64 // times × 2: cosine and sine of the time of the day, public; empty if there is one time
	scale        float64   // km of one unit in which models see places
	train, test  []int     // sites, ascending, public
}

// newProblem splits the sites of hourly readings: a fifth of them are test sites.
func newProblem(d *Readings, seed uint64) *problem {
	p := &problem{sites: len(d.Sites), times: len(d.Times), features: len(d.Features)}
	numbers := d.owners()
	p.owners = len(numbers)
	var lat, lon float64
	for _, s := range d.Sites {
		lat, lon = lat+s.Lat/float64(p.sites), lon+s.Lon/float64(p.sites)
	}
	for i := range d.Sites {
		s := &d.Sites[i]
		p.owner = append(p.owner, numbers[s.Owner])
		east, north := s.plane(lat, lon)
		p.places = append(p.places, east, north)
		for _, x := range s.X {
			p.x = append(p.x, x...)
		}
		p.y = append(p.y, s.Y...)
	}
	for _, v := range p.places {
		p.scale += v * v / float64(len(p.places))
	}
	p.scale = max(math.Sqrt(p.scale), 1e-3)
	if p.times > 1 {
		for _, at := range d.Times {
			angle := 2 * math.Pi * float64(at.Hour()) / 24
			p.clock = append(p.clock, math.Cos(angle), math.Sin(angle))
		}
	}
	order := rand.New(rand.NewPCG(seed, 1)).Perm(p.sites)
	p.test = order[:p.sites/5]
	p.train = order[p.sites/5:]
	slices.Sort(p.test)
	slices.Sort(p.train)
	return p
}

// rank returns the party that a site belongs to: owners are split into parties in their order.
func (p *problem) rank(site, parties int) int { return p.owner[site] * parties / p.owners }

// rows returns the sites of a party, which are first to last−1.
func (p *problem) rows(rank, parties int) (first, last int) {
	for i := range p.sites {
		if p.rank(i, parties) < rank {
			first = i + 1
		}
		if p.rank(i, parties) <= rank {
			last = i + 1
		}
	}
	return first, last
}

// distance returns the distance of two sites in km.
func (p *problem) distance(i, j int) float64 {
	return math.Hypot(p.places[2*i]-p.places[2*j], p.places[2*i+1]-p.places[2*j+1])
}

// nearest returns the k training sites that are nearest to a site, without the site itself, the nearest first.
func (p *problem) nearest(site, k int, of []int) []int {
	list := slices.DeleteFunc(slices.Clone(of), func(j int) bool { return j == site })
	slices.SortStableFunc(list, func(a, b int) int {
		switch da, db := p.distance(site, a), p.distance(site, b); {
		case da < db:
			return -1
		case da > db:
			return 1
		}
		return 0
	})
	return list[:min(k, len(list))]
}

// all returns the numbers of all sites.
func (p *problem) all() []int {
	out := make([]int, p.sites)
	for i := range out {
		out[i] = i
	}
	return out
}

// The graphs' parameters.
const (
	hops1    = 6    // neighbours of a site in the graph of the GCN
	hop2     = 0.5  // weight of sites that are two hops away, relative to neighbours
	nearby   = 5    // neighbours whose mean the model "Meaner" takes
	pool     = 10   // neighbours from which GraphSAGE samples
	sampled  = 5    // neighbours that it samples
	samples  = 16   // samples that it takes in turns
	hidden   = 16   // width of hidden layers
	variance = 1e-3 // added to the variance of a feature by which it is divided
)

// adjacency returns the normalised multi-hop adjacency of all sites, D^-½·(1 + A + hop2·A²)·D^-½, where A joins each site and
// its nearest ones, and A² those two hops away.
func (p *problem) adjacency() *tensor.Array {
	n := p.sites
	near := make([]bool, n*n)
	for i := range n {
		for _, j := range p.nearest(i, hops1, p.all()) {
			near[i*n+j], near[j*n+i] = true, true
		}
	}
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if !near[i*n+j] {
				continue
			}
			for k := range n {
				if near[j*n+k] {
					a[i*n+k] = hop2
				}
			}
		}
	}
	degree := make([]float64, n)
	for i := range n {
		for j := range n {
			if near[i*n+j] || i == j {
				a[i*n+j] = 1
			}
			degree[i] += a[i*n+j]
		}
	}
	for i := range n {
		for j := range n {
			a[i*n+j] /= math.Sqrt(degree[i] * degree[j])
		}
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{n, n}, a)
}

// means returns a matrix of all sites × training sites that averages over the given training sites of each site.
func (p *problem) means(of func(site int) []int) []float64 {
	at := map[int]int{}
	for k, i := range p.train {
		at[i] = k
	}
	out := make([]float64, p.sites*len(p.train))
	for i := range p.sites {
		list := of(i)
		for _, j := range list {
			out[i*len(p.train)+at[j]] = 1 / float64(len(list))
		}
	}
	return out
}

// nearestMeans is the matrix of means over the k nearest training sites.
func (p *problem) nearestMeans(k int) *tensor.Array {
	m := p.means(func(i int) []int { return p.nearest(i, k, p.train) })
	return tensor.FromFloats(tensor.F32, tensor.Shape{p.sites, len(p.train)}, m)
}

// sampledMeans are matrices of means over random neighbours: samples × training sites × training sites.
func (p *problem) sampledMeans(seed uint64) *tensor.Array {
	r := rand.New(rand.NewPCG(seed, 2))
	n := len(p.train)
	out := make([]float64, 0, samples*n*n)
	for range samples {
		m := p.means(func(i int) []int {
			list := p.nearest(i, pool, p.train)
			r.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
			return list[:min(sampled, len(list))]
		})
		for _, i := range p.train {
			out = append(out, m[i*n:(i+1)*n]...)
		}
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{samples, n, n}, out)
}
