package store

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

var terms = map[string]string{"version": "0.1.0", "ring": "64", "order": strings.Repeat("ab", 32), "network": "none"}

// form asks for three corrections, the second one of no bytes.
func form() *correlation.Manifest {
	f := &correlation.Manifest{}
	for i, n := range []int{5, 0, 1000} {
		m := correlation.NewFresh(uint64(100+i), ring.Z(64), n)
		f.Requests = append(
			f.Requests,
			&correlation.Request{
				ID:      correlation.ID(1<<32 + i),
				Kind:    correlation.Product,
				Factors: []correlation.Factor{{Mask: m}},
				Out:     m.Ring,
				N:       n,
			},
		)
	}
	return f
}

func data(r *correlation.Request) []byte { return bytes.Repeat([]byte{byte(r.ID) + 1}, int(r.Bytes())) }

var parties = []string{"alice", "bob"}

func header(id correlation.SessionID, party string) *Header {
	return &Header{
		Session: id, Party: party, Parties: parties, Made: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC), Program: "p.mlir",
		Terms: maps.Clone(terms), Seed: ring.Seed{1, 2, 3, byte(len(party))},
	}
}

// fill makes sessions at both parties; bob receives the corrections.
func fill(t testing.TB, dir string, n int) (ids []correlation.SessionID) {
	t.Helper()
	for range n {
		id := correlation.NewSessionID()
		for _, p := range parties {
			f, err := Create(dir, p)
			if err != nil {
				t.Fatal(err)
			}
			put(t, f, header(id, p))
		}
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b correlation.SessionID) int { return bytes.Compare(a[:], b[:]) })
	return ids
}

func put(t testing.TB, f *Folder, h *Header) {
	t.Helper()
	var requests []*correlation.Request
	if f.Party == "bob" {
		requests = form().Requests
		h.Records, h.Bytes = len(requests), form().Bytes()
	}
	w, err := f.New(h)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if err := w.Append(r.ID, data(r)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Publish(); err != nil {
		t.Fatal(err)
	}
	w.Discard()
}

func open(t testing.TB, dir, party string) *Folder {
	t.Helper()
	f, err := Open(dir, party)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// states are the states of a folder's sessions.
func states(t testing.TB, f *Folder) map[correlation.SessionID]State {
	t.Helper()
	entries, err := f.Entries()
	if err != nil {
		t.Fatal(err)
	}
	out := map[correlation.SessionID]State{}
	for _, e := range entries {
		out[e.Session] = e.State
	}
	return out
}

func TestSessionStates(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	ids := fill(t, dir, 2)
	bob := open(t, dir, "bob")
	found, err := bob.Find(terms)
	if err != nil || !slices.Equal(found, ids) {
		t.Fatalf("found %v of %v, %v", found, ids, err)
	}
	s, err := bob.Begin(ids[0], terms, form())
	if err != nil {
		t.Fatal(err)
	}
	if s.ID() != ids[0] || s.Seed() != header(ids[0], "bob").Seed {
		t.Errorf("began %v with %v", s.ID(), s.Seed())
	}
	if got := states(t, bob); got[ids[0]] != Begun || got[ids[1]] != Ready {
		t.Errorf("during a run: %v", got)
	}
	if n, err := bob.Ready(); err != nil || n != 1 {
		t.Errorf("%d are ready, %v", n, err)
	}
	if crashed, err := bob.Recover(); len(crashed) > 0 || err != nil {
		t.Errorf("a run at work is taken for crashed: %v, %v", crashed, err)
	}
	requests := form().Requests
	for _, i := range []int{2, 0, 1} {
		got, err := s.Take(requests[i].ID)
		if err != nil || !bytes.Equal(got, data(requests[i])) {
			t.Errorf("correction %d: %d bytes, %v", i, len(got), err)
		}
	}
	if _, err := s.Take(99); !errors.Is(err, correlation.ErrMissing) {
		t.Errorf("what was never asked for: %v", err)
	}
	if _, err := bob.Begin(ids[0], terms, form()); !errors.Is(err, ErrTaken) {
		t.Errorf("begun twice: %v", err)
	}
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if got := states(t, bob); got[ids[0]] != Spent || got[ids[1]] != Ready {
		t.Errorf("after a run: %v", got)
	}
	if info, err := os.Stat(bob.filePath(ids[0], spentEnd)); err != nil || info.Size() != 0 {
		t.Errorf("a spent session keeps its contents: %v, %v", info, err)
	}
	if _, err := bob.Begin(ids[0], terms, form()); !errors.Is(err, ErrTaken) {
		t.Errorf("begun after its end: %v", err)
	}
	if _, err := bob.New(header(ids[0], "bob")); !errors.Is(err, os.ErrExist) {
		t.Errorf("made again: %v", err)
	}
}

// A file that comes back from a backup is not used again.
func TestARestoredSessionIsSpent(t *testing.T) {
	dir := t.TempDir()
	id := fill(t, dir, 1)[0]
	bob := open(t, dir, "bob")
	backup, err := os.ReadFile(bob.filePath(id, readyEnd))
	if err != nil {
		t.Fatal(err)
	}
	s, err := bob.Begin(id, terms, form())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bob.filePath(id, readyEnd), backup, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"during the run", "after it"} {
		if _, err := bob.Begin(id, terms, form()); !errors.Is(err, ErrTaken) {
			t.Errorf("%s: %v", when, err)
		}
		if _, err := bob.Find(terms); err == nil {
			t.Errorf("%s: it is found", when)
		}
		s.Close()
	}
}

func TestFilePermissions(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "store")
	id := fill(t, dir, 1)[0]
	for path, want := range map[string]os.FileMode{
		dir: 0o700 | os.ModeDir, filepath.Join(dir, "bob"): 0o700 | os.ModeDir, filepath.Join(dir, "bob", id.String()+".ready"): 0o600,
	} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), want, err)
		}
	}
}

