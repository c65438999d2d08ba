package link

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hang is the time after which a test gives up.
const hang = time.Minute

// received is what an Await called back with.
type received struct {
	m   Message
	err error
}

// await starts an Await and returns the channel of its result.
func await(e *Endpoint, from int, k Key) <-chan received {
	c := make(chan received, 2) // space for a second call, which would be an error
	e.Await(from, k, func(m Message, err error) { c <- received{m, err} })
	return c
}

// get waits for a result.
func get(t testing.TB, c <-chan received) received {
	t.Helper()
	select {
	case r := <-c:
		return r
	case <-time.After(hang):
		t.Fatal("nothing arrived")
	}
	panic("unreachable")
}

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

func closeAll(t testing.TB, ends []*Endpoint) {
	t.Helper()
	within(t, "Close", func() {
		var wg sync.WaitGroup
		for _, e := range ends {
			wg.Go(e.Close)
		}
		wg.Wait()
	})
}

// memory is Memory(n), closed at the test's end.
func memory(t testing.TB, n int) []*Endpoint { return closing(t, Memory(n)) }

// closing closes endpoints at the test's end.
func closing(t testing.TB, ends []*Endpoint) []*Endpoint {
	t.Cleanup(func() { closeAll(t, ends) })
	return ends
}

// kinds are the ways to connect parties in one process.
var kinds = map[string]func(n int) []*Endpoint{
	"memory": Memory,
	"shaped": func(n int) []*Endpoint { return Shaped(n, Shape{1e9, time.Millisecond}) },
	"pipes":  func(n int) []*Endpoint { return piped(n, Shape{}) },
	"tcp":    func(n int) []*Endpoint { return wired(n, unbounded) },
}

// piped connects every two of n parties by a pair of pipes.
func piped(n int, shape Shape) []*Endpoint {
	conns := make([][]io.ReadWriteCloser, n)
	for i := range conns {
		conns[i] = make([]io.ReadWriteCloser, n)
	}
	for i := range n {
		for j := range i {
			conns[i][j], conns[j][i] = Pipe(shape)
		}
	}
	ends := make([]*Endpoint, n)
	for i := range ends {
		ends[i] = newEndpoint(i, conns[i], unbounded)
	}
	return ends
}

// wired connects n parties over TCP.
func wired(n int, b bounds, options ...Option) []*Endpoint {
	conns := make([][]io.ReadWriteCloser, n)
	for i := range conns {
		conns[i] = make([]io.ReadWriteCloser, n)
	}
	for i := range n {
		for j := range i {
			x, y, err := dialled()
			if err != nil {
				panic(err)
			}
			conns[i][j], conns[j][i] = x, y
		}
	}
	ends := make([]*Endpoint, n)
	for i := range ends {
		ends[i] = newEndpoint(i, conns[i], b, options...)
	}
	return ends
}

// overEach runs a test over every kind of connection.
func overEach(t *testing.T, n int, f func(t *testing.T, ends []*Endpoint)) {
	for name, connect := range kinds {
		t.Run(name, func(t *testing.T) { f(t, closing(t, connect(n))) })
	}
}

// arrives waits until a message has arrived that is not awaited.
func arrives(t testing.TB, e *Endpoint, from int, k Key) {
	t.Helper()
	p := e.peers[from]
	for start := time.Now(); time.Since(start) < hang; time.Sleep(time.Millisecond) {
		p.mu.Lock()
		_, ok := p.arrived[k]
		p.mu.Unlock()
		if ok {
			return
		}
	}
	t.Fatalf("%v does not arrive", k)
}

func TestRankAndSize(t *testing.T) {
	for i, e := range memory(t, 3) {
		if e.Rank() != i || e.Size() != 3 {
			t.Errorf("endpoint %d is %d of %d", i, e.Rank(), e.Size())
		}
	}
}

