// Package regular opens regular files and refuses everything else. A path that somebody else chose can
// name a FIFO, whose opening waits for a writer, or a device, whose content never ends.
package regular

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error, possibly wrapped, of Open and ReadFile for a path that names neither a regular
// file nor a folder.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a regular file, or a link to one, for reading. For other files, such as devices, FIFOs and sockets,
// it returns ErrNotRegular without waiting for them, and for folders EISDIR.
func Open(path string) (*os.File, error) {
	if info, err := os.Stat(path); err == nil { // opening a device can have effects of its own
		if err := check(path, info); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil { // the path may name another file by now
		err = check(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// firstBytes bounds the memory that ReadFile takes before it has read anything: some files tell a size that they do not have.
const firstBytes = 1 << 20

// ReadFile returns the whole content of a regular file. Errors are those of Open.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if info, err := f.Stat(); err == nil {
		b.Grow(int(min(max(info.Size(), 0), firstBytes)) + bytes.MinRead)
	}
	_, err = b.ReadFrom(f)
	return b.Bytes(), err
}

func check(path string, info fs.FileInfo) error {
	switch {
	case info.Mode().IsRegular():
		return nil
	case info.IsDir():
		return &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR} // as reading it says
	}
	return &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
}
