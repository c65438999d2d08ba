package node

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/tensor"
)

// spare is how many bytes are kept for the report and the records of a run's
// end.
const spare = 64 << 10

// makeRoom takes the room that results of these types will need in a folder, and
// some to spare: that there is room is known before anything is shared.
func makeRoom(folder string, types []tensor.Type) error {
	zeros := make([]*tensor.Array, len(types))
	for i, t := range types {
		zeros[i] = tensor.NewArray(t)
	}
	err := job.WriteResults(folder, zeros)
	if err == nil {
		err = durable.WriteFile(filepath.Join(folder, ".spare"), make([]byte, spare), 0o600)
	}
	if err != nil {
		return fmt.Errorf("no room for the results: %w", err)
	}
	return nil
}

// fillRoom writes results where room was made for them.
func fillRoom(folder string, results []*tensor.Array) error {
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return job.WriteResults(folder, results)
}
