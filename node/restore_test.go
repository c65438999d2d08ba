//go:build unix

package node

import (
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/jobstate"
	"github.com/tacet-mpc/tacet/node/policy"
)

// TestBrokenState damages a node's state in many ways and starts the node: it moves what it
// cannot read to the folder broken, says so, and has all other jobs.
func TestBrokenState(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	var good []string
	for range 2 {
		s := c.submission(names...)
		if err := c.submit(s, "carol"); err != nil {
			t.Fatal(err)
		}
		for _, p := range names {
			c.wait(s.ID, p)
		}
		good = append(good, s.ID)
	}
	c.stops["alice"]()
	jobs := filepath.Join(c.dir, "alice", "state", jobsFolder)
	text, err := os.ReadFile(filepath.Join(jobs, good[0], jobFile))
	if err != nil {
		t.Fatal(err)
	}
	var whole map[string]any
	if err := json.Unmarshal(text, &whole); err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	var bad []string
	// folder makes a job's folder whose record do writes.
	folder := func(do func(dir, record string)) {
		id := newID()
		dir := filepath.Join(jobs, id)
		must(os.Mkdir(dir, 0o700))
		do(dir, filepath.Join(dir, jobFile))
		bad = append(bad, id)
	}
	record := func(change func(r map[string]any)) {
		folder(func(dir, path string) {
			r := map[string]any{}
			for k, v := range whole {
				r[k] = v
			}
			r["id"] = filepath.Base(dir)
			change(r)
			b, err := json.Marshal(r)
			must(err)
			must(os.WriteFile(path, b, 0o600))
		})
	}
	folder(func(_, record string) { must(os.WriteFile(record, text[:len(text)/2], 0o600)) })
	folder(func(_, record string) { must(os.WriteFile(record, nil, 0o600)) })
	folder(func(_, record string) { must(os.WriteFile(record, []byte("[1]"), 0o600)) })
	folder(func(_, record string) { must(os.Mkdir(record, 0o700)) })
	folder(func(_, record string) { must(syscall.Mkfifo(record, 0o600)) })
	folder(func(dir, _ string) { must(os.Mkdir(filepath.Join(dir, resultsFolder), 0o700)) })
	record(func(r map[string]any) { r["format"] = 1 << 20 })
	record(func(r map[string]any) { r["state"] = "asleep" })
	record(func(r map[string]any) { r["id"] = good[1] })
	record(func(r map[string]any) { delete(r, "parties") })
	if os.Getuid() != 0 {
		folder(func(_, record string) { must(os.WriteFile(record, text, 0)) })
	}
	must(os.WriteFile(filepath.Join(jobs, "notes.txt"), nil, 0o600))
	must(syscall.Mkfifo(filepath.Join(jobs, "pipe"), 0o600))
	must(os.Symlink(good[0], filepath.Join(jobs, "link")))
	bad = append(bad, "notes.txt", "pipe", "link")
	must(os.MkdirAll(filepath.Join(c.dir, "alice", "state", ".x-1.tmp", "y"), 0o700))
	must(os.WriteFile(filepath.Join(c.dir, "alice", "state", "stray"), nil, 0o600))

	// A job that had not ended, whose submission is damaged, fails and says why.
	var lost []string
	for _, write := range []func(path string) error{
		func(path string) error { return os.WriteFile(path, []byte("{"), 0o600) },
		func(path string) error { return os.WriteFile(path, []byte("{}"), 0o600) },
		func(path string) error { return os.Mkdir(path, 0o700) },
		func(path string) error { return syscall.Mkfifo(path, 0o600) },
		func(string) error { return nil },
	} {
		record(func(r map[string]any) { r["state"], r["ended"] = "queued", time.Time{} })
		id := bad[len(bad)-1]
		lost, bad = append(lost, id), bad[:len(bad)-1]
		must(write(filepath.Join(jobs, id, submissionFile)))
	}

	c.start("alice", names, nil)
	n := c.nodes["alice"]
	for _, id := range good {
		if j := c.wait(id, "alice"); j.State != api.Done {
			t.Errorf("job %s is %s: %s", id, j.State, j.Error)
		}
		if _, err := c.result(id, "alice", "carol"); err != nil {
			t.Error(err)
		}
	}
	for _, id := range lost {
		if j := c.wait(id, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "its submission cannot be read again at alice") &&
			!strings.Contains(j.Error, "the node of alice could not store how the job ended") {
			t.Errorf("job %s is %s: %s", id, j.State, j.Error)
		}
	}
	if k := n.state().Len(); k != len(good)+len(lost) {
		t.Errorf("%d jobs, want %d", k, len(good)+len(lost))
	}
	moved, err := os.ReadDir(filepath.Join(c.dir, "alice", "state", brokenFolder))
	must(err)
	var have []string
	for _, e := range moved {
		have = append(have, e.Name())
	}
	slices.Sort(bad)
	if !slices.Equal(have, bad) {
		t.Errorf("set aside: %q, want %q", have, bad)
	}
	if k := n.level().Broken; k != len(bad)+len(lost) {
		t.Errorf("%d broken parts are counted, want %d", k, len(bad)+len(lost))
	}
	for _, id := range slices.Concat(bad, lost) {
		if !strings.Contains(c.log.String(), filepath.Join(jobs, id)) {
			t.Errorf("the log does not name %s", id)
		}
	}
	s := c.submission(names...)
	must(c.submit(s, "carol"))
	if j := c.wait(s.ID, "alice"); j.State != api.Done {
		t.Errorf("job is %s: %s", j.State, j.Error)
	}
}

