package gbt

import (
	"errors"
	"math"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkHidden refuses what is not trained on a hidden join.
func (s *Shape) checkHidden() error {
	if err := s.Hidden.Check(len(s.Parties), s.Rows); err != nil || s.Hidden == nil {
		return err
	}
	if err := s.Hidden.Inner("trees"); err != nil {
		return err
	}
	if s.Holdout > 0 {
		return errors.New("holdout: how many of the rows that are held out match is secret in a hidden join (leave holdout out)")
	}
	return nil
}

// leastMatches is the number of matching rows below which nothing is revealed: fewer are never split, as Hessians are at most 1/4.
func (s *Shape) leastMatches() int { return max(bins.DefaultMinGroup, int(math.Ceil(8*s.MinWeight))) }

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (s *Shape) MatchArg() (int, bool) { return 0, s.Hidden != nil }

// Moved returns, for each argument of the program that comes to the keeper's rows as shares, what the other party provides: an array
// with a row for each row of its own table. It returns nil for other arguments.
func (t *Training) Moved() ([]*tensor.Array, error) {
	spec, err := t.Shape.Spec()
	if err != nil {
		return nil, err
	}
	other := 1 - t.Hidden.Keeper
	args, err := t.Args(other, t.Data[other])
	return hidden.Moved(&spec, args), err
}

// byRow returns a one-hot with a row for each row of the table, as a hidden join moves it.
func byRow(hot *tensor.Array) *tensor.Array {
	columns, rows := hot.Shape[0], hot.Shape[1]
	out := tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: tensor.Shape{rows, columns}})
	from, to := hot.Data.([]int32), out.Data.([]int32)
	for c := range columns {
		for row := range rows {
			to[row*columns+c] = from[c*rows+row]
		}
	}
	return out
}

// hiddenArgs adds to the owners of all arguments those of a hidden join: the weights as floats, and as integers.
func (s *Shape) hiddenArgs(owners []int) []int {
	if s.Hidden == nil {
		return owners
	}
	return append([]int{party.Kept, party.Kept}, owners...)
}
