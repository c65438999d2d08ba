package node

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// service returns the submission of a service whose second party's vector is resident.
func (c *testCluster) service(parties ...string) *api.Submission {
	s := c.submission(parties...)
	s.Serve = true
	s.Inputs[1].Resident = true
	return s
}

// opened waits until a service is open at all nodes.
func (c *testCluster) opened(s *api.Submission) {
	c.t.Helper()
	for _, p := range s.Parties {
		for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
			j, err := c.as("carol", p).Job(c.t.Context(), s.ID)
			if err != nil {
				c.t.Fatal(err)
			}
			if j.Phase == api.PhaseServing {
				break
			}
			if j.State.Final() || time.Now().After(deadline) {
				c.t.Fatalf("service is %s at %s (%s%s)", j.State, p, j.Phase, j.Error)
			}
		}
	}
}

// ask sends a request to a service and waits until it has ended at all nodes.
func (c *testCluster) ask(s *api.Submission, inputs ...api.Input) []api.RequestStatus {
	c.t.Helper()
	return c.askProgram(s, "", inputs...)
}

// askProgram sends a request for a service's program of that name and waits for its end at all nodes.
func (c *testCluster) askProgram(s *api.Submission, program string, inputs ...api.Input) []api.RequestStatus {
	c.t.Helper()
	r := &api.Request{ID: newID(), Program: program, Inputs: inputs}
	for _, p := range s.Parties {
		if _, err := c.as("carol", p).Request(c.t.Context(), s.ID, r); err != nil {
			c.t.Fatal(err)
		}
	}
	return c.served(s, r)
}

func (c *testCluster) served(s *api.Submission, r *api.Request) []api.RequestStatus {
	c.t.Helper()
	var out []api.RequestStatus
	for _, p := range s.Parties {
		for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
			v, err := c.as("carol", p).RequestStatus(c.t.Context(), s.ID, r.ID)
			if err != nil {
				c.t.Fatal(err)
			}
			if v.State.Final() {
				out = append(out, v)
				break
			}
			if time.Now().After(deadline) {
				c.t.Fatalf("request is %s at %s", v.State, p)
			}
		}
	}
	return out
}

// answer fetches a request's result.
func (c *testCluster) answer(node string, v api.RequestStatus) float64 {
	c.t.Helper()
	var b bytes.Buffer
	if err := c.as("carol", node).RequestResults(c.t.Context(), v.Service, v.ID, &b); err != nil {
		c.t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		c.t.Fatal(err)
	}
	f, err := z.Open("out0.npy")
	if err != nil {
		c.t.Fatal(err)
	}
	text, err := io.ReadAll(f)
	if err != nil {
		c.t.Fatal(err)
	}
	r, err := npy.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		c.t.Fatal(err)
	}
	a, err := r.Array()
	if err != nil {
		c.t.Fatal(err)
	}
	return a.Floats()[0]
}

// put writes a vector into a node's data folder.
func (c *testCluster) put(name, file string, x ...float32) {
	c.t.Helper()
	a := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{len(x)}}, Data: x}
	if err := npy.WriteFile(filepath.Join(c.dir, name, "data", file), a); err != nil {
		c.t.Fatal(err)
	}
}

