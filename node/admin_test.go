package node

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/ops"
)

const askedPolicy = `admins: [chief]
rules:
  - {name: asked, submitters: [carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, approve: true,
	fetch: [carol]}
`

// consentCluster returns a cluster where bob's admin chief approves jobs.
func consentCluster(t *testing.T, text string) *testCluster {
	c := newCluster(t, "alice", "bob")
	c.stops["bob"]()
	c.write("bob", "policy.yaml", text)
	c.start("bob", []string{"alice", "bob"}, nil)
	return c
}

func refusedAs(err error, status int) bool {
	var r *api.Refused
	return errors.As(err, &r) && r.Status == status
}

// TestDeny checks that an admin denies a job with a reason, which is in the audit log and at the submitter.
func TestDeny(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := consentCluster(t, askedPolicy)
	defer c.stop()
	s := c.submission("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("carol", "bob").Deny(t.Context(), s.ID, "no"); !refusedAs(err, http.StatusForbidden) {
		t.Errorf("the submitter denies: %v", err)
	}
	for _, reason := range []string{"a\nb", strings.Repeat("x", 2000)} {
		if _, err := c.as("chief", "bob").Deny(t.Context(), s.ID, reason); !refusedAs(err, http.StatusBadRequest) {
			t.Errorf("reason %.10q: %v", reason, err)
		}
	}
	j, err := c.as("chief", "bob").Deny(t.Context(), s.ID, "no consent for this study")
	if err != nil || j.State != api.Denied || j.Error != "denied by chief at bob: no consent for this study" {
		t.Fatalf("%+v, %v", j, err)
	}
	if _, err := c.as("chief", "bob").Deny(t.Context(), s.ID, "again"); !refusedAs(err, http.StatusConflict) {
		t.Errorf("a denied job is denied: %v", err)
	}
	if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "no consent for this study") ||
		!j.Started.IsZero() {
		t.Errorf("at alice: %+v", j)
	}
	var found bool
	var log bytes.Buffer
	if err := c.as("chief", "bob").Audit(t.Context(), 0, &log); err != nil {
		t.Fatal(err)
	}
	_, err = audit.ReadLines("bob", &log, audit.Position{}, func(e audit.Event) error {
		found = found || e.Kind == audit.Denied && e.Actor == "chief" && e.Job == s.ID && strings.HasSuffix(e.Reason,
			"no consent for this study")
		return nil
	})
	if err != nil || !found {
		t.Errorf("the denial is not in the log: %v\n%v", err, c.events("bob"))
	}
	if err := c.as("carol", "bob").Audit(t.Context(), 0, &log); !refusedAs(err, http.StatusForbidden) {
		t.Errorf("the submitter reads the audit log: %v", err)
	}
}

