package flow

import (
	"errors"
	"io"
	"runtime"
	"testing"
)

// Pick needs no worker: all of them are busy until its result is there.
func TestPickNeedsNoWorker(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	picked := make(chan struct{})
	var tell func()
	pair := DoWhen(op, 0, func(ready func()) { tell = ready }, func() ([2]int, error) {
		for range runtime.GOMAXPROCS(0) - 1 { // this goroutine is the last one
			Do(op, 0, func() int { <-picked; return 0 })
		}
		return [2]int{3, 4}, nil
	})
	second := Pick(op, func() int { close(picked); return pair.Get()[1] }, pair)
	tell()
	if err := op.Graph.Wait(); err != nil || second.Get() != 4 {
		t.Errorf("got %d, %v", second.Get(), err)
	}
}

// Pick is lazy if its dependencies are, and fails with them.
func TestPickLazy(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	lazy := Lazy(op, 0, nil, func() (int, error) { t.Error("a lazy step without dependents ran"); return 0, nil })
	Pick(op, lazy.Get, lazy)
	if err := op.Graph.Wait(); err != nil {
		t.Error(err)
	}
	op = lonely{}.op(t, 2, "op")
	bad := Try(op, 0, func() (int, error) { return 0, io.ErrNoProgress })
	Pick(op, func() int { t.Error("ran on what failed"); return bad.Get() }, bad)
	if err := op.Graph.Wait(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}
