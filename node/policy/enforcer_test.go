package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCountsSurvive starts as many runs as a rule allows, each from a new Enforcer, as after a
// restart.
func TestCountsSurvive(t *testing.T) {
	p := &Policy{
		Rules: []Rule{
			{Name: "r", Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true}, Submitters: []string{"c"}, Runs: 3},
		},
	}
	path := filepath.Join(t.TempDir(), "policy.json")
	s := Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}
	for range 3 {
		if d, err := keeper(t, p, path).Start(s, false); err != nil || d.Verdict != Allowed {
			t.Fatal(d, err)
		}
	}
	d, err := keeper(t, p, path).Start(s, true)
	if err != nil || d.Verdict != Denied || d.Reason != `rule "r": runs: all 3 are used up` {
		t.Error(d, err)
	}
}

func TestRate(t *testing.T) {
	p := &Policy{
		Rules: []Rule{
			{
				Name:       "r",
				Programs:   Names{Any: true},
				Protocols:  Names{Any: true},
				Outputs:    Names{Any: true},
				Submitters: []string{"c"},
				Rate:       Rate{2, time.Hour},
			},
		},
	}
	k := keeper(t, p, filepath.Join(t.TempDir(), "policy.json"))
	for i, c := range []struct {
		minutes int
		want    Verdict
		// the last one after the clock is set back
	}{{0, Allowed}, {30, Allowed}, {59, Denied}, {60, Allowed}, {61, Denied}, {90, Allowed}, {1, Denied}} {
		d, err := k.Start(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon.Add(time.Duration(c.minutes) * time.Minute)}, false)
		if err != nil || d.Verdict != c.want {
			t.Errorf("start %d: %+v, %v, want %v", i, d, err, c.want)
		}
		if want := `rule "r": rate: 2 of c's have started within an hour`; d.Verdict == Denied && d.Reason != want {
			t.Errorf("%q, want %q", d.Reason, want)
		}
	}
}

// TestRateOfSubmitters checks that a rule's rate is each submitter's own, over restarts and for runs that an earlier build has
// counted for all submitters together, and that the times of runs which count no more are forgotten.
func TestRateOfSubmitters(t *testing.T) {
	p := &Policy{Rules: []Rule{{
		Name: "r", Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true}, Submitters: []string{"carol", "dave"},
		Rate: Rate{2, time.Hour},
	}}}
	path := filepath.Join(t.TempDir(), "policy.json")
	former := fmt.Sprintf(`{"rules": {"r": {"runs": 1, "starts": [%q]}}}`, noon.Add(-30*time.Minute).Format(time.RFC3339))
	if err := os.WriteFile(path, []byte(former), 0o600); err != nil {
		t.Fatal(err)
	}
	for i, c := range []struct {
		minutes int
		by      string
		want    Verdict
	}{
		{0, "dave", Allowed}, {1, "dave", Denied}, {1, "carol", Allowed}, {2, "carol", Denied}, // with the one before noon
		{31, "dave", Allowed}, {32, "dave", Denied}, {32, "carol", Allowed}, {33, "carol", Denied},
		{200, "carol", Allowed},
	} {
		now := noon.Add(time.Duration(c.minutes) * time.Minute)
		d, err := keeper(t, p, path).Start(Submission{By: c.by, Ring: 64, Fraction: 18, Now: now}, false)
		if err != nil || d.Verdict != c.want {
			t.Errorf("start %d, of %s: %+v, %v, want %v", i, c.by, d, err, c.want)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "dave") || strings.Count(string(text), "Z\"") != 1 || !strings.Contains(string(text), `"runs": 6`) {
		t.Errorf("the counts in the end: %s, %v", text, err)
	}
}

// TestNotApprovedIsNotCounted checks that a job that waits for approval is not counted.
func TestNotApprovedIsNotCounted(t *testing.T) {
	p := &Policy{
		Rules: []Rule{
			{
				Name:       "r",
				Programs:   Names{Any: true},
				Protocols:  Names{Any: true},
				Outputs:    Names{Any: true},
				Submitters: []string{"c"},
				Runs:       1,
				Approve:    true,
			},
		},
	}
	path := filepath.Join(t.TempDir(), "policy.json")
	k := keeper(t, p, path)
	for _, approved := range []bool{false, false, true} {
		if d, err := k.Start(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}, approved); err != nil || d.Verdict != NeedsApproval {
			t.Fatal(d, err)
		}
	}
	if d, err := k.Start(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}, true); err != nil || d.Verdict != Denied {
		t.Error(d, err)
	}
}

// TestStartsAtOnce checks that of many jobs judged as allowed, only as many start as the rule allows.
func TestStartsAtOnce(t *testing.T) {
	p := &Policy{
		Rules: []Rule{
			{Name: "r", Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true}, Submitters: []string{"c"}, Runs: 5},
		},
	}
	k := keeper(t, p, filepath.Join(t.TempDir(), "policy.json"))
	var wg sync.WaitGroup
	verdicts := make(chan Verdict, 20)
	for range 20 {
		wg.Go(func() {
			d, err := k.Start(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}, false)
			if err != nil {
				t.Error(err)
			}
			verdicts <- d.Verdict
		})
	}
	wg.Wait()
	close(verdicts)
	allowed := 0
	for v := range verdicts {
		if v == Allowed {
			allowed++
		}
	}
	if allowed != 5 {
		t.Errorf("%d started, 5 are allowed", allowed)
	}
}

// TestUncountedStartsNot checks that no run starts if the count cannot be written, and that it stays
// counted in memory.
func TestUncountedStartsNot(t *testing.T) {
	p := &Policy{
		Rules: []Rule{
			{Name: "r", Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true}, Submitters: []string{"c"}, Runs: 1},
		},
	}
	dir := filepath.Join(t.TempDir(), "state")
	k := keeper(t, p, filepath.Join(dir, "policy.json"))
	d, err := k.Start(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}, false)
	if err == nil || d.Verdict != Denied {
		t.Errorf("%+v, %v", d, err)
	}
	if d := k.Judge(Submission{By: "c", Ring: 64, Fraction: 18, Now: noon}); d.Verdict != Denied {
		t.Error(d)
	}
}

func TestOpenRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.json")
	for _, text := range []string{"", "{", "[]", `{"rules": {"r": null}}`, `{"rules": {"r": {"runs": -1}}}`, `{"rules": {"r": {"runs": 1, "start": []}}}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Open(&Policy{}, path)
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "restore it") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOfflineCounted checks that runs bounds the sessions that are made ahead of time too, separately from
// the runs that use them, and that both counts survive a restart.
func TestOfflineCounted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.json")
	p := &Policy{
		Rules: []Rule{
			{Name: "r", Submitters: []string{"c"}, Programs: Names{Any: true}, Protocols: Names{Any: true}, Outputs: Names{Any: true}, Runs: 2},
		},
	}
	for i := range 6 {
		k := keeper(t, p, path)
		s := Submission{By: "c", Ring: 64, Fraction: 18, Now: noon, Offline: i%2 == 0}
		d, err := k.Start(s, false)
		if want := i < 4; err != nil || (d.Verdict == Allowed) != want {
			t.Errorf("start %d: %+v, %v; want it allowed: %v", i, d, err, want)
		}
	}
}
