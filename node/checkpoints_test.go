package node

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/checkpoint"
	"github.com/tacet-mpc/tacet/cluster"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
)

// longTurns is how many turns the long training takes.
const longTurns = 200

var longNames = []string{"alice", "bob", "dave"}

// longTown has nodes that end their jobs at once when they are stopped.
func longTown(t *testing.T) *town {
	t.Helper()
	c := newTown(t, longNames...)
	c.put("alice", "rows.npy", 1, -2, 3, 0.5)
	c.put("bob", "rows.npy", 1, 0, 1, 0)
	for _, name := range longNames {
		c.stops[name]()
		c.startAgain(name)
	}
	return c
}

// startAgain starts a node of the long town.
func (c *town) startAgain(name string) {
	c.start(name, longNames, func(k *Config) { k.Limits.Drain = time.Millisecond })
}

// long is a training that all learn the result of; the third party shares
// nothing, and does not compute.
func (c *town) long() *api.Submission {
	s := c.submission(longNames...)
	s.Program = api.Program{Name: "train.mlir", Text: []byte(strings.Replace(trainProgram, "dense<5>", fmt.Sprintf("dense<%d>", longTurns), 1))}
	s.Inputs[0].Name, s.Inputs[1].Name = "rows.npy", "rows.npy"
	s.Public, s.Checkpoint, s.Computing = nil, 5, 2
	return s
}

