package launch

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// program is the name of the program's file on a host.
const program = "tacet"

// pack writes the files that a host needs as a compressed tar archive: the program, read from the path
// from, and the daemon's own files of the folder dir.
func (h *host) pack(w io.Writer, dir, from string) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	err = pack(t, from, program, 0o700)
	for _, name := range h.Files() {
		if err == nil {
			err = pack(t, filepath.Join(dir, name), filepath.ToSlash(name), 0o600)
		}
	}
	if err != nil {
		return err
	}
	return errors.Join(t.Close(), z.Close())
}

func pack(t *tar.Writer, path, name string, mode int64) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := t.WriteHeader(&tar.Header{Name: name, Mode: mode, Size: info.Size(), ModTime: info.ModTime()}); err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return err
}
