package he

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/ring"
)

// crew is the process's goroutines that help the steps of products with ciphertexts. Many of these steps take less time than a sleeping
// processor takes to wake up, so that goroutines of the crew look for work without a pause while there is a user, and work goes to
// whoever comes first: nothing waits for a goroutine that has not begun.
var crew struct {
	mu    sync.Mutex
	size  int          // goroutines
	users atomic.Int32 // calls of Together that have not ended
	open  [4]atomic.Pointer[section]
}

// section is work in n parts, which go to whoever asks next.
type section struct {
	n          int64
	part       func(i int)
	next, done atomic.Int64
}

// mostCrew bounds the number of goroutines of the crew.
const mostCrew = 3

// Together has other processors help with products until the returned function is called.
func Together() (end func()) {
	crew.mu.Lock()
	defer crew.mu.Unlock()
	crew.users.Add(1)
	for ; crew.size < min(ring.Helpers(), mostCrew); crew.size++ {
		go help()
	}
	return func() { crew.users.Add(-1) }
}

// help works for the crew until there is no user.
func help() {
	const patience = 100 * time.Microsecond // between two steps of a product no more time passes, unless the other processor is taken away
	last, pause := time.Now(), patience
	for {
		busy := false
		for i := range crew.open {
			if s := crew.open[i].Load(); s != nil && s.work() {
				busy = true
			}
		}
		switch {
		case busy:
			last, pause = time.Now(), patience
		case crew.users.Load() == 0:
			crew.mu.Lock()
			if crew.users.Load() == 0 {
				crew.size--
				crew.mu.Unlock()
				return
			}
			crew.mu.Unlock()
		case time.Since(last) > patience:
			time.Sleep(pause)
			pause = min(2*pause, 10*patience)
		default:
			runtime.Gosched()
		}
	}
}

// work does parts that nobody has begun, and reports whether there were any.
func (s *section) work() (did bool) {
	for {
		i := s.next.Add(1) - 1
		if i >= s.n {
			return did
		}
		s.part(int(i))
		s.done.Add(1)
		did = true
	}
}

// beside calls all functions, on several processors, and returns when all have returned.
func beside(list ...func()) { shared(len(list), func(i int) { list[i]() }) }

// together is the number of coefficients that are packed, unpacked or read as fractions in one part of such work. It is a multiple of 64,
// so that the numbers of a part fill whole words.
const together = 2048

// inParts calls f(lo, hi) for consecutive parts of [0, n), on several processors.
func inParts(n int, f func(part, lo, hi int)) {
	shared((n+together-1)/together, func(i int) { f(i, i*together, min((i+1)*together, n)) })
}

// shared calls part for all numbers below n, on several processors, and returns when all calls have returned.
func shared(n int, part func(i int)) {
	if crew.users.Load() == 0 {
		ring.Parallel(n, 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				part(i)
			}
		})
		return
	}
	s := &section{n: int64(n), part: part}
	for i := range crew.open {
		if crew.open[i].CompareAndSwap(nil, s) {
			defer crew.open[i].Store(nil)
			break
		}
	}
	s.work()
	for s.done.Load() < s.n {
		runtime.Gosched()
	}
}
