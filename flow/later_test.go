package flow

import (
	"errors"
	"io"
	"runtime"
	"testing"
)

// Steps that wait hold no worker, and run when the awaited event has happened.
func TestDoWhen(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	n := 4 * runtime.GOMAXPROCS(0)
	var tell []func()
	var waiting []*Future[int]
	for i := range n {
		waiting = append(waiting, DoWhen(op, 8, func(ready func()) { tell = append(tell, ready) }, func() (int, error) { return i, nil }))
	}
	other := Do(op, 0, func() int { return 1 })
	go func() {
		for !finished(other) {
			runtime.Gosched()
		}
		for i := range tell { // in another order than they were requested
			tell[len(tell)-1-i]()
		}
	}()
	sum := Do(op, 0, func() (s int) {
		for _, w := range waiting {
			s += w.Get()
		}
		return s
	}, deps(waiting)...)
	if err := op.Graph.Wait(); err != nil || sum.Get() != n*(n-1)/2 || sum.Clock() != 0 {
		t.Errorf("got %d at clock %d, %v", sum.Get(), sum.Clock(), err)
	}
}

func TestDoWhenFails(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	DoWhen(op, 0, func(ready func()) { go ready() }, func() (int, error) { return 0, io.ErrNoProgress })
	if err := op.Graph.Wait(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

// A graph that failed does not wait for events that may never happen.
func TestFailureEndsWaiting(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	DoWhen(op, 0, func(func()) {}, func() (int, error) { t.Error("it ran"); return 0, nil })
	op.Graph.Fail(io.ErrNoProgress)
	if err := op.Graph.Wait(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func finished[T any](o *Future[T]) bool {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.done
}

func deps[T any](of []*Future[T]) (out []Dep) {
	for _, o := range of {
		out = append(out, o)
	}
	return out
}
