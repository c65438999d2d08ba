package link

import (
	"io"
	"sync"
	"time"
)

// Memory returns the endpoints of n parties in one process, by rank. A message is passed on without being
// encoded, on the goroutine that sends it.
func Memory(n int) []*Endpoint { return inProcess(n, nil) }

// inProcess returns the endpoints of n parties in one process, whose messages the network carries; nil for none.
func inProcess(n int, network *simulated) []*Endpoint {
	ends := make([]*Endpoint, n)
	for i := range ends {
		ends[i] = &Endpoint{rank: i, peers: make([]*peer, n), stop: make(chan struct{})}
		for j := range i {
			a, b := newPeer(j), newPeer(i)
			a.far, b.far = b, a
			a.network, b.network = network, network
			ends[i].peers[j], ends[j].peers[i] = a, b
		}
	}
	return ends
}

// Pipe returns the two ends of a connection within this process that has the speed of shape.
func Pipe(shape Shape) (a, b io.ReadWriteCloser) {
	x, y := newPipe(shape), newPipe(shape)
	return duplex{x, y}, duplex{y, x}
}

// Shaped returns the endpoints of n parties in one process, by rank, over a simulated network: each direction between two parties has
// a line with the speed of shape. A message is passed on without being encoded when its last byte has arrived; until then the receiver has
// no access to it. If the shape has no limits, Shaped is Memory.
func Shaped(n int, shape Shape) []*Endpoint {
	if shape.Zero() {
		return Memory(n)
	}
	return inProcess(n, &simulated{shape: shape})
}

// duplex reads one pipe and writes another.
type duplex struct{ in, out *pipe }

func (d duplex) Read(b []byte) (int, error)  { return d.in.Read(b) }
func (d duplex) Write(b []byte) (int, error) { return d.out.Write(b) }
func (d duplex) CloseWrite() error           { d.out.close(io.EOF); return nil }
func (d duplex) Close() error {
	d.in.close(io.ErrClosedPipe)
	d.out.close(io.EOF)
	return nil
}

// pipe is a bounded buffer of bytes from one writer to one reader.
type pipe struct {
	mu   sync.Mutex
	wake sync.Cond
	buf  []byte
	off  int   // bytes of buf that have been read
	err  error // error of Read after the last byte

	shape     Shape
	busyUntil time.Time // end of the transmission of everything written so far
	pieces    []piece   // of a shaped pipe: pieces on the line, in order
	arrived   int       // bytes after off that have arrived
}

// piece is n bytes that arrive together.
type piece struct {
	n  int
	at time.Time
}

const (
	pipeSize  = 8 << 20
	pieceSize = 1 << 14
	// shortWait is a wait for which timers are not accurate enough.
	shortWait = 2 * time.Millisecond
)

func newPipe(shape Shape) *pipe {
	p := &pipe{shape: shape}
	p.wake.L = &p.mu
	return p
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for len(b) > 0 {
		for len(p.buf)-p.off >= pipeSize && p.err == nil {
			p.wake.Wait()
		}
		if p.err != nil {
			return n, io.ErrClosedPipe
		}
		if p.off > len(p.buf)/2 {
			p.buf = p.buf[:copy(p.buf, p.buf[p.off:])]
			p.off = 0
		}
		m := min(len(b), pipeSize-(len(p.buf)-p.off))
		p.buf = append(p.buf, b[:m]...)
		b, n = b[m:], n+m
		if !p.shape.Zero() {
			p.transmit(m)
		}
		p.wake.Broadcast()
	}
	return n, nil
}

// transmit appends n bytes to the line, in pieces that arrive one after the other.
func (p *pipe) transmit(n int) {
	now := time.Now()
	for ; n > 0; n -= pieceSize {
		m := min(n, pieceSize)
		var at time.Time
		at, p.busyUntil = p.shape.arrival(now, p.busyUntil, m)
		p.pieces = append(p.pieces, piece{m, at})
	}
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.off == len(p.buf) {
		if p.err != nil {
			return 0, p.err
		}
		p.wake.Wait()
	}
	if !p.shape.Zero() {
		p.awaitArrival()
		b = b[:min(len(b), p.arrived)]
		p.arrived -= len(b)
	}
	n := copy(b, p.buf[p.off:])
	if p.off += n; p.off == len(p.buf) {
		p.buf, p.off = p.buf[:0], 0
	}
	p.wake.Broadcast()
	return n, nil
}

// awaitArrival waits until the first piece has arrived, and counts all that have. It does not wait
// on a closed pipe: what was written to it arrives at once, because its timing no longer matters.
func (p *pipe) awaitArrival() {
	for p.arrived == 0 && p.err == nil {
		wait := time.Until(p.pieces[0].at)
		if wait <= 0 {
			break
		}
		if wait < shortWait {
			p.mu.Unlock()
			sleepShort(wait)
			p.mu.Lock()
			continue
		}
		timer := time.AfterFunc(wait-shortWait/2, func() {
			p.mu.Lock() // taking the lock prevents a broadcast before the wait
			p.wake.Broadcast()
			p.mu.Unlock()
		})
		p.wake.Wait()
		timer.Stop()
	}
	now := time.Now()
	for len(p.pieces) > 0 && (p.err != nil || !p.pieces[0].at.After(now)) {
		p.arrived += p.pieces[0].n
		p.pieces = p.pieces[1:]
	}
}

func (p *pipe) close(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.wake.Broadcast()
}
