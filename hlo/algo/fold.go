package algo

import (
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Rows returns x transposed so that the elements along dims become rows, in row-major order: the result has the shape
// [elements along dims, other elements].
func Rows[V any](of Values[V], x V, dims []int) V {
	in := of.Shape(x)
	kept := Others(len(in), dims)
	gone := Others(len(in), kept)
	x = of.View(tensor.Transposed(in, append(gone, kept...)), x)
	return Reshaped(of, x, tensor.Shape{Size(in, gone), Size(in, kept)})
}

// ReduceRows returns, for each of values, its rows combined into one, neighbours pairwise, with the initial value
// first. Values have one shape, with rows along the first dimension; the results have the shape of a row.
func ReduceRows[V any](b Combiner[V], values, inits []V) ([]V, error) {
	all := b.Shape(values[0])
	shape := all[1:]
	args := make([]V, 0, 2*len(values))
	for _, v := range inits {
		args = append(args, Spread(b, v, shape))
	}
	if all.Size() == 0 {
		return args, nil
	}
	last, err := foldRows(b, values)
	if err != nil {
		return nil, err
	}
	for _, x := range last {
		args = append(args, Reshaped(b, x, shape))
	}
	return b.Apply(args...)
}

// foldRows combines the rows of each value, neighbours pairwise, to one row.
func foldRows[V any](b Combiner[V], values []V) ([]V, error) {
	cur := slices.Clone(values)
	if s := b.Shape(cur[0]); s[1:].Size() == 1 { // strided vectors are copied faster than columns
		for i, x := range cur {
			cur[i] = Reshaped(b, x, s[:1])
		}
	}
	for b.Shape(cur[0])[0] > 1 {
		m := b.Shape(cur[0])[0]
		args := make([]V, 2*len(cur))
		for i, x := range cur {
			args[i], args[len(cur)+i] = rows(b, x, 0, m-m%2, 2), rows(b, x, 1, m, 2)
		}
		next, err := b.Apply(args...)
		if err != nil {
			return nil, err
		}
		if m%2 == 1 {
			for i, x := range cur {
				next[i] = Concatenated(b, next[i], rows(b, x, m-1, m, 1))
			}
		}
		cur = next
	}
	return cur, nil
}

// FoldLists combines the elements of lists, neighbours pairwise, all lists at once. It returns for each value a
// vector with one element for each list. index holds the positions of the lists' elements, list after list; lengths
// holds the lists' lengths, all positive.
func FoldLists[V any](b Combiner[V], values []V, index []int32, lengths []int) ([]V, error) {
	lengths = slices.Clone(lengths)
	for {
		var left, right, single []int32
		list := index
		for _, n := range lengths {
			for k := 0; k+1 < n; k += 2 {
				left, right = append(left, list[k]), append(right, list[k+1])
			}
			if n%2 == 1 {
				single = append(single, list[n-1])
			}
			list = list[n:]
		}
		if len(left) == 0 {
			return Take(b, values, single), nil
		}
		pairs, err := b.Apply(append(Take(b, values, left), Take(b, values, right)...)...)
		if err != nil {
			return nil, err
		}
		if len(single) > 0 {
			for i, x := range Take(b, values, single) {
				pairs[i] = Concatenated(b, pairs[i], x)
			}
		}
		values = pairs
		index = make([]int32, 0, len(left)+len(single))
		pair, rest := int32(0), int32(len(left))
		for i, n := range lengths {
			for range n / 2 {
				index = append(index, pair)
				pair++
			}
			if n%2 == 1 {
				index = append(index, rest)
				rest++
			}
			lengths[i] = (n + 1) / 2
		}
	}
}
