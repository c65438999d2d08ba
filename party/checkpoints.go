package party

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Checkpoints has a run set aside on its way what it would need to be taken up
// later: the values that loops carry, as additive shares.
//
// Loops are main's, those of functions that main calls among them; those within
// others or within branches are not, nor those that secrets end, or that carry
// complex secrets. What all parties know of what is carried, or one of them, is not
// set aside: whoever takes a run up computes it again, from the same inputs. A
// run that is taken up is another session, with randomness of its own: only the
// shares are used again.
//
// Setting aside sends nothing. The walk goes on while shares are written, to the
// next checkpoint, where it waits until that is done. So no party sends anything
// behind a checkpoint before its part of the one before that is on disk: of the
// newest three that any party has (checkpoint.Kept) one is everybody's, unless
// some party could not write.
type Checkpoints struct {
	// Every is how many turns of a loop lie between two checkpoints. Its end is one
	// too.
	Every int
	// Folder is where each party has a folder of its own, by its name. "": nothing
	// is written.
	Folder string
	// Resume has the run begin with the newest checkpoint there that all parties
	// have, if there is one; else it begins at the beginning.
	Resume bool
	// Seen, if not nil, is told of what was set aside, or could not be: then the
	// run goes on, and what was there before stays. Resumed, if not nil, is told at
	// each party where the run begins, before anything is shared; its error ends
	// the run. Both may be called from several goroutines.
	Seen    func(Checkpoint)
	Resumed func(Checkpoint) error
}

// Checkpoint says what was set aside, by whom, and where in the program.
type Checkpoint struct {
	Party string
	ID    string // the same at all parties; "" of none, the beginning
	// Loop counts from 0. Turn is how many turns of it are done; where it is 0, the
	// loops before are, and this one has not begun.
	Loop, Turn int
	Bytes      int   // written
	Err        error // why it was not
}

// Place says where in the program it is, loops counted from 1.
func (c Checkpoint) Place() string {
	switch {
	case c.Turn > 0:
		return fmt.Sprintf("loop %d, turn %d", c.Loop+1, c.Turn)
	case c.Loop > 0:
		return fmt.Sprintf("the end of loop %d", c.Loop)
	}
	return "the beginning"
}

// of is the folder of a party.
func (c *Checkpoints) of(name string) string { return filepath.Join(c.Folder, name) }

// Remove removes what parties have set aside.
func (c *Checkpoints) Remove(parties ...string) error {
	var errs []error
	for _, name := range parties {
		errs = append(errs, os.RemoveAll(c.of(name)))
	}
	return errors.Join(errs...)
}

func (c *Checkpoints) seen(x Checkpoint) {
	if c.Seen != nil {
		c.Seen(x)
	}
}

// checkCheckpoints refuses what cannot be set aside.
func (s *Spec) checkCheckpoints() error {
	c := s.Checkpoints
	switch {
	case c == nil:
		return nil
	case c.Every < 1:
		return fmt.Errorf("party: checkpoints every %d turns", c.Every)
	case s.Protocol == "plain":
		return fmt.Errorf("party: protocol plain has no shares to set aside: %w", errors.ErrUnsupported)
	case s.Seed != nil && c.Folder != "":
		return errors.New("party: a run that goes on from a checkpoint must draw its randomness anew: a fixed seed would use masks twice")
	}
	return nil
}
