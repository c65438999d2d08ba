package flow

// Value is a Future of a T, or one element of a step's results.
type Value[T any] interface {
	Dep
	// Get is as Future.Get.
	Get() T
}

// Part is one of several results of a step.
type Part[T any] struct {
	of *Future[[]T]
	at int
}

// Parts splits the result of a step that makes count values.
func Parts[T any](of *Future[[]T], count int) []Value[T] {
	parts, out := make([]Part[T], count), make([]Value[T], count)
	for i := range parts {
		parts[i] = Part[T]{of, i}
		out[i] = &parts[i]
	}
	return out
}

func (p *Part[T]) base() *step { return &p.of.s }

// Get is the value, under the same condition as Future.Get.
func (p *Part[T]) Get() T { return p.of.val[p.at] }

// Distinct removes repeated steps, in place, and keeps the order of first occurrences. It takes
// quadratic time in the number of distinct steps.
func Distinct(deps []Dep) []Dep {
	out := deps[:0]
next:
	for _, d := range deps {
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].base() == d.base() {
				continue next
			}
		}
		out = append(out, d)
	}
	clear(deps[len(out):])
	return out
}
