package study

import (
	"math"
	"testing"
)

// TestPeakMemoryGrowth: an allocation of f is measured.
func TestPeakMemoryGrowth(t *testing.T) {
	const size = 64 << 20
	grown, err := PeakMemoryGrowth(func() error {
		b := make([]byte, size)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if math.IsNaN(grown) {
		t.Skip("the system does not tell")
	}
	if grown < size/2 || grown > 4*size {
		t.Errorf("%v bytes for %d", grown, size)
	}
}
