// Package durable writes files atomically. After a power failure, after the process was killed, or on a full
// disk, a file has either its new content or its previous content, never a part of one. The package also locks
// files between processes.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile replaces a file's content, with these permissions, and returns when the content is on stable
// storage. It writes a temporary file in the same folder, syncs it and renames it to path. If writing or
// renaming fails, the previous content is unchanged. Callers must not write the same file concurrently if they
// need to know whose content stays.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, Rename)
}

// CreateFile writes a new file atomically, as WriteFile does. If the file exists, CreateFile changes nothing and
// returns an error for which errors.Is(err, fs.ErrExist) is true.
func CreateFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, func(tmp, path string) error {
		if err := before("link", path); err != nil {
			return err
		}
		if err := os.Link(tmp, path); err != nil {
			return err
		}
		return Remove(tmp)
	})
}

// write writes a temporary file, which take then moves to path.
func write(path string, data []byte, mode os.FileMode, take func(tmp, path string) error) error {
	if err := before("create", path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+tempSuffix)
	if err != nil {
		return err
	}
	if err = before("write", path); err == nil {
		_, err = f.Write(data)
	}
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = Sync(f)
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

// tempSuffix is the pattern at the end of a temporary file's name.
const tempSuffix = "-*.tmp"

// RemoveUnfinished removes the temporary files that interrupted calls of WriteFile and CreateFile have left in
// the folder dir. No process may be writing files there.
func RemoveUnfinished(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if left, _ := filepath.Match(".*"+tempSuffix, e.Name()); left {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// SyncDir writes a folder's list of names to stable storage, so that files that were just created or renamed in
// it survive a power failure.
func SyncDir(dir string) error {
	if err := before("sync", dir); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
