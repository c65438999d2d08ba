package profile

import (
	"cmp"
	"fmt"
	"slices"
)

// cost is what an op, or all of them, takes; bytes and messages of all
// parties together.
type cost struct {
	bytes, messages, offline int64
	rounds                   int
	seconds                  float64
}

// ran reports whether what is measured comes from a run, and not from a plan
// that is put in its place.
func (r *Report) ran() bool { return r.Plan == nil && r.Online.Seconds > 0 }

// measured reports whether a run filled in the report, not only a plan.
func (r *Report) measured() bool {
	return r.Online.Rounds != 0 || sum(r.Online.BytesSent) != 0 || r.Online.Seconds != 0
}

// online is the cost of the online phase and of everything offline.
func (r *Report) online() cost {
	if r.measured() {
		o := r.Online
		return cost{sum(o.BytesSent), sum(o.Messages), r.Offline.BytesSent, o.Rounds, o.Seconds}
	}
	p := r.Predicted
	return cost{bytes: sum(p.Online.BytesSent), messages: sum(p.Online.Messages), offline: p.Offline.BytesSent, rounds: p.Online.Rounds}
}

// cost is an op's, as measured or predicted.
func (o *Op) cost(measured bool) cost {
	if measured {
		return cost{sum(o.BytesSent), sum(o.Messages), o.OfflineBytes, o.Rounds, o.Seconds}
	}
	p := o.Predicted
	return cost{bytes: sum(p.BytesSent), messages: sum(p.Messages), offline: p.OfflineBytes, rounds: p.Rounds}
}

func sum(v []int64) int64 {
	var s int64
	for _, x := range v {
		s += x
	}
	return s
}

// Order is what a table of ops is sorted by, the dearest first.
type Order string

// The orders of a table.
const (
	ByBytes   Order = "bytes"
	ByRounds  Order = "rounds"
	ByOffline Order = "offline"
	BySeconds Order = "time"
	InOrder   Order = "program" // not by cost
)

// compare orders two costs, the dearer first.
func (by Order) compare(a, b cost) int { return cmp.Compare(by.of(b), by.of(a)) }

// of is the part of a cost that an order is by.
func (by Order) of(c cost) float64 {
	switch by {
	case ByBytes:
		return float64(c.bytes)
	case ByRounds:
		return float64(c.rounds)
	case ByOffline:
		return float64(c.offline)
	case BySeconds:
		return c.seconds
	case InOrder:
		return 0
	}
	panic(fmt.Sprintf("profile: no order %q", string(by)))
}

// sorted lists the ops that cost anything, the dearest first, in the
// program's order where they cost the same.
func (r *Report) sorted(by Order) []Op {
	measured := r.measured()
	ops := slices.DeleteFunc(slices.Clone(r.Ops), func(o Op) bool {
		c := o.cost(measured)
		return c.bytes == 0 && c.offline == 0 && c.rounds == 0 && (by != BySeconds || c.seconds == 0)
	})
	slices.SortStableFunc(ops, func(a, b Op) int {
		return cmp.Or(by.compare(a.cost(measured), b.cost(measured)), cmp.Compare(a.ID, b.ID))
	})
	return ops
}

// Add adds a place in the tree of calls and what the operation costs there.
func (o *Op) Add(s Site) {
	o.Sites = append(o.Sites, s)
	o.Calls += s.Calls
	o.Seconds += s.Seconds
	o.Rounds += s.Rounds
	o.OfflineBytes += s.OfflineBytes
	o.PathRounds += s.PathRounds
	for i := range s.BytesSent {
		o.BytesSent[i] += s.BytesSent[i]
		o.Messages[i] += s.Messages[i]
	}
}
