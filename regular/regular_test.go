//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(in("file"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(in("fifo"), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", in("socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for link, to := range map[string]string{"link": "file", "fifolink": "fifo"} {
		if err := os.Symlink(to, in(link)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"file", "link"} {
		if text, err := ReadFile(in(name)); err != nil || string(text) != "text" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, path := range []string{in("fifo"), in("fifolink"), in("socket"), "/dev/null", "/dev/zero"} {
		if _, err := ReadFile(path); !errors.Is(err, ErrNotRegular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := Open(dir); !errors.Is(err, syscall.EISDIR) {
		t.Error(err)
	}
	if _, err := Open(in("none")); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
