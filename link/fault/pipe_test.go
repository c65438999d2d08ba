package fault

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// ends runs a test with the ends of a connection over TCP and of one in memory: both behave alike.
func ends(t *testing.T, f func(t *testing.T, a, b conn)) {
	t.Run("tcp", func(t *testing.T) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		x, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		y, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		defer y.Close()
		f(t, x.(conn), y.(conn))
	})
	t.Run("memory", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			a, b := Pipe("a", "b")
			defer a.Close()
			defer b.Close()
			f(t, a, b)
		})
	})
}

// conn is a connection that can be closed by halves.
type conn interface {
	net.Conn
	CloseWrite() error
	SetLinger(int) error
}

// came waits until an end has unread data.
func came(t *testing.T, from, at conn) {
	t.Helper()
	if _, err := from.Write([]byte{1, 2}); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(at, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
}

// TestEnds checks closing and deadlines.
func TestEnds(t *testing.T) {
	one := make([]byte, 1)
	ends(t, func(t *testing.T, a, b conn) { // CloseWrite
		a.Write([]byte("hello"))
		a.CloseWrite()
		if got, err := io.ReadAll(b); string(got) != "hello" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
		if _, err := a.Write(one); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("a write after the end: %v", err)
		}
		b.Write([]byte("answer"))
		b.Close()
		if got, err := io.ReadAll(a); string(got) != "answer" || err != nil {
			t.Errorf("%q, %v", got, err)
		}
	})
	ends(t, func(t *testing.T, a, b conn) { // with unread data
		came(t, a, b)
		b.Close()
		if _, err := a.Read(one); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("read: %v", err)
		}
		if _, err := a.Write(one); !errors.Is(err, syscall.EPIPE) {
			t.Errorf("write: %v", err)
		}
	})
	ends(t, func(t *testing.T, a, b conn) { // with SetLinger(0)
		b.SetLinger(0)
		b.Close()
		if _, err := a.Read(one); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("read: %v", err)
		}
	})
	ends(t, func(t *testing.T, a, b conn) { // one's own end
		a.Close()
		if _, err := a.Read(one); !errors.Is(err, net.ErrClosed) {
			t.Errorf("read: %v", err)
		}
		if _, err := a.Write(one); !errors.Is(err, net.ErrClosed) {
			t.Errorf("write: %v", err)
		}
		if err := a.SetDeadline(time.Time{}); !errors.Is(err, net.ErrClosed) {
			t.Errorf("deadline: %v", err)
		}
		if err := a.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("twice: %v", err)
		}
	})
	ends(t, func(t *testing.T, a, b conn) { // during a read
		time.AfterFunc(20*time.Millisecond, func() { a.Close() })
		if _, err := a.Read(one); !errors.Is(err, net.ErrClosed) {
			t.Errorf("read: %v", err)
		}
	})
	ends(t, func(t *testing.T, a, b conn) { // deadlines
		a.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
		if _, err := a.Read(one); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read: %v", err)
		}
		a.SetReadDeadline(time.Time{})
		b.Write([]byte{7})
		if n, err := a.Read(one); n != 1 || err != nil {
			t.Errorf("read later: %d, %v", n, err)
		}
		a.SetWriteDeadline(time.Now().Add(20 * time.Millisecond))
		if n, err := a.Write(make([]byte, 64<<20)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("write without a reader: %d, %v", n, err)
		}
	})
}

// TestPipeWhole checks that much data arrive in order.
func TestPipeWhole(t *testing.T) {
	ends(t, func(t *testing.T, a, b conn) {
		data := random(3 << 20)
		go func() {
			a.Write(data)
			a.CloseWrite()
		}()
		if got, err := io.ReadAll(b); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
		}
	})
}

// TestPort checks that a port accepts connections, over a line or directly, until it is closed.
func TestPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, p := New(1), NewPort("b")
		for _, dial := range []func() (net.Conn, error){func() (net.Conn, error) { return p.Dial("a") },
			func() (net.Conn, error) { return l.Dial("a", p) }} {
			a, err := dial()
			if err != nil {
				t.Fatal(err)
			}
			b, err := p.Accept()
			if err != nil {
				t.Fatal(err)
			}
			if a.RemoteAddr() != Addr("b") || b.RemoteAddr() != Addr("a") {
				t.Errorf("%v calls %v", b.RemoteAddr(), a.RemoteAddr())
			}
			a.Write([]byte{7})
			if n, err := b.Read(make([]byte, 2)); n != 1 || err != nil {
				t.Errorf("%d bytes, %v", n, err)
			}
			a.Close()
			b.Close()
		}
		l.Set(Both, Fault{Hole: true})
		l.At(Out, 0, func() { t.Error("what was armed happens") })
		l.Mend()
		a, err := l.Dial("a", p)
		if err != nil {
			t.Fatal(err)
		}
		a.Write([]byte{7})
		b, err := p.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if n, err := b.Read(make([]byte, 2)); n != 1 || err != nil {
			t.Errorf("over a mended line: %d bytes, %v", n, err)
		}
		a.Close()
		b.Close()
		left, err := p.Dial("a")
		if err != nil {
			t.Fatal(err)
		}
		p.Close()
		if _, err := left.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Errorf("a connection that was not accepted: %v", err)
		}
		if _, err := p.Accept(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("accepting: %v", err)
		}
		for _, dial := range []func() (net.Conn, error){func() (net.Conn, error) { return p.Dial("a") },
			func() (net.Conn, error) { return l.Dial("a", p) }} {
			if _, err := dial(); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("dialling: %v", err)
			}
		}
		if err := p.Close(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("twice: %v", err)
		}
		left.Close()
		l.Close()
	})
}
