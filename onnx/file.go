package onnx

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/regular"
)

// File is an open ONNX file. Open and Read make it. An Imported reads weights from its File, so that Close must come
// after that.
type File struct {
	Model  *model.Model
	name   string              // base name of the file, for messages
	folder string              // folder of external data; "" if there is none
	path   string              // path of the file; "" if there is none
	open   map[string]*os.File // the file, and those with external data
}

// Open opens an ONNX file and reads its structure. It looks for external data in the file's folder.
func Open(path string) (*File, error) {
	f := &File{name: filepath.Base(path), folder: filepath.Dir(path), path: path, open: map[string]*os.File{}}
	in, err := regular.Open(path)
	if err != nil {
		return nil, problem.New(problem.Usage, path, "model cannot be read: %w", unwrapPath(err))
	}
	f.open[""] = in
	info, err := in.Stat()
	if err == nil {
		err = f.read(in, info.Size())
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Read reads the structure of a model of size bytes from r, which must stay readable while the File is used. Messages
// call it name. The model must not have external data.
func Read(name string, r io.ReaderAt, size int64) (*File, error) {
	f := &File{name: name, open: map[string]*os.File{}}
	return f, f.read(r, size)
}

func (f *File) read(r io.ReaderAt, size int64) error {
	m, err := model.Read(r, size)
	if err != nil {
		return problem.New(problem.Usage, f.name, "%w", err).With("it is no ONNX model, or it is damaged")
	}
	if m.Graph == nil {
		return problem.New(problem.Usage, f.name, "the file has no graph").With("give an ONNX model")
	}
	f.Model = m
	return nil
}

// Close closes the file and the files of its external data.
func (f *File) Close() error {
	var errs []error
	for _, in := range f.open {
		errs = append(errs, in.Close())
	}
	clear(f.open)
	return errors.Join(errs...)
}

// locate replaces a tensor's External by the bytes in the file that it names.
func (f *File) locate(t *model.Tensor) error {
	if t.External == nil {
		return nil
	}
	typ, err := t.Type()
	if err != nil {
		return err
	}
	name := t.External["location"]
	if f.folder == "" {
		return fmt.Errorf("its content is in the file %q, and the model was not opened as a file", name)
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("its content is in %q, which is outside of the model's folder", name)
	}
	in := f.open[name]
	if in == nil {
		if err := f.checkLinks(name); err != nil {
			return err
		}
		if in, err = regular.Open(filepath.Join(f.folder, filepath.FromSlash(name))); err != nil {
			return fmt.Errorf("its content is in %s, which cannot be read: %w", name, unwrapPath(err))
		}
		f.open[name] = in
	}
	info, err := in.Stat()
	if err != nil {
		return err
	}
	want := int64(typ.Shape.Size()) * int64((typ.DType.Bits()+7)/8)
	offset, n := int64(0), want
	for key, to := range map[string]*int64{"offset": &offset, "length": &n} {
		if text, ok := t.External[key]; ok {
			if *to, err = strconv.ParseInt(strings.TrimSpace(text), 10, 64); err != nil || *to < 0 {
				return fmt.Errorf("external data: %s %q is no number of bytes", key, text)
			}
		}
	}
	if n != want {
		return fmt.Errorf("external data has %d bytes, and %v needs %d", n, typ, want)
	}
	if offset > info.Size() || n > info.Size()-offset {
		return fmt.Errorf("external data: %s has %d bytes, too few for %d from offset %d on", name, info.Size(), n, offset)
	}
	t.Raw, t.External = model.External(in, offset, n), nil
	return nil
}

// checkLinks refuses a file of external data that symbolic links put elsewhere: who sends a model does not choose which files of the
// reader's become weights. It may lie in the model's folder, or, since caches of models consist of links, in that of the file to which
// the model's path leads.
func (f *File) checkLinks(name string) error {
	at, err := filepath.EvalSymlinks(filepath.Join(f.folder, filepath.FromSlash(name)))
	if err != nil {
		return fmt.Errorf("its content is in %s, which cannot be read: %w", name, unwrapPath(err))
	}
	model, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return unwrapPath(err)
	}
	folder, err := filepath.EvalSymlinks(f.folder)
	if err != nil {
		return unwrapPath(err)
	}
	for _, dir := range []string{folder, filepath.Dir(model)} {
		if rel, err := filepath.Rel(dir, at); err == nil && filepath.IsLocal(rel) {
			return nil
		}
	}
	return fmt.Errorf("its content is in %q, a link to outside of the model's folder (copy the file there)", name)
}

// unwrapPath is the cause of an error that names a path.
func unwrapPath(err error) error {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
