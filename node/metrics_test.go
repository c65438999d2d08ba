package node

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/ops"
)

// TestOperationMetrics checks the metrics of denials, of plans, of waiting jobs and of the dealer.
func TestOperationMetrics(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.stops["alice"]()
	c.start("alice", names, func(k *Config) { k.Dealer.Name = "dealer" })
	n := c.nodes["alice"]
	registry := prometheus.NewRegistry()
	n.mu.Lock()
	n.counts = ops.NewNodeMetrics(registry, nil, n.level)
	n.mu.Unlock()
	c.ran(c.submission(names...))

	c.write("alice", "policy.yaml", strings.Replace(anything, "inputs: any", `approve: true, inputs: ["other.npy"]`, 1))
	if err := n.Reload(); err != nil {
		t.Fatal(err)
	}
	if j, err := c.as("carol", "alice").Submit(t.Context(), c.submission(names...)); err != nil || j.State != api.Denied {
		t.Fatalf("%+v, %v", j, err)
	}
	if _, err := c.as("mallory", "alice").Submit(t.Context(), c.submission(names...)); err == nil {
		t.Fatal("mallory may submit")
	}
	c.write("alice", "policy.yaml", strings.Replace(anything, "inputs: any", "approve: true, inputs: any", 1))
	if err := n.Reload(); err != nil {
		t.Fatal(err)
	}
	if j, err := c.as("carol", "alice").Submit(t.Context(), c.submission(names...)); err != nil || j.State != api.Pending {
		t.Fatalf("%+v, %v", j, err)
	}
	time.Sleep(time.Millisecond)
	if l := n.level(); len(l.Waits) != 1 || l.Waits["carol"] < time.Millisecond || l.Dealer["dealer"] != 0 {
		t.Errorf("%+v", l)
	}

	n.work.Go(n.watchDealer)
	for deadline := time.Now().Add(busyWait); n.level().Dealer["dealer"] != 1; time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("the dealer is not reached")
		}
	}
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, f := range families {
		for _, m := range f.Metric {
			key := f.GetName()
			for _, l := range m.Label {
				key += " " + l.GetValue()
			}
			got[key] = m.GetCounter().GetValue() + m.GetGauge().GetValue() + float64(m.GetHistogram().GetSampleCount())
		}
	}
	for key, want := range map[string]float64{
		"tacet_jobs_denied_total inputs": 1, "tacet_jobs_denied_total submitters": 1, "tacet_plan_seconds": 1, "tacet_dealer_reachable dealer": 1,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
	if got["tacet_queue_age_seconds carol"] <= 0 {
		t.Errorf("%v", got)
	}
}
