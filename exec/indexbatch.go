package exec

import (
	"encoding/binary"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Index vectors whose components are not all secret, as of x[arange(n), i]. The public components choose a
// slab of the operand for each index vector, by a view, and the secret components look a window up in that slab
// alone. Otherwise each index would select from the whole operand: n times as many elements. Index vectors of equal slabs look rows up in
// one table.

// joinedPart is an operand of a concatenation: its size along the dimension, and its elements if it is public.
type joinedPart struct {
	dim, size int
	arr       *tensor.Array
}

// joinedOf describes the result of a concatenation of integers, some of whose operands are public; nil for any
// other result.
func joinedOf(o *hlo.Op, in []*value, out *value) []joinedPart {
	if out.owner == Public || !out.typ.DType.IsInt() {
		return nil
	}
	dim, public := o.Attrs.Int("dimension", 0), false
	parts := make([]joinedPart, len(in))
	for i, v := range in {
		parts[i] = joinedPart{dim: dim, size: v.typ.Shape[dim]}
		if v.owner == Public {
			parts[i].arr, public = v.arr, public || v.arr != nil
		}
	}
	if !public {
		return nil
	}
	return parts
}

// publicComponents returns the public components of the index vectors along dimension vector of indices, nil
// for components that are not public, each with the shape of indices without that dimension. It returns nil if
// none is public.
func publicComponents(indices *value, vector int) []*tensor.Array {
	if len(indices.joined) == 0 || indices.joined[0].dim != vector {
		return nil
	}
	var out []*tensor.Array
	for _, p := range indices.joined {
		for k := range p.size {
			var at *tensor.Array
			if p.arr != nil {
				at = component(p.arr, vector, k)
			}
			out = append(out, at)
		}
	}
	return out
}

// component returns the elements of an array at coordinate k of a dimension.
func component(a *tensor.Array, dim, k int) *tensor.Array {
	low, limit, step := make([]int, len(a.Shape)), slices.Clone([]int(a.Shape)), slices.Repeat([]int{1}, len(a.Shape))
	low[dim], limit[dim] = k, k+1
	v := tensor.Sliced(a.Shape, low, limit, step)
	v.Shape, v.Strides = slices.Delete(v.Shape, dim, dim+1), slices.Delete(v.Strides, dim, dim+1)
	words := tensor.Apply(v, 0, a.Words())
	out := tensor.NewArray(tensor.Type{DType: tensor.I64, Shape: v.Shape})
	for i, w := range words {
		out.Data.([]int64)[i] = int64(w)
		if !a.DType.IsSigned() && int64(w) < 0 {
			out.Data.([]int64)[i] = 1<<63 - 1
		}
	}
	return out
}

// lookupBatches looks windows up at index vectors with some public components.
func (c *opRun) lookupBatches(in []*value, w algo.Indexed, known []*tensor.Array) *value {
	shape := in[1].typ.Shape
	rest := algo.Others(len(shape), []int{w.Vector}, w.IndexBatching)
	all := slices.Concat([]int{w.Vector}, w.IndexBatching, rest) // the order of index vectors: batching dimensions first
	columns := c.view(in[1], tensor.Transposed(shape, all))
	n := shape.Size() / len(known)

	// The slab of each index vector: whole along the operand's dimensions, but a window along those of public
	// components, and one element along batching dimensions.
	slab := algo.Indexed{In: w.In, Sizes: slices.Clone([]int(w.In)), Dropped: w.Batching, Vector: 1}
	var starts [][]int64
	add := func(d, size int, at func(i int) int64) {
		slab.Targets, slab.Sizes[d] = append(slab.Targets, d), size
		list := make([]int64, n)
		for i := range list {
			list[i] = at(i)
		}
		starts = append(starts, list)
	}
	w.Targets = slices.Clone(w.Targets)
	targets := w.Targets
	w.Targets = nil
	at := coordinates{}
	for k, d := range targets {
		if known[k] == nil {
			w.Targets = append(w.Targets, d)
			at.of = append(at.of, c.view(columns, tensor.View{Shape: tensor.Shape{n}, In: shape.Size(), Offset: k * n, Strides: []int{1}}))
			continue
		}
		perm := make([]int, 0, len(shape)-1) // the same order, of the dimensions without Vector
		for _, i := range all[1:] {
			if i > w.Vector {
				i--
			}
			perm = append(perm, i)
		}
		list := tensor.Apply(tensor.Transposed(known[k].Shape, perm), 0, known[k].Data.([]int64))
		add(d, w.Sizes[d], func(i int) int64 { return list[i] })
	}
	for k, d := range w.Batching {
		size, inner := w.In[d], n
		for _, b := range w.IndexBatching[:k+1] {
			inner /= shape[b]
		}
		add(d, 1, func(i int) int64 { return int64(i / inner % size) })
	}
	groups, order := equalSlabs(starts, n)
	slab.Outer = tensor.Shape{groups}
	sizes := tensor.Shape{1}
	var dims []int // the operand's dimension of each dimension of a slab
	for d, s := range slab.Sizes {
		if !slices.Contains(w.Batching, d) {
			slab.WindowDims, slab.Outer = append(slab.WindowDims, len(slab.Outer)), append(slab.Outer, s)
			sizes, dims = append(sizes, w.Sizes[d]), append(dims, d)
		}
	}
	index := tensor.NewArray(tensor.Type{DType: tensor.I64, Shape: tensor.Shape{groups, len(starts)}})
	for k, list := range starts {
		for i := range groups {
			index.Data.([]int64)[i*len(starts)+k] = list[order.at(i*(n/groups))]
		}
	}
	for i, v := range at.of {
		if by := order.sorted(1); !by.Identity() {
			at.of[i] = c.view(v, by)
		}
	}
	var of []int // dimensions of the slabs
	for _, d := range w.Targets {
		of = append(of, 1+slices.Index(dims, d))
	}
	x := newIndexed(slab.Outer, sizes, of, []int{0})
	at.within = c.allWithin(1, x.most())
	slabs := c.view(in[0], slab.Clamped(index))
	return c.copiesRowsOf(x, slabs, c.index(x, at), w.Outer, w.Order(len(shape)), order)
}

// slabOrder is an order of index vectors: those of one slab are adjacent. It is given by their numbers, or, if list is nil, by a
// transposition of inner blocks of outer vectors.
type slabOrder struct {
	outer, inner int
	list         []int32
}

// equalSlabs returns how many different slabs n index vectors have, and their order by slabs, if each slab has the same number of index
// vectors; otherwise each index vector counts as having a slab of its own. starts lists the coordinates of the vectors' slabs.
func equalSlabs(starts [][]int64, n int) (groups int, _ slabOrder) {
	asTheyAre := slabOrder{outer: n, inner: 1}
	at := map[string]int{}
	var key []byte
	var members [][]int32
	for i := range n {
		key = key[:0]
		for _, list := range starts {
			key = binary.LittleEndian.AppendUint64(key, uint64(list[i]))
		}
		g, ok := at[string(key)]
		if !ok {
			g = len(members)
			at[string(key)], members = g, append(members, nil)
		}
		members[g] = append(members[g], int32(i))
	}
	each := n / max(1, len(members))
	var list []int32
	adjacent, blocks := true, true // vectors of one slab are adjacent; or the slabs repeat in one order
	for g, of := range members {
		if len(of) != each {
			return n, asTheyAre
		}
		for j, i := range of {
			adjacent = adjacent && int(i) == len(list)+j
			blocks = blocks && int(i) == j*len(members)+g
		}
		list = append(list, of...)
	}
	switch {
	case adjacent:
		return len(members), asTheyAre
	case blocks:
		return len(members), slabOrder{outer: each, inner: len(members)}
	}
	return len(members), slabOrder{list: list}
}

// at returns the number of the index vector that comes i-th.
func (o slabOrder) at(i int) int {
	if o.list != nil {
		return int(o.list[i])
	}
	return i%o.outer*o.inner + i/o.outer
}

// sorted returns the view that puts rows of a number of columns, one for each index vector, in order.
func (o slabOrder) sorted(columns int) tensor.View { return o.view(columns, false) }

// back returns the view that undoes sorted.
func (o slabOrder) back(columns int) tensor.View { return o.view(columns, true) }

func (o slabOrder) view(columns int, back bool) tensor.View {
	if o.list == nil {
		in := tensor.Shape{o.outer, o.inner, columns}
		if back {
			in[0], in[1] = in[1], in[0]
		}
		return tensor.Transposed(in, []int{1, 0, 2})
	}
	n := len(o.list) * columns
	return tensor.Listed(tensor.Shape{n}, n, func() []int32 {
		out := make([]int32, n)
		for i, from := range o.list {
			for c := range columns {
				if back {
					out[int(from)*columns+c] = int32(i*columns + c)
				} else {
					out[i*columns+c] = from*int32(columns) + int32(c)
				}
			}
		}
		return out
	})
}
