package node

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestGivenBack: what has been read for a job does not stay when that ends before
// it begins, however late it was read.
func TestGivenBack(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newTown(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil { // bob has not heard of it
		t.Fatal(err)
	}
	n := c.nodes["alice"]
	n.mu.Lock()
	task := n.tasks[s.ID]
	w := task.work
	n.mu.Unlock()
	read := func() bool {
		if g, err := n.give(task, w); err != nil || g.args == nil {
			t.Fatalf("%+v, %v", g, err)
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		return task.given != nil
	}
	if !read() {
		t.Error("what was read for a job that waits is not there")
	}
	if _, err := c.as("carol", "alice").Cancel(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	n.mu.Lock()
	if task.given != nil {
		t.Error("what was read for a job that has ended stays")
	}
	n.mu.Unlock()
	if read() {
		t.Error("what is read for a job that has ended stays")
	}
}

// TestManyJobs submits more jobs at once than run at once, led by different
// nodes that want each other's slots.
func TestManyJobs(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "eve"}
	c := newTown(t, names...)
	defer c.stop()
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) { k.Limits.Jobs = 2 })
	}
	var all sync.WaitGroup
	subs := make([]*api.Submission, 20)
	for i := range subs {
		subs[i] = c.submission(names[i%3], names[(i+1)%3])
		all.Go(func() {
			if err := c.submit(subs[i], "carol"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i, s := range subs {
		for _, p := range s.Parties {
			if j := c.wait(s.ID, p); j.State != api.Done {
				t.Fatalf("job %d at %s: %s (%s)", i, p, j.State, j.Error)
			}
		}
		x := []float64{0, 1, 2}
		got, err := c.result(s.ID, s.Parties[0], "carol")
		wants := 1 / (1 + math.Exp(-(6.5 + x[i%3]*x[(i+1)%3])))
		if err != nil || math.Abs(got-wants) > 1e-4 {
			t.Errorf("job %d: %v, want %v (%v)", i, got, wants, err)
		}
	}
	for _, name := range names {
		n := c.nodes[name]
		n.mu.Lock()
		if n.slots != 2 || n.memory != n.config.Limits.Memory {
			t.Errorf("%s has %d slots and %d bytes free at the end", name, n.slots, n.memory)
		}
		n.mu.Unlock()
	}
}

// TestMemoryWaits has jobs wait for memory that others have.
func TestMemoryWaits(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newTown(t, names...)
	defer c.stop()
	one := c.submission(names...)
	if err := c.submit(one, "carol"); err != nil {
		t.Fatal(err)
	}
	needs := map[string]int64{}
	for _, name := range names {
		c.wait(one.ID, name)
		n := c.nodes[name]
		n.mu.Lock()
		needs[name] = n.tasks[one.ID].needs.of(1)
		n.mu.Unlock()
		if needs[name] == 0 {
			t.Fatal("the job takes no memory by plan")
		}
	}
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) { k.Limits.Memory = needs[name] * 3 / 2 }) // for one at a time
	}
	subs := []*api.Submission{}
	for range 4 {
		s := c.submission(names...)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		subs = append(subs, s)
	}
	for _, s := range subs {
		if j := c.wait(s.ID, "bob"); j.State != api.Done {
			t.Errorf("job is %s: %s", j.State, j.Error)
		}
	}
}

// TestKeep forgets what ended long ago, on disk too, and keeps no submission of
// what has ended.
func TestKeep(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newTown(t, names...)
	defer c.stop()
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) { k.Limits.Keep = 2 })
	}
	var ids []string
	for range 4 {
		s := c.submission(names...)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range names {
			c.wait(s.ID, p)
		}
		ids = append(ids, s.ID)
	}
	jobs, err := c.as("carol", "alice").Jobs(t.Context())
	if err != nil || len(jobs) != 3 { // the last came when two had ended
		t.Errorf("%d jobs are known, want 3 (%v)", len(jobs), err)
	}
	dir := filepath.Join(c.dir, "alice", "state", jobsFolder)
	if _, err := os.Stat(filepath.Join(dir, ids[0])); err == nil {
		t.Error("the first job is still on disk")
	}
	if _, err := os.Stat(filepath.Join(dir, ids[3], submissionFile)); err == nil {
		t.Error("an ended job's submission is still on disk")
	}
	c.stops["alice"]()
	c.start("alice", names, nil)
	if j := c.wait(ids[3], "alice"); j.State != api.Done {
		t.Errorf("after a restart the last job is %s", j.State)
	}
}

