package audit

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func open(t testing.TB, path string) *Log {
	t.Helper()
	l, err := Open(path, nil, Rotation{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func add(t testing.TB, l *Log, e Event) {
	t.Helper()
	if err := l.Append(e); err != nil {
		t.Fatal(err)
	}
}

func TestLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	at := time.Date(2026, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	want := []Event{
		{Time: at, Kind: Submitted, Actor: "carol", Job: "17", Program: "sha256:00"},
		{Time: at, Kind: Started, Job: "17", Session: "5", Rule: "r", Inputs: []Input{{"alice.npz", "11"}}},
		{Time: at, Kind: Revealed, Job: "17", Learned: []Learned{{0, "tensor<2xf32>", []string{"alice"}}, {-1, "tensor<i1>", []string{"alice", "bob"}}}},
		{Time: at, Kind: Failed, Job: "17", Reason: strings.Repeat("ä", maxReason)},
	}
	for _, e := range want { // reopened for each event
		l := open(t, path)
		add(t, l, e)
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if l.Append(e) == nil {
			t.Error("a closed log was added to")
		}
	}
	var got []Event
	s, err := Read(path, func(e Event) error { got = append(got, e); return nil })
	if err != nil || s.Events != 4 || s.IncompleteBytes != 0 {
		t.Fatal(s, err)
	}
	if got[0].Prev != first || slices.ContainsFunc(got[1:], func(e Event) bool { return len(e.Prev) != 64 || e.Prev == first }) {
		t.Errorf("%+v", got)
	}
	for i := range got {
		got[i].Prev = ""
		want[i].Time = at.UTC()
	}
	want[3].Reason = strings.Repeat("ä", maxReason/2) + "…"
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// TestOneWriter checks that a second process cannot open the log: the chain would fork.
func TestOneWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l := open(t, path)
	if _, err := Open(path, nil, Rotation{}); err == nil || !strings.Contains(err.Error(), "another process has it open") {
		t.Error(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, path).Close()
}

func TestManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	l := open(t, path)
	defer l.Close()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := l.Append(Event{Kind: Submitted, Job: fmt.Sprint(i)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if s, err := Verify(path); err != nil || s.Events != 20 || s.Head != l.head {
		t.Error(s, err)
	}
}

// TestIncompleteLine truncates a log after every byte, as a crash may, and appends to it.
func TestIncompleteLine(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.log")
	l := open(t, path)
	for i := range 2 {
		add(t, l, Event{Kind: Submitted, Job: fmt.Sprint(i)})
	}
	l.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(text) + 1 {
		path := filepath.Join(dir, "torn")
		if err := os.WriteFile(path, text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		whole := bytes.Count(text[:n], []byte{'\n'})
		torn := n - (bytes.LastIndexByte(text[:n], '\n') + 1)
		if s, err := Verify(path); err != nil || s.Events != whole || s.IncompleteBytes != int64(torn) {
			t.Fatalf("%d bytes: %+v, %v", n, s, err)
		}
		l := open(t, path)
		add(t, l, Event{Kind: Finished})
		l.Close()
		if torn > 0 {
			whole++
		}
		var last []Event
		s, err := Read(path, func(e Event) error { last = append(last, e); return nil })
		if err != nil || s.Events != whole+1 || s.IncompleteBytes != 0 {
			t.Fatalf("%d bytes, after the mending: %+v, %v", n, s, err)
		}
		want := fmt.Sprintf("an incomplete line of %d bytes was removed", torn)
		if e := last[max(0, len(last)-2)]; torn > 0 && (e.Kind != Recovered || e.Reason != want) {
			t.Fatalf("%d bytes: %+v", n, e)
		}
	}
}

// TestChanges checks that the chain reveals every line that is changed, removed, repeated, moved or
// inserted, except removals at the end.
func TestChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "audit.log")
	l := open(t, path)
	for i := range 6 {
		add(t, l, Event{Kind: Submitted, Actor: "carol", Job: fmt.Sprint(i)})
	}
	l.Close()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")[:6]
	path = filepath.Join(dir, "changed")
	rapid.Check(t, func(t *rapid.T) {
		changed := slices.Clone(lines)
		i := rapid.IntRange(0, 4).Draw(t, "line")
		switch rapid.IntRange(0, 4).Draw(t, "change") {
		case 0:
			changed[i] = strings.Replace(changed[i], "carol", "carla", 1)
		case 1:
			changed = slices.Delete(changed, i, i+1)
		case 2:
			changed = slices.Insert(changed, i, changed[i])
		case 3:
			changed[i], changed[i+1] = changed[i+1], changed[i]
		case 4:
			at := rapid.IntRange(0, len(changed[i])-2).Draw(t, "byte")
			b := []byte(changed[i])
			b[at] ^= 1 << rapid.IntRange(0, 7).Draw(t, "bit")
			changed[i] = string(b)
		}
		if err := os.WriteFile(path, []byte(strings.Join(changed, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := Verify(path)
		if err == nil || s.Events > i+1 || !strings.HasPrefix(err.Error(), fmt.Sprintf("%s:%d: ", path, s.Events+1)) {
			t.Fatalf("line %d of\n%s\n%+v, %v", i+1, strings.Join(changed, ""), s, err)
		}
	})
}

// TestOpenMovesBrokenLogsAside checks that files that are no whole logs are kept under another name, and
// that the log that begins names where they are broken.
func TestOpenMovesBrokenLogsAside(t *testing.T) {
	zeros := `"prev":"` + first + `"}` + "\n"
	for text, want := range map[string]string{
		"\n":                                  "audit.log:1: not an event",
		"text\n":                              "audit.log:1: not an event",
		"{" + zeros[:10]:                      "", // incomplete
		"{" + zeros + "{" + zeros:             "audit.log:2: its hash does not match the line before",
		`{"seed":1,` + zeros:                  "audit.log:1: not an event",
		"{" + zeros[:len(zeros)-1] + " {}\n":  "audit.log:1: data after the event",
		strings.Repeat("x", 4*maxLine):        "audit.log:1: the line is too long",
		strings.Repeat("x", 4*maxLine) + "\n": "audit.log:1: the line is too long",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "audit.log")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, path)
		if b := l.Found(); want == "" != (b == nil) || b != nil && !strings.Contains(b.Error(), want) {
			t.Errorf("%.60q: found %v, want %q", text, b, want)
		}
		add(t, l, Event{Kind: Finished})
		l.Close()
		if want == "" {
			continue
		}
		aside, err := filepath.Glob(path + ".broken-*")
		if err != nil || len(aside) != 1 {
			t.Fatal(aside, err)
		}
		if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != text {
			t.Errorf("%.60q is not kept: %v", text, err)
		}
		var events []Event
		if _, err := Read(path, func(e Event) error { events = append(events, e); return nil }); err != nil || len(events) != 2 {
			t.Fatal(events, err)
		}
		if e := events[0]; e.Kind != Broken || !strings.Contains(e.Reason, filepath.Base(aside[0])) || !strings.Contains(e.Reason, want) {
			t.Errorf("%.60q: the new log begins with %+v", text, e)
		}
	}
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(filepath.Join(path, "x"), nil, Rotation{}); err == nil {
		t.Error("a log below a file was opened")
	}
}

// TestFullDisk writes to a device without space: Append must return an error, and the event must not
// be in the log.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("/dev/full is Linux's")
	}
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	l := &Log{path: "audit.log", file: full, head: first}
	defer l.Close()
	for range 2 {
		if err := l.Append(Event{Kind: Submitted}); err == nil || !strings.Contains(err.Error(), "audit: audit.log: ") || !strings.Contains(err.Error(), "no space left") {
			t.Error(err)
		}
	}
	if l.size != 0 || l.head != first {
		t.Errorf("size %d, head %s", l.size, l.head)
	}
}

// FuzzOpen opens arbitrary files: as a log, or as a broken one beside a new log.
func FuzzOpen(f *testing.F) {
	line := `{"time":"2026-01-02T03:04:05Z","event":"submitted","prev":"` + first + `"}` + "\n"
	for _, s := range []string{"", "\n", line, line + line, line[:20], line + "{"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "audit.log")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		l := open(t, path)
		add(t, l, Event{Kind: Finished})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		l = open(t, path)
		if l.Found() != nil {
			t.Fatalf("%q: %v", text, l.Found())
		}
		l.Close()
	})
}
