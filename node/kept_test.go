package node

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/party"
)

// trainProgram does steps of a logistic regression on four rows; inferProgram uses its results.
const (
	trainProgram = `func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<f32>, tensor<f32>) {
  %w0 = stablehlo.constant dense<0.5> : tensor<f32>
  %b0 = stablehlo.constant dense<0.25> : tensor<f32>
  %i0 = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %i0, %w = %w0, %b = %b0) : tensor<i32>, tensor<f32>, tensor<f32>
   cond {
    %n = stablehlo.constant dense<5> : tensor<i32>
    %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %rate = stablehlo.constant dense<-0.125> : tensor<f32>
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %ws = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %bs = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %0 = stablehlo.multiply %x, %ws : tensor<4xf32>
    %1 = stablehlo.add %0, %bs : tensor<4xf32>
    %2 = stablehlo.logistic %1 : tensor<4xf32>
    %3 = stablehlo.subtract %2, %y : tensor<4xf32>
    %4 = stablehlo.dot_general %x, %3, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %5 = stablehlo.multiply %4, %rate : tensor<f32>
    %6 = stablehlo.add %w, %5 : tensor<f32>
    %7 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %8 = stablehlo.multiply %7, %rate : tensor<f32>
    %9 = stablehlo.add %b, %8 : tensor<f32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %10, %6, %9 : tensor<i32>, tensor<f32>, tensor<f32>
  }
  return %r#1, %r#2 : tensor<f32>, tensor<f32>
}`
	inferProgram = `func.func @main(%w: tensor<f32>, %x: tensor<4xf32>, %b: tensor<f32>) -> tensor<4xf32> {
  %ws = stablehlo.broadcast_in_dim %w, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %bs = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %0 = stablehlo.multiply %x, %ws : tensor<4xf32>
  %1 = stablehlo.add %0, %bs : tensor<4xf32>
  %2 = stablehlo.logistic %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}`
)

// training returns a job that keeps a model and reveals nothing.
func (c *testCluster) training(name string, parties ...string) *api.Submission {
	s := c.submission(parties...)
	s.Program = api.Program{Name: "train.mlir", Text: []byte(trainProgram)}
	s.Inputs[0].Name, s.Inputs[1].Name = "rows.npy", "rows.npy"
	s.Public, s.Reveal, s.Keep = nil, []int{}, name
	return s
}

// inference returns a job that uses the model.
func (c *testCluster) inference(name string, parties ...string) *api.Submission {
	s := c.submission(parties...)
	s.Program = api.Program{Name: "infer.mlir", Text: []byte(inferProgram)}
	s.Public = nil
	s.Inputs = []api.Input{
		{Kept: name, Args: []int{0}}, {Kept: name, Result: 1, Args: []int{2}}, {Owner: parties[0], Name: "x.npy", Args: []int{1}},
	}
	return s
}