func TestDifferences(t *testing.T) {
	with := func(more ...string) map[string]string {
		m := maps.Clone(terms)
		for i := 0; i < len(more); i += 2 {
			m[more[i]] = more[i+1]
			if more[i+1] == "" {
				delete(m, more[i])
			}
		}
		return m
	}
	digest := strings.Repeat("cd", 32)
	for _, c := range []struct {
		want map[string]string
		diff []string
	}{
		{with(), nil},
		{with("network", "wan"), nil}, // an equal manifest, whatever the network
		{with("order", digest), []string{"correlation manifest: abababababab… there, cdcdcdcdcdcd… here"}},
		{with("order", digest, "network", "wan"), []string{"network: none there, wan here"}},
		{with("order", digest, "ring", "32"), []string{"ring: 64 there, 32 here"}},
		{with("order", digest, "ring", "32", "version", "0.2.0", "set exp.mode", "pade"), []string{
			"version: 0.1.0 there, 0.2.0 here", "ring: 64 there, 32 here", "set exp.mode: nothing there, pade here"}},
		{with("ring", ""), []string{"ring: 64 there, nothing here"}},
	} {
		if d := cmp.Diff(c.diff, differences(terms, c.want)); d != "" {
			t.Error(d)
		}
	}
}

// The error names the most similar session.
func TestMissingSessions(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 3)
	alice := open(t, dir, "alice")
	other := correlation.NewSessionID()
	h := header(other, "alice")
	h.Terms["fraction"], h.Terms["version"] = "10", "0.0.1"
	put(t, alice, h)
	want := maps.Clone(terms)
	want["ring"] = "128"
	_, err := alice.Find(want)
	var missing *MissingError
	if !errors.As(err, &missing) ||
		!strings.HasSuffix(err.Error(), "alice: none of 4 sessions ready is for this run: the most similar differs in ring: 64 there, 128 here") {
		t.Errorf("got %v", err)
	}
	if _, err := alice.Begin(ids[0], want, nil); err == nil || !strings.Contains(err.Error(), "differs in ring") {
		t.Errorf("it begins: %v", err)
	}
	if _, err := alice.Begin(ids[0], terms, form()); !errors.Is(err, ErrDamaged) {
		t.Errorf("it begins without the corrections: %v", err)
	}
	if got := states(t, alice); got[ids[0]] != Ready {
		t.Errorf("what was refused is %v", got[ids[0]])
	}
	for _, id := range append(ids, other) {
		h := terms
		if id == other {
			h = map[string]string{"ring": "64", "version": "0.0.1", "fraction": "10", "order": terms["order"], "network": "none"}
		}
		s, err := alice.Begin(id, h, nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Close()
	}
	if _, err := alice.Find(terms); err == nil || !strings.HasSuffix(err.Error(), "no session is ready (4 spent)") {
		t.Errorf("got %v", err)
	}
	if _, err := Open(dir, "carol"); !errors.As(err, &missing) || !strings.Contains(err.Error(), "carol: there is no store") {
		t.Errorf("got %v", err)
	}
}

