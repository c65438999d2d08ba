package flow

import (
	"sync"
	"sync/atomic"
)

// Dep is a result on which a step can depend: a *Future or a *Part of any type.
type Dep interface{ base() *step }

// step is one node of the graph.
type step struct {
	op       *Op
	bytes    int64
	traced   int32   // position in the trace, counted from 1
	deps     []Dep   // set until the step is launched
	lazyDeps []*step // lazy dependencies, started when the others are done
	lazyRoom [2]*step
	work     work // set until the step is done
	// ready, if not nil, is called when the dependencies are done, instead of schedule, with the worker that finished the last one, nil
	// for none; it calls schedule.
	ready func(w *worker)
	// exchange, if not nil, starts when the dependencies are done.
	exchange *exchange
	// outside, if not nil, is called when the dependencies are done, with schedule.
	outside     func(schedule func())
	correlation uint64       // id of the correlation that the step takes; 0 for none
	wait        atomic.Int32 // number of dependencies that are not done

	inline    bool // runs on the goroutine that finishes its last dependency
	addsSteps bool // the work adds steps, one of which finishes this one
	deferred  bool // a lazy step; steps that depend on it are not lazy

	mu    sync.Mutex
	lazy  bool // not started; runs only when another step needs it
	done  bool
	clock int32
	via   int32    // position in the graph's chain of the exchange that clock follows from
	depth int32    // exchanges of the same operation on the longest path to this step
	succ  []*step  // steps that wait for this one
	first [2]*step // storage of the first two of succ
}

// work is the function of a step.
type work interface{ run() error }

// workFunc is a function as work.
type workFunc func() error

func (f workFunc) run() error { return f() }

// Future is the result of a step, which is available when the step is done. A *Future is a Dep.
type Future[T any] struct {
	s   step
	val T
	f   func() T          // makes the value; set until it has run
	try func() (T, error) // likewise, with an error
}

// run makes the result.
func (o *Future[T]) run() (err error) {
	f, try := o.f, o.try
	if o.f, o.try = nil, nil; f != nil {
		o.val = f()
	} else {
		o.val, err = try()
	}
	return err
}

func (o *Future[T]) base() *step { return &o.s }

// Get returns the result, without blocking. Only steps that depend on o may call it, or any goroutine after
// Graph.Wait or Graph.Await.
func (o *Future[T]) Get() T { return o.val }

// Clock returns the logical clock of the result: the number of rounds until it is available. It may be called where
// Get may.
func (o *Future[T]) Clock() int { return int(o.s.clock) }

// Resolved returns a Future that holds v and is done, at clock 0.
func Resolved[T any](v T) *Future[T] { return &Future[T]{s: step{done: true}, val: v} }

// Held is Resolved of a value of so many bytes that is there when the graph's first step begins. A dry run's trace has
// it, so that the plan's memory counts it until the last step that reads it is done; if it stays, to the end.
func Held[T any](op *Op, bytes int64, stays bool, v T) *Future[T] {
	o := Resolved(v)
	op.Graph.trace.held(&o.s, op, bytes, stays)
	return o
}

// Do adds a step of local work: f is called on a worker when all dependencies are done, and the Future holds its
// result. hold is the approximate size of the result in bytes, which Graph.Admit counts.
func Do[T any](op *Op, hold int64, f func() T, deps ...Dep) *Future[T] {
	return localStep(op, &Future[T]{f: f, s: step{lazy: allLazy(deps)}}, hold, deps)
}

// Try is Do for work that can fail. An error of f ends the graph.
func Try[T any](op *Op, hold int64, f func() (T, error), deps ...Dep) *Future[T] {
	return localStep(op, &Future[T]{try: f, s: step{lazy: allLazy(deps)}}, hold, deps)
}

// Pick is Do for work of negligible time and size, such as taking an element of a step's result. f runs on the
// goroutine that finishes its last dependency, not on a worker.
func Pick[T any](op *Op, f func() T, deps ...Dep) *Future[T] {
	return localStep(op, &Future[T]{f: f, s: step{lazy: allLazy(deps), inline: true}}, 0, deps)
}

// localStep makes o a step of local work.
func localStep[T any](op *Op, o *Future[T], hold int64, deps []Dep) *Future[T] {
	o.s.work = o
	o.s.begin(op, hold, deps)
	return o
}

// Then adds a step that adds further steps when its dependencies are done: f adds them and returns the Future that
// becomes the result of Then. What is sent may so depend on values that arrived, if all parties know them. op must
// come from Op.Reserve; the steps that f adds with it depend on all dependencies of Then. An error of f ends the
// graph.
func Then[T any](op *Op, f func() (*Future[T], error), deps ...Dep) *Future[T] {
	o := &Future[T]{s: step{addsSteps: true}}
	o.s.work = workFunc(func() error {
		op.after = &o.s
		own := *op // f may pass op to a step that runs already when f returns
		inner, err := f()
		if err != nil {
			return err
		}
		after := &step{}
		after.ready = func(w *worker) {
			o.val = inner.val
			o.s.followClock(after)
			o.s.depth = max(o.s.depth, after.depth)
			o.s.traced = after.traced
			after.finish(w)
			o.s.finish(w)
		}
		after.begin(&own, 0, []Dep{inner})
		return nil
	})
	o.s.begin(op, 0, deps)
	return o
}

// followClock raises s's clock to that of o, which is done.
func (s *step) followClock(o *step) {
	if o.clock > s.clock {
		s.clock, s.via = o.clock, o.via
	}
}

