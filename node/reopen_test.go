package node

import (
	"errors"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/ops"
)

// lasting returns the submission of a service that opens again.
func (c *testCluster) lasting(parties ...string) *api.Submission {
	s := c.service(parties...)
	s.Restart = api.RestartAlways
	return s
}

// loseSession ends a service's session at a node, as an error there does.
func (c *testCluster) loseSession(s *api.Submission, node string) {
	n := c.nodes[node]
	n.mu.Lock()
	defer n.mu.Unlock()
	n.tasks[s.ID].stop(errors.New("the line was cut"))
}

// at waits until a service is as a condition says at a node, and returns its status.
func (c *testCluster) at(s *api.Submission, node string, is func(api.Job) bool) api.Job {
	c.t.Helper()
	for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
		j, err := c.as("carol", node).Job(c.t.Context(), s.ID)
		if err != nil {
			c.t.Fatal(err)
		}
		if is(j) {
			return j
		}
		if j.State.Final() || time.Now().After(deadline) {
			c.t.Fatalf("the service is %s at %s: %s%s, last loss: %s", j.State, node, j.Phase, j.Error, j.Loss)
		}
	}
}

// reopened waits until a service is open at all nodes in another session than the last one, and checks that it answers.
func (c *testCluster) reopened(s *api.Submission, last string) (session string) {
	c.t.Helper()
	for _, p := range s.Parties {
		j := c.at(s, p, func(j api.Job) bool { return j.Phase == api.PhaseServing && j.Session != last })
		if session == "" {
			session = j.Session
		}
		if j.Session != session || j.Step != 0 || last != "" && (j.Loss == "" || j.LostAt.IsZero()) {
			c.t.Errorf("%s has reopened: %+v", p, j)
		}
	}
	for rank, v := range c.ask(s) {
		want := 1 / (1 + math.Exp(-(1 + 4 + 1 + 0 + 0.5)))
		if v.State != api.Done {
			c.t.Fatalf("a request is %s at %s: %s", v.State, v.Node, v.Error)
		}
		if got := c.answer(s.Parties[rank], v); math.Abs(got-want) > 1e-3 {
			c.t.Errorf("a request gives %v at %s, want %v", got, v.Node, want)
		}
	}
	return session
}

