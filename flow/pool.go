package flow

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// pool runs tasks on a bounded number of goroutines, first in, first out. Goroutines exist only
// while there is work.
type pool struct {
	limit int

	mu     sync.Mutex
	queue  []task
	head   int
	active int
	queued atomic.Int32 // tasks in the queue
}

// workers is the process's pool, shared by all parties in it. Graph.Admit bounds its queue.
var workers = pool{limit: runtime.GOMAXPROCS(0)}

// Spin is how long a worker looks for more work before it ends, if the last task was of parties of one process (Graph.Near): their
// messages take no time, so that the next task is about to come. It is about as long as a thread takes to wake that has slept.
const Spin = 50 * time.Microsecond

// task is an entry of the pool's queue. do gets the worker that runs it.
type task interface {
	do(w *worker)
	near() bool // the task is of parties of one process
}

// taskFunc is a function as a task.
type taskFunc func()

func (f taskFunc) do(*worker) { f() }

func (taskFunc) near() bool { return false }

// worker is a goroutine of the pool, which runs one task at a time.
type worker struct {
	pool *pool
	next task // what the current task made ready first; nil if nothing
	row  int  // number of tasks that were run since the worker looked at the queue
}

// maxRow is the largest number of tasks that a worker runs one after the other without a look at the queue, beside the first.
const maxRow = 8

// run runs a task that became ready on w; w is nil if that was on no worker. The first task that a task makes ready runs next on the
// same worker: what it reads is still in the caches. Others wait in the queue, and so does every task after maxRow tasks in a row, so
// that what waits in the queue need not wait for a long chain.
func (w *worker) run(t task) {
	switch {
	case w == nil:
		workers.run(t)
	case w.next == nil && w.row < maxRow:
		w.next = t
	default:
		w.pool.run(t)
	}
}

func (p *pool) run(t task) {
	p.mu.Lock()
	p.queue = append(p.queue, t)
	p.queued.Add(1)
	if p.active >= p.limit {
		p.mu.Unlock()
		return
	}
	p.active++
	p.mu.Unlock()
	go p.work()
}

func (p *pool) work() {
	w := worker{pool: p}
	near := false
	for {
		if near {
			p.spin()
		}
		p.mu.Lock()
		if p.head == len(p.queue) {
			p.queue, p.head = p.queue[:0], 0
			p.active--
			p.mu.Unlock()
			return
		}
		t := p.queue[p.head]
		p.queue[p.head] = nil
		p.head++
		p.queued.Add(-1)
		if p.head > 1024 && p.head > len(p.queue)/2 {
			n := copy(p.queue, p.queue[p.head:])
			clear(p.queue[n:]) // the queue must not keep finished steps' memory alive
			p.queue, p.head = p.queue[:n], 0
		}
		p.mu.Unlock()
		for w.row = 0; t != nil; w.row++ {
			w.next, near = nil, t.near()
			t.do(&w)
			t = w.next
		}
	}
}

// spin returns when a task is in the queue or Spin has passed.
func (p *pool) spin() {
	if p.limit == 1 { // no other worker can add one
		return
	}
	for start := time.Now(); p.queued.Load() == 0 && time.Since(start) < Spin; {
	}
}