// For every order of Sends and Awaits at every party, each Await gets the message of its key,
// whole, once, with its clock.
func TestEveryMessageReachesItsKey(t *testing.T) {
	type message struct {
		from, to int
		key      Key
		clock    int32
		data     []byte
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 5).Draw(rt, "parties")
		keys := rapid.Custom(func(rt *rapid.T) message {
			from := rapid.IntRange(0, n-1).Draw(rt, "from")
			return message{
				from: from,
				to:   (from + rapid.IntRange(1, n-1).Draw(rt, "distance")) % n,
				key: Key{
					Phase(rapid.IntRange(0, int(Phases)-1).Draw(rt, "phase")),
					rapid.Uint32Range(0, 3).Draw(rt, "op"), rapid.Uint32Range(0, 3).Draw(rt, "step"),
				},
				clock: rapid.Int32().Draw(rt, "clock"),
				data:  bytes.Repeat([]byte{rapid.Byte().Draw(rt, "content")}, rapid.SampledFrom([]int{0, 1, 17, 4000, 70_000}).Draw(rt, "size")),
			}
		})
		ms := rapid.SliceOfNDistinct(keys, 0, 40, func(m message) string {
			return fmt.Sprint(m.from, m.to, m.key)
		}).Draw(rt, "messages")
		events := make([]int, 2*len(ms)) // 2i: send message i, 2i+1: await it
		for i := range events {
			events[i] = i
		}
		events = rapid.Permutation(events).Draw(rt, "order")
		ends := kinds[rapid.SampledFrom([]string{"memory", "shaped", "pipes", "tcp"}).Draw(rt, "kind")](n)
		defer closeAll(t, ends)
		answers := make([]<-chan received, len(ms))
		var wg sync.WaitGroup
		for rank := range n {
			wg.Go(func() {
				for _, e := range events {
					m := ms[e/2]
					if e%2 == 0 && m.from == rank {
						ends[rank].Send(m.to, m.key, m.clock, m.data)
					} else if e%2 == 1 && m.to == rank {
						answers[e/2] = await(ends[rank], m.from, m.key)
					}
				}
			})
		}
		wg.Wait()
		for i, m := range ms {
			r := get(t, answers[i])
			if r.err != nil || r.m.Clock != m.clock || !bytes.Equal(r.m.Data, m.data) {
				rt.Fatalf("message %d: clock %d, %d bytes, %v", i, r.m.Clock, len(r.m.Data), r.err)
			}
		}
		for i, a := range answers {
			if len(a) > 0 {
				rt.Fatalf("message %d was given twice", i)
			}
		}
	})
}

func TestAwaitBeforeAndAfterArrival(t *testing.T) {
	overEach(t, 2, func(t *testing.T, ends []*Endpoint) {
		early, late := Key{Online, 1, 0}, Key{Online, 1, 1}
		c := await(ends[1], 0, early)
		ends[0].Send(1, late, 4, []byte("late"))
		arrives(t, ends[1], 0, late)
		if len(c) > 0 {
			t.Fatal("another key's message was given")
		}
		answered := false
		ends[1].Await(0, late, func(m Message, err error) { answered = err == nil && string(m.Data) == "late" })
		if !answered {
			t.Error("what has arrived is not given at once")
		}
		ends[0].Send(1, early, 5, []byte("early"))
		if r := get(t, c); r.err != nil || string(r.m.Data) != "early" || r.m.Clock != 5 {
			t.Errorf("got %q, %v", r.m.Data, r.err)
		}
	})
}

func TestKeySentTwice(t *testing.T) {
	overEach(t, 3, func(t *testing.T, ends []*Endpoint) {
		k, other := Key{Output, 77, 5}, Key{Online, 1, 0}
		waiting, third := await(ends[1], 0, other), await(ends[1], 2, other)
		ends[0].Send(1, k, 0, []byte("a"))
		ends[0].Send(1, k, 0, []byte("b"))
		r := get(t, waiting)
		var pe *PeerError
		if !errors.As(r.err, &pe) || pe.Rank != 0 || !bytes.Contains([]byte(r.err.Error()), []byte(k.String())) {
			t.Errorf("got %v", r.err)
		}
		if r := get(t, await(ends[1], 0, k)); r.err != nil || string(r.m.Data) != "a" {
			t.Errorf("the first message of the key: %q, %v", r.m.Data, r.err)
		}
		ends[2].Send(1, other, 0, nil)
		if r := get(t, third); r.err != nil {
			t.Errorf("another peer: %v", r.err)
		}
	})
}

func TestKeyAwaitedTwice(t *testing.T) {
	overEach(t, 2, func(t *testing.T, ends []*Endpoint) {
		k := Key{Online, 3, 4}
		first := await(ends[0], 1, k)
		if r := get(t, await(ends[0], 1, k)); r.err == nil {
			t.Error("a second wait for the key is accepted")
		}
		ends[1].Send(0, k, 0, []byte("x"))
		if r := get(t, first); r.err != nil || string(r.m.Data) != "x" {
			t.Errorf("the first wait: %q, %v", r.m.Data, r.err)
		}
	})
}

