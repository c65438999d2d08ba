package profile

import (
	"cmp"
	"fmt"
	"slices"
)

// cost is the cost of one operation or of all operations. Bytes and messages are summed over all
// parties; offline is in bytes.
type cost struct {
	bytes, messages, offline int64
	rounds                   int
	seconds                  float64
}

// hasRun reports whether the report comes from a run with measured times. A plan's report, whose
// predictions are copied into the measured fields, did not run.
func (r *Report) hasRun() bool { return r.Plan == nil && r.Online.Seconds > 0 }

// measured reports whether the measured fields are filled in.
func (r *Report) measured() bool {
	return r.Online.Rounds != 0 || sum(r.Online.BytesSent) != 0 || r.Online.Seconds != 0
}

// online returns the cost of the online phase together with the offline bytes: measured if there
// are measurements, else predicted.
func (r *Report) online() cost {
	if r.measured() {
		o := r.Online
		return cost{sum(o.BytesSent), sum(o.Messages), r.Offline.BytesSent, o.Rounds, o.Seconds}
	}
	p := r.Predicted
	return cost{bytes: sum(p.Online.BytesSent), messages: sum(p.Online.Messages), offline: p.Offline.BytesSent, rounds: p.Online.Rounds}
}

// cost returns the operation's cost, measured or predicted.
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

// Order is the cost by which a table of operations is sorted, the most expensive first.
type Order string

// The costs by which tables can be sorted.
const (
	ByBytes      Order = "bytes"   // bytes sent online
	ByRounds     Order = "rounds"  // online rounds
	ByOffline    Order = "offline" // offline bytes
	BySeconds    Order = "time"    // local computation time
	ProgramOrder Order = "program" // not sorted by cost, but in the order of the program
)

// compare orders two costs, the more expensive one first.
func (by Order) compare(a, b cost) int { return cmp.Compare(by.costOf(b), by.costOf(a)) }

// costOf returns the component of a cost that the order sorts by, 0 for InOrder.
func (by Order) costOf(c cost) float64 {
	switch by {
	case ByBytes:
		return float64(c.bytes)
	case ByRounds:
		return float64(c.rounds)
	case ByOffline:
		return float64(c.offline)
	case BySeconds:
		return c.seconds
	case ProgramOrder:
		return 0
	}
	panic(fmt.Sprintf("profile: no order %q", string(by)))
}

// sorted returns the operations with a non-zero cost, the most expensive first; operations of equal
// cost are in program order. Local time counts as a cost only for BySeconds.
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

// Add appends s to the operation's sites and adds its cost to the operation's totals.
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
