package node

import (
	"fmt"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// manyNames returns a submission in which alice has n inputs with long names.
func (c *testCluster) manyNames(n int) *api.Submission {
	s := c.submission("alice", "bob")
	s.Inputs = nil
	for i := range n {
		s.Inputs = append(s.Inputs, api.Input{Owner: "alice", Name: fmt.Sprintf("%01000d", i), Args: []int{0}})
	}
	return s
}

// TestManyLongStatuses checks that jobs with long descriptions do not make the list of jobs too long, that their
// details are fetched by id, and that one whose description would be too long by itself is refused.
func TestManyLongStatuses(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	c.stops["alice"]()
	c.write("alice", "policy.yaml", "rules: [{name: none, submitters: [carol], programs: any}]") // denies what has inputs
	c.start("alice", []string{"alice", "bob"}, nil)
	carol := c.as("carol", "alice")
	var last *api.Submission
	for range 6 {
		last = c.manyNames(3500)
		if _, err := carol.Submit(t.Context(), last); err != nil {
			t.Fatal(err)
		}
	}
	jobs, omitted, err := carol.Jobs(t.Context(), "")
	if err != nil || len(jobs) != 6 || omitted != 0 {
		t.Fatalf("%d jobs are listed, %d omitted, %v", len(jobs), omitted, err)
	}
	for _, j := range jobs {
		if !j.Summary || j.Inputs != nil || j.Arguments != nil || j.State != api.Denied || len(j.Error) > 1000 {
			t.Errorf("in the list: %d inputs, %d arguments, %s (%s)", len(j.Inputs), len(j.Arguments), j.State, j.Error)
		}
	}
	if jobs, _, err = carol.Jobs(t.Context(), last.ID[:8]); err != nil || len(jobs) != 1 || jobs[0].ID != last.ID {
		t.Errorf("by the beginning of an id: %v, %v", jobs, err)
	}
	if j, err := carol.Job(t.Context(), last.ID); err != nil || len(j.Inputs) != 3500 || len(j.Arguments) != 3 || j.Summary {
		t.Errorf("by id: %d inputs, %v", len(j.Inputs), err)
	}
	if _, err := carol.Submit(t.Context(), c.manyNames(5000)); err == nil || !strings.Contains(err.Error(), "the description of the job is too long") {
		t.Errorf("5000 long names: %v", err)
	}
	s := c.submission("alice", "bob")
	s.Inputs[0].Name = strings.Repeat("x", 1025)
	if _, err := carol.Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), "name has 1025 bytes; at most 1024 are allowed") {
		t.Errorf("a name of 1025 bytes: %v", err)
	}
	for n, want := range map[int]string{10000: "", 10001: "the program has 10001 arguments; at most 10000 are allowed"} {
		s = c.submission("alice", "bob")
		var args []string
		for i := range n {
			args = append(args, fmt.Sprintf("%%a%d: tensor<f32>", i))
		}
		s.Program.Text = []byte("func.func @main(" + strings.Join(args, ", ") + ") -> tensor<f32> {\n  return %a0 : tensor<f32>\n}")
		s.Public, s.Inputs = nil, s.Inputs[:1]
		_, err := carol.Submit(t.Context(), s)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d arguments: %v, want %q", n, err, want)
		}
	}
}