// TestServiceReopens checks that a service opens again with another session after its session is lost, after a node
// stopped and after nodes were killed, the leader's among them, and that it answers rightly each time.
func TestServiceReopens(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.lasting(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	sessions := map[string]bool{}
	last := c.reopened(s, "")
	sessions[last] = true
	losses := []func(){
		func() {
			c.loseSession(s, "bob")
			j := c.at(s, "alice", func(j api.Job) bool { return j.Loss != "" })
			_, err := c.as("carol", "alice").Request(t.Context(), s.ID, &api.Request{ID: newID()})
			var refused *api.Refused
			if j.State == api.Queued && (!errors.As(err, &refused) || refused.Status != http.StatusServiceUnavailable ||
				!strings.Contains(err.Error(), "send the request again later") || !strings.Contains(err.Error(), j.Loss)) {
				t.Errorf("a request while the service opens again: %v", err)
			}
		},
		func() {
			c.stops["dave"]()
			c.start("dave", names, nil)
		},
		func() { c.kill(s, "bob") },
		func() { c.kill(s, "alice") },
	}
	for i, lose := range losses {
		waits := &api.Request{ID: newID()}
		if i < 2 { // bob is not told to evaluate it, so it waits there when the session is lost
			c.send(s, names[1:2], waits)
		}
		lose()
		if i < 2 {
			bob := *s
			bob.Parties = names[1:2]
			if v := c.served(&bob, waits)[0]; v.State != api.Failed || !strings.Contains(v.Error, "send the request again") {
				t.Errorf("a request that waited is %s: %s", v.State, v.Error)
			}
		}
		last = c.reopened(s, last)
		if sessions[last] {
			t.Errorf("session %s is used again after loss %d", last, i)
		}
		sessions[last] = true
	}
	for _, p := range names {
		if j := c.at(s, p, func(api.Job) bool { return true }); j.Restarts != len(losses) {
			t.Errorf("%s has opened it %d times more, want %d", p, j.Restarts, len(losses))
		}
		lost := 0
		for _, e := range c.events(p) {
			if strings.HasPrefix(e, string(audit.Lost)) {
				lost++
			}
		}
		want := len(losses)
		if p != "dave" { // kill stops the node, which logs the loss before the record says again that the service runs
			want++
		}
		if lost != want {
			t.Errorf("the audit log of %s has %d losses, want %d", p, lost, want)
		}
	}
	if _, err := c.as("carol", "bob").Cancel(t.Context(), s.ID); err != nil { // at one node only
		t.Fatal(err)
	}
	for _, p := range names {
		if j := c.wait(s.ID, p); (j.State == api.Cancelled) != (p == "bob") || !strings.Contains(j.Error, "cancelled by carol at bob") {
			t.Errorf("the service is %s at %s: %s", j.State, p, j.Error)
		}
	}
}

// kill stops a node whose service runs and starts it again with the job's record as it was before: that a
// killed process leaves.
func (c *testCluster) kill(s *api.Submission, node string) {
	c.t.Helper()
	file := filepath.Join(c.dir, node, "state", jobsFolder, s.ID, jobFile)
	running, err := os.ReadFile(file)
	if err != nil {
		c.t.Fatal(err)
	}
	c.stops[node]()
	if err := os.WriteFile(file, running, 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.start(node, s.Parties, nil)
}

// TestServiceReopeningRuns checks that each opening and each request counts as a run, and that the service ends when a
// policy allows no more; and the metric of restarts.
func TestServiceReopeningRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.write("bob", "policy.yaml", strings.Replace(anything, "fetch:", "runs: 4, fetch:", 1))
	if err := c.nodes["bob"].Reload(); err != nil {
		t.Fatal(err)
	}
	alice := c.nodes["alice"]
	registry := prometheus.NewRegistry()
	alice.mu.Lock()
	alice.counts = ops.NewNodeMetrics(registry, nil, alice.level)
	alice.mu.Unlock()
	s := c.lasting(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	last := c.reopened(s, "") // two runs: the opening and a request
	c.loseSession(s, "alice")
	c.reopened(s, last) // two more
	c.loseSession(s, "bob")
	for _, p := range names {
		if j := c.wait(s.ID, p); !strings.Contains(j.Error, "runs: all 4 are used up") || j.Restarts != 1 {
			t.Errorf("the service is %s at %s after %d restarts: %s", j.State, p, j.Restarts, j.Error)
		}
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	restarts := -1.0
	for _, f := range families {
		if f.GetName() == "tacet_service_restarts_total" {
			restarts = f.Metric[0].GetCounter().GetValue()
		}
	}
	if restarts != 1 {
		t.Errorf("the metric has %v restarts, want 1", restarts)
	}
}

// TestServiceReopeningEnds checks that a service that waits to open again ends at all nodes when it is cancelled at one
// of them, and when a policy does not allow it any more.
func TestServiceReopeningEnds(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	for _, end := range []struct {
		by   func(s *api.Submission) error
		want string
	}{
		{func(s *api.Submission) error {
			_, err := c.as("carol", "alice").Cancel(t.Context(), s.ID)
			return err
		}, "cancelled by carol at alice"},
		{func(s *api.Submission) error {
			_, err := c.as("carol", "bob").Cancel(t.Context(), s.ID)
			return err
		}, "cancelled by carol at bob"},
		{func(*api.Submission) error {
			c.write("bob", "policy.yaml", strings.Replace(anything, "submitters: [carol]", "submitters: [nobody]", 1))
			return c.nodes["bob"].Reload()
		}, "the policy of bob no longer allows it"},
	} {
		s := c.lasting(names...)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		c.opened(s)
		c.loseSession(s, "alice")
		for _, p := range names {
			c.at(s, p, func(j api.Job) bool { return j.Loss != "" })
		}
		if err := end.by(s); err != nil {
			t.Fatal(err)
		}
		for _, p := range names {
			if j := c.wait(s.ID, p); !strings.Contains(j.Error, end.want) {
				t.Errorf("the service is %s at %s: %s, want %q", j.State, p, j.Error, end.want)
			}
		}
	}
}

// TestRestartNeedsService checks that nodes refuse another word than always, and jobs that are no services.
func TestRestartNeedsService(t *testing.T) {
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	job, service := c.submission("alice", "bob"), c.service("alice", "bob")
	job.Restart, service.Restart = api.RestartAlways, "sometimes"
	for _, s := range []*api.Submission{job, service} {
		if _, err := c.as("carol", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "restart needs a service and the word always") {
			t.Errorf("restart %q, service %v: %v", s.Restart, s.Serve, err)
		}
	}
}
