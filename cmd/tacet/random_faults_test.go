//go:build linux

package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit"
	"github.com/tacet-mpc/tacet/link/fault"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/profile"
)

// randomFaults is the number of faults; TACET_TEST_FAULTS overrides it.
const randomFaults = 5

// TestRandomFaults applies one fault after another at random bytes of random lines while jobs run,
// some of them from stores. Every job must end at all nodes, every result must be right, the next job
// must succeed, and no session of correlated randomness may be used twice.
func TestRandomFaults(t *testing.T) {
	t.Parallel()
	n := faultsToApply(t)
	r := newRig(t, 64, ", wait: 10s")
	r.misfortunes(n, n/2+2)
}

// TestRandomFaultsOfPair is TestRandomFaults of two nodes without a dealer: what a pair keeps from one session to the next
// serves one session.
func TestRandomFaultsOfPair(t *testing.T) {
	t.Parallel()
	n := (faultsToApply(t) + 1) / 2
	if os.Getenv("TACET_TEST_FAULTS") != "" {
		n = faultsToApply(t)
	}
	r := newPairRig(t, 64, ", wait: 10s")
	r.misfortunes(n, n/4+1)
}

// faultsToApply is randomFaults, or what TACET_TEST_FAULTS says.
func faultsToApply(t *testing.T) int {
	n := randomFaults
	if text := os.Getenv("TACET_TEST_FAULTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

// misfortunes applies n faults; so many sessions are made ahead of time.
func (r *rig) misfortunes(n, sessions int) {
	t := r.t
	if _, stderr, err := r.tacet("offline", "job.yaml", "--cluster", kit.ClusterFile, "--sessions", strconv.Itoa(sessions)); err != nil {
		t.Fatal(err, stderr)
	}
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	ends := map[api.State]int{}
	for i := 0; i < n && !t.Failed(); {
		begun := time.Now()
		what, happened := r.misfortune(random, ends)
		if !happened { // the jobs ended before the fault
			continue
		}
		i++
		r.works(what)
		r.clean(what)
		t.Logf("%d of seed %d, %.1f s: %s", i, seed, time.Since(begun).Seconds(), what)
	}
	t.Logf("%d faults; jobs under them ended at nodes: %v", n, ends)
	r.once()
}

// misfortune applies a random fault while jobs run, if its byte is reached, and describes it.
func (r *rig) misfortune(random *rand.Rand, ends map[api.State]int) (what string, happened bool) {
	names := slices.Clone(r.parties)
	if !r.pair {
		names = append(names, kit.Dealer)
	}
	who := names[random.IntN(len(names))]
	var between [2]string
	for from := random.IntN(len(r.parties)); between[0] == between[1]; {
		between = [2]string{r.parties[from], names[random.IntN(len(names))]}
	}
	line, way := r.lines[between], []fault.Direction{fault.Out, fault.Back}[random.IntN(2)]
	at := random.Int64N(7000)
	if between[1] == kit.Dealer && way == fault.Back {
		at *= 5
	}
	short := time.Duration(random.IntN(2000)) * time.Millisecond
	pause := func(stop, start func()) func() {
		return func() {
			stop()
			time.Sleep(short)
			start()
		}
	}
	kinds := []struct {
		name string
		do   func()
	}{
		{who + " is killed", func() { r.killed(who) }},
		{who + " hangs", func() { r.signal(who, syscall.SIGSTOP) }},
		{who + " stands still for a while", pause(func() { r.signal(who, syscall.SIGSTOP) }, func() { r.signal(who, syscall.SIGCONT) })},
		{who + " is asked to stop", func() { r.signal(who, syscall.SIGTERM); r.buried(who) }},
		{"hole in the line", func() { line.Set(fault.Both, fault.Fault{Hole: true}) }},
		{"hole around " + who, func() { r.around(who, fault.Fault{Hole: true}) }},
		{"line cut", line.Cut},
		{"line stopped for a while", pause(func() { line.Set(fault.Both, fault.Fault{Stop: true}) }, func() { line.Set(fault.Both, fault.Fault{}) })},
		{"byte changed", func() { line.Corrupt(way, 0) }},
		{"loss and delay", func() { r.all(fault.Fault{Delay: 25 * time.Millisecond, Loss: 0.01}) }},
		{"slow line", func() { line.Set(fault.Both, fault.Fault{Rate: 20_000}) }},
	}
	kind := kinds[random.IntN(len(kinds))]
	what = fmt.Sprintf("%s, when byte %d goes over the line from %s to %s, way %d", kind.name, at, between[0], between[1], way)
	var mu sync.Mutex
	over := false
	var happening sync.WaitGroup
	line.At(way, at, func() {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			happened = true
			happening.Go(kind.do) // so that the line does not wait
		}
	})
	var jobs []*api.Submission
	for range 1 + random.IntN(2) {
		s := r.turned(random.IntN(3))
		jobs = append(jobs, s)
		r.hand(s)
	}
	for deadline := time.Now().Add(rigWait); time.Now().Before(deadline) && r.open(jobs); time.Sleep(20 * time.Millisecond) {
	}
	mu.Lock()
	over = true
	mu.Unlock()
	happening.Wait()
	r.all(fault.Fault{})
	line.Mend() // a byte that was to be changed and that no job sent must not be changed in the next one
	r.signal(who, syscall.SIGCONT)
	r.up()
	for _, s := range jobs {
		for _, p := range s.Parties {
			j, known := r.end(s, p)
			ends[j.State]++
			switch {
			case known && j.State == api.Done:
				r.right(s, p)
			case known && j.Error == "":
				r.t.Errorf("%s: job %s is %s at %s, and nobody says why", what, s.ID, j.State, p)
			}
		}
	}
	return what, happened
}

// open reports whether a node that answers has a job that has not ended.
func (r *rig) open(jobs []*api.Submission) bool {
	for _, s := range jobs {
		for _, p := range s.Parties {
			if j, err := r.asked(p, s.ID); err == nil && !j.State.Final() {
				return true
			}
		}
	}
	return false
}

// once checks that no session was used by two jobs, from stores or from the dealer.
func (r *rig) once() {
	r.t.Helper()
	used := map[string]string{}
	reports, warm := 0, 0
	for _, p := range r.parties {
		files, err := filepath.Glob(filepath.Join(r.dir, p, "state", "jobs", "*", "report.json"))
		r.check(err)
		for _, f := range files {
			text, err := os.ReadFile(f)
			r.check(err)
			report, err := profile.Parse(text)
			r.check(err)
			reports++
			if strings.HasPrefix(report.Offline.PairState, "warm") {
				warm++
			}
			id, job := report.Offline.Session, filepath.Base(filepath.Dir(f))
			if id == "" { // not from a store
				continue
			}
			if other := used[id]; other != "" && other != job {
				r.t.Errorf("session %s was used by jobs %s and %s", id, other, job)
			}
			used[id] = job
		}
	}
	served := 0
	if !r.pair {
		served = r.served()
	}
	states := map[store.State]int{}
	for _, p := range r.parties {
		for _, folder := range []string{"state.store", "state.store.pair"} {
			if _, err := os.Stat(filepath.Join(r.dir, p, folder)); err != nil && !r.pair {
				continue
			}
			rows, _, err := store.List(filepath.Join(r.dir, p, folder))
			r.check(err)
			for _, row := range rows {
				for _, s := range row.States {
					states[s]++
				}
			}
		}
	}
	r.t.Logf("%d reports, of %d sessions of stores, %d with what a pair has kept; the dealer ended %d sessions; in stores: %v",
		reports, len(used), warm, served, states)
	if r.pair && warm == 0 {
		r.t.Error("no session began with what the pair has kept")
	}
	if states[store.Begun] > 0 {
		r.t.Errorf("%d sessions in stores are begun, and nothing runs", states[store.Begun])
	}
}

// served reads from the dealer's log which sessions have ended; each must be there once.
func (r *rig) served() int {
	r.t.Helper()
	seen := map[string]bool{}
	lines := bufio.NewScanner(strings.NewReader(r.read(kit.Dealer, "dealer.log")))
	for lines.Scan() {
		var e struct{ Msg, Session string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Msg != "session served" && e.Msg != "session failed" {
			continue
		}
		if seen[e.Session] {
			r.t.Errorf("the dealer had session %s twice", e.Session)
		}
		seen[e.Session] = true
	}
	r.check(lines.Err())
	return len(seen)
}
