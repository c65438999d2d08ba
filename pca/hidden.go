package pca

import (
	"fmt"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/tensor"
)

// checkHidden refuses what has no components of a hidden join.
func (s *Shape) checkHidden() error {
	return s.Hidden.Check("components", len(s.Parties), s.Rows, hidden.Inner, hidden.Left, hidden.Outer)
}

// leastMatches is the number of matching rows below which nothing is revealed.
func (s *Shape) leastMatches() int { return max(bins.DefaultMinGroup, s.features()+1) }

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

// hiddenArgs returns the owners of the arguments of a hidden join: the weights, and for each party with features the features,
// standardised by all rows of the party, and their means and standard deviations.
func (s *Shape) hiddenArgs() []party.Arg {
	out := s.Hidden.WeightArgs()
	for rank, k := range s.Features {
		if k > 0 {
			out = append(append(out, s.Hidden.ColumnArgs(rank, nil)...), party.Arg{Owner: rank})
		}
	}
	return out
}

// hiddenProgram is program of a hidden join.
func (s *Shape) hiddenProgram() (*hlo.Program, error) {
	w := &writer{build.New("pca"), s}
	rows := s.Hidden.NewRows(w.Builder)
	var x, weighted []build.Value
	var units []build.Value
	for rank, k := range s.Features {
		if k == 0 {
			continue
		}
		c := rows.Columns(fmt.Sprintf("x%d", rank), rank, k)
		x, weighted = append(x, c.All()), append(weighted, c.Weighted())
		units = append(units, w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k))
	}
	c := statistics.Correlate(w.Builder, w.Concat(1, x...), w.Concat(1, weighted...), w.Mean(rows.Weights), 1/float64(s.Rows))
	components, variances := w.components(c.Matrix)
	results := []build.Value{components, variances}
	at := 0
	for _, u := range units {
		k := u.Dim(1)
		of := func(x build.Value) build.Value { return w.Slice(x, []int{at}, []int{at + k}) }
		row := func(i int) build.Value { return w.Reshape(w.Slice(u, []int{i, 0}, []int{i + 1, k}), k) }
		mean := w.Add(row(0), w.Mul(of(c.Means), row(1)))
		sd := w.Mul(of(c.Deviations), row(1))
		results = append(results, w.Concat(0, w.Reshape(mean, 1, k), w.Reshape(sd, 1, k)))
		at += k
	}
	w.Return(hidden.Withhold(w.Builder, rows.Match, s.leastMatches(), results)...)
	return w.Program()
}
