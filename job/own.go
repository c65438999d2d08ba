package job

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Own returns the numbers of the arguments that the inputs of party owner provide, in ascending order. It opens
// the files to read their arrays' names and types.
func (j *Job) Own(p *hlo.Program, owner string) ([]int, error) {
	inputs, givers, err := j.own(p, owner)
	defer closeAll(inputs)
	if err != nil {
		return nil, err
	}
	args := []int{}
	for arg, in := range givers {
		if in != nil {
			args = append(args, arg)
		}
	}
	return args, nil
}

// own opens a party's inputs and matches them with the program.
func (j *Job) own(p *hlo.Program, owner string) (inputs []bound, givers []*bound, err error) {
	mine := *j
	mine.Inputs = slices.DeleteFunc(slices.Clone(j.Inputs), func(in Input) bool { return in.Owner != owner })
	if inputs, err = mine.open(true); err != nil {
		return inputs, nil, err
	}
	givers, err = mine.match(inputs, p.Main.Body.Params)
	return inputs, givers, err
}

// OwnArgs reads the arguments that the inputs of party owner provide. The result has an entry for each argument
// of p; those of others are nil.
func (j *Job) OwnArgs(p *hlo.Program, owner string) ([]*tensor.Array, error) {
	s, err := j.Settings()
	if err != nil {
		return nil, err
	}
	inputs, givers, err := j.own(p, owner)
	defer closeAll(inputs)
	if err != nil {
		return nil, err
	}
	return readAll(givers, p.Main.Body.Params, s.Ring, s.Fraction)
}

// OwnSpec returns the spec with which the party owner joins a run of the job. It opens that party's inputs to
// check types, without reading their data, which OwnArgs does. owners has, by argument, the rank of the owner,
// or party.Public or party.Kept; public has the arrays of public arguments, by argument.
func (j *Job) OwnSpec(p *hlo.Program, owner string, owners []int, public []*tensor.Array) (party.Spec, error) {
	s, err := j.bare(p)
	if err != nil {
		return party.Spec{}, err
	}
	params := p.Main.Body.Params
	if len(owners) != len(params) {
		return party.Spec{}, fmt.Errorf("job: owners of %d arguments for a program of %d", len(owners), len(params))
	}
	inputs, givers, err := j.own(p, owner)
	defer closeAll(inputs)
	if err != nil {
		return party.Spec{}, err
	}
	rank := slices.Index(s.Parties, owner)
	s.Args = make([]party.Arg, len(params))
	for arg, by := range owners {
		s.Args[arg].Owner = by
		switch {
		case by == party.Public:
			a := public[arg]
			if a == nil {
				return party.Spec{}, fmt.Errorf("job: public argument %d is missing from the submission", arg)
			}
			if err := sameType(arg, a.Type, params[arg].Type); err != nil {
				return party.Spec{}, err
			}
			s.Args[arg].Data = a
		case by == party.Kept: // the caller adds the shares
		case by < 0 || by >= len(s.Parties):
			return party.Spec{}, fmt.Errorf("job: argument %d has no owner", arg)
		case by == rank && givers[arg] == nil:
			return party.Spec{}, wrong(j.place("inputs"), "argument %d is not in the inputs of %s", arg, owner)
		}
	}
	return s, nil
}

// Public reads the public inputs of the job. It returns the arrays and the declared ranges by argument; entries
// are nil for other arguments, and for arguments without a range.
func (j *Job) Public(p *hlo.Program) ([]*tensor.Array, []*Range, error) {
	open := *j
	open.Inputs = slices.DeleteFunc(slices.Clone(j.Inputs), func(in Input) bool { return !in.Public })
	inputs, err := open.open(true)
	defer closeAll(inputs)
	if err != nil {
		return nil, nil, err
	}
	givers, err := open.match(inputs, p.Main.Body.Params)
	if err != nil {
		return nil, nil, err
	}
	ranges := make([]*Range, len(givers))
	for arg, in := range givers {
		if in != nil {
			ranges[arg] = in.rangeOf(arg)
		}
	}
	arrays, err := readAll(givers, p.Main.Body.Params, 0, 0)
	return arrays, ranges, err
}
