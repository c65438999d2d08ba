package ring

import (
	"math/bits"
	"runtime"
	"sync"
	"unsafe"
)

// buffers holds freed buffers by size class, as pointers to their first words: eight sizes for each power of two, so that
// rounding up wastes at most an eighth. Only buffers of these sizes, of at least pooledMin words, are pooled.
var buffers [8 * 40]sync.Pool

const pooledMin = 1 << 6

// class is the smallest size class that holds n ≥ pooledMin words: its number, and its size in
// words.
func class(n int) (number, size int) {
	shift := bits.Len(uint(n-1)) - 4
	eighths := (n-1)>>shift + 1 // 9 to 16
	return 8*shift + eighths - 9, eighths << shift
}

// grab returns a slice of n zero words, never nil.
func grab(n int) []uint64 {
	w, used := reuse(n)
	if used {
		clear(w)
	}
	return w
}

// reuse returns a slice of n words, never nil. If used, its contents are arbitrary, else they are
// zero.
func reuse(n int) (w []uint64, used bool) {
	if n < pooledMin {
		return make([]uint64, n), false
	}
	number, size := class(n)
	if p, ok := buffers[number].Get().(*uint64); ok {
		return unsafe.Slice(p, size)[:n], true
	}
	w = make([]uint64, n, size)
	if size >= hugeMin {
		adviseHuge(w[:size])
	}
	return w, false
}

// hugeMin is the size in words from which new buffers ask for huge pages: the kernel then clears and maps 2 MiB
// at a time when they are first written.
const hugeMin = 4 << 20 / 8

func release(w []uint64) {
	if cap(w) < pooledMin {
		return
	}
	if number, size := class(cap(w)); size == cap(w) {
		buffers[number].Put(unsafe.SliceData(w))
	}
}

// helpers bounds the number of goroutines, beside their callers, that kernels use in the whole
// process.
var helpers = make(chan struct{}, max(0, runtime.GOMAXPROCS(0)-1))

// Helpers returns the largest number of goroutines that Parallel uses beside the calling one.
func Helpers() int { return cap(helpers) }

// Parallel calls f(lo, hi) on consecutive parts of [0, n), each of at least grain numbers or all of them, on the
// calling goroutine and on idle helper goroutines of the process. It returns when all calls have returned.
func Parallel(n, grain int, f func(lo, hi int)) {
	parts := min(n/max(grain, 1), Helpers()+1)
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
		default: // no helper is idle: the part is merged with the next one
		}
	}
	wg.Wait()
}
