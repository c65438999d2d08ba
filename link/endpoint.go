package link

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// ErrClosed is the error of Await after this side has closed its endpoint.
var ErrClosed = errors.New("link: closed")

// Endpoint is one party's end of its connections to all others.
type Endpoint struct {
	rank  int
	peers []*peer // nil at the own rank

	heartbeat Heartbeat
	stop      chan struct{} // closing it ends monitorPeers
	stopped   sync.Once
	monitor   sync.WaitGroup
}

// Option is a setting of an endpoint's connections.
type Option interface{ apply(e *Endpoint) }

// NewEndpoint starts the writers and readers of a party's connections; conns has one connection for
// each rank, nil at the own rank. Closing a connection must end its reads and writes, and may
// happen more than once. If a connection has a method CloseWrite, only that half is closed first,
// so that the last frames arrive whatever the peer is sending.
//
// Every peer may send one mebibyte, and more after Allow.
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
		p.conn, p.bounds, p.linger = c, b, e.heartbeat.linger()
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
	if e.heartbeat != (Heartbeat{}) {
		e.monitor.Go(e.monitorPeers)
	}
	return e
}

// Rank is the party's own rank.
func (e *Endpoint) Rank() int { return e.rank }

// Size is the number of parties.
func (e *Endpoint) Size() int { return len(e.peers) }

// Send queues a message for a peer and returns; data must not be changed later. It blocks while the
// queue is full. Errors of the connection, and a payload longer than MaxPayload, are reported by
// Await.
func (e *Endpoint) Send(to int, k Key, clock int32, data []byte) {
	p := e.peers[to]
	if len(data) > MaxPayload {
		p.fail(&PeerError{to, fmt.Errorf("%v: %d bytes are too long for one message", k, len(data))})
		return
	}
	if p.far != nil {
		p.far.deliver(k, Message{clock, data})
		return
	}
	// Let the writer run first: if this goroutine continued with what has arrived meanwhile, the
	// peer would wait for the queued message, and this party then for the peer.
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

// Await calls f once, with the message of a key from a peer or with the error that ended the
// connection, as soon as either is available: at once, or later on the goroutine that reads the
// connection, which f must not block. Awaiting a key twice is an error.
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

// Close ends all connections after the queues have been written, fails all pending Awaits, and
// returns when all goroutines have ended. A peer that does not read delays it for as long as the
// peer is alive, or for the timeout of the Heartbeat.
func (e *Endpoint) Close() { e.end("") }

// Abort sends all peers the reason why this party cannot continue, and closes: queued frames that
// are not being written are dropped; the peers' Awaits fail with a PeerError that holds an Aborted,
// this party's with ErrClosed. The reason is one line of text of at most 1 KiB; unprintable
// characters in it are replaced. Abort returns when all goroutines have ended; a peer that does not
// read delays it by the timeout at most.
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
	e.monitor.Wait()
}
