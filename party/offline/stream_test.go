package offline

import (
	"testing"
	"time"
)

// The online phase waits until the rest takes no longer than it may.
func TestCorrectionsComeAhead(t *testing.T) {
	for _, c := range []struct {
		came, total int64
		passed      time.Duration
		lead        time.Duration
		near        bool
	}{
		{0, 100, time.Second, time.Second, false},
		{40, 100, 4 * time.Second, 5 * time.Second, false},
		{50, 100, 4 * time.Second, 5 * time.Second, true},
		{99, 100, 99 * time.Second, 0, false}, // no network: all of it
		{MaxWaiting, 1 << 50, time.Second, 0, false},
		{MaxWaiting + 1, 1 << 50, time.Second, 0, true}, // or nobody would ever use it
	} {
		s := &segment{timely: make(chan struct{}), start: time.Now().Add(-c.passed), total: c.total, maxTail: c.lead}
		s.recordArrival(c.came)
		select {
		case <-s.timely:
			if !c.near {
				t.Errorf("%+v: it does not wait", c)
			}
		default:
			if c.near {
				t.Errorf("%+v: it waits", c)
			}
		}
	}
}
