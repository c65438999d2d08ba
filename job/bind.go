package job

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// bound is an input with its file open, if that is needed.
type bound struct {
	Input
	file source // nil if only Args is needed
}

// bind determines the owner of every argument of the program and, if data is set or the argument is
// public, reads its value. A service's resident arguments are marked; others only if they are states.
func (j *Job) bind(p *hlo.Program, ring, fraction int, data, service bool) ([]party.Arg, error) {
	params := p.Main.Body.Params
	if j.Keep != "" {
		return nil, wrong(j.place("outputs"), "results can be kept (keep: %s) only at nodes (submit the job to nodes)", j.Keep)
	}
	inputs, err := j.open(data)
	defer closeAll(inputs)
	if err != nil {
		return nil, err
	}
	givers, err := j.match(inputs, params)
	if err != nil {
		return nil, err
	}
	for arg, in := range givers {
		if in == nil {
			return nil, wrong(j.place("inputs"), "argument %d is not named by any input (add it to an input's file or args)", arg)
		}
	}
	args := make([]party.Arg, len(params))
	for arg, in := range givers {
		args[arg].Owner, args[arg].Range = party.Public, in.rangeOf(arg)
		if _, state := j.State[arg]; state || service {
			args[arg].Resident = in.Resident
		}
		if !in.Public {
			args[arg].Owner = slices.Index(j.Parties, in.Owner)
			if !data {
				givers[arg] = nil
			}
		}
	}
	values, err := readAll(givers, params, ring, fraction)
	if err != nil {
		return nil, err
	}
	for arg, a := range values {
		args[arg].Data, args[arg].Checked = a, a != nil
	}
	return args, nil
}

// readAll reads the arguments that have an input, concurrently: decompression can take longer than a
// run. Of several errors the first argument's is returned.
func readAll(givers []*bound, params []*hlo.Value, ring, fraction int) ([]*tensor.Array, error) {
	out, errs := make([]*tensor.Array, len(givers)), make([]error, len(givers))
	next, failed := atomic.Int32{}, atomic.Bool{}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(givers)) {
		all.Go(func() {
			for !failed.Load() {
				arg := int(next.Add(1)) - 1
				if arg >= len(givers) {
					return
				}
				if in := givers[arg]; in != nil {
					out[arg], errs[arg] = in.read(arg, params[arg].Type, ring, fraction)
				}
				if errs[arg] != nil {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// read reads an argument, and checks an owner's values and any declared range.
func (in *bound) read(arg int, t tensor.Type, ring, fraction int) (*tensor.Array, error) {
	a, err := in.file.read(arg, t)
	if errors.As(err, new(*Error)) {
		return nil, err // it names its place in the file
	}
	if err != nil {
		return nil, &Error{Place: in.File, Err: err}
	}
	if !in.Public {
		if err := CheckValues(a, ring, fraction); err != nil {
			return nil, wrong(in.File, "argument %d, %w", arg, err)
		}
	}
	if r := in.rangeOf(arg); r != nil {
		if err := CheckRange(arg, a, *r); err != nil {
			return nil, wrong(in.File, "argument %d, %w", arg, err)
		}
	}
	return a, nil
}

// open opens the files that are needed to know which arguments they hold, or
// for their data.
func (j *Job) open(data bool) ([]bound, error) {
	inputs := make([]bound, len(j.Inputs))
	for i, in := range j.Inputs {
		inputs[i].Input = in
		if in.Kept != "" {
			return inputs, wrong(in.at, "only nodes have shares of the kept result %s (submit the job to nodes)", in.Kept)
		}
		if in.Args != nil && !in.Public && !data {
			continue
		}
		if in.File == "" {
			return inputs, wrong(in.at, "input %s is an entry in the catalogue of %s, which only that party's node can read (submit the job to nodes, or name a file)", in.Name, in.Owner)
		}
		file, err := j.openInput(in)
		if errors.As(err, new(*os.PathError)) {
			return inputs, &Error{Place: in.at, Err: err}
		}
		if err != nil {
			return inputs, &Error{Place: in.File, Err: err}
		}
		inputs[i].file = file
	}
	return inputs, nil
}

func closeAll(inputs []bound) {
	for _, in := range inputs {
		if in.file != nil {
			in.file.Close()
		}
	}
}

// match returns the input that provides each argument, nil if there is none, and
// checks types as far as the files have them before their data is read.
func (j *Job) match(inputs []bound, params []*hlo.Value) ([]*bound, error) {
	givers := make([]*bound, len(params))
	for i := range inputs {
		in := &inputs[i]
		args := in.Args
		if in.file != nil {
			held, err := in.file.args()
			if err != nil {
				return nil, &Error{Place: in.File, Err: err}
			}
			slices.Sort(held) // so that the same one of several errors is reported each time
			if args, err = chosen(in.Args, held, len(params)); err != nil {
				return nil, &Error{Place: in.File, Err: err}
			}
		}
		for _, arg := range args {
			if arg < 0 || arg >= len(params) {
				return nil, wrong(in.at, "there is no argument %d: %s (%s)", arg, counted(len(params)), renumbered)
			}
			if first := givers[arg]; first != nil {
				return nil, wrong(in.at, "argument %d is named twice: by %s and by %s (%s)", arg, in.File, first.File, first.at)
			}
			givers[arg] = in
			if r := in.rangeOf(arg); r != nil {
				if err := RangeFits(arg, *r, params[arg].Type); err != nil {
					return nil, &Error{Place: in.at, Err: err}
				}
			}
			if in.file == nil {
				continue
			}
			if err := in.file.check(arg, params[arg].Type); err != nil {
				return nil, &Error{Place: in.File, Err: err}
			}
		}
		for _, arg := range slices.Sorted(maps.Keys(in.Ranges)) {
			if arg < 0 || arg >= len(params) || givers[arg] != in {
				return nil, wrong(in.at, "range names argument %d, which the input does not provide", arg)
			}
		}
	}
	return givers, nil
}

// chosen returns the arguments that a file provides: those that args lists, or all
// that it holds if args is nil. An array without an argument of the program is refused
// either way.
func chosen(args, held []int, params int) ([]int, error) {
	for _, arg := range held {
		if arg >= params {
			return nil, fmt.Errorf("array arg%d: the program has no such argument: %s (%s)", arg, counted(params), renumbered)
		}
	}
	if args == nil {
		return held, nil
	}
	for _, arg := range args {
		if !slices.Contains(held, arg) {
			return nil, fmt.Errorf("argument %d is not in the file, though args names it (name the array arg%d)", arg, arg)
		}
	}
	return args, nil
}

// counted describes the arguments that a program has.
func counted(params int) string {
	switch params {
	case 0:
		return "the program takes no arguments"
	case 1:
		return "the program takes one argument, 0"
	}
	return fmt.Sprintf("the program takes arguments 0 to %d", params-1)
}

// renumbered explains why a program's arguments may differ from those of its Python function.
const renumbered = "jax.jit leaves out arguments that the function does not use, and the next ones take their numbers: " +
	"lower with jax.jit(f, keep_unused=True)"

// sameType compares an array's type with an argument's.
func sameType(arg int, have, want tensor.Type) error {
	if have.Equal(want) {
		return nil
	}
	if have.DType != want.DType && have.Shape.Equal(want.Shape) {
		return fmt.Errorf("argument %d has element type %v, but the program expects %v (convert the array)", arg, have.DType, want.DType)
	}
	return fmt.Errorf("argument %d has type %v, but the program expects %v (if it is another argument's array: %s)", arg, have, want, renumbered)
}
