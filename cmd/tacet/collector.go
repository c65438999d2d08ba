package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// When the garbage collector starts: when the heap has grown by so much since
// the last cycle, or by a share of what was live then. Go's own rule, as much
// again as is live, has it run all the time while the heap is small, through
// graphs of many small steps, and lets vectors, which take no time to mark, pile
// up when it is large.
const (
	leastGrowth = 48 << 20
	growthShare = 3 // of what is live, a third
)

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
	return int(100 * max(leastGrowth, live/growthShare) / live)
}

// live is what the last cycle found to be in use.
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
