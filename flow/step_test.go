package flow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
)

// A step runs after all its dependencies and sees their results.
func TestStepsSeeDependencies(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	var order atomic.Int32
	type result struct{ value, at int }
	step := func(value int, deps ...*Future[result]) *Future[result] {
		ds := make([]Dep, len(deps))
		for i, d := range deps {
			ds[i] = d
		}
		return Do(op, 0, func() result {
			r := result{value, int(order.Add(1))}
			for _, d := range deps {
				if d.Get().at >= r.at {
					t.Errorf("step %d ran before step %d", value, d.Get().value)
				}
				r.value += d.Get().value
			}
			return r
		}, ds...)
	}
	top := step(1)
	left, right := step(10, top), step(100, top)
	bottom := step(1000, left, right, left) // a diamond, one edge twice
	known := step(5, Resolved(result{value: 7}))
	if err := op.Graph.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := bottom.Get().value; got != 1000+11+101+11 {
		t.Errorf("the diamond gave %d", got)
	}
	if got := known.Get().value; got != 12 {
		t.Errorf("a known value gave %d", got)
	}
	late := Do(op, 0, func() int { return bottom.Get().value }, bottom) // its dependency is done
	if err := op.Graph.Wait(); err != nil || late.Get() != bottom.Get().value {
		t.Errorf("a late step: %d, %v", late.Get(), err)
	}
}

func TestManySteps(t *testing.T) {
	op := lonely{}.op(t, 1, "op")
	var chain *Future[int] = Resolved(0)
	var wide []Dep
	const n = 30_000
	for i := range n {
		if err := op.Graph.Admit(); err != nil {
			t.Fatal(err)
		}
		before := chain
		chain = Do(op, 1, func() int { return before.Get() + 1 }, before)
		wide = append(wide, Do(op, 1, func() int { return i }, before))
	}
	total := Do(op, 1, func() int {
		s := 0
		for _, d := range wide {
			s += d.(*Future[int]).Get()
		}
		return s
	}, wide...)
	within(t, "Wait", func() {
		if err := op.Graph.Wait(); err != nil {
			t.Error(err)
		}
	})
	if chain.Get() != n || total.Get() != n*(n-1)/2 {
		t.Errorf("chain %d, sum %d", chain.Get(), total.Get())
	}
	if open, bytes := op.Graph.open.Load(), op.Graph.bytes.Load(); open != 0 || bytes != 0 {
		t.Errorf("%d steps and %d bytes are left", open, bytes)
	}
}

func TestTryFails(t *testing.T) {
	g := lonely{}.graph(t.Context())
	cause := errors.New("cause")
	failed := Try(g.Op(1, &Cost{}, "prog.mlir:7:3: add"), 0, func() (int, error) { return 0, cause })
	ran := false
	Do(g.opOf(2), 0, func() int { ran = true; return 0 }, failed)
	err := g.Wait()
	var oe *OpError
	if !errors.As(err, &oe) || oe.Where != "prog.mlir:7:3: add" || !errors.Is(err, cause) || err.Error() != "prog.mlir:7:3: add: cause" {
		t.Errorf("got %v", err)
	}
	if g.Admit() != err {
		t.Errorf("Admit gives %v", g.Admit())
	}
	after := Do(g.opOf(3), 0, func() int { ran = true; return 0 })
	workers.run(taskFunc(func() {}))
	drained(t)
	if ran || after.Get() != 0 {
		t.Error("a step ran after the graph had ended")
	}
}

// drained waits until the pool is idle.
func drained(t *testing.T) {
	within(t, "the pool", func() {
		for busy := true; busy; {
			workers.mu.Lock()
			busy = workers.active > 0
			workers.mu.Unlock()
			time.Sleep(time.Millisecond)
		}
	})
}

func TestFirstErrorCounts(t *testing.T) {
	g := lonely{}.graph(t.Context())
	first, second := errors.New("first"), errors.New("second")
	var gate sync.WaitGroup
	gate.Add(1)
	Try(g.opOf(1), 0, func() (int, error) { gate.Wait(); return 0, second })
	g.Fail(nil) // not an error
	g.Fail(first)
	gate.Done()
	drained(t)
	g.Fail(second)
	if err := g.Wait(); err != first {
		t.Errorf("got %v", err)
	}
}

