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

// task is an entry of the pool's queue.
type task interface{ do() }

// taskFunc is a function as a task.
type taskFunc func()

func (f taskFunc) do() { f() }

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
		t.do()
	}
}
