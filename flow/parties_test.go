package flow

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/ring"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang is the time after which a test gives up.
const hang = time.Minute

// within fails the test if f does not return in time.
func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(hang):
		t.Fatalf("%s hangs", what)
	}
}

// blocks fails the test if f returns, and returns a channel that is closed when it does.
func blocks(t testing.TB, what string, f func()) <-chan struct{} {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
		t.Errorf("%s does not block", what)
	case <-time.After(20 * time.Millisecond):
	}
	return done
}

// memory is link.Memory(n), closed at the test's end.
func memory(t testing.TB, n int) []*link.Endpoint {
	ends := link.Memory(n)
	t.Cleanup(func() { closeAll(t, ends) })
	return ends
}

func closeAll(t testing.TB, ends []*link.Endpoint) {
	t.Helper()
	within(t, "Close", func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	})
}

// lonely is a party's link without peers.
type lonely struct{}

func (lonely) Rank() int                                      { return 0 }
func (lonely) Size() int                                      { return 1 }
func (lonely) Send(int, link.Key, int32, []byte)              {}
func (lonely) Await(int, link.Key, func(link.Message, error)) {}
func (lonely) graph(ctx context.Context) *Graph               { return New(ctx, link.Online, lonely{}, &Account{}) }
func (l lonely) op(t testing.TB, id uint32, where string) *Op {
	return l.graph(t.Context()).Op(id, &Cost{}, where)
}

// late is a link that delivers messages late and out of order.
type late struct {
	Link
	mu  sync.Mutex
	rnd *rand.Rand
	wg  sync.WaitGroup
}

func newLate(l Link, seed uint64) *late { return &late{Link: l, rnd: rand.New(rand.NewPCG(seed, 1))} }

func (l *late) Await(from int, k link.Key, f func(link.Message, error)) {
	l.mu.Lock()
	delay := time.Duration(l.rnd.IntN(300)) * time.Microsecond
	l.mu.Unlock()
	l.wg.Add(1)
	l.Link.Await(from, k, func(m link.Message, err error) {
		go func() {
			defer l.wg.Done()
			time.Sleep(delay)
			f(m, err)
		}()
	})
}

// run builds and waits for one graph for each party, concurrently.
func run(t testing.TB, links []Link, build func(g *Graph)) []*Graph {
	t.Helper()
	graphs := make([]*Graph, len(links))
	errs := make([]error, len(links))
	within(t, "the graphs", func() {
		var wg sync.WaitGroup
		for i, l := range links {
			wg.Go(func() {
				graphs[i] = New(context.Background(), link.Online, l, &Account{})
				build(graphs[i])
				errs[i] = graphs[i].Wait()
			})
		}
		wg.Wait()
	})
	for i, err := range errs {
		if err != nil {
			t.Fatalf("party %d: %v", i, err)
		}
	}
	return graphs
}

func links(ends []*link.Endpoint) []Link {
	out := make([]Link, len(ends))
	for i, e := range ends {
		out[i] = e
	}
	return out
}

// others are all ranks but one.
func others(rank, n int) []int {
	var out []int
	for i := range n {
		if i != rank {
			out = append(out, i)
		}
	}
	return out
}

// message packs a number into a payload of at least 8 bytes.
func message(x uint64, size int) ring.Payload {
	b := make([]byte, size)
	binary.LittleEndian.PutUint64(b, x)
	return ring.Payload{Len: size, Data: b}
}

func content(p ring.Payload) uint64 { return binary.LittleEndian.Uint64(p.Data) }

// sum exchanges a number among all parties and adds them up.
func sum(op *Op, x *Future[uint64], deps ...Dep) *Future[uint64] {
	l := op.Graph.link
	all := others(l.Rank(), l.Size())
	return Exchange(op, 8, ExchangeSpec{To: all, From: all, Size: 8, Pack: func() ring.Payload { return message(x.Get(), 8) }},
		func(in []ring.Payload) (uint64, error) {
			total := x.Get()
			for _, p := range in {
				total += content(p)
			}
			return total, nil
		}, append(deps, x)...)
}

// opOf makes the handle of an instance with its own costs.
func (g *Graph) opOf(id uint32) *Op { return g.Op(id, &Cost{}, fmt.Sprintf("test:%d", id)) }
