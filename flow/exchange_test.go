package flow

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
	"go.uber.org/goleak"
)

// Some parties send, some receive, some do both, some neither.
func TestAsymmetricExchange(t *testing.T) {
	for _, c := range []struct {
		n    int
		to   [][]int // by sender
		want [][]int // by receiver, in the order of from
	}{
		{2, [][]int{{1}, {}}, [][]int{{}, {0}}},
		{2, [][]int{{1}, {0}}, [][]int{{1}, {0}}},
		{3, [][]int{{1, 2}, {}, {}}, [][]int{{}, {0}, {0}}},
		{3, [][]int{{2}, {2}, {}}, [][]int{{}, {}, {1, 0}}},
		{4, [][]int{{1}, {2}, {3}, {0}}, [][]int{{3}, {0}, {1}, {2}}},
		{4, [][]int{{1, 3}, {0}, {}, {0, 1}}, [][]int{{3, 1}, {0, 3}, {}, {0}}},
	} {
		t.Run(fmt.Sprint(c.to), func(t *testing.T) {
			got := make([]*Future[[]uint64], c.n)
			run(t, links(memory(t, c.n)), func(g *Graph) {
				rank := g.link.Rank()
				pack := func() ring.Payload { return message(uint64(100+rank), 9) }
				if len(c.to[rank]) == 0 {
					pack = nil // is not called
				}
				got[rank] = Exchange(g.opOf(3), 0, ExchangeSpec{To: c.to[rank], From: c.want[rank], Size: 9, Pack: pack},
					func(in []ring.Payload) (out []uint64, err error) {
						for _, p := range in {
							out = append(out, content(p))
						}
						return out, nil
					})
			})
			for rank, from := range c.want {
				var want []uint64
				for _, f := range from {
					want = append(want, uint64(100+f))
				}
				if fmt.Sprint(got[rank].Get()) != fmt.Sprint(want) {
					t.Errorf("party %d got %v, want %v", rank, got[rank].Get(), want)
				}
			}
		})
	}
}

func TestWrongSizeIsAnError(t *testing.T) {
	for _, size := range []int{0, 1, 7, 9, 1000} {
		ends := memory(t, 2)
		g := New(t.Context(), link.Output, ends[0], &Account{})
		unpacked := false
		Exchange(g.Op(6, &Cost{}, "here"), 0, ExchangeSpec{From: []int{1}, Size: 8}, func([]ring.Payload) (int, error) {
			unpacked = true
			return 0, nil
		})
		ends[1].Send(0, link.Key{Phase: link.Output, Op: 6}, 0, make([]byte, size))
		var err error
		within(t, "Wait", func() { err = g.Wait() })
		drained(t)
		var oe *OpError
		if !errors.As(err, &oe) || oe.Where != "here" || unpacked {
			t.Errorf("%d bytes: %v", size, err)
			continue
		}
		for _, part := range []string{"party 1", fmt.Sprintf(" %d bytes", size), "8 were", "output op 6 step 0"} {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%d bytes: %q does not say %q", size, err, part)
			}
		}
	}
}

func TestUnpackFails(t *testing.T) {
	g := lonely{}.graph(t.Context())
	cause := errors.New("not what was expected")
	Exchange(g.opOf(1), 0, ExchangeSpec{}, func([]ring.Payload) (int, error) { return 0, cause })
	if err := g.Wait(); !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

func TestPeerLeaves(t *testing.T) {
	ends := memory(t, 3)
	g := New(t.Context(), link.Online, ends[0], &Account{})
	op := g.Op(1, &Cost{}, "here")
	x := sum(op, Resolved(uint64(1)))
	Do(op, 0, func() int { t.Error("what waits for a lost message ran"); return 0 }, x)
	ends[2].Close()
	var err error
	within(t, "Wait", func() { err = g.Wait() })
	var pe *link.PeerError
	var oe *OpError
	if !errors.As(err, &pe) || pe.Rank != 2 || !errors.As(err, &oe) || oe.Where != "here" {
		t.Errorf("got %v", err)
	}
}

// The messages of an operation are numbered in the order in which the graph is built, whatever
// order its steps run in.
func TestKeys(t *testing.T) {
	ends := memory(t, 2)
	g := New(t.Context(), link.Input, ends[0], &Account{})
	a, b := g.opOf(10), g.opOf(11)
	gate := Exchange(a, 0, ExchangeSpec{From: []int{1}}, func([]ring.Payload) (int, error) { return 0, nil })
	send := func(op *Op, text string, deps ...Dep) {
		Exchange(op, 0, ExchangeSpec{To: []int{1}, Pack: func() ring.Payload { return ring.Payload{Len: len(text), Data: []byte(text)} }},
			func([]ring.Payload) (int, error) { return 0, nil }, deps...)
	}
	send(a, "a1", gate)
	Do(a, 0, func() int { return 0 })
	send(a, "a2")
	send(b, "b0")
	got := make(chan string, 3)
	for k, want := range map[link.Key]string{
		{Phase: link.Input, Op: 10, Step: 1}: "a1",
		{Phase: link.Input, Op: 10, Step: 2}: "a2",
		{Phase: link.Input, Op: 11, Step: 0}: "b0",
	} {
		ends[1].Await(0, k, func(m link.Message, err error) {
			if err != nil || string(m.Data) != want {
				t.Errorf("%v brought %q, %v", k, m.Data, err)
			}
			got <- want
		})
	}
	ends[1].Send(0, link.Key{Phase: link.Input, Op: 10}, 0, nil)
	within(t, "Wait", func() {
		if err := g.Wait(); err != nil {
			t.Error(err)
		}
		for range 3 {
			<-got
		}
	})
}

// After Wait no goroutine of the graph is left, though its links stay open.
func TestNoGoroutineIsLeft(t *testing.T) {
	ends := memory(t, 3)
	before := goleak.IgnoreCurrent()
	run(t, links(ends), func(g *Graph) {
		for id := range uint32(20) {
			x := sum(g.opOf(id), Resolved(uint64(id)))
			Do(g.opOf(100+id), 0, func() uint64 { return x.Get() }, x)
		}
	})
	goleak.VerifyNone(t, before)

	g := New(t.Context(), link.Output, ends[0], &Account{})
	x := sum(g.opOf(1), Resolved(uint64(1)))
	sum(g.opOf(2), x)
	g.Fail(errors.New("enough"))
	if g.Wait() == nil {
		t.Error("no error")
	}
	goleak.VerifyNone(t, before)
}

func TestManyExchanges(t *testing.T) {
	const n = 3000
	var last [2]*Future[uint64]
	graphs := run(t, links(memory(t, 2)), func(g *Graph) {
		x := Resolved(uint64(1))
		for id := range uint32(n) {
			if g.Admit() != nil {
				return
			}
			op := g.opOf(id)
			sum(op, Resolved(uint64(id)))
			if id%100 == 0 {
				x = sum(op, x)
			}
		}
		last[g.link.Rank()] = x
	})
	for i, g := range graphs {
		if last[i].Get() != 1<<(n/100) || g.Rounds() != n/100 {
			t.Errorf("party %d: %d after %d rounds", i, last[i].Get(), g.Rounds())
		}
	}
}
