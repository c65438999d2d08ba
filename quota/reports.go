package quota

import (
	"maps"
	"sync"
	"time"
)

// Period is the length of time for which Reports counts the reports of one origin.
const Period = time.Minute

// maxOrigins bounds the number of origins that Reports remembers. Further ones count as one origin.
const maxOrigins = 1000

// Reports limits how often events are reported: at most Burst times in a Period for each origin. The zero value
// is ready for use. It is safe for concurrent use.
type Reports struct {
	Burst int // maximum number of reports of an origin within a Period; 0 stands for 1

	mu    sync.Mutex
	last  map[string]*report
	swept time.Time // when old origins were last forgotten
}

// report is what is remembered of an origin.
type report struct {
	at         time.Time // of the first report of the present Period
	reported   int       // reports since then
	suppressed int       // events since the last report
}

// Add records an event of origin at time now. due says whether the caller should report it. suppressed is then
// the number of the origin's events since its last report that were not reported. An origin without an event for
// two Periods may be forgotten, and that number with it.
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
	if of == nil {
		if of = (&report{at: now}); r.last == nil {
			r.last = map[string]*report{}
		}
		r.last[origin] = of
	}
	if now.Sub(of.at) >= Period {
		of.at, of.reported = now, 0
	}
	if of.reported >= max(r.Burst, 1) {
		of.suppressed++
		return false, 0
	}
	suppressed = of.suppressed
	of.reported++
	of.suppressed = 0
	return true, suppressed
}
