package flow

// Value is the promise of a T: a step's result, or a part of one.
type Value[T any] interface {
	Dep
	// Get is as of Of.
	Get() T
}

// Part is one of several results of a step.
type Part[T any] struct {
	of *Of[[]T]
	at int
}

// Parts are the results of a step that has so many.
func Parts[T any](of *Of[[]T], count int) []Value[T] {
	parts, out := make([]Part[T], count), make([]Value[T], count)
	for i := range parts {
		parts[i] = Part[T]{of, i}
		out[i] = &parts[i]
	}
	return out
}

func (p *Part[T]) base() *step { return &p.of.s }

// Get is the result, under the same condition as of the step's.
func (p *Part[T]) Get() T { return p.of.val[p.at] }

// Distinct lists steps once, in the order in which they first occur. It is meant
// for the parts of few steps.
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