// Files of processes that ended unexpectedly are found and removed; here closing the files releases
// their locks.
func TestLeftovers(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 3)
	bob := open(t, dir, "bob")
	s, err := bob.Begin(ids[1], terms, form())
	if err != nil {
		t.Fatal(err)
	}
	s.file.Close()
	w, err := bob.New(header(correlation.NewSessionID(), "bob"))
	if err != nil {
		t.Fatal(err)
	}
	at := states(t, bob)
	if at[w.session] != Making || at[ids[1]] != Crashed {
		t.Fatalf("%v", at)
	}
	if rest, err := bob.RemoveUnfinished(); len(rest) > 0 || err != nil {
		t.Errorf("what is being made is swept up: %v, %v", rest, err)
	}
	w.file.Close()
	if at := states(t, bob); at[w.session] != Unfinished {
		t.Fatalf("%v", at)
	}
	if _, err := bob.Find(terms); err != nil {
		t.Error(err)
	}
	rest, err := bob.RemoveUnfinished()
	if err != nil || !slices.Equal(rest, []correlation.SessionID{w.session}) {
		t.Errorf("tidied %v, %v", rest, err)
	}
	for _, want := range [][]correlation.SessionID{{ids[1]}, nil} { // listed once
		crashed, err := bob.Recover()
		if err != nil || !slices.Equal(crashed, want) {
			t.Errorf("recovered %v, want %v, %v", crashed, want, err)
		}
	}
	if d := cmp.Diff(map[correlation.SessionID]State{ids[0]: Ready, ids[1]: Spent, ids[2]: Ready}, states(t, bob)); d != "" {
		t.Error(d)
	}
}

