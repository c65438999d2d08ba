package node

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/node/api"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/profile"
)

// restart stops nodes, calls change and starts them again.
func (c *testCluster) restart(names []string, change func(), all []string) {
	c.t.Helper()
	for _, name := range names {
		c.stops[name]()
	}
	change()
	for _, name := range names {
		c.start(name, all, nil)
	}
}

// copyFiles copies folders of nodes, as a backup does; the result restores them.
func (c *testCluster) copyFiles(folders ...string) (restore func()) {
	c.t.Helper()
	dir := c.t.TempDir()
	copies := map[string]string{}
	copy := func(to, from string) {
		c.t.Helper()
		time.Sleep(20 * time.Millisecond) // longer than a tick of the clock that file systems use
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, f := range folders {
		copies[f] = filepath.Join(dir, strings.ReplaceAll(f, "/", "-"))
		copy(copies[f], filepath.Join(c.dir, f))
	}
	return func() {
		c.t.Helper()
		for f, from := range copies {
			if err := os.RemoveAll(filepath.Join(c.dir, f)); err != nil {
				c.t.Fatal(err)
			}
			copy(filepath.Join(c.dir, f), from)
		}
	}
}

// fillStores adds sessions to the nodes' stores.
func (c *testCluster) fillStores(sessions int, names ...string) {
	c.t.Helper()
	for range sessions {
		s := c.submission(names...)
		s.Offline = true
		if err := c.submit(s, "carol"); err != nil {
			c.t.Fatal(err)
		}
		for _, name := range names {
			if j := c.wait(s.ID, name); j.State != api.Done {
				c.t.Fatalf("offline at %s: %s, %s", name, j.State, j.Error)
			}
		}
	}
}

// runOnce runs a job and returns the stored session that it used, and the error at the first node.
func (c *testCluster) runOnce(names ...string) (session string, failure string) {
	c.t.Helper()
	s := c.submission(names...)
	if err := c.submit(s, "carol"); err != nil {
		c.t.Fatal(err)
	}
	for _, name := range names {
		if j := c.wait(s.ID, name); j.State != api.Done {
			return "", j.Error
		}
	}
	var b bytes.Buffer
	if err := c.as("carol", names[0]).Report(c.t.Context(), s.ID, &b); err != nil {
		c.t.Fatal(err)
	}
	r, err := profile.Parse(b.Bytes())
	if err != nil {
		c.t.Fatal(err)
	}
	return r.Offline.Session, ""
}

// tellsCopies skips a test where the file system does not tell copies from originals.
func tellsCopies(t *testing.T) {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if id, err := durable.Identity(f); err != nil || id == "" {
		t.Skipf("this file system does not tell copies: %v", err)
	}
}

// TestRestoredNodes restores backups of nodes after jobs have used stored sessions. No session is used
// twice, and jobs run afterwards.
func TestRestoredNodes(t *testing.T) {
	names := []string{"alice", "bob"}
	for what, folders := range map[string][]string{
		"the state of one":                {"alice/state"},
		"the states of both":              {"alice/state", "bob/state"},
		"the store of one":                {"bob/store"},
		"the stores of both":              {"alice/store", "bob/store"},
		"the state and the store of one":  {"alice/state", "alice/store"},
		"the states and stores of both":   {"alice/state", "alice/store", "bob/state", "bob/store"},
		"one state and the other's store": {"alice/state", "bob/store"},
	} {
		t.Run(what, func(t *testing.T) {
			if len(folders) == 4 {
				tellsCopies(t)
			}
			c := newCluster(t, names...)
			defer c.stop()
			c.fillStores(4, names...)
			used := map[string]bool{}
			use := func() (string, string) {
				t.Helper()
				s, failure := c.runOnce(names...)
				if failure != "" && !strings.Contains(failure, store.ErrCopied.Error()) {
					t.Error(failure)
				}
				if strings.Contains(failure, c.dir) {
					t.Errorf("a path is shown: %s", failure)
				}
				if s != "" && used[s] {
					t.Errorf("session %s is used twice", s)
				}
				used[s] = true
				return s, failure
			}
			use()
			var restore func()
			c.restart(names, func() { restore = c.copyFiles(folders...) }, names)
			for range 2 {
				if s, _ := use(); s == "" {
					t.Error("a job used no stored session")
				}
			}
			c.restart(names, restore, names)
			use()
			if _, failure := use(); failure != "" {
				t.Errorf("the second job: %s", failure)
			}
			c.fillStores(1, names...)
			if s, failure := use(); s == "" {
				t.Errorf("a new session is not used: %s", failure)
			}
		})
	}
}

// TestStoreIsOutsideTheState checks the store's folder: by default beside the state, never in it.
func TestStoreIsOutsideTheState(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "node.yaml")
	for keys, want := range map[string]string{
		"state: state":                          filepath.Join(dir, "state.store"),
		"state: state/":                         filepath.Join(dir, "state.store"),
		"state: state\nstore: elsewhere":        filepath.Join(dir, "elsewhere"),
		"state: a/state\nstore: a":              filepath.Join(dir, "a"),
		"state: state\nstore: state/store":      "",
		"state: state\nstore: state":            "",
		"state: a/../state\nstore: ./state/x/y": "",
	} {
		text := "name: alice\nlisten: 127.0.0.1:0\ntls: {cert: a, key: b, ca: c}\npolicy: policy.yaml\n" + keys + "\n"
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := ReadConfig(path)
		switch {
		case want == "" && (err == nil || !strings.Contains(err.Error(), "is in the state folder")):
			t.Errorf("%q: %v", keys, err)
		case want != "" && (err != nil || c.Store != want):
			t.Errorf("%q: %v, %v", keys, c, err)
		}
	}
}

