package gbt

import (
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hidden"
)

// TestOwnerSplits: trees of which owners learn their splits are the same trees, among two and three parties, of which one has no features,
// and messages depend on the shape only.
func TestOwnerSplits(t *testing.T) {
	for _, features := range [][]int{{3, 2}, {2, 1, 2}, {4, 0}} {
		data, y := made(1, 400, features...)
		s := Shape{Trees: 2, Depth: 3, Bins: 8, Rate: 0.5, MinWeight: 5}
		want, hiddenly := train(t, s, data)
		s.Splits = OwnerSplits
		got, out := train(t, s, data)
		for i := range want.Trees {
			if !slices.Equal(got.Trees[i].Nodes, want.Trees[i].Nodes) {
				t.Errorf("%v: the nodes of tree %d are %+v, want %+v", features, i, got.Trees[i].Nodes, want.Trees[i].Nodes)
			}
		}
		if a, b := auc(got.scores(data, 400), y), auc(want.scores(data, 400), y); a-b > 1e-3 || b-a > 1e-3 {
			t.Errorf("%v: AUC %v, want %v", features, a, b)
		}
		if a, b := out.Report.Online.BytesSent, hiddenly.Report.Online.BytesSent; a[0] >= b[0] {
			t.Errorf("%v: %v bytes are sent, and %v without splits: owner", features, a, b)
		}
		for _, d := range data { // no split at all
			for _, f := range d.Features {
				for i := range f.Values {
					f.Values[i] = 1
				}
			}
		}
		none, flat := train(t, s, data)
		for _, n := range none.Trees[0].Nodes {
			if n.Feature != "" {
				t.Errorf("%v: a split of equal values: %+v", features, n)
			}
		}
		if a, b := out.Report.Online, flat.Report.Online; !slices.Equal(a.BytesSent, b.BytesSent) || a.Rounds != b.Rounds {
			t.Errorf("%v: %v bytes in %d rounds, and %v in %d of other data", features, a.BytesSent, a.Rounds, b.BytesSent, b.Rounds)
		}
	}
}

// TestSplitsRefused lists what has no owners' splits.
func TestSplitsRefused(t *testing.T) {
	for want, change := range map[string]func(s *Shape){
		"splits: want hidden or owner": func(s *Shape) { s.Splits = "bob" },
		"in a hidden join no party":    func(s *Shape) { s.Hidden = &hidden.Join{Rows: []int{100, 100}} },
		"all parties of stacked": func(s *Shape) {
			s.Stacked, s.Features, s.Rows, s.Edges = []int{50, 50}, []int{1, 0}, 0, [][]float64{{1}}
		},
	} {
		s := Shape{Parties: []string{"alice", "bob"}, Features: []int{1, 1}, Rows: 100, Splits: OwnerSplits}
		change(&s)
		if _, err := s.Resolve(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
