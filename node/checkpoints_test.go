package node

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/pki"
)

// longIterations is the number of iterations of the long training: fewer with the race detector, which makes each longer.
var longIterations = func() int {
	if raced {
		return 80
	}
	return 200
}()

var longNames = []string{"alice", "bob", "dave"}

// slowCluster returns a cluster whose nodes abort their jobs at once when they are stopped.
func slowCluster(t *testing.T) *testCluster {
	t.Helper()
	c := newCluster(t, longNames...)
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	for _, name := range longNames {
		c.stops[name]()
		c.startAgain(name)
	}
	return c
}

// startAgain restarts a node of the slow test cluster.
func (c *testCluster) startAgain(name string) {
	c.start(name, longNames, func(k *Config) { k.Limits.Drain = time.Millisecond })
}

// long returns a training whose result all parties learn; the third party has no input and does not
// compute.
func (c *testCluster) long() *api.Submission {
	s := c.submission(longNames...)
	s.Program = api.Program{Name: "train.mlir", Text: []byte(strings.Replace(trainProgram, "dense<5>", fmt.Sprintf("dense<%d>", longIterations), 1))}
	s.Inputs[0].Name, s.Inputs[1].Name = "rows.npy", "rows.npy"
	s.Public, s.Checkpoint, s.Computing = nil, 5, 2
	return s
}

// until waits until a job's status at a node satisfies a condition.
func (c *testCluster) until(id, node string, is func(j api.Job) bool) {
	c.t.Helper()
	for deadline := time.Now().Add(busyWait); ; time.Sleep(10 * time.Millisecond) {
		j, err := c.as("carol", node).Job(c.t.Context(), id)
		if err != nil {
			c.t.Fatal(err)
		}
		if is(j) {
			return
		}
		if j.State.Final() || time.Now().After(deadline) {
			c.t.Fatalf("job is %s at %s: %+v", j.State, node, j)
		}
	}
}

