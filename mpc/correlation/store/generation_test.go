package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// noIdentity lets files have no identity, as on systems that know none, or as if the whole file system was
// copied.
func noIdentity(t *testing.T) {
	was := identity
	identity = func(*os.File) (string, error) { return "", nil }
	t.Cleanup(func() { identity = was })
}

// copyOf copies a folder, as a backup does.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "copy")
	time.Sleep(20 * time.Millisecond) // longer than a tick of the clock that file systems use
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// restore replaces a folder by a copy of its backup.
func restore(t *testing.T, dir, backup string) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(copyOf(t, backup), dir); err != nil {
		t.Fatal(err)
	}
}

// remembering opens a party's folder with a memory in dir's parent.
func remembering(t *testing.T, dir, party string) *Folder {
	t.Helper()
	f := open(t, dir, party)
	var err error
	if f.Memory, err = OpenMemory(dir + "-" + party + ".json"); err != nil {
		t.Fatal(err)
	}
	return f
}

func spend(t *testing.T, f *Folder, id correlation.SessionID) {
	t.Helper()
	s, err := f.Begin(id, terms, map[string]*correlation.Manifest{"bob": form()}[f.Party])
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestCopiedFiles restores a whole store from its copy: no file of it is the one that was written, so no
// session is used, and all are removed.
func TestCopiedFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 3)
	bob := open(t, dir, "bob")
	if h, err := bob.header(Entry{ids[0], Ready, 0}, mark(t, bob).Generation); err != nil || h.File == "" {
		t.Skipf("this file system does not tell copies: %v", err)
	}
	backup := copyOf(t, dir)
	spend(t, bob, ids[0])
	restore(t, dir, backup)
	if _, damaged, err := Verify(t.Context(), dir, false, nil); err != nil || len(damaged) != 6 || !errors.Is(damaged[0], ErrCopied) {
		t.Errorf("verified: %v, %v", damaged, err)
	}
	rows, _, err := List(dir)
	if err != nil || len(rows) != 3 || !errors.Is(rows[0].Damaged, ErrCopied) {
		t.Errorf("listed: %v", err)
	}
	for _, id := range ids {
		if _, err := bob.Begin(id, terms, form()); !errors.Is(err, ErrCopied) {
			t.Errorf("it begins: %v", err)
		}
	}
	var said []string
	bob.Notice = func(text string) { said = append(said, text) }
	if found, err := bob.Find(terms); err == nil || len(said) != 3 || !strings.Contains(said[0], "copied or restored from a backup") {
		t.Errorf("found %v, %v, %q", found, err, said)
	}
	if got := states(t, bob); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
	if pruned, err := Prune(dir, 0); err != nil || len(pruned) != 3 || pruned[0].Why != ErrCopied.Error() {
		t.Errorf("pruned %v, %v", pruned, err)
	}
	fill(t, dir, 1) // the folder is used again
	if found, err := bob.Find(terms); err != nil || len(found) != 1 {
		t.Errorf("found %v, %v", found, err)
	}
}

func mark(t *testing.T, f *Folder) Mark {
	t.Helper()
	m, err := f.Mark()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOlderFolder restores one party's store on a system that does not tell copies: the memory beside it
// has seen more uses.
func TestOlderFolder(t *testing.T) {
	noIdentity(t)
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 4)
	bob := remembering(t, dir, "bob")
	spend(t, bob, ids[0])
	if err := bob.Check(); err != nil {
		t.Fatal(err)
	}
	backup := copyOf(t, dir)
	spend(t, bob, ids[1])
	restore(t, dir, backup)
	bob = remembering(t, dir, "bob") // after a restart
	if _, err := bob.Begin(ids[1], terms, form()); !errors.Is(err, ErrCopied) {
		t.Errorf("it begins: %v", err)
	}
	said := ""
	bob.Notice = func(text string) { said = text }
	if err := bob.Check(); !errors.Is(err, ErrCopied) {
		t.Errorf("it is not noticed: %v", err)
	}
	if !strings.Contains(said, "its mark counts 1 used sessions") || !strings.Contains(said, "3 sessions that were ready are removed") {
		t.Errorf("said %q", said)
	}
	if got := states(t, bob); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
	if err := bob.Check(); err != nil {
		t.Errorf("after that: %v", err)
	}
	restore(t, dir, backup) // once more, now with another generation remembered
	if err := bob.Check(); !errors.Is(err, ErrCopied) {
		t.Errorf("the older generation: %v", err)
	}
}

