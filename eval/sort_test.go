package eval

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// comparator compares the first of n int32 operands.
func comparator(n int, dir string) *hlo.Block {
	params := slices.Repeat([]tensor.DType{tensor.I32}, 2*n)
	r := newRegion(params...)
	return r.ret(r.add("stablehlo.compare", hlo.Attrs{"comparison_direction": hlo.Enum(dir)}, typ(tensor.Bool), r.Params[0], r.Params[1]))
}

func sortOpOf(dim int, less *hlo.Block, args ...*tensor.Array) *hlo.Op {
	var types []tensor.Type
	for _, a := range args {
		types = append(types, a.Type)
	}
	op := newOp("stablehlo.sort", hlo.Attrs{"dimension": int64(dim), "is_stable": true}, types, args...)
	op.Regions = []*hlo.Block{less}
	return op
}

// Lanes of keys with many ties, together with their positions, are sorted like a stable sort of
// each lane.
func TestSort(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := tensor.Shape(rapid.SliceOfN(rapid.IntRange(0, 7), 1, 3).Draw(rt, "shape"))
		dim := rapid.IntRange(0, len(s)-1).Draw(rt, "dim")
		n := s.Size()
		keys := vec(rapid.SliceOfN(rapid.Int32Range(0, 3), n, n).Draw(rt, "keys")...).Reshape(s)
		places := counting(s, 0)
		dir := rapid.SampledFrom([]string{"LT", "GT"}).Draw(rt, "direction")
		got := must(rt, sortOpOf(dim-len(s)*rapid.IntRange(0, 1).Draw(rt, "negative"), comparator(2, dir), keys, places), keys, places)

		want := []*tensor.Array{tensor.NewArray(keys.Type), tensor.NewArray(keys.Type)}
		stride := s.Strides()[dim]
		for start := range n {
			if start/stride%s[dim] != 0 {
				continue
			}
			var lane []int
			for i := range s[dim] {
				lane = append(lane, start+i*stride)
			}
			order := slices.Clone(lane)
			slices.SortStableFunc(order, func(i, j int) int {
				if dir == "GT" {
					i, j = j, i
				}
				return cmp.Compare(words(keys)[i], words(keys)[j])
			})
			for i, p := range lane {
				words(want[0])[p], words(want[1])[p] = words(keys)[order[i]], words(places)[order[i]]
			}
		}
		same(rt, got[0], want[0])
		same(rt, got[1], want[1])
	})
}

// For any comparator the result is a permutation.
func TestSortByNonsense(t *testing.T) {
	for _, dir := range []string{"LE", "NE", "EQ"} {
		x := vec[int32](3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5)
		got := slices.Sorted(slices.Values(words(must(t, sortOpOf(0, comparator(1, dir), x), x)[0])))
		same(t, vec(got...), vec(slices.Sorted(slices.Values(words(x)))...))
	}
}

func TestTopK(t *testing.T) {
	x := shaped([]float64{1, nan, 3, 3, -inf, -nan, inf, 9, 8, 7, 6, 5, 4, 3}, 2, 7)
	x.Data.([]float64)[5] = -x.Data.([]float64)[1]
	op := newOp("chlo.top_k", hlo.Attrs{"k": int64(5)}, []tensor.Type{typ(tensor.F64, 2, 5), typ(tensor.I32, 2, 5)}, x)
	got := must(t, op, x)
	same(t, got[0], shaped([]float64{nan, inf, 3, 3, 1, 9, 8, 7, 6, 5}, 2, 5))
	same(t, got[1], shaped([]int32{1, 6, 2, 3, 0, 0, 1, 2, 3, 4}, 2, 5))
	u := vec[uint8](3, 200, 3)
	same(t, must(t, newOp("chlo.top_k", hlo.Attrs{"k": int64(2)}, []tensor.Type{typ(tensor.U8, 2), typ(tensor.I32, 2)}, u), u)[1], vec[int32](1, 0))
	i := vec[int8](-3, 5, 2)
	same(t, must(t, newOp("chlo.top_k", hlo.Attrs{"k": int64(2)}, []tensor.Type{typ(tensor.I8, 2), typ(tensor.I32, 2)}, i), i)[0], vec[int8](5, 2))
}

func BenchmarkSort(b *testing.B) {
	n := 4096
	keys := tensor.NewArray(typ(tensor.I32, n))
	for i := range n {
		words(keys)[i] = int32(i * 2654435761 % 65521)
	}
	op := sortOpOf(0, comparator(2, "LT"), keys, keys)
	for b.Loop() {
		must(b, op, keys, keys)
	}
}