// failMidway submits the long training and stops bob while it runs.
func (c *testCluster) failMidway() *api.Submission {
	c.t.Helper()
	s := c.long()
	if err := c.submit(s, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range longNames[:s.Computing] {
		c.until(s.ID, p, func(j api.Job) bool { return strings.HasPrefix(j.NewestCheckpoint, "loop 1, iteration ") })
	}
	c.stops["bob"]()
	c.startAgain("bob")
	for _, p := range longNames {
		if j := c.wait(s.ID, p); j.State != api.Failed || p == "alice" && j.NewestCheckpoint == "" {
			c.t.Fatalf("%+v", j)
		}
	}
	return s
}

// resume submits a job that resumes another, waits until it is done, and returns the place from which
// each node resumed.
func (c *testCluster) resume(s *api.Submission, from string) (again *api.Submission, at []string) {
	c.t.Helper()
	again = c.long()
	again.Resume = from
	if err := c.submit(again, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range longNames {
		j := c.wait(again.ID, p)
		if j.State != api.Done || j.Resumes != from || j.NewestCheckpoint != "" {
			c.t.Fatalf("%+v", j)
		}
		at = append(at, j.ResumedFrom)
	}
	return again, at
}

// checkLong checks the result of a long training and returns its number of iterations.
func (c *testCluster) checkLong(s *api.Submission) int {
	c.t.Helper()
	x, y, w, b := []float64{1, -2, 3, 0.5}, []float64{1, 0, 1, 0}, 0.5, 0.25
	for range longIterations {
		dw, db := 0.0, 0.0
		for i := range x {
			e := 1/(1+math.Exp(-w*x[i]-b)) - y[i]
			dw, db = dw+e*x[i], db+e
		}
		w, b = w-dw/8, b-db/8
	}
	results, report, err := cluster.Fetch(c.t.Context(), c.as("carol", "alice"), s.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	for i, want := range []float64{w, b} {
		if got := results[i].Floats()[0]; math.Abs(got-want) > 1e-2 {
			c.t.Errorf("result %d is %v, want %v", i, got, want)
		}
	}
	turns := 0
	for _, o := range report.Ops {
		if o.Op == "stablehlo.dot_general" {
			turns += o.Calls
		}
	}
	return turns
}

// TestResume stops a node during a training. After its restart a job resumes the training from the
// newest checkpoint that all nodes have, and removes all checkpoints when it is done.
func TestResume(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := slowCluster(t)
	defer c.stop()
	s := c.failMidway()
	again, at := c.resume(s, s.ID)
	var turn int
	if _, err := fmt.Sscanf(at[0], "loop 1, iteration %d", &turn); err != nil || at[0] != at[1] || at[0] != at[2] {
		t.Fatalf("resumes from %q", at)
	}
	if turns := c.checkLong(again); turns != longIterations-turn {
		t.Errorf("%d of %d iterations were done, from iteration %d on", turns, longIterations, turn)
	}
	for _, p := range longNames {
		for _, id := range []string{s.ID, again.ID} {
			if _, err := os.Stat(filepath.Join(c.dir, p, "state", jobsFolder, id, checkpointsFolder)); err == nil {
				t.Errorf("%s still has checkpoints of %s", p, id)
			}
		}
		said := 0
		if _, err := audit.Read(filepath.Join(c.dir, p, "state", auditFile), func(e audit.Event) error {
			if e.Kind == audit.Resumed && e.Job == again.ID && e.Resumes == s.ID && e.From == at[0] {
				said++
			}
			return nil
		}); err != nil || said != 1 {
			t.Errorf("the log of %s says %d times that the job goes on (%v)", p, said, err)
		}
		if old, err := c.as("carol", p).Job(t.Context(), s.ID); err != nil || old.NewestCheckpoint != "" {
			t.Errorf("%+v, %v", old, err)
		}
	}
}

// TestResumeFromCommonCheckpoint checks that a job resumes from the newest checkpoint that all nodes have, and
// that both a failed resuming job and the first job can be resumed.
func TestResumeFromCommonCheckpoint(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := slowCluster(t)
	defer c.stop()
	s := c.failMidway()
	folder := func(p, id string) *checkpoint.Folder {
		f, err := checkpoint.Open(filepath.Join(c.dir, p, "state", jobsFolder, id, checkpointsFolder, p))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	list := func(p, id string) (ids []string, turns []int) {
		all, _, err := folder(p, id).List()
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range all {
			ids, turns = append(ids, h.ID), append(turns, h.Iteration)
		}
		return ids, turns
	}
	ids, turns := list("alice", s.ID)
	theirs, _ := list("bob", s.ID)
	common := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(theirs, id) })
	if len(common) < 1 {
		t.Fatalf("%v and %v have nothing in common", ids, theirs)
	}
	// the cancelled second job must leave the first job's checkpoints in place
	next := c.long()
	next.Resume, next.Checkpoint = s.ID, 1
	if err := c.submit(next, "carol"); err != nil {
		t.Fatal(err)
	}
	first := ""
	c.until(next.ID, "alice", func(j api.Job) bool {
		first = j.ResumedFrom
		return j.ResumedFrom != "" && j.NewestCheckpoint != j.ResumedFrom && j.NewestCheckpoint != ""
	})
	if _, err := c.as("carol", "alice").Cancel(t.Context(), next.ID); err != nil {
		t.Fatal(err)
	}
	for _, p := range longNames {
		if j := c.wait(next.ID, p); j.State != api.Cancelled && j.State != api.Failed {
			t.Fatalf("%+v", j)
		}
	}
	if got, _ := list("alice", s.ID); !slices.Equal(got, ids) {
		t.Errorf("the first job had %v, and has %v", ids, got)
	}
	want := turns[slices.Index(ids, common[len(common)-1])]
	if first != fmt.Sprintf("loop 1, iteration %d", want) {
		t.Errorf("it resumes from %s, not from iteration %d", first, want)
	}
	// bob keeps only the newest checkpoint of the second job, alice all others
	theirs, turns = list("bob", next.ID)
	mine, _ := list("alice", next.ID)
	i := len(theirs) - 1
	for i > 0 && !slices.Contains(mine, theirs[i]) {
		i--
	}
	if i < 1 {
		t.Skip("they were not close enough for this")
	}
	drop := func(p string, turn int) {
		paths, err := filepath.Glob(filepath.Join(c.dir, p, "state", jobsFolder, next.ID, checkpointsFolder, p, fmt.Sprintf("*-%010d-*", turn)))
		if err != nil || len(paths) != 1 {
			t.Fatal(paths, err)
		}
		if err := os.Remove(paths[0]); err != nil {
			t.Fatal(err)
		}
	}
	drop("alice", turns[i])
	again, at := c.resume(next, next.ID)
	if at[0] != fmt.Sprintf("loop 1, iteration %d", turns[i-1]) && slices.Contains(mine, theirs[i-1]) {
		t.Errorf("resumes from %v, alice had %v, bob %v", at, mine, theirs)
	}
	c.checkLong(again)
}

// TestFailedResumeLeavesNothing checks that resuming jobs that fail leave no checkpoints of their own behind,
// can be resumed themselves, and that no node has checkpoints of any of the jobs when one of them is done.
func TestFailedResumeLeavesNothing(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := slowCluster(t)
	defer c.stop()
	s := c.failMidway()
	has := func(id, node string) bool {
		_, err := os.Stat(filepath.Join(c.dir, node, "state", jobsFolder, id, checkpointsFolder))
		return err == nil
	}
	fails := func(from string, change func(s *api.Submission)) *api.Submission {
		t.Helper()
		again := c.long()
		again.Resume = from
		change(again)
		if err := c.submit(again, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range longNames {
			if j := c.wait(again.ID, p); j.State != api.Failed && j.State != api.Cancelled {
				t.Fatalf("%+v", j)
			}
		}
		return again
	}
	other := fails(s.ID, func(s *api.Submission) { s.Fraction = 20 })
	c.stops["dealer"]()
	hangsUp := c.wires.port("dealer")
	var work sync.WaitGroup
	work.Go(func() { answer(hangsUp, &work, func(pki.Caller) {}) })
	lost := fails(s.ID, func(*api.Submission) {})
	lost = fails(lost.ID, func(*api.Submission) {})
	hangsUp.Close()
	work.Wait()
	c.deal(longNames...)
	for _, p := range longNames {
		if has(other.ID, p) || has(lost.ID, p) {
			t.Errorf("%s has checkpoints of jobs that failed before they resumed", p)
		}
	}
	again, at := c.resume(s, lost.ID)
	if !strings.HasPrefix(at[0], "loop 1, iteration ") {
		t.Errorf("resumes from %q", at)
	}
	c.checkLong(again)
	for _, p := range longNames {
		for _, id := range []string{s.ID, other.ID, lost.ID, again.ID} {
			if has(id, p) {
				t.Errorf("%s still has checkpoints of %s", p, id)
			}
		}
	}
}

// TestResumeRefused checks which resuming jobs are refused, and by which node.
func TestResumeRefused(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := slowCluster(t)
	defer c.stop()
	c.write("dave", "policy.yaml", strings.Replace(anything, "[carol]", "[carol, mallory]", 1))
	c.stops["dave"]()
	c.startAgain("dave")
	s := c.failMidway()
	done := c.submission(longNames...)
	c.ran(done)
	for name, try := range map[string]struct {
		who    string
		change func(s *api.Submission)
		want   string
	}{
		"by a stranger":   {"mallory", func(s *api.Submission) {}, "of mallory at dave to resume"},
		"unknown":         {"carol", func(s *api.Submission) { s.Resume = newID() }, "to resume"},
		"of one done":     {"carol", func(s *api.Submission) { s.Resume = done.ID }, "is done at alice; only failed and cancelled jobs"},
		"another program": {"carol", func(s *api.Submission) { s.Program.Text = append(s.Program.Text, '\n') }, "ran another program"},
		"no checkpoint":   {"carol", func(s *api.Submission) { s.Checkpoint = 0 }, "a job that resumes another needs checkpoint"},
		"negative":        {"carol", func(s *api.Submission) { s.Checkpoint = -1 }, "checkpoint: every -1 iterations"},
		"a service":       {"carol", func(s *api.Submission) { s.Serve = true }, "a service writes no checkpoints"},
	} {
		t.Run(name, func(t *testing.T) {
			again := c.long()
			again.Resume = s.ID
			try.change(again)
			if err := c.submit(again, try.who); err == nil || !strings.Contains(err.Error(), try.want) {
				t.Errorf("%v, want %q", err, try.want)
			}
			for _, p := range longNames { // the nodes that have the job
				c.as(try.who, p).Cancel(context.Background(), again.ID)
			}
		})
	}
	for name, try := range map[string]struct {
		change func(s *api.Submission)
		want   string
	}{
		"another fraction": {func(s *api.Submission) { s.Fraction = 20 }, "differs in fraction"},
		"other learners":   {func(s *api.Submission) { s.Reveal = []int{2} }, "differs in reveal"},
		"another input":    {func(s *api.Submission) { s.Inputs[1].Name = "x.npy" }, "the checkpoints of bob do not fit this run, which differs in values of argument 1 (repeat the run"},
	} {
		t.Run(name, func(t *testing.T) {
			again := c.long()
			again.Resume = s.ID
			try.change(again)
			if err := c.submit(again, "carol"); err != nil {
				t.Fatal(err)
			}
			why := ""
			for _, p := range longNames {
				j := c.wait(again.ID, p)
				if j.State != api.Failed {
					t.Errorf("%+v", j)
				}
				why += j.Error + "\n"
			}
			if !strings.Contains(why, try.want) {
				t.Errorf("%s: want %q", why, try.want)
			}
		})
	}
}

// TestCheckpointNotWritten checks that a job continues when a checkpoint cannot be written, and that its status
// shows the error until a later checkpoint is written.
func TestCheckpointNotWritten(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := slowCluster(t)
	defer c.stop()
	s := c.long()
	s.Checkpoint = 1
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return j.NewestCheckpoint != "" })
	dir := filepath.Join(c.dir, "bob", "state", jobsFolder, s.ID, checkpointsFolder, "bob")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return strings.Contains(j.CheckpointError, "no such file or directory") })
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return j.CheckpointError == "" })
	for _, p := range longNames {
		if j := c.wait(s.ID, p); j.State != api.Done {
			t.Fatalf("%+v", j)
		}
	}
	if turns := c.checkLong(s); turns != longIterations {
		t.Errorf("%d turns", turns)
	}
}
