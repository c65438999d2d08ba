package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// When the garbage collector starts: when the heap has grown since the last cycle
// by as much as it then had to look through, by an eighth of what was live, and by
// leastGrowth. Go's own rule, as much again as is live, has it run all the time
// while the heap is small, through graphs of many small steps, and lets vectors,
// which it need not look through, pile up when it is large.
const (
	leastGrowth = 24 << 20
	growthShare = 8
)

// tuneCollector sets the rule for this process, unless GOGC is set.
func tuneCollector() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(100 * leastGrowth / goMinimum) // for the first cycle
		everyCycle(func() { debug.SetGCPercent(growth(heap())) })
	}
}

// goMinimum is the heap at which the first cycle starts at 100 percent.
const goMinimum = 4 << 20

// growth is the rule as a percentage of what is live; scanned is the part of it
// that may hold pointers.
func growth(live, scanned uint64) int {
	live = max(live, 1<<20)
	return int(100 * max(leastGrowth, scanned, live/growthShare) / live)
}

// heap is what the last cycle found.
func heap() (live, scanned uint64) {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64(), s[1].Value.Uint64()
}

// everyCycle has f called after each cycle of the collector: something that
// nobody refers to is found by each, and made anew.
func everyCycle(f func()) {
	runtime.SetFinalizer(&struct{ _ *byte }{}, func(any) {
		f()
		everyCycle(f)
	})
}
