package fault

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

const (
	// pieceSize and pieces bound the data in transit in one direction.
	pieceSize = 16 << 10
	pieces    = 512
	// unread is the size in bytes of a connection's receive buffer. By default, the kernel lets it grow to many megabytes, so that
	// a sender would be far ahead of a slow line.
	unread = 256 << 10
	// trickle is the interval at which data arrive over a slow line.
	trickle = 20 * time.Millisecond
)

// pair is two connections that are forwarded to each other.
type pair struct {
	line *Line
	ends [2]net.Conn   // one for each direction
	ways [2]*way       // closed when both connections are
	gone chan struct{} // closed: both are
	once sync.Once
}

// way is one direction of a pair.
type way struct {
	dir      Direction
	from, to net.Conn
	clock    clock
	queue    chan piece
}

// piece is some bytes and their arrival time; no bytes stand for the end of the connection.
type piece struct {
	data  []byte
	due   time.Time
	reset bool // the connection ended by an error, not by a close
}

func newPair(l *Line, a, b net.Conn, number uint64) *pair {
	p := &pair{line: l, ends: [2]net.Conn{a, b}, gone: make(chan struct{})}
	for _, c := range p.ends {
		if b, ok := c.(interface{ SetReadBuffer(int) error }); ok {
			b.SetReadBuffer(unread)
		}
	}
	for i, d := range []Direction{Out, Back} {
		p.ways[i] = &way{
			dir: d, from: p.ends[i], to: p.ends[1-i],
			clock: clock{random: rand.New(rand.NewPCG(l.seed, number<<2|uint64(d)))},
			queue: make(chan piece, pieces),
		}
	}
	return p
}

// end closes both connections, once; if hard, with a reset where the connection supports it. The
// caller holds the line's lock.
func (p *pair) end(hard bool) {
	p.once.Do(func() {
		close(p.gone)
		for _, c := range p.ends {
			shut(c, hard)
		}
		delete(p.line.pairs, p)
		p.line.changed.Broadcast()
	})
}

// halfCloser is a connection of which one direction can be closed.
type halfCloser interface{ CloseWrite() error }

// lingerer is a connection that can be closed with a reset.
type lingerer interface{ SetLinger(int) error }

// shut closes a connection; if hard, with a reset where the connection supports it.
func shut(c net.Conn, hard bool) {
	if l, ok := c.(lingerer); ok && hard {
		l.SetLinger(0)
	}
	c.Close()
}

func (p *pair) finish(hard bool) {
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	p.end(hard)
}

// forward forwards both directions until both have ended.
func (p *pair) forward() {
	var wg sync.WaitGroup
	for _, w := range p.ways {
		wg.Go(func() { p.receive(w) })
		wg.Go(func() { p.deliver(w) })
	}
	wg.Wait()
	p.finish(false)
}

// receive reads data and computes their arrival times.
func (p *pair) receive(w *way) {
	defer close(w.queue)
	for {
		if !p.awaitLine(w) {
			return
		}
		buf := make([]byte, pieceSize)
		n, err := w.from.Read(buf)
		for data := buf[:n]; len(data) > 0; {
			if !p.awaitLine(w) {
				return
			}
			var part []byte
			if part, data = p.next(w, data); len(part) > 0 && !p.put(w, part) {
				return
			}
		}
		if err != nil {
			p.ended(w, err != io.EOF)
			return
		}
	}
}

// awaitLine waits while the line is paused. It reports whether the pair is still open.
func (p *pair) awaitLine(w *way) bool {
	l := p.line
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.lane[w.dir].fault.Stop && l.pairs[p] {
		l.changed.Wait()
	}
	return l.pairs[p]
}

// next splits data at the next event: part is forwarded before it. If the event is due, next runs
// it and returns no part.
func (p *pair) next(w *way, data []byte) (part, rest []byte) {
	l := p.line
	l.mu.Lock()
	a := &l.lane[w.dir]
	if a.fault.Hole {
		l.mu.Unlock()
		return nil, nil
	}
	if len(a.events) == 0 || a.events[0].at >= a.passed+int64(len(data)) {
		a.passed += int64(len(data))
		l.mu.Unlock()
		return data, nil
	}
	if n := a.events[0].at - a.passed; n > 0 {
		a.passed += n
		l.mu.Unlock()
		return data[:n], data[n:]
	}
	do := a.events[0].do
	a.events = a.events[1:]
	l.mu.Unlock()
	if do == nil {
		data[0] ^= 1
		return nil, data
	}
	do()
	return nil, data
}

// put queues data: in one piece or, on a slow line, in the small pieces that arrive one after the
// other. It reports whether the pair is still open.
func (p *pair) put(w *way, data []byte) bool {
	f := p.fault(w)
	most := pieceSize
	if f.Rate > 0 {
		most = max(1, min(most, int(f.Rate*trickle.Seconds())))
	}
	for len(data) > 0 {
		part := data[:min(len(data), most)]
		data = data[len(part):]
		select {
		case w.queue <- piece{data: part, due: w.clock.arrival(f, len(part))}:
		case <-p.gone:
			return false
		}
	}
	return true
}

func (p *pair) fault(w *way) Fault {
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	return p.line.lane[w.dir].fault
}

// ended queues the end of the connection, unless the line is a black hole.
func (p *pair) ended(w *way, reset bool) {
	f := p.fault(w)
	if f.Hole {
		<-p.gone
		return
	}
	select {
	case w.queue <- piece{due: w.clock.arrival(f, 0), reset: reset}:
	case <-p.gone:
	}
}

// deliver writes pieces when they arrive.
func (p *pair) deliver(w *way) {
	for x := range w.queue {
		if wait := time.Until(x.due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-p.gone:
				return
			}
		}
		if x.data == nil {
			if c, ok := w.to.(halfCloser); ok && !x.reset {
				c.CloseWrite()
			} else {
				p.finish(x.reset)
			}
			return
		}
		if _, err := w.to.Write(x.data); err != nil {
			p.finish(true)
			return
		}
	}
}
