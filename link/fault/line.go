package fault

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"sync"
)

// Line is a line between two parties, over which any number of connections are forwarded.
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

// New makes a line without faults.
func New(seed uint64) *Line {
	l := &Line{seed: seed, pairs: map[*pair]bool{}}
	l.changed.L = &l.mu
	return l
}

// Listen opens a port on this machine and forwards connections to it over the line to target. A
// connection is closed if target cannot be reached.
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

// Join forwards two connections to each other, and closes both at the end; Out is from a to b.
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

// Set sets the behaviour of the line from now on, in one direction or both.
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

// At runs do when so many more bytes have been forwarded in one direction, before the next byte is.
// That byte's connection waits meanwhile.
func (l *Line) At(d Direction, after int64, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.one(d)
	a.events = append(a.events, event{a.passed + after, do})
	slices.SortStableFunc(a.events, func(x, y event) int { return cmp.Compare(x.at, y.at) })
}

// Mend removes all faults and all pending events.
func (l *Line) Mend() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := range l.lane {
		l.lane[i].fault, l.lane[i].events = Fault{}, nil
	}
	l.changed.Broadcast()
}

// Corrupt changes the byte after so many more.
func (l *Line) Corrupt(d Direction, after int64) { l.At(d, after, nil) }

// Passed is the number of bytes forwarded in a direction, without those lost in a Hole.
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

// Cut ends all connections as if each side had been reset by the other. New connections can be
// made.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		p.end(true)
	}
}

// Close ends the line, and returns when all its goroutines have ended.
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
