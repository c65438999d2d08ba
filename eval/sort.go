package eval

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// sortOp sorts the lanes along one dimension, of several operands together, by the comparator. The
// sort is stable.
//
// It is a merge sort of all runs of all lanes at once: binary searches find, for every element of
// the left runs, how many elements of the right run precede it. Each step of the searches is one
// call of the comparator on many pairs.
func sortOp(c *call) ([]*tensor.Array, error) {
	dim := c.op.Attrs.Int("dimension", -1)
	rank := len(c.args[0].Shape)
	if dim < 0 {
		dim += rank
	}
	perm := make([]int, rank) // moves dim to the end; its own inverse
	for d := range perm {
		perm[d] = d
	}
	perm[dim], perm[rank-1] = perm[rank-1], perm[dim]

	lanes := make([]*tensor.Array, len(c.args))
	for i, x := range c.args {
		lanes[i] = apply(tensor.Transposed(x.Shape, perm), x)
	}
	s := sorter{less: c.region(0), lanes: lanes, order: algo.Counted(lanes[0].Len())}
	if err := s.sort(c.args[0].Shape[dim]); err != nil {
		return nil, err
	}
	out := make([]*tensor.Array, len(lanes))
	for i, l := range lanes {
		sorted := take(l, s.order).Reshape(l.Shape)
		out[i] = apply(tensor.Transposed(l.Shape, perm), sorted)
	}
	return out, nil
}

type sorter struct {
	less  *algo.Region[*tensor.Array]
	lanes []*tensor.Array // operands as vectors of lanes laid end to end
	order []int32         // indices of their elements, in the order sorted so far
}

func (s *sorter) sort(length int) error {
	for run := 1; run < length; run *= 2 {
		if err := s.merge(length, run); err != nil {
			return err
		}
	}
	return nil
}

// search is a binary search for the position of an element of a left run in the right run, between
// low and high.
type search struct{ left, low, high int32 }

// merge merges neighbouring runs of the given size in every lane.
func (s *sorter) merge(length, run int) error {
	var all []search
	for lane := 0; lane < len(s.order); lane += length {
		for left := 0; left+run < length; left += 2 * run {
			mid, end := lane+left+run, lane+min(left+2*run, length)
			for i := lane + left; i < mid; i++ {
				all = append(all, search{int32(i), int32(mid), int32(end)})
			}
		}
	}
	if err := s.find(all); err != nil {
		return err
	}

	// Left elements go to their positions, right elements fill the gaps. The positions of left
	// elements increase, whatever the comparator returns.
	merged := slices.Clone(s.order)
	for i := 0; i < len(all); i += run {
		left, right := all[i:i+run], all[i].left+int32(run)
		next, to := right, all[i].left
		for _, l := range left {
			for ; next < l.low; next++ {
				merged[to] = s.order[next]
				to++
			}
			merged[to] = s.order[l.left]
			to++
		}
	}
	s.order = merged
	return nil
}

// find narrows all searches to one position each, low.
func (s *sorter) find(all []search) error {
	live := make([]int, len(all))
	for i := range live {
		live[i] = i
	}
	for len(live) > 0 {
		left, right := make([]int32, len(live)), make([]int32, len(live))
		for i, k := range live {
			left[i], right[i] = s.order[all[k].left], s.order[(all[k].low+all[k].high)/2]
		}
		var args []*tensor.Array
		for _, l := range s.lanes {
			args = append(args, take(l, right), take(l, left))
		}
		before, err := s.less.Apply(args...)
		if err != nil {
			return err
		}
		var open []int
		for i, yes := range before[0].Data.([]bool) {
			f := &all[live[i]]
			if mid := (f.low + f.high) / 2; yes {
				f.low = mid + 1
			} else {
				f.high = mid
			}
			if f.low < f.high {
				open = append(open, live[i])
			}
		}
		live = open
	}
	return nil
}

// topKCall is topK as a custom call, which can also ask for the smallest elements.
func topKCall(c *call) ([]*tensor.Array, error) {
	attrs := c.op.Attrs.Dict("mhlo.attributes")
	largest, _ := attrs["largest"].(bool)
	return c.extremes(c.args[0], int(attrs["k"].(int64)), largest)
}

// topK returns the k largest elements along the last dimension in descending order, and their
// positions; of equal elements the first comes first. NaNs are ordered by sign, beyond all numbers.
func topK(c *call) ([]*tensor.Array, error) {
	return c.extremes(c.args[0], c.op.Attrs.Int("k", 0), true)
}

// comparedAtOnce is the number of comparisons after which extremes looks at the context.
const comparedAtOnce = 1 << 14

func (c *call) extremes(x *tensor.Array, k int, largest bool) ([]*tensor.Array, error) {
	shape := x.Shape.Clone()
	shape[len(shape)-1] = k
	length := x.Shape[len(x.Shape)-1]
	compare := byValue(x)
	var picked []int32
	positions := make([]uint64, 0, shape.Size())
	for lane := 0; lane < x.Len(); lane += length {
		order := algo.Counted(length)
		compared, ended := 0, false
		slices.SortStableFunc(order, func(i, j int32) int {
			if compared++; compared%comparedAtOnce == 0 {
				ended = ended || c.ctx.Err() != nil
			}
			if ended { // all elements are equal, so that the sort ends soon
				return 0
			}
			if largest {
				i, j = j, i
			}
			return compare(lane+int(i), lane+int(j))
		})
		if err := c.alive(); err != nil {
			return nil, err
		}
		for _, i := range order[:k] {
			picked, positions = append(picked, int32(lane)+i), append(positions, uint64(i))
		}
	}
	return []*tensor.Array{take(x, picked).Reshape(shape), tensor.FromWords(c.result(1).DType, shape, positions)}, nil
}
