package store

import (
	"cmp"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/durable"
)

// ErrCopied is the error of a session whose file is a copy of the one that was written, and of a folder that is an
// older state of itself, such as one restored from a backup: its sessions may have been used since.
var ErrCopied = errors.New("copied or restored from a backup")

// Mark says how far a folder has been used. The mark of a folder only grows, so a folder whose mark is below one that
// was seen before is an older copy.
type Mark struct {
	// Generation is 32 hexadecimal digits, drawn when the folder is created or emptied.
	Generation string `json:"generation"`
	// Uses is at least the number of sessions that runs have begun in this generation.
	Uses uint64 `json:"uses"`
	// Proof shows the folder that it has had this mark: 32 hexadecimal digits. Only the marks that other parties get
	// have one. Without it, a party could make up a mark and so have a store emptied that also has sessions with
	// other parties.
	Proof string `json:"proof,omitempty"`
}

// A folder's mark is the name of a file in it: "generation-", the generation, "-" and the uses. A rename
// counts one more. The file contains the generation's secret, from which proofs are computed.
const (
	markPrefix  = "generation-"
	secretBytes = 32
)

func (m Mark) fileName() string {
	return markPrefix + m.Generation + "-" + strconv.FormatUint(m.Uses, 10)
}

// parseMark reads what fileName writes.
func parseMark(name string) (m Mark, ok bool) {
	text, ok := strings.CutPrefix(name, markPrefix)
	if !ok {
		return m, false
	}
	var uses string
	var err error
	if m.Generation, uses, ok = strings.Cut(text, "-"); !ok || !validGeneration(m.Generation) {
		return m, false
	}
	m.Uses, err = strconv.ParseUint(uses, 10, 64)
	return m, err == nil && m.fileName() == name
}

func validGeneration(text string) bool {
	raw, err := hex.DecodeString(text)
	return err == nil && len(raw) == 16 && hex.EncodeToString(raw) == text
}

// newMark draws a generation.
func newMark() Mark {
	var b [16]byte
	rand.Read(b[:]) // does not fail
	return Mark{Generation: hex.EncodeToString(b[:])}
}

// marks lists the folder's marks, the most used last.
func (f *Folder) marks() ([]Mark, error) {
	files, err := os.ReadDir(f.path)
	if err != nil {
		return nil, f.inFolder(err)
	}
	var out []Mark
	for _, file := range files {
		if m, ok := parseMark(file.Name()); ok {
			out = append(out, m)
		}
	}
	slices.SortFunc(out, func(a, b Mark) int { return cmp.Compare(a.Uses, b.Uses) })
	return out, nil
}

// Mark returns how far the folder has been used. Generation is "" in a folder without a mark, whose sessions cannot
// be used. Two marks, of which one was restored, are an error that wraps ErrCopied.
func (f *Folder) Mark() (m Mark, err error) {
	if m, err = f.readMark(); err == nil && m.Generation != "" {
		return m, nil
	}
	// A list that was read while another process renamed the mark may have it twice, or not at all.
	lockErr := f.locked(func() error { m, err = f.readMark(); return nil })
	return m, cmp.Or(lockErr, err)
}

func (f *Folder) readMark() (Mark, error) {
	all, err := f.marks()
	switch {
	case err != nil || len(all) == 0:
		return Mark{}, err
	case len(all) > 1:
		return Mark{}, f.inFolder(fmt.Errorf("%w: it has %d marks of its use (%s, …)", ErrCopied, len(all), all[0].fileName()))
	}
	return all[0], nil
}

// Proven returns the folder's mark with its Proof, to be sent to other parties.
func (f *Folder) Proven() (Mark, error) {
	m, secret, err := f.secret()
	if err == nil && m.Generation != "" {
		m.Proof = prove(secret, m)
	}
	return m, err
}

// secret returns the folder's mark and its generation's secret.
func (f *Folder) secret() (Mark, []byte, error) {
	for {
		m, err := f.Mark()
		if err != nil || m.Generation == "" {
			return m, nil, err
		}
		secret, err := os.ReadFile(f.markPath(m))
		if errors.Is(err, fs.ErrNotExist) {
			continue // another run has counted meanwhile
		}
		if err == nil && len(secret) != secretBytes {
			err = fmt.Errorf("%w: the secret of its mark has %d bytes", ErrDamaged, len(secret))
		}
		if err != nil {
			return m, nil, f.inFolder(err)
		}
		return m, secret, nil
	}
}