func TestPeerCloses(t *testing.T) {
	overEach(t, 3, func(t *testing.T, ends []*Endpoint) {
		kept := Key{Online, 0, 9}
		ends[1].Send(0, kept, 2, []byte("kept"))
		arrives(t, ends[0], 1, kept)
		var waits []<-chan received
		for i := range uint32(50) {
			waits = append(waits, await(ends[0], 1, Key{Online, i, 0}))
		}
		other := await(ends[0], 2, Key{Online, 0, 0})
		ends[1].Close()
		for _, c := range waits {
			var pe *PeerError
			if r := get(t, c); !errors.As(r.err, &pe) || pe.Rank != 1 || errors.Is(r.err, ErrClosed) {
				t.Fatalf("got %v", r.err)
			}
		}
		var later error
		ends[0].Await(1, Key{Online, 0, 1}, func(_ Message, err error) { later = err })
		var pe *PeerError
		if !errors.As(later, &pe) || pe.Rank != 1 {
			t.Errorf("a later wait: %v", later)
		}
		within(t, "Send to a closed peer", func() {
			for i := range uint32(100) {
				ends[0].Send(1, Key{Input, i, 0}, 0, make([]byte, 1<<20))
			}
		})
		if r := get(t, await(ends[0], 1, kept)); r.err != nil || string(r.m.Data) != "kept" {
			t.Errorf("what had arrived: %q, %v", r.m.Data, r.err)
		}
		ends[2].Send(0, Key{Online, 0, 0}, 0, nil)
		if r := get(t, other); r.err != nil {
			t.Errorf("another peer: %v", r.err)
		}
	})
}

func TestOwnClose(t *testing.T) {
	overEach(t, 2, func(t *testing.T, ends []*Endpoint) {
		waits := []<-chan received{await(ends[0], 1, Key{Online, 0, 0}), await(ends[0], 1, Key{Online, 0, 1})}
		const n, size = 300, 100_000 // more than the pipe holds
		var got []<-chan received
		for i := range uint32(n) {
			got = append(got, await(ends[1], 0, Key{Output, i, 0}))
			ends[0].Send(1, Key{Output, i, 0}, int32(i), bytes.Repeat([]byte{byte(i)}, size))
		}
		within(t, "Close", ends[0].Close)
		for _, c := range waits {
			if r := get(t, c); !errors.Is(r.err, ErrClosed) {
				t.Errorf("own wait: %v", r.err)
			}
		}
		for i, c := range got {
			r := get(t, c)
			if r.err != nil || len(r.m.Data) != size || r.m.Data[size-1] != byte(i) {
				t.Fatalf("queued message %d: %d bytes, %v", i, len(r.m.Data), r.err)
			}
		}
		within(t, "a second Close", ends[0].Close)
		if r := get(t, await(ends[0], 1, Key{Online, 9, 9})); !errors.Is(r.err, ErrClosed) {
			t.Errorf("a wait after Close: %v", r.err)
		}
		ends[0].Send(1, Key{Online, 9, 9}, 0, nil) // is dropped
	})
}

func TestLargePayloads(t *testing.T) {
	const size = 20 << 20
	ends := memory(t, 3)
	data := make([][]byte, 3)
	var got [3][3]<-chan received
	for i := range data {
		data[i] = bytes.Repeat([]byte{1, 2, 3, byte(i)}, size/4)
	}
	var wg sync.WaitGroup
	for i, e := range ends {
		for j := range ends {
			if i != j {
				got[i][j] = await(e, j, Key{Online, 0, 0})
				wg.Go(func() { e.Send(j, Key{Online, 0, 0}, 0, data[i]) })
			}
		}
	}
	wg.Wait()
	for i := range ends {
		for j := range ends {
			if i == j {
				continue
			}
			if r := get(t, got[i][j]); r.err != nil || !bytes.Equal(r.m.Data, data[j]) {
				t.Fatalf("%d from %d: %d bytes, %v", i, j, len(r.m.Data), r.err)
			}
		}
	}
}

// gate is a connection on which nothing arrives and whose writes block.
type gate struct {
	open   chan struct{} // closed: writes continue
	begun  chan struct{} // a write has started
	closed chan struct{}
	once   sync.Once

	drops bool // what is written is not kept in data

	mu     sync.Mutex
	writes int
	data   bytes.Buffer
}

func newGate() *gate {
	return &gate{open: make(chan struct{}), begun: make(chan struct{}, 1000), closed: make(chan struct{})}
}

func (g *gate) Read([]byte) (int, error) { <-g.closed; return 0, io.EOF }