// TestConsentDetails checks what an admin sees before an approval, and that others do not.
func TestConsentDetails(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := consentCluster(t, askedPolicy)
	defer c.stop()
	chief, carol := c.as("chief", "bob"), c.as("carol", "bob")
	first := c.submission("alice", "bob")
	if err := c.submit(first, "carol"); err != nil {
		t.Fatal(err)
	}
	inputs, err := chief.OwnInputs(t.Context(), first.ID)
	want, herr := hashFile(filepath.Join(c.dir, "bob", "data", "x.npy"))
	if err != nil || herr != nil || len(inputs) != 1 || inputs[0].Name != "x.npy" || inputs[0].SHA256 != want ||
		len(inputs[0].Args) != 1 || inputs[0].Args[0] != 1 {
		t.Errorf("%+v, %v, %v", inputs, err, herr)
	}
	if a, err := chief.LastApproval(t.Context(), first.ID); err != nil || a.Known {
		t.Errorf("an approval before the first: %+v, %v", a, err)
	}
	for what, ask := range map[string]func() error{
		"inputs":   func() error { _, err := carol.OwnInputs(t.Context(), first.ID); return err },
		"approved": func() error { _, err := carol.LastApproval(t.Context(), first.ID); return err },
		"always":   func() error { _, err := carol.Always(t.Context(), first.ID); return err },
		"add":      func() error { return carol.AddRule(t.Context(), first.ID, api.Always{}) },
		"log":      func() error { _, err := carol.Log(t.Context(), first.ID); return err },
		"metrics":  func() error { _, err := carol.Metrics(t.Context()); return err },
	} {
		if err := ask(); !refusedAs(err, http.StatusForbidden) {
			t.Errorf("%s: the submitter gets %v", what, err)
		}
	}
	if _, err := chief.ApproveFor(t.Context(), first.ID, "agreed"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(first.ID, "bob"); j.State != api.Done {
		t.Fatalf("%+v", j)
	}
	seen := map[audit.Kind]string{}
	_, err = audit.Read(filepath.Join(c.dir, "bob", "state", auditFile), func(e audit.Event) error {
		if e.Terms != nil && e.Terms.Submission == first.Digest() {
			seen[e.Kind] = e.Terms.String()
		}
		return nil
	})
	const terms = "semi2k among alice, bob; ring 64, fraction 18; alice: argument 0; bob: argument 1; public: argument 2"
	if err != nil || seen[audit.Approved] != terms || seen[audit.Started] != terms {
		t.Errorf("the audit log says %q, %v; want %q", seen, err, terms)
	}
	if _, err := chief.OwnInputs(t.Context(), first.ID); !refusedAs(err, http.StatusConflict) {
		t.Errorf("inputs of an ended job: %v", err)
	}
	lines, err := chief.Log(t.Context(), first.ID)
	if err != nil || len(lines) < 2 || !strings.Contains(lines[0].Text, "job pending") {
		t.Errorf("%+v, %v", lines, err)
	}
	second := c.submission("alice", "bob")
	second.Program.Text = append([]byte("// changed\n"), second.Program.Text...)
	if err := c.submit(second, "carol"); err != nil {
		t.Fatal(err)
	}
	a, err := chief.LastApproval(t.Context(), second.ID)
	if err != nil || !a.Known || a.Job != first.ID || a.By != "chief" || !bytes.Equal(a.Text, first.Program.Text) {
		t.Errorf("%+v, %v", a, err)
	}
	if _, err := chief.Metrics(t.Context()); !refusedAs(err, http.StatusNotFound) {
		t.Errorf("metrics without a registry: %v", err)
	}
}

// TestAlways checks that an admin may add the rule of a job if the policy says so, and that the next job like it
// needs no approval while another one does.
func TestAlways(t *testing.T) {
	defer goleak.VerifyNone(t)
	text := "admins: [chief]\nadmins_may_add_rules: true\nrules:\n  - name: asked\n    submitters: [carol]\n    programs: any\n" +
		"    protocols: any\n    arguments: any\n    inputs: any\n    reveal: any\n    approve: true\n    fetch: [carol]\n"
	c := consentCluster(t, strings.Replace(text, "admins_may_add_rules: true\n", "", 1))
	defer c.stop()
	chief := c.as("chief", "bob")
	s := c.submission("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	a, err := chief.Always(t.Context(), s.ID)
	if err != nil || a.Why == "" || len(a.After) == 0 || len(a.Public) != 1 || a.Public[0] != 2 {
		t.Fatalf("%+v, %v", a, err)
	}
	if err := chief.AddRule(t.Context(), s.ID, a); !refusedAs(err, http.StatusForbidden) {
		t.Errorf("a rule is added although the policy does not say so: %v", err)
	}
	c.write("bob", "policy.yaml", text)
	if a, err = chief.Always(t.Context(), s.ID); err != nil || !strings.Contains(a.Why, "changed since") {
		t.Errorf("the changed file: %+v, %v", a, err)
	}
	if err := c.nodes["bob"].Reload(); err != nil {
		t.Fatal(err)
	}
	if a, err = chief.Always(t.Context(), s.ID); err != nil || a.Why != "" || string(a.Before) != text {
		t.Fatalf("%+v, %v", a, err)
	}
	seen := a
	seen.SHA256 = strings.Repeat("0", 64)
	if err := chief.AddRule(t.Context(), s.ID, seen); !refusedAs(err, http.StatusConflict) {
		t.Errorf("a rule is added to another policy: %v", err)
	}
	if err := chief.AddRule(t.Context(), s.ID, a); err != nil {
		t.Fatal(err)
	}
	written, err := os.ReadFile(filepath.Join(c.dir, "bob", "policy.yaml"))
	if err != nil || !bytes.Equal(written, a.After) {
		t.Errorf("%s, %v", written, err)
	}
	if p := c.nodes["bob"].policy.Policy(); len(p.Rules) != 2 || p.Rules[0].Name != a.Rule || p.Rules[0].Approve {
		t.Errorf("%+v", p.Rules)
	}
	again := c.submission("alice", "bob")
	if err := c.submit(again, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(again.ID, "bob"); j.State != api.Done || j.Rule != a.Rule {
		t.Errorf("%+v", j)
	}
	other := c.submission("alice", "bob")
	other.Program.Text = append([]byte("// changed\n"), other.Program.Text...)
	if err := c.submit(other, "carol"); err != nil {
		t.Fatal(err)
	}
	if j, err := c.as("carol", "bob").Job(t.Context(), other.ID); err != nil || j.State != api.Pending || j.Rule != "asked" {
		t.Errorf("another program: %+v, %v", j, err)
	}
	if !strings.Contains(strings.Join(c.events("bob"), "\n"), "policy chief") {
		t.Errorf("the audit log does not say who added a rule: %v", c.events("bob"))
	}
}

// TestMetricsAnswer checks that metrics are answers without NaN, with counts and sums of histograms.
func TestMetricsAnswer(t *testing.T) {
	r := prometheus.NewRegistry()
	m := ops.NewNodeMetrics(r, nil, func() ops.Load { return ops.Load{Jobs: map[string]int{"pending": 3}} })
	m.Planned(2e9)
	got, err := samples(r)
	if err != nil {
		t.Fatal(err)
	}
	values := map[string]float64{}
	for _, s := range got {
		values[s.Name+s.Labels["state"]] = s.Value
	}
	if values["tacet_jobspending"] != 3 || values["tacet_plan_seconds_count"] != 1 || values["tacet_plan_seconds_sum"] != 2 {
		t.Errorf("%v", values)
	}
}

// TestListPages checks pages and filters of a list of jobs.
func TestListPages(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := consentCluster(t, askedPolicy)
	defer c.stop()
	chief := c.as("chief", "bob")
	var ids []string
	for range 5 {
		s := c.submission("alice", "bob")
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, s.ID)
	}
	if _, err := chief.Deny(t.Context(), ids[1], ""); err != nil {
		t.Fatal(err)
	}
	for _, k := range []struct {
		q     api.JobsQuery
		want  []int
		total int
	}{
		{api.JobsQuery{}, []int{4, 3, 2, 1, 0}, 5},
		{api.JobsQuery{Skip: 1, Limit: 2}, []int{3, 2}, 5},
		{api.JobsQuery{Skip: 9, Limit: 2}, nil, 5},
		{api.JobsQuery{State: api.Pending, Skip: 2}, []int{2, 0}, 4},
		{api.JobsQuery{State: api.Denied}, []int{1}, 1},
		{api.JobsQuery{Serve: true}, nil, 0},
		{api.JobsQuery{Prefix: ids[3][:12]}, []int{3}, 1},
	} {
		jobs, total, err := chief.List(t.Context(), k.q)
		if err != nil || total != k.total || len(jobs) != len(k.want) {
			t.Errorf("%+v: %d jobs of %d, %v", k.q, len(jobs), total, err)
			continue
		}
		for i, j := range jobs {
			if j.ID != ids[k.want[i]] {
				t.Errorf("%+v: job %d is %s", k.q, i, j.ID)
			}
		}
	}
	if _, _, err := chief.List(t.Context(), api.JobsQuery{State: "odd"}); !refusedAs(err, http.StatusBadRequest) {
		t.Errorf("an odd state: %v", err)
	}
}

// TestNewestJobs compares the newest of many jobs with those of a sorted list.
func TestNewestJobs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []*jobstate.Job
		c := newestJobs{most: rapid.IntRange(1, 40).Draw(t, "most")}
		for i := range rapid.IntRange(0, 1500).Draw(t, "jobs") {
			j := &jobstate.Job{}
			j.ID, j.Submitted = fmt.Sprint(i), time.Unix(int64(i*7919%1009), 0)
			all = append(all, j)
			c.add(j)
		}
		slices.SortFunc(all, compareAge)
		if got := c.sorted(); !slices.Equal(got, all[:min(c.most, len(all))]) {
			t.Fatalf("%d jobs of %d are not the newest", len(got), len(all))
		}
	})
}
