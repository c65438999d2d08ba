package node

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// TestRoom checks that the placeholders are at least as large as the results, and that writing the
// results removes them.
func TestRoom(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "results")
	size := func() (total int64, names int) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				t.Fatal(err)
			}
			total += info.Size()
		}
		return total, len(entries)
	}
	x := tensor.FromFloats(tensor.F32, tensor.Shape{1000}, make([]float64, 1000))
	if err := reserveDiskSpace(folder, []tensor.Type{x.Type}); err != nil {
		t.Fatal(err)
	}
	held, _ := size()
	if err := writeReservedResults(folder, []*tensor.Array{x}); err != nil {
		t.Fatal(err)
	}
	kept, names := size()
	if names != 1 || kept < 4000 || held != kept+spareBytes {
		t.Errorf("held %d bytes, kept %d in %d files", held, kept, names)
	}
	if err := reserveDiskSpace(filepath.Join(folder, "out0.npy"), nil); err == nil {
		t.Error("room in a file")
	}
}
