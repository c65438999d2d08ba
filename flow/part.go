package flow

// Value is a *Future of a T, or a *Part: one element of a step's results.
type Value[T any] interface {
	Dep
	// Get returns the value. It may be called where Future.Get may.
	Get() T
}

// Part is one element of the result of a step that makes several (Parts). A *Part is a Dep.
type Part[T any] struct {
	of *Future[[]T]
	at int
}

// Parts returns the count elements of the result of the step of, each as a Value.
func Parts[T any](of *Future[[]T], count int) []Value[T] {
	parts, out := make([]Part[T], count), make([]Value[T], count)
	for i := range parts {
		parts[i] = Part[T]{of, i}
		out[i] = &parts[i]
	}
	return out
}

func (p *Part[T]) base() *step { return &p.of.s }

// Get returns the element. It may be called where Future.Get may.
func (p *Part[T]) Get() T { return p.of.val[p.at] }

// Distinct returns deps without repeated steps, in the order of first occurrences. It reuses the storage of deps and
// takes quadratic time in the number of distinct steps.
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
