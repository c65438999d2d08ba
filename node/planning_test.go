package node

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/budget/hostile"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/tensor"
	"go.uber.org/goleak"
)

// four returns a job of two parties with a program whose only argument, of four elements, the first one has.
func (c *testCluster) four(program string) *api.Submission {
	c.t.Helper()
	var b bytes.Buffer
	four := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{4}}, Data: []float32{1, 2, 3, 4}}
	if err := npy.Write(&b, four); err != nil {
		c.t.Fatal(err)
	}
	c.write("alice", "data/four.npy", b.String())
	s := c.submission("alice", "bob")
	s.Program = api.Program{Name: "p.mlir", Text: []byte(program)}
	s.Public, s.Inputs, s.Reveal = nil, []api.Input{{Owner: "alice", Name: "four.npy", Args: []int{0}}}, []int{1}
	return s
}

// Each program of the corpus ends a job with a reason that names a limit or a place, and the nodes go on.
func TestHostileSubmissions(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) {
			k.Limits.PlanMemory, k.Limits.PlanOperations, k.Limits.PlanTime = 16<<20, 1<<18, 10*time.Minute
		})
	}
	limited := 0
	for i, p := range hostile.Programs(3) {
		if i%9 != 0 {
			continue
		}
		s := c.four(p.Text)
		if err := c.submit(s, "carol"); err != nil {
			if strings.Contains(err.Error(), "internal error") {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		}
		for _, name := range names {
			j := c.wait(s.ID, name)
			switch {
			case j.State == api.Done:
			case j.State != api.Failed || strings.Contains(j.Error, "internal error"):
				t.Errorf("%s is %s at %s: %s\n%s", p.Name, j.State, name, j.Error, p.Text)
			case strings.Contains(j.Error, "limits: plan_"):
				limited++
			}
		}
	}
	if limited < 10 {
		t.Errorf("%d jobs are refused because of a limit", limited)
	}
	last := c.submission(names...)
	if err := c.submit(last, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(last.ID, "alice"); j.State != api.Done {
		t.Errorf("after that, a job is %s: %s", j.State, j.Error)
	}
}

const endless = `func.func public @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.while"(%x) ({
    ^bb0(%v: tensor<4xf32>):
    %c = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
    ^bb0(%v: tensor<4xf32>):
    %w = stablehlo.add %v, %v : tensor<4xf32>
    stablehlo.return %w : tensor<4xf32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
`

// planningAt waits until a node plans a job.
func (c *testCluster) planningAt(id, name string) {
	c.t.Helper()
	n := c.nodes[name]
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		n.mu.Lock()
		j, task := n.jobs.Job(id), n.tasks[id]
		planning := j != nil && j.Planning && task != nil && task.stopPlan != nil
		n.mu.Unlock()
		if planning {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s does not plan the job", name)
		}
	}
}

// A job is cancelled while it is planned: the plan, which would not end, does.
func TestCancelEndsPlan(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.four(endless)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.planningAt(s.ID, "bob")
	if _, err := c.as("carol", "bob").Cancel(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Cancelled {
		t.Errorf("the job is %s at bob: %s", j.State, j.Error)
	}
	if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "cancelled by carol at bob") {
		t.Errorf("the job is %s at alice: %s", j.State, j.Error)
	}
}

// A node that stops in an orderly way ends a plan, and takes the job up again when it is back; one whose process dies meanwhile
// does not plan the job again.
func TestPlanningRestored(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.four(endless)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.planningAt(s.ID, "bob")
	file := filepath.Join(c.dir, "bob", "state", jobsFolder, s.ID, jobFile)
	dead, err := os.ReadFile(file) // what a process that dies now leaves
	if err != nil || !bytes.Contains(dead, []byte(`"planning": true`)) {
		t.Fatalf("the record of a job that is being planned: %v\n%s", err, dead)
	}
	c.stops["bob"]()
	stopped, err := os.ReadFile(file)
	if err != nil || bytes.Contains(stopped, []byte(`"planning"`)) || !bytes.Contains(stopped, []byte(`"queued"`)) {
		t.Fatalf("the record after an orderly stop: %v\n%s", err, stopped)
	}
	if err := os.WriteFile(file, dead, 0o600); err != nil {
		t.Fatal(err)
	}
	c.start("bob", names, nil)
	j := c.wait(s.ID, "bob")
	if j.State != api.Failed || !strings.Contains(j.Error, "ended while it planned the job") {
		t.Errorf("the job is %s: %s", j.State, j.Error)
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), submissionFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the submission stays: %v", err)
	}
}

// TestPlanLimitsOfConfig checks each limit of plans as a node's file sets it: a job that exceeds it fails for a reason that names the
// key, and a job within it is done.
func TestPlanLimitsOfConfig(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	sum := func(elements int) string {
		return fmt.Sprintf(`func.func @main(%%x: tensor<4xf32>) -> tensor<4xf32> {
  %%c = stablehlo.iota dim = 0 : tensor<%dxf32>
  %%d = stablehlo.sine %%c : tensor<%dxf32>
  %%zero = stablehlo.constant dense<0.0> : tensor<f32>
  %%s = stablehlo.reduce(%%d init: %%zero) applies stablehlo.add across dimensions = [0] : (tensor<%dxf32>, tensor<f32>) -> tensor<f32>
  %%b = stablehlo.broadcast_in_dim %%s, dims = [] : (tensor<f32>) -> tensor<4xf32>
  %%r = stablehlo.add %%x, %%b : tensor<4xf32>
  return %%r : tensor<4xf32>
}
`, elements, elements, elements)
	}
	for key, is := range map[string]struct {
		value, hurts string
		of           func(Limits) any
		want         any
	}{
		"plan_memory":     {"1MiB", sum(1 << 20), func(l Limits) any { return l.PlanMemory }, int64(1 << 20)},
		"plan_operations": {"50000", sum(1 << 17), func(l Limits) any { return l.PlanOperations }, 50_000},
		"plan_time":       {"1s", endless, func(l Limits) any { return l.PlanTime }, time.Second},
	} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			c := newCluster(t, names...)
			defer c.stop()
			c.write("", "limited.yaml", "name: alice\nlisten: 127.0.0.1:0\ntls: {cert: a, key: b, ca: c}\nstate: state\npolicy: policy.yaml\nlimits: {"+key+": "+is.value+"}\n")
			read, err := ReadConfig(filepath.Join(c.dir, "limited.yaml"))
			if err != nil {
				t.Fatal(err)
			}
			if got := is.of(read.Limits); got != is.want {
				t.Errorf("%s: %s is read as %v", key, is.value, got)
			}
			if other := is.of(DefaultLimits); other == is.want {
				t.Errorf("the test sets the default")
			}
			for _, name := range names {
				c.stops[name]()
				c.start(name, names, func(k *Config) {
					l := read.Limits
					k.Limits.PlanMemory, k.Limits.PlanOperations, k.Limits.PlanTime = l.PlanMemory, l.PlanOperations, l.PlanTime
				})
			}
			s := c.four(is.hurts)
			if err := c.submit(s, "carol"); err != nil {
				t.Fatal(err)
			}
			if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "limits: "+key) {
				t.Errorf("the job is %s: %s", j.State, j.Error)
			}
			s = c.four(sum(16))
			if err := c.submit(s, "carol"); err != nil {
				t.Fatal(err)
			}
			if j := c.wait(s.ID, "alice"); j.State != api.Done {
				t.Errorf("a small job is %s: %s", j.State, j.Error)
			}
		})
	}
}
