package ops

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// LogFile says where a daemon's log goes, when it continues in a new file, and when earlier files are removed.
// The zero value is standard error, which its reader rotates (systemd, a container's runtime).
type LogFile struct {
	Path string        // path of the present file; "" for standard error
	Size int64         // bytes of a file after which a new one starts; 0: no bound
	Age  time.Duration // age of a file after which a new one starts; 0: no bound
	Keep time.Duration // age of its last line after which an earlier file is removed; 0: never
}

// logSize is the default of LogFile.Size.
const logSize = 64 << 20

// fields are the keys of log.
func (l *LogFile) fields(level *string) yamlfile.Fields {
	l.Size = logSize
	return yamlfile.Fields{
		"level": yamlfile.Text(level), "file": yamlfile.Path(&l.Path), "size": yamlfile.Size(&l.Size),
		"age": yamlfile.Age(&l.Age), "keep": yamlfile.Age(&l.Keep),
	}
}

// OpenLog returns the logger of the daemon, and a closer for its file. Without a LogFile it logs to stderr.
// Lines that cannot be written to the file go to stderr.
func (d *Daemon) OpenLog(stderr io.Writer) (*slog.Logger, io.Closer, error) {
	if d.LogFile.Path == "" {
		log, err := Logger(stderr, d.Log)
		return log, io.NopCloser(nil), err
	}
	f := &rotatingFile{LogFile: d.LogFile, instead: stderr, now: time.Now}
	if err := f.open(); err != nil {
		return nil, nil, fmt.Errorf("log: %w", err)
	}
	f.removeOld()
	log, err := Logger(f, d.Log)
	return log, f, err
}

// rotatingFile is a log's file. A file that is followed by another one gets the time of that, in UTC, as the
// end of its name: node.log.20260102T150405.000000000Z.
type rotatingFile struct {
	LogFile
	instead io.Writer
	now     func() time.Time

	mu    sync.Mutex
	file  *os.File
	size  int64
	began time.Time
}

const logTime = "20060102T150405.000000000Z"

func (f *rotatingFile) open() error {
	file, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	if !info.Mode().IsRegular() {
		return errors.Join(fmt.Errorf("%s is not a regular file", f.Path), file.Close())
	}
	f.file, f.size, f.began = file, info.Size(), f.now()
	return nil
}

// Write writes a line. It never fails: a daemon goes on without its log.
func (f *rotatingFile) Write(line []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.size > 0 && (f.Size > 0 && f.size+int64(len(line)) > f.Size || f.Age > 0 && f.now().Sub(f.began) >= f.Age) {
		f.rotate()
	}
	if f.file == nil {
		f.instead.Write(line)
		return len(line), nil
	}
	n, err := f.file.Write(line)
	f.size += int64(n)
	if err != nil {
		f.complain(err)
		f.instead.Write(line)
	}
	return len(line), nil
}

// rotate begins a new file. If that fails, the present one goes on, or standard error.
func (f *rotatingFile) rotate() {
	if err := os.Rename(f.Path, f.Path+"."+f.now().UTC().Format(logTime)); err != nil {
		f.complain(err)
		f.began, f.size = f.now(), 1 // try again when the file has grown by as much again
		return
	}
	err := f.file.Close()
	f.file = nil
	if err = errors.Join(err, f.open()); err != nil {
		f.complain(err)
	}
	f.removeOld()
}

// removeOld removes the earlier files that are too old.
func (f *rotatingFile) removeOld() {
	if f.Keep == 0 {
		return
	}
	files, err := f.earlier()
	for _, path := range files {
		if info, serr := os.Stat(path); serr == nil && f.now().Sub(info.ModTime()) >= f.Keep {
			err = errors.Join(err, os.Remove(path))
		}
	}
	if err != nil {
		f.complain(err)
	}
}

// earlier lists the earlier files, the oldest first.
func (f *rotatingFile) earlier() ([]string, error) {
	entries, err := os.ReadDir(filepath.Dir(f.Path))
	var out []string
	for _, e := range entries {
		if end, ok := strings.CutPrefix(e.Name(), filepath.Base(f.Path)+"."); ok {
			if _, bad := time.Parse(logTime, end); bad == nil {
				out = append(out, filepath.Join(filepath.Dir(f.Path), e.Name()))
			}
		}
	}
	slices.Sort(out)
	return out, err
}

func (f *rotatingFile) complain(err error) {
	fmt.Fprintf(f.instead, "tacet: warning: log file: %v\n", err)
}

// Close closes the file. Later lines go to standard error.
func (f *rotatingFile) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}