func (c *testCluster) ran(s *api.Submission) {
	c.t.Helper()
	if err := c.submit(s, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range s.Parties {
		if j := c.wait(s.ID, p); j.State != api.Done {
			c.t.Fatalf("job is %s at %s: %s", j.State, p, j.Error)
		}
	}
}

// TestKept trains a model, keeps it and uses it, compares with a single job, and checks that no node
// holds the model in clear.
func TestKept(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "dave"}
	c := newCluster(t, names...)
	defer c.stop()
	x, y := []float64{1, -2, 3, 0.5}, []float64{1, 0, 1, 0}
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	w, b := 0.5, 0.25
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for range 5 {
		dw, db := 0.0, 0.0
		for i := range x {
			e := logistic(w*x[i]+b) - y[i]
			dw, db = dw+e*x[i], db+e
		}
		w, b = w-dw/8, b-db/8
	}
	c.ran(c.training("model", names...))
	sum := make([]uint64, 2)
	for _, p := range names {
		path := filepath.Join(c.dir, p, "state", keptFolder, "model.json")
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Fatalf("%s: %v, %v", p, info, err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var held []*party.StoredShare
		if err := json.Unmarshal(text, &held); err != nil || len(held) != 2 {
			t.Fatalf("%s keeps %d values: %v", p, len(held), err)
		}
		for i, want := range []float64{w, b} {
			word := held[i].Words[0]
			sum[i] += word
			if own := math.Ldexp(float64(int64(word)), -held[i].Scale); math.Abs(own-want) < 1 {
				t.Errorf("%s holds %v of %v", p, own, want)
			}
		}
	}
	for i, want := range []float64{w, b} { // the sum of all nodes' shares is the model
		if all := math.Ldexp(float64(int64(sum[i])), -18); math.Abs(all-want) > 1e-3 {
			t.Errorf("result %d is kept as %v, want %v", i, all, want)
		}
	}
	for range 2 {
		s := c.inference("model", names...)
		c.ran(s)
		text, err := os.ReadFile(filepath.Join(c.dir, "bob", "state", jobsFolder, s.ID, resultsFolder, "out0.npy"))
		if err != nil {
			t.Fatal(err)
		}
		r, err := npy.NewReader(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		a, err := r.Array()
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range []float64{1, 2, -1, 0} {
			if got, want := a.Floats()[i], logistic(w*v+b); math.Abs(got-want) > 1e-3 {
				t.Errorf("element %d: %v, want %v", i, got, want)
			}
		}
	}
	// kept results are refused to jobs with other parties, names or result indices
	for want, s := range map[string]*api.Submission{
		"was kept by parties [alice bob dave]":        c.inference("model", "alice", "bob"),
		`keeps no results named "other"`:              c.inference("other", names...),
		"shares can only be used by the same parties": c.inference("model", "bob", "alice", "dave"),
	} {
		if err := c.submit(s, "carol"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	// a result that another job has replaced at one party
	path := filepath.Join(c.dir, "bob", "state", keptFolder, "model.json")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c.ran(c.training("model", names...))
	if err := os.WriteFile(path, old, 0o600); err != nil {
		t.Fatal(err)
	}
	s := c.inference("model", names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Failed || !strings.Contains(j.Error, "differ in value of kept argument") {
		t.Errorf("job is %s: %s", j.State, j.Error)
	}
	text, err := os.ReadFile(filepath.Join(c.dir, "alice", "state", auditFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"event":"kept"`, `"kept":["model"]`} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the audit log has no %s", want)
		}
	}
}

// TestFailedJobKeepsNothing has a job fail at a node when its session has ended: the node keeps no shares.
func TestFailedJobKeepsNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	s := c.training("model", names...)
	if _, err := c.as("carol", "bob").Submit(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(c.nodes["bob"].folder(s.ID), reportFile, "x"), 0o700); err != nil { // so that no report can be written
		t.Fatal(err)
	}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Failed {
		t.Errorf("job is %s: %s", j.State, j.Error)
	}
	if left, _ := os.ReadDir(filepath.Join(c.dir, "bob", "state", keptFolder)); len(left) > 0 {
		t.Errorf("bob keeps %v of a job that has failed", left)
	}
}

// TestKeptConsent checks that results are kept and used only where a rule allows it.
func TestKeptConsent(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	c.stops["bob"]()
	c.write("bob", "policy.yaml", strings.Replace(anything, "keep: any, kept: any", "keep: [model]", 1))
	c.start("bob", names, nil)
	denied := func(s *api.Submission, want string) {
		t.Helper()
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		if j := c.wait(s.ID, "bob"); j.State != api.Denied || !strings.Contains(j.Error, want) {
			t.Errorf("job is %s: %s, want %q", j.State, j.Error, want)
		}
	}
	denied(c.training("other", names...), `results may not be kept as "other"`)
	c.ran(c.training("model", names...))
	denied(c.inference("model", names...), `kept: "model" is not among them`)
}

// TestKeptOfOthers: a submitter whose rule lets him keep and use any name neither replaces, nor fetches, nor exhausts what another
// submitter keeps.
func TestKeptOfOthers(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	for _, p := range names {
		c.put(p, "rows.npy", 1, -2, 3, 0.5)
		c.stops[p]()
		c.write(p, "policy.yaml", anything+`  - {name: two, submitters: [dave], programs: any, protocols: any, arguments: any, inputs: any, reveal: any, keep: any, fetch: [dave]}
`)
		c.start(p, names, func(k *Config) { k.Limits.Kept = 3 })
	}
	file := func(p, name string) string { return filepath.Join(c.dir, p, "state", keptFolder, name+".json") }
	read := func(p, name string) string {
		text, err := os.ReadFile(file(p, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	of := func(who string, s *api.Submission) api.State {
		t.Helper()
		if err := c.submit(s, who); err != nil {
			t.Fatal(err)
		}
		c.ended(s.ID, who, "alice") // each node keeps results by its own time
		return c.ended(s.ID, who, "bob").State
	}
	refused := func(s *api.Submission, who, want string) {
		t.Helper()
		if err := c.submit(s, who); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", who, err, want)
		}
	}
	first := c.training("model", names...)
	c.ran(first)
	before := read("bob", "model")
	refused(c.training("model", names...), "dave", "keep model: alice keeps results of another submitter under this name")
	for _, p := range names { // dave learns nothing of carol's job
		for what, err := range map[string]error{
			"the job":     func() error { _, err := c.as("dave", p).Job(t.Context(), first.ID); return err }(),
			"the report":  c.as("dave", p).Report(t.Context(), first.ID, new(bytes.Buffer)),
			"the results": c.as("dave", p).Results(t.Context(), first.ID, new(bytes.Buffer)),
		} {
			if err == nil || !strings.Contains(err.Error(), "there is no job") {
				t.Errorf("dave gets %s at %s: %v", what, p, err)
			}
		}
	}
	// His rule names no kept results, so that he may use none.
	if state := of("dave", c.inference("model", names...)); state != api.Denied {
		t.Errorf("dave's inference is %s", state)
	}
	// A name that somebody takes while a job runs: the job fails, and what the other one keeps stays.
	taken := c.training("taken", names...)
	c.ran(taken)
	late := strings.Replace(read("bob", "taken"), `"By":"carol"`, `"By":"mallory"`, -1)
	own := c.training("late", names...)
	if err := os.WriteFile(file("bob", "late"), []byte(late), 0o600); err != nil {
		t.Fatal(err)
	}
	n := c.nodes["bob"]
	if err := n.keepResults(&task{ID: own.ID, Submitter: "carol"}, "late", "", nil); err == nil || read("bob", "late") != late {
		t.Errorf("another submitter's results were replaced (%v)", err)
	}
	if err := os.Remove(file("bob", "late")); err != nil {
		t.Fatal(err)
	}
	// carol takes names up to the maximum, which leaves dave's alone; she replaces her own.
	c.ran(c.training("third", names...))
	if state := of("dave", c.training("dave", names...)); state != api.Done {
		t.Errorf("dave's job is %s", state)
	}
	refused(c.training("more", names...), "carol", "keep more: alice keeps results of carol under 3 names, the maximum (limits: kept;")
	if read("bob", "model") != before {
		t.Error("carol's model has changed")
	}
	c.ran(c.training("model", names...))
	if read("bob", "model") == before {
		t.Error("carol has not replaced her model")
	}
	c.ran(c.inference("model", names...))
}

// ended waits until a job of a submitter has ended at a node.
func (c *testCluster) ended(id, who, node string) api.Job {
	c.t.Helper()
	for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
		j, err := c.as(who, node).Job(c.t.Context(), id)
		if err != nil {
			c.t.Fatal(err)
		}
		if j.State.Final() {
			return j
		}
		if time.Now().After(deadline) {
			c.t.Fatalf("job is %s at %s (%s)", j.State, node, j.Phase)
		}
	}
}
