package durable

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestWriteFileReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	for _, text := range []string{"longer than the next", "short", ""} {
		if err := WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%q, %v; want %q", got, err, text)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode() != 0o600 {
			t.Errorf("%v, %v", info.Mode(), err)
		}
	}
	alone(t, path)
}

func TestCreateFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	if err := CreateFile(path, []byte("first"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CreateFile(path, []byte("second"), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("created twice: %v", err)
	}
	got, err := os.ReadFile(path)
	if err != nil || string(got) != "first" {
		t.Errorf("%q, %v", got, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	alone(t, path)
}

// TestWriteFileFails writes to the path of a folder: the folder stays, and no temporary file is left.
func TestWriteFileFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "d")
	if err := os.MkdirAll(filepath.Join(path, "kept"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(path, []byte("x"), 0o600); err == nil {
		t.Error("a folder was replaced by a file")
	}
	if _, err := os.Stat(filepath.Join(path, "kept")); err != nil {
		t.Error(err)
	}
	alone(t, path)
	if err := WriteFile(filepath.Join(path, "no", "f"), nil, 0o600); err == nil {
		t.Error("a file was written into a folder that does not exist")
	}
}

// TestRemoveUnfinished checks that the files of a killed writer are removed, and no others.
func TestRemoveUnfinished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f")
	if err := WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	err := write(path, nil, 0o600, func(tmp, _ string) error { // killed before the rename
		if err := os.Link(tmp, filepath.Join(dir, ".f-1.tmp")); err != nil {
			return err
		}
		return fs.ErrInvalid
	})
	if names, _ := os.ReadDir(dir); !errors.Is(err, fs.ErrInvalid) || len(names) != 2 {
		t.Fatal(names, err)
	}
	if err := RemoveUnfinished(dir); err != nil {
		t.Error(err)
	}
	alone(t, path)
	if err := RemoveUnfinished(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

func alone(t *testing.T, path string) {
	t.Helper()
	names, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(names) != 1 {
		t.Errorf("beside %s: %v, %v", path, names, err)
	}
}

// TestClose checks that Close releases a lock even if another process holds the open file.
func TestClose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	a, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if free, err := Lock(a); err != nil || !free {
		t.Fatal(free, err)
	}
	child := exec.Command("sleep", "60") // stands for a child that is being started
	child.ExtraFiles = []*os.File{a}
	if err := child.Start(); err != nil {
		t.Skip(err)
	}
	defer child.Wait()
	defer child.Process.Kill()
	b, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if free, err := Unlocked(b); err != nil || free {
		t.Errorf("while it is locked: %v, %v", free, err)
	}
	if err := Close(a); err != nil {
		t.Fatal(err)
	}
	for range 2 { // Unlocked must not take the lock
		if free, err := Unlocked(b); err != nil || !free {
			t.Errorf("after Close: %v, %v", free, err)
		}
	}
}
