package flow

import (
	"errors"
	"io"
	"runtime"
	"testing"
)

// Steps that wait hold no worker, and run when what they wait for is there.
func TestLater(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	n := 4 * runtime.GOMAXPROCS(0)
	var tell []func()
	var waiting []*Of[int]
	for i := range n {
		waiting = append(waiting, Later(op, 8, func(ready func()) { tell = append(tell, ready) }, func() (int, error) { return i, nil }))
	}
	other := Do(op, 0, func() int { return 1 })
	go func() {
		for !finished(other) {
			runtime.Gosched()
		}
		for i := range tell { // in another order than asked
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

func TestLaterFails(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	Later(op, 0, func(ready func()) { go ready() }, func() (int, error) { return 0, io.ErrNoProgress })
	if err := op.Graph.Wait(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

// A graph that failed does not wait for what may never come.
func TestNothingWaitsLaterThanTheEnd(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	Later(op, 0, func(func()) {}, func() (int, error) { t.Error("it ran"); return 0, nil })
	op.Graph.Fail(io.ErrNoProgress)
	if err := op.Graph.Wait(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

func finished[T any](o *Of[T]) bool {
	o.s.mu.Lock()
	defer o.s.mu.Unlock()
	return o.s.done
}

func deps[T any](of []*Of[T]) (out []Dep) {
	for _, o := range of {
		out = append(out, o)
	}
	return out
}
