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
)

// Kept is how many checkpoints a folder keeps, the newest.
const Kept = 3

// Folder holds the checkpoints of one party and one run. It is used by one
// goroutine at a time.
type Folder struct{ dir string }

// Open makes a folder, or takes over one that is there, with what a crash left
// half written removed. Nobody else may use it meanwhile.
func Open(dir string) (*Folder, error) {
	err := os.MkdirAll(dir, 0o700)
	if err == nil {
		err = durable.Sweep(dir)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoints: %w", err)
	}
	return &Folder{dir}, nil
}

const extension = ".checkpoint"

// name is a checkpoint's file: names are in the order of places.
func (h *Header) name() string {
	return fmt.Sprintf("%s-%x%s", place(h.Loop, h.Turn), sha256.Sum256([]byte(h.ID)), extension)
}

func place(loop, turn int) string { return fmt.Sprintf("%010d-%010d", loop, turn) }

// names are the files, the oldest place first.
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

// Save writes a checkpoint, all of it or nothing, and then removes the oldest
// where there are more than are kept. It returns how many bytes were written.
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

// List is what lies there, the oldest place first, as far as it is whole; damaged
// are the files that are not.
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
	text, err := os.ReadFile(filepath.Join(f.dir, name))
	if err != nil {
		return nil, fmt.Errorf("checkpoint: %w", err)
	}
	c, err := decode(text)
	if err == nil && c.name() != name {
		err = fmt.Errorf("%w: it has another's name", ErrDamaged)
	}
	if err != nil {
		return nil, fmt.Errorf("checkpoint %s: %w", filepath.Join(f.dir, name), err)
	}
	return c, nil
}

// Load reads a checkpoint that List gave.
func (f *Folder) Load(h Header) (*Checkpoint, error) { return f.read(h.name()) }

// GoOn removes what a run leaves behind that goes on from a place with the
// checkpoint of that ID, or, with "", from the beginning: what lies beyond it,
// and others of its place.
func (f *Folder) GoOn(id string, loop, turn int) error {
	names, err := f.names()
	if err != nil {
		return err
	}
	own := Header{ID: id, Loop: loop, Turn: turn}
	return f.remove(slices.DeleteFunc(names, func(name string) bool {
		return id != "" && (name == own.name() || name < place(loop, turn))
	}))
}

// LinkTo has another folder, which is made, hold the same checkpoints: what
// becomes of them there they do not notice here.
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