func TestIncompleteSessionsAreNotPublished(t *testing.T) {
	dir := t.TempDir()
	bob, err := Create(dir, "bob")
	if err != nil {
		t.Fatal(err)
	}
	h := header(correlation.NewSessionID(), "bob")
	h.Records, h.Bytes = 1, 8
	w, err := bob.New(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Publish(); err == nil {
		t.Error("published")
	}
	if got := states(t, bob); len(got) > 0 {
		t.Errorf("left %v", got)
	}
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 6)
	alice, bob := open(t, dir, "alice"), open(t, dir, "bob")
	begin := func(f *Folder, i int) *Session {
		s, err := f.Begin(ids[i], terms, map[string]*correlation.Manifest{"bob": form()}[f.Party])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	begin(alice, 0).Close()      // 0: spent at both
	begin(bob, 0).Close()        //
	begin(alice, 1).Close()      // 1: spent at alice, ready at bob
	begin(alice, 2).file.Close() // 2: crashed at alice, ready at bob
	atWork := begin(alice, 3)    // 3: in use at alice, ready at bob
	w, err := bob.New(header(correlation.NewSessionID(), "bob"))
	if err != nil {
		t.Fatal(err)
	}
	w.file.Close()
	pruned, err := Prune(dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, p := range pruned {
		got[p.Party+": "+p.Why]++
	}
	if d := cmp.Diff(map[string]int{
		"alice: spent": 2, "bob: spent": 1, "alice: begun by a run that did not end": 1, "bob: never finished": 1, "bob: not available at alice": 2,
	}, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[correlation.SessionID]State{ids[3]: Begun, ids[4]: Ready, ids[5]: Ready}, states(t, alice)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(map[correlation.SessionID]State{ids[3]: Ready, ids[4]: Ready, ids[5]: Ready}, states(t, bob)); d != "" {
		t.Error(d)
	}
	atWork.Close()
	old := header(correlation.NewSessionID(), "alice")
	old.Made = time.Now().Add(-48 * time.Hour)
	old.Parties = []string{"alice", "dave"} // dave's folder is not in this store
	put(t, alice, old)
	if pruned, err := Prune(dir, 24*time.Hour); err != nil || len(pruned) != 3 {
		t.Errorf("pruned %v, %v", pruned, err) // spent at alice, orphan at bob, old at alice
	}
	if _, ok := states(t, alice)[old.Session]; ok {
		t.Error("the old one is kept")
	}
}

func TestList(t *testing.T) {
	dir := t.TempDir()
	ids := fill(t, dir, 3)
	s, err := open(t, dir, "alice").Begin(ids[0], terms, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	bob := open(t, dir, "bob")
	if err := os.WriteFile(bob.filePath(ids[2], readyEnd), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "bob", "notes.txt"), []byte("junk"), 0o600); err != nil {
		t.Fatal(err)
	}
	rows, who, err := List(dir)
	if err != nil || !slices.Equal(who, parties) || len(rows) != 3 {
		t.Fatalf("%d rows of %v, %v", len(rows), who, err)
	}
	if d := cmp.Diff(map[string]State{"alice": Spent, "bob": Ready}, rows[0].States); d != "" || rows[0].State() != "" {
		t.Error(d, rows[0].State())
	}
	for i, r := range rows {
		if r.Session != ids[i] || r.Header == nil || r.Header.Terms["ring"] != "64" || (r.Damaged != nil) != (i == 2) {
			t.Errorf("row %d: %+v", i, r)
		}
	}
	if rows[1].State() != Ready || rows[1].Size < form().Bytes() {
		t.Errorf("row 1: %v, %d bytes", rows[1].State(), rows[1].Size)
	}
	if _, _, err := List(filepath.Join(dir, "nowhere")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("nothing there: %v", err)
	}
	if _, _, err := List(t.TempDir()); err == nil || !strings.Contains(err.Error(), "tacet offline") {
		t.Errorf("an empty folder: %v", err)
	}
}

// Every changed byte and every truncation of a file is detected.
func TestVerify(t *testing.T) {
	noIdentity(t) // the test writes the same session many times
	dir := t.TempDir()
	id := fill(t, dir, 1)[0]
	bob := open(t, dir, "bob")
	path := bob.filePath(id, readyEnd)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	check := func(b []byte) (begins, fine bool) {
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		files, damaged, err := Verify(context.Background(), dir, false, nil)
		if err != nil || files != 2 {
			t.Fatalf("%d files, %v", files, err)
		}
		for _, d := range damaged {
			if !strings.Contains(d.Error(), id.String()) {
				t.Errorf("unclear: %v", d)
			}
		}
		s, err := bob.Begin(id, terms, form())
		if err == nil {
			for _, r := range form().Requests {
				if _, e := s.Take(r.ID); e != nil {
					err = e
				}
			}
			s.Close()
			os.Remove(bob.filePath(id, spentEnd))
		}
		return err == nil, len(damaged) == 0
	}
	if begins, fine := check(whole); !begins || !fine {
		t.Fatal("the file as it was written is refused")
	}
	rapid.Check(t, func(rt *rapid.T) {
		b := slices.Clone(whole)
		if at := rapid.IntRange(0, len(b)-1).Draw(rt, "at"); rapid.Bool().Draw(rt, "cut") {
			b = b[:at]
		} else {
			b[at] ^= byte(1 << rapid.IntRange(0, 7).Draw(rt, "bit"))
		}
		if begins, fine := check(b); begins || fine {
			rt.Fatalf("not found: used %v, verified %v", begins, fine)
		}
	})
	if err := os.WriteFile(path, whole[:len(whole)-1], 0o600); err != nil {
		t.Fatal(err)
	}
	if _, damaged, err := Verify(context.Background(), dir, true, nil); err != nil || len(damaged) != 1 {
		t.Errorf("%v, %v", damaged, err)
	}
	if got := states(t, bob); len(got) != 0 {
		t.Errorf("not removed: %v", got)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := Verify(stopped, dir, false, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
}

func TestHeaders(t *testing.T) {
	h := header(correlation.NewSessionID(), "bob")
	h.Records, h.Bytes = 7, 1<<40
	b, err := h.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, n, err := readHeader(bytes.NewReader(append(b, 1, 2, 3)))
	if err != nil || n != int64(len(b)) || !reflect.DeepEqual(got, h) {
		t.Fatalf("read %+v, %d of %d bytes, %v", got, n, len(b), err)
	}
	b[len(magic)] = format + 1
	if _, _, err := readHeader(bytes.NewReader(b)); err == nil ||
		!strings.Contains(err.Error(), "format is 4, this version of Tacet reads 3") {
		t.Errorf("another format: %v", err)
	}
	h.Terms["set"] = strings.Repeat("x", maxHeader)
	if _, err := h.encode(); err == nil {
		t.Error("a header without bound")
	}
}

func FuzzReadHeader(f *testing.F) {
	h := header(correlation.SessionID{1}, "bob")
	b, err := h.encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[prefix:])
	f.Add([]byte(`{"session":"00"}`))
	f.Add([]byte(`{"seed":7}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		b := append([]byte(magic), format)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
		b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
		h, n, err := readHeader(bytes.NewReader(append(b, text...)))
		if err != nil {
			if !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
			return
		}
		if n != int64(len(b)+len(text)) || !slices.Contains(h.Parties, h.Party) {
			t.Fatalf("%d bytes of %d, %+v", n, len(b)+len(text), h)
		}
		again, err := h.encode()
		if err != nil {
			t.Fatal(err)
		}
		if h2, _, err := readHeader(bytes.NewReader(again)); err != nil || h2.Session != h.Session || h2.Seed != h.Seed || h2.Bytes != h.Bytes {
			t.Fatalf("%+v became %+v, %v", h, h2, err)
		}
	})
}