// TestService checks that a service answers requests with their own inputs, shares resident inputs
// once, survives an invalid request, and ends when it is cancelled. Each request is in the audit log.
func TestService(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	defer c.stop()
	c.put("alice", "y.npy", 0, 1, 0, 2)
	c.put("alice", "short.npy", 1, 2, 3)
	s := c.service(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	y := api.Input{Owner: "alice", Name: "y.npy"}
	for i, r := range []struct {
		inputs []api.Input
		want   float64
	}{
		{nil, logistic(1 + 4 + 1 + 0 + 0.5)},
		{[]api.Input{y}, logistic(2 + 2*1 + 0.5)},
		{[]api.Input{{Owner: "alice", Name: "x.npy"}}, logistic(1 + 4 + 1 + 0 + 0.5)},
	} {
		for rank, v := range c.ask(s, r.inputs...) {
			if v.State != api.Done {
				t.Fatalf("request %d is %s at %s: %s", i, v.State, v.Node, v.Error)
			}
			if got := c.answer(names[rank], v); math.Abs(got-r.want) > 1e-3 {
				t.Errorf("request %d gives %v at %s, want %v", i, got, v.Node, r.want)
			}
			var text bytes.Buffer
			if err := c.as("carol", names[rank]).RequestReport(t.Context(), s.ID, v.ID, &text); err != nil {
				t.Fatal(err)
			}
			report, err := profile.Parse(text.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if in := report.Input.BytesSent; in[0] != 64 || in[1] != 0 || in[2] != 0 {
				t.Errorf("request %d shares %d bytes", i, in)
			}
		}
		// an invalid request is refused before anything is shared
		for rank, v := range c.ask(s, api.Input{Owner: "alice", Name: "short.npy"}) {
			want := "alice declined the request"
			if rank == 0 {
				want = "tensor<3xf32>"
			}
			if v.State != api.Failed || !strings.Contains(v.Error, want) {
				t.Errorf("a request that does not fit is %s at %s: %s", v.State, v.Node, v.Error)
			}
		}
	}
	for _, bad := range []struct {
		who    string
		inputs []api.Input
		want   string
	}{
		{"mallory", nil, "no job"},
		{"admin", nil, "may not send requests to service"},
		{"carol", []api.Input{{Owner: "alice", Name: "none.npy"}}, "no input"},
		{"carol", []api.Input{y, y}, "more inputs of alice"},
	} {
		_, err := c.as(bad.who, "alice").Request(t.Context(), s.ID, &api.Request{ID: newID(), Inputs: bad.inputs})
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%s asks for %v: %v, want %q", bad.who, bad.inputs, err, bad.want)
		}
	}
	for _, p := range names {
		if _, err := c.as("carol", p).Cancel(t.Context(), s.ID); err != nil {
			t.Log(err) // the other nodes end it too
		}
	}
	if j := c.wait(s.ID, "alice"); j.State != api.Cancelled {
		t.Errorf("the service is %s: %s", j.State, j.Error)
	}
	if _, err := c.as("carol", "alice").Request(t.Context(), s.ID, &api.Request{ID: newID()}); err == nil {
		t.Error("a request after the end")
	}
	kinds := map[audit.Kind]int{}
	f, err := os.Open(filepath.Join(c.dir, "alice", "state", auditFile))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []audit.Kind{audit.Submitted, audit.Started, audit.Revealed, audit.Finished, audit.Failed} {
		for line := range bytes.Lines(text) {
			if bytes.Contains(line, fmt.Appendf(nil, `"event":%q`, k)) && bytes.Contains(line, []byte(`"request"`)) {
				kinds[k]++
			}
		}
	}
	if want := fmt.Sprint(map[audit.Kind]int{audit.Submitted: 6, audit.Started: 3, audit.Revealed: 3, audit.Finished: 3,
		audit.Failed: 3}); fmt.Sprint(
		kinds,
	) != want {
		t.Errorf("the audit log has %v of requests, want %v", kinds, want)
	}
}

// TestServiceRuns checks that each request counts as a run, that requests beyond the policy's bound
// are refused without ending the service, and that a lost party ends it.
func TestServiceRuns(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["bob"]()
	c.write("bob", "policy.yaml", strings.Replace(anything, "fetch:", "runs: 3, fetch:", 1))
	c.start("bob", []string{"alice", "bob"}, nil)
	s := c.service("alice", "bob")
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	for i := range 3 { // opening the service is the first run
		r := &api.Request{ID: newID()}
		for _, p := range s.Parties {
			_, err := c.as("carol", p).Request(t.Context(), s.ID, r)
			if used := i == 2 && p == "bob"; used != (err != nil && strings.Contains(err.Error(), "runs: all 3 are used up")) {
				t.Errorf("request %d at %s: %v", i, p, err)
			}
		}
		alice := *s
		alice.Parties = s.Parties[:1]
		if v := c.served(&alice, r)[0]; i < 2 != (v.State == api.Done) {
			t.Errorf("request %d is %s: %s", i, v.State, v.Error)
		}
	}
	c.stops["bob"]()
	if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "bob") {
		t.Errorf("the service is %s: %s", j.State, j.Error)
	}
}

// TestServiceConcurrentRequests checks that concurrent requests are all answered, each with its own inputs.
func TestServiceConcurrentRequests(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.service(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	var all sync.WaitGroup
	for i := range 8 {
		x := float32(i) / 4
		c.put("alice", fmt.Sprintf("x%d.npy", i), x, 0, 0, 0)
		all.Go(func() {
			r := &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: fmt.Sprintf("x%d.npy", i)}}}
			for j := range names { // in a different order at each node
				if _, err := c.as("carol", names[(i+j)%2]).Request(t.Context(), s.ID, r); err != nil {
					t.Error(err)
					return
				}
			}
			for rank, v := range c.served(s, r) {
				if v.State != api.Done {
					t.Errorf("request %d is %s at %s: %s", i, v.State, v.Node, v.Error)
				} else if got, want := c.answer(names[rank], v), 1/(1+math.Exp(-0.5-float64(x))); math.Abs(got-want) > 1e-3 {
					t.Errorf("request %d gives %v, want %v", i, got, want)
				}
			}
		})
	}
	all.Wait()
}

