package job

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/tensor"
)

// WriteResults writes the results as NumPy files out0.npy, out1.npy and so on into dir, which it creates if
// necessary. It renames the files to their final names only when all of them are complete, so that a failure
// leaves the previous files unchanged.
func WriteResults(dir string, results []*tensor.Array) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("job: write results: %w", err)
	}
	tmp, err := os.MkdirTemp(dir, ".tacet-")
	if err != nil {
		return fmt.Errorf("job: write results: %w", err)
	}
	defer os.RemoveAll(tmp)
	for i, a := range results {
		if err := npy.WriteFile(filepath.Join(tmp, outFile(i)), a); err != nil {
			return fmt.Errorf("job: write result %d: %w", i, err)
		}
	}
	for i := range results {
		if err := os.Rename(filepath.Join(tmp, outFile(i)), filepath.Join(dir, outFile(i))); err != nil {
			return fmt.Errorf("job: write result %d: %w", i, err)
		}
	}
	return nil
}

func outFile(i int) string { return fmt.Sprintf("out%d.npy", i) }
