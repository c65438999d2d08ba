package party

import (
	"runtime"
	"runtime/metrics"
	"sync/atomic"
)

// leastGarbage is the number of bytes of garbage from which a service collects it between requests.
const leastGarbage = 256 << 20

// collecting is true while a collection that collect has started runs.
var collecting atomic.Bool

// collect starts a collection of garbage if there may be much: bytes, or an eighth of what is live. A service calls it after its requests.
// With large resident arguments Go's own rule would let the heap grow to twice their size, and requests would wait for the kernel to
// clear that memory: a quarter of the processor time of a step of GPT-2 small. Memory of earlier requests needs no clearing by the kernel.
// The collection runs beside what follows, and marks little: long vectors hold no pointers. It reports whether a collection was started.
func collect(bytes uint64) bool {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if heap, live := s[0].Value.Uint64(), s[1].Value.Uint64(); heap < live+max(bytes, live/8) || !collecting.CompareAndSwap(false, true) {
		return false
	}
	go func() {
		defer collecting.Store(false)
		runtime.GC()
	}()
	return true
}
