package party

import (
	"context"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/party/offline"
)

// Lead says how many of a service's coming requests already have correlations. This process counts what it has asked
// for and received; it sends no message for that.
type Lead struct {
	Requested   int   // requests to come whose correlations the parties have asked for
	Arrived     int   // those of them whose corrections have all arrived in this process
	Corrections bool  // a party of this process receives corrections; the others derive their correlations from seeds
	Bytes       int64 // bytes of one request's corrections
}

// ahead is a prepared request of a service.
type ahead struct {
	missing     atomic.Int32 // parties of this process whose corrections have not all arrived
	corrections bool
	bytes       int64
}

// watchArrival makes ahead of an execution whose correlations were requested, and counts its corrections until they have arrived or
// the service ends.
func (v *Service) watchArrival(l *execution) {
	a := &ahead{}
	a.missing.Store(int32(len(l.sessions)))
	for _, x := range l.sessions {
		a.bytes = max(a.bytes, x.plan.corrections)
		a.corrections = a.corrections || x.correlations.Corrections() != nil
		go func(c offline.Correlations, ctx context.Context) {
			if c.Complete(ctx) == nil {
				a.missing.Add(-1)
			}
		}(x.correlations, v.lifetime)
	}
	l.ahead = a
}

// setAhead makes Lead describe these prepared requests.
func (v *Service) setAhead(prepared []*execution) {
	all := make([]*ahead, 0, len(prepared))
	for _, l := range prepared {
		if l.ahead != nil {
			all = append(all, l.ahead)
		}
	}
	v.ahead.Store(&all)
}

// Lead returns how far the dealer is ahead of the requests that wait: requests that are being evaluated do not count.
// It is safe for concurrent use.
func (v *Service) Lead() Lead {
	var out Lead
	all := v.ahead.Load()
	if all == nil {
		return out
	}
	for _, a := range *all {
		out.Requested++
		if a.missing.Load() == 0 {
			out.Arrived++
		}
		out.Corrections = out.Corrections || a.corrections
		out.Bytes = max(out.Bytes, a.bytes)
	}
	return out
}
