//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// slow returns a rig with lines of 100 Mbit/s and 10 ms round trip, and jobs of fixtures. The
// measurements need an idle machine, so the tests run only for the fixtures that TACET_TEST_LATENCY
// lists: logreg-train,transformer-block.
func slow(t *testing.T) (r *rig, jobs map[string]string) {
	t.Helper()
	names := os.Getenv("TACET_TEST_LATENCY")
	if names == "" {
		t.Skip("set TACET_TEST_LATENCY to names of fixtures")
	}
	dir := os.Getenv("TACET_FIXTURES")
	if dir == "" {
		dir = "../../../shared/fixtures"
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	r = newRig(t, 64)
	for _, p := range r.parties {
		r.killed(p)
		r.write(p, "node.yaml", strings.Replace(r.read(p, "node.yaml"), `data: ["data"]`, fmt.Sprintf(`data: ["data", %q]`, dir), 1))
	}
	r.up()
	r.all(fault.Fault{Delay: 5 * time.Millisecond, Rate: 12.5e6})
	jobs = map[string]string{}
	for _, name := range strings.Split(names, ",") {
		jobs[name] = filepath.Join(dir, name, "job.yaml")
	}
	return r, jobs
}

// TestLatency compares the times of jobs over slow lines with their plans.
func TestLatency(t *testing.T) {
	const network, tries = "1e8/10ms", 5
	r, jobs := slow(t)
	report := func(file string, args ...string) *profile.Report {
		t.Helper()
		stdout, stderr, err := r.tacet(args...)
		if err != nil {
			t.Fatalf("%v: %s", err, stderr)
		}
		if file != "" {
			stdout = r.read("", file)
		}
		out, err := profile.Parse([]byte(stdout))
		r.check(err)
		return out
	}
	for name, job := range jobs {
		plan := report("", "plan", job, "--network", network, "--json")
		want, got := plan.Plan.Networks[0].Online, math.Inf(1)
		for range tries {
			x := report("run.json", "submit", job, "--cluster", kit.ClusterFile, "--network", network, "--report", "run.json")
			got = min(got, x.Online.Seconds)
		}
		t.Logf("%s: %d rounds, planned %.3f s, took %.3f s: %.2f times as long", name, plan.Online.Rounds, want, got, got/want)
		if math.Abs(got/want-1) > 0.2 {
			t.Errorf("%s: took %.3f s, planned are %.3f s", name, got, want)
		}
	}
}

// TestServiceLatency sends eight requests at once to services over slow lines: a batch must take
// hardly longer than one request.
func TestServiceLatency(t *testing.T) {
	const network, requests, tries = "1e8/10ms", 8, 3
	r, jobs := slow(t)
	for name, file := range jobs {
		j, p, err := (&jobFlags{Job: file}).read(t.Context(), job.Override{Network: network})
		r.check(err)
		for i, in := range j.Inputs {
			j.Inputs[i].Resident = !in.Public && in.Owner != j.Parties[0]
		}
		var first float64
		for _, batch := range []int{1, 2, 4, 8} {
			s, err := cluster.NewSubmission(t.Context(), j, p)
			r.check(err)
			s.Serve, s.Batch = true, batch
			_, err = cluster.Submit(t.Context(), r.clients, s)
			r.check(err)
			r.check(cluster.WaitOpen(t.Context(), r.clients, s.Parties, s.ID, func([]api.Job) {}))
			best := math.Inf(1)
			for range tries {
				start := time.Now()
				var all sync.WaitGroup
				for range requests {
					all.Go(func() {
						if _, err := cluster.SendRequest(t.Context(), r.clients, s.Parties, s.ID, cluster.NewRequest("", nil)); err != nil {
							t.Error(err)
						}
					})
				}
				all.Wait()
				best = min(best, time.Since(start).Seconds())
			}
			r.check(cluster.Cancel(t.Context(), r.clients, s.Parties, s.ID))
			if batch == 1 {
				first = best
			}
			t.Logf("%s, %d at once: %d requests in %.2f s: %.2f times as many a second as one after the other", name, batch, requests, best, first/best)
			if best > 1.1*first {
				t.Errorf("%s: %d requests take %.2f s, %d at once, and %.2f s one after the other", name, requests, best, batch, first)
			}
		}
	}
}
