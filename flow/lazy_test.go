package flow

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// Lazy steps, and steps that depend on lazy ones only, run once when another step has all its other
// dependencies, or never.
func TestLazy(t *testing.T) {
	ends := memory(t, 2)
	g := New(t.Context(), link.Online, ends[0], &Account{})
	op := g.opOf(1)
	var ran, arrived atomic.Int32
	mask := Lazy(op, 0, nil, func() (int, error) { return int(ran.Add(1)), nil })
	view := Do(op, 0, func() int { return 10 * mask.Get() }, mask)
	Lazy(op, 0, nil, func() (int, error) { t.Error("a lazy step without dependents ran"); return 0, nil })
	message := Exchange(op, 0, ExchangeSpec{From: []int{1}, Size: 1}, func([]ring.Payload) (int, error) {
		if ran.Load() != 0 {
			t.Error("ran before it was needed")
		}
		return int(arrived.Add(1)), nil
	})
	var sums []*Future[int]
	for range 50 {
		sums = append(sums, Do(op, 0, func() int { return view.Get() + message.Get() + mask.Get() }, view, message, mask))
	}
	ends[1].Send(0, link.Key{Phase: link.Online, Op: 1}, 0, []byte{1})
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, s := range sums {
		if s.Get() != 12 {
			t.Fatalf("got %d", s.Get())
		}
	}
	if ran.Load() != 1 {
		t.Errorf("ran %d times", ran.Load())
	}
}

func TestForce(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	mask := Lazy(op, 0, nil, func() (int, error) { return 3, nil })
	view := Do(op, 0, func() int { return 2 * mask.Get() }, mask)
	Force(op, view)
	if err := op.Graph.Wait(); err != nil || view.Get() != 6 {
		t.Errorf("got %d, %v", view.Get(), err)
	}
	cause := errors.New("none left")
	bad := Lazy(op, 0, nil, func() (int, error) { return 0, cause })
	Force(op, view, bad)
	if err := op.Graph.Wait(); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

// A dry run runs the same lazy steps as a real run, so that the same costs are booked.
func TestLazyDryRun(t *testing.T) {
	g := NewDryRun(link.Online, &Account{})
	op := g.opOf(1)
	var ran []int
	note := func(i int) func() (int, error) { return func() (int, error) { ran = append(ran, i); return 0, nil } }
	a, b := Lazy(op, 0, nil, note(1)), Lazy(op, 0, nil, note(2))
	view := Try(op, 0, note(3), b)
	Lazy(op, 0, nil, note(4))
	if len(ran) > 0 {
		t.Errorf("%v ran before they were needed", ran)
	}
	Force(op, view, a)
	if fmt.Sprint(ran) != "[2 3 1]" {
		t.Errorf("%v ran", ran)
	}
}

// Lazy steps are not counted as open until they run.
func TestLazyIsAdmitted(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	for range MaxOpen + 10 {
		Lazy(op, MaxBytes, nil, func() (int, error) { return 0, nil })
	}
	within(t, "Admit", func() {
		if err := op.Graph.Admit(); err != nil {
			t.Error(err)
		}
	})
}
