package flow

// Later adds a step of local work that waits for something outside the graph,
// without holding a worker: when its dependencies are done, await is called
// with a function that it, or whoever it tells, calls once when f can run.
// await must not block.
func Later[T any](op *Op, hold int64, await func(ready func()), f func() (T, error), deps ...Dep) *Of[T] {
	o := &Of[T]{try: f, s: step{outside: await}}
	return local(op, o, hold, deps)
}

// Lazy is Later for work that depends on no step, and await may be nil: it runs
// when another step that depends on it has all else that it needs, or never. So
// has local work, of Do and Try, that depends on nothing but lazy steps.
func Lazy[T any](op *Op, hold int64, await func(ready func()), f func() (T, error)) *Of[T] {
	return local(op, &Of[T]{try: f, s: step{lazy: true, outside: await}}, hold, nil)
}

// Need asks for what nothing else may depend on: promises that are read when
// the graph is done.
func Need(op *Op, deps ...Dep) {
	local(op, &Of[struct{}]{f: func() struct{} { return struct{}{} }}, 0, deps)
}

// idle reports whether there are steps, all of them lazy, and nobody asked for any.
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
	return len(deps) > 0
}
