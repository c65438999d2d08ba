package job

import (
	"fmt"
	"path/filepath"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/job/safetensors"
	"github.com/tacet-mpc/tacet/tensor"
)

// FileType is the element type and the shape of one array of a file.
type FileType struct {
	Name string // the array's name in the file; "" in an .npy file
	Type tensor.Type
}

// FileTypes returns the types of the arrays in an .npy, .npz or .safetensors file, in the file's order. It reads
// headers only. Its errors do not contain the path.
func FileTypes(path string) ([]FileType, error) {
	switch filepath.Ext(path) {
	case ".npy":
		s, err := openSingle(Input{File: path, Args: []int{0}})
		if err != nil {
			return nil, err
		}
		defer s.Close()
		return []FileType{{Type: s.(single).array.Type()}}, nil
	case ".npz":
		a, err := npy.OpenArchive(path)
		if err != nil {
			return nil, err
		}
		return archive{a}.types()
	case ".safetensors":
		a, err := safetensors.Open(path)
		if err != nil {
			return nil, err
		}
		return archive{a}.types()
	}
	return nil, fmt.Errorf("want an .npy, .npz or .safetensors file, whose header has the types of its arrays")
}

// types returns the types of all arrays and closes the file.
func (a archive) types() ([]FileType, error) {
	defer a.Close()
	var out []FileType
	for _, name := range a.arrays.Names() {
		t, err := a.arrays.Type(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, FileType{name, t})
	}
	return out, nil
}
