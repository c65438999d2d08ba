package party

import (
	"runtime"
	"runtime/metrics"
	"sync"
)

// leastGarbage is the number of bytes of garbage from which a service collects it between requests.
const leastGarbage = 256 << 20

// collection is the collection that collect has started: done is closed at its end, and nil while none runs.
var collection struct {
	sync.Mutex
	done chan struct{}
}

// collect starts a collection of garbage if there may be much: bytes, or an eighth of what is live. A service calls it after its requests.
// With large resident arguments Go's own rule would let the heap grow to twice their size, and requests would wait for the kernel to
// clear that memory: a quarter of the processor time of a step of GPT-2 small. Memory of earlier requests needs no clearing by the kernel.
// The collection runs beside what follows, and marks little: long vectors hold no pointers. It reports whether a collection was started.
func collect(bytes uint64) bool {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	collection.Lock()
	defer collection.Unlock()
	if heap, live := s[0].Value.Uint64(), s[1].Value.Uint64(); heap < live+max(bytes, live/8) || collection.done != nil {
		return false
	}
	done := make(chan struct{})
	collection.done = done
	go func() {
		runtime.GC()
		collection.Lock()
		defer collection.Unlock()
		collection.done = nil
		close(done)
	}()
	return true
}

// awaitCollection returns when no collection runs that collect has started, so that a service that ends leaves no goroutine.
func awaitCollection() {
	collection.Lock()
	done := collection.done
	collection.Unlock()
	if done != nil {
		<-done
	}
}
