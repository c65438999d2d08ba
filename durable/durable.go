// Package durable writes files that a crash leaves whole: after a power cut, a
// kill or a full disk a file holds either all of what was written last or all
// of what it held before, never a part.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile replaces a file's content, and returns when it is on the disk:
// the new content is written beside it under another name, made durable, and
// then takes the file's name. Where it fails, what was there is untouched.
// Two writers of one file must keep apart by themselves.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, os.Rename)
}

// CreateFile is WriteFile for what replaces nothing: where there is a file of
// that name it fails with fs.ErrExist.
func CreateFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, func(tmp, path string) error {
		if err := os.Link(tmp, path); err != nil {
			return err
		}
		return os.Remove(tmp)
	})
}

// write writes a file under another name, and has it take its own.
func write(path string, data []byte, mode os.FileMode, take func(tmp, path string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+unfinished)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = take(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return SyncDir(filepath.Dir(path))
}

// unfinished ends the name of a file that is being written.
const unfinished = "-*.tmp"

// Sweep removes what writers have left unfinished in a folder that were killed.
// Nobody may be writing there.
func Sweep(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if left, _ := filepath.Match(".*"+unfinished, e.Name()); left {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// SyncDir makes durable which names a folder holds.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
