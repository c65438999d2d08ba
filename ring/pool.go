package ring

import (
	"math/bits"
	"runtime"
	"sync"
)

// buffers holds freed buffers by their capacity: eight sizes an octave, so that
// rounding up wastes an eighth at most. Only buffers of these sizes, from
// pooledMin words up, come from it.
var buffers [8 * 40]sync.Pool

const pooledMin = 1 << 9

// class is the smallest of the sizes that holds n ≥ pooledMin words, and its
// number.
func class(n int) (number, size int) {
	shift := bits.Len(uint(n-1)) - 4
	eighths := (n-1)>>shift + 1 // 9 to 16
	return 8*shift + eighths - 9, eighths << shift
}

// grab gives n words of zeros; never nil.
func grab(n int) []uint64 {
	w, used := reuse(n)
	if used {
		clear(w)
	}
	return w
}

// reuse gives n words, never nil; used says that they may hold anything, else
// they are zeros.
func reuse(n int) (w []uint64, used bool) {
	if n < pooledMin {
		return make([]uint64, n), false
	}
	number, size := class(n)
	if p, ok := buffers[number].Get().(*[]uint64); ok {
		return (*p)[:n], true
	}
	return make([]uint64, n, size), false
}

func release(w []uint64) {
	if cap(w) < pooledMin {
		return
	}
	if number, size := class(cap(w)); size == cap(w) {
		w = w[:0]
		buffers[number].Put(&w)
	}
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