// TestServiceQueue checks that requests beyond the queue limit are refused, that a request that is not
// at every node fails when it is evaluated, and that the service continues.
func TestServiceQueue(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.stops["alice"]()
	c.start("alice", names, func(k *Config) { k.Limits.Queue = 2 })
	s := c.service(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	var asked []*api.Request
	for range 2 {
		r := &api.Request{ID: newID()}
		if _, err := c.as("carol", "alice").Request(t.Context(), s.ID, r); err != nil {
			t.Fatal(err)
		}
		asked = append(asked, r)
	}
	if _, err := c.as("carol", "alice").Request(t.Context(), s.ID, &api.Request{ID: newID()}); err == nil {
		if v, err := c.as("carol", "alice").RequestStatus(t.Context(), s.ID, asked[0].ID); err != nil || !v.State.Final() {
			t.Errorf("a third one is queued while the first is %s, %v", v.State, err)
		} // on a busy machine the first one may have ended before
	} else if !strings.Contains(err.Error(), "2 requests are queued at alice") {
		t.Errorf("a third one: %v", err)
	}
	alice := *s
	alice.Parties = names[:1]
	for _, r := range asked {
		if v := c.served(&alice, r)[0]; v.State != api.Failed || !strings.Contains(v.Error, "bob declined the request") {
			t.Errorf("a request that bob has not got is %s: %s", v.State, v.Error)
		}
	}
	if v := c.ask(s)[0]; v.State != api.Done {
		t.Errorf("the next request is %s: %s", v.State, v.Error)
	}
}

// send sends requests to some nodes of a service.
func (c *testCluster) send(s *api.Submission, to []string, asked ...*api.Request) {
	c.t.Helper()
	for _, p := range to {
		for _, r := range asked {
			if _, err := c.as("carol", p).Request(c.t.Context(), s.ID, r); err != nil {
				c.t.Fatal(err)
			}
		}
	}
}

// TestServiceBatch checks that queued requests are evaluated as batches of the maximum size, each with
// its own inputs, report and end, and that a failed one does not affect the others.
func TestServiceBatch(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	defer c.stop()
	c.stops["bob"]()
	c.start("bob", names, func(k *Config) { k.Limits.Batch = 3 })
	c.put("alice", "short.npy", 1, 2, 3)
	s := c.service(names...)
	s.Batch = 5
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	for _, p := range names {
		if j, err := c.as("carol", p).Job(t.Context(), s.ID); err != nil || j.Batch != 3 {
			t.Errorf("%s answers %d requests at once (%v), want 3 as bob allows", p, j.Batch, err)
		}
	}
	var asked []*api.Request
	for i := range 6 {
		file := fmt.Sprintf("x%d.npy", i)
		c.put("alice", file, float32(i)/4, 0, 0, 0)
		if i == 2 {
			file = "short.npy"
		}
		asked = append(asked, &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: file}}})
	}
	c.send(s, names[:1], asked...) // the first one begins and waits for the other nodes; the others are queued
	c.send(s, names[1:], asked...)
	for i, r := range asked {
		for rank, v := range c.served(s, r) {
			if (v.State == api.Done) != (i != 2) {
				t.Errorf("request %d is %s at %s: %s", i, v.State, v.Node, v.Error)
			}
			if want := []int{1, 3, 3, 3, 2, 2}[i]; v.Batch != want {
				t.Errorf("request %d was in a batch of %d at %s, want %d", i, v.Batch, v.Node, want)
			}
			if v.State != api.Done {
				continue
			}
			if got, want := c.answer(names[rank], v), 1/(1+math.Exp(-0.5-float64(i)/4)); math.Abs(got-want) > 1e-3 {
				t.Errorf("request %d gives %v at %s, want %v", i, got, v.Node, want)
			}
			var text bytes.Buffer
			if err := c.as("carol", names[rank]).RequestReport(t.Context(), s.ID, v.ID, &text); err != nil {
				t.Fatal(err)
			}
			report, err := profile.Parse(text.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			if p := report.Predicted; report.Input.BytesSent[0] != 64 || !slices.Equal(report.Online.BytesSent, p.Online.BytesSent) ||
				report.Offline.BytesSent != p.Offline.BytesSent {
				t.Errorf("request %d costs %+v, %+v, %+v, planned %+v", i, report.Input, report.Online, report.Offline, p)
			}
		}
	}
	// batches of one, three (one of which is refused) and the rest
	var begun []int
	going := false
	for _, e := range c.events("alice") {
		starts := strings.HasPrefix(e, string(audit.Started)+" x")
		if starts && !going {
			begun = append(begun, 0)
		}
		if going = starts; starts {
			begun[len(begun)-1]++
		}
	}
	if !slices.Equal(begun, []int{1, 2, 2}) {
		t.Errorf("%v requests were begun at once", begun)
	}
	for _, p := range names {
		j, err := c.as("carol", p).Job(t.Context(), s.ID)
		if err != nil || j.Phase != api.PhaseServing || j.Step != 5 {
			t.Errorf("%s: %s, %d answered: %v", p, j.Phase, j.Step, err)
		}
		for deadline := time.Now().Add(busyWait); ; time.Sleep(time.Millisecond) {
			l, err := c.as("carol", p).Lead(t.Context(), s.ID)
			if err == nil && l.Requested >= 4 && l.Arrived == l.Requested { // twice the batch of two
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s: the dealer's lead is %+v, %v", p, l, err)
				break
			}
		}
		n := c.nodes[p]
		jobs := n.state()
		job := jobs.Job(s.ID)
		if job.Reserved != job.Demand.ForBatch(3) || jobs.FreeMemory() != n.config.Limits.Memory-job.Reserved ||
			job.Demand.PerRequest >= job.Demand.Base {
			t.Errorf("%s has reserved %d bytes of %+v for three at once", p, job.Reserved, job.Demand)
		}
	}
}

