package flow

// Later adds a step of local work that waits for something outside the graph,
// without holding a worker: when its dependencies are done, await is called
// with a function that it, or whoever it tells, calls once when f can run.
// await must not block.
func Later[T any](op *Op, hold int64, await func(ready func()), f func() (T, error), deps ...Dep) *Of[T] {
	return local(op, &Of[T]{}, hold, await, f, deps...)
}

// Lazy is Later for work that depends on no step, and await may be nil: it runs
// when another step that depends on it has all else that it needs, or never. So
// has local work, of Do and Try, that depends on nothing but lazy steps.
func Lazy[T any](op *Op, hold int64, await func(ready func()), f func() (T, error)) *Of[T] {
	return local(op, &Of[T]{s: step{lazy: true}}, hold, await, f)
}

// Need asks for what nothing else may depend on: promises that are read when
// the graph is done.
func Need(op *Op, deps ...Dep) {
	local(op, &Of[struct{}]{}, 0, nil, func() (struct{}, error) { return struct{}{}, nil }, deps...)
}

// idle reports whether all of the steps are lazy and nobody asked for them.
func idle(deps []Dep) bool {
	for _, d := range deps {
		b := d.base()
		b.mu.Lock()
		lazy := b.lazy
		b.mu.Unlock()
		if !lazy {
			return false
		}
	}
	return true
}