// until waits until a job at a node is as it is to be.
func (c *town) until(id, node string, is func(j api.Job) bool) {
	c.t.Helper()
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
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

// broken submits the long training and stops bob in its middle.
func (c *town) broken() *api.Submission {
	c.t.Helper()
	s := c.long()
	if err := c.submit(s, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range longNames[:s.Computing] {
		c.until(s.ID, p, func(j api.Job) bool { return strings.HasPrefix(j.Aside, "loop 1, turn ") })
	}
	c.stops["bob"]()
	c.startAgain("bob")
	for _, p := range longNames {
		if j := c.wait(s.ID, p); j.State != api.Failed || p == "alice" && j.Aside == "" {
			c.t.Fatalf("%+v", j)
		}
	}
	return s
}

// goesOn submits a job that goes on from another, and returns from where at each
// node, once it is done.
func (c *town) goesOn(s *api.Submission, from string) (again *api.Submission, at []string) {
	c.t.Helper()
	again = c.long()
	again.Resume = from
	if err := c.submit(again, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, p := range longNames {
		j := c.wait(again.ID, p)
		if j.State != api.Done || j.Resumes != from || j.Aside != "" {
			c.t.Fatalf("%+v", j)
		}
		at = append(at, j.From)
	}
	return again, at
}

// checkLong checks what a long training gave, and returns how many turns it
// took.
func (c *town) checkLong(s *api.Submission) int {
	c.t.Helper()
	x, y, w, b := []float64{1, -2, 3, 0.5}, []float64{1, 0, 1, 0}, 0.5, 0.25
	for range longTurns {
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

// TestGoesOn: a node goes away in the middle of a training; when it is back, the
// training goes on from where all nodes had come, and leaves nothing behind.
func TestGoesOn(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := longTown(t)
	defer c.stop()
	s := c.broken()
	again, at := c.goesOn(s, s.ID)
	var turn int
	if _, err := fmt.Sscanf(at[0], "loop 1, turn %d", &turn); err != nil || at[0] != at[1] || at[0] != at[2] {
		t.Fatalf("goes on from %q", at)
	}
	if turns := c.checkLong(again); turns != longTurns-turn {
		t.Errorf("%d of %d turns were done, from turn %d on", turns, longTurns, turn)
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
		if old, err := c.as("carol", p).Job(t.Context(), s.ID); err != nil || old.Aside != "" {
			t.Errorf("%+v, %v", old, err)
		}
	}
}

// TestGoesOnFromCommon: of what nodes have the newest that is everybody's counts;
// a job that went on and broke off is gone on from, and so is the first again.
func TestGoesOnFromCommon(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := longTown(t)
	defer c.stop()
	s := c.broken()
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
			ids, turns = append(ids, h.ID), append(turns, h.Turn)
		}
		return ids, turns
	}
	ids, turns := list("alice", s.ID)
	theirs, _ := list("bob", s.ID)
	common := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !slices.Contains(theirs, id) })
	if len(common) < 1 {
		t.Fatalf("%v and %v have nothing in common", ids, theirs)
	}
	// cancelled in its middle, the second leaves both what they had
	next := c.long()
	next.Resume, next.Checkpoint = s.ID, 1
	if err := c.submit(next, "carol"); err != nil {
		t.Fatal(err)
	}
	first := ""
	c.until(next.ID, "alice", func(j api.Job) bool {
		first = j.From
		return j.From != "" && j.Aside != j.From && j.Aside != ""
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
	if first != fmt.Sprintf("loop 1, turn %d", want) {
		t.Errorf("it goes on from %s, not from turn %d", first, want)
	}
	// of the second bob has no more than its newest, alice all but that
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
	again, at := c.goesOn(next, next.ID)
	if at[0] != fmt.Sprintf("loop 1, turn %d", turns[i-1]) && slices.Contains(mine, theirs[i-1]) {
		t.Errorf("goes on from %v, alice had %v, bob %v", at, mine, theirs)
	}
	c.checkLong(again)
}

// TestNotGoneOnFrom: what is refused, and by whom.
func TestNotGoneOnFrom(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := longTown(t)
	defer c.stop()
	c.write("dave", "policy.yaml", strings.Replace(anything, "[carol]", "[carol, mallory]", 1))
	c.stops["dave"]()
	c.startAgain("dave")
	s := c.broken()
	done := c.submission(longNames...)
	c.ran(done)
	for name, try := range map[string]struct {
		who    string
		change func(s *api.Submission)
		want   string
	}{
		"by a stranger":   {"mallory", func(s *api.Submission) {}, "for mallory at dave to go on from"},
		"unknown":         {"carol", func(s *api.Submission) { s.Resume = newID() }, "to go on from"},
		"of one done":     {"carol", func(s *api.Submission) { s.Resume = done.ID }, "is done at alice: only one that has failed or was cancelled"},
		"another program": {"carol", func(s *api.Submission) { s.Program.Text = append(s.Program.Text, '\n') }, "ran another program"},
		"nothing aside":   {"carol", func(s *api.Submission) { s.Checkpoint = 0 }, "say after how many turns"},
		"turns below 0":   {"carol", func(s *api.Submission) { s.Checkpoint = -1 }, "checkpoints after every -1 turns"},
		"a service":       {"carol", func(s *api.Submission) { s.Serve = true }, "a service sets nothing aside"},
	} {
		t.Run(name, func(t *testing.T) {
			again := c.long()
			again.Resume = s.ID
			try.change(again)
			if err := c.submit(again, try.who); err == nil || !strings.Contains(err.Error(), try.want) {
				t.Errorf("%v, want %q", err, try.want)
			}
			for _, p := range longNames { // those that have it
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
		"another input":    {func(s *api.Submission) { s.Inputs[1].Name = "x.npy" }, "the checkpoints of bob are of another run, which differs in values of argument 1 (run it"},
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

// TestNotSetAside: where a checkpoint cannot be written the job goes on, and says
// so as long as that is the last word.
func TestNotSetAside(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := longTown(t)
	defer c.stop()
	s := c.long()
	s.Checkpoint = 1
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return j.Aside != "" })
	dir := filepath.Join(c.dir, "bob", "state", jobsFolder, s.ID, checkpointsFolder, "bob")
	if err := os.Rename(dir, dir+"-away"); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return strings.Contains(j.NotAside, "no such file or directory") })
	if err := os.Rename(dir+"-away", dir); err != nil {
		t.Fatal(err)
	}
	c.until(s.ID, "bob", func(j api.Job) bool { return j.NotAside == "" })
	for _, p := range longNames {
		if j := c.wait(s.ID, p); j.State != api.Done {
			t.Fatalf("%+v", j)
		}
	}
	if turns := c.checkLong(s); turns != longTurns {
		t.Errorf("%d turns", turns)
	}
}
