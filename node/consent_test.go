package node

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestDenied submits jobs that policies do not allow and checks that none runs at any node.
func TestDenied(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", `rules:
  - {name: narrow, submitters: [carol], programs: any, protocols: any, arguments: any, inputs: [x.npy], reveal: [bob], runs: 1}
`)
	c.start("bob", []string{"alice", "bob"}, nil)
	for name, k := range map[string]struct {
		who    string
		change func(*api.Submission)
		why    string
	}{
		"submitter":               {"mallory", func(s *api.Submission) { s.Reveal = []int{1} }, "no rule names mallory"},
		"result to another":       {"carol", func(*api.Submission) {}, "alice may not learn results"},
		"input that is not there": {"carol", func(s *api.Submission) { s.Reveal, s.Inputs[1].Name = []int{1}, "z.npy" }, `inputs: "z.npy" is not among them`},
		"input not in the rule":   {"carol", func(s *api.Submission) { s.Reveal, s.Inputs[1].Name = []int{1}, "y.npy" }, `"y.npy" is not among them`},
	} {
		t.Run(name, func(t *testing.T) {
			y := filepath.Join(c.dir, "bob", "data")
			x, err := os.ReadFile(filepath.Join(y, "x.npy"))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(y, "y.npy"), x, 0o600); err != nil {
				t.Fatal(err)
			}
			s := c.submission("alice", "bob")
			k.change(s)
			err = c.submit(s, k.who)
			if k.who != "carol" {
				if err == nil || !strings.Contains(err.Error(), k.why) {
					t.Errorf("got %v, want %q", err, k.why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			j, err := c.as(k.who, "bob").Job(t.Context(), s.ID)
			if err != nil || j.State != api.Denied || !strings.Contains(j.Error, k.why) {
				t.Errorf("at bob: %s (%s), %v; want denied: %s", j.State, j.Error, err, k.why)
			}
			j = c.wait(s.ID, "alice")
			if j.State != api.Failed || !strings.Contains(j.Error, "denied") || !j.Started.IsZero() {
				t.Errorf("at alice: %s (%s), started %v", j.State, j.Error, j.Started)
			}
		})
	}
}

// events returns the kinds of the events in a node's audit log, with actor or reason.
func (c *testCluster) events(node string) []string {
	c.t.Helper()
	var out []string
	_, err := audit.Read(filepath.Join(c.dir, node, "state", auditFile), func(e audit.Event) error {
		text := string(e.Kind)
		if e.Actor != "" {
			text += " " + e.Actor
		}
		for _, in := range e.Inputs {
			text += " " + in.Name
		}
		for _, l := range e.Learned {
			text += fmt.Sprintf(" %d: %s", l.Result, strings.Join(l.By, "+"))
		}
		out = append(out, text)
		return nil
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return out
}

// TestApproval checks that a job waits for an admin's approval, that its run is counted, and that only
// the names under fetch may fetch the result.
func TestApproval(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", `admins: [chief]
rules:
  - {name: asked, submitters: [carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, approve: true, runs: 1}
`)
	c.start("bob", []string{"alice", "bob"}, nil)
	s := c.submission("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	j, err := c.as("carol", "bob").Job(t.Context(), s.ID)
	if err != nil || j.State != api.Pending || len(j.Reveals) != 1 || strings.Join(j.Reveals[0].By, " ") != "alice bob" {
		t.Fatalf("before approval: %+v, %v", j, err)
	}
	var refused *api.Refused
	if _, err := c.as("carol", "bob").Approve(t.Context(), s.ID); !errors.As(err, &refused) || refused.Status != http.StatusForbidden {
		t.Errorf("carol approves: %v", err)
	}
	if _, err := c.as("eve", "bob").Job(t.Context(), s.ID); !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
		t.Errorf("eve asks: %v", err)
	}
	if _, err := c.as("chief", "bob").Approve(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Done {
		t.Fatalf("after approval: %s (%s)", j.State, j.Error)
	}
	if _, err := c.result(s.ID, "bob", "chief"); err != nil {
		t.Error(err)
	}
	if _, err := c.result(s.ID, "bob", "carol"); err == nil || !strings.Contains(err.Error(), "may not fetch") {
		t.Errorf("carol fetches at bob: %v", err)
	}
	again := c.submission("alice", "bob")
	if err := c.submit(again, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(again.ID, "bob"); j.State != api.Denied || !strings.Contains(j.Error, "all 1 are used up") {
		t.Errorf("a second run: %s (%s)", j.State, j.Error)
	}
	want := []string{"policy", "policy", "submitted carol", "approved chief", "started x.npy", "learned 0: alice+bob", "finished", "submitted carol", "denied carol"}
	if got := c.events("bob"); !slices.Equal(got, want) {
		t.Errorf("bob's audit log has %q, want %q", got, want)
	}
}

// TestReload checks that a reloaded policy applies to new jobs, to waiting jobs and to admin actions,
// and that an invalid one is ignored.
func TestReload(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	replace := func(text string) error {
		c.write("bob", "policy.yaml", text)
		return c.nodes["bob"].Reload()
	}
	const asked = "rules: [{name: asked, submitters: [carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, approve: true}]\n"
	if err := replace("admins: [chief]\n" + asked); err != nil {
		t.Fatal(err)
	}
	waits := c.submission("alice", "bob")
	if err := c.submit(waits, "carol"); err != nil {
		t.Fatal(err)
	}
	if err := replace("rules: [{name: asked"); err == nil {
		t.Error("a policy without an end is taken")
	}
	if err := replace("admins: [boss]\n" + asked); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("chief", "bob").Approve(t.Context(), waits.ID); err == nil {
		t.Error("a former admin approves")
	}
	if err := replace("admins: [boss]\nrules: []\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("boss", "bob").Approve(t.Context(), waits.ID); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(waits.ID, "bob"); j.State != api.Denied || !strings.Contains(j.Error, "no rule names carol") {
		t.Errorf("under a policy that came while it waited: %s (%s)", j.State, j.Error)
	}
	if err := replace(anything); err != nil {
		t.Fatal(err)
	}
	next := c.submission("alice", "bob")
	if err := c.submit(next, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(next.ID, "bob"); j.State != api.Done {
		t.Errorf("under one that allows it: %s (%s)", j.State, j.Error)
	}
	if got := strings.Count(strings.Join(c.events("bob"), "\n"), "policy"); got != 5 {
		t.Errorf("the audit log has %d policies: %q", got, c.events("bob"))
	}
}

// TestCancel cancels a waiting job at one node and checks that the other nodes end it. A name that may only fetch
// the results may not cancel it.
func TestCancel(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["alice"]()
	c.write("alice", "policy.yaml", strings.Replace(anything, "fetch: [carol]", "fetch: [carol, mallory]", 1))
	c.start("alice", []string{"alice", "bob"}, nil)
	s := c.submission("alice", "bob")
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil { // bob has not received the submission
		t.Fatal(err)
	}
	if j, err := c.as("mallory", "alice").Job(t.Context(), s.ID); err != nil || j.State.Final() {
		t.Fatalf("mallory, who may fetch the results, sees %+v (%v)", j, err)
	}
	if _, err := c.as("mallory", "alice").Cancel(t.Context(), s.ID); err == nil || !strings.Contains(err.Error(), "may not cancel job") {
		t.Errorf("a name that may fetch the results cancels the job: %v", err)
	}
	if _, err := c.as("carol", "alice").Cancel(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "alice"); j.State != api.Cancelled || j.Error != "cancelled by carol at alice" {
		t.Errorf("cancelled: %s (%s)", j.State, j.Error)
	}
	if _, err := c.as("carol", "alice").Cancel(t.Context(), s.ID); err == nil {
		t.Error("cancelled twice")
	}
}

// TestRuleCoversArguments checks that a rule for a program's digest allows neither public values in place of
// another party's argument, nor another protocol, nor other parties; and that the status of a job names
// every argument's owner.
func TestRuleCoversArguments(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob", "dave")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", fmt.Sprintf("rules:\n- {name: town, submitters: [carol], programs: [%q], parties: [alice, bob], "+
		"arguments: {2: public}, inputs: any, reveal: any, outputs: [tensor<f32>]}\n", c.submission("alice", "bob").Program.Digest()))
	c.start("bob", []string{"alice", "bob", "dave"}, nil)
	var weights strings.Builder
	if err := npy.Write(&weights, tensor.FromFloats(tensor.F32, tensor.Shape{4}, []float64{1, 0, 0, 0})); err != nil {
		t.Fatal(err)
	}
	for name, k := range map[string]struct {
		change func(*api.Submission)
		why    string
	}{
		"as declared": {func(*api.Submission) {}, ""},
		"alice's argument as a public one of carol's choice": {func(s *api.Submission) {
			s.Inputs = s.Inputs[1:]
			s.Public = append(s.Public, api.Public{Arg: 0, Array: []byte(weights.String())})
		}, "arguments: argument 0 is public, chosen by the submitter"},
		"another protocol": {func(s *api.Submission) {
			s.Parties, s.Computing, s.Protocol = []string{"alice", "bob", "dave"}, 3, "aby3"
		}, "protocols: the job runs aby3, and the rule allows semi2k"},
		"another party": {func(s *api.Submission) { s.Parties = []string{"alice", "bob", "dave"} },
			"parties: the job's are alice, bob, dave, and the rule allows alice, bob, in this order"},
	} {
		t.Run(name, func(t *testing.T) {
			s := c.submission("alice", "bob")
			k.change(s)
			if err := c.submit(s, "carol"); err != nil {
				t.Fatal(err)
			}
			j := c.wait(s.ID, "bob")
			if k.why != "" {
				if j.State != api.Denied || !strings.Contains(j.Error, k.why) {
					t.Errorf("at bob: %s (%s); want denied: %s", j.State, j.Error, k.why)
				}
				return
			}
			want := []api.Argument{{Type: "tensor<4xf32>", Owner: "alice"}, {Type: "tensor<4xf32>", Owner: "bob"}, {Type: "tensor<f32>", Owner: "public"}}
			if j.State != api.Done || !slices.Equal(j.Arguments, want) || j.Protocol != "semi2k" || j.Computing != 2 {
				t.Errorf("at bob: %s (%s), %s among %d, arguments %v; want %v", j.State, j.Error, j.Protocol, j.Computing, j.Arguments, want)
			}
		})
	}
}

// TestOwnersByContent checks the rule once an argument is owned by whoever's file has it: the names in
// another party's file are known only when the nodes have answered one another.
func TestOwnersByContent(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", "rules:\n- {name: town, submitters: [carol], programs: any, arguments: {0: bob, 2: public}, inputs: any, reveal: any}\n")
	c.start("bob", []string{"alice", "bob"}, nil)
	s := c.submission("alice", "bob")
	var z bytes.Buffer
	w := zip.NewWriter(&z)
	f, err := w.Create("arg0.npy")
	if err == nil {
		err = npy.Write(f, tensor.FromFloats(tensor.F32, tensor.Shape{4}, []float64{1, 0, 0, 0}))
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	c.write("alice", "data/x.npz", z.String())
	s.Inputs[0] = api.Input{Owner: "alice", Name: "x.npz"}
	if _, err := c.as("carol", "bob").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	c.write("bob", "data/x.npy", "not an array") // bob's node must not look at it before it denies the job
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Denied || !strings.Contains(j.Error, "arguments: argument 0 is alice's, and the rule allows bob") {
		t.Errorf("at bob: %s (%s)", j.State, j.Error)
	}
}

// TestOfflineRunsAreCounted checks that runs bounds the sessions that are made ahead of time.
func TestOfflineRunsAreCounted(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", "rules:\n- {name: two, submitters: [carol], programs: any, arguments: any, inputs: any, reveal: any, runs: 2}\n")
	c.start("bob", []string{"alice", "bob"}, nil)
	for i := range 3 {
		s := c.submission("alice", "bob")
		s.Offline = true
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		want := api.Done
		if i == 2 {
			want = api.Denied
		}
		if j := c.wait(s.ID, "bob"); j.State != want {
			t.Errorf("session %d: %s (%s), want %s", i, j.State, j.Error, want)
		}
	}
}

// TestDeniedLearnsNothing checks that what a submitter is told about a file or kept result that the policy
// does not allow depends neither on whether it exists nor on what it holds: of jobs, of a program for which
// no rule allows the file although a rule for another program does, and of requests.
func TestDeniedLearnsNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	town := c.submission("alice", "bob").Program.Digest()
	other := "sha256:" + strings.Repeat("00", 32)
	c.stops["alice"]()
	c.write("alice", "policy.yaml", fmt.Sprintf(`rules:
  - {name: town, submitters: [carol], programs: [%q], arguments: any, inputs: [x.npy], reveal: any}
  - {name: other, submitters: [carol], programs: [%q], arguments: any, inputs: any, kept: any, reveal: any}
`, town, other))
	c.start("alice", []string{"alice", "bob"}, nil)
	c.put("alice", "y.npy", 1, 2, 3, 4)
	c.put("alice", "wide.npy", 1, 2, 3, 4, 5)
	c.write("alice", "data/broken.npz", "not a zip archive")
	if err := os.MkdirAll(filepath.Join(c.dir, "alice", "state", keptFolder), 0o700); err != nil {
		t.Fatal(err)
	}
	c.write("alice", "state/kept/model.json", "[]")
	data := filepath.Join(c.dir, "alice", "data")
	names := []string{"y.npy", "wide.npy", "broken.npz", "gone.npy", "gone.npz", filepath.Join(data, "y.npy"), filepath.Join(data, "gone.npy"), "/etc/passwd"}
	said := map[string]string{}
	same := func(what, name, text string) {
		t.Helper()
		for _, shown := range []string{name, filepath.Base(name)} { // paths of the data folder are shortened in errors
			text = strings.ReplaceAll(text, fmt.Sprintf("%q", shown), "NAME")
		}
		if said[what] == "" {
			said[what] = text
		}
		if text != said[what] || !strings.Contains(text, "NAME is not among them") {
			t.Errorf("%s, %s: %s; of %s: %s", what, name, text, names[0], said[what])
		}
	}
	for _, name := range names {
		s := c.submission("alice", "bob")
		s.Inputs[0].Name = name
		j, err := c.as("carol", "alice").Submit(t.Context(), s)
		if err != nil || j.State != api.Denied || !slices.Equal(j.Inputs, []string{name}) {
			t.Errorf("a job with %s: %s, inputs %q, %v", name, j.State, j.Inputs, err)
		}
		same("job", name, j.Error)
	}
	for _, name := range []string{"model", "gone"} {
		s := c.submission("alice", "bob")
		s.Inputs[0] = api.Input{Kept: name, Args: []int{0}}
		j, err := c.as("carol", "alice").Submit(t.Context(), s)
		if err != nil || j.State != api.Denied {
			t.Errorf("a job with kept %s: %s, %v", name, j.State, err)
		}
		same("kept", name, j.Error)
	}
	s := c.service("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	for _, name := range names {
		r := &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: name}}}
		_, err := c.as("carol", "alice").Request(t.Context(), s.ID, r)
		var refused *api.Refused
		if !errors.As(err, &refused) || refused.Status != http.StatusForbidden {
			t.Errorf("a request with %s: %v", name, err)
			continue
		}
		same("request", name, refused.Reason)
	}
	if v := c.ask(s, api.Input{Owner: "alice", Name: "x.npy"}); v[0].State != api.Done {
		t.Errorf("a request with x.npy: %s (%s)", v[0].State, v[0].Error)
	}
}
