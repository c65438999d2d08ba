package flow

import (
	"runtime"
	"sync"
)

// pool runs tasks on a bounded number of goroutines, first in, first out. Goroutines exist only
// while there is work.
type pool struct {
	limit int

	mu     sync.Mutex
	queue  []task
	head   int
	active int
}

// workers is the process's pool, shared by all parties in it. Graph.Admit bounds its queue.
var workers = pool{limit: runtime.GOMAXPROCS(0)}

// task is an entry of the pool's queue. do gets the worker that runs it.
type task interface{ do(w *worker) }

// taskFunc is a function as a task.
type taskFunc func()

func (f taskFunc) do(*worker) { f() }

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
	for {
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
		if p.head > 1024 && p.head > len(p.queue)/2 {
			n := copy(p.queue, p.queue[p.head:])
			clear(p.queue[n:]) // the queue must not keep finished steps' memory alive
			p.queue, p.head = p.queue[:n], 0
		}
		p.mu.Unlock()
		for w.row = 0; t != nil; w.row++ {
			w.next = nil
			t.do(&w)
			t = w.next
		}
	}
}
