package flow

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestPoolIsBounded(t *testing.T) {
	const limit, n = 3, 20_000
	p := &pool{limit: limit}
	var running, most, ran atomic.Int32
	var wg sync.WaitGroup
	var add func(depth int)
	add = func(depth int) {
		wg.Add(1)
		p.run(taskFunc(func() {
			defer wg.Done()
			now := running.Add(1)
			for m := most.Load(); now > m && !most.CompareAndSwap(m, now); m = most.Load() {
			}
			ran.Add(1)
			if depth > 0 {
				add(depth - 1)
			}
			running.Add(-1)
		}))
	}
	for range n / 2 {
		add(1)
	}
	within(t, "the pool", wg.Wait)
	if ran.Load() != n || most.Load() > limit {
		t.Errorf("%d of %d functions ran, at most %d at a time", ran.Load(), n, most.Load())
	}
}

func TestPoolIsFirstComeFirstServed(t *testing.T) {
	p := &pool{limit: 1}
	const n = 5000
	var order []int
	var wg sync.WaitGroup
	wg.Add(n)
	for i := range n {
		p.run(taskFunc(func() { order = append(order, i); wg.Done() }))
	}
	within(t, "the pool", wg.Wait)
	for i, x := range order {
		if i != x {
			t.Fatalf("function %d ran as number %d", x, i)
		}
	}
}

// onWorker is a function as a task that gets its worker.
type onWorker func(w *worker)

func (f onWorker) do(w *worker) { f(w) }

func (onWorker) near() bool { return false }

// What a task makes ready first runs next; what it makes ready beside that, and what comes after maxRow tasks in a row, waits in the queue.
func TestPoolRunsSuccessorsNext(t *testing.T) {
	p := &pool{limit: 1}
	const n = 2*maxRow + 4
	var order []string
	var gate, wg sync.WaitGroup
	gate.Add(1)
	p.run(taskFunc(gate.Wait))
	wg.Add(n + 2)
	var chain func(i int) onWorker
	chain = func(i int) onWorker {
		return func(w *worker) {
			order = append(order, "chain")
			if i < n-1 {
				w.run(chain(i + 1))
			}
			if i == 0 {
				w.run(taskFunc(func() { order = append(order, "beside"); wg.Done() }))
			}
			wg.Done()
		}
	}
	p.run(chain(0))
	p.run(taskFunc(func() { order = append(order, "queued"); wg.Done() }))
	gate.Done()
	within(t, "the pool", wg.Wait)
	want := slices.Repeat([]string{"chain"}, maxRow+1)
	want = append(append(want, "queued", "beside"), slices.Repeat([]string{"chain"}, n-maxRow-1)...)
	if !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
}

// The pool keeps no reference to a task that has run.
func TestPoolForgets(t *testing.T) {
	p := &pool{limit: 1}
	var gate, wg sync.WaitGroup
	gate.Add(1)
	p.run(taskFunc(gate.Wait))
	const n = 4000
	wg.Add(n + 1)
	left := func() { // tasks that the queue still refers to
		p.mu.Lock()
		defer p.mu.Unlock()
		waiting := len(p.queue) - p.head
		kept := 0
		for _, f := range p.queue[:cap(p.queue)] {
			if f != nil {
				kept++
			}
		}
		if kept != waiting {
			t.Errorf("%d functions are kept where %d wait", kept, waiting)
		}
	}
	for i := range n {
		p.run(taskFunc(func() {
			if i%500 == 0 {
				left()
			}
			wg.Done()
		}))
	}
	p.run(taskFunc(func() { left(); wg.Done() }))
	gate.Done()
	within(t, "the pool", wg.Wait)
}