// begin adds s to the graph. It is launched when all dependencies are done, at once if they are.
func (s *step) begin(op *Op, hold int64, deps []Dep) {
	s.op, s.bytes, s.deps = op, hold, deps
	if b := op.Graph.bound; b != nil {
		b.admit(op, op.Graph.trace != nil)
	}
	if op.after != nil {
		s.followClock(op.after)
		s.depth = op.after.depth
	}
	if !s.lazy {
		s.start(nil)
	}
}

// start waits for the dependencies: first for those that are not lazy, then for the lazy ones,
// which it starts. w is the worker on which it is called, nil for none.
func (s *step) start(w *worker) {
	deps := s.deps
	if s.op.Graph.DryRun() { // steps run at once: lazy dependencies must run, and be traced, before s
		for _, d := range deps {
			if b := d.base(); b.lazy {
				b.lazy = false
				b.start(nil)
				s.op.Graph.trace.lazy(b)
			}
		}
	}
	s.op.Graph.stepStarted(s.bytes)
	s.op.Graph.trace.begin(s, deps)
	s.wait.Store(int32(len(deps)) + 1)
	left, later := int32(1), s.lazyRoom[:0] // left: what need not be waited for
	for _, d := range deps {
		b := d.base()
		b.mu.Lock()
		switch {
		case b.lazy:
			later = append(later, b)
			left++
		case b.done:
			left++
		default:
			b.awaitedBy(s)
		}
		b.mu.Unlock()
	}
	s.lazyDeps = later
	s.depDone(left, w)
}

// awaitedBy adds t to the successors of s, whose lock the caller holds.
func (s *step) awaitedBy(t *step) {
	if s.succ == nil {
		s.succ = s.first[:0]
	}
	s.succ = append(s.succ, t)
}

// depDone counts n dependencies as done, on the worker w if that is not nil; start counts itself and those that are put off.
func (s *step) depDone(n int32, w *worker) {
	if s.wait.Add(-n) > 0 {
		return
	}
	if len(s.lazyDeps) == 0 {
		s.launch(w)
		return
	}
	later := s.lazyDeps
	s.lazyDeps = nil
	s.wait.Store(int32(len(later)) + 1)
	left := int32(1)
	for i, b := range later {
		b.mu.Lock()
		first := b.lazy
		b.lazy = false
		if b.done {
			left++
		} else {
			b.awaitedBy(s)
		}
		b.mu.Unlock()
		later[i] = nil
		if first {
			b.start(w)
		}
	}
	s.depDone(left, w)
}

// followDeps raises the clock to those of the dependencies, which are done, and lets go of them.
func (s *step) followDeps() {
	for _, d := range s.deps {
		b := d.base()
		s.followClock(b)
		if b.op != nil && b.op.long == s.op.long {
			s.depth = max(s.depth, b.depth)
		}
	}
	s.deps = nil
}

// launch runs a step whose dependencies are done.
func (s *step) launch(w *worker) {
	s.followDeps()
	ready, exchange, outside := s.ready, s.exchange, s.outside
	s.ready, s.exchange, s.outside = nil, nil, nil
	switch {
	case exchange != nil:
		exchange.start(w)
	case ready != nil:
		ready(w)
	case outside != nil:
		s.awaitEvent(outside, w)
	default:
		s.schedule(w)
	}
}

// awaitEvent schedules the step when what await waits for has happened: on w if that is so already when await returns.
func (s *step) awaitEvent(await func(ready func()), w *worker) {
	first := new(atomic.Bool) // the first of await's return and of the event has happened
	await(func() {
		if first.Swap(true) {
			s.schedule(nil)
		}
	})
	if first.Swap(true) {
		s.schedule(w)
	}
}

// schedule passes the step's work to the worker w or the pool; in a dry run it does it at once.
func (s *step) schedule(w *worker) {
	switch g := s.op.Graph; {
	case g.DryRun():
		at := s.traced
		s.do(nil)
		g.trace.end(at, s.op.bookEstimate(s.bytes))
	case s.inline:
		s.do(w)
	default:
		w.run(s)
	}
}

// do does the step's work and finishes it.
func (s *step) do(w *worker) {
	g := s.op.Graph
	if g.failed() {
		s.work = nil
		g.stepEnded(s.bytes, 0, 0)
		return
	}
	err := guard((*timedStep)(s))
	s.work = nil
	if err != nil {
		g.Fail(&OpError{Where: s.op.where, Err: err})
		g.stepEnded(s.bytes, 0, 0)
		return
	}
	if !s.addsSteps {
		s.finish(w)
	}
}

func (s *step) near() bool { return s.op.Graph.near }

// timedStep is the step's work with its time booked, unless it adds steps.
type timedStep step

func (b *timedStep) run() error {
	if b.addsSteps {
		return b.work.run()
	}
	return b.op.timed(b.work)
}

// finish marks the step done and notifies its successors. Successors of a step that failed never
// run; the graph has an error then.
func (s *step) finish(w *worker) {
	s.mu.Lock()
	s.done = true
	succ, clock, via := s.succ, s.clock, s.via
	s.succ = nil
	s.mu.Unlock()
	for _, t := range succ {
		t.depDone(1, w)
	}
	clear(s.first[:]) // a step that is done keeps no later ones alive
	s.op.Graph.stepEnded(s.bytes, clock, via)
}
