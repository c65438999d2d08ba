package kmeans

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// Ring and fraction bits of clusters of a hidden join, whose centres are mapped back to the features' units on shares.
const (
	hiddenRing     = 128
	hiddenFraction = 40
)

// checkHidden refuses what has no clusters of a hidden join.
func (s *Shape) checkHidden() error {
	if err := s.Hidden.Check(len(s.Parties), s.Rows); err != nil || s.Hidden == nil {
		return err
	}
	if s.Hidden.Left {
		return errors.New("clusters are of rows that match: rows of a left join lack columns (join with kind inner)")
	}
	if s.Assign {
		return errors.New("assign: the clusters of single rows show which rows match, and a hidden join is to hide it (take method psi)")
	}
	return nil
}

// leastMatches is the number of matching rows below which nothing is revealed.
func (s *Shape) leastMatches() int { return s.MinGroup }

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

// hiddenProgram is program of a hidden join. Its arguments are the weights, and for each party with features the features,
// standardised by all rows of the party, and their means and standard deviations.
func (w *writer) hiddenProgram() (*hlo.Program, error) {
	n := w.Rows
	w.match = w.Arg("match", tensor.F64, n)
	var x, weighted, units []build.Value
	for rank, k := range w.Features {
		if k == 0 {
			continue
		}
		own := w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, n, k)
		x = append(x, own)
		if w.Hidden.Owner(rank) != party.Kept { // those of others are 0 where no row matches
			own = w.Mul(own, w.Reshape(w.match, n, 1))
		}
		weighted = append(weighted, own)
		units = append(units, w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k))
	}
	w.x, w.weighted = w.Concat(1, x...), w.Concat(1, weighted...)
	c := w.cluster()
	all := w.Concat(1, units...)
	row := func(i int) build.Value {
		r := w.Reshape(w.Slice(all, []int{i, 0}, []int{i + 1, w.features()}), w.features())
		return w.BroadcastInDim(r, []int{1}, w.Clusters, w.features())
	}
	centres := w.Add(w.Mul(c.centres, row(1)), w.Mul(c.visible, row(0))) // those that are withheld are zeros already
	inertia := w.Add(w.Sum(c.nearest.score), w.Sum(w.Mul(w.weighted, w.weighted)))
	w.Return(hidden.Withhold(w.Builder, w.match, w.leastMatches(), []build.Value{c.states, c.counts, centres, inertia})...)
	return w.Program()
}

// hiddenResult is Result of a hidden join.
func (s *Shape) hiddenResult(results []*tensor.Array, names []string) *Result {
	r := &Result{Kind: KindName, Rows: s.Rows, Hidden: true, MinGroup: s.MinGroup, Clusters: []Cluster{}}
	r.Inertia = max(0, results[3].Floats()[0])
	for _, name := range names {
		r.Features = append(r.Features, Feature{Name: name})
	}
	if results[4].Words()[0] == 0 {
		r.Few = s.leastMatches()
		return r
	}
	states, rows, centres := results[0].Words(), results[1].Words(), results[2].Floats()
	for i := range s.Clusters {
		c := Cluster{Number: i + 1, Withheld: states[i] == 2, Rows: int(int32(rows[i]))}
		if states[i] == 1 {
			c.Centre = centres[i*len(names):][:len(names)]
		}
		r.Clusters = append(r.Clusters, c)
	}
	return r
}
