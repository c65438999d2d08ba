package audit

import (
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

// Rotation says when a log starts a new file, and when its earlier files are removed. With the zero value the
// log is one file, for ever.
//
// The log's present file is always at its path. A file that is full is renamed: a number is appended to its
// path, as in audit.log.000001. The first event of the next file has the kind Continued, the number of all lines
// before it and, like every event, the hash of the last one. So the chain, the numbers of lines and the signed
// head continue across files. If earlier files are removed, the chain begins with a Continued event, which says
// how many lines are missing.
type Rotation struct {
	Size int64         // bytes of a file after which the next event starts a new file; 0: no bound
	Age  time.Duration // age of a file's first event after which the next event starts a new file; 0: no bound
	Keep time.Duration // age of its last event after which an earlier file is removed; 0: never
	// Failed, if not nil, is called with the error if a file cannot be renamed or removed. The log continues in
	// the present file.
	Failed func(error)
}

// due reports whether the next event begins a new file.
func (l *Log) due(now time.Time) bool {
	r := l.rotation
	return l.size > 0 && (r.Size > 0 && l.size >= r.Size || r.Age > 0 && now.Sub(l.began) >= r.Age)
}

// rotate begins a new file if the present one is full. If the present one cannot be renamed, the log goes on
// with it.
func (l *Log) rotate() error {
	if !l.due(time.Now()) {
		return nil
	}
	files, err := earlier(l.path)
	if err != nil {
		l.fail(err)
		return nil
	}
	number := 1
	if len(files) > 0 {
		number = numberOf(l.path, files[len(files)-1]) + 1
	}
	if err := os.Rename(l.path, fmt.Sprintf("%s.%06d", l.path, number)); err != nil {
		l.fail(err)
		return nil
	}
	old := l.file
	l.file, l.size = nil, 0
	err = l.lock()
	if err == nil {
		err = l.write(Event{Kind: Continued, Lines: l.lines})
	}
	if err == nil {
		err = durable.SyncDir(filepath.Dir(l.path))
	}
	err = errors.Join(err, durable.Close(old))
	if err != nil {
		l.broken = err // a restart finds the files as they are
		return err
	}
	l.removeOld()
	return nil
}

// removeOld removes the earlier files whose last event is too old, the oldest first.
func (l *Log) removeOld() {
	if l.rotation.Keep == 0 {
		return
	}
	files, err := earlier(l.path)
	for _, path := range files {
		info, serr := os.Stat(path)
		if serr != nil || time.Since(info.ModTime()) < l.rotation.Keep { // the time of the last event
			err = errors.Join(err, serr)
			break
		}
		if rerr := os.Remove(path); rerr != nil {
			err = errors.Join(err, rerr)
			break // a gap would break the chain
		}
	}
	if err != nil {
		l.fail(err)
	}
}

func (l *Log) fail(err error) {
	if l.rotation.Failed != nil {
		l.rotation.Failed(l.wrap(err))
	}
}

// earlier lists the earlier files of the log at a path, the oldest first.
func earlier(path string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	var out []string
	for _, e := range entries {
		if file := filepath.Join(filepath.Dir(path), e.Name()); numberOf(path, file) > 0 {
			out = append(out, file)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return numberOf(path, a) - numberOf(path, b) })
	return out, nil
}

// numberOf returns the number of an earlier file of the log at a path; 0 if the file is none.
func numberOf(path, file string) int {
	digits, ok := strings.CutPrefix(filepath.Base(file), filepath.Base(path)+".")
	n, err := strconv.ParseUint(digits, 10, 31)
	if !ok || err != nil || fmt.Sprintf("%06d", n) != digits {
		return 0
	}
	return int(n)
}

// openAll opens the files of the log at a path, the oldest first; the last one is the present one, nil if there
// is none yet. The log may be written and begin new files at the same time.
func openAll(path string) ([]*os.File, error) {
	for try := 0; ; try++ {
		before, err := earlier(path)
		if err != nil {
			return nil, err
		}
		present, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) && len(before) > 0 {
			present, err = nil, nil // the process ended between two files
		}
		if err != nil {
			return nil, fmt.Errorf("audit: %w", err)
		}
		after, err := earlier(path)
		if err == nil && !slices.Equal(before, after) && try < 10 { // a new file was begun meanwhile
			closeAll([]*os.File{present})
			continue
		}
		var files []*os.File
		for _, name := range before {
			f, err := os.Open(name)
			if err != nil {
				closeAll(append(files, present))
				return nil, fmt.Errorf("audit: %w", err)
			}
			files = append(files, f)
		}
		return append(files, present), nil
	}
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}
