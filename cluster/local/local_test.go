//go:build unix

package local

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/cluster/kit/kittest"
	"github.com/tacet-mpc/tacet/node"
	"github.com/tacet-mpc/tacet/node/policy"
)

func TestMain(m *testing.M) {
	kittest.Main()
	os.Exit(m.Run())
}

// up starts a cluster of fakes and stops it at the test's end.
func up(t *testing.T, o Options) (bool, []Status, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o.Program = self
	if o.Wait == 0 {
		o.Wait = time.Minute
	}
	made, status, err := Up(t.Context(), o)
	if err == nil {
		t.Cleanup(func() {
			if _, err := Down(o.Dir, time.Second); err != nil {
				t.Error(err)
			}
		})
	}
	return made, status, err
}

func mood(t *testing.T, dir, name, mood string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name, kittest.BehaviourFile), []byte(mood), 0o600); err != nil {
		t.Fatal(err)
	}
}

// started returns the names of the daemons that this call started, and of those that ran before.
func started(status []Status) (now, before []string) {
	for _, s := range status {
		if s.Started {
			now = append(now, s.Name)
		} else {
			before = append(before, s.Name)
		}
	}
	return now, before
}

func TestUpAndDown(t *testing.T) {
	t.Setenv(coresVariable, "") // so that the test's end restores the variable
	os.Unsetenv(coresVariable)
	dir := filepath.Join(t.TempDir(), "a", "cluster")
	o := Options{Dir: dir, Parties: []string{"bob", "alice"}}
	made, status, err := up(t, o)
	now, before := started(status)
	if err != nil || !made || !slices.Equal(now, []string{"dealer", "alice", "bob"}) || before != nil {
		t.Fatal(made, status, err)
	}

	// The parties share the machine's cores.
	all := runtime.GOMAXPROCS(0)
	for _, s := range status {
		want := max(1, all/2)
		if s.Name == "dealer" {
			want = all
		}
		if log, err := os.ReadFile(s.Log); err != nil || !strings.HasPrefix(string(log), fmt.Sprintf("%s %d\n", kittest.Cores, want)) {
			t.Errorf("%s: %v, %s; want %d cores", s.Name, err, log, want)
		}
	}

	// All daemons run; one that is killed, and may not have ended yet, is restarted at its old
	// address.
	made, again, err := up(t, Options{Dir: dir})
	if now, _ := started(again); err != nil || made || now != nil {
		t.Fatal(made, again, err)
	}
	if err := syscall.Kill(status[1].PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	made, again, err = up(t, o)
	now, before = started(again)
	if err != nil || made || !slices.Equal(now, []string{"alice"}) || len(before) != 2 {
		t.Fatal(made, again, err)
	}
	if again[1].PID == status[1].PID || again[1].Address != status[1].Address || again[2].PID != status[2].PID {
		t.Error(status, again)
	}

	// Down stops all daemons and frees the ports; a second Down stops none.
	stopped, err := Down(dir, time.Minute)
	if err != nil || len(stopped) != 3 || slices.ContainsFunc(stopped, func(s Stopped) bool { return !s.Ran || s.Killed }) {
		t.Fatal(stopped, err)
	}
	for _, s := range again {
		l, err := net.Listen("tcp", s.Address)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
	}
	stopped, err = Down(dir, time.Minute)
	if err != nil || slices.ContainsFunc(stopped, func(s Stopped) bool { return s.Ran }) {
		t.Error(stopped, err)
	}
}

// TestFolder checks that nodes can read what Up writes, and that keys are readable by their owner
// only.
func TestFolder(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "cluster")
	data := filepath.Join(top, `da"ta`)
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := up(t, Options{Dir: dir, Parties: []string{"true", "b.c", "17"}, Data: data}); err != nil {
		t.Fatal(err)
	}
	c, err := node.ReadConfig(filepath.Join(dir, "true", "node.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Name != "true" || len(c.Peers) != 2 || c.Peers["17"] == "" || c.Peers["b.c"] == "" || c.Dealer.Name != "dealer" ||
		!slices.Equal(c.Data, []string{data}) ||
		c.State != filepath.Join(dir, "true", "state") ||
		c.TLS.CA != filepath.Join(dir, "ca.crt") {
		t.Errorf("%+v", c)
	}
	p, err := policy.Read(c.Policy, c.Name)
	if err != nil || !p.IsAdmin("admin") || len(p.Rules) != 1 {
		t.Errorf("%+v, %v", p, err)
	}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if info, ierr := e.Info(); ierr != nil || info.Mode().Perm()&0o077 != 0 && !strings.HasSuffix(path, ".crt") {
			t.Errorf("%s: %v, %v", path, info.Mode(), ierr)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWithoutDealer checks clusters for protocols that need no dealer: their parties, and that Down stops them.
func TestWithoutDealer(t *testing.T) {
	for name, want := range map[string][]string{"cheetah": {"alice", "bob"}, "aby3": {"alice", "bob", "carol"}} {
		dir := filepath.Join(t.TempDir(), "cluster")
		_, status, err := up(t, Options{Dir: dir, Protocol: name})
		if now, _ := started(status); err != nil || !slices.Equal(now, want) {
			t.Fatal(name, status, err)
		}
		c, err := node.ReadConfig(filepath.Join(dir, "alice", "node.yaml"))
		if err != nil || c.Dealer.Name != "" || len(c.Peers) != len(want)-1 {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
		p, err := policy.Read(c.Policy, c.Name)
		if err != nil || p.Rules[0].Protocols.Any || !slices.Equal(p.Rules[0].Protocols.List, []string{name}) {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
		if _, _, err := Up(t.Context(), Options{Dir: dir, Protocol: "semi2k"}); err == nil || !strings.Contains(err.Error(), "is a cluster without a dealer") {
			t.Error(err)
		}
		stopped, err := Down(dir, time.Minute)
		if err != nil || len(stopped) != len(want) || slices.ContainsFunc(stopped, func(s Stopped) bool { return !s.Ran || s.Killed }) {
			t.Error(name, stopped, err)
		}
	}
}

// TestUpFails checks that the error names the daemon that does not start, with its last log line, and
// that no started process is left.
func TestUpFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	if _, _, err := up(t, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := Down(dir, time.Minute); err != nil {
		t.Fatal(err)
	}
	for what, want := range map[string]string{ // the other daemons answer within the wait on a busy machine too
		"dies": "bob ended right after its start: no such policy (" + filepath.Join(dir, "bob", "node.log") + ")",
		"deaf": "bob runs but does not answer: bob at ",
	} {
		mood(t, dir, "bob", what)
		wait := time.Minute
		if what == "deaf" {
			wait = 4 * time.Second
		}
		_, _, err := up(t, Options{Dir: dir, Wait: wait})
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", what, err, want)
		}
		stopped, err := Down(dir, time.Second)
		if err != nil || slices.ContainsFunc(stopped, func(s Stopped) bool { return s.Ran }) {
			t.Errorf("%s: %v, %v", what, stopped, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Up(ctx, Options{Dir: dir, Program: os.Args[0], Wait: time.Second}); !errors.Is(err, context.Canceled) {
		t.Error("interrupted:", err)
	}
	if _, _, err := Up(t.Context(), Options{Dir: dir, Program: "/no/tacet", Wait: time.Second}); err == nil ||
		!strings.Contains(err.Error(), "no such file") {
		t.Error("no program:", err)
	}
}

// TestDownKills checks that Down kills a process that ignores SIGTERM.
func TestDownKills(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cluster")
	if _, _, err := up(t, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	if _, err := Down(dir, time.Minute); err != nil {
		t.Fatal(err)
	}
	mood(t, dir, "bob", "stubborn")
	if _, _, err := up(t, Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	stopped, err := Down(dir, 300*time.Millisecond)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stopped {
		if !s.Ran || !s.Killed && s.Name == "bob" {
			t.Error(s)
		}
	}
	if again, err := Down(dir, time.Second); err != nil || slices.ContainsFunc(again, func(s Stopped) bool { return s.Ran }) {
		t.Error(again, err)
	}
}

func TestUpRefuses(t *testing.T) {
	top := t.TempDir()
	if err := os.WriteFile(filepath.Join(top, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(top, "cluster")
	if _, _, err := up(t, Options{Dir: dir, Parties: []string{"alice", "bob", "carol"}}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"another folder's", Options{Dir: top}, "exists but has no cluster.yaml"},
		{"a file", Options{Dir: filepath.Join(top, "file")}, "not a directory"},
		{"other parties", Options{Dir: dir, Parties: []string{"alice", "bob"}}, "is a cluster of alice, bob, carol, not of alice, bob"},
		{"other data", Options{Dir: dir, Data: top}, "exists already"},
		{"one party", Options{Dir: filepath.Join(top, "new"), Parties: []string{"alice"}}, "two or more parties"},
		{"twice", Options{Dir: filepath.Join(top, "new"), Parties: []string{"alice", "alice"}}, "party alice is named twice"},
		{"the dealer", Options{Dir: filepath.Join(top, "new"), Parties: []string{"alice", "dealer"}}, "no party can be named dealer"},
		{"no name", Options{Dir: filepath.Join(top, "new"), Parties: []string{"alice", "a/b"}}, `"a/b" is not a valid certificate name`},
		{"no protocol", Options{Dir: filepath.Join(top, "new"), Protocol: "x"}, `--protocol: no protocol "x"`},
		{"cleartext", Options{Dir: filepath.Join(top, "new"), Protocol: "plain"}, "--protocol: plain computes in one process"},
		{"two parties for three", Options{Dir: filepath.Join(top, "new"), Parties: []string{"alice", "bob"}, Protocol: "aby3"}, "aby3 has 3 computing parties"},
		{"no data", Options{Dir: filepath.Join(top, "new"), Data: filepath.Join(top, "no")}, "is not a folder"},
	} {
		_, _, err := up(t, c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	if entries, err := os.ReadDir(top); err != nil || len(entries) != 2 {
		t.Errorf("left: %v, %v", entries, err)
	}
	if _, err := Down(filepath.Join(top, "new"), time.Second); !errors.Is(err, fs.ErrNotExist) ||
		!strings.Contains(err.Error(), "there is no cluster in") {
		t.Error(err)
	}
	f, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	unlock, err := f.lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Down(dir, time.Second); err == nil || !strings.Contains(err.Error(), "another tacet up or down is using") {
		t.Error(err)
	}
	unlock()
}
