package link

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"testing/synctest"
	"time"
)

// Idle parties stay connected.
func TestHeartbeatsKeepConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := watched(3, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
		time.Sleep(10 * time.Minute)
		k := Key{Online, 0, 0}
		w := await(ends[0], 2, k)
		ends[2].Send(0, k, 0, []byte("late"))
		if r := <-w; r.err != nil || string(r.m.Data) != "late" {
			t.Errorf("%q, %v", r.m.Data, r.err)
		}
		for _, e := range ends {
			e.Close()
		}
	})
}

// watched is n parties with a Heartbeat, over pipes.
func watched(n int, w Heartbeat) []*Endpoint {
	ends := make([]*Endpoint, n)
	conns := make([][]io.ReadWriteCloser, n)
	for i := range n {
		conns[i] = make([]io.ReadWriteCloser, n)
		for j := range i {
			conns[i][j], conns[j][i] = Pipe(Shape{})
		}
	}
	for i := range ends {
		ends[i] = NewEndpoint(i, conns[i], w)
	}
	return ends
}

// A silent peer has failed after the timeout, not before, whether there is something to write to it
// or not.
func TestSilence(t *testing.T) {
	for _, full := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			g := newGate()
			there, back := Pipe(Shape{})
			e := NewEndpoint(0, []io.ReadWriteCloser{nil, g, there}, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
			other := NewEndpoint(2, []io.ReadWriteCloser{back, nopeer{}, nil}, Heartbeat{Interval: time.Second})
			begun := time.Now()
			if full {
				e.Send(1, Key{Online, 0, 0}, 0, make([]byte, 1<<20))
			}
			k := Key{Online, 1, 0}
			w, still := await(e, 1, k), await(e, 2, k)
			r := <-w
			var pe *PeerError
			if took := time.Since(begun); took != 5*time.Second {
				t.Errorf("full %v: noticed after %v", full, took)
			}
			if !errors.Is(r.err, ErrSilent) || !errors.As(r.err, &pe) || pe.Rank != 1 || r.err.Error() != "link: party 1: silent for 5 s" {
				t.Errorf("full %v: %v", full, r.err)
			}
			time.Sleep(time.Minute)
			other.Send(0, k, 0, []byte("here"))
			if r := <-still; r.err != nil || string(r.m.Data) != "here" {
				t.Errorf("full %v: the other peer: %v", full, r.err)
			}
			e.Close()
			other.Close()
		})
	}
}

// nopeer is a connection over which nothing arrives until it is closed.
type nopeer struct{ io.ReadWriteCloser }

func (nopeer) Read([]byte) (int, error)    { return 0, io.EOF }
func (nopeer) Write(b []byte) (int, error) { return len(b), nil }
func (nopeer) Close() error                { return nil }

// A peer from which something arrives, however slowly, is alive.
func TestSlowIsNotSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there, back := newPipe(Shape{}), newPipe(Shape{})
		e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil}, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
		k := Key{Online, 0, 0}
		w := await(e, 0, k)
		frame := encode(k, Message{Data: []byte("a quarter of an hour")})
		for i := range frame {
			time.Sleep(4 * time.Second)
			there.Write(frame[i : i+1])
		}
		if r := <-w; r.err != nil || len(r.m.Data) != 20 {
			t.Errorf("%v", r.err)
		}
		// Meanwhile it was sent one heartbeat a second, and nothing else.
		got := written(back)
		if n := 4 * len(frame); len(got) < (n-1)*headerSize || len(got) > (n+1)*headerSize ||
			!bytes.Equal(got, bytes.Repeat(wire(heartbeatFrame), len(got)/headerSize)) {
			t.Errorf("%d bytes were sent in %d s, want %d heartbeats", len(got), n, n)
		}
		there.close(io.EOF)
		e.Close()
	})
}

// written is the unread contents of a pipe.
func written(p *pipe) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return bytes.Clone(p.buf[p.off:])
}

// A party that writes all the time sends no heartbeats.
func TestBusyWritersSendNoHeartbeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		there, back := newPipe(Shape{}), newPipe(Shape{})
		e := NewEndpoint(1, []io.ReadWriteCloser{duplex{there, back}, nil}, Heartbeat{Interval: time.Second})
		var want []byte
		for i := range uint32(100) {
			k := Key{Online, i, 0}
			e.Send(0, k, 0, []byte("x"))
			want = append(want, encode(k, Message{Data: []byte("x")})...)
			time.Sleep(900 * time.Millisecond)
		}
		if got := written(back); !bytes.Equal(got, want) {
			t.Errorf("%d bytes, want %d", len(got), len(want))
		}
		there.close(io.EOF)
		e.Close()
	})
}

// Closing a connection to a peer that neither reads nor writes ends within the timeout.
func TestCloseWithSilentPeer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newGate()
		e := NewEndpoint(0, []io.ReadWriteCloser{nil, g}, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
		e.Send(1, Key{Online, 0, 0}, 0, []byte{0})
		begun := time.Now()
		e.Close()
		if took := time.Since(begun); took > 5*time.Second {
			t.Errorf("took %v", took)
		}
	})
}

// A party that is slow to read does not report its peer as silent.
func TestSlowReader(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ends := watched(2, Heartbeat{Interval: time.Second, Timeout: 5 * time.Second})
		k := Key{Online, 0, 0}
		slow := make(chan error, 1)
		ends[0].Await(1, k, func(_ Message, err error) {
			time.Sleep(time.Minute)
			slow <- err
		})
		late := await(ends[0], 1, Key{Online, 0, 1})
		ends[1].Send(0, k, 0, nil)
		time.Sleep(50 * time.Second)
		ends[1].Send(0, Key{Online, 0, 1}, 0, nil)
		if err := <-slow; err != nil {
			t.Error(err)
		}
		if r := <-late; r.err != nil {
			t.Error(r.err)
		}
		for _, e := range ends {
			e.Close()
		}
	})
}
