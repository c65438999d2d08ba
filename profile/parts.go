package profile

import (
	"cmp"
	"slices"
)

// part is a part of the main function: a run of operations of one layer, or the
// call of a function that has layers of its own, a loop or a branch.
type part struct {
	name  string
	loc   string // of its first operation
	own   bool   // it is a call or the like, and a part for itself
	cost  cost
	calls int
	path  int // rounds on the longest path
	// Its exchanges lie between these depths, if last is not 0.
	first, last int
	inputs      []int // the parts that it reads, directly or through what costs nothing
}

// maxParts bounds how many operations of main are shown; what is less dear than
// those is left out, as is what costs nothing.
const maxParts = 400

// parts are the parts of the main function in the program's order, and how
// many operations were left out because there are too many. Each reads earlier
// ones only.
func (r *Report) parts() (all []*part, more int) {
	rolled := r.rolled()
	tops := make([]int, 0, len(rolled))
	for id := range rolled {
		tops = append(tops, id)
	}
	slices.Sort(tops)
	keep, more := dearest(rolled, tops)
	at := r.ops()
	l := r.layers()
	sources := map[int][]int{} // by operation: the parts that its results come from
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
		name, own := rolled[id].calls, l.within(rolled[id].frame)
		if name == "" {
			name = o.label()
		}
		if !own {
			name, _ = l.of(*o, Site{})
		}
		if last := len(all) - 1; own || last < 0 || all[last].name != name || all[last].own {
			all = append(all, &part{name: name, loc: o.Loc, own: own})
		}
		n := len(all) - 1
		all[n].add(&rolled[id].part, from, n)
		sources[id] = []int{n}
	}
	return all, more
}

// within reports whether a frame of the main function, if it is one, or what is
// called in it has layers of its own.
func (l layers) within(frame int) bool {
	if frame == 0 {
		return false
	}
	for f := range l.begin {
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

// add puts an operation that reads parts into a part, the n-th.
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

// total is an operation of the main function with all that it calls or holds.
type total struct {
	part
	reads []int  // operations
	frame int    // of what it calls or holds, 0 if it does not
	calls string // the function that it calls, "" for none
}

// rolled adds up what operations of the main function call or hold.
func (r *Report) rolled() map[int]*total {
	out := map[int]*total{}
	get := func(id int) *total {
		if out[id] == nil {
			out[id] = &total{}
		}
		return out[id]
	}
	for i := range r.Ops {
		o := &r.Ops[i]
		for _, s := range o.Sites {
			id := o.ID
			if s.Frame != 0 {
				id = r.top(s.Frame)
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

// top is the operation of the main function that leads to a frame.
func (r *Report) top(frame int) int {
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

// dearest says which operations are worth showing: those that send or wait or
// are dealt for, and those that take a hundredth of the time.
func dearest(all map[int]*total, ids []int) (keep map[int]bool, more int) {
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
