package profile

import (
	"runtime"
	"strings"
	"testing"
)

// TestStructure checks that a report of many small elements, which a node may send, is refused before it is
// decoded.
func TestStructure(t *testing.T) {
	text := []byte(`{"protocol":"semi2k","parties":["a"],"ops":[` + strings.Repeat("{},", 1<<21) + `{}]}`)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Parse(text)
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "the JSON text has more than") {
		t.Error(err)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > 1<<20 {
		t.Errorf("%d MiB were allocated", took>>20)
	}
}
