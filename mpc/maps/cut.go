package maps

import "slices"

// Node says how a value was made: by applying a map to the values From.
type Node[T any] struct {
	Free  bool // the value is open already, so opening it costs nothing
	Size  int  // the cost of opening the value
	Depth int  // the largest number of maps on a path from an input to the value; 0 if no map made it
	From  []T  // the operands of the map; none if no map made the value
}

// MaxSteps is the largest number of values that Cut replaces. Callers also use it as the largest depth of a value.
const MaxSteps = 256

// Cut chooses values to open from which the values in of can be computed, and returns them and the sum of their
// sizes. step returns how a value was made. Cut starts with of, replaces the value of the greatest depth by the
// values that it was made from, up to MaxSteps times, and returns the set of the smallest total size on the way,
// which need not be the smallest of all. Free values are left out.
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
