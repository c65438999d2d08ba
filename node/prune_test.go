package node

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
)

// TestRetention checks that ended jobs, their checkpoints and kept results are removed by age.
func TestRetention(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	s := c.training("model", names...)
	c.ran(s)
	c.stops["bob"]()
	c.start("bob", names, func(k *Config) {
		k.Retention = Retention{Results: 2 * time.Second, Kept: 2 * time.Second}
	})
	gone := func(path string) bool {
		_, err := os.Stat(filepath.Join(c.dir, path))
		return err != nil
	}
	kept, folder := filepath.Join("bob", "state", keptFolder, "model.json"), filepath.Join("bob", "state", jobsFolder, s.ID)
	for deadline := time.Now().Add(busyWait); !gone(kept) || !gone(folder); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("gone after %v: %v, %v", busyWait, gone(kept), gone(folder))
		}
	}
	if _, err := c.as("carol", "bob").Job(t.Context(), s.ID); err == nil {
		t.Error("bob still lists the job")
	}
	if _, err := c.as("carol", "alice").Job(t.Context(), s.ID); err != nil || gone(strings.ReplaceAll(kept, "bob", "alice")) {
		t.Errorf("alice, whose file sets no retention, has removed the job: %v", err)
	}
}

// TestRequestsPruned sends thousands of requests to a service: each node keeps the last ones, in memory
// and on disk, and their results can be fetched.
func TestRequestsPruned(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	const kept = 20
	for _, p := range names {
		c.stops[p]()
		c.start(p, names, func(k *Config) { k.Limits.RequestsKept = kept })
	}
	s := c.service(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	first := c.ask(s)[1]
	n := c.nodes["bob"]
	n.mu.Lock()
	at := n.tasks[s.ID]
	n.mu.Unlock()
	many := 500
	if testing.Short() {
		many = 100
	}
	for range many { // requests that the leader does not announce, so that the test is fast
		id := newID()
		e := jobstate.RequestSubmitted{Decision: policy.Decision{Verdict: policy.Allowed}}
		e.Request.ID = id
		if r := n.apply(at, e); r.refused != nil {
			t.Fatal(r.refused)
		}
		n.apply(at, jobstate.RequestEnded{Request: id, Error: "declined"})
	}
	var last []api.RequestStatus
	for range kept {
		last = append(last, c.ask(s)[1])
	}
	if _, err := c.as("carol", "bob").RequestStatus(t.Context(), s.ID, first.ID); err == nil {
		t.Error("the first request is still known")
	}
	for _, v := range last {
		c.answer("bob", v)
	}
	folders := func() int {
		all, err := os.ReadDir(filepath.Join(n.folder(s.ID), requestsFolder))
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	if k := folders(); k != kept || len(at.requests) > 0 {
		t.Errorf("%d folders and %d requests in memory, want %d and 0", k, len(at.requests), kept)
	}

	// A node with a lower limit removes more when it starts.
	c.stops["bob"]()
	c.start("bob", names, func(k *Config) { k.Limits.Batch, k.Limits.RequestsKept = 3, 3 })
	if k := folders(); k != 3 {
		t.Errorf("%d folders after the restart, want 3", k)
	}
	c.answer("bob", last[kept-1])
}
