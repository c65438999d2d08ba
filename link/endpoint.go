package link

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"sync"
)

// ErrClosed is what waits fail with when this side closed its endpoint.
var ErrClosed = errors.New("link: closed")

// PeerError says that the connection to a peer failed.
type PeerError struct {
	Rank int
	Err  error
}

func (e *PeerError) Error() string { return fmt.Sprintf("link: party %d: %v", e.Rank, e.Err) }

// Unwrap is the cause.
func (e *PeerError) Unwrap() error { return e.Err }

// Endpoint is one party's end of its connections to all others.
type Endpoint struct {
	rank  int
	peers []*peer // nil at the own rank
}

// peer is one connection and what is queued for it and waited for from it.
type peer struct {
	rank int
	conn io.ReadWriteCloser
	far  *peer // in place of a connection: the other end, in this process
	wg   sync.WaitGroup

	mu      sync.Mutex
	wake    sync.Cond // queue changed, err set
	queue   [][]byte  // header and payload in turn
	queued  int
	err     error
	arrived map[Key]Message
	waiting map[Key]func(Message, error)
}

// maxQueued is how many bytes may wait for a peer's writer before Send blocks.
const maxQueued = 64 << 20

// NewEndpoint starts the writers and readers of a party's connections; conns
// holds one connection for each rank, nil at the own one. Closing a connection
// must end what reads and writes it, and may happen more than once.
func NewEndpoint(rank int, conns []io.ReadWriteCloser) *Endpoint {
	e := &Endpoint{rank: rank, peers: make([]*peer, len(conns))}
	for i, c := range conns {
		if i == rank {
			continue
		}
		p := newPeer(i)
		p.conn = c
		p.wg.Add(2)
		go p.write()
		go p.read()
		e.peers[i] = p
	}
	return e
}

func newPeer(rank int) *peer {
	p := &peer{rank: rank, arrived: map[Key]Message{}, waiting: map[Key]func(Message, error){}}
	p.wake.L = &p.mu
	return p
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
	h := make([]byte, headerSize)
	putHeader(h, k, clock, len(data))
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.queued > maxQueued && p.err == nil {
		p.wake.Wait()
	}
	if p.err != nil {
		return
	}
	p.queue = append(p.queue, h, data)
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
// what still waits, and returns when all goroutines have ended.
func (e *Endpoint) Close() {
	for _, p := range e.peers {
		if p != nil {
			p.fail(ErrClosed)
		}
	}
	for _, p := range e.peers {
		if p != nil {
			p.wg.Wait()
		}
	}
}

// errGone is what a peer's end of the connection shows.
var errGone = errors.New("closed the connection")

// fail sets the connection's error once and tells all who wait. The writer
// then drains the queue and closes the connection.
func (p *peer) fail(err error) {
	p.mu.Lock()
	if p.err != nil {
		p.mu.Unlock()
		return
	}
	p.err = err
	waiting := p.waiting
	p.waiting = nil
	p.wake.Broadcast()
	p.mu.Unlock()
	for _, f := range waiting {
		f(Message{}, err)
	}
	if p.far != nil {
		p.far.fail(&PeerError{p.far.rank, errGone})
	}
}

// arrives passes on a message to who waits for it, or keeps it. It reports
// whether the connection goes on.
func (p *peer) arrives(k Key, m Message) bool {
	p.mu.Lock()
	if p.far != nil && p.err != nil {
		p.mu.Unlock()
		return false
	}
	f, ok := p.waiting[k]
	_, twice := p.arrived[k]
	switch {
	case ok:
		delete(p.waiting, k)
	case !twice:
		p.arrived[k] = m
	}
	p.mu.Unlock()
	switch {
	case ok:
		f(m, nil)
	case twice:
		p.fail(&PeerError{p.rank, fmt.Errorf("sent %v twice", k)})
		return false
	}
	return true
}

func (p *peer) write() {
	defer p.wg.Done()
	defer p.conn.Close()
	var buf []byte
	for {
		p.mu.Lock()
		for len(p.queue) == 0 && p.err == nil {
			p.wake.Wait()
		}
		queue := p.queue
		p.queue, p.queued = nil, 0
		p.wake.Broadcast()
		p.mu.Unlock()
		if len(queue) == 0 {
			return // failed, and all is written
		}
		buf = buf[:0]
		for _, b := range queue {
			buf = append(buf, b...)
		}
		if _, err := p.conn.Write(buf); err != nil {
			p.fail(&PeerError{p.rank, err})
			return
		}
		if cap(buf) > 1<<20 {
			buf = nil
		}
	}
}

func (p *peer) read() {
	defer p.wg.Done()
	defer p.conn.Close() // the writer may be blocked on a peer that reads no more
	r := bufio.NewReaderSize(p.conn, 1<<16)
	for {
		k, m, err := readFrame(r)
		if err == io.EOF {
			err = errGone
		}
		if err != nil {
			p.fail(&PeerError{p.rank, err})
			return
		}
		if !p.arrives(k, m) {
			return
		}
	}
}
