package ring

import (
	"math/bits"
	"runtime"
	"strings"
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
	if n < pooledMin {
		return make([]uint64, n)
	}
	w, size := pooled(n)
	if w != nil {
		clear(w)
		return w
	}
	w = make([]uint64, size) // the runtime need not clear memory that the kernel has just cleared
	adviseHuge(w)
	return w[:n]
}

// reuse returns a slice of n words, never nil, whose contents are arbitrary.
func reuse(n int) []uint64 {
	if n < pooledMin {
		return make([]uint64, n)
	}
	w, size := pooled(n)
	if w == nil {
		b := uninitialised(8 * size)
		w = unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), size)
		adviseHuge(w)
	}
	return w[:n]
}

// pooled returns n ≥ pooledMin words of a freed buffer, nil if there is none, and the size of the class.
func pooled(n int) (w []uint64, size int) {
	number, size := class(n)
	if p, ok := buffers[number].Get().(*uint64); ok {
		w = unsafe.Slice(p, size)[:n]
	}
	return w, size
}

// uninitialised returns n > 0 bytes whose contents are arbitrary, aligned to words if n is at least 8·pooledMin. make would clear
// them: a tenth of the time of a large model, whose vectors are mostly written at once. A strings.Builder is the standard library's
// way to memory that is not cleared; nobody else holds the string.
func uninitialised(n int) []byte {
	var b strings.Builder
	b.Grow(n)
	b.WriteByte(0) // the string of an empty Builder has no memory
	return unsafe.Slice(unsafe.StringData(b.String()), n)
}

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
