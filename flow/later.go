package flow

// DoWhen adds a step of local work that also waits for an event outside of the graph, without holding a worker. When
// the step's dependencies are done, await is called with a function ready. await must not block; it or any other
// goroutine must call ready once when f can run. hold is the size of the result in bytes, as for Do. An error of f
// ends the graph.
func DoWhen[T any](op *Op, hold int64, await func(ready func()), f func() (T, error), deps ...Dep) *Future[T] {
	o := &Future[T]{try: f, s: step{outside: await}}
	return localStep(op, o, hold, deps)
}

// Lazy adds a step without dependencies that runs only if another step needs it: when a step that depends on it has
// all its other dependencies. await, hold and f are those of DoWhen; await may be nil. Steps of Do and Try that
// depend on lazy steps only are lazy too.
func Lazy[T any](op *Op, hold int64, await func(ready func()), f func() (T, error)) *Future[T] {
	return Dealt(op, hold, 0, await, f)
}

// Dealt is Lazy for a step that takes the correlation with this id. A dry run's trace has the id, so that the plan's times count the wait
// for the correction.
func Dealt[T any](op *Op, hold int64, id uint64, await func(ready func()), f func() (T, error)) *Future[T] {
	return localStep(op, &Future[T]{try: f, s: step{lazy: true, outside: await, correlation: id}}, hold, nil)
}

// Deferred is Lazy, but steps that depend on it are not lazy for that: it puts off work, and whether a step runs does not
// follow from it. So a party may put off what another party has from the start, and all parties run the same steps.
func Deferred[T any](op *Op, hold int64, f func() (T, error)) *Future[T] {
	return localStep(op, &Future[T]{try: f, s: step{lazy: true, deferred: true}}, hold, nil)
}

// Force makes the lazy steps deps run although no other step depends on them, because their results are read when the
// graph is done.
func Force(op *Op, deps ...Dep) {
	localStep(op, &Future[struct{}]{f: func() struct{} { return struct{}{} }}, 0, deps)
}

// allLazy reports whether there are dependencies and all of them are lazy, not only deferred, and not started.
func allLazy(deps []Dep) bool {
	for _, d := range deps {
		b := d.base()
		b.mu.Lock()
		lazy := b.lazy && !b.deferred
		b.mu.Unlock()
		if !lazy {
			return false
		}
	}
	return len(deps) > 0
}
