package fault

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"sync"
)

// Line is a network line between two parties, over which any number of connections are forwarded. Its methods
// may be called from several goroutines.
type Line struct {
	seed uint64
	wg   sync.WaitGroup

	mu        sync.Mutex
	changed   sync.Cond // signals: a fault was set, a connection ended
	closed    bool
	listeners []net.Listener
	pairs     map[*pair]bool
	joined    uint64         // number of connections so far
	lane      [Both + 1]lane // by direction
}

// lane is one direction of all connections of a line.
type lane struct {
	fault  Fault
	passed int64   // bytes forwarded
	events []event // in the order of positions
}

// event is a function that runs before the byte at a position is forwarded; nil: the byte is
// changed.
type event struct {
	at int64
	do func()
}

// New returns a line without faults. seed determines which bytes stall.
func New(seed uint64) *Line {
	l := &Line{seed: seed, pairs: map[*pair]bool{}}
	l.changed.L = &l.mu
	return l
}

// Listen opens a port on this machine, returns its address, and forwards connections to it over the line to the
// TCP address target. If target cannot be reached, it closes the connection.
func (l *Line) Listen(target string) (addr string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("fault: %w", err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		listener.Close()
		return "", fmt.Errorf("fault: %w", net.ErrClosed)
	}
	l.listeners = append(l.listeners, listener)
	l.wg.Go(func() {
		for {
			a, err := listener.Accept()
			if err != nil {
				return
			}
			b, err := net.Dial("tcp", target)
			if err != nil {
				a.Close()
				continue
			}
			l.Join(a, b)
		}
	})
	return listener.Addr().String(), nil
}

// Join forwards the bytes of a and b to each other, and closes both at the end. The direction Out is from a to
// b. It does not wait.
func (l *Line) Join(a, b net.Conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	p := newPair(l, a, b, l.joined)
	l.joined++
	if l.closed {
		p.end(false)
		return
	}
	l.pairs[p] = true
	l.wg.Go(p.forward)
}

// Set makes f the behaviour of the line from now on, in direction d or in both directions.
func (l *Line) Set(d Direction, f Fault) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for one := Out; one <= Back; one++ {
		if d&one != 0 {
			l.lane[one].fault = f
		}
	}
	l.changed.Broadcast()
}

// At makes the line call do when so many more bytes have been forwarded in direction d, which is Out or Back.
// The connection of the next byte waits until do returns.
func (l *Line) At(d Direction, after int64, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.one(d)
	a.events = append(a.events, event{a.passed + after, do})
	slices.SortStableFunc(a.events, func(x, y event) int { return cmp.Compare(x.at, y.at) })
}

// Mend removes all faults, and all pending actions of At and Corrupt.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.lane {
		l.lane[i].fault, l.lane[i].events = Fault{}, nil
	}
	l.changed.Broadcast()
}

// Corrupt makes the line change one byte in direction d: the one that follows so many more bytes.
func (l *Line) Corrupt(d Direction, after int64) { l.At(d, after, nil) }

// Passed returns the number of bytes forwarded in direction d (Out or Back), without those lost in a Hole.
func (l *Line) Passed(d Direction) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.one(d).passed
}

// one is the lane of one direction. It panics for Both.
func (l *Line) one(d Direction) *lane {
	if d != Out && d != Back {
		panic("fault: want one direction")
	}
	return &l.lane[d]
}

// Cut ends all connections, as if each side had been reset by the other. New connections can be made afterwards.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		p.end(true)
	}
}

// Close closes all connections and listeners of the line, and returns when all its goroutines have ended.
func (l *Line) Close() {
	l.mu.Lock()
	l.closed = true
	for _, x := range l.listeners {
		x.Close()
	}
	for p := range l.pairs {
		p.end(false)
	}
	l.mu.Unlock()
	l.wg.Wait()
}
