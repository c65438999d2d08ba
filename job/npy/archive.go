package npy

import (
	"archive/zip"
	"fmt"
	"io"
	"strings"

	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/tensor"
)

// Archive is an open .npz file: a zip archive of named arrays. OpenArchive and NewArchive make it.
type Archive struct {
	names   []string
	entries map[string]*zip.File
	close   func() error
}

// maxDeflate is the maximum number of bytes that one byte of deflated data can expand to.
const maxDeflate = 1032

// OpenArchive opens an .npz file, which must be a regular file, and reads its directory as NewArchive does. The
// caller must Close it.
func OpenArchive(path string) (*Archive, error) {
	f, err := regular.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	a, err := NewArchive(f, info.Size())
	if err != nil {
		f.Close()
		return nil, err
	}
	a.close = f.Close
	return a, nil
}

// NewArchive reads the directory of an .npz file of size bytes from r, which must stay readable while the
// Archive is used. It returns an error if the directory is damaged, has a name twice, or has an entry that
// claims more bytes than the file can hold.
func NewArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not an .npz archive: %w", err)
	}
	a := &Archive{entries: make(map[string]*zip.File, len(z.File)), close: func() error { return nil }}
	for _, f := range z.File {
		name := strings.TrimSuffix(f.Name, ".npy")
		if a.entries[name] != nil {
			return nil, fmt.Errorf("array %q is in the archive twice", name)
		}
		packed, most := f.CompressedSize64, f.CompressedSize64
		if f.Method == zip.Deflate && packed <= uint64(size) {
			most = packed * maxDeflate
		}
		if packed > uint64(size) || f.UncompressedSize64 > most {
			return nil, fmt.Errorf("array %q claims more bytes than the archive can hold", name)
		}
		a.names = append(a.names, name)
		a.entries[name] = f
	}
	return a, nil
}

// Names returns the names of the arrays, without ".npy", in the archive's order. The caller must not change the
// slice.
func (a *Archive) Names() []string { return a.names }

// Type returns the element type and shape of the array with this name (without ".npy"). It reads the header, not
// the data. It returns an error if there is no such array, if the header is malformed, or if the element type is
// not supported.
func (a *Archive) Type(name string) (tensor.Type, error) {
	var t tensor.Type
	err := a.open(name, func(r *Reader) error {
		t = r.Type()
		return nil
	})
	return t, err
}

// Read reads the array with this name (without ".npy"). It returns an error if there is none, if its header or
// data is malformed, or if its element type is not supported.
func (a *Archive) Read(name string) (*tensor.Array, error) {
	var out *tensor.Array
	err := a.open(name, func(r *Reader) (err error) {
		out, err = r.Array()
		return err
	})
	return out, err
}

// Close closes the file that OpenArchive has opened. For an Archive of NewArchive it does nothing.
func (a *Archive) Close() error { return a.close() }

func (a *Archive) open(name string, use func(*Reader) error) error {
	f := a.entries[name]
	if f == nil {
		return fmt.Errorf("array %q is not in the archive", name)
	}
	rc, err := f.Open()
	if err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	defer rc.Close()
	r, err := NewReader(rc, int64(f.UncompressedSize64))
	if err == nil {
		err = use(r)
	}
	if err != nil {
		return fmt.Errorf("array %q: %w", name, err)
	}
	return nil
}
