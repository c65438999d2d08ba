package job

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Own lists the arguments that a party's inputs give, ascending; its files are
// opened, for what they hold and for types.
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

// OwnArgs reads the arguments that a party's inputs give, and no others: nil in
// their places.
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

// OwnSpec matches the job with a program at the one party owner, whose inputs it
// opens and does not read (OwnArgs does). owners has the rank that owns each
// argument, or party.Public, and public the arrays of those.
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
				return party.Spec{}, fmt.Errorf("job: argument %d is public and was not sent", arg)
			}
			if err := sameType(arg, a.Type, params[arg].Type); err != nil {
				return party.Spec{}, err
			}
			s.Args[arg].Data = a
		case by == party.Kept: // whoever has it puts it in
		case by < 0 || by >= len(s.Parties):
			return party.Spec{}, fmt.Errorf("job: argument %d is owned by no party", arg)
		case by == rank && givers[arg] == nil:
			return party.Spec{}, wrong(j.place("inputs"), "argument %d is not in the inputs of %s", arg, owner)
		}
	}
	return s, nil
}

// Public reads the public inputs by argument, with the ranges that they declare:
// nil for those that are not public, or have none.
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