// TestServiceBatchMemory checks that the batch size is the number of requests for which all nodes have
// memory.
func TestServiceBatchMemory(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	var needs jobstate.Demand
	for _, batch := range []int{1, 4} {
		if batch > 1 {
			c.stops["bob"]()
			c.start("bob", names, func(k *Config) { k.Limits.Memory = needs.ForBatch(2) + needs.PerRequest/2 })
		}
		s := c.service(names...)
		s.Batch = batch
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		c.opened(s)
		for _, p := range names {
			job := c.nodes[p].state().Job(s.ID)
			if p == "bob" {
				needs = job.Demand
			}
			if want := min(batch, 2); job.Batch != want || job.Reserved != job.Demand.ForBatch(want) {
				t.Errorf(
					"%s answers %d at once, of %d that are wanted, and has reserved %d bytes of %+v",
					p,
					job.Batch,
					batch,
					job.Reserved,
					job.Demand,
				)
			}
		}
	}
}

// TestServiceBatchLost checks that losing a node during a batch fails all unfinished requests at all
// nodes, with the lost node's name.
func TestServiceBatchLost(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.service(names...)
	s.Batch = 4
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	var asked []*api.Request
	for range 20 {
		asked = append(asked, &api.Request{ID: newID()})
	}
	c.send(s, names, asked...)
	for now := 0; now < 2; { // until two requests run at once; if all are done before, the test checks nothing
		j, err := c.as("carol", "bob").Job(t.Context(), s.ID)
		if err != nil {
			t.Fatal(err)
		}
		if now = j.Answering; j.Step == len(asked) {
			t.Log("all were answered before bob was lost")
			break
		}
	}
	c.nodes["bob"].stop(errors.New("crashed"))
	c.stops["bob"]()
	for _, p := range []string{"alice", "dave"} {
		if j := c.wait(s.ID, p); j.State != api.Failed || !strings.Contains(j.Error, "bob") || j.Answering != 0 {
			t.Errorf("the service is %s at %s, answering %d: %s", j.State, p, j.Answering, j.Error)
		}
		for i, r := range asked {
			v, err := c.as("carol", p).RequestStatus(t.Context(), s.ID, r.ID)
			if err != nil || !v.State.Final() || v.State == api.Failed && !strings.Contains(v.Error, "bob") {
				t.Errorf("request %d is %s at %s (%s), %v", i, v.State, p, v.Error, err)
			}
		}
	}
}

