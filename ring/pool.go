package ring

import (
	"math/bits"
	"runtime"
	"sync"
)

// buffers holds freed buffers by the logarithm of their capacity. Only
// buffers of a power of two words, from pooledMin up, come from it.
var buffers [40]sync.Pool

const pooledMin = 1 << 9

// grab gives n words of zeros; never nil.
func grab(n int) []uint64 {
	if n < pooledMin {
		return make([]uint64, n)
	}
	class := bits.Len(uint(n - 1))
	if p, ok := buffers[class].Get().(*[]uint64); ok {
		w := (*p)[:n]
		clear(w)
		return w
	}
	if n&(n-1) != 0 && n > 1<<20 {
		return make([]uint64, n) // not pooled: rounding up would waste memory
	}
	return make([]uint64, n, 1<<class)
}

func release(w []uint64) {
	c := cap(w)
	if c < pooledMin || c&(c-1) != 0 {
		return
	}
	w = w[:0]
	buffers[bits.Len(uint(c-1))].Put(&w)
}

// helpers bounds how many goroutines beside their callers kernels may use, in
// all of the process.
var helpers = make(chan struct{}, max(0, runtime.GOMAXPROCS(0)-1))

// Parallel calls f on consecutive parts of [0, n), each of at least grain
// elements, on the calling goroutine and on whichever of the process's helpers
// are idle. It returns when all parts are done.
func Parallel(n, grain int, f func(lo, hi int)) {
	parts := min(n/max(grain, 1), cap(helpers)+1)
	if parts < 2 {
		if n > 0 {
			f(0, n)
		}
		return
	}
	var wg sync.WaitGroup
	lo := 0
	for p := 1; p <= parts; p++ {
		hi := n * p / parts
		if p == parts {
			f(lo, hi)
			break
		}
		select {
		case helpers <- struct{}{}:
			wg.Add(1)
			go func(lo, hi int) {
				defer func() { <-helpers; wg.Done() }()
				f(lo, hi)
			}(lo, hi)
			lo = hi
		default: // no helper is idle: the part joins the next one
		}
	}
	wg.Wait()
}
