package flow

import (
	"sync"
	"sync/atomic"
)

// Dep is something that a step can depend on: an Of of any type.
type Dep interface{ base() *step }

// step is one node of the graph.
type step struct {
	op     *Op
	bytes  int64
	traced int32   // one more than its place in the trace
	deps   []Dep   // until the step starts
	later  []*step // lazy ones among them, to be asked for when the others are done
	work   work    // until it is done
	ready  func()  // what is done, when dependencies are, before the work is scheduled
	// outside, if not nil, is called then with what schedules the work.
	outside func(schedule func())
	wait    atomic.Int32 // dependencies that are not done

	inline bool // runs where its dependencies end
	makes  bool // makes steps, one of which finishes this one

	mu    sync.Mutex
	lazy  bool // not asked for yet
	done  bool
	clock int32
	via   int32   // where clock came from: an exchange of the graph's chain
	depth int32   // exchanges of the same op on the longest way to here
	succ  []*step // who waits for this one
}

// work is what a step does.
type work interface{ run() error }

// workFunc is a function as work.
type workFunc func() error

func (f workFunc) run() error { return f() }

// Of is the promise of a step's result.
type Of[T any] struct {
	s   step
	val T
	f   func() T          // what makes it, until it has run, or
	try func() (T, error) // what may fail to
}

// run makes the result.
func (o *Of[T]) run() (err error) {
	f, try := o.f, o.try
	if o.f, o.try = nil, nil; f != nil {
		o.val = f()
	} else {
		o.val, err = try()
	}
	return err
}

func (o *Of[T]) base() *step { return &o.s }

// Get is the result. Only steps that depend on it, and whoever waited for the
// graph, may ask.
func (o *Of[T]) Get() T { return o.val }

// Clock is the result's logical clock, under the same condition as Get.
func (o *Of[T]) Clock() int { return int(o.s.clock) }

// Known makes a promise that is kept already, at clock 0.
func Known[T any](v T) *Of[T] { return &Of[T]{s: step{done: true}, val: v} }

// Do adds a step of local work that runs when its dependencies are done. hold
// is about how many bytes its result takes.
func Do[T any](op *Op, hold int64, f func() T, deps ...Dep) *Of[T] {
	return local(op, &Of[T]{f: f, s: step{lazy: idle(deps)}}, hold, deps)
}

// Try is Do for work that can fail; the error ends the graph.
func Try[T any](op *Op, hold int64, f func() (T, error), deps ...Dep) *Of[T] {
	return local(op, &Of[T]{try: f, s: step{lazy: idle(deps)}}, hold, deps)
}

// Pick is Do for work that takes no time, such as to take a part of what another
// step made: it runs where its dependencies end, not on the pool.
func Pick[T any](op *Op, f func() T, deps ...Dep) *Of[T] {
	return local(op, &Of[T]{f: f, s: step{lazy: idle(deps), inline: true}}, 0, deps)
}

// local makes o a step of local work.
func local[T any](op *Op, o *Of[T], hold int64, deps []Dep) *Of[T] {
	o.s.work = o
	o.s.begin(op, hold, deps)
	return o
}

// Then adds a step that makes further steps when its dependencies are done, and
// whose result is that of the one that f returns: so what is sent may depend on
// what came, if all parties know it. op is a handle from Aside; what f makes of it
// depends on all that Then depends on.
func Then[T any](op *Op, f func() (*Of[T], error), deps ...Dep) *Of[T] {
	o := &Of[T]{s: step{makes: true}}
	o.s.work = workFunc(func() error {
		op.after = &o.s
		own := *op // f may hand op on to a step that runs already when f returns
		inner, err := f()
		if err != nil {
			return err
		}
		after := &step{}
		after.ready = func() {
			o.val = inner.val
			o.s.follow(after)
			o.s.depth = max(o.s.depth, after.depth)
			o.s.traced = after.traced
			after.finish()
			o.s.finish()
		}
		after.begin(&own, 0, []Dep{inner})
		return nil
	})
	o.s.begin(op, 0, deps)
	return o
}

