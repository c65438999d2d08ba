package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// leastGrowth is by how much the heap grows at least between two cycles of the
// garbage collector. Go's own rule, as much again as is live, has it run all the
// time while the heap is small, through graphs of many small steps and past
// vectors of some megabytes; each cycle stops kernels that cannot be stopped
// quickly. Above this size Go's rule is as good as any that was tried: an eighth
// of what is live saves a fifth of the memory of large runs and takes twice their
// time.
const leastGrowth = 64 << 20

// tuneCollector sets the rule for this process, unless GOGC is set.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100 * leastGrowth / goMinimum) // for the first cycle
		everyCycle(func() { debug.SetGCPercent(growth(live())) })
	}
}

// goMinimum is the heap at which the first cycle starts at 100 percent.
const goMinimum = 4 << 20

// growth is the rule as a percentage of what is live.
func growth(live uint64) int {
	live = max(live, 1<<20)
	return int(100 * max(leastGrowth, live) / live)
}

// live is what the last cycle found.
func live() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// everyCycle has f called after each cycle of the collector: something that
// nobody refers to is found by each, and made anew.
func everyCycle(f func()) {
	runtime.SetFinalizer(&struct{ _ *byte }{}, func(any) {
		f()
		everyCycle(f)
	})
}
