package link

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"testing"
)

// stream is a peer that sends what the test tells it to.
func stream(t *testing.T, options ...Option) (*Endpoint, *pipe) {
	there, back := newPipe(Shape{}), newPipe(Shape{})
	e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil}, options...)
	t.Cleanup(func() {
		there.close(io.EOF)
		within(t, "Close", e.Close)
	})
	return e, there
}

func TestAllowed(t *testing.T) {
	const mib = 1 << 20
	type allowance struct{ message, total int64 }
	for _, c := range []struct {
		name  string
		allow *allowance
		sends []int
		ok    bool
	}{
		{"a mebibyte at once", nil, []int{mib}, true},
		{"more than that", nil, []int{mib + 1}, false},
		{"a mebibyte in all", nil, []int{mib / 2, 0, mib / 2}, true},
		{"more than that in all", nil, []int{mib / 2, mib / 2, 1}, false},
		{"what is allowed", &allowance{3 * mib, 4 * mib}, []int{3 * mib, mib, 0}, true},
		{"too long a message", &allowance{mib, 4 * mib}, []int{mib + 1}, false},
		{"too many", &allowance{mib, 4 * mib}, []int{mib, mib, mib, mib, 1}, false},
		{"less than at first", &allowance{10, 10}, []int{11}, false},
		{"nothing", &allowance{}, []int{0, 0, 0, 1}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, there := stream(t)
			if c.allow != nil {
				e.Allow(0, c.allow.message, c.allow.total)
			}
			last := Key{Online, uint32(len(c.sends) - 1), 0}
			w := await(e, 0, last)
			for i, n := range c.sends {
				there.Write(encode(Key{Online, uint32(i), 0}, Message{Data: make([]byte, n)}))
			}
			r := get(t, w)
			var pe *PeerError
			if c.ok && r.err != nil || !c.ok && (!errors.Is(r.err, ErrExcess) || !errors.As(r.err, &pe) || pe.Rank != 0) {
				t.Errorf("%v", r.err)
			}
		})
	}
}

// Heartbeats and aborts are not counted as messages.
func TestHeartbeatsAreAllowed(t *testing.T) {
	e, there := stream(t)
	e.Allow(0, 0, 0)
	w := await(e, 0, Key{Online, 0, 0})
	for range 1000 {
		there.Write(wire(heartbeatFrame))
	}
	there.Write(wire(abortFrame("enough")))
	if r := get(t, w); r.err == nil || r.err.Error() != "link: party 0: enough" {
		t.Errorf("%v", r.err)
	}
}

// The memory for messages that are not awaited is bounded, whatever a peer sends.
func TestUnawaitedIsBounded(t *testing.T) {
	e, there := stream(t)
	e.peers[0].bounds.ahead = 1000
	w := await(e, 0, Key{Output, 0, 0})
	for i := range uint32(1001) {
		there.Write(encode(Key{Online, i, 0}, Message{}))
	}
	if r := get(t, w); r.err == nil || r.err.Error() != "link: party 0: sent 1001 messages that are not awaited yet" {
		t.Errorf("%v", r.err)
	}
	if n := len(e.peers[0].arrived); n != 1000 {
		t.Errorf("%d are kept", n)
	}
	// An announced length allocates no memory before it is admitted.
	e, there = stream(t)
	w = await(e, 0, Key{Output, 0, 0})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	there.Write(claiming(Key{Online, 0, 0}, MaxPayload))
	r := get(t, w)
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; !errors.Is(r.err, ErrExcess) || took > 1<<18 {
		t.Errorf("%v, and took %d bytes of memory", r.err, took)
	}
}

// Whatever a peer sends, an Await fails or gets what was sent, no more is kept than the peer may
// send, and Close returns.
func FuzzPeer(f *testing.F) {
	k := Key{Online, 1, 0}
	f.Add(encode(k, Message{Data: []byte("x")}))
	f.Add(append(encode(k, Message{}), encode(k, Message{})...))
	f.Add(append(wire(heartbeatFrame), wire(leaveFrame)...))
	f.Add(wire(abortFrame("carol: \x1b[2J")))
	f.Add(claiming(k, MaxPayload))
	f.Fuzz(func(t *testing.T, sent []byte) {
		there, back := newPipe(Shape{}), newPipe(Shape{})
		e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil})
		e.Allow(0, 64, 256)
		w := await(e, 0, k)
		there.Write(sent)
		there.close(io.EOF)
		r := get(t, w)
		var pe *PeerError
		if r.err == nil && !bytes.Contains(sent, encode(k, r.m)) || r.err != nil && (!errors.As(r.err, &pe) || pe.Rank != 0) {
			t.Errorf("%v, %v", r.m, r.err)
		}
		e.Close()
		kept := 0
		for _, m := range e.peers[0].arrived {
			kept += len(m.Data)
		}
		if kept+len(r.m.Data) > 256 {
			t.Errorf("%d bytes are kept", kept)
		}
	})
}
