package job

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/onnx"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/yamlfile"
)

// IsONNX reports whether a path is that of an ONNX model, by its extension.
func IsONNX(path string) bool { return strings.EqualFold(filepath.Ext(path), ".onnx") }

// ReadProgram reads the job's program: a StableHLO file, or an ONNX model, which it converts with the shapes that the
// job declares. It also reads the further programs of a service. Errors are *hlo.Error, or have a kind of package problem.
func (j *Job) ReadProgram(ctx context.Context) (*hlo.Program, error) {
	j.further = nil
	for _, name := range slices.Sorted(maps.Keys(j.Programs)) {
		p, err := readStableHLO(ctx, j.Programs[name])
		if err != nil {
			return nil, err
		}
		j.further = append(j.further, party.NamedProgram{Name: name, Program: p})
	}
	if !IsONNX(j.Program) {
		switch {
		case j.Shapes != nil:
			return nil, wrong(j.place("shapes"), "shapes are for an ONNX model (program: model.onnx)")
		case j.Values != nil:
			return nil, wrong(j.place("values"), "values are for an ONNX model (program: model.onnx)")
		}
		return readStableHLO(ctx, j.Program)
	}
	f, err := onnx.Open(j.Program)
	if err != nil {
		return nil, err
	}
	m, err := f.Import(onnx.Options{Shapes: j.Shapes, Numbers: j.Values})
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	j.imported = &weights{m: m, file: f} // the file stays open, for the weights
	return m.Program, nil
}

// Further returns the further programs of a service, which ReadProgram has read.
func (j *Job) Further() []party.NamedProgram { return j.further }

func readStableHLO(ctx context.Context, path string) (*hlo.Program, error) {
	p, err := hlo.ReadFileContext(ctx, path)
	var at *fs.PathError
	if errors.As(err, &at) {
		err = problem.New(problem.Usage, at.Path, "program cannot be read: %w", at.Err)
	}
	return p, err
}

// weights are the weights of an ONNX model as an input.
type weights struct {
	m    *onnx.Imported
	file *onnx.File
}

// openInput opens an input's file. The file of an ONNX model must be the job's program, which ReadProgram has read.
func (j *Job) openInput(in Input) (source, error) {
	if !IsONNX(in.File) {
		return openSource(in)
	}
	if j.imported == nil || filepath.Clean(in.File) != filepath.Clean(j.Program) {
		return nil, errors.New("an ONNX file provides the weights of the job's program (program: the same file)")
	}
	return j.imported, nil
}

func (w *weights) args() ([]int, error) {
	var out []int
	for i := range w.m.Weights {
		out = append(out, len(w.m.Inputs)+i)
	}
	return out, nil
}

func (w *weights) check(arg int, want tensor.Type) error {
	if i := arg - len(w.m.Inputs); i >= 0 && i < len(w.m.Weights) {
		return sameType(arg, w.m.Weights[i].Type, want)
	}
	return fmt.Errorf("argument %d is an input of the model, not a weight", arg)
}

func (w *weights) read(arg int, _ tensor.Type) (*tensor.Array, error) {
	return w.m.Weights[arg-len(w.m.Inputs)].Array()
}

// Close leaves the model open: several calls read its weights.
func (w *weights) Close() error { return nil }

// shapes reads the shapes of an ONNX model's inputs: a text such as 1x3x224x224 by name.
func (l *loader) shapes(key string, v yamlfile.Value) error {
	l.j.Shapes = map[string][]int{}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		s, ok := v.Scalar()
		if !ok {
			return v.Mismatch("shapes: "+name, "a shape, such as 1x3x224x224")
		}
		shape, err := onnx.ParseShape(s)
		if err != nil {
			return wrong(v.Place(), "shapes: %s: %w", name, err)
		}
		l.j.Shapes[name] = shape
		return nil
	})
}

// values reads the inputs of an ONNX model that are constants of the program: their elements by name.
func (l *loader) values(key string, v yamlfile.Value) error {
	l.j.Values = map[string]string{}
	return v.Each(key, func(name string, v yamlfile.Value) error {
		text, ok := v.Scalar()
		if !ok {
			return v.Mismatch("values: "+name, "a number, or numbers separated by commas")
		}
		l.j.Values[name] = text
		return nil
	})
}
