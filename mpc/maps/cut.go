package maps

import "slices"

// Step is how a value was made: by a map, which Depth others at most came before,
// of From. A value that is no map's has depth 0 and is made of nothing.
type Step[T any] struct {
	Free  bool // it need not be sent
	Size  int  // what it takes to send the value
	Depth int
	From  []T
}

// MostSteps bounds how far Cut looks, and how deep what it looks at should be.
const MostSteps = 256

// Cut is what to send so that the given values can be made of it, and its size:
// the values themselves or, if that is less, what they are made of. It looks at one
// set after the other, each of which has the one before it with the value of
// the greatest depth replaced by what that is made of.
func Cut[T comparable](of []T, step func(T) Step[T]) (least []T, size int) {
	var front []T
	var steps []Step[T]
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
	for range MostSteps {
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
