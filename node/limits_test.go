package node

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/node/api"
)

// TestInputsFreed checks that input values read for a job are freed if the job ends before its session
// begins, however late they were read.
func TestInputsFreed(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	s := c.submission("alice", "bob")
	if _, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil { // bob has not received the submission
		t.Fatal(err)
	}
	n := c.nodes["alice"]
	n.mu.Lock()
	task := n.tasks[s.ID]
	w := task.resolved
	n.mu.Unlock()
	read := func() bool {
		if g, err := n.readInputs(task, w); err != nil || g.args == nil {
			t.Fatalf("%+v, %v", g, err)
		}
		n.mu.Lock()
		defer n.mu.Unlock()
		return task.inputValues != nil
	}
	if !read() {
		t.Error("what was read for a job that waits is not there")
	}
	if _, err := c.as("carol", "alice").Cancel(t.Context(), s.ID); err != nil {
		t.Fatal(err)
	}
	n.mu.Lock()
	if task.inputValues != nil {
		t.Error("what was read for a job that has ended stays")
	}
	n.mu.Unlock()
	if read() {
		t.Error("what is read for a job that has ended stays")
	}
}

// TestManyJobs submits more jobs than can run at once, with different leaders that need each other's
// slots.
func TestManyJobs(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob", "eve"}
	c := newCluster(t, names...)
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
		if s := n.state(); s.FreeSlots() != 2 || s.FreeMemory() != n.config.Limits.Memory {
			t.Errorf("%s has %d slots and %d bytes free at the end", name, s.FreeSlots(), s.FreeMemory())
		}
	}
}

// TestSlotsOfSubmitters checks that services, which stay, do not take all slots: where the policy names another submitter, one is left.
func TestSlotsOfSubmitters(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	for _, name := range names {
		c.write(name, "policy.yaml", strings.Replace(anything, "submitters: [carol]", "submitters: [carol, dave]", 1))
		c.stops[name]()
		c.start(name, names, func(k *Config) { k.Limits.Jobs = 2 })
	}
	first, second, job := c.service(names...), c.service(names...), c.submission(names...)
	if err := c.submit(first, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(first)
	if err := c.submit(second, "carol"); err != nil {
		t.Fatal(err)
	}
	const waits = "all 1 slots of carol are in use (limits: jobs_per_submitter)"
	c.until(second.ID, "alice", func(j api.Job) bool { return strings.Contains(j.Phase, waits) })
	if err := c.submit(job, "dave"); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
		j, err := c.as("dave", "alice").Job(t.Context(), job.ID)
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("dave's job is %s (%s): %v", j.State, j.Phase, err)
		}
		if j.State.Final() {
			if j.State != api.Done {
				t.Errorf("dave's job is %s: %s", j.State, j.Error)
			}
			break
		}
	}
	for _, x := range []struct{ jobs, each, submitters, want int }{{4, 0, 1, 4}, {4, 0, 2, 3}, {1, 0, 2, 1}, {4, 2, 1, 2}, {4, 4, 9, 4}} {
		if got := (Limits{Jobs: x.jobs, JobsEach: x.each}).each(x.submitters); got != x.want {
			t.Errorf("%+v: %d", x, got)
		}
	}
}