// TestLimits refuses what does not fit.
func TestLimits(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	for name, k := range map[string]struct {
		change func(*Config)
		why    string
	}{
		"memory": {func(k *Config) { k.Limits.Memory = 1000 }, "of memory at bob by plan, which allows 1000 B (limits: memory)"},
		"wait":   {func(k *Config) { k.Limits.Jobs = 0 }, "not started within 300ms: it waits for bob: all 0 jobs"},
	} {
		t.Run(name, func(t *testing.T) {
			c := newTown(t, names...)
			defer c.stop()
			for _, name := range names {
				c.stops[name]()
				c.start(name, names, func(o *Config) {
					o.Limits.Wait = 300 * time.Millisecond
					if name == "bob" {
						k.change(o)
					}
				})
			}
			s := c.submission(names...)
			if err := c.submit(s, "carol"); err != nil {
				t.Fatal(err)
			}
			for _, p := range names {
				if j := c.wait(s.ID, p); j.State != api.Failed || !strings.Contains(j.Error, k.why) {
					t.Errorf("%s: %s (%s), want %s", p, j.State, j.Error, k.why)
				}
			}
		})
	}
	t.Run("queue", func(t *testing.T) {
		c := newTown(t, names...)
		defer c.stop()
		c.stops["alice"]()
		c.start("alice", names, func(k *Config) { k.Limits.Queue = 1 })
		for i, s := range []*api.Submission{c.submission(names...), c.submission(names...)} {
			_, err := c.as("carol", "alice").Submit(t.Context(), s)
			if full := err != nil && strings.Contains(err.Error(), "the queue of alice is full"); full != (i == 1) {
				t.Errorf("submission %d: %v", i, err)
			}
		}
	})
}

// TestNonsense refuses submissions that make no sense, in words.
func TestNonsense(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newTown(t, "alice", "bob")
	defer c.stop()
	for why, change := range map[string]func(*api.Submission){
		"is not 32 hexadecimal digits":                func(s *api.Submission) { s.ID = "../../etc" },
		"alice is not among the parties":              func(s *api.Submission) { s.Parties[0] = "bob" },
		"alice does not know party zoe":               func(s *api.Submission) { s.Parties[1] = "zoe" },
		"town.mlir:1:":                                func(s *api.Submission) { s.Program.Text = []byte("nonsense") },
		"want a ring of 32, 64 or 128 bits":           func(s *api.Submission) { s.Ring = 65 },
		"nodes compute with two or more parties":      func(s *api.Submission) { s.Protocol = "plain" },
		"rank 7 is no party's":                        func(s *api.Submission) { s.Reveal = []int{7} },
		`alice has no input "../../bob/data/x.npy"`:   func(s *api.Submission) { s.Inputs[0].Name = "../../bob/data/x.npy" },
		"who is no party of the job":                  func(s *api.Submission) { s.Inputs[0].Owner = "zoe" },
		"public argument 9 is none of the program's":  func(s *api.Submission) { s.Public[0].Arg = 9 },
		"public argument 2: not an .npy array":        func(s *api.Submission) { s.Public[0].Array = []byte("x") },
		"public argument 0 is tensor<f32>, the progr": func(s *api.Submission) { s.Public[0].Arg = 0 },
		"argument 2 is tensor<4xf32>, the program wa": func(s *api.Submission) { s.Inputs[0].Args = []int{2} },
		"semi2k computes among 2 parties or more":     func(s *api.Submission) { s.Computing = 1 },
		"setting x is not known":                      func(s *api.Submission) { s.Set = map[string]string{"x": "y"} },
	} {
		s := c.submission("alice", "bob")
		change(s)
		if _, err := c.as("carol", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	// What no node can tell by itself shows before anything starts.
	s := c.submission("alice", "bob")
	s.Inputs = s.Inputs[:1]
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Failed || !strings.Contains(j.Error, "argument 1 is in nobody's inputs") {
		t.Errorf("%s (%s)", j.State, j.Error)
	}
	one, other := c.submission("alice", "bob"), c.submission("alice", "bob")
	other.ID, other.Fraction = one.ID, 17
	for node, s := range map[string]*api.Submission{"alice": one, "bob": other} {
		if _, err := c.as("carol", node).Submit(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if j := c.wait(one.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "the submissions differ in ") {
		t.Errorf("%s (%s)", j.State, j.Error)
	}
}

// TestDifferences: messages say what differs, long things by their hash.
func TestDifferences(t *testing.T) {
	a := &api.Submission{Fraction: 18, Program: api.Program{Text: []byte("a")}, Parties: []string{"alice", "bob"}}
	b := &api.Submission{Fraction: 17, Program: api.Program{Text: []byte("b")}, Parties: []string{"alice", "bob"}}
	for range 30 {
		b.Reveal = append(b.Reveal, 1000)
	}
	got := differences("alice", a.Terms(), "bob", b.Terms())
	want := "fraction: 18 at alice, 17 at bob; program: sha256:ca978112 at alice, sha256:3e23e816 at bob; reveal: null at alice, sha256:"
	if !strings.HasPrefix(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := differences("alice", a.Terms(), "bob", a.Terms()); !strings.Contains(got, "run the same release") {
		t.Error(got)
	}
}
