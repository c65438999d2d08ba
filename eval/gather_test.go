package eval

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// indexing is a random geometry of gather or scatter: the operand's dimensions that index vectors
// address, batch dimensions, and collapsed dimensions.
type indexing struct {
	in, indices, outer      tensor.Shape
	sizes, dropped, targets []int
	batching, indexBatching []int
	vector                  int
	windowDims              []int         // of outer
	values                  *tensor.Array // the indices
}

func drawIndexing(rt *rapid.T) indexing {
	var g indexing
	rank := rapid.IntRange(1, 3).Draw(rt, "rank")
	batches := tensor.Shape(rapid.SliceOfN(rapid.IntRange(1, 3), 0, 2).Draw(rt, "batches"))
	paired := rapid.IntRange(0, min(len(batches), rank-1)).Draw(rt, "paired")
	for i := range paired { // the first dimensions of operand and indices are batch dimensions
		g.in, g.sizes = append(g.in, batches[i]), append(g.sizes, 1)
		g.batching, g.indexBatching = append(g.batching, i), append(g.indexBatching, i)
	}
	for d := paired; d < rank; d++ {
		n := rapid.IntRange(1, 4).Draw(rt, "n")
		g.in = append(g.in, n)
		size := rapid.IntRange(1, n).Draw(rt, "size")
		if rapid.Bool().Draw(rt, "drop") {
			size = 1
			g.dropped = append(g.dropped, d)
		}
		g.sizes = append(g.sizes, size)
		if rapid.Bool().Draw(rt, "target") {
			g.targets = append(g.targets, d)
		}
	}
	g.targets = slices.Clone(g.targets)
	slices.Reverse(g.targets)
	g.vector = rapid.IntRange(paired, len(batches)).Draw(rt, "vector")
	g.indices = slices.Insert(slices.Clone(batches), g.vector, len(g.targets))
	if len(g.targets) == 1 && g.vector == len(batches) && rapid.Bool().Draw(rt, "scalar") {
		g.indices = slices.Clone(batches)
	}
	// The windows' dimensions are first or last in the outer shape.
	var window tensor.Shape
	for d, n := range g.sizes {
		if !slices.Contains(g.dropped, d) && !slices.Contains(g.batching, d) {
			window = append(window, n)
		}
	}
	if rapid.Bool().Draw(rt, "first") {
		g.outer = slices.Concat(window, batches)
		for i := range window {
			g.windowDims = append(g.windowDims, i)
		}
	} else {
		g.outer = slices.Concat(batches, window)
		for i := range window {
			g.windowDims = append(g.windowDims, len(batches)+i)
		}
	}
	n := g.indices.Size()
	v := rapid.SliceOfN(rapid.Int32Range(-2, 4), n, n).Draw(rt, "indices")
	g.values = vec(v...).Reshape(g.indices)
	return g
}

// place returns the start of the window that contains an element of outer, and offset the element's
// position in it, by the specification.
func (g indexing) place(c []int) (start, offset []int) {
	var batch, window []int
	for d := range c {
		if slices.Contains(g.windowDims, d) {
			window = append(window, c[d])
		} else {
			batch = append(batch, c[d])
		}
	}
	start, offset = make([]int, len(g.in)), make([]int, len(g.in))
	for k, d := range g.targets {
		coords := batch
		if g.vector < len(g.indices) {
			coords = slices.Insert(slices.Clone(batch), g.vector, k)
		}
		start[d] = int(at(g.values, coords))
	}
	for k, d := range g.batching {
		start[d] = batch[g.indexBatching[k]]
	}
	for d := range g.in {
		if !slices.Contains(g.dropped, d) && !slices.Contains(g.batching, d) {
			offset[d], window = window[0], window[1:]
		}
	}
	return start, offset
}

func TestGather(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawIndexing(rt)
		x := counting(g.in, 0)
		got := do(rt, "stablehlo.gather", hlo.Attrs{
			"slice_sizes": int64s(g.sizes),
			"dimension_numbers": &hlo.GatherDims{
				OffsetDims: g.windowDims, CollapsedSliceDims: g.dropped, OperandBatchingDims: g.batching,
				StartIndicesBatchingDims: g.indexBatching, StartIndexMap: g.targets, IndexVectorDim: g.vector,
			},
		}, typ(tensor.I32, g.outer...), x, g.values)
		same(rt, got, built(g.outer, func(c []int) int32 {
			start, offset := g.place(c)
			for d := range start {
				offset[d] += min(max(start[d], 0), g.in[d]-g.sizes[d])
			}
			return at(x, offset)
		}))
	})
}

