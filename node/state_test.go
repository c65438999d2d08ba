package node

import (
	"math"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// sumProgram adds a product to a sum.
const sumProgram = `module @sum {
  func.func public @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %s: tensor<f32>) -> (tensor<f32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    %1 = stablehlo.add %0, %s : tensor<f32>
    return %1, %1 : tensor<f32>, tensor<f32>
  }
}`

// A service's requests at nodes read what the requests before have computed, those of one batch too; the state is not
// among what is revealed, and jobs that are no service have none.
func TestServiceState(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.service("alice", "bob")
	s.Program, s.State, s.Batch = api.Program{Name: "sum.mlir", Text: []byte(sumProgram)}, map[int]int{2: 1}, 3
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	j, err := c.as("carol", "bob").Job(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Reveals) != 1 || j.Replaced[2] != 1 {
		t.Errorf("the service reveals %v and replaces %v", j.Reveals, j.Replaced)
	}
	first := 0.0 // what a request adds
	for i := range 3 {
		for rank, v := range c.ask(s) {
			if v.State != api.Done || v.Results != 1 {
				t.Fatalf("request %d is %s at %s with %d results: %s", i, v.State, v.Node, v.Results, v.Error)
			}
			got := c.answer(s.Parties[rank], v)
			if i == 0 {
				first = got - 0.5
			}
			if want := 0.5 + float64(i+1)*first; first == 0 || math.Abs(got-want) > 1e-3 {
				t.Errorf("request %d gives %v at %s, want %v", i, got, v.Node, want)
			}
		}
	}
	once := c.submission("alice", "bob")
	once.Program, once.State = s.Program, s.State
	if err := c.submit(once, "carol"); err == nil || !strings.Contains(err.Error(), "state: results replace arguments between the requests") {
		t.Errorf("a job with state: %v", err)
	}
}

// startProgram sets the sum of sumProgram to the product, and reveals the old one too.
const startProgram = `module @start {
  func.func public @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %s: tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
    %0 = stablehlo.dot_general %x, %w, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
    return %0, %s, %0 : tensor<f32>, tensor<f32>, tensor<f32>
  }
}`

// Requests for different programs of a service read and replace the same state. Approvals show the
// programs; unknown ones, and jobs that are no service, are refused.
func TestServicePrograms(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.service("alice", "bob")
	s.Program, s.State = api.Program{Name: "sum.mlir", Text: []byte(sumProgram)}, map[int]int{2: 1}
	s.Programs = map[string]api.Program{"start": {Name: "start.mlir", Text: []byte(startProgram)}}
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	j, err := c.as("carol", "bob").Job(t.Context(), s.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Reveals) != 3 || j.Reveals[2].What != "of program start, result 1: tensor<f32>" ||
		j.Programs["start"] != s.Programs["start"].Digest() {
		t.Errorf("the service reveals %v and has programs %v", j.Reveals, j.Programs)
	}
	product := 0.0
	for i, program := range []string{"", "start", "", "start"} {
		for rank, v := range c.askProgram(s, program) {
			if v.State != api.Done || v.Program != program || v.Results != len(program)/5+1 {
				t.Fatalf("request %d of program %q is %s at %s with %d results: %s", i, v.Program, v.State, v.Node, v.Results, v.Error)
			}
			got := c.answer(s.Parties[rank], v)
			if i == 0 {
				product = got - 0.5
			}
			if want := []float64{product + 0.5, product, 2 * product, product}[i]; product == 0 || math.Abs(got-want) > 1e-3 {
				t.Errorf("request %d gives %v at %s, want %v", i, got, v.Node, want)
			}
		}
	}
	alone := &api.Request{ID: newID(), Program: "start"} // bob does not get it, and declines it
	c.send(s, []string{"alice"}, alone)
	leader := *s
	leader.Parties = s.Parties[:1]
	if v := c.served(&leader, alone)[0]; v.State != api.Failed || !strings.Contains(v.Error, "bob declined the request") {
		t.Errorf("a request that bob has not got is %s: %s", v.State, v.Error)
	}
	if v := c.askProgram(s, "start")[1]; v.State != api.Done {
		t.Errorf("the next request is %s: %s", v.State, v.Error)
	}
	r := &api.Request{ID: newID(), Program: "stop"}
	_, err = c.as("carol", "bob").Request(t.Context(), s.ID, r)
	if err == nil || !strings.Contains(err.Error(), `has no program "stop" (programs: the first one, which has no name, start)`) {
		t.Errorf("a request for another program: %v", err)
	}
	nameless := c.service("alice", "bob")
	nameless.Program, nameless.State, nameless.Programs = s.Program, s.State, map[string]api.Program{"": s.Programs["start"]}
	if err := c.submit(nameless, "carol"); err == nil || !strings.Contains(err.Error(), "programs: a further program has no name") {
		t.Errorf("a service with a further program without a name: %v", err)
	}
	once := c.submission("alice", "bob")
	once.Program, once.Programs = s.Program, s.Programs
	if err := c.submit(once, "carol"); err == nil || !strings.Contains(err.Error(), "programs: each request of a service names its program") {
		t.Errorf("a job with programs: %v", err)
	}
}
