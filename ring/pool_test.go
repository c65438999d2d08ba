package ring

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Lengths around the size classes of pooled buffers.
var poolLengths = []int{0, 1, pooledMin - 1, pooledMin, pooledMin + 1, 2*pooledMin - 1, 2 * pooledMin, 5000, 1 << 13}

// A reused buffer is zeroed, in the length of its last use and beyond.
func TestPoolGivesZeros(t *testing.T) {
	for _, n := range poolLengths {
		for _, m := range poolLengths {
			v := New(Z(64), n)
			for i := range v.w {
				v.w[i] = ^uint64(0)
			}
			v.Free()
			w, b := New(Z(64), m), NewBits(64*m)
			if len(w.w) != m || len(b.w) != m || w.ShapeOnly() || b.ShapeOnly() {
				t.Fatalf("%d and %d words, want %d", len(w.w), len(b.w), m)
			}
			for i := range m {
				if w.w[i] != 0 || b.w[i] != 0 {
					t.Fatalf("New(%d) after Free of %d holds %#x and %#x", m, n, w.w[i], b.w[i])
				}
			}
			w.Free()
		}
	}
}

// Size classes hold the requested length, waste at most an eighth, and are found again from their
// sizes.
func TestPoolClasses(t *testing.T) {
	last, lastSize := -1, 0
	for n := pooledMin; n < 1<<16; n++ {
		number, size := class(n)
		if size < n || size > n+n/8 {
			t.Fatalf("a buffer of %d words for %d", size, n)
		}
		if again, same := class(size); again != number || same != size {
			t.Fatalf("size %d of class %d is of size %d and class %d", size, number, same, again)
		}
		if (number == last) != (size == lastSize) || number < last || number >= len(buffers) {
			t.Fatalf("%d words are of class %d after %d", n, number, last)
		}
		last, lastSize = number, size
	}
	if number, _ := class(1 << 40); number >= len(buffers) {
		t.Errorf("2^40 words are of class %d", number)
	}
}

// Buffers in use at the same time are different.
func TestPoolOwners(t *testing.T) {
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 300 {
				v := New(Z(64), poolLengths[(g+i)%len(poolLengths)])
				for j := range v.w {
					v.w[j] += uint64(g + 1)
				}
				for j := range v.w {
					if v.w[j] != uint64(g+1) {
						t.Errorf("a word is %d, want %d", v.w[j], g+1)
						return
					}
				}
				v.Free()
			}
		})
	}
	wg.Wait()
}

// withHelpers runs a test as if on a machine with n+1 cores.
func withHelpers(t *testing.T, n int) {
	old := helpers
	helpers = make(chan struct{}, n)
	t.Cleanup(func() { helpers = old })
}

func TestParallel(t *testing.T) {
	for _, n := range []int{0, 1, 7} {
		withHelpers(t, n)
		for _, n := range []int{0, 1, 2, 3, 7, 64, 1000} {
			for _, grain := range []int{-1, 0, 1, 3, 64, 2000} {
				count, calls := make([]int32, n), atomic.Int32{}
				Parallel(n, grain, func(lo, hi int) {
					calls.Add(1)
					if hi-lo < min(grain, n) || lo >= hi {
						t.Errorf("Parallel(%d, %d): part [%d, %d)", n, grain, lo, hi)
					}
					for i := lo; i < hi; i++ {
						atomic.AddInt32(&count[i], 1)
					}
				})
				for i, c := range count {
					if c != 1 {
						t.Fatalf("Parallel(%d, %d): index %d done %d times", n, grain, i, c)
					}
				}
				if limit := cap(helpers) + 1; int(calls.Load()) > limit {
					t.Errorf("Parallel(%d, %d): %d parts for %d goroutines", n, grain, calls.Load(), limit)
				}
				if n == 0 && calls.Load() != 0 {
					t.Errorf("Parallel(0, %d) has parts", grain)
				}
			}
		}
	}
}

// Parallel may be nested and called concurrently: no caller waits for a helper, and helpers are
// released.
func TestParallelNested(t *testing.T) {
	withHelpers(t, 3)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			var count [50][50]int32
			Parallel(50, 1, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					Parallel(50, 1, func(lo, hi int) {
						for j := lo; j < hi; j++ {
							atomic.AddInt32(&count[i][j], 1)
						}
					})
				}
			})
			for i := range count {
				for j := range count[i] {
					if count[i][j] != 1 {
						t.Errorf("(%d, %d) done %d times", i, j, count[i][j])
					}
				}
			}
		})
	}
	wg.Wait()
	if len(helpers) != 0 {
		t.Errorf("%d helpers were not given back", len(helpers))
	}
}

// With idle helpers, parts run concurrently.
func TestParallelUsesHelpers(t *testing.T) {
	withHelpers(t, 2)
	var meet sync.WaitGroup
	meet.Add(3)
	Parallel(3, 1, func(lo, hi int) {
		meet.Done()
		meet.Wait() // blocks for ever if parts run one after the other
	})
}

func TestKernels(t *testing.T) {
	if Kernels() == "" {
		t.Error("no name")
	}
}
