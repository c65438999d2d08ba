package onnx

import (
	"archive/zip"
	"bufio"
	"errors"
	"fmt"
	"os"

	"github.com/tacet-mpc/tacet/job/npy"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// Weight is an argument of the program whose data is in the file, such as a layer's weights. The model's owner provides
// it.
type Weight struct {
	Name   string // name in the file, or the node's with that of the parameter; each weight has a name of its own
	Type   tensor.Type
	tensor *model.Tensor // nil if array has the elements
	array  *tensor.Array
}

// Array reads the weight into memory. The File must be open.
func (w *Weight) Array() (*tensor.Array, error) {
	if w.tensor == nil {
		return w.array, nil
	}
	a, err := w.tensor.Array()
	if err != nil {
		return nil, fmt.Errorf("weight %q: %w", w.Name, err)
	}
	return a, nil
}

// WriteWeights writes the weights to an .npz file, with an array argN for the weight that is argument N of the program.
// It copies them from the File, which must be open, in pieces.
func (m *Imported) WriteWeights(path string) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	buffered := bufio.NewWriterSize(f, 1<<20)
	z := zip.NewWriter(buffered)
	for i := range m.Weights {
		w := &m.Weights[i]
		out, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("arg%d.npy", len(m.Inputs)+i), Method: zip.Store})
		if err != nil {
			return err
		}
		if w.tensor != nil {
			if content, ok := w.tensor.Content(); ok {
				if err := npy.WriteElements(out, w.Type, content); err != nil {
					return fmt.Errorf("weight %q: %w", w.Name, err)
				}
				continue
			}
		}
		a, err := w.Array()
		if err != nil {
			return err
		}
		if err := npy.Write(out, a); err != nil {
			return fmt.Errorf("weight %q: %w", w.Name, err)
		}
	}
	return errors.Join(z.Close(), buffered.Flush())
}
