package job

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/job/safetensors"
	"github.com/tacet-mpc/tacet/regular"
	"github.com/tacet-mpc/tacet/tensor"
)

// source is an open input file. Its errors do not name the file.
type source interface {
	// args lists the arguments that the file provides.
	args() ([]int, error)
	// check compares an argument's type with the program's, as far as the file has types without
	// reading data.
	check(arg int, want tensor.Type) error
	// read reads an argument of this type.
	read(arg int, want tensor.Type) (*tensor.Array, error)
	Close() error
}

func openSource(in Input) (source, error) {
	if in.Fit != nil {
		f, err := regular.Open(in.File)
		if err != nil {
			return nil, err
		}
		return &fitted{Input: in}, f.Close()
	}
	if in.Table != nil {
		return openTable(in)
	}
	switch filepath.Ext(in.File) {
	case ".npz":
		a, err := npy.OpenArchive(in.File)
		if err != nil {
			return nil, err
		}
		return archive{a}, nil
	case ".safetensors":
		f, err := safetensors.Open(in.File)
		if err != nil {
			return nil, err
		}
		return archive{f}, nil
	case ".npy":
		return openSingle(in)
	}
	f, err := regular.Open(in.File)
	if err != nil {
		return nil, err
	}
	return &matrix{File: f, arg: in.Args[0]}, nil
}

// NamesArrays reports whether a file of this name holds several arrays, each with the name of the argument that it
// provides: an .npz or .safetensors file.
func NamesArrays(path string) bool {
	ext := filepath.Ext(path)
	return ext == ".npz" || ext == ".safetensors"
}

// archive is an .npz or .safetensors file: arrays named arg0, arg1, ….
type archive struct {
	arrays interface {
		Names() []string
		Type(name string) (tensor.Type, error)
		Read(name string) (*tensor.Array, error)
		Close() error
	}
}

// Close closes the file.
func (a archive) Close() error { return a.arrays.Close() }

func (a archive) args() ([]int, error) {
	var args []int
	for _, name := range a.arrays.Names() {
		digits, ok := strings.CutPrefix(name, "arg")
		n, err := strconv.ParseUint(digits, 10, 31)
		if !ok || err != nil || argName(int(n)) != name {
			return nil, fmt.Errorf("array %q does not name an argument: name arrays arg0, arg1, …, as in np.savez(file, arg0=x)", name)
		}
		args = append(args, int(n))
	}
	return args, nil
}

func (a archive) check(arg int, want tensor.Type) error {
	have, err := a.arrays.Type(argName(arg))
	if err != nil {
		return err
	}
	return sameType(arg, have, want)
}

func (a archive) read(arg int, _ tensor.Type) (*tensor.Array, error) {
	return a.arrays.Read(argName(arg))
}

func argName(arg int) string { return fmt.Sprintf("arg%d", arg) }

// single is an .npy file.
type single struct {
	*os.File
	arg   int
	array *npy.Reader
}

func openSingle(in Input) (source, error) {
	f, err := regular.Open(in.File)
	if err != nil {
		return nil, err
	}
	var r *npy.Reader
	info, err := f.Stat()
	if err == nil {
		r, err = npy.NewReader(f, info.Size())
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return single{f, in.Args[0], r}, nil
}

func (s single) args() ([]int, error) { return []int{s.arg}, nil }

func (s single) check(arg int, want tensor.Type) error { return sameType(arg, s.array.Type(), want) }

func (s single) read(int, tensor.Type) (*tensor.Array, error) { return s.array.Array() }
