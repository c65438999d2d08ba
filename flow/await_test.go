package flow

import (
	"errors"
	"testing"
)

// Await returns when its step is done, while other steps are open, and when the graph ends.
func TestAwait(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	never := DoWhen(op, 0, func(func()) {}, func() (int, error) { return 0, nil })
	var ready func()
	asked := make(chan struct{})
	kept := DoWhen(op, 0, func(f func()) { ready = f; close(asked) }, func() (int, error) { return 7, nil })
	go func() { <-asked; ready() }()
	within(t, "Await", func() {
		if err := op.Graph.Await(kept); err != nil || kept.Get() != 7 {
			t.Errorf("%d, %v", kept.Get(), err)
		}
	})
	cause := errors.New("over")
	go op.Graph.Fail(cause)
	within(t, "Await of what never comes", func() {
		if err := op.Graph.Await(never); !errors.Is(err, cause) {
			t.Errorf("%v", err)
		}
	})
}
