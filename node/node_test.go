package node

import (
	"bytes"
	"math"
	"regexp"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// result fetches a job's result from a node.
func (c *testCluster) result(id, node, who string) (float64, error) {
	return c.fetch(c.as(who, node), id)
}

func (c *testCluster) fetch(from *api.Client, id string) (float64, error) {
	var b bytes.Buffer
	if err := from.Results(c.t.Context(), id, &b); err != nil {
		return 0, err
	}
	return unzip(b.Bytes())
}

// want returns townProgram's result for the vectors of the first two parties.
func want(second int) float64 {
	_ = second // x[3] is 0 at the first party
	return 1 / (1 + math.Exp(-(1 + 4 + 1 + 0.5)))
}

// TestJob runs a job among three nodes.
func TestJob(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob", "eve")
	defer c.stop()
	s := c.submission("alice", "bob", "eve")
	s.Reveal = []int{0, 2}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	for i, p := range s.Parties {
		j := c.wait(s.ID, p)
		if j.State != api.Done {
			t.Fatalf("%s: job is %s: %s", p, j.State, j.Error)
		}
		got, err := c.result(s.ID, p, "carol")
		if i == 1 {
			if err == nil || !strings.Contains(err.Error(), "learns no results") {
				t.Errorf("bob, who learns nothing, gives %v, %v", got, err)
			}
			continue
		}
		if err != nil || math.Abs(got-want(1)) > 1e-4 {
			t.Errorf("%s: result %v, want %v (%v)", p, got, want(1), err)
		}
		var report bytes.Buffer
		if err := c.as("carol", p).Report(t.Context(), s.ID, &report); err != nil || !strings.Contains(report.String(), `"stablehlo.logistic"`) {
			t.Errorf("%s: report %.60s, %v", p, report.String(), err)
		}
		if times := regexp.MustCompile(`"(seconds|peak_memory_bytes)": (0\.|[1-9])`).FindString(report.String()); times != "" {
			t.Errorf("%s lets carol, who is none of its people, have %s", p, times)
		}
		report.Reset()
		if err := c.as("admin", p).Report(t.Context(), s.ID, &report); err != nil {
			t.Fatal(err)
		}
		if r, err := profile.Parse(report.Bytes()); err != nil || r.PeakMemoryBytes == 0 || r.Online.Seconds == 0 {
			t.Errorf("%s does not tell its admin what times it took: %+v, %v", p, r, err)
		}
	}
}

// TestOffline fills the nodes' stores and runs a job with the stored correlations.
func TestOffline(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	s.Offline = true
	used := []string{}
	for range 2 {
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range s.Parties {
			if j := c.wait(s.ID, p); j.State != api.Done {
				t.Fatalf("%s: job is %s: %s", p, j.State, j.Error)
			}
		}
		if !s.Offline {
			var b bytes.Buffer
			if err := c.as("carol", "alice").Report(t.Context(), s.ID, &b); err != nil {
				t.Fatal(err)
			}
			r, err := profile.Parse(b.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			used = append(used, r.Offline.Session)
		}
		s = c.submission("alice", "bob")
	}
	if len(used) != 1 || used[0] == "" {
		t.Errorf("the run has used sessions %q of the stores", used)
	}
}
