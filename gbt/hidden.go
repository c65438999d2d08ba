package gbt

import (
	"errors"
	"math"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkHidden refuses what is not trained on a hidden join.
func (s *Shape) checkHidden() error {
	if err := s.Hidden.Check("trees", len(s.Parties), s.Rows, hidden.Inner, hidden.Left); err != nil || s.Hidden == nil {
		return err
	}
	if err := s.Hidden.CheckTarget(s.Owner, s.Parties); err != nil {
		return err
	}
	if s.Holdout > 0 && s.Hidden.Weighs() {
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

// first is the number of the first bin of a party's features that has values. Bin 0 has the rows of a left join without a match, which lie
// below all values: at every split they go left, and a split at bin 0 separates them from all others.
func (s *Shape) first(rank int) int {
	if s.Hidden.Lacks(rank) {
		return 1
	}
	return 0
}

// unmatched is the threshold of splits at the bin of rows without a match: all values are above it, and unlike −∞ it is one in JSON.
const unmatched = -math.MaxFloat64

// withUnmatched returns the one-hots of a party's features with rows for bin 0, which have the rows without a match. hot has the rows of
// k features for the other bins.
func (w *writer) withUnmatched(hot build.Value, k int) build.Value {
	apart := w.BroadcastInDim(w.Sub(1, w.match), []int{2}, k, 1, w.Rows)
	return w.Reshape(w.Concat(1, apart, w.Reshape(hot, k, w.Bins-1, w.Rows)), k*w.Bins, w.Rows)
}

// hiddenArgs adds to the owners of all arguments those of a hidden join: the weights as floats, and as integers.
func (s *Shape) hiddenArgs(owners []int) []int {
	if s.Hidden == nil {
		return owners
	}
	return append([]int{party.Kept, party.Kept}, owners...)
}
