package checkpoint

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/regular"
)

// Kept is the number of newest checkpoints that a folder keeps.
const Kept = 3

// Folder is a folder on disk with the newest checkpoints of one party in one run. Its methods must not be called
// concurrently.
type Folder struct{ dir string }

// Open returns the folder dir. It creates dir if it is missing, and removes files that a crash left incomplete.
// No other process may use the folder at the same time.
func Open(dir string) (*Folder, error) {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = durable.RemoveUnfinished(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	return &Folder{dir}, nil
}

const extension = ".checkpoint"

// name returns the checkpoint's file name. Names sort by program point.
func (h *Header) name() string {
	return fmt.Sprintf("%s-%x%s", pointName(h.Loop, h.Iteration), sha256.Sum256([]byte(h.ID)), extension)
}

func pointName(loop, iteration int) string { return fmt.Sprintf("%010d-%010d", loop, iteration) }

// names returns the checkpoint files, the earliest program point first.
func (f *Folder) names() ([]string, error) {
	entries, err := os.ReadDir(f.dir)
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), extension) && e.Type().IsRegular() {
			out = append(out, e.Name())
		}
	}
	slices.Sort(out)
	return out, nil
}

// Save writes a checkpoint atomically, then removes the oldest ones so that at most Kept remain. It returns the
// size of the written file in bytes. If only the removal failed, err is not nil and the checkpoint is stored.
func (f *Folder) Save(c *Checkpoint) (bytes int, err error) {
	text, err := c.encode()
	if err == nil {
		err = durable.WriteFile(filepath.Join(f.dir, c.name()), text, 0o600)
	}
	if err != nil {
		return 0, fmt.Errorf("checkpoint: %w", err)
	}
	names, err := f.names()
	if err != nil {
		return len(text), err
	}
	return len(text), f.remove(names[:max(0, len(names)-Kept)])
}

func (f *Folder) remove(names []string) error {
	var errs []error
	for _, name := range names {
		if err := os.Remove(filepath.Join(f.dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, fmt.Errorf("checkpoints: %w", err))
		}
	}
	return errors.Join(errs...)
}

// List returns the headers of the intact checkpoints, ordered from the earliest program point to the latest, and
// an error that wraps ErrDamaged for each damaged file. If the folder cannot be read, err is not nil.
func (f *Folder) List() (headers []Header, damaged []error, err error) {
	names, err := f.names()
	if err != nil {
		return nil, nil, err
	}
	for _, name := range names {
		c, err := f.read(name)
		switch {
		case errors.Is(err, ErrDamaged):
			damaged = append(damaged, err)
		case err != nil:
			return nil, nil, err
		default:
			headers = append(headers, c.Header)
		}
	}
	return headers, damaged, nil
}

func (f *Folder) read(name string) (*Checkpoint, error) {
	text, err := regular.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	c, err := decode(text)
	if err == nil && c.name() != name {
		err = fmt.Errorf("%w: its name does not match its header", ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", filepath.Join(f.dir, name), err)
	}
	return c, nil
}

// Load reads the checkpoint whose header List has returned. A file that has been damaged since gives an error
// that wraps ErrDamaged.
func (f *Folder) Load(h Header) (*Checkpoint, error) { return f.read(h.name()) }

// Rewind prepares the folder for a run that resumes at a program point (before an iteration of a loop, as in
// Header) from the checkpoint with this id: it removes all checkpoints at or after that point, except that one.
// An empty id says that the run starts at the beginning: Rewind then removes all checkpoints.
func (f *Folder) Rewind(id string, loop, iteration int) error {
	names, err := f.names()
	if err != nil {
		return err
	}
	own := Header{ID: id, Loop: loop, Iteration: iteration}
	return f.remove(slices.DeleteFunc(names, func(name string) bool {
		return id != "" && (name == own.name() || name < pointName(loop, iteration))
	}))
}

// LinkTo creates the folder dir, which must not exist, with hard links to this folder's checkpoints. Later
// changes to one of the folders do not affect the other.
func (f *Folder) LinkTo(dir string) error {
	names, err := f.names()
	if err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return fmt.Errorf("checkpoints: %w", err)
	}
	for _, name := range names {
		if err := os.Link(filepath.Join(f.dir, name), filepath.Join(dir, name)); err != nil {
			return fmt.Errorf("checkpoints: %w", err)
		}
	}
	return durable.SyncDir(dir)
}
