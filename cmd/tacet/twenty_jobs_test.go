//go:build linux

package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestTwentyJobs submits twenty jobs at once, with different leaders: all results must be right, and the
// nodes' memory must stay within their limits.
func TestTwentyJobs(t *testing.T) {
	t.Parallel()
	const limit = 256 // MiB
	r := newRig(t, 8192, fmt.Sprintf(", jobs: 4, memory: %dMiB", limit))
	before := map[string]int{}
	for _, p := range r.parties {
		before[p] = r.memory(p, "VmRSS")
	}
	var jobs []*api.Submission
	for n := range 20 {
		jobs = append(jobs, r.turned(n))
	}
	var all sync.WaitGroup
	for _, s := range jobs {
		all.Go(func() { r.hand(s) })
	}
	all.Wait()
	for _, s := range jobs {
		for _, p := range s.Parties {
			j, known := r.end(s, p)
			r.says(s, p, j, known, "")
		}
	}
	for _, p := range r.parties {
		most := r.memory(p, "VmHWM")
		t.Logf("%s: %d MiB when idle, %d MiB at most", p, before[p], most)
		if most > before[p]+limit {
			t.Errorf("%s has taken %d MiB where it may plan with %d MiB, and had %d MiB before", p, most, limit, before[p])
		}
	}
	r.clean("after a crowd")
}

// memory returns a value of the kernel about a process's memory, in MiB.
func (r *rig) memory(name, what string) int {
	r.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.pids[name]))
	r.check(err)
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, what+":"); ok {
			var kib int
			_, err := fmt.Sscanf(rest, "%d kB", &kib)
			r.check(err)
			return kib >> 10
		}
	}
	r.t.Fatalf("no %s of %s", what, name)
	return 0
}
