package node

import (
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestRanges checks that an owner's node verifies the declared ranges of its inputs if its policy
// allows ranges, and that other parties learn only that an input was refused.
func TestRanges(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", strings.Replace(anything, "fetch:", "ranges: true, fetch:", 1))
	c.start("bob", []string{"alice", "bob"}, nil)
	declare := func(rank int, lo, hi float64) *api.Submission {
		s := c.submission("alice", "bob")
		s.Inputs[rank].Ranges = map[int][2]float64{rank: {lo, hi}}
		return s
	}

	inside := declare(1, -1, 2)
	if err := c.submit(inside, "carol"); err != nil {
		t.Fatal(err)
	}
	outside := declare(1, -1, 1.5)
	if err := c.submit(outside, "carol"); err != nil {
		t.Fatal(err)
	}
	for _, p := range inside.Parties {
		if j := c.wait(inside.ID, p); j.State != api.Done {
			t.Errorf("%s: inside of the range the job is %s (%s)", p, j.State, j.Error)
		}
		if j := c.wait(outside.ID, p); j.State != api.Failed || !strings.Contains(j.Error, "an input of bob holds an element that cannot be shared") {
			t.Errorf("%s: outside of the range the job is %s (%s)", p, j.State, j.Error)
		}
	}
	if log := c.log.String(); !strings.Contains(log, "element [1]") {
		t.Error("bob's log does not say which element lies outside")
	}

	if j, err := c.as("carol", "alice").Submit(t.Context(), declare(0, -1, 2)); err != nil || j.State != api.Denied || !strings.Contains(j.Error, "ranges: jobs may not declare ranges of inputs") {
		t.Errorf("alice's policy does not let ranges be declared: %s (%s), %v", j.State, j.Error, err)
	}

	for want, change := range map[string]func(*api.Submission){
		"range of argument 0: the input does not provide this argument": func(s *api.Submission) { s.Inputs[1].Ranges = map[int][2]float64{0: {-1, 1}} },
		"want [lo, hi], two finite numbers":                             func(s *api.Submission) { s.Inputs[1].Ranges = map[int][2]float64{1: {1, -1}} },
		"public argument 2, element []: 0.5 is outside":                 func(s *api.Submission) { s.Public[0].Range = &[2]float64{1, 2} },
	} {
		s := c.submission("alice", "bob")
		change(s)
		if err := c.submit(s, "carol"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
