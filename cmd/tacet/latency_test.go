//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/profile"
)

// TestLatency compares jobs over lines of 100 Mbit/s and 10 ms there and back
// with their plans. It takes a machine that does nothing else, so it runs where
// TACET_TEST_LATENCY says which fixtures: logreg-train,transformer-block.
func TestLatency(t *testing.T) {
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
	const network, tries = "1e8/10ms", 5
	r := newRig(t, 64)
	for _, p := range r.parties {
		r.killed(p)
		r.write(p, "node.yaml", strings.Replace(r.read(p, "node.yaml"), `data: ["data"]`, fmt.Sprintf(`data: ["data", %q]`, dir), 1))
	}
	r.up()
	r.all(fault.Fault{Delay: 5 * time.Millisecond, Rate: 12.5e6})
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
	for _, name := range strings.Split(names, ",") {
		job := filepath.Join(dir, name, "job.yaml")
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
