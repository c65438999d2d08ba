package store

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/mpc/correlation"
)

// State is the state of a session at one party, as commands print it.
type State string

// The states. A session in state Making or Begun is locked by the process that uses it.
const (
	Making     State = "making"     // a process is writing the file
	Unfinished State = "unfinished" // the process that was writing the file has ended without finishing
	Ready      State = "ready"      // a run can use the session
	Begun      State = "in use"     // a run is using the session
	Crashed    State = "crashed"    // the run that was using the session has ended without closing it
	Spent      State = "spent"      // a run has used the session; its contents are destroyed
)

// The extensions of file names.
const (
	makingEnd = ".making"
	readyEnd  = ".ready"
	begunEnd  = ".begun"
	spentEnd  = ".spent"
)

// Folder is the part of a store that belongs to one party: a folder with one file for each session. Correlated
// randomness may be used once only, so a folder also counts how many of its sessions have been begun (Mark).
type Folder struct {
	Party  string  // name of the party
	Memory *Memory // counts the folder's uses a second time, outside of it; nil if nothing does
	// Notice, if not nil, is called with one line for the user when sessions are removed because they were copied or
	// restored from a backup.
	Notice func(text string)
	path   string
}

// Open opens a party's folder of the store at path store. If there is none, the error is a *MissingError.
func Open(store, party string) (*Folder, error) {
	f := &Folder{Party: party, path: filepath.Join(store, party)}
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &MissingError{Folder: f.path}
	}
	if err == nil && !info.IsDir() {
		err = errors.New("is not a folder")
	}
	if err != nil {
		return nil, f.inFolder(err)
	}
	return f, nil
}

// Create opens a party's folder of the store at path store. If the folder does not exist, Create makes it, readable
// by the user only and marked as a cache, which backup programs may leave out.
func Create(store, party string) (*Folder, error) {
	f := &Folder{Party: party, path: filepath.Join(store, party)}
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, f.inFolder(err)
	}
	err := f.locked(func() error {
		if marks, err := f.marks(); err != nil || len(marks) > 0 {
			return err
		}
		if err := os.WriteFile(filepath.Join(f.path, cacheTag), []byte(cacheTagText), 0o600); err != nil {
			return f.inFolder(err)
		}
		return f.createMark()
	})
	return f, err
}

// cacheTag is the file by which backup programs know a folder that they may leave out (the Cache
// Directory Tagging Specification, bford.info/cachedir).
const (
	cacheTag     = "CACHEDIR.TAG"
	cacheTagText = `Signature: 8a477f597d28d172789f06886806bc55
# Correlated randomness of Tacet, each session of which is used once. Do not back up or copy this folder.
`
)

