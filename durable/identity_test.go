package durable

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestIdentity checks that an identity survives writing, renaming and times that programs set, and that
// no copy has it.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	identity := func(name string) string {
		t.Helper()
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		id, err := Identity(f)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	write := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("text"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a")
	first := identity("a")
	if first == "" {
		t.Skip("this file system does not report when it created a file")
	}
	time.Sleep(20 * time.Millisecond) // longer than a tick of the kernel's clock
	write("a")
	if err := os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "b")); err != nil {
		t.Fatal(err)
	}
	then := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "b"), then, then); err != nil {
		t.Fatal(err)
	}
	if got := identity("b"); got != first {
		t.Errorf("the same file: %s, was %s", got, first)
	}
	write("c")
	if got := identity("c"); got == first {
		t.Errorf("another file has the identity %s too", got)
	}
}
