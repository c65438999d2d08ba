package resume

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Checkpoints has a run write checkpoints: the live-in values of its loops, as additive shares,
// from which a later run can resume.
//
// Loops are those of main, including the loops of functions that main calls. There is no checkpoint
// in nested loops, in loops within branches, in loops whose end is secret, or in loops that carry
// complex secrets. Values that are public or owner-local are not written: the resumed run computes
// them again, from the same inputs. The resumed run is a new session with its own randomness; only
// the shares are reused.
//
// Writing a checkpoint sends no message. The run continues while shares are written, up to the next
// checkpoint, where it waits until they are on disk. So no party sends anything past a checkpoint
// before its shares of the previous one are on disk. Hence at least one of the newest three
// checkpoints of any party (checkpoint.Kept) exists at all parties, unless some party could not
// write.
type Checkpoints struct {
	// Every is the number of iterations of a loop between two checkpoints; it must be positive. The end of a
	// loop is a checkpoint too.
	Every int
	// Folder contains a folder for each party, named after it. If it is "", nothing is written.
	Folder string
	// Resume says that the run starts from the newest checkpoint in Folder that all parties have. If there is
	// none, the run starts at the program's beginning.
	Resume bool
	// Written, if not nil, is called for each checkpoint that was written or could not be written. After a
	// failure the run continues, and earlier checkpoints stay. It may be called from several goroutines.
	Written func(Checkpoint)
	// Resumed, if not nil, is called for each party with the program point at which the run starts, before
	// anything is shared. If it returns an error, the run ends with that error. It may be called from several
	// goroutines.
	Resumed func(Checkpoint) error
}

// Checkpoint describes one party's checkpoint, or the point from which a run starts.
type Checkpoint struct {
	Party string // name of the party
	ID    string // id of the checkpoint, the same at all parties; "" for the program's beginning
	// Loop and Iteration are the program point. Loop is the number of a loop of the program, from 0. Iteration
	// is the number of its iterations that are done; if it is 0, all earlier loops have ended and this one has
	// not begun.
	Loop, Iteration int
	Bytes           int   // size on disk
	Err             error // why the checkpoint could not be written; nil if it was
}

// Place returns the program point as text for users, who count loops from 1: "loop 1, iteration 50", "the end of
// loop 1" or "the beginning".
func (c Checkpoint) Place() string {
	switch {
	case c.Iteration > 0:
		return fmt.Sprintf("loop %d, iteration %d", c.Loop+1, c.Iteration)
	case c.Loop > 0:
		return fmt.Sprintf("the end of loop %d", c.Loop)
	}
	return "the beginning"
}

// partyFolder is the path of a party's folder.
func (c *Checkpoints) partyFolder(name string) string { return filepath.Join(c.Folder, name) }

// Remove removes the folders of these parties with all their checkpoints.
func (c *Checkpoints) Remove(parties ...string) error {
	var errs []error
	for _, name := range parties {
		errs = append(errs, os.RemoveAll(c.partyFolder(name)))
	}
	return errors.Join(errs...)
}
