package gbt

import (
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// Values of Shape.Splits.
const (
	HiddenSplits = "hidden" // no party learns a split before the results are revealed
	OwnerSplits  = "owner"  // the owner of a split's feature learns feature and bin while trees are trained
)

// ownedSplits reports whether owners learn the splits on their features.
func (s *Shape) ownedSplits() bool { return s.Splits == OwnerSplits }

// resolveSplits sets Splits if it is empty, and refuses what owners cannot learn.
func (s *Shape) resolveSplits() error {
	switch {
	case s.Splits == "" || s.Splits == HiddenSplits:
		s.Splits = HiddenSplits
	case s.Splits != OwnerSplits:
		return fmt.Errorf("splits: want %s or %s, got %.40q", HiddenSplits, OwnerSplits, s.Splits)
	case s.Hidden != nil:
		return errors.New("splits: in a hidden join no party knows which rows of the other table match, so no owner can route them (leave splits out)")
	case s.Stacked != nil:
		return errors.New("splits: all parties of stacked tables have all features, so no split is one owner's (leave splits out)")
	}
	return nil
}

// reveals is the number of tensors that a training reveals before its end: with OwnerSplits one to each owner of features, of each level of
// each tree, and with Grids one to each party.
func (s *Shape) reveals() int {
	if s.gridded() > 0 {
		return len(s.Stacked.Pieces())
	}
	if !s.ownedSplits() {
		return 0
	}
	owners := 0
	for _, k := range s.Features {
		owners += min(k, 1)
	}
	return owners * s.Trees * s.Depth
}

// Early is what a party learns while a run goes on, whether it learns the results or not.
type Early struct {
	Party string
	What  string
}

// Early returns what parties learn while trees are trained.
func (s *Shape) Early() (out []Early) {
	for rank, k := range s.Features {
		if s.gridded() > 0 && s.Stacked[rank] > 0 {
			out = append(out, Early{s.Parties[rank], "bounds of the bins of columns with ranges, at quantiles of all rows"})
		}
		if name := s.Parties[rank]; s.ownedSplits() && k > 0 {
			out = append(out, Early{name, "feature and bin of each split on its features, in all trees that are trained, and each node without a " +
				"split that stands as one on the last bin of such a feature"})
		}
	}
	return out
}

// binNumbers returns the bin of each row within these bounds, features × rows.
func (s *Shape) binNumbers(features []table.Feature, within [][]float64) *tensor.Array {
	out := tensor.NewArray(tensor.Type{DType: tensor.I32, Shape: tensor.Shape{len(features), s.Rows}})
	to := out.Data.([]int32)
	for j, f := range features {
		for i, x := range f.Values {
			to[j*s.Rows+i] = int32(Bin(within[j], x))
		}
	}
	return out
}

// ownedRight returns, nodes × Rows, whether the rows' bins are above those of the nodes' splits. Each owner learns, for each node, a
// number that says feature and bin of a split on its own features, and 0 for another split. It computes the bits of its splits'
// nodes in cleartext, and inputs zeros for other nodes, so that sizes of messages do not depend on the owner, and others do not
// learn whose feature it is.
func (w *writer) ownedRight(split build.Value) build.Value {
	nodes := split.Dim(1)
	var out build.Value
	from := 0
	for i, own := range w.binned {
		n := w.counts[i]
		hot := w.Slice(split, []int{from, 0}, []int{from + n, nodes})
		from += n
		code := w.RevealTo(w.Dot(w.Add(w.Iota(tensor.I32, 0, n), 1), hot), w.binnedBy[i])
		mine := w.Greater(code, 0)
		at := w.Max(w.Sub(code, 1), 0)
		bin := w.Rem(at, w.Bins)
		spread := func(x build.Value) build.Value { return w.BroadcastInDim(x, []int{0}, nodes, w.Rows) }
		right := w.And(spread(mine), w.Greater(w.Take(own, w.Div(at, w.Bins), 0), spread(bin)))
		if i > 0 {
			right = w.Xor(out, right) // at most one of them is true
		}
		out = right
	}
	return out
}
