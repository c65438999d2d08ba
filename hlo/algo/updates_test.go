package algo

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestUpdatesAt(t *testing.T) {
	g := UpdatesAt([]int32{4, 2, tensor.Fill, 4, 0, 2, 4})
	if got := fmt.Sprint(g.Positions, g.Counts, g.List(0), g.List(1), g.List(2)); got != "[4 2 0] [3 2 1] [0 3 6] [1 5] [4]" {
		t.Error(got)
	}
	if g := UpdatesAt([]int32{tensor.Fill}); len(g.Positions) != 0 {
		t.Error(g)
	}
}

// Updates are combined with the element at their position in their order; the last one is what is set.
func TestUpdates(t *testing.T) {
	adds := block(2, func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
		o := op("stablehlo.add", p[0], p[1])
		return []*hlo.Op{o}, o.Results
	})
	other := block(2, func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) { return nil, p[1:] })
	rapid.Check(t, func(rt *rapid.T) {
		x := letters(2, 3)
		positions := rapid.SliceOfN(rapid.Int32Range(tensor.Fill, 5), 0, 12).Draw(rt, "positions")
		u := text{shape: tensor.Shape{len(positions)}}
		want, last := slices.Clone(x.data), slices.Clone(x.data)
		for i, p := range positions {
			u.data = append(u.data, string(rune('A'+i)))
			if p != tensor.Fill {
				want[p], last[p] = want[p]+u.data[i], u.data[i]
			}
		}
		for _, b := range []*hlo.Block{adds, other} {
			out, err := CombineUpdates(appending{}, b, UpdatesAt(positions), []text{x, x}, []text{u, u})
			if err != nil {
				rt.Fatal(err)
			}
			same(rt, out[0], x.shape, want...)
			same(rt, out[1], x.shape, want...)
		}
		same(rt, Set(texts{}, positions, []text{x}, []text{u})[0], x.shape, last...)
	})
}

// Sequential applies the region as often as the position with the most updates has updates, from the left.
func TestSequential(t *testing.T) {
	g := UpdatesAt([]int32{1, 0, 1, 1})
	calls := 0
	out, err := Sequential(appending{tree: true, calls: &calls}, g, []text{letters(2)}, []text{{tensor.Shape{4}, []string{"A", "B", "C", "D"}}})
	if err != nil {
		t.Fatal(err)
	}
	same(t, out[0], tensor.Shape{2}, "(((aA)C)D)", "(bB)") // position 1 comes first
	if calls != 3 {
		t.Errorf("%d applications", calls)
	}
}