// prove computes a mark's proof.
func prove(secret []byte, m Mark) string {
	h := hmac.New(sha256.New, secret)
	fmt.Fprintf(h, "tacet store\n%s\n%d\n", m.Generation, m.Uses)
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// generation returns the generation whose sessions can be used: "" if the folder is a copy.
func (f *Folder) generation() (string, error) {
	m, err := f.Mark()
	if errors.Is(err, ErrCopied) {
		return "", nil
	}
	return m.Generation, err
}

// Check compares the folder's Mark with those in its Memory. If the folder has fewer uses than before, or several
// marks, it is an older copy: Check removes its sessions and returns an error that wraps ErrCopied.
func (f *Folder) Check() error {
	if f.Memory == nil {
		return f.check("", nil)
	}
	return f.check(f.Memory.path, f.Memory.Known(f.Party))
}

// CheckPeer is Check with the marks of this folder that the party called name remembers. Marks without a right proof,
// and marks of other generations, are ignored.
func (f *Folder) CheckPeer(name string, known []Mark) error {
	m, secret, err := f.secret()
	if err != nil {
		return err
	}
	proven := slices.DeleteFunc(slices.Clone(known), func(k Mark) bool {
		return k.Generation != m.Generation || m.Generation == "" || !hmac.Equal([]byte(k.Proof), []byte(prove(secret, k)))
	})
	return f.check(name, proven)
}

// check compares the folder's mark with marks that were known before.
func (f *Folder) check(by string, known []Mark) error {
	mark, err := f.Mark() // after known
	if err == nil {
		err = f.compare(mark, by, known)
	}
	if !errors.Is(err, ErrCopied) {
		return err
	}
	ready := 0
	lockErr := f.locked(func() error {
		if mark, err = f.readMark(); err == nil {
			err = f.compare(mark, by, known)
		}
		if !errors.Is(err, ErrCopied) { // another process has renewed it
			return nil
		}
		var renewErr error
		ready, renewErr = f.renew()
		return renewErr
	})
	if errors.Is(err, ErrCopied) {
		f.notice(fmt.Sprintf("%v: %s that were ready are removed, and the store begins anew", err, countSessions(ready)))
	}
	return errors.Join(err, lockErr)
}

// compare returns an ErrCopied if the folder's mark has fewer uses than one of those that by remembers.
func (f *Folder) compare(mark Mark, by string, known []Mark) error {
	for _, k := range known {
		if k.Generation == mark.Generation && k.Uses > mark.Uses {
			return f.inFolder(fmt.Errorf("%w: its mark counts %d used sessions, %s remembers %d", ErrCopied, mark.Uses, by, k.Uses))
		}
	}
	return nil
}

func (f *Folder) notice(text string) {
	if f.Notice != nil {
		f.Notice(text)
	}
}

// renew removes all sessions that no run is using, and begins a new generation. It returns the number of
// sessions removed that were ready. The folder is locked.
func (f *Folder) renew() (ready int, err error) {
	old, err := f.marks()
	if err != nil {
		return 0, err
	}
	// The new mark comes first: from then on no session of the old generation is used.
	if err := f.createMark(); err != nil {
		return 0, err
	}
	for _, m := range old {
		if err := durable.Remove(f.markPath(m)); err != nil {
			return 0, f.inFolder(err)
		}
	}
	for s, end := range map[State]string{Ready: readyEnd, Crashed: begunEnd, Unfinished: makingEnd, Spent: spentEnd} {
		ids, err := f.sweep(s, end, unlink)
		if err != nil {
			return ready, err
		}
		if s == Ready {
			ready = len(ids)
		}
	}
	if err := f.sync(); err != nil {
		return ready, f.inFolder(err)
	}
	return ready, nil
}

func (f *Folder) markPath(m Mark) string { return filepath.Join(f.path, m.fileName()) }

// createMark begins a generation. The folder is locked.
func (f *Folder) createMark() error {
	secret := make([]byte, secretBytes)
	rand.Read(secret) // does not fail
	if err := durable.CreateFile(f.markPath(newMark()), secret, 0o600); err != nil {
		return f.inFolder(err)
	}
	return nil
}

// lockWait is how long locked waits for another process.
const lockWait = 10 * time.Second

// locked calls do while no other process or goroutine does something in locked.
func (f *Folder) locked(do func() error) error {
	dir, err := os.Open(f.path)
	if err != nil {
		return f.inFolder(err)
	}
	defer durable.Close(dir)
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		free, err := durable.Lock(dir)
		if err == nil && !free && time.Since(began) > lockWait {
			err = errors.New("another process holds its lock")
		}
		if err != nil {
			return f.inFolder(err)
		}
		if free {
			return do()
		}
	}
}

// use counts one more use of the generation, before begin gives a session to a run, and makes the mark and
// what begin did durable. Only then the folder's memory learns of it, so that it is never ahead of the
// folder.
func (f *Folder) use(generation string, begin func() error) error {
	if f.Memory != nil {
		f.Memory.mu.Lock()
		defer f.Memory.mu.Unlock()
	}
	mark, err := f.countUse(generation)
	if err != nil {
		return err
	}
	if err := begin(); err != nil {
		return err
	}
	if err := f.sync(); err != nil {
		return err
	}
	if f.Memory == nil {
		return nil
	}
	return f.Memory.remember(map[string]Mark{f.Party: mark})
}

// countUse renames the folder's mark and returns the new one.
func (f *Folder) countUse(generation string) (next Mark, err error) {
	err = f.locked(func() error {
		now, err := f.readMark()
		if err == nil && f.Memory != nil {
			err = f.compare(now, f.Memory.path, f.Memory.known[f.Party])
		}
		if err == nil && now.Generation != generation {
			err = errGeneration
		}
		if err != nil {
			return err
		}
		next = now
		next.Uses++
		return durable.Rename(f.markPath(now), f.markPath(next))
	})
	return next, err
}

var errGeneration = fmt.Errorf("%w: it is of another generation than its folder", ErrCopied)

// checkOwn returns an ErrCopied if a session's file is not the one that this folder's generation wrote.
func checkOwn(h *Header, file *os.File, generation string) error {
	if h.Generation != generation || generation == "" {
		return errGeneration
	}
	if h.File == "" {
		return nil
	}
	now, err := identity(file)
	if err == nil && now != h.File {
		err = fmt.Errorf("%w: its file is not the one that was written", ErrCopied)
	}
	return err
}

// identity is durable.Identity; tests replace it.
var identity = durable.Identity
