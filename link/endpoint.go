package link

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// ErrClosed is what waits fail with when this side closed its endpoint.
var ErrClosed = errors.New("link: closed")

// Endpoint is one party's end of its connections to all others.
type Endpoint struct {
	rank  int
	peers []*peer // nil at the own rank

	watch    Watch
	stop     chan struct{} // closed: the watch ends
	stopped  sync.Once
	watching sync.WaitGroup
}

// Option is how an endpoint treats its connections.
type Option interface{ apply(e *Endpoint) }

// NewEndpoint starts the writers and readers of a party's connections; conns
// holds one connection for each rank, nil at the own one. Closing a connection
// must end what reads and writes it, and may happen more than once. Of a
// connection that has a method CloseWrite only that half is closed first, so
// that what was sent last arrives whatever the peer is sending.
//
// Every peer may send a mebibyte, and more when it is allowed to (Allow).
func NewEndpoint(rank int, conns []io.ReadWriteCloser, options ...Option) *Endpoint {
	return newEndpoint(rank, conns, unannounced, options...)
}

func newEndpoint(rank int, conns []io.ReadWriteCloser, b bounds, options ...Option) *Endpoint {
	e := &Endpoint{rank: rank, peers: make([]*peer, len(conns)), stop: make(chan struct{})}
	for _, o := range options {
		o.apply(e)
	}
	for i, c := range conns {
		if i == rank {
			continue
		}
		p := newPeer(i)
		p.conn, p.bounds, p.linger = c, b, e.watch.linger()
		p.drained = make(chan struct{})
		p.wg.Add(2)
		e.peers[i] = p
	}
	for _, p := range e.peers {
		if p != nil {
			go p.write()
			go p.read()
		}
	}
	if e.watch != (Watch{}) {
		e.watching.Go(e.keep)
	}
	return e
}

// Rank is the party's own rank.
func (e *Endpoint) Rank() int { return e.rank }

// Size is the number of parties.
func (e *Endpoint) Size() int { return len(e.peers) }

// Send queues a message for a peer and returns; data must not be changed later.
// Errors of the connection show at the waits; a payload longer than MaxPayload
// is one.
func (e *Endpoint) Send(to int, k Key, clock int32, data []byte) {
	p := e.peers[to]
	if len(data) > MaxPayload {
		p.fail(&PeerError{to, fmt.Errorf("%v: %d bytes are too long for one message", k, len(data))})
		return
	}
	if p.far != nil {
		p.far.arrives(k, Message{clock, data})
		return
	}
	// The writer goes first: where this goroutine goes on to what has arrived
	// meanwhile, the peer would wait for that, and this party then for the peer.
	defer runtime.Gosched()
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.queued > maxQueued && p.err == nil {
		p.wake.Wait()
	}
	if p.err != nil {
		return
	}
	p.queue = append(p.queue, newFrame(k, Message{clock, data}))
	p.queued += len(data)
	p.wake.Broadcast()
}

// Await calls f once, with the message of a key from a peer or with the error
// that ended the connection, as soon as either is there: at once, or later on
// the goroutine that reads the connection, which f must not block. A key that
// is awaited already is an error.
func (e *Endpoint) Await(from int, k Key, f func(Message, error)) {
	p := e.peers[from]
	p.mu.Lock()
	m, ok := p.arrived[k]
	_, twice := p.waiting[k]
	err := p.err
	switch {
	case ok:
		delete(p.arrived, k)
	case twice:
		err = fmt.Errorf("link: party %d: %v is awaited twice", from, k)
	case err == nil:
		p.waiting[k] = f
		p.mu.Unlock()
		return
	}
	p.mu.Unlock()
	if ok {
		f(m, nil)
	} else {
		f(Message{}, err)
	}
}

// Close ends all connections after what is queued has been written, fails
// what still waits, and returns when all goroutines have ended. A peer that
// does not take what is queued holds it up for as long as it is alive, or for
// the time of silence of the Watch.
func (e *Endpoint) Close() { e.end("") }

// Abort tells all peers why this party cannot go on, and closes: what is queued
// and not being written is dropped, peers' waits fail with a PeerError that
// holds an Aborted, this party's with ErrClosed. The reason is one line for
// people to read, 1 KiB at most; what is not printable in it is replaced. It
// returns when all goroutines have ended, which a peer that takes nothing
// delays by the time of silence at most.
func (e *Endpoint) Abort(reason string) {
	if reason = printable(reason); reason == "" {
		reason = "aborted"
	}
	e.end(reason)
}

func (e *Endpoint) end(reason string) {
	for _, p := range e.peers {
		if p != nil {
			p.end(ErrClosed, reason)
		}
	}
	for _, p := range e.peers {
		if p != nil {
			p.wg.Wait()
		}
	}
	e.stopped.Do(func() { close(e.stop) })
	e.watching.Wait()
}