// TestRequestConsent checks that an approval of a service covers the inputs that it names, not others of the rule, and that a request
// whose values lie outside the declared range counts as a run, since its failure says so.
func TestRequestConsent(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	replace := func(text string) {
		t.Helper()
		c.write("alice", "policy.yaml", text)
		if err := c.nodes["alice"].Reload(); err != nil {
			t.Fatal(err)
		}
	}
	const rule = "submitters: [carol], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, ranges: true, fetch: [carol]"
	replace("admins: [chief]\nrules:\n- {name: asked, approve: true, " + rule + "}\n")
	c.put("alice", "y.npy", 0, 1, 0, 2)
	c.put("alice", "far.npy", 0, 1, 0, 200)
	s := c.service("alice", "bob")
	s.Inputs[0].Ranges = map[int][2]float64{0: {-8, 8}}
	c.write("bob", "policy.yaml", strings.Replace(anything, "fetch:", "ranges: true, fetch:", 1))
	if err := c.nodes["bob"].Reload(); err != nil {
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("chief", "alice").Approve(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	ask := func(file string) error {
		_, err := c.as("carol", "alice").Request(t.Context(), s.ID, &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: file}}})
		return err
	}
	if err := ask("y.npy"); err == nil || !strings.Contains(err.Error(), `rule "asked" asks for an approval`) {
		t.Errorf("a request with a file that the admin has not seen: %v", err)
	}
	if v := c.ask(s); v[0].State != api.Done {
		t.Errorf("a request with the service's own inputs is %s: %s", v[0].State, v[0].Error)
	}
	two := c.service("alice", "bob") // x.npy is revealed, and y.npy, which is resident, is not
	two.Public, two.Program.Text = nil, []byte(`func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = stablehlo.multiply %y, %z : tensor<4xf32>
  return %x, %p : tensor<4xf32>, tensor<4xf32>
}`)
	two.Inputs = []api.Input{{Owner: "alice", Name: "x.npy", Args: []int{0}}, {Owner: "alice", Name: "y.npy", Args: []int{1}, Resident: true},
		{Owner: "bob", Name: "x.npy", Args: []int{2}}}
	if err := c.submit(two, "carol"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.as("chief", "alice").Approve(t.Context(), two.ID); err != nil {
		t.Fatal(err)
	}
	c.opened(two)
	swapped := &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: "y.npy"}}}
	if _, err := c.as("carol", "alice").Request(t.Context(), two.ID, swapped); err == nil || !strings.Contains(err.Error(), `"y.npy" is not "x.npy"`) {
		t.Errorf("a request with an input of the service in another one's place: %v", err)
	}
	replace("rules:\n- {name: placed, " + strings.Replace(rule, "inputs: any", "inputs: {x.npy: 0, y.npy: 1}", 1) + "}\n")
	swapped.ID = newID()
	if _, err := c.as("carol", "alice").Request(t.Context(), two.ID, swapped); err == nil || !strings.Contains(err.Error(), `"y.npy" provides argument 0, and the rule allows it for 1`) {
		t.Errorf("a request with an input that a rule allows for another argument: %v", err)
	}
	replace("rules:\n- {name: counted, runs: 1, " + rule + "}\n")
	far := &api.Request{ID: newID(), Inputs: []api.Input{{Owner: "alice", Name: "far.npy"}}}
	c.send(s, s.Parties, far)
	if v := c.served(s, far); v[0].State != api.Failed || !strings.Contains(v[0].Error, "an element that cannot be shared") {
		t.Errorf("values out of range: %s (%s)", v[0].State, v[0].Error)
	}
	if err := ask("y.npy"); err == nil || !strings.Contains(err.Error(), "runs: all 1 are used up") {
		t.Errorf("after a request whose values are out of range: %v", err)
	}
}

// TestServiceDemand checks that the memory of a service covers the correlations that the dealer has made ahead for every program, also
// for those whose requests come seldom.
func TestServiceDemand(t *testing.T) {
	plan := func(memory, resident, dealt int64) *profile.Report {
		return &profile.Report{Plan: &profile.Plan{MemoryBytes: []int64{0, memory}, ResidentBytes: []int64{0, resident}},
			Offline: profile.Offline{BytesSent: dealt}}
	}
	one := serviceDemand([]*profile.Report{plan(1000, 100, 40)}, 1, 7)
	if want := (jobstate.Demand{Base: 2*1040 + 7, PerRequest: 2*1040 + 7 - 200}); one != want {
		t.Errorf("one program: %+v, want %+v", one, want)
	}
	two := serviceDemand([]*profile.Report{plan(1000, 100, 40), plan(500, 100, 900)}, 1, 7)
	if want := int64(2*1040 + 7 - 200 + 2*2*900); two.PerRequest != want || two.Base != want+2*200 {
		t.Errorf("two programs: %+v, want %d for each request", two, want)
	}
}
