package maps

import "slices"

// Node is how a value was made: by applying a map to the values From. Depth is the largest number
// of maps on a path from an input to the value. A value that no map made has depth 0 and no From.
type Node[T any] struct {
	Free  bool // it is open already and costs nothing
	Size  int  // cost of opening the value
	Depth int
	From  []T
}

// MaxSteps bounds the steps of Cut, and is a sensible bound of Depth.
const MaxSteps = 256

// Cut chooses values to open such that the given values can be computed from them, and returns them
// and their total size: the given values themselves or, if that is cheaper, values that they are
// computed from. It starts with the given values, replaces the value of the greatest depth by the
// values that it is computed from until no value can be replaced, and returns the smallest of the sets
// on the way, which need not be the smallest of all. of are the given values; step returns a value's
// size, depth and what it is computed from.
func Cut[T comparable](of []T, step func(T) Node[T]) (least []T, size int) {
	var front []T
	var steps []Node[T]
	n := 0
	add := func(xs []T) {
		for _, x := range xs {
			if slices.Contains(front, x) {
				continue
			}
			if s := step(x); !s.Free {
				front, steps, n = append(front, x), append(steps, s), n+s.Size
			}
		}
	}
	add(of)
	least, size = slices.Clone(front), n
	for range MaxSteps {
		newest, depth := -1, 0
		for i, s := range steps {
			if s.Depth > depth {
				newest, depth = i, s.Depth
			}
		}
		if newest < 0 {
			break
		}
		s := steps[newest]
		front, steps, n = slices.Delete(front, newest, newest+1), slices.Delete(steps, newest, newest+1), n-s.Size
		add(s.From)
		if n < size {
			least, size = append(least[:0], front...), n
		}
	}
	return least, size
}