// TestMemoryWaits checks that jobs wait for memory that other jobs have reserved.
func TestMemoryWaits(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	one := c.submission(names...)
	if err := c.submit(one, "carol"); err != nil {
		t.Fatal(err)
	}
	needs := map[string]int64{}
	for _, name := range names {
		c.wait(one.ID, name)
		n := c.nodes[name]
		needs[name] = n.state().Job(one.ID).Demand.ForBatch(1)
		if needs[name] == 0 {
			t.Fatal("the job takes no memory by plan")
		}
	}
	for _, name := range names {
		c.stops[name]()
		c.start(name, names, func(k *Config) { k.Limits.Memory = needs[name] * 3 / 2 }) // enough for one job at a time
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

// TestKeep checks that old ended jobs are removed, on disk too, and that no submission of an ended job
// is stored.
func TestKeep(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
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
	jobs, _, err := c.as("carol", "alice").Jobs(t.Context(), "")
	if err != nil || len(jobs) != 3 { // the third was submitted when two had ended
		t.Errorf("%d jobs are known, want 3 (%v)", len(jobs), err)
	}
	dir := filepath.Join(c.dir, "alice", "state", jobsFolder)
	if _, err := os.Stat(filepath.Join(dir, ids[0])); err == nil {
		t.Error("the first job is still on disk")
	}
	if _, err := os.Stat(filepath.Join(dir, ids[3], submissionFile)); err == nil {
		t.Error("an ended job's submission is still on disk")
	}
	// Submissions that are denied take no place of a job that has ended.
	c.write("alice", "policy.yaml", "rules:\n- {name: no inputs, submitters: [carol], programs: any, fetch: [carol]}\n")
	if err := c.nodes["alice"].Reload(); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		s := c.submission(names...)
		if j, err := c.as("carol", "alice").Submit(t.Context(), s); err != nil || j.State != api.Denied {
			t.Fatalf("%s, %v", j.State, err)
		}
	}
	folders, err := os.ReadDir(dir)
	if err != nil || len(folders) != 2 {
		t.Errorf("%d folders of jobs, want 2 (%v)", len(folders), err)
	}
	for _, id := range ids[2:] {
		if _, err := c.result(id, "alice", "carol"); err != nil {
			t.Errorf("after denied submissions: %v", err)
		}
	}
	c.stops["alice"]()
	c.start("alice", names, nil)
	if j := c.wait(ids[3], "alice"); j.State != api.Done {
		t.Errorf("after a restart the last job is %s", j.State)
	}
}

// TestLimits checks that jobs beyond a node's limits are refused.
func TestLimits(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	for limit, k := range map[string]struct {
		change func(*Config)
		why    string
	}{
		"memory": {func(k *Config) { k.Limits.Memory = 1000 }, "of memory at bob according to its plan; that node allows 1000 B (limits: memory)"},
		"wait":   {func(k *Config) { k.Limits.Jobs = 0 }, "not started within 300ms: waiting for bob: all 0 slots"},
	} {
		t.Run(limit, func(t *testing.T) {
			c := newCluster(t, names...)
			defer c.stop()
			for _, name := range names {
				c.stops[name]()
				c.start(name, names, func(o *Config) {
					if limit == "wait" { // for the other limit there is time on a busy machine too
						o.Limits.Wait = 300 * time.Millisecond
					}
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
		c := newCluster(t, names...)
		defer c.stop()
		c.stops["alice"]()
		c.start("alice", names, func(k *Config) { k.Limits.Queue = 1 })
		for i, s := range []*api.Submission{c.submission(names...), c.submission(names...)} {
			_, err := c.as("carol", "alice").Submit(t.Context(), s)
			if full := err != nil && strings.Contains(err.Error(), "jobs at alice that have not ended, the maximum"); full != (i == 1) {
				t.Errorf("submission %d: %v", i, err)
			}
		}
	})
}

// TestInvalidSubmissions checks the messages about invalid submissions.
func TestInvalidSubmissions(t *testing.T) {
	defer goleak.VerifyNone(t)
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	for why, change := range map[string]func(*api.Submission){
		"is not 32 hexadecimal digits":                          func(s *api.Submission) { s.ID = "../../etc" },
		"alice is not among the parties":                        func(s *api.Submission) { s.Parties[0] = "bob" },
		"alice has no peer zoe":                                 func(s *api.Submission) { s.Parties[1] = "zoe" },
		"town.mlir:1:":                                          func(s *api.Submission) { s.Program.Text = []byte("nonsense") },
		"want a ring of 32, 64 or 128 bits":                     func(s *api.Submission) { s.Ring = 65 },
		"nodes need two or more named parties":                  func(s *api.Submission) { s.Protocol = "plain" },
		"rank 7 is out of range":                                func(s *api.Submission) { s.Reveal = []int{7} },
		`alice has no input "../../bob/data/x.npy"`:             func(s *api.Submission) { s.Inputs[0].Name = "../../bob/data/x.npy" },
		"is not a party of the job":                             func(s *api.Submission) { s.Inputs[0].Owner = "zoe" },
		"public argument 9 is out of range":                     func(s *api.Submission) { s.Public[0].Arg = 9 },
		"public argument 2: not an .npy array":                  func(s *api.Submission) { s.Public[0].Array = []byte("x") },
		"public argument 0 has type tensor<f32>, but the progr": func(s *api.Submission) { s.Public[0].Arg = 0 },
		"argument 2 has type tensor<4xf32>, but the program":    func(s *api.Submission) { s.Inputs[0].Args = []int{2} },
		"semi2k needs two or more computing parties":            func(s *api.Submission) { s.Computing = 1 },
		`setting "x" does not exist`:                            func(s *api.Submission) { s.Set = map[string]string{"x": "y"} },
	} {
		s := c.submission("alice", "bob")
		change(s)
		if _, err := c.as("carol", "alice").Submit(t.Context(), s); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%v, want %q", err, why)
		}
	}
	// errors that no node can find alone end the job before its session begins
	s := c.submission("alice", "bob")
	s.Inputs = s.Inputs[:1]
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	if j := c.wait(s.ID, "bob"); j.State != api.Failed || !strings.Contains(j.Error, "argument 1 is in no input") {
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

// TestDifferences checks that messages name the terms that differ, long ones by their hash.
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

// TestSubmissionsHeld checks what a waiting job's submission takes, and that a submission for which there is no
// memory is refused.
func TestSubmissionsHeld(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.stops["alice"]()
	c.start("alice", names, func(k *Config) { k.Limits.Submissions, k.Limits.Submitter = 1<<20, 300<<10 })
	big := func(size int) *api.Submission {
		s := c.submission(names...)
		s.Program.Text = append([]byte("// "+strings.Repeat("x", size)+"\n"), s.Program.Text...)
		return s
	}
	carol := c.as("carol", "alice")
	for i, k := range []struct {
		size int
		want string
	}{
		{40 << 10, "the submission takes 3"}, // 9 × 40 KiB
		{20 << 10, ""},
		{20 << 10, "those of carol at alice that have not ended take 1"},
	} {
		_, err := carol.Submit(t.Context(), big(k.size))
		if k.want == "" && err != nil || k.want != "" && (err == nil || !strings.Contains(err.Error(), k.want)) {
			t.Errorf("submission %d: %v, want %q", i, err, k.want)
		}
	}
	if own, all := c.nodes["alice"].state().Held("carol"); own < 180<<10 || own > 190<<10 || all != own {
		t.Errorf("the submissions take %d bytes, all %d", own, all)
	}
}

// TestHeldOfTasks checks that what is counted for a task is at least the memory that its lists take.
func TestHeldOfTasks(t *testing.T) {
	texts, numbers, levels := make([]string, 10_000), make([]float64, 10_000), map[string][]string{}
	for i := range texts {
		texts[i] = string(rune('a' + i%26))
		levels[fmt.Sprint(i)] = texts[:1]
	}
	coefficients := make([]api.Coefficient, 10_000)
	for what, task := range map[string]*api.Task{
		"features": {Features: texts}, "columns": {Columns: texts}, "texts": {Texts: texts}, "values": {Values: texts}, "quantiles": {Quantiles: numbers},
		"thresholds": {Thresholds: numbers}, "levels": {Levels: map[string][]string{"c": texts}}, "many levels": {Levels: levels},
		"coefficients": {Model: &api.Model{Coefficients: coefficients}},
	} {
		text, err := json.Marshal(&api.Submission{Task: task})
		if err != nil {
			t.Fatal(err)
		}
		memory := func() uint64 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			return m.HeapAlloc
		}
		before, s := memory(), &api.Submission{}
		if err := json.Unmarshal(text, s); err != nil {
			t.Fatal(err)
		}
		shown := s.Task.String()
		if used := int64(memory()) - int64(before); used > held(s) {
			t.Errorf("%s: the task takes %d bytes of memory, and %d are counted", what, used, held(s))
		}
		runtime.KeepAlive(shown)
		runtime.KeepAlive(s)
	}
}

// TestLargestSubmissionIsHeld checks that the default limits admit the largest program that a message holds, and that a node whose
// limits do not admit a message of some length stops reading there.
func TestLargestSubmissionIsHeld(t *testing.T) {
	defer goleak.VerifyNone(t)
	for what, s := range map[string]*api.Submission{ // base64 has four characters for three bytes
		"program":      {Program: api.Program{Text: make([]byte, api.MaxSubmission/4*3)}},
		"public input": {Public: []api.Public{{Array: make([]byte, api.MaxSubmission/4*3)}}},
	} {
		if n := held(s); n > DefaultLimits.submitter() {
			t.Errorf("the largest %s takes %d bytes, and the submissions of one submitter may take %d", what, n, DefaultLimits.submitter())
		}
	}
	if n := DefaultLimits.maxSubmission(); n != api.MaxSubmission {
		t.Errorf("the default limits allow submissions of %d bytes", n)
	}
	l := Limits{Submissions: 1 << 30, Submitter: 3 << 20}
	for _, public := range []int64{3 << 19, 3<<19 - 1000} { // at the limit, and below it
		s := &api.Submission{Public: []api.Public{{Array: make([]byte, public)}}}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if held(s) <= l.Submitter && int64(len(text)) > l.maxSubmission() {
			t.Errorf("a submission of %d characters may be held, and only %d are read", len(text), l.maxSubmission())
		}
	}
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	c.stops["alice"]()
	c.start("alice", names, func(k *Config) { k.Limits.Submitter = l.Submitter })
	s := c.submission(names...)
	s.Program.Text = append([]byte("// "+strings.Repeat("x", 3<<20)+"\n"), s.Program.Text...)
	_, err := c.as("carol", "alice").Submit(t.Context(), s)
	var refused *api.Refused
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), "longer than 2359296 bytes") || !strings.Contains(err.Error(), "limits: submissions_per_submitter") {
		t.Errorf("a submission that is too long: %v", err)
	}
}
