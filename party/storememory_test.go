package party

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
)

// keeper is what parties in different processes keep on disk, by rank: a store and, outside it, the memory
// of its uses.
type keeper struct {
	t      *testing.T
	spec   Spec
	dir    string
	notice []string
	mu     sync.Mutex
}

func newKeeper(t *testing.T, parties int) *keeper {
	return &keeper{t: t, spec: jointSpec(t, "semi2k", parties), dir: t.TempDir()}
}

func (k *keeper) store(rank int) string  { return filepath.Join(k.dir, k.spec.Parties[rank], "store") }
func (k *keeper) memory(rank int) string { return filepath.Join(k.dir, k.spec.Parties[rank], "state") }

// own sets what a party has of its own; the memory is read anew, as after a restart.
func (k *keeper) own(rank int, s *Spec) {
	if err := os.MkdirAll(k.memory(rank), 0o700); err != nil {
		k.t.Error(err)
	}
	m, err := store.OpenMemory(filepath.Join(k.memory(rank), "stores.json"))
	if err != nil {
		k.t.Error(err)
	}
	s.Store, s.StoreMemory = k.store(rank), m
	s.Notice = func(text string) {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.notice = append(k.notice, text)
	}
}

// fill adds sessions to all stores.
func (k *keeper) fill(sessions int) {
	k.t.Helper()
	parties := len(k.spec.Parties)
	for range sessions {
		ends, id, errs := link.Memory(parties), correlation.NewSessionID(), make([]error, parties)
		d := newTable(parties, parties)
		var all sync.WaitGroup
		for rank := range parties {
			mine := k.spec
			mine.Program, mine.Args = parsedJoint(k.t), slices.Clone(k.spec.Args)
			k.own(rank, &mine)
			for i := range mine.Args {
				mine.Args[i].Data = nil
			}
			all.Go(func() {
				errs[rank] = StoreOffline(k.t.Context(), mine, Seat{Rank: rank, Link: ends[rank], Session: id, Dealer: d})
				ends[rank].Close()
			})
		}
		all.Wait()
		if err := errors.Join(errs...); err != nil {
			k.t.Fatal(err)
		}
	}
}

// run runs the spec and returns the stored session that was used, "" if the dealer dealt one.
func (k *keeper) run() (string, error) {
	parties := len(k.spec.Parties)
	outs, errs := jointly(k.t, k.spec, link.Memory(parties), newTable(parties, parties), k.own)
	if err := errors.Join(errs...); err != nil {
		return "", err
	}
	return outs[0].Report.Offline.Session, nil
}

// saved is a file of a backup. link is the file itself under another name, so that it can be restored as by
// a snapshot of the file system, which restores the file's identity too.
type saved struct{ path, link, text string }

// backup saves folders.
func (k *keeper) backup(folders ...string) (out []saved) {
	k.t.Helper()
	links := k.t.TempDir()
	for _, dir := range folders {
		out = append(out, saved{path: dir})
		err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			f := saved{path, filepath.Join(links, strconv.Itoa(len(out))), string(text)}
			out = append(out, f)
			return errors.Join(err, os.Link(path, f.link))
		})
		if err != nil {
			k.t.Fatal(err)
		}
	}
	time.Sleep(20 * time.Millisecond) // longer than a tick of the clock that file systems use
	return out
}

// restore replaces the folders of a backup by their saved states: copies, or a snapshot's same files.
func (k *keeper) restore(b []saved, snapshot bool) {
	k.t.Helper()
	for _, f := range b {
		var err error
		switch {
		case f.link == "":
			err = os.RemoveAll(f.path)
		case snapshot:
			err = errors.Join(os.WriteFile(f.link, []byte(f.text), 0o600), os.MkdirAll(filepath.Dir(f.path), 0o700), os.Link(f.link, f.path))
		default:
			err = errors.Join(os.MkdirAll(filepath.Dir(f.path), 0o700), os.WriteFile(f.path, []byte(f.text), 0o600))
		}
		if err != nil {
			k.t.Fatal(err)
		}
	}
}

// TestRestoredStores restores backups of parties' stores and memories after a session was used, in all
// combinations. No session is used twice. Only a snapshot of all stores and memories at once cannot be
// noticed.
func TestRestoredStores(t *testing.T) {
	defer goleak.VerifyNone(t)
	const parties, all = 2, 1<<(2*2) - 1
	for i := range 2 * (all + 1) {
		what, snapshot := i/2, i%2 == 1
		k := newKeeper(t, parties)
		k.fill(3)
		used, twice := map[string]bool{}, false
		use := func() {
			t.Helper()
			s, err := k.run()
			if err != nil && !strings.Contains(err.Error(), store.ErrCopied.Error()) {
				t.Errorf("restored %04b: %v", what, err)
			}
			twice = twice || s != "" && used[s]
			used[s] = true
		}
		use()
		var folders []string
		for rank := range parties {
			if what>>(2*rank)&1 != 0 {
				folders = append(folders, k.store(rank))
			}
			if what>>(2*rank)&2 != 0 {
				folders = append(folders, k.memory(rank))
			}
		}
		b := k.backup(folders...)
		use()
		k.restore(b, snapshot)
		for range 3 {
			use()
		}
		if blind := what == all && snapshot; twice != blind {
			t.Errorf("restored %04b, by snapshots %v: a session is used twice: %v", what, snapshot, twice)
		}
		k.fill(1) // stores work again
		if s, err := k.run(); err != nil || s == "" || used[s] {
			t.Errorf("restored %04b: a new session: %q, %v", what, s, err)
		}
	}
}

// TestPeerRemembers restores both the store and the memory of one party: the other party remembers more
// uses, and the store is emptied. The run asks the dealer, or fails if the first party chooses a session that
// was there; the next run asks the dealer.
func TestPeerRemembers(t *testing.T) {
	defer goleak.VerifyNone(t)
	const parties = 2
	for restored := range parties {
		k := newKeeper(t, parties)
		k.fill(3)
		if _, err := k.run(); err != nil {
			t.Fatal(err)
		}
		mark := func() store.Mark {
			f, err := store.Open(k.store(restored), k.spec.Parties[restored])
			if err != nil {
				t.Fatal(err)
			}
			m, err := f.Mark()
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		before := mark()
		b := k.backup(k.store(restored), k.memory(restored))
		if _, err := k.run(); err != nil {
			t.Fatal(err)
		}
		k.restore(b, true)
		if mark() != before {
			t.Fatalf("the restored mark is %v, was %v", mark(), before)
		}
		s, err := k.run()
		want := "the store of " + k.spec.Parties[restored] + " was copied or restored from a backup"
		if restored == 0 && (err != nil || s != "") {
			t.Errorf("the first party restored: session %q, %v", s, err)
		}
		if restored > 0 && (err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), k.dir)) {
			t.Errorf("party %d restored: %v, want %q", restored, err, want)
		}
		if mark().Generation == before.Generation {
			t.Error("the store is of the same generation")
		}
		if s, err := k.run(); err != nil || s != "" {
			t.Errorf("the next run: session %q, %v", s, err)
		}
	}
}
