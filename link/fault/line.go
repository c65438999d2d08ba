package fault

import (
	"cmp"
	"fmt"
	"net"
	"slices"
	"sync"
)

// Line is a way between two parties that any number of connections go over.
type Line struct {
	seed uint64
	wg   sync.WaitGroup

	mu        sync.Mutex
	changed   sync.Cond // a fault was set, a connection ended
	closed    bool
	listeners []net.Listener
	pairs     map[*pair]bool
	joined    uint64         // connections so far
	lane      [Both + 1]lane // by direction
}

// lane is one direction of all connections of a line.
type lane struct {
	fault  Fault
	passed int64
	events []event // in the order of bytes
}

// event is what happens before a byte is passed on; nil: the byte is changed.
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

// Listen opens a port on this machine; what dials it reaches target over the
// line. A target that cannot be reached closes the connection.
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

// Join passes on what comes from two connections to each other, and closes both
// in the end; out is from a to b.
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
	l.wg.Go(p.carry)
}

// Set sets what the line does from now on in a direction, or both.
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

// At has something done when so many more bytes have been passed on in one
// direction, before the next one is. That byte's connection waits meanwhile.
func (l *Line) At(d Direction, after int64, do func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	a := l.one(d)
	a.events = append(a.events, event{a.passed + after, do})
	slices.SortStableFunc(a.events, func(x, y event) int { return cmp.Compare(x.at, y.at) })
}

// Mend takes away what is set and what is to be done at bytes that have not
// come.
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

// Passed is how many bytes were passed on in a direction; what fell into a hole
// is not among them.
func (l *Line) Passed(d Direction) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.one(d).passed
}

// one is the lane of a direction, which is not both.
func (l *Line) one(d Direction) *lane {
	if d != Out && d != Back {
		panic("fault: want one direction")
	}
	return &l.lane[d]
}

// Cut ends all connections as if each side had been reset by the other. New
// ones may be made.
func (l *Line) Cut() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for p := range l.pairs {
		p.end(true)
	}
}

// Close ends the line, and returns when nothing of it is left.
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
