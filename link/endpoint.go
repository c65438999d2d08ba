package link

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
)

// ErrClosed is the error that Await passes to its callback after this side has closed its endpoint.
var ErrClosed = errors.New("link: closed")

// Endpoint is one party's end of its connections to all other parties. Its methods may be called from several
// goroutines.
type Endpoint struct {
	rank  int
	peers []*peer // nil at the own rank

	heartbeat Heartbeat
	stop      chan struct{} // closing it ends monitorPeers
	stopped   sync.Once
	monitor   sync.WaitGroup
}

// Option is a setting of an endpoint's connections, for NewEndpoint. Heartbeat is an Option.
type Option interface{ apply(e *Endpoint) }

// NewEndpoint returns the endpoint of the party of this rank, and starts goroutines that write to and read from
// its connections. conns has one connection for each rank, and nil at the own rank. options are settings, such
// as a Heartbeat. Closing a connection must end its reads and writes, and may happen more than once. If a
// connection has a method CloseWrite, the endpoint first closes only that half, so that the last frames arrive
// whatever the peer is sending.
//
// Before Allow is called, every peer may send one mebibyte.
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

// Rank returns the party's own rank.
func (e *Endpoint) Rank() int { return e.rank }

// Size returns the number of parties, this one included.
func (e *Endpoint) Size() int { return len(e.peers) }

// InMemory reports whether all peers are in this process and messages reach them at once, as between endpoints that Memory returned.
func (e *Endpoint) InMemory() bool {
	for _, p := range e.peers {
		if p != nil && (p.far == nil || p.network != nil) {
			return false
		}
	}
	return true
}

// Send queues a message with key k for the peer of rank to. clock is the sender's logical clock (the package
// comment defines it). Send blocks while the queue is full. data must not be changed after the call. Errors of
// the connection, and a payload longer than MaxPayload, make Await fail.
func (e *Endpoint) Send(to int, k Key, clock int32, data []byte) {
	p := e.peers[to]
	if len(data) > MaxPayload {
		p.fail(&PeerError{to, fmt.Errorf("%v: %d bytes are too long for one message", k, len(data))})
		return
	}
	if p.network != nil {
		p.network.send(p, k, Message{clock, data})
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

// Await calls f once: with the message from the peer of rank from that has the key k, or with the error that
// ended the connection. It calls f at once if either is available, otherwise later on the goroutine that reads
// the connection, which f must not block. Awaiting a key a second time is an error.
func (e *Endpoint) Await(from int, k Key, f func(Message, error)) {
	p := e.peers[from]
	p.mu.Lock()
	m, ok := p.arrived[k]
	err := p.err
	if ok { // and so it is not waited for
		delete(p.arrived, k)
	} else if _, twice := p.waiting[k]; twice {
		err = fmt.Errorf("link: party %d: %v is awaited twice", from, k)
	} else if err == nil {
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

// Close sends all queued messages, ends all connections, and fails all pending Awaits with ErrClosed. It returns
// when all goroutines have ended. A peer that does not read delays it for as long as the peer is alive, or for
// Heartbeat.Timeout.
func (e *Endpoint) Close() { e.end("") }

// Abort sends all peers the reason for which this party cannot continue, and closes the endpoint. It drops
// queued messages that are not being written. At the peers, Await fails with a PeerError that wraps an Aborted;
// at this party, with ErrClosed. Only the first line of the reason, at most 1 KiB, is sent; unprintable
// characters in it are replaced. Abort returns when all goroutines have ended. A peer that does not read delays
// it by Heartbeat.Timeout at most.
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
