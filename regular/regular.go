// Package regular opens regular files and refuses everything else. A path that somebody else chose can
// name a FIFO, whose opening waits for a writer, or a device, whose content never ends.
package regular

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is the error of a path that names something that is no regular file.
var ErrNotRegular = errors.New("it is not a regular file")

// Open opens a regular file for reading, or a link to one. Other files, such as devices, FIFOs and
// sockets, are refused with ErrNotRegular, without waiting for them, and folders with EISDIR.
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

// ReadFile returns the content of a regular file, as Open does.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
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
