package nn

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tacet-mpc/tacet/durable"
	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/job/safetensors"
	"github.com/tacet-mpc/tacet/tensor"
)

// Params maps names of parameters to arrays and keeps the order in which they were set. The zero Params is empty.
type Params struct {
	names  []string
	arrays map[string]*tensor.Array
}

// Set stores an array under a name, in place of an earlier one.
func (p *Params) Set(name string, a *tensor.Array) {
	if p.arrays == nil {
		p.arrays = map[string]*tensor.Array{}
	}
	if p.arrays[name] == nil {
		p.names = append(p.names, name)
	}
	p.arrays[name] = a
}

// Names returns the names in the order in which they were set.
func (p *Params) Names() []string { return slices.Clone(p.names) }

// Array returns the array with the given name; nil if there is none.
func (p *Params) Array(name string) *tensor.Array { return p.arrays[name] }

// Arrays returns an array for each parameter of m, in the order of m.Params(). It returns an error that names the
// parameter if p lacks one, if its type is not the declared one, or if m lacks one of p.
func (p *Params) Arrays(m *Model) ([]*tensor.Array, error) {
	var out []*tensor.Array
	for _, q := range m.params {
		a := p.arrays[q.name]
		switch want := q.current.Type(); {
		case a == nil:
			return nil, fmt.Errorf("nn: parameter %q is missing", q.name)
		case !a.Type.Equal(want):
			return nil, fmt.Errorf("nn: parameter %q is %v, but the model declares %v", q.name, a.Type, want)
		}
		out = append(out, a)
	}
	for _, name := range p.names {
		if !slices.ContainsFunc(m.params, func(q *Param) bool { return q.name == name }) {
			return nil, fmt.Errorf("nn: the model has no parameter %q", name)
		}
	}
	return out, nil
}

// Collect returns the arrays, such as the results of a run that returned m.Values(), under the names of the parameters,
// in their order. It returns an error if there are fewer arrays than parameters.
func (m *Model) Collect(arrays []*tensor.Array) (*Params, error) {
	if len(arrays) < len(m.params) {
		return nil, fmt.Errorf("nn: %d arrays are too few for %d parameters", len(arrays), len(m.params))
	}
	out := &Params{}
	for i, q := range m.params {
		out.Set(q.name, arrays[i])
	}
	return out, nil
}

// Save writes the arrays to a file in the format that the path's extension names: .npz or .safetensors.
func (p *Params) Save(path string) error {
	var b bytes.Buffer
	var err error
	switch ext := filepath.Ext(path); ext {
	case ".npz":
		err = p.npz(&b)
	case ".safetensors":
		var all []safetensors.Tensor
		for _, name := range p.names {
			all = append(all, safetensors.Tensor{Name: name, Array: p.arrays[name]})
		}
		err = safetensors.Write(&b, all)
	default:
		err = fmt.Errorf("nn: %s: save parameters as .npz or .safetensors", path)
	}
	if err != nil {
		return err
	}
	return durable.WriteFile(path, b.Bytes(), 0o644)
}

func (p *Params) npz(b *bytes.Buffer) error {
	z := zip.NewWriter(b)
	for _, name := range p.names {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name + ".npy", Method: zip.Store})
		if err != nil {
			return err
		}
		if err := npy.Write(w, p.arrays[name]); err != nil {
			return err
		}
	}
	return z.Close()
}

// Load reads parameters from an .npz or .safetensors file, by the path's extension, which Save or another library
// wrote. Errors name the file and the array.
func Load(path string) (*Params, error) {
	type named interface {
		Names() []string
		Read(name string) (*tensor.Array, error)
		Close() error
	}
	var file named
	var err error
	switch ext := filepath.Ext(path); ext {
	case ".npz":
		file, err = npy.OpenArchive(path)
	case ".safetensors":
		file, err = safetensors.Open(path)
	default:
		return nil, fmt.Errorf("nn: %s: parameters are .npz or .safetensors files", path)
	}
	if err != nil {
		return nil, fmt.Errorf("nn: %s: %w", path, err)
	}
	defer file.Close()
	out := &Params{}
	for _, name := range file.Names() {
		a, err := file.Read(name)
		if err != nil {
			return nil, fmt.Errorf("nn: %s: %w", path, err)
		}
		out.Set(name, a)
	}
	return out, nil
}