const secret = 0x5ec4e7c0ffee

//go:noinline
func blame(x uint64, in []uint64) uint64 {
	if x == secret {
		panic("flow: blame of nothing")
	}
	return in[0]
}

func secretPanics() map[string]struct {
	f    func()
	want string // text of the error
} {
	x, in := uint64(secret), []uint64{1, 2}
	return map[string]struct {
		f    func()
		want string
	}{
		"text":            {func() { blame(x, in) }, "flow: blame of nothing"},
		"number":          {func() { panic(x) }, "uint64"},
		"slice":           {func() { panic([]uint64{x}) }, "[]uint64"},
		"struct":          {func() { panic(struct{ X uint64 }{x}) }, "struct"},
		"error":           {func() { panic(fmt.Errorf("share %d", x)) }, "*errors.errorString"},
		"stringer":        {func() { panic(loud(x)) }, "flow.loud"},
		"index":           {func() { in[int(x)]++ }, "index out of range"},
		"negative index":  {func() { i := -int(x); in[i]++ }, "index out of range"},
		"slice bounds":    {func() { _ = in[:int(x)] }, "slice bounds out of range"},
		"nil":             {func() { var p *uint64; *p = x }, "nil pointer"},
		"nothing":         {func() { panic(nil) }, "nil"},
		"type assertion":  {func() { var a any = x; _ = a.(string) }, "interface conversion"},
		"division":        {func() { zero := x - secret; _ = x / zero }, "divide by zero"},
		"negative length": {func() { _ = make([]byte, -int(x)) }, "len out of range"},
	}
}

type loud uint64

func (l loud) String() string { return fmt.Sprint(uint64(l)) }

// A panic inside a step is an error of its operation that names the kind and the place, and no
// values.
func TestPanicsBecomeErrors(t *testing.T) {
	for name, c := range secretPanics() {
		for where, build := range map[string]func(g *Graph){
			"Do":     func(g *Graph) { Do(g.opOf(1), 0, func() int { c.f(); return 0 }) },
			"Try":    func(g *Graph) { Try(g.opOf(1), 0, func() (int, error) { c.f(); return 0, nil }) },
			"Pack":   func(g *Graph) { exchangeOf(g, c.f, func() {}) },
			"unpack": func(g *Graph) { exchangeOf(g, func() {}, c.f) },
		} {
			for kind, g := range map[string]*Graph{
				"real":    lonely{}.graph(t.Context()),
				"dry run": NewDryRun(link.Online, &Account{}),
			} {
				build(g)
				var err error
				within(t, "Wait", func() { err = g.Wait() })
				var oe *OpError
				if !errors.As(err, &oe) || oe.Where != "test:1" {
					t.Errorf("%s in %s of a %s graph: %v", name, where, kind, err)
					continue
				}
				text := err.Error()
				for _, leak := range []string{fmt.Sprint(uint64(secret)), fmt.Sprintf("%x", uint64(secret)), "0x"} {
					if strings.Contains(text, leak) {
						t.Errorf("%s in %s of a %s graph leaks: %v", name, where, kind, err)
					}
				}
				if !strings.Contains(text, c.want) || !strings.Contains(text, "step_test.go:") || !strings.Contains(text, "secretPanics") {
					t.Errorf("%s in %s of a %s graph says too little: %v", name, where, kind, err)
				}
			}
		}
	}
	drained(t)
}

// exchangeOf sends to a rank that does not exist and awaits nothing.
func exchangeOf(g *Graph, pack, unpack func()) {
	Exchange(g.opOf(1), 0, ExchangeSpec{To: []int{1}, Pack: func() ring.Payload { pack(); return ring.Payload{} }},
		func([]ring.Payload) (int, error) { unpack(); return 0, nil })
}

