package profile

import (
	"cmp"
	"slices"
)

// part is a node of the graph of the main function: consecutive operations of one layer, or one
// operation that calls a function with layers of its own, a loop or a branch.
type part struct {
	name   string
	loc    string // of its first operation
	single bool   // it is a call, loop or branch: no other operation joins it
	cost   cost
	calls  int
	path   int // rounds on the longest path
	// first and last are the rounds between which its messages lie; last is 0 if it sends none.
	first, last int
	inputs      []int // indices of the parts that it reads, directly or through operations without cost
}

// maxParts is the maximum number of operations of main that are shown. The cheapest ones and those
// without cost are left out.
const maxParts = 400

// parts returns the parts of the main function in program order, and the number of operations left
// out because of maxParts. A part reads earlier parts only.
func (r *Report) parts() (all []*part, more int) {
	rolled := r.mainTotals()
	tops := make([]int, 0, len(rolled))
	for id := range rolled {
		tops = append(tops, id)
	}
	slices.Sort(tops)
	keep, more := mostExpensive(rolled, tops)
	at := r.ops()
	l := r.layers()
	sources := map[int][]int{} // by operation id: the parts that its results depend on
	for _, id := range tops {
		var from []int
		for _, in := range rolled[id].reads {
			from = append(from, sources[in]...)
		}
		slices.Sort(from)
		from = slices.Compact(from)
		o := at[id]
		if o == nil || !keep[id] {
			sources[id] = from
			continue
		}
		name, own := rolled[id].calls, l.hasLayers(rolled[id].frame)
		if name == "" {
			name = o.label()
		}
		if !own {
			name, _ = l.layerOf(*o, Site{})
		}
		if last := len(all) - 1; own || last < 0 || all[last].name != name || all[last].single {
			all = append(all, &part{name: name, loc: o.Loc, single: own})
		}
		n := len(all) - 1
		all[n].add(&rolled[id].part, from, n)
		sources[id] = []int{n}
	}
	return all, more
}

// hasLayers reports whether a function called from main (by its frame), or a function that it calls,
// has layers of its own.
func (l layers) hasLayers(frame int) bool {
	if frame == 0 {
		return false
	}
	for f := range l.contractions {
		for range len(l.Frames) {
			if f == frame {
				return true
			}
			if f <= 0 || f >= len(l.Frames) {
				break
			}
			f = l.Frames[f].Outer
		}
	}
	return false
}

// add adds the operation o, which reads the parts from, to the part l with index n.
func (l *part) add(o *part, from []int, n int) {
	l.cost.add(o.cost)
	l.calls += o.calls
	l.path += o.path
	if o.last > 0 {
		if l.last == 0 || o.first < l.first {
			l.first = o.first
		}
		l.last = max(l.last, o.last)
	}
	for _, in := range from {
		if in != n && !slices.Contains(l.inputs, in) {
			l.inputs = append(l.inputs, in)
		}
	}
}

func (c *cost) add(d cost) {
	c.bytes += d.bytes
	c.messages += d.messages
	c.offline += d.offline
	c.rounds += d.rounds
	c.seconds += d.seconds
}

// mainTotal is an operation of the main function together with everything that it calls or contains.
type mainTotal struct {
	part
	reads []int  // operation ids
	frame int    // frame of the function, loop or branch that it calls or contains; 0 if none
	calls string // name of the function that it calls, "" if none
}

// mainTotals sums all sites into the operation of the main function that they belong to. Keys are
// operation ids.
func (r *Report) mainTotals() map[int]*mainTotal {
	out := map[int]*mainTotal{}
	get := func(id int) *mainTotal {
		if out[id] == nil {
			out[id] = &mainTotal{}
		}
		return out[id]
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		for _, s := range o.Sites {
			id := o.ID
			if s.Frame != 0 {
				id = r.mainOp(s.Frame)
			}
			t := get(id)
			one := part{
				cost:  cost{sum(s.BytesSent), sum(s.Messages), s.OfflineBytes, s.Rounds, s.Seconds},
				calls: s.Calls, path: s.PathRounds,
			}
			if len(s.Depth) == 2 {
				one.first, one.last = s.Depth[0], s.Depth[1]
			}
			t.part.add(&one, nil, 0)
			for _, in := range o.Inputs {
				if in < id {
					t.reads = append(t.reads, in)
				}
			}
		}
	}
	for i, f := range r.Frames {
		if t := out[f.Op]; t != nil && f.Outer == 0 {
			t.frame, t.calls = i, f.Func
		}
	}
	return out
}

// mainOp returns the id of the operation of the main function whose call contains the frame, -1 if the
// frames are invalid.
func (r *Report) mainOp(frame int) int {
	for range len(r.Frames) {
		if frame < 0 || frame >= len(r.Frames) {
			break
		}
		f := r.Frames[frame]
		if f.Outer <= 0 {
			return f.Op
		}
		frame = f.Outer
	}
	return -1
}

// mostExpensive selects the operations to show: those that send, add rounds or need correlated
// randomness, and those that take more than 1 % of the time; at most maxParts of them, the most
// expensive. more is the number of operations cut by maxParts.
func mostExpensive(all map[int]*mainTotal, ids []int) (keep map[int]bool, more int) {
	var sum cost
	for _, t := range all {
		sum.add(t.cost)
	}
	var worth []int
	for _, id := range ids {
		c := all[id].cost
		if c.bytes > 0 || c.rounds > 0 || c.offline > 0 || c.seconds > sum.seconds/100 {
			worth = append(worth, id)
		}
	}
	share := func(c cost) float64 {
		return ratio(float64(c.bytes), float64(sum.bytes)) + ratio(float64(c.rounds), float64(sum.rounds)) +
			ratio(float64(c.offline), float64(sum.offline)) + ratio(c.seconds, sum.seconds)
	}
	slices.SortStableFunc(worth, func(a, b int) int { return cmp.Compare(share(all[b].cost), share(all[a].cost)) })
	more = max(0, len(worth)-maxParts)
	keep = map[int]bool{}
	for _, id := range worth[:len(worth)-more] {
		keep[id] = true
	}
	return keep, more
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return 0
	}
	return a / b
}
