package flow

// Later adds a step of local work that waits for something outside the graph,
// without holding a worker: when its dependencies are done, await is called
// with a function that it, or whoever it tells, calls once when f can run.
// await must not block.
func Later[T any](op *Op, hold int64, await func(ready func()), f func() (T, error), deps ...Dep) *Of[T] {
	o := &Of[T]{}
	work := func() error {
		return op.timed(func() (err error) {
			o.val, err = f()
			return err
		})
	}
	o.s.begin(op, hold, deps, func() {
		await(func() { o.s.schedule(work) })
	})
	return o
}