func TestContextEndsTheGraph(t *testing.T) {
	cause := errors.New("the user had enough")
	ctx, cancel := context.WithCancelCause(context.Background())
	g := New(ctx, link.Online, lonely{}, &Account{})
	op := g.opOf(1)
	Exchange(op, 0, ExchangeSpec{From: []int{1}}, func([]ring.Payload) (int, error) { return 0, nil }) // never arrives
	Exchange(op, MaxBytes+1, ExchangeSpec{From: []int{1}}, func([]ring.Payload) (int, error) { return 0, nil })
	var waited, admitted error
	w := blocks(t, "Wait", func() { waited = g.Wait() })
	a := blocks(t, "Admit", func() { admitted = g.Admit() })
	cancel(cause)
	within(t, "Wait", func() { <-w })
	within(t, "Admit", func() { <-a })
	if waited != cause || admitted != cause {
		t.Errorf("Wait gives %v, Admit %v", waited, admitted)
	}
	if err := New(ctx, link.Online, lonely{}, &Account{}).waitFor(); err != cause {
		t.Errorf("a graph of a context that has ended: %v", err)
	}
}

// waitFor waits for a graph with one step that never ends.
func (g *Graph) waitFor() error {
	Exchange(g.opOf(1), 0, ExchangeSpec{From: []int{1}}, func([]ring.Payload) (int, error) { return 0, nil })
	return g.Wait()
}

func TestContextEndsAfterTheGraph(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	g := New(ctx, link.Online, lonely{}, &Account{})
	Do(g.opOf(1), 0, func() int { return 0 })
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := g.Wait(); err != nil {
		t.Errorf("a graph that was done: %v", err)
	}
}

func TestAdmitIsBounded(t *testing.T) {
	for name, fill := range map[string]func(op *Op, gate Dep){
		"steps": func(op *Op, gate Dep) {
			for range MaxOpen {
				Do(op, 0, func() int { return 0 }, gate)
			}
		},
		"bytes": func(op *Op, gate Dep) {
			Do(op, MaxBytes, func() int { return 0 }, gate)
		},
	} {
		t.Run(name, func(t *testing.T) {
			ends := memory(t, 2)
			g := New(t.Context(), link.Online, ends[0], &Account{})
			op := g.opOf(4)
			gate := Exchange(op, 1, ExchangeSpec{From: []int{1}, Size: 0}, func([]ring.Payload) (int, error) { return 0, nil })
			if err := g.Admit(); err != nil {
				t.Fatal(err)
			}
			fill(op, gate)
			var err error
			done := blocks(t, "Admit", func() { err = g.Admit() })
			ends[1].Send(0, link.Key{Phase: link.Online, Op: 4}, 0, nil)
			within(t, "Admit", func() { <-done })
			if err == nil {
				err = g.Wait()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// TestInputsAreAdmitted: Admit of inputs does not wait for those of others, which may be larger than MaxBytes.
func TestInputsAreAdmitted(t *testing.T) {
	g := New(t.Context(), link.Input, memory(t, 2)[0], &Account{})
	Exchange(g.opOf(4), 2*MaxBytes, ExchangeSpec{From: []int{1}}, func([]ring.Payload) (int, error) { return 0, nil }) // never arrives
	within(t, "Admit", func() {
		if err := g.Admit(); err != nil {
			t.Error(err)
		}
	})
}

// Near lowers the number of open steps above which Admit blocks, and Admit returns before all of them are done.
func TestAdmitIsBoundedNear(t *testing.T) {
	ends := memory(t, 2)
	g := New(t.Context(), link.Online, ends[0], &Account{}).Near()
	first, last := g.opOf(4), g.opOf(5)
	none := func([]ring.Payload) (int, error) { return 0, nil }
	gate := Exchange(first, 1, ExchangeSpec{From: []int{1}}, none)
	for range MaxNear / 2 {
		Do(first, 0, func() int { return 0 }, gate)
	}
	held := Exchange(last, 1, ExchangeSpec{From: []int{1}}, none)
	for range MaxNear / 2 {
		Do(last, 0, func() int { return 0 }, held)
	}
	done := blocks(t, "Admit", func() { g.Admit() })
	ends[1].Send(0, link.Key{Phase: link.Online, Op: 4}, 0, nil)
	within(t, "Admit", func() { <-done })
	ends[1].Send(0, link.Key{Phase: link.Online, Op: 5}, 0, nil)
	within(t, "Wait", func() {
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
	})
}

func TestWaitForNothing(t *testing.T) {
	within(t, "Wait", func() {
		if err := (lonely{}.graph(t.Context())).Wait(); err != nil {
			t.Error(err)
		}
	})
}
