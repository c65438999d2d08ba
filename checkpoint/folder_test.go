package checkpoint

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/ring"
)

// sample returns a checkpoint at a program point.
func sample(id string, loop, iteration int) *Checkpoint {
	c := &Checkpoint{Header: Header{ID: id, Loop: loop, Iteration: iteration, Requirements: map[string]string{"ring": "64"}}}
	for i, v := range []ring.Vec{
		ring.FromWords(ring.Z(64), []uint64{1, 1 << 63, ^uint64(0)}),
		ring.FromWords(ring.Z(1), []uint64{1, 0, 1, 1, 1}),
		ring.FromWords(ring.Z(128), []uint64{3, 4, 5, 6}),
		ring.FromWords(ring.Z(46), []uint64{1<<46 - 1, 7}),
		ring.FromWords(ring.Z(32), nil),
	} {
		c.Values = append(c.Values, Value{Index: 2 * i, Elements: v.Len(), Ring: v.Ring().Bits, Scale: 18, Bound: 44})
		c.Shares = append(c.Shares, v)
	}
	return c
}

func open(t *testing.T) *Folder {
	t.Helper()
	f, err := Open(filepath.Join(t.TempDir(), "deep", "er"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func save(t *testing.T, f *Folder, c *Checkpoint) {
	t.Helper()
	if _, err := f.Save(c); err != nil {
		t.Fatal(err)
	}
}

// ids lists the folder's checkpoints and fails if any is damaged.
func ids(t *testing.T, f *Folder) []string {
	t.Helper()
	headers, damaged, err := f.List()
	if err != nil || damaged != nil {
		t.Fatalf("%v, %v", damaged, err)
	}
	out := []string{}
	for _, h := range headers {
		out = append(out, h.ID)
	}
	return out
}

func words(c *Checkpoint) (out [][]uint64) {
	for _, v := range c.Shares {
		out = append(out, v.Words())
	}
	return out
}

// TestSave: shares are read back exactly, files are readable by their owner only, and the newest
// checkpoints are kept.
// TestFormerKey checks that checkpoints with the keys of version 0.1 are read.
func TestFormerKey(t *testing.T) {
	text := []byte(`{"id": "x", "loop": 1, "turn": 7, "fits": {}, "values": []}`)
	file := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(text)))
	file = append(file, text...)
	sum := sha256.Sum256(file)
	c, err := decode(append(file, sum[:]...))
	if err != nil || c.Loop != 1 || c.Iteration != 7 {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestSave(t *testing.T) {
	f := open(t)
	for i, at := range [][2]int{{0, 9}, {0, 10}, {0, 200}, {1, 0}, {1, 3}} {
		save(t, f, sample(string(rune('a'+i)), at[0], at[1]))
	}
	if d := cmp.Diff([]string{"c", "d", "e"}, ids(t, f)); d != "" {
		t.Error(d)
	}
	want := sample("e", 1, 3)
	got, err := f.Load(want.Header)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want.Header, got.Header); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(words(want), words(got)); d != "" {
		t.Error(d)
	}
	for path, mode := range map[string]os.FileMode{f.dir: 0o700 | os.ModeDir, filepath.Join(f.dir, want.name()): 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode() != mode {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
}

// TestRewind: a run that resumes keeps the checkpoints up to that point.
func TestRewind(t *testing.T) {
	for _, c := range []struct {
		id              string
		loop, iteration int
		want            []string
	}{
		{"b", 0, 10, []string{"a", "b"}}, {"c", 0, 10, []string{"a", "c"}}, {"", 0, 0, []string{}}, {"elsewhere", 0, 5, []string{}},
	} {
		f := open(t)
		save(t, f, sample("a", 0, 9))
		save(t, f, sample("b", 0, 10))
		save(t, f, sample("c", 0, 10))
		if err := f.Rewind(c.id, c.loop, c.iteration); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, ids(t, f)); d != "" {
			t.Errorf("%+v: %s", c, d)
		}
	}
}

// TestLinkTo: after LinkTo the two folders change independently.
func TestLinkTo(t *testing.T) {
	f := open(t)
	save(t, f, sample("a", 0, 9))
	save(t, f, sample("b", 0, 10))
	dir := filepath.Join(t.TempDir(), "other")
	if err := f.LinkTo(dir); err != nil {
		t.Fatal(err)
	}
	g, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	save(t, g, sample("c", 0, 11))
	if err := g.Rewind("c", 0, 11); err != nil {
		t.Fatal(err)
	}
	if err := f.Rewind("", 0, 0); err != nil {
		t.Fatal(err)
	}
	if got := append(ids(t, g), ids(t, f)...); !cmp.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("%v", got)
	}
}

// TestDamaged: damaged files are reported and not used; incomplete files are removed.
func TestDamaged(t *testing.T) {
	f := open(t)
	save(t, f, sample("a", 0, 9))
	save(t, f, sample("b", 0, 10))
	b := sample("b", 0, 10)
	path := filepath.Join(f.dir, b.name())
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(f.dir, "."+b.name()+"-1.tmp"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(f.dir); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(f.dir); err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
	for i := range text {
		bad := append([]byte{}, text...)
		bad[i] ^= 4
		if c, err := decode(bad); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d: %v, %v", i, c, err)
		}
		if c, err := decode(text[:i]); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d bytes: %v, %v", i, c, err)
		}
	}
	for name, content := range map[string][]byte{b.name(): text[:len(text)-1], sample("c", 0, 11).name(): text} {
		if err := os.WriteFile(filepath.Join(f.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	headers, damaged, err := f.List()
	if err != nil || len(headers) != 1 || headers[0].ID != "a" || len(damaged) != 2 {
		t.Errorf("%v, %v, %v", headers, damaged, err)
	}
	if _, err := f.Load(b.Header); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v", err)
	}
}

// TestSaveFails: a failed save leaves earlier checkpoints in place.
func TestSaveFails(t *testing.T) {
	f := open(t)
	save(t, f, sample("a", 0, 9))
	next := sample("b", 0, 10)
	if err := os.MkdirAll(filepath.Join(f.dir, next.name(), "x"), 0o700); err != nil { // a file cannot replace a folder
		t.Fatal(err)
	}
	if _, err := f.Save(next); err == nil {
		t.Error("saved")
	}
	if d := cmp.Diff([]string{"a"}, ids(t, f)); d != "" {
		t.Error(d)
	}
}
