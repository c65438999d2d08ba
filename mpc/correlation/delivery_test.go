package correlation

import (
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/tacet-mpc/tacet/ring"
)

// blocked starts a function, of a bubble of synctest, and returns what reports whether it waits for others.
func blocked(f func()) (still func() bool) {
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	return func() bool {
		synctest.Wait()
		select {
		case <-done:
			return false
		default:
			return true
		}
	}
}

// Corrections that are not awaited are bounded; awaited ones always arrive.
func TestDeliveryIsBounded(t *testing.T) { synctest.Test(t, deliveryIsBounded) }

func deliveryIsBounded(t *testing.T) {
	d := NewDelivery(10)
	put := func(id ID) func() bool { return blocked(func() { d.Put(id, make([]byte, 8)) }) }
	if put(1)() || put(2)() {
		t.Fatal("Put blocks below the limit")
	}
	third := put(3)
	if !third() {
		t.Fatal("Put exceeds the limit")
	}
	if data, err := d.Take(1); len(data) != 8 || err != nil {
		t.Fatalf("got %d bytes, %v", len(data), err)
	}
	if third() {
		t.Fatal("Take does not make space")
	}
	fourth := put(4)
	ready := make(chan struct{})
	d.Await(5, func() { close(ready) })
	if fourth() || put(5)() {
		t.Fatal("Put blocks although a later correction is awaited")
	}
	<-ready
	sixth := put(6)
	if !sixth() {
		t.Fatal("Put exceeds the limit after a wait")
	}
	d.End(nil)
	if sixth() {
		t.Fatal("End leaves Put blocked")
	}
	if _, err := d.Take(6); !errors.Is(err, ErrMissing) {
		t.Errorf("a correction put after the end: %v", err)
	}
}

func TestDeliveryEnds(t *testing.T) {
	for _, cause := range []error{nil, io.ErrUnexpectedEOF} {
		d := NewDelivery(100)
		d.Put(1, []byte{7})
		var called int
		d.Await(1, func() { called++ })
		d.Await(2, func() { called += 10 })
		d.End(cause)
		d.End(io.ErrClosedPipe)
		d.Await(3, func() { called += 100 })
		if called != 111 {
			t.Errorf("called %d", called)
		}
		want := ErrMissing
		if cause != nil {
			want = cause
		}
		if _, err := d.Take(2); !errors.Is(err, want) {
			t.Errorf("missing at the end: %v, want %v", err, want)
		}
		if data, err := d.Take(1); len(data) != 1 || err != nil {
			t.Errorf("a correction put before the end: %v, %v", data, err)
		}
		if _, err := d.Take(1); !errors.Is(err, want) {
			t.Errorf("taken twice: %v", err)
		}
	}
}

// Items are delivered in order, one at a time, in whatever order they are produced.
func TestSequence(t *testing.T) {
	const n = 1000
	next := 0
	s := newSequence(func(i int, data []byte) error {
		if i != next || data[0] != byte(i) {
			t.Errorf("item %d with %d comes as number %d", i, data[0], next)
		}
		next++
		return nil
	})
	numbers := make(chan int, n)
	for i := range n {
		numbers <- i ^ 1 // every second one before its predecessor
	}
	close(numbers)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range numbers {
				if !s.put(i, []byte{byte(i)}) {
					t.Error("it ended early")
				}
			}
		})
	}
	wg.Wait()
	if next != n || s.bytes != 0 {
		t.Errorf("%d of %d passed on, %d bytes left", next, n, s.bytes)
	}
}

// A producer that is too far ahead waits until the sequence advances or fails.
func TestSequenceIsBounded(t *testing.T) { synctest.Test(t, sequenceIsBounded) }

func sequenceIsBounded(t *testing.T) {
	s := newSequence(func(int, []byte) error { return nil })
	s.put(2, make([]byte, maxAhead+1))
	third := blocked(func() { s.put(3, nil) })
	if !third() {
		t.Fatal("no bound")
	}
	s.put(0, nil)
	if !third() {
		t.Fatal("nothing was passed on that is large")
	}
	s.put(1, nil)
	if third() || s.next != 4 {
		t.Fatalf("%d passed on", s.next)
	}
	s.put(6, make([]byte, maxAhead+1))
	last := blocked(func() { s.put(7, nil) })
	if !last() {
		t.Fatal("no bound")
	}
	s.fail(io.ErrClosedPipe)
	if last() || s.put(4, nil) || s.err != io.ErrClosedPipe {
		t.Errorf("after a failure: %v", s.err)
	}
}

// An error of the receiver ends the dealing.
func TestReceiverErrorEndsDealing(t *testing.T) {
	s := newSession(2, 14)
	m := NewFresh(s.id(), ring.Z(64), 1)
	var rs []*Request
	for range 100 {
		rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: m}}, Out: ring.Z(64), N: 1})
	}
	calls := 0
	err := s.dealer.Deal(t.Context(), &Manifest{Requests: rs}, func(ID, []byte) error {
		calls++
		return io.ErrShortWrite
	})
	if !errors.Is(err, io.ErrShortWrite) || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
}