// follow takes over another step's clock if it is later. That one does not
// change any more.
func (s *step) follow(o *step) {
	if o.clock > s.clock {
		s.clock, s.via = o.clock, o.via
	}
}

// begin makes s a step of the graph: it is launched when all dependencies are
// done, at once if they are.
func (s *step) begin(op *Op, hold int64, deps []Dep) {
	s.op, s.bytes, s.deps = op, hold, deps
	if op.after != nil {
		s.follow(op.after)
		s.depth = op.after.depth
	}
	if !s.lazy {
		s.start()
	}
}

// start has s wait for its dependencies: first for those that are under way,
// then for those that run only because s asks for them.
func (s *step) start() {
	deps := s.deps
	s.deps = nil
	if s.op.Graph.Weightless() { // nothing is under way: they run, and are traced, before it
		for _, d := range deps {
			if b := d.base(); b.lazy {
				b.lazy = false
				b.start()
			}
		}
	}
	s.op.Graph.opened(s.bytes)
	s.op.Graph.trace.begin(s, deps)
	s.wait.Store(int32(len(deps)) + 1)
	for _, d := range deps {
		b := d.base()
		b.mu.Lock()
		if b.lazy {
			b.mu.Unlock()
			s.later = append(s.later, b)
			s.resolved(nil)
		} else {
			s.await(b)
		}
	}
	s.resolved(nil)
}

// await has s wait for b, whose lock is held and released.
func (s *step) await(b *step) {
	if b.done {
		b.mu.Unlock()
		s.resolved(b)
		return
	}
	b.succ = append(b.succ, s)
	b.mu.Unlock()
}

// resolved tells s that one dependency is done; nil: that all are known, or one
// is put off.
func (s *step) resolved(dep *step) {
	if dep != nil {
		s.mu.Lock()
		s.follow(dep)
		if dep.op != nil && dep.op.long == s.op.long {
			s.depth = max(s.depth, dep.depth)
		}
		s.mu.Unlock()
	}
	if s.wait.Add(-1) > 0 {
		return
	}
	if len(s.later) == 0 {
		s.launch()
		return
	}
	later := s.later
	s.later = nil
	s.wait.Store(int32(len(later)) + 1)
	for _, b := range later {
		b.mu.Lock()
		first := b.lazy
		b.lazy = false
		s.await(b)
		if first {
			b.start()
		}
	}
	s.resolved(nil)
}

// launch begins a step whose dependencies are done.
func (s *step) launch() {
	ready, outside := s.ready, s.outside
	s.ready, s.outside = nil, nil
	switch {
	case ready != nil:
		ready()
	case outside != nil:
		outside(s.schedule)
	default:
		s.schedule()
	}
}

// schedule does the step's work on the pool, at once in a weightless graph.
func (s *step) schedule() {
	switch g := s.op.Graph; {
	case g.Weightless():
		at := s.traced
		s.do()
		g.trace.end(at, s.op.estimated(s.bytes))
	case s.inline:
		s.do()
	default:
		workers.run(s)
	}
}

// do does the step's work and finishes it.
func (s *step) do() {
	g := s.op.Graph
	if g.failed() {
		s.work = nil
		g.closed(s.bytes, 0, 0)
		return
	}
	err := guard((*booked)(s))
	s.work = nil
	if err != nil {
		g.Fail(&OpError{Where: s.op.where, Err: err})
		g.closed(s.bytes, 0, 0)
		return
	}
	if !s.makes {
		s.finish()
	}
}

// booked is a step as its work, which is timed unless it is to make steps.
type booked step

func (b *booked) run() error {
	if b.makes {
		return b.work.run()
	}
	return b.op.timed(b.work)
}

// finish marks the step done and tells those who wait for it. Steps that wait
// for one that failed never run; the graph has an error then.
func (s *step) finish() {
	s.mu.Lock()
	s.done = true
	succ, clock, via := s.succ, s.clock, s.via
	s.succ = nil
	s.mu.Unlock()
	for _, t := range succ {
		t.resolved(s)
	}
	s.op.Graph.closed(s.bytes, clock, via)
}
