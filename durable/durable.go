// Package durable writes files atomically: after a power cut, a kill or on a full disk a file holds
// either its new content or its previous one, never a part.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile replaces a file's content and returns when it is on stable storage. The new content is
// written to a temporary file in the same folder, synced, and renamed. After an error the previous
// content is unchanged. Concurrent writers of one file must synchronise themselves.
func WriteFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, os.Rename)
}

// CreateFile is WriteFile for a new file: if the file exists, it fails with fs.ErrExist.
func CreateFile(path string, data []byte, mode os.FileMode) error {
	return write(path, data, mode, func(tmp, path string) error {
		if err := os.Link(tmp, path); err != nil {
			return err
		}
		return os.Remove(tmp)
	})
}

// write writes a temporary file, which take then moves to path.
func write(path string, data []byte, mode os.FileMode, take func(tmp, path string) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+tempSuffix)
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

// tempSuffix is the pattern at the end of a temporary file's name.
const tempSuffix = "-*.tmp"

// RemoveUnfinished removes the temporary files that killed writers have left in a folder. There must
// be no concurrent writers.
func RemoveUnfinished(dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if left, _ := filepath.Match(".*"+tempSuffix, e.Name()); left {
			err = errors.Join(err, os.Remove(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// SyncDir syncs a folder, so that its file names are on stable storage.
func SyncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
