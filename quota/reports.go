package quota

import (
	"maps"
	"sync"
	"time"
)

// Period is the time within which an event of one origin is reported once.
const Period = time.Minute

// maxOrigins bounds the number of origins that Reports remembers. Further ones count as one origin.
const maxOrigins = 1000

// Reports limits how often events are reported: once a Period for each origin. The zero value is ready
// for use. It is safe for concurrent use.
type Reports struct {
	mu    sync.Mutex
	last  map[string]*report
	swept time.Time // when old origins were last forgotten
}

// report is the last report of an origin's events.
type report struct {
	at         time.Time
	suppressed int // events since then
}

// Add records an event. due says whether it is to be reported, and suppressed is the number of the
// origin's events that were not reported since the last report. An origin without an event for two
// Periods may be forgotten, together with that number.
func (r *Reports) Add(origin string, now time.Time) (due bool, suppressed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now.Sub(r.swept) >= Period {
		r.swept = now
		maps.DeleteFunc(r.last, func(_ string, of *report) bool { return now.Sub(of.at) >= 2*Period })
	}
	if r.last[origin] == nil && len(r.last) >= maxOrigins {
		origin = ""
	}
	of := r.last[origin]
	if of != nil && now.Sub(of.at) < Period {
		of.suppressed++
		return false, 0
	}
	if r.last == nil {
		r.last = map[string]*report{}
	}
	r.last[origin] = &report{at: now}
	if of != nil {
		suppressed = of.suppressed
	}
	return true, suppressed
}
