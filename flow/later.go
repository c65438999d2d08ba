package flow

// DoWhen adds a step of local work that waits for an event outside the graph, without holding a
// worker. When the step's dependencies are done, await is called with a function ready; ready must
// be called once, from any goroutine, when f can run. await must not block.
func DoWhen[T any](op *Op, hold int64, await func(ready func()), f func() (T, error), deps ...Dep) *Future[T] {
	o := &Future[T]{try: f, s: step{outside: await}}
	return localStep(op, o, hold, deps)
}

// Lazy is DoWhen for work without dependencies; await may be nil. It runs when another step that
// depends on it has all its other dependencies, or never. Steps of Do and Try that depend on lazy
// steps only are lazy too.
func Lazy[T any](op *Op, hold int64, await func(ready func()), f func() (T, error)) *Future[T] {
	return localStep(op, &Future[T]{try: f, s: step{lazy: true, outside: await}}, hold, nil)
}

// Force runs lazy steps on which no other step may depend: their results are read when the graph is
// done.
func Force(op *Op, deps ...Dep) {
	localStep(op, &Future[struct{}]{f: func() struct{} { return struct{}{} }}, 0, deps)
}

// allLazy reports whether there are dependencies and all of them are lazy and not started.
func allLazy(deps []Dep) bool {
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