func (g *gate) Write(b []byte) (int, error) {
	g.begun <- struct{}{}
	select {
	case <-g.open:
	case <-g.closed:
		return 0, io.ErrClosedPipe
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.writes++
	if g.drops {
		return len(b), nil
	}
	return g.data.Write(b)
}

func (g *gate) Close() error { g.once.Do(func() { close(g.closed) }); return nil }

func TestWriterDrainsTheQueueInOneWrite(t *testing.T) {
	g := newGate()
	e := NewEndpoint(0, []io.ReadWriteCloser{nil, g})
	e.Send(1, Key{Online, 0, 0}, 0, []byte{0})
	<-g.begun // the writer is blocked in the first message
	const n = 50
	for i := uint32(1); i < n; i++ {
		e.Send(1, Key{Online, i, i}, int32(i), bytes.Repeat([]byte{byte(i)}, int(i)))
	}
	close(g.open)
	within(t, "Close", e.Close)
	if g.writes != 2 && g.writes != 3 { // the third one is Close's, if it is written at all
		t.Errorf("%d messages took %d writes", n, g.writes)
	}
	for i := range uint32(n) {
		k, m, err := readFrame(&g.data, anySize)
		if err != nil || k != (Key{Online, i, i}) || m.Clock != int32(i) || len(m.Data) != max(1, int(i)) {
			t.Fatalf("frame %d: %v %v %v", i, k, m, err)
		}
	}
	if !bytes.Equal(g.data.Bytes(), wire(leaveFrame)) {
		t.Errorf("%q is too much", g.data.Bytes())
	}
}

func TestSendBlocksAtTheBound(t *testing.T) {
	data := make([]byte, 1<<20)
	for _, end := range []struct {
		name    string
		unblock func(*gate, *Endpoint)
	}{
		{"the writer continues", func(g *gate, _ *Endpoint) { close(g.open) }},
		{"the peer goes away", func(g *gate, _ *Endpoint) { g.Close() }},
		{"the endpoint closes", func(g *gate, e *Endpoint) {
			go e.Close()
			time.Sleep(time.Millisecond)
			close(g.open)
		}},
	} {
		t.Run(end.name, func(t *testing.T) {
			g := newGate()
			g.drops = true
			e := NewEndpoint(0, []io.ReadWriteCloser{nil, g})
			e.Send(1, Key{Online, 0, 0}, 0, nil)
			<-g.begun
			step := uint32(0)
			within(t, "Send below the bound", func() {
				for ; int(step)*len(data) <= maxQueued; step++ {
					e.Send(1, Key{Online, 1, step}, 0, data)
				}
			})
			done := make(chan struct{})
			go func() {
				e.Send(1, Key{Online, 1, step}, 0, data)
				close(done)
			}()
			select {
			case <-done:
				t.Error("Send does not block above the bound")
			case <-time.After(20 * time.Millisecond):
			}
			end.unblock(g, e)
			within(t, "the blocked Send", func() { <-done })
			within(t, "Close", e.Close)
		})
	}
}

// The error of Await follows from what the peer sent.
func TestBrokenStreams(t *testing.T) {
	frame := func(k Key, size uint32, data string) []byte { return append(claiming(k, size), data...) }
	for _, c := range []struct {
		name string
		sent []byte
		want error
	}{
		{"nothing", nil, io.EOF},
		{"half a header", frame(Key{}, 0, "")[:7], io.ErrUnexpectedEOF},
		{"half a payload", frame(Key{}, 4, "ab"), io.ErrUnexpectedEOF},
		{"no payload", frame(Key{}, 4, ""), io.ErrUnexpectedEOF},
		{"an unknown phase", frame(Key{Phase: Phases}, 0, ""), nil},
		{"too long a payload", frame(Key{}, MaxPayload+1, ""), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			there, back := newPipe(Shape{}), newPipe(Shape{})
			e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil})
			w := await(e, 0, Key{Online, 0, 0})
			there.Write(c.sent)
			there.close(io.EOF)
			var pe *PeerError
			r := get(t, w)
			if !errors.As(r.err, &pe) || pe.Rank != 0 || c.want != nil && !errors.Is(r.err, c.want) {
				t.Errorf("got %v", r.err)
			}
			within(t, "the connection's end", func() { io.Copy(io.Discard, struct{ io.Reader }{back}) })
			within(t, "Close", e.Close)
		})
	}
}

// If both sides reject what they read, neither reads what the other still writes; both must end
// nevertheless.
func TestBothReadersFail(t *testing.T) {
	ends := memory(t, 2)
	big := make([]byte, 30<<20) // more than the pipe holds
	for i, e := range ends {
		for range 2 {
			e.Send(1-i, Key{Online, 0, 0}, 0, []byte("twice"))
		}
		e.Send(1-i, Key{Online, 0, 1}, 0, big)
	}
	for i, e := range ends {
		if r := get(t, await(e, 1-i, Key{Online, 0, 2})); r.err == nil {
			t.Errorf("party %d saw no error", i)
		}
	}
}

func TestPeerErrorUnwraps(t *testing.T) {
	err := &PeerError{3, io.ErrUnexpectedEOF}
	if !errors.Is(err, io.ErrUnexpectedEOF) || err.Error() != "link: party 3: unexpected EOF" {
		t.Errorf("%v", err)
	}
}
