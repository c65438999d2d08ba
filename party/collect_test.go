package party

import (
	"runtime"
	"testing"
)

// TestCollect: garbage is collected once there is enough of it, and not before.
func TestCollect(t *testing.T) {
	runtime.GC()
	before := cycles()
	if collect(1 << 40) {
		t.Error("a collection starts without garbage")
	}
	started := false
	for range 1 << 10 { // more than an eighth of what other tests may leave
		garbage = make([]byte, 1<<20)
		if started = started || collect(8<<20); started || cycles() != before {
			break
		}
	}
	garbage = nil
	if !started && cycles() == before {
		t.Fatal("no collection starts")
	}
	if awaitCollection(); cycles() == before {
		t.Error("awaitCollection returns before the collection's end")
	}
}

// garbage is a variable of the package so that what it points to lies on the heap.
var garbage []byte

func cycles() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}
