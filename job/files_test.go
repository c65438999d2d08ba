//go:build unix

package job

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/regular"
)

// TestFIFOs reads job files, programs and inputs that are FIFOs or devices: each is refused at once.
func TestFIFOs(t *testing.T) {
	for _, ext := range []string{".yaml", ".mlir", ".npz", ".npy", ".csv"} {
		path := filepath.Join(t.TempDir(), "pipe"+ext)
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, path := range []string{path, "/dev/zero"} {
			var err error
			switch ext {
			case ".yaml":
				_, err = Load(path)
			case ".mlir":
				_, err = hlo.ReadFile(path)
			default:
				_, err = openSource(Input{File: path, Args: []int{0}})
			}
			if !errors.Is(err, regular.ErrNotRegular) {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}