// TestBrokenRequests damages the folders of a service's requests: the node restores the service.
func TestBrokenRequests(t *testing.T) {
	defer goleak.VerifyNone(t)
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.service(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.opened(s)
	done := c.ask(s)[0]
	requests := filepath.Join(c.dir, "alice", "state", jobsFolder, s.ID, requestsFolder)
	// The record says that the service runs, as after a kill.
	record := filepath.Join(filepath.Dir(requests), jobFile)
	running, err := os.ReadFile(record)
	if err != nil {
		t.Fatal(err)
	}
	submission, err := os.ReadFile(filepath.Join(filepath.Dir(requests), submissionFile))
	if err != nil {
		t.Fatal(err)
	}
	c.stops["alice"]()
	lost := newID()
	for _, err := range []error{
		os.WriteFile(record, running, 0o600),
		os.WriteFile(filepath.Join(filepath.Dir(requests), submissionFile), submission, 0o600),
		os.WriteFile(filepath.Join(requests, "notes.txt"), nil, 0o600),
		os.Mkdir(filepath.Join(requests, "stray"), 0o700),
		syscall.Mkfifo(filepath.Join(requests, newID()), 0o600),
		os.MkdirAll(filepath.Join(requests, newID(), ".request.json-1.tmp", "x"), 0o700),
		os.Mkdir(filepath.Join(requests, lost), 0o700),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	c.start("alice", names, nil)
	if j := c.wait(s.ID, "alice"); j.State != api.Failed {
		t.Errorf("service is %s: %s", j.State, j.Error)
	}
	if k := c.nodes["alice"].level().Broken; k != 4 {
		t.Errorf("%d broken parts, want 4", k)
	}
	for id, want := range map[string]api.State{done.ID: api.Done, lost: api.Failed} {
		if r, err := c.as("carol", "alice").RequestStatus(t.Context(), s.ID, id); err != nil || r.State != want {
			t.Errorf("request %s is %s, want %s (%v)", id, r.State, want, err)
		}
	}
}

// TestFilesOfManyElements checks that files of a node's own, of a few megabytes, do not decode to many times their length.
func TestFilesOfManyElements(t *testing.T) {
	const elements = 3 << 20
	objects := "[" + strings.Repeat("{},", elements) + "{}]"
	dir := t.TempDir()
	id := strings.Repeat("0", 32)
	folder := filepath.Join(dir, id)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	path := func(name, text string) string {
		p := filepath.Join(folder, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	rules, err := policy.Read(path("policy.yaml", anything), "alice")
	if err != nil {
		t.Fatal(err)
	}
	n := &Node{config: (&testCluster{t: t, dir: dir}).config("alice", []string{"alice", "bob"}), log: slog.New(slog.DiscardHandler)}
	read := map[string]func() error{
		"a job's record": func() error {
			path(jobFile, `{"id":"`+id+`","arguments":`+objects+`}`)
			_, err := readRecord(folder)
			return err
		},
		"kept results": func() error {
			_, err := readKept(path("kept.json", objects))
			return err
		},
		"a submission": func() error {
			path(submissionFile, `{"inputs":`+objects+`}`)
			e := jobstate.Restored{Job: jobstate.Job{Job: api.Job{ID: id}}}
			n.readAgain(folder, &e)
			if e.Problem == "" {
				return nil
			}
			return errors.New(e.Problem)
		},
		"counts": func() error {
			_, err := policy.Open(rules, path("counts.json", `{"rules":{"all":{"runs":1,"starts":[`+strings.Repeat("[],", elements)+strings.Repeat("[],", elements)+`[]]}}}`))
			return err
		},
		"a store's memory": func() error {
			_, err := store.OpenMemory(path("memory.json", `{"alice":`+strings.Replace(objects, "[", "["+strings.Repeat("{},", elements), 1)+`}`))
			return err
		},
	}
	for what, read := range read {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := read()
		runtime.ReadMemStats(&after)
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; err == nil || took > 400 {
			t.Errorf("%s: %d MiB are allocated, %v", what, took, err)
		} else {
			t.Logf("%s: %d MiB, %v", what, took, err)
		}
	}
}
