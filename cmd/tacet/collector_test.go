package main

import (
	"runtime"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ live, scanned, grows uint64 }{
		{0, 0, leastGrowth}, {mb, mb, leastGrowth}, {20 * mb, 20 * mb, leastGrowth},
		{150 * mb, mb, leastGrowth}, {800 * mb, mb, 100 * mb}, {800 * mb, 500 * mb, 500 * mb},
	} {
		got := max(c.live, mb) * uint64(growth(c.live, c.scanned)) / 100
		if got > c.grows || got < c.grows*97/100-mb { // whole percents
			t.Errorf("%d MiB live, %d to look through: grows by %d MiB, want %d", c.live/mb, c.scanned/mb, got/mb, c.grows/mb)
		}
	}
}

func TestEveryCycle(t *testing.T) {
	cycles := make(chan struct{}, 100)
	everyCycle(func() {
		select {
		case cycles <- struct{}{}:
		default:
		}
	})
	for i := range 3 {
		runtime.GC()
		select {
		case <-cycles:
		case <-time.After(time.Minute):
			t.Fatalf("cycle %d was not told", i)
		}
	}
}
