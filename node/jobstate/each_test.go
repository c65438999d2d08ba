package jobstate

import (
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestMemoryOfSubmitter checks that the jobs of one submitter reserve no more memory than one may, and what is free for others.
func TestMemoryOfSubmitter(t *testing.T) {
	s := New(Limits{Node: "bob", Jobs: 9, Batch: 4, Memory: 100, MemoryEach: 60, SlotTimeout: time.Minute})
	s.open = map[string]*Job{}
	for _, j := range []struct {
		id, submitter  string
		base, reserved int64
	}{{"a", "carol", 40, 40}, {"b", "carol", 20, 0}, {"c", "carol", 21, 0}, {"d", "dave", 41, 0}, {"e", "dave", 40, 0}} {
		s.open[j.id] = &Job{
			Job:    api.Job{ID: j.id, Submitter: j.submitter, State: api.Queued, Parties: []string{"alice", "bob"}},
			Demand: Demand{Base: j.base}, Reserved: j.reserved, Slot: j.reserved > 0, Rank: 1,
		}
	}
	for _, c := range []struct{ id, want string }{
		{"a", ""}, // it keeps what it has
		{"c", "20 B are free of what jobs of carol may take (limits: memory_per_submitter)"},
		{"b", ""},
		{"c", "0 B are free of what jobs of carol may take"},
		{"d", "40 B are free"},
		{"e", ""},
	} {
		after, effects := Step(s, midnight, c.id, Reserve{Try: 1, Memory: true})
		s = after
		found := false
		for _, e := range effects {
			if r, ok := e.Do.(Reserved); ok {
				found = true
				if !strings.Contains(r.Error, c.want) || (r.Error == "") != (c.want == "") || r.Slot != (c.want == "") {
					t.Errorf("%s: %+v, want %q", c.id, r, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s has no answer: %v", c.id, effects)
		}
	}
}
