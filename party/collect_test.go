package party

import (
	"runtime"
	"testing"
	"time"
)

// TestCollect: garbage is collected once there is enough of it, and not before.
func TestCollect(t *testing.T) {
	runtime.GC()
	before := cycles()
	if collect(1 << 40) {
		t.Error("a collection starts without garbage")
	}
	const enough = 8 << 20
	for range 64 {
		garbage = make([]byte, 1<<20)
	}
	garbage = nil
	if cycles() == before && !collect(enough) {
		t.Fatal("no collection starts")
	}
	for cycles() == before || collecting.Load() {
		time.Sleep(time.Millisecond)
	}
}

// garbage is a variable of the package so that what it points to lies on the heap.
var garbage []byte

func cycles() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}
