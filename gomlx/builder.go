package gomlx

import (
	"github.com/gomlx/compute"
	"github.com/gomlx/compute/notimplemented"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// builder builds one computation: a program with its functions.
type builder struct {
	notimplemented.Builder
	backend *Backend
	name    string
	main    *function
	done    bool // Compile was called
}

func newBuilder(b *Backend, name string) *builder {
	out := &builder{backend: b, name: name}
	out.main = newFunction(out, compute.MainName, build.New("gomlx"))
	return out
}

// Name returns the computation's name.
func (b *builder) Name() string { return b.name }

// Main returns the main function.
func (b *builder) Main() compute.Function { return b.main }

// NewFunction returns a further function of the program, which Function.Call calls.
func (b *builder) NewFunction(name string) (compute.Function, error) {
	f := newFunction(b, name, b.main.b.Func(name))
	return f, f.b.Err()
}

// OpShape returns the shape of a value of any of the computation's functions.
func (b *builder) OpShape(v compute.Value) (shapes.Shape, error) { return shapeOf(v) }

// Compile returns the whole program. Nothing is computed or sent.
func (b *builder) Compile() (compute.Executable, error) {
	if b.done {
		return nil, errors.Errorf("gomlx: computation %q was compiled already", b.name)
	}
	b.done = true
	p, err := b.main.b.Program()
	if err != nil {
		return nil, errors.WithStack(err)
	}
	return newExecutable(b, p), nil
}
