package gomlx

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/shapes"
	"github.com/pkg/errors"

	"github.com/tacet-mpc/tacet"
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// executable is a compiled computation.
type executable struct {
	backend         *Backend
	name            string
	program         *hlo.Program
	names           []string
	inputs, outputs []shapes.Shape

	mu       sync.Mutex
	variants map[string]*variant
}

// variant is a computation for arguments of given owners.
type variant struct {
	owners []int              // of each result: a rank, tacet.Public or party.Kept
	clear  map[int]*clearPart // by the owner of what it computes
	secret *hlo.Program       // computes the secret results, in their order; nil if there is none
}

// clearPart computes, in the clear, the results that everybody or one party may know.
type clearPart struct {
	f       *hlo.Func
	args    []int // the arguments that it takes, as numbers of the computation's arguments
	results []int // numbers of the computation's results
}

func newExecutable(b *builder, p *hlo.Program) *executable {
	e := &executable{backend: b.backend, name: b.name, program: p, names: b.main.names, variants: map[string]*variant{}}
	for _, v := range b.main.params {
		s, _ := shapeOf(v) // of a type that typeOf has made
		e.inputs = append(e.inputs, s)
	}
	for _, v := range b.main.results {
		s, _ := shapeOf(v)
		e.outputs = append(e.outputs, s)
	}
	return e
}

// Finalize drops the program.
func (e *executable) Finalize() { e.program, e.variants = nil, nil }

// Inputs returns names and shapes of the parameters.
func (e *executable) Inputs() ([]string, []shapes.Shape) { return e.names, e.inputs }

// Outputs returns the shapes of the results.
func (e *executable) Outputs() []shapes.Shape { return e.outputs }

// Execute runs the computation. Results that depend on public arguments only are public, and those that depend on one
// party's arguments too are that party's; both are computed in the clear. All others are kept as shares: nothing is revealed.
func (e *executable) Execute(inputs []compute.Buffer, donate []bool, _ compute.DeviceNum) ([]compute.Buffer, error) {
	if e.program == nil {
		return nil, errors.Errorf("gomlx: computation %q was finalized", e.name)
	}
	if len(inputs) != len(e.inputs) {
		return nil, errors.Errorf("gomlx: computation %q takes %d inputs, got %d", e.name, len(e.inputs), len(inputs))
	}
	var args []tacet.Arg
	for i, in := range inputs {
		x, ok := in.(*buffer)
		if !ok || x.backend != e.backend || x.gone {
			return nil, errors.Errorf("gomlx: input %q of computation %q is finalized, or of another backend", e.names[i], e.name)
		}
		if !x.shape.EqualDimensions(e.inputs[i]) || x.shape.DType != e.inputs[i].DType {
			return nil, errors.Errorf("gomlx: input %q of computation %q is a %s, not a %s", e.names[i], e.name, x.shape, e.inputs[i])
		}
		args = append(args, tacet.Arg{Owner: x.owner, Data: x.data, Shares: x.shares})
	}
	v, err := e.variant(args)
	if err != nil {
		return nil, err
	}
	results := make([]compute.Buffer, len(v.owners))
	result := func(i int) *buffer {
		b := &buffer{backend: e.backend, shape: e.outputs[i], owner: v.owners[i], graph: e.name, output: i, last: len(v.owners) - i}
		results[i] = b
		return b
	}
	for _, c := range v.clear {
		var known []*tensor.Array
		for _, i := range c.args {
			known = append(known, args[i].Data)
		}
		out, err := eval.Func(context.Background(), c.f, known)
		if err != nil {
			return nil, errors.Wrapf(err, "gomlx: computation %q", e.name)
		}
		for i, at := range c.results {
			result(at).data = out[i]
		}
	}
	if v.secret != nil {
		spec := e.backend.config.Spec
		spec.Program, spec.Args, spec.Reveal, spec.Keep = v.secret, args, []int{}, true
		out, err := e.backend.run(e.name, spec)
		if err != nil {
			return nil, err
		}
		shares := make([][]*party.StoredShare, len(v.secret.Main.Results))
		for _, h := range out.Shares {
			shares[h.Result] = append(shares[h.Result], h)
		}
		n := 0
		for i, owner := range v.owners {
			if owner == party.Kept {
				result(i).shares = shares[n]
				n++
			}
		}
	}
	for i, d := range donate {
		if d {
			_ = inputs[i].Finalize()
		}
	}
	return results, nil
}