// TestOlderThanAPeerRemembers restores a party's store together with its memory: only a peer has seen more.
func TestOlderThanAPeerRemembers(t *testing.T) {
	noIdentity(t)
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 2)
	bob := open(t, dir, "bob")
	backup := copyOf(t, dir)
	spend(t, bob, ids[0])
	peer, err := OpenMemory(filepath.Join(t.TempDir(), "stores.json"))
	if err != nil {
		t.Fatal(err)
	}
	seen, err := bob.Proven()
	if err != nil || seen.Uses != 1 {
		t.Fatal(seen, err)
	}
	for range 2 {
		if err := peer.Remember(map[string]Mark{"bob": seen}); err != nil {
			t.Fatal(err)
		}
	}
	for _, k := range []Mark{{"x", 1, ""}, {seen.Generation, 2, strings.Repeat("0", maxProof+1)}} {
		if err := peer.Remember(map[string]Mark{"bob": k}); err == nil {
			t.Errorf("%v is remembered", k)
		}
	}
	madeUp := seen
	madeUp.Uses = 100
	if err := bob.CheckPeer("alice", []Mark{madeUp}); err != nil {
		t.Errorf("a mark that was made up: %v", err)
	}
	if peer, err = OpenMemory(peer.path); err != nil {
		t.Fatal(err)
	}
	if err := bob.CheckPeer("alice", peer.Known("bob")); err != nil {
		t.Errorf("the store as it is: %v", err)
	}
	restore(t, dir, backup)
	if err := bob.CheckPeer("alice", peer.Known("bob")); !errors.Is(err, ErrCopied) || !strings.Contains(err.Error(), "alice remembers 1") {
		t.Errorf("not noticed: %v", err)
	}
}

// TestMergedFolders restores a backup into a store whose spent sessions were pruned: the folder then has
// two marks.
func TestMergedFolders(t *testing.T) {
	noIdentity(t)
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 2)
	backup := copyOf(t, dir)
	bob := open(t, dir, "bob")
	spend(t, bob, ids[0])
	if _, err := Prune(dir, 0); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(backup, "bob"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(filepath.Join(backup, "bob", f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "bob", f.Name()), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := bob.Begin(ids[0], terms, form()); !errors.Is(err, ErrCopied) {
		t.Errorf("it begins: %v", err)
	}
	if _, damaged, err := Verify(t.Context(), dir, false, nil); err != nil || len(damaged) != 2 {
		t.Errorf("verified: %v, %v", damaged, err)
	}
	if pruned, err := Prune(dir, 0); err != nil || len(pruned) != 2 {
		t.Errorf("pruned %v, %v", pruned, err)
	}
	if err := bob.Check(); !errors.Is(err, ErrCopied) {
		t.Errorf("it is not noticed: %v", err)
	}
	if got := states(t, bob); len(got) != 0 {
		t.Errorf("left: %v", got)
	}
}

// TestRenewDuringABegin checks that a session that is locked while its folder is emptied is not used.
func TestRenewDuringABegin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	id := fill(t, dir, 1)[0]
	bob := open(t, dir, "bob")
	old := mark(t, bob)
	if n, err := bob.renew(); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	called := false
	if err := bob.use(old.Generation, func() error { called = true; return nil }); !errors.Is(err, ErrCopied) || called {
		t.Errorf("session %v of the older generation: %v", id, err)
	}
}

// TestMemoryIsBounded checks that the last generations are remembered, and that damage is named.
func TestMemoryIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stores.json")
	m, err := OpenMemory(path)
	if err != nil {
		t.Fatal(err)
	}
	var last Mark
	for range maxGenerations + 3 {
		last = newMark()
		if err := m.Remember(map[string]Mark{"bob": last}); err != nil {
			t.Fatal(err)
		}
	}
	if known := m.Known("bob"); len(known) != maxGenerations || known[len(known)-1] != last {
		t.Errorf("%d generations, the last %v", len(known), known[len(known)-1])
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenMemory(path); err == nil || !strings.Contains(err.Error(), "remove it together with the store") {
		t.Errorf("a damaged file: %v", err)
	}
}

// TestCheckWhileRunsBegin checks folders while runs of several processes and goroutines rename the mark: no
// store is taken for a copy.
func TestCheckWhileRunsBegin(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 60)
	f := remembering(t, dir, "bob")
	f.Notice = func(text string) { t.Error(text) }
	for i := range 3000 { // so that a list of names takes several calls
		if err := os.WriteFile(filepath.Join(dir, "bob", fmt.Sprintf("other-%032d", i)), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var work sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		work.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if err := f.Check(); err != nil {
					t.Error(err)
				}
				if _, err := f.Proven(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	var runs sync.WaitGroup
	for i := range 3 {
		runs.Go(func() {
			for j := i; j < len(ids); j += 3 {
				s, err := f.Begin(ids[j], terms, form())
				if err != nil {
					t.Error(err)
					continue
				}
				s.Close()
			}
		})
	}
	runs.Wait()
	close(done)
	work.Wait()
	if m := mark(t, f); m.Uses != uint64(len(ids)) {
		t.Errorf("%d uses are counted, %d were", m.Uses, len(ids))
	}
}

func TestMarkNames(t *testing.T) {
	m := newMark()
	m.Uses = 17
	if got, ok := parseMark(m.fileName()); !ok || got != m {
		t.Errorf("%v became %v", m, got)
	}
	for _, name := range []string{"generation-", "generation-x-1", m.fileName() + "x", "generation-" + m.Generation + "-01", "generation-" + m.Generation, "notes.txt"} {
		if got, ok := parseMark(name); ok {
			t.Errorf("%s is %v", name, got)
		}
	}
}
