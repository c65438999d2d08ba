package audit

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func newSigner(t testing.TB) *Signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return &Signer{"alice", key}
}

func openSigned(t testing.TB, path string, s *Signer) *Log {
	t.Helper()
	l, err := Open(path, s, Rotation{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// signedLog writes a signed log of five events.
func signedLog(t testing.TB) (path string, s *Signer) {
	t.Helper()
	path, s = filepath.Join(t.TempDir(), "audit.log"), newSigner(t)
	l := openSigned(t, path, s)
	for i := range 5 {
		add(t, l, Event{Kind: Submitted, Actor: "carol", Job: fmt.Sprint(i)})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	return path, s
}

// edit changes a file's lines, each with its newline.
func edit(t testing.TB, path string, change func([][]byte) [][]byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte{'\n'})
	if err := os.WriteFile(path, bytes.Join(change(lines[:len(lines)-1]), nil), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSignedLog changes, cuts and removes what the chain of hashes alone does not show, and breaks the
// middle: a reader and the next start notice each, and the new log says where.
func TestSignedLog(t *testing.T) {
	carla := func(lines [][]byte, i int) [][]byte {
		lines[i] = bytes.Replace(lines[i], []byte("carol"), []byte("carla"), 1)
		return lines
	}
	for name, c := range map[string]struct {
		change func([][]byte) [][]byte
		want   string
	}{
		"last line changed":  {func(l [][]byte) [][]byte { return carla(l, 4) }, "audit.log:5: it is not the line that alice signed at "},
		"last line removed":  {func(l [][]byte) [][]byte { return l[:4] }, "audit.log:5: the end is missing: alice signed 5 lines at "},
		"last line cut":      {func(l [][]byte) [][]byte { return append(l[:4], l[4][:20]) }, "audit.log:5: the end is missing"},
		"all lines removed":  {func([][]byte) [][]byte { return nil }, "audit.log:1: the end is missing"},
		"middle changed":     {func(l [][]byte) [][]byte { return carla(l, 1) }, "audit.log:3: its hash does not match the line before"},
		"middle removed":     {func(l [][]byte) [][]byte { return append(l[:2], l[3:]...) }, "audit.log:3: its hash does not match the line before"},
		"written anew":       {rewritten, "audit.log:5: it is not the line that alice signed"},
		"written anew, more": {func(l [][]byte) [][]byte { return rewritten(append(l, l[4])) }, "audit.log:5: it is not the line that alice signed"},
	} {
		path, s := signedLog(t)
		edit(t, path, c.change)
		var broken *Break
		if _, err := Verify(path); !errors.As(err, &broken) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: read: %v, want %q", name, err, c.want)
		}
		l := openSigned(t, path, s)
		if b := l.Found(); b == nil || !strings.Contains(b.Error(), c.want) {
			t.Errorf("%s: opened: %v, want %q", name, b, c.want)
		}
		add(t, l, Event{Kind: Finished})
		l.Close()
		var events []Event
		sum, err := Read(path, func(e Event) error { events = append(events, e); return nil })
		if err != nil || len(events) != 2 || events[0].Kind != Broken || !strings.Contains(events[0].Reason, c.want) || sum.Unsigned() != 0 {
			t.Errorf("%s: the new log has %+v, %v", name, events, err)
		}
		aside, err := filepath.Glob(path + ".broken-*")
		if err != nil || len(aside) != 2 {
			t.Fatalf("%s: %q, %v", name, aside, err)
		}
		if _, err := Verify(aside[0]); !errors.As(err, &broken) {
			t.Errorf("%s: the log that was moved aside: %v", name, err)
		}
	}
}

// rewritten is a changed log with right hashes.
func rewritten(lines [][]byte) [][]byte {
	var out [][]byte
	before := first
	for _, line := range lines {
		i := bytes.Index(line, []byte(`"prev":"`)) + len(`"prev":"`)
		line = bytes.Replace(append(append(bytes.Clone(line[:i]), before...), line[i+len(before):]...), []byte("carol"), []byte("carla"), 1)
		before = hash(line[:len(line)-1])
		out = append(out, line)
	}
	return out
}

// TestHeadFile removes and changes the signed head itself.
func TestHeadFile(t *testing.T) {
	path, s := signedLog(t)
	if err := os.Remove(HeadPath(path)); err != nil {
		t.Fatal(err)
	}
	sum, err := Verify(path)
	if err != nil || sum.Signed != nil || sum.Unsigned() != 5 {
		t.Errorf("without a head: %+v, %v", sum, err)
	}
	openSigned(t, path, s).Close()
	if e := last(t, path); e.Kind != Recovered || !strings.Contains(e.Reason, "the 5 lines so far had no signed head") {
		t.Errorf("after that: %+v", e)
	}

	path, s = signedLog(t)
	other := newSigner(t)
	openSigned(t, path, other).Close()
	if e := last(t, path); e.Kind != Recovered || !strings.Contains(e.Reason, "signed by another key") {
		t.Errorf("another key: %+v", e)
	}

	path, s = signedLog(t)
	edit(t, HeadPath(path), func(l [][]byte) [][]byte {
		return [][]byte{bytes.Replace(l[0], []byte(`"lines":5`), []byte(`"lines":4`), 1)}
	})
	edit(t, path, func(l [][]byte) [][]byte { return l[:4] })
	if _, err := Verify(path); err == nil || !strings.Contains(err.Error(), "audit.head: it holds no head with a right signature") {
		t.Errorf("a forged head: %v", err)
	}
	l := openSigned(t, path, s)
	if l.Found() == nil {
		t.Error("a forged head is not noticed at the start")
	}
	l.Close()
}

func last(t testing.TB, path string) (last Event) {
	t.Helper()
	if _, err := Read(path, func(e Event) error { last = e; return nil }); err != nil {
		t.Fatal(err)
	}
	return last
}

// TestCrashBeforeTheHead leaves a line that no head covers, as a process does that ends between the two.
func TestCrashBeforeTheHead(t *testing.T) {
	path, s := signedLog(t)
	head, err := os.ReadFile(HeadPath(path))
	if err != nil {
		t.Fatal(err)
	}
	l := openSigned(t, path, s)
	add(t, l, Event{Kind: Finished})
	l.Close()
	if err := os.WriteFile(HeadPath(path), head, 0o600); err != nil {
		t.Fatal(err)
	}
	if sum, err := Verify(path); err != nil || sum.Unsigned() != 1 {
		t.Errorf("%+v, %v", sum, err)
	}
	l = openSigned(t, path, s)
	defer l.Close()
	if e := last(t, path); l.Found() != nil || e.Reason != "the last 1 lines so far had no signed head" {
		t.Errorf("found %v, last %+v", l.Found(), e)
	}
}

// TestKeptHeads restores a log together with its head, or lets its party write it anew: a head that a peer
// kept shows it.
func TestKeptHeads(t *testing.T) {
	path, s := signedLog(t)
	l := openSigned(t, path, s)
	older := l.Signed()
	add(t, l, Event{Kind: Finished, Job: "5"})
	kept := l.Signed()
	l.Close()
	none := func(Event) error { return nil }
	if _, err := Read(path, none, older, kept); err != nil {
		t.Errorf("the log as it is: %v", err)
	}
	edit(t, path, func(l [][]byte) [][]byte { return l[:5] })
	if err := os.Remove(HeadPath(path)); err != nil {
		t.Fatal(err)
	}
	l = openSigned(t, path, s) // signed anew
	add(t, l, Event{Kind: Denied})
	add(t, l, Event{Kind: Denied})
	l.Close()
	if _, err := Read(path, none, older); err != nil {
		t.Errorf("an older head: %v", err)
	}
	if _, err := Read(path, none, older, kept); err == nil || !strings.Contains(err.Error(), "audit.log:6: it is not the line that alice signed") {
		t.Errorf("with the kept head: %v", err)
	}
}

// TestKinds signs with every kind of key that certificates have.
func TestKinds(t *testing.T) {
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	long, err := rsa.GenerateKey(rand.Reader, 4096)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "audit.log")
	for _, key := range []crypto.Signer{long, ed, newSigner(t).Key} {
		l := openSigned(t, path, &Signer{"alice", key})
		add(t, l, Event{Kind: Finished})
		l.Close()
		if sum, err := Verify(path); err != nil || sum.Unsigned() != 0 {
			t.Errorf("%T: %+v, %v", key, sum, err)
		}
		h, err := ReadHead(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(*Head){
			func(h *Head) { h.Party = "bob" }, func(h *Head) { h.Lines++ }, func(h *Head) { h.Hash = first }, func(h *Head) { h.Time = h.Time.Add(1) },
			func(h *Head) { h.Signature = h.Signature[1:] }, func(h *Head) { h.Key = nil },
		} {
			forged := *h
			if change(&forged); forged.Verify() == nil {
				t.Errorf("%T: a forged head verifies: %+v", key, forged)
			}
		}
	}
}

// TestReadChain compares the check at a node's start, which decodes no events, with Read: of a whole log in two files, with and without
// a head, of an incomplete last line, and after a change of any byte of any line, which both find if Read does.
func TestReadChain(t *testing.T) {
	path, s := filepath.Join(t.TempDir(), "audit.log"), newSigner(t)
	l, err := Open(path, s, Rotation{Size: 600})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		add(t, l, Event{Kind: Failed, Actor: "carol", Job: fmt.Sprint(i), Reason: `it said "prev":"` + first + `"}`})
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := earlier(path)
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	none := func(Event) error { return nil }
	found := func(what string) {
		t.Helper()
		want, err := Verify(path)
		got, gerr := readChain(path, none)
		same := got.Events == want.Events && got.Head == want.Head && got.IncompleteBytes == want.IncompleteBytes
		if (err == nil) != (gerr == nil) || err == nil && !same {
			t.Errorf("%s: %+v, %v; Read says %+v, %v", what, got, gerr, want, err)
		}
	}
	found("the whole log")
	changed := 0
	for _, file := range append(files, path) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(text); i += 29 {
			other := bytes.Clone(text)
			other[i] ^= 1
			if err := os.WriteFile(file, other, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := readChain(path, none); !errors.As(err, new(*Break)) {
				t.Errorf("%s, byte %d changed: %v", filepath.Base(file), i, err)
			}
			found(fmt.Sprintf("%s, byte %d changed", filepath.Base(file), i))
			changed++
		}
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if changed < 40 {
		t.Errorf("only %d bytes were changed", changed)
	}
	if err := os.Remove(HeadPath(path)); err != nil {
		t.Fatal(err)
	}
	found("without a head")
	appendText(t, path, `{"time":"2026-`)
	found("an incomplete line")
}

func appendText(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}
