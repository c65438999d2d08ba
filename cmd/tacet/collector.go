package main

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The rule of the garbage collector: between two cycles the heap grows by as much as is live (Go's own rule),
// by at least leastGrowth and, if more than mostGrowth is live, by no more than mostGrowth or a quarter of what
// is live.
//
// With Go's own rule the collector would run all the time while the heap is small, over graphs of many small
// steps and past vectors of some megabytes; each cycle stops kernels that cannot be stopped quickly. A large
// heap consists of long vectors, which hold no pointers: a cycle takes milliseconds, and vectors in memory that
// was freed take less time than those in memory that the kernel has yet to clear. Growth by an eighth of what is
// live was tried for heaps of all sizes; it takes twice the time of small steps.
const (
	leastGrowth = 64 << 20
	mostGrowth  = 256 << 20
)

// allocationSample is the mean number of allocated bytes between two stacks that are recorded for the heap profile of daemons
// (pprof: true). Go's own 512 KiB take 1 % of the time of a long loop of small operations.
const allocationSample = 4 << 20

// tuneCollector applies the rule to this process, unless GOGC is set, and sets how often allocations are recorded.
func tuneCollector() {
	runtime.MemProfileRate = allocationSample
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100 * leastGrowth / goMinimum) // for the first cycle
		everyCycle(func() { debug.SetGCPercent(growth(live())) })
	}
}

// goMinimum is the heap size at which the first cycle starts at 100 percent.
const goMinimum = 4 << 20

// growth returns the rule as a percentage of the live heap.
func growth(live uint64) int {
	live = max(live, 1<<20)
	return int(100 * max(leastGrowth, min(live, max(mostGrowth, live/4))) / live)
}

// live returns the live heap that the last cycle found, in bytes.
func live() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// everyCycle calls f after each cycle of the collector, by the finalizer of an unreachable object that
// each finalizer creates anew.
func everyCycle(f func()) {
	runtime.SetFinalizer(&struct{ _ *byte }{}, func(any) {
		everyCycle(f) // first: a cycle that ends while f runs counts as well
		f()
	})
}

// limitHeap has the collector run more often above 7/4 of memory, unless GOMEMLIMIT is set. Running jobs, and plans, may each
// take memory bytes; without a limit the heap can grow to twice of that before the collector runs. The last quarter is
// left to what is not of the heap.
func limitHeap(memory int64) {
	if os.Getenv("GOMEMLIMIT") == "" && memory > 0 && memory < math.MaxInt64/2 {
		debug.SetMemoryLimit(2*memory - memory/4)
	}
}
