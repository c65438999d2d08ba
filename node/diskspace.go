package node

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/tensor"
)

// spareBytes is the disk space, in bytes, reserved for the report and the records at a run's end.
const spareBytes = 64 << 10

// reserveDiskSpace writes placeholder results of these types, and spareBytes more, into a folder, so
// that a full disk is noticed before any input is shared.
func reserveDiskSpace(folder string, types []tensor.Type) error {
	zeros := make([]*tensor.Array, len(types))
	for i, t := range types {
		zeros[i] = tensor.NewArray(t)
	}
	err := job.WriteResults(folder, zeros)
	if err == nil {
		err = durable.WriteFile(filepath.Join(folder, ".spare"), make([]byte, spareBytes), 0o600)
	}
	if err != nil {
		return fmt.Errorf("cannot reserve disk space for the results: %w", err)
	}
	return nil
}

// writeReservedResults replaces the placeholders of reserveDiskSpace by results.
func writeReservedResults(folder string, results []*tensor.Array) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return job.WriteResults(folder, results)
}
