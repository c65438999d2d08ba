package quota

import (
	"maps"
	"sync"
	"time"
)

// Rate bounds how often each origin does something: Most times at once, and after that as often as Most in a Period, evenly spread.
// It is safe for concurrent use.
type Rate struct {
	Most int // events of one origin at once; at least 1

	mu    sync.Mutex
	full  map[string]time.Time // by origin: when all its Most events are available again, unless it has more
	swept time.Time            // when origins without recent events were last forgotten
}

// Take records an event of origin at time now and returns 0, or, if origin has none left, records nothing and returns the time until
// it may have one. Of the first 1000 origins each has its own events; further ones share those of one origin, until others have been
// quiet for a Period. A clock that is set back makes nobody wait longer than a Period.
func (r *Rate) Take(origin string, now time.Time) (wait time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.full == nil {
		r.full = map[string]time.Time{}
	}
	if age := now.Sub(r.swept); age >= Period || age < 0 {
		r.swept = now
		maps.DeleteFunc(r.full, func(_ string, full time.Time) bool { return !full.After(now) })
	}
	if _, ok := r.full[origin]; !ok && len(r.full) >= maxOrigins {
		origin = ""
	}
	// An event takes each, and a Period gives all of them back.
	each := Period / time.Duration(r.Most)
	missing := min(max(r.full[origin].Sub(now), 0), Period)
	if wait := missing + each - Period; wait > 0 {
		return wait
	}
	r.full[origin] = now.Add(missing + each)
	return 0
}
