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

// Params are arrays by the names of parameters, in the order in which they were set. The zero Params is empty.
type Params struct {
	names  []string
	arrays map[string]*tensor.Array
}

// Set sets the array of a name.
func (p *Params) Set(name string, a *tensor.Array) {
	if p.arrays == nil {
		p.arrays = map[string]*tensor.Array{}
	}
	if p.arrays[name] == nil {
		p.names = append(p.names, name)
	}
	p.arrays[name] = a
}

// Names returns the names in their order.
func (p *Params) Names() []string { return slices.Clone(p.names) }

// Array returns the array of a name; nil if there is none.
func (p *Params) Array(name string) *tensor.Array { return p.arrays[name] }

// Arrays returns the arrays of a model's parameters in the order of its arguments. It returns an error that names the
// parameter if one is missing or has another type than the model declares, or if p has one that the model lacks.
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

// Collect returns arrays, such as the results of a run that returned m.Values(), by the names of the parameters. It
// returns an error if there are fewer arrays than parameters.
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

// Save writes a file: .npz or .safetensors, by the path's extension.
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

// Load reads a file that Save, NumPy or a library for safetensors wrote. Errors name the file and the array.
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