// TestFormerStoreIsNamed checks that a store where earlier versions had it is named and not used.
func TestFormerStoreIsNamed(t *testing.T) {
	c := newCluster(t, "alice")
	defer c.stop()
	c.restart([]string{"alice"}, func() {
		if err := os.MkdirAll(filepath.Join(c.dir, "alice", "state", "store", "alice"), 0o700); err != nil {
			t.Fatal(err)
		}
	}, []string{"alice"})
	if !strings.Contains(c.log.String(), "a store is in the state folder") {
		t.Error("not named")
	}
}

// TestBrokenAuditLog breaks a node's log in the middle: the node says so when it starts, the new log names
// the break, and the peer notices that the log has become shorter.
func TestBrokenAuditLog(t *testing.T) {
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	kept := func(n int) []*audit.Head {
		t.Helper()
		for deadline := time.Now().Add(busyWait); ; time.Sleep(25 * time.Millisecond) {
			heads, err := audit.ReadHeads(filepath.Join(c.dir, "bob", "state", headsFile))
			if err == nil && len(heads["alice"]) == n && (n == 1 || strings.Contains(c.log.String(), "the audit log of a peer is shorter")) {
				return heads["alice"]
			}
			if err != nil && !errors.Is(err, os.ErrNotExist) || time.Now().After(deadline) {
				t.Fatalf("bob keeps %v, %v", maps.Keys(heads), err)
			}
		}
	}
	for range 3 {
		if _, failure := c.runOnce(names...); failure != "" {
			t.Fatal(failure)
		}
	}
	before := kept(1)[0]
	path := filepath.Join(c.dir, "alice", "state", auditFile)
	if _, err := audit.Read(path, func(audit.Event) error { return nil }, before); err != nil {
		t.Errorf("the log as it is: %v", err)
	}
	c.restart([]string{"alice"}, func() {
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(text, []byte(`"who":"carol"`), []byte(`"who":"carla"`), 1), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}, names)
	if said := c.log.String(); !strings.Contains(said, "the audit log was changed or cut") ||
		!strings.Contains(said, "audit.log:3: its hash does not match the line before") {
		t.Error("the start does not name the break")
	}
	var events []audit.Event
	if _, err := audit.Read(path, func(e audit.Event) error { events = append(events, e); return nil }); err != nil || len(events) == 0 ||
		events[0].Kind != audit.Broken {
		t.Errorf("%+v, %v", events, err)
	}
	if _, failure := c.runOnce(names...); failure != "" {
		t.Fatal(failure)
	}
	if heads := kept(2); heads[0].Lines < before.Lines || heads[1].Lines >= before.Lines {
		t.Errorf("bob keeps heads of %d and %d lines", heads[0].Lines, heads[1].Lines)
	}
	if _, err := audit.Read(path, func(audit.Event) error { return nil }, kept(2)...); err == nil ||
		!strings.Contains(err.Error(), "the end is missing") {
		t.Errorf("the new log with the kept head: %v", err)
	}
}

// TestAuditHead checks who may have the signed head.
func TestAuditHead(t *testing.T) {
	c := newCluster(t, "alice", "bob")
	defer c.stop()
	for _, name := range []string{"bob", "admin"} {
		if h, err := c.as(name, "alice").AuditHead(t.Context()); err != nil || h.Verify() != nil || h.Party != "alice" || h.Lines == 0 {
			t.Errorf("%s: %+v, %v", name, h, err)
		}
	}
	if _, err := c.as("carol", "alice").AuditHead(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "carol is neither a peer nor an admin of alice") {
		t.Errorf("carol: %v", err)
	}
}

// TestEndNotStored starts a node whose disk had no room for the record of a job's end.
func TestEndNotStored(t *testing.T) {
	names := []string{"alice", "bob"}
	c := newCluster(t, names...)
	defer c.stop()
	s := c.submission(names...)
	if err := c.submit(s, "carol"); err != nil {
		t.Fatal(err)
	}
	c.wait(s.ID, "alice")
	c.wait(s.ID, "bob")
	c.restart([]string{"alice"}, func() {
		path := filepath.Join(c.dir, "alice", "state", jobsFolder, s.ID, jobFile)
		text, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, bytes.Replace(text, []byte(`"done"`), []byte(`"running"`), 1), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}, names)
	if j := c.wait(s.ID, "alice"); j.State != api.Failed || !strings.Contains(j.Error, "could not store how the job ended") {
		t.Errorf("%s: %s", j.State, j.Error)
	}
}
