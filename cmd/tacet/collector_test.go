package main

import (
	"runtime"
	"testing"
	"time"
)

func TestGrowth(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct{ live, grows uint64 }{{0, leastGrowth}, {mb, leastGrowth}, {20 * mb, leastGrowth}, {150 * mb, 150 * mb},
		{200 * mb, 200 * mb},
		{800 * mb, mostGrowth}, {4000 * mb, 1000 * mb}} {
		got := max(c.live, mb) * uint64(growth(c.live)) / 100
		if got > c.grows || got < c.grows*97/100-mb { // whole percents
			t.Errorf("%d MiB live: grows by %d MiB, want %d", c.live/mb, got/mb, c.grows/mb)
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
