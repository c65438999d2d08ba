package algo

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/tensor"
)

func TestReduceRowsCombinesNeighboursInATree(t *testing.T) {
	x := Rows(texts{}, letters(2, 5), []int{1})
	calls := 0
	out, err := ReduceRows(appending{tree: true, calls: &calls}, []text{x}, []text{scalarText("-")})
	if err != nil {
		t.Fatal(err)
	}
	same(t, out[0], tensor.Shape{2}, "(-(((ab)(cd))e))", "(-(((fg)(hi))j))")
	if calls != 4 {
		t.Errorf("%d applications", calls)
	}
	one, err := ReduceRows(appending{tree: true}, []text{letters(5, 1)}, []text{scalarText("-")})
	if err != nil {
		t.Fatal(err)
	}
	same(t, one[0], tensor.Shape{1}, "(-(((ab)(cd))e))")
}

// Rows are in row-major order whatever the order of the dimensions; results of several operands keep theirs.
func TestRows(t *testing.T) {
	for _, dims := range [][]int{{0, 2}, {2, 0}} {
		x := Rows(texts{}, letters(2, 2, 2), dims)
		same(t, x, tensor.Shape{4, 2}, "a", "c", "b", "d", "e", "g", "f", "h")
		out, err := ReduceRows(appending{}, []text{x, x}, []text{scalarText("1"), scalarText("2")})
		if err != nil {
			t.Fatal(err)
		}
		same(t, out[0], tensor.Shape{2}, "1abef", "1cdgh")
		same(t, out[1], tensor.Shape{2}, "2abef", "2cdgh")
	}
}

func TestReduceRowsOfNothing(t *testing.T) {
	for _, shape := range []tensor.Shape{{0, 2}, {3, 0}} {
		out, err := ReduceRows(appending{}, []text{{shape: shape}}, []text{scalarText("-")})
		if err != nil {
			t.Fatal(err)
		}
		same(t, out[0], shape[1:], slices.Repeat([]string{"-"}, shape[1])...)
	}
}

// Every list is combined in its order, in as many steps as the longest one takes, whatever lists there are
// beside it.
func TestFoldLists(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lengths := rapid.SliceOfN(rapid.IntRange(1, 9), 1, 5).Draw(rt, "lengths")
		x := letters(20)
		var index []int32
		var want []string
		steps := 0
		for _, n := range lengths {
			var s strings.Builder
			for range n {
				i := rapid.IntRange(0, 19).Draw(rt, "i")
				index = append(index, int32(i))
				s.WriteString(x.data[i])
			}
			want = append(want, s.String())
			depth := 0
			for 1<<depth < n {
				depth++
			}
			steps = max(steps, depth)
		}
		calls := 0
		out, err := FoldLists(appending{calls: &calls}, []text{x}, index, lengths)
		if err != nil {
			rt.Fatal(err)
		}
		same(rt, out[0], tensor.Shape{len(lengths)}, want...)
		if calls != steps {
			rt.Fatalf("%d applications, not %d", calls, steps)
		}
		alone, err := FoldLists(appending{tree: true}, []text{x}, index[:lengths[0]], lengths[:1])
		if err != nil {
			rt.Fatal(err)
		}
		all, err := FoldLists(appending{tree: true}, []text{x}, index, lengths)
		if err != nil {
			rt.Fatal(err)
		}
		if alone[0].data[0] != all[0].data[0] {
			rt.Fatalf("%s alone, %s beside others", alone[0].data[0], all[0].data[0])
		}
	})
}
