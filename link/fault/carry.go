package fault

import (
	"io"
	"math/rand/v2"
	"net"
	"sync"
	"time"
)

const (
	// pieceSize and pieces bound what is under way in one direction.
	pieceSize = 16 << 10
	pieces    = 512
	// trickle is how often something arrives over a slow line.
	trickle = 20 * time.Millisecond
)

// pair is two connections that are one to those at their other ends.
type pair struct {
	line *Line
	ends [2]net.Conn
	ways [2]*way
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

// piece is some bytes and when they arrive; none: the end.
type piece struct {
	data  []byte
	due   time.Time
	reset bool // the end was none that the other side meant
}

func newPair(l *Line, a, b net.Conn, number uint64) *pair {
	p := &pair{line: l, ends: [2]net.Conn{a, b}, gone: make(chan struct{})}
	for i, d := range []Direction{Out, Back} {
		p.ways[i] = &way{
			dir: d, from: p.ends[i], to: p.ends[1-i],
			clock: clock{random: rand.New(rand.NewPCG(l.seed, number<<2|uint64(d)))},
			queue: make(chan piece, pieces),
		}
	}
	return p
}

// end closes both connections, once; hard: with a reset where there is such a
// thing. The line's lock is held.
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

// shut closes a connection; hard: with a reset where there is such a thing.
func shut(c net.Conn, hard bool) {
	if l, ok := c.(interface{ SetLinger(int) error }); ok && hard {
		l.SetLinger(0)
	}
	c.Close()
}

func (p *pair) over(hard bool) {
	p.line.mu.Lock()
	defer p.line.mu.Unlock()
	p.end(hard)
}

// carry passes on both ways until both have ended.
func (p *pair) carry() {
	var wg sync.WaitGroup
	for _, w := range p.ways {
		wg.Go(func() { p.take(w) })
		wg.Go(func() { p.give(w) })
	}
	wg.Wait()
	p.over(false)
}

// take reads what comes and says when it arrives.
func (p *pair) take(w *way) {
	defer close(w.queue)
	for {
		if !p.flows(w) {
			return
		}
		buf := make([]byte, pieceSize)
		n, err := w.from.Read(buf)
		for data := buf[:n]; len(data) > 0; {
			if !p.flows(w) {
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

// flows waits while the line is stopped. It reports whether the pair is there.
func (p *pair) flows(w *way) bool {
	l := p.line
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.lane[w.dir].fault.Stop && l.pairs[p] {
		l.changed.Wait()
	}
	return l.pairs[p]
}

// next is what is passed on of data before something happens, and the rest of
// it. Where something happens at once, it does.
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

// put puts bytes on their way: together, or where the line is slow in pieces, so
// that they trickle.
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

// ended passes on that the connection has ended, unless that falls into a hole.
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

// give writes what arrives.
func (p *pair) give(w *way) {
	for x := range w.queue {
		if wait := time.Until(x.due); wait > 0 {
			select {
			case <-time.After(wait):
			case <-p.gone:
				return
			}
		}
		if x.data == nil {
			if c, ok := w.to.(interface{ CloseWrite() error }); ok && !x.reset {
				c.CloseWrite()
			} else {
				p.over(x.reset)
			}
			return
		}
		if _, err := w.to.Write(x.data); err != nil {
			p.over(true)
			return
		}
	}
}