func (g indexing) scatterAttrs() hlo.Attrs {
	return hlo.Attrs{"scatter_dimension_numbers": &hlo.ScatterDims{
		UpdateWindowDims: g.windowDims, InsertedWindowDims: g.dropped, InputBatchingDims: g.batching,
		ScatterIndicesBatchingDims: g.indexBatching, ScatterDimsToOperandDims: g.targets, IndexVectorDim: g.vector,
	}}
}

// naive scatters by the specification: updates in order, without windows that do not fit.
func (g indexing) naive(inputs, updates []*tensor.Array, combine func(old, upd []int32) []int32) []*tensor.Array {
	out := make([]*tensor.Array, len(inputs))
	for i, x := range inputs {
		out[i] = &tensor.Array{Type: x.Type, Data: slices.Clone(x.Data.([]int32))}
	}
	coords := make([]int, len(g.outer))
	for u := range g.outer.Size() {
		unravel(coords, u, g.outer)
		start, offset := g.place(coords)
		fits, p := true, 0
		for d := range start {
			fits = fits && start[d] >= 0 && start[d]+g.sizes[d] <= g.in[d]
			p = p*g.in[d] + start[d] + offset[d]
		}
		if !fits {
			continue
		}
		var old, upd []int32
		for i := range out {
			old, upd = append(old, out[i].Data.([]int32)[p]), append(upd, updates[i].Data.([]int32)[u])
		}
		for i, v := range combine(old, upd) {
			out[i].Data.([]int32)[p] = v
		}
	}
	return out
}

// A scatter with random window sizes.
func TestScatterAdds(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawIndexing(rt)
		x, u := counting(g.in, 0), counting(g.outer, 100)
		op := newOp("stablehlo.scatter", g.scatterAttrs(), []tensor.Type{x.Type}, x, g.values, u)
		op.Regions = []*hlo.Block{combiner("stablehlo.add", tensor.I32)}
		want := g.naive([]*tensor.Array{x}, []*tensor.Array{u}, func(old, upd []int32) []int32 { return []int32{old[0] + upd[0]} })
		same(rt, must(rt, op, x, g.values, u)[0], want[0])
	})
}

func TestScatterSets(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawIndexing(rt)
		x, y, u, v := counting(g.in, 0), counting(g.in, 50), counting(g.outer, 100), counting(g.outer, 200)
		op := newOp("stablehlo.scatter", g.scatterAttrs(), []tensor.Type{x.Type, y.Type}, x, y, g.values, u, v)
		r := newRegion(tensor.I32, tensor.I32, tensor.I32, tensor.I32)
		op.Regions = []*hlo.Block{r.ret(r.Params[2], r.Params[3])}
		want := g.naive([]*tensor.Array{x, y}, []*tensor.Array{u, v}, func(_, upd []int32) []int32 { return upd })
		got := must(rt, op, x, y, g.values, u, v)
		same(rt, got[0], want[0])
		same(rt, got[1], want[1])
		view, operands, ok, err := View(op, func(i int) *tensor.Array { return []*tensor.Array{nil, nil, g.values, nil, nil}[i] })
		if err != nil || !ok || !slices.Equal(operands, []int{0, 3}) {
			rt.Fatal(operands, ok, err)
		}
		same(rt, apply(view, y, v), want[1])
	})
}

// Updates of one element are applied in their order, also by a body that is not associative, on
// vectors or per instance.
func TestScatterKeepsOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		g := drawIndexing(rt)
		x, y, u, v := counting(g.in, 1), counting(g.in, 50), counting(g.outer, 3), counting(g.outer, 7)
		op := newOp("stablehlo.scatter", g.scatterAttrs(), []tensor.Type{x.Type, y.Type}, x, y, g.values, u, v)
		r := newRegion(tensor.I32, tensor.I32, tensor.I32, tensor.I32)
		difference := r.add("stablehlo.subtract", nil, i32, r.Params[2], r.Params[0])
		if rapid.Bool().Draw(rt, "element by element") {
			one := r.add("stablehlo.reshape", nil, typ(tensor.I32, 1), difference)
			difference = r.add("stablehlo.reshape", nil, i32, one)
		}
		op.Regions = []*hlo.Block{r.ret(difference, r.add("stablehlo.multiply", nil, i32, r.Params[1], r.Params[3]))}
		want := g.naive([]*tensor.Array{x, y}, []*tensor.Array{u, v}, func(old, upd []int32) []int32 {
			return []int32{upd[0] - old[0], old[1] * upd[1]}
		})
		got := must(rt, op, x, y, g.values, u, v)
		same(rt, got[0], want[0])
		same(rt, got[1], want[1])
	})
}