// Folders opens the folders of all parties of the store at path store, in the order of the parties' names. It returns
// an error if there are none.
func Folders(store string) ([]*Folder, error) {
	entries, err := os.ReadDir(store)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var out []*Folder
	for _, e := range entries {
		if e.IsDir() {
			out = append(out, &Folder{Party: e.Name(), path: filepath.Join(store, e.Name())})
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("store: %s: there are no parties' folders here (tacet offline makes them)", store)
	}
	return out, nil
}

// inFolder adds the folder to an error.
func (f *Folder) inFolder(err error) error {
	return fmt.Errorf("store: %s: %w", f.path, withoutPath(err))
}

// ofSession adds the folder and the session to an error.
func (f *Folder) ofSession(id correlation.SessionID, err error) error {
	return f.inFolder(fmt.Errorf("session %v: %w", id, withoutPath(err)))
}

// withoutPath is an error of the operating system without its path, which the messages have
// already.
func withoutPath(err error) error {
	switch e := err.(type) {
	case *fs.PathError:
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	case *os.LinkError:
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}

func (f *Folder) filePath(id correlation.SessionID, end string) string {
	return filepath.Join(f.path, id.String()+end)
}

func (f *Folder) exists(id correlation.SessionID, end string) bool {
	_, err := os.Lstat(f.filePath(id, end))
	return err == nil
}

// Entry describes one session of a folder.
type Entry struct {
	Session correlation.SessionID
	State   State // its state at this party
	Size    int64 // size of its file in bytes
}

// Entries returns the sessions of the folder, the oldest first. Other files in the folder are ignored.
func (f *Folder) Entries() ([]Entry, error) {
	files, err := os.ReadDir(f.path)
	if err != nil {
		return nil, f.inFolder(err)
	}
	found := map[correlation.SessionID]Entry{}
	for _, file := range files {
		name, end, _ := strings.Cut(file.Name(), ".")
		id, err := correlation.ParseSessionID(name)
		if err != nil {
			continue
		}
		state, size, err := f.state(id, "."+end)
		if err != nil {
			return nil, f.ofSession(id, err)
		}
		// Of several files the later state counts: if a ready file came back, from a backup for
		// example, its session is used all the same.
		if state != "" && rank(state) > rank(found[id].State) {
			found[id] = Entry{id, state, size}
		}
	}
	out := make([]Entry, 0, len(found))
	for _, e := range found {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return slices.Compare(a.Session[:], b.Session[:]) })
	return out, nil
}

// Ready returns the number of sessions that are ready. It reads file names only and takes no locks, so that it
// disturbs no other process.
func (f *Folder) Ready() (int, error) {
	files, err := os.ReadDir(f.path)
	if err != nil {
		return 0, f.inFolder(err)
	}
	n := 0
	for _, file := range files {
		name, ready := strings.CutSuffix(file.Name(), readyEnd)
		if _, err := correlation.ParseSessionID(name); ready && err == nil {
			n++
		}
	}
	return n, nil
}

func rank(s State) int {
	return slices.Index([]State{Making, Unfinished, Ready, Begun, Crashed, Spent}, s)
}

// state is the state of a session by one of its files: "" if the file is gone or has another
// extension.
func (f *Folder) state(id correlation.SessionID, end string) (State, int64, error) {
	file, err := os.Open(f.filePath(id, end))
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil // renamed meanwhile
	}
	if err != nil {
		return "", 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return "", 0, err
	}
	switch end {
	case readyEnd:
		return Ready, info.Size(), nil
	case spentEnd:
		return Spent, info.Size(), nil
	case makingEnd, begunEnd:
	default:
		return "", 0, nil
	}
	free, err := durable.Unlocked(file)
	switch {
	case err != nil:
		return "", 0, err
	case end == makingEnd && free:
		return Unfinished, info.Size(), nil
	case end == makingEnd:
		return Making, info.Size(), nil
	case !free:
		return Begun, info.Size(), nil
	case !f.exists(id, begunEnd): // it has just ended, as spent
		return "", 0, nil
	}
	return Crashed, info.Size(), nil
}

// header reads the header of a session that is ready or in use, and checks that its file is the one that
// the folder's generation wrote.
func (f *Folder) header(e Entry, generation string) (*Header, error) {
	end := readyEnd
	if e.State == Begun {
		end = begunEnd
	}
	file, err := os.Open(f.filePath(e.Session, end))
	if err != nil {
		return nil, f.ofSession(e.Session, err)
	}
	defer file.Close()
	h, _, err := f.read(e.Session, file)
	if err == nil {
		err = checkOwn(h, file, generation)
	}
	if err != nil {
		return nil, f.ofSession(e.Session, err)
	}
	return h, nil
}

// read reads the header of a session's file and checks that it belongs to this session and party.
func (f *Folder) read(id correlation.SessionID, r io.Reader) (*Header, int64, error) {
	h, size, err := readHeader(r)
	if err == nil && (h.Session != id || h.Party != f.Party) {
		err = fmt.Errorf("it is session %v of %s (a session's file stays with its party)", h.Session, h.Party)
	}
	return h, size, err
}

// sync makes the folder's names durable.
func (f *Folder) sync() error { return durable.SyncDir(f.path) }