// variant returns the computation for the owners of args.
func (e *executable) variant(args []tacet.Arg) (*variant, error) {
	key := ""
	for _, a := range args {
		key += fmt.Sprintf("%d ", a.Owner)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if v, ok := e.variants[key]; ok {
		return v, nil
	}
	main := e.program.Main
	v := &variant{owners: make([]int, len(main.Results)), clear: map[int]*clearPart{}}
	returned := main.Body.Return().Operands
	for i := range v.owners {
		v.owners[i] = party.Kept
	}
	for owner := tacet.Public; owner < len(e.backend.config.Spec.Parties); owner++ {
		known := map[*hlo.Value]bool{}
		c := &clearPart{}
		var params []*hlo.Value
		for i, p := range main.Body.Params {
			if args[i].Owner == tacet.Public || args[i].Owner == owner {
				known[p], c.args, params = true, append(c.args, i), append(params, p)
			}
		}
		var ops []*hlo.Op
		for _, op := range main.Body.Ops[:len(main.Body.Ops)-1] {
			if uses(op, known) {
				ops = append(ops, op)
				for _, r := range op.Results {
					known[r] = true
				}
			}
		}
		var values []*hlo.Value
		for i, r := range returned {
			if v.owners[i] == party.Kept && known[r] {
				v.owners[i], c.results, values = owner, append(c.results, i), append(values, r)
			}
		}
		if len(values) > 0 {
			c.f = returning(main, params, ops, values)
			v.clear[owner] = c
		}
	}
	var secret []*hlo.Value
	for i, r := range returned {
		if v.owners[i] == party.Kept {
			secret = append(secret, r)
		}
	}
	if len(secret) > 0 {
		p := *e.program
		p.Main = returning(main, main.Body.Params, main.Body.Ops[:len(main.Body.Ops)-1], secret)
		p.Funcs = nil
		for _, f := range e.program.Funcs {
			if f == main {
				f = p.Main
			}
			p.Funcs = append(p.Funcs, f)
		}
		var text bytes.Buffer
		if err := p.Print(&text); err != nil {
			return nil, err
		}
		p.Text = text.Bytes()
		if err := p.Verify(); err != nil {
			return nil, errors.WithStack(err)
		}
		v.secret = &p
	}
	e.variants[key] = v
	return v, nil
}

// uses reports whether an operation and its regions use nothing but values in known and values of the regions.
func uses(op *hlo.Op, known map[*hlo.Value]bool) bool {
	inside := map[*hlo.Value]bool{}
	var within func(op *hlo.Op) bool
	within = func(op *hlo.Op) bool {
		for _, x := range op.Operands {
			if !known[x] && !inside[x] {
				return false
			}
		}
		for _, r := range op.Regions {
			for _, p := range r.Params {
				inside[p] = true
			}
			for _, o := range r.Ops {
				if !within(o) {
					return false
				}
				for _, x := range o.Results {
					inside[x] = true
				}
			}
		}
		return true
	}
	return within(op)
}

// returning returns a function like main with other parameters, operations and results.
func returning(main *hlo.Func, params []*hlo.Value, ops []*hlo.Op, results []*hlo.Value) *hlo.Func {
	f, end := *main, *main.Body.Return()
	end.Operands = results
	f.Body = &hlo.Block{Params: params, Ops: append(append([]*hlo.Op(nil), ops...), &end)}
	f.Results = nil
	for _, r := range results {
		f.Results = append(f.Results, r.Type)
	}
	return &f
}
