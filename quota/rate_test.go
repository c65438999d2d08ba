package quota

import (
	"fmt"
	"testing"
	"time"
)

// TestRate checks how many events an origin has at once and later, that origins do not take each other's, and that the number of
// remembered origins is bounded.
func TestRate(t *testing.T) {
	now := time.Unix(1e9, 0)
	taken := func(r *Rate, origin string, now time.Time) int {
		n := 0
		for r.Take(origin, now) == 0 {
			n++
		}
		return n
	}
	r := Rate{Most: 6}
	for _, x := range []struct {
		origin string
		after  time.Duration
		want   int
	}{
		{"a", 0, 6},
		{"a", 0, 0},
		{"b", 0, 6},
		{"a", Period/6 - 1, 0},
		{"a", Period / 6, 1},
		{"a", 2 * Period / 3, 3},
		{"a", 10 * Period, 6},
	} {
		if got := taken(&r, x.origin, now.Add(x.after)); got != x.want {
			t.Errorf("%s after %v: %d events, want %d", x.origin, x.after, got, x.want)
		}
	}
	if wait := r.Take("a", now); wait <= 0 || wait > Period {
		t.Errorf("after the clock was set back: wait %v", wait)
	}
	if wait := r.Take("a", now.Add(10*Period)); wait != Period/6 {
		t.Errorf("wait %v, want %v", wait, Period/6)
	}
	if got := taken(&r, "a", now.Add(10*Period+Period/6)); got != 1 {
		t.Errorf("%d events after the wait, want 1", got)
	}

	r = Rate{Most: 2}
	for i := range 3 * maxOrigins {
		r.Take(fmt.Sprint(i), now)
	}
	if len(r.full) > maxOrigins+1 {
		t.Errorf("%d origins are remembered", len(r.full))
	}
	if r.Take("a new one", now) == 0 {
		t.Error("origins beyond the maximum do not share one's events")
	}
	if r.Take("0", now) != 0 {
		t.Error("a remembered origin lost its events to new ones")
	}
	if r.Take("b", now.Add(2*Period)); len(r.full) != 1 {
		t.Errorf("%d origins are remembered after a quiet time", len(r.full))
	}
}
