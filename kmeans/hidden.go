package kmeans

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Ring and fraction bits of clusters of a hidden join, whose centres are mapped back to the features' units on shares.
const (
	hiddenRing     = 128
	hiddenFraction = 40
)

// checkHidden refuses what has no clusters of a hidden join.
func (s *Shape) checkHidden() error {
	if err := s.Hidden.Check("clusters", len(s.Parties), s.Rows, hidden.Inner, hidden.Left); err != nil || s.Hidden == nil {
		return err
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
		if w.Hidden.Weighs() && w.Hidden.Owner(rank) != party.Kept { // those of others are 0 where no row matches
			own = w.Mul(own, w.Reshape(w.match, n, 1))
		}
		weighted = append(weighted, own)
		units = append(units, w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k))
	}
	w.x, w.weighted = w.Concat(1, x...), w.Concat(1, weighted...)
	c := w.cluster()
	all := w.Concat(1, units...)
	centres := w.mapped(c, stacked.Row(w.Builder, all, 0), stacked.Row(w.Builder, all, 1))
	inertia := w.Add(w.Sum(c.nearest.score), w.Sum(w.Mul(w.weighted, w.weighted)))
	w.Return(hidden.Withhold(w.Builder, w.match, w.leastMatches(), []build.Value{c.states, c.counts, centres, inertia})...)
	return w.Program()
}

// mapped returns the centres in the units of features with these means and standard deviations.
func (w *writer) mapped(c clustered, mean, sd build.Value) build.Value {
	spread := func(x build.Value) build.Value { return w.BroadcastInDim(x, []int{1}, w.Clusters, w.features()) }
	return w.Add(w.Mul(c.centres, spread(sd)), w.Mul(c.visible, spread(mean))) // those that are withheld are zeros already
}

// hiddenKept returns 1 for clusters of a hidden join with at least MinGroup rows, else 0. In a left join the other party's features count
// as their means, 0, in rows without a match, so that a centre times its number of rows is a sum over rows that match: a cluster of
// which some match, but fewer than MinGroup, is withheld too.
func (w *writer) hiddenKept(hot build.Value, c bins.Cells) build.Value {
	c.Kept = w.Convert(w.GreaterEqual(c.Counts, w.MinGroup), tensor.I32)
	if other := 1 - w.Hidden.Keeper; w.Hidden.Lacks(other) && w.Features[other] > 0 {
		matching := w.Convert(w.Add(w.Dot(w.match, hot), 0.5), tensor.I32) // a half more, since products are units off
		return bins.Parts(w.Builder, c, []build.Value{matching}, w.MinGroup)
	}
	return c.Kept
}

// stackedKept returns 1 for clusters of which each party has no row or at least MinGroup, else 0: the other party can subtract its own
// rows from what is shown. It takes off those of bins.Apart.
func (w *writer) stackedKept(hot build.Value, c bins.Cells) build.Value {
	var own []build.Value
	at := 0
	c.Kept = c.Exists
	for _, n := range w.Stacked {
		if n == 0 {
			continue
		}
		own = append(own, w.Convert(w.Sum(w.Slice(hot, []int{at, 0}, []int{at + n, w.Clusters}), 0), tensor.I32))
		at += n
	}
	return bins.Parts(w.Builder, c, own, w.MinGroup)
}

// stackedProgram is program of stacked tables. Its arguments are for each party the features, standardised by its own rows, and their
// means and standard deviations.
func (w *writer) stackedProgram() (*hlo.Program, error) {
	var x, besides []build.Value // rows of the stacked tables, and of those beside them
	units := make([]build.Value, len(w.Stacked))
	for rank, n := range w.Stacked {
		k := w.Features[rank]
		if n > 0 {
			k = w.Features[0]
		}
		of := w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, cmp.Or(n, w.Rows), k)
		units[rank] = w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k)
		if n > 0 {
			x = append(x, of)
		} else {
			besides = append(besides, of)
		}
	}
	all := w.Stacked.Pool(w.Builder, func(rank int) (mean, sd build.Value) {
		return stacked.Row(w.Builder, units[rank], 0), stacked.Row(w.Builder, units[rank], 1)
	})
	mean, sd, at := []build.Value{all.Mean}, []build.Value{w.Mul(all.Variance, all.Inverse)}, 0
	for rank, n := range w.Stacked {
		if n == 0 {
			mean, sd = append(mean, stacked.Row(w.Builder, units[rank], 0)), append(sd, stacked.Row(w.Builder, units[rank], 1))
			continue
		}
		x[at] = all.To[rank].Map(w.Builder, x[at])
		at++
	}
	w.x = w.Concat(1, append([]build.Value{w.Concat(0, x...)}, besides...)...)
	c := w.cluster()
	// Squares of standardised values have the mean 1; features that all rows have equal count as zeros.
	squares := w.Sum(w.Mul(all.Variance, w.Mul(all.Inverse, all.Inverse)))
	if besides != nil {
		squares = w.Add(squares, float64(w.features()-w.Features[0]))
	}
	inertia := w.Add(w.Sum(c.nearest.score), w.Mul(squares, float64(w.Rows)))
	results := []build.Value{c.states, c.counts, w.mapped(c, w.Concat(0, mean...), w.Concat(0, sd...)), inertia}
	if w.Assign {
		results = append(results, c.nearest.cluster)
	}
	w.Return(results...)
	return w.Program()
}

// stackedArgs is Args of stacked tables.
func (s *Shape) stackedArgs(rank int, features []table.Feature) ([]*tensor.Array, error) {
	var x, units *tensor.Array
	var err error
	if n := s.Stacked[rank]; n > 0 {
		x, units, err = stacked.Features(features, n)
	} else if x, units, err = table.Standardised(features, s.Rows); err == nil {
		units, err = table.Units(features, units)
	}
	return stacked.Arguments(slices.Repeat([]int{2}, len(s.Parties)), rank, []*tensor.Array{x, units}), err
}

// hiddenResult is Result of a hidden join, and of stacked tables.
func (s *Shape) hiddenResult(results []*tensor.Array, names []string) *Result {
	r := &Result{Kind: KindName, Rows: s.Rows, Hidden: s.Hidden != nil, MinGroup: s.MinGroup, Clusters: []Cluster{}}
	if r.Hidden && s.Hidden.Kind == hidden.Left {
		r.Join = s.Hidden.Kind.String()
	}
	r.Inertia = max(0, results[3].Floats()[0])
	for _, name := range names {
		r.Features = append(r.Features, Feature{Name: name})
	}
	if s.Hidden != nil && results[4].Words()[0] == 0 {
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
	if s.Assign {
		r.assign(results[4])
	}
	return r
}
