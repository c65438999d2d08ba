package quota

import (
	"fmt"
	"testing"
	"time"
)

// TestVictim checks who gives way.
func TestVictim(t *testing.T) {
	for _, c := range []struct {
		holders string
		want    int
	}{
		{"a", 0}, {"aab", 0}, {"baab", 0}, {"baaab", 1}, {"abcd", 0}, {"abbc", 1}, {"abb", 1}, {"aabbc", 0}, {"abcc", 2},
	} {
		if got := Victim([]byte(c.holders)); got != c.want {
			t.Errorf("%s: place %d, want %d", c.holders, got, c.want)
		}
	}
}

// TestReports checks that an origin is reported once a Period with the number of suppressed events, and
// that the number of remembered origins is bounded.
func TestReports(t *testing.T) {
	var r Reports
	now := time.Unix(1e9, 0)
	if due, n := r.Add("a", now); !due || n != 0 {
		t.Errorf("first event: %v, %d", due, n)
	}
	for range 5 {
		if due, _ := r.Add("a", now.Add(Period-1)); due {
			t.Error("reported twice within a period")
		}
	}
	if due, n := r.Add("a", now.Add(Period)); !due || n != 5 {
		t.Errorf("after a period: %v, %d", due, n)
	}
	for i := range 10 * maxOrigins {
		r.Add(fmt.Sprint(i), now.Add(Period))
	}
	if len(r.last) > maxOrigins+1 {
		t.Errorf("%d origins are remembered", len(r.last))
	}
	if due, _ := r.Add("a new one", now.Add(Period)); due {
		t.Error("origins beyond the maximum do not count as one")
	}
	r.Add("b", now.Add(4*Period))
	if len(r.last) != 1 {
		t.Errorf("%d origins are remembered after a quiet time", len(r.last))
	}
}
