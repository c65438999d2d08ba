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

// bound is an input with its file open, where it has to be.
type bound struct {
	Input
	file source // nil where only Args are needed
}

// bind gives every argument of the program an owner and, where data is asked
// for or the argument is public, its value.
func (j *Job) bind(p *hlo.Program, ring, fraction int, data bool) ([]party.Arg, error) {
	params := p.Main.Body.Params
	if j.Keep != "" {
		return nil, wrong(j.place("outputs"), "results are kept (keep: %s) at nodes alone (submit the job to nodes)", j.Keep)
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
		args[arg].Data = a
	}
	return args, nil
}

// readAll reads the arguments that somebody gives, side by side: to inflate them
// takes longer than a run. Of several that are wrong the first is named.
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
			return inputs, wrong(in.at, "%s is kept at nodes, which alone have shares of it (submit the job to nodes)", in.Kept)
		}
		if in.Args != nil && !in.Public && !data {
			continue
		}
		if in.File == "" {
			return inputs, wrong(in.at, "input %s is an entry in the catalogue of %s, which that party's node alone knows (submit the job to nodes, or give a file)", in.Name, in.Owner)
		}
		file, err := openSource(in)
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

// match finds the one input that gives each argument, nil for one that none
// does, and checks types as far as files say them before their data is read.
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
			slices.Sort(held) // so that of several errors it is always the same one
			if args, err = chosen(in.Args, held, len(params)); err != nil {
				return nil, &Error{Place: in.File, Err: err}
			}
		}
		for _, arg := range args {
			if arg >= len(params) {
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
			if arg >= len(params) || givers[arg] != in {
				return nil, wrong(in.at, "range names argument %d, which the input does not give", arg)
			}
		}
	}
	return givers, nil
}

// chosen are the arguments that a file gives: those that args lists, all that
// it holds where args is nil. An array that no program could take is refused
// either way.
func chosen(args, held []int, params int) ([]int, error) {
	for _, arg := range held {
		if arg >= params {
			return nil, fmt.Errorf("array arg%d is no argument of the program: %s (%s)", arg, counted(params), renumbered)
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

// counted says which arguments a program has.
func counted(params int) string {
	switch params {
	case 0:
		return "the program takes no arguments"
	case 1:
		return "the program takes one argument, 0"
	}
	return fmt.Sprintf("the program takes arguments 0 to %d", params-1)
}

// renumbered is why arguments may be fewer, or others, than a function's in Python.
const renumbered = "jax.jit leaves out arguments that the function does not use, and the next ones take their numbers: " +
	"lower with jax.jit(f, keep_unused=True)"

// sameType compares an array's type with an argument's.
func sameType(arg int, have, want tensor.Type) error {
	if have.Equal(want) {
		return nil
	}
	if have.DType != want.DType && have.Shape.Equal(want.Shape) {
		return fmt.Errorf("argument %d holds %v, the program wants %v (convert the array to that element type)", arg, have.DType, want.DType)
	}
	return fmt.Errorf("argument %d is %v, the program wants %v (if it is another argument's array: %s)", arg, have, want, renumbered)
}
