package audit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// rotated writes a signed log of 12 events, in files of about three events, and returns its files, the present
// one last.
func rotated(t *testing.T) (path string, s *Signer, files []string) {
	t.Helper()
	path, s = filepath.Join(t.TempDir(), "audit.log"), newSigner(t)
	for part := range 2 { // opened again in the middle of a file
		l, err := Open(path, s, Rotation{Size: 500})
		if err != nil || l.Found() != nil {
			t.Fatal(err, l.Found())
		}
		for i := range 6 {
			add(t, l, Event{Kind: Submitted, Actor: "carol", Job: fmt.Sprint(6*part + i)})
		}
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
	}
	files, err := earlier(path)
	if err != nil || len(files) < 3 {
		t.Fatalf("earlier files: %q, %v", files, err)
	}
	return path, s, append(files, path)
}

// jobs reads a log and returns the jobs of its submissions.
func jobs(path string, heads ...*Head) (string, Summary, error) {
	var out []string
	s, err := Read(path, func(e Event) error {
		if e.Kind == Submitted {
			out = append(out, e.Job)
		}
		return nil
	}, heads...)
	return strings.Join(out, " "), s, err
}

const all = "0 1 2 3 4 5 6 7 8 9 10 11"

// TestRotation checks that the chain and the signed head continue across files.
func TestRotation(t *testing.T) {
	path, _, files := rotated(t)
	got, s, err := jobs(path)
	if err != nil || got != all || s.Missing != 0 || s.Unsigned() != 0 || s.Events != 12+len(files)-1 || int64(s.Events) != s.Signed.Lines {
		t.Errorf("%s; %+v, %v", got, s, err)
	}
	for _, file := range files[:len(files)-1] {
		if info, err := os.Stat(file); err != nil || info.Size() < 500 || info.Size() > 1000 {
			t.Errorf("%s: %v, %v", file, info, err)
		}
	}
}

// TestRotationByAge checks that a file that is old enough is followed by another one.
func TestRotationByAge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.log")
	old := openSigned(t, path, newSigner(t))
	add(t, old, Event{Kind: Submitted, Job: "0", Time: time.Now().Add(-2 * time.Hour)})
	if err := old.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := Open(path, old.signer, Rotation{Age: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	add(t, l, Event{Kind: Submitted, Job: "1"})
	add(t, l, Event{Kind: Submitted, Job: "2"})
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := earlier(path)
	if got, _, rerr := jobs(path); err != nil || rerr != nil || len(files) != 1 || got != "0 1 2" {
		t.Errorf("%q, %s, %v, %v", files, got, err, rerr)
	}
}

// TestRotationBroken changes, removes and cuts files of a log and checks that reading names the file, and that
// opening moves all files aside.
func TestRotationBroken(t *testing.T) {
	for name, k := range map[string]struct {
		change func(files []string) error
		at     int // index of the file that is named
		want   string
	}{
		"an earlier line is changed": {func(f []string) error {
			return replace(f[1], `"who":"carol"`, `"who":"caro1"`)
		}, 1, "its hash does not match"},
		"a file is missing between": {func(f []string) error { return os.Remove(f[1]) }, 2, "it does not continue the file before"},
		"two files change places": {func(f []string) error {
			return errors.Join(os.Rename(f[0], f[0]+".x"), os.Rename(f[1], f[0]), os.Rename(f[0]+".x", f[1]))
		}, 1, "it does not continue the file before"},
		"an earlier file is cut":     {func(f []string) error { return os.Truncate(f[0], 100) }, 0, "the line is incomplete, and another file follows"},
		"the present file is cut":    {func(f []string) error { return os.Truncate(f[len(f)-1], 0) }, -1, "the end is missing"},
		"the last files are removed": {func(f []string) error { return errors.Join(os.Remove(f[len(f)-1]), os.Remove(f[len(f)-2])) }, -1, "the end is missing"},
		"all earlier files are forged": {func(f []string) error {
			return errors.Join(os.Remove(f[0]), replace(f[1], `"lines":`, `"lines":9`))
		}, 1, "its hash does not match"},
	} {
		t.Run(name, func(t *testing.T) {
			path, s, files := rotated(t)
			if err := k.change(files); err != nil {
				t.Fatal(err)
			}
			_, _, err := jobs(path)
			var b *Break
			named := path
			if k.at >= 0 {
				named = files[k.at]
			}
			if !errors.As(err, &b) || !strings.Contains(err.Error(), k.want) || b.Path != named && k.want != "its hash does not match" {
				t.Errorf("%v, want %s: %s", err, named, k.want)
			}
			l, err := Open(path, s, Rotation{Size: 500})
			if err != nil || l.Found() == nil {
				t.Fatalf("opened again: %v", err)
			}
			l.Close()
			if left, err := earlier(path); err != nil || len(left) != 0 {
				t.Errorf("%q stay, %v", left, err)
			}
			if aside, err := filepath.Glob(path + ".broken-*.0*"); err != nil || len(aside) == 0 {
				t.Errorf("%q are aside, %v", aside, err)
			}
		})
	}
}

// replace replaces the first occurrence of a text in a file.
func replace(path, old, text string) error {
	b, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(b), old) {
		return fmt.Errorf("%s has no %s: %w", path, old, err)
	}
	return os.WriteFile(path, []byte(strings.Replace(string(b), old, text, 1)), 0o600)
}

// TestRotationCrash checks that a log goes on if the process ended between two files.
func TestRotationCrash(t *testing.T) {
	for _, begun := range []bool{false, true} {
		path, s, files := rotated(t)
		if err := os.Rename(path, fmt.Sprintf("%s.%06d", path, len(files))); err != nil {
			t.Fatal(err)
		}
		if begun {
			if err := os.WriteFile(path, nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if got, _, err := jobs(path); err != nil || got != all {
			t.Errorf("before: %s, %v", got, err)
		}
		l, err := Open(path, s, Rotation{Size: 500})
		if err != nil || l.Found() != nil {
			t.Fatal(err, l.Found())
		}
		add(t, l, Event{Kind: Submitted, Job: "12"})
		if err := l.Close(); err != nil {
			t.Fatal(err)
		}
		if got, _, err := jobs(path); err != nil || got != all+" 12" {
			t.Errorf("after: %s, %v", got, err)
		}
	}
}

// TestRotationKeep checks that files whose last event is too old are removed, and that the rest of the log is
// intact and says how many lines are missing.
func TestRotationKeep(t *testing.T) {
	path, s, files := rotated(t)
	before, _, err := jobs(path)
	if err != nil || before != all {
		t.Fatal(before, err)
	}
	old := time.Now().Add(-3 * time.Hour)
	for _, f := range files[:2] {
		if err := os.Chtimes(f, old, old); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Open(path, s, Rotation{Size: 500, Keep: time.Hour})
	if err != nil || l.Found() != nil {
		t.Fatal(err, l.Found())
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	got, sum, err := jobs(path)
	if err != nil || got == all || !strings.HasSuffix(all, got) || sum.Missing == 0 || sum.Lines() != sum.Signed.Lines {
		t.Errorf("%s; %+v, %v", got, sum, err)
	}
	if left, err := earlier(path); err != nil || len(left) != len(files)-3 {
		t.Errorf("%q stay, %v", left, err)
	}
}
