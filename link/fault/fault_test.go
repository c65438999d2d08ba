package fault

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// over makes a TCP connection over a line, and closes both at the test's end.
func over(t *testing.T, l *Line) (a, b *net.TCPConn) {
	t.Helper()
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer target.Close()
	addr, err := l.Listen(target.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	x, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	y, err := target.Accept()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []net.Conn{x, y} {
		c.SetDeadline(time.Now().Add(time.Minute))
		t.Cleanup(func() { c.Close() })
	}
	return x.(*net.TCPConn), y.(*net.TCPConn)
}

// lined is a line that is closed at the test's end.
func lined(t *testing.T) *Line {
	l := New(1)
	t.Cleanup(l.Close)
	return l
}

func random(n int) []byte {
	b := make([]byte, n)
	r := rand.NewChaCha8([32]byte{7})
	r.Read(b)
	return b
}

// Without faults a line is transparent, also for the ends of connections.
func TestNoFault(t *testing.T) {
	l := lined(t)
	a, b := over(t, l)
	data := random(3 << 20)
	go func() {
		a.Write(data)
		a.CloseWrite()
	}()
	got, err := io.ReadAll(b)
	if err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
	}
	go func() {
		b.Write(data[:1000])
		b.Close()
	}()
	if got, err := io.ReadAll(a); err != nil || !bytes.Equal(got, data[:1000]) {
		t.Errorf("%d bytes back, %v", len(got), err)
	}
	if l.Passed(Out) != int64(len(data)) || l.Passed(Back) != 1000 {
		t.Errorf("passed %d and %d", l.Passed(Out), l.Passed(Back))
	}
}

// joined is a connection in memory over a line, for synctest, which cannot wait for sockets.
func joined(l *Line) (a, b net.Conn) {
	a, x := Pipe("a", "b")
	y, b := Pipe("a", "b")
	l.Join(x, y)
	return a, b
}

func TestDelayAndRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		l.Set(Out, Fault{Delay: 100 * time.Millisecond, Rate: 1e6})
		a, b := joined(l)
		begun := time.Now()
		data := random(500_000) // half a second of data
		go a.Write(data)
		if _, err := io.ReadFull(b, data[:1]); err != nil || time.Since(begun) < 100*time.Millisecond ||
			time.Since(begun) > 125*time.Millisecond {
			t.Errorf("the first byte after %v, %v", time.Since(begun), err)
		}
		_, err := io.ReadFull(b, data[1:])
		if took := time.Since(begun); err != nil || took < 590*time.Millisecond || took > 610*time.Millisecond {
			t.Errorf("the last after %v, %v", took, err)
		}
		l.Set(Back, Fault{Rate: 10}) // a byte at a time, each 100 ms
		begun = time.Now()
		go b.Write(data[:3])
		for i := range 3 {
			if n, err := a.Read(data[:3]); n != 1 || err != nil || time.Since(begun) != time.Duration(i+1)*100*time.Millisecond {
				t.Errorf("byte %d: %d bytes after %v, %v", i, n, time.Since(begun), err)
			}
		}
		l.Set(Back, Fault{})
		begun = time.Now()
		go b.Write(data[:1])
		if _, err := io.ReadFull(a, data[:1]); err != nil || time.Since(begun) != 0 {
			t.Errorf("back after %v, %v", time.Since(begun), err)
		}
		a.Close()
		b.Close()
		l.Close()
	})
}

// Which segments are lost depends on the seed, the connection and their position, not on how bytes
// are grouped.
func TestLoss(t *testing.T) {
	stalls := func(seed uint64, number uint64, n int) (out []int64) {
		synctest.Test(t, func(t *testing.T) {
			p := newPair(New(seed), nil, nil, number)
			c := &p.ways[0].clock
			for at := int64(0); at < 1e6; at += int64(n) {
				before := c.last
				if due := c.arrival(Fault{Loss: 0.01}, n); due.Sub(before) >= retransmitAfter {
					out = append(out, at/100_000)
				}
			}
		})
		return out
	}
	one := stalls(1, 0, 1000)
	if len(one) < 3 || len(one) > 14 {
		t.Errorf("%d of 685 segments were lost at 1 %%", len(one))
	}
	if other := stalls(1, 0, 100); !slices.Equal(one, other) {
		t.Errorf("lost at %v, and at %v in smaller pieces", one, other)
	}
	if slices.Equal(one, stalls(2, 0, 1000)) || slices.Equal(one, stalls(1, 1, 1000)) {
		t.Error("another seed, or connection, has the same luck")
	}
}

// A hole loses everything, including ends of connections.
func TestHole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		a, b := joined(l)
		l.Set(Out, Fault{Hole: true})
		if _, err := a.Write(random(1 << 20)); err != nil {
			t.Error(err)
		}
		a.Close()
		b.SetReadDeadline(time.Now().Add(time.Hour))
		var timeout net.Error
		if n, err := b.Read(make([]byte, 1)); n != 0 || !errors.As(err, &timeout) || !timeout.Timeout() {
			t.Errorf("%d bytes, %v", n, err)
		}
		if l.Passed(Out) != 0 {
			t.Errorf("passed %d", l.Passed(Out))
		}
		b.Close()
		l.Close()
	})
}

// Data that waited at a stopped line arrive when it is released.
func TestStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := New(1)
		a, b := joined(l)
		l.Set(Both, Fault{Stop: true})
		data := random(1 << 20)
		go a.Write(data)
		go func() {
			time.Sleep(time.Hour)
			l.Set(Both, Fault{})
		}()
		begun := time.Now()
		got := make([]byte, len(data))
		if _, err := io.ReadFull(b, got); err != nil || !bytes.Equal(got, data) || time.Since(begun) != time.Hour {
			t.Errorf("after %v: %v", time.Since(begun), err)
		}
		a.Close()
		b.Close()
		l.Set(Both, Fault{Stop: true})
		l.Close() // though stopped
	})
}

func TestCorrupt(t *testing.T) {
	l := lined(t)
	a, b := over(t, l)
	l.Corrupt(Out, 70_000)
	l.Corrupt(Out, 0)
	data := random(100_000)
	go a.Write(data)
	got := make([]byte, len(data))
	if _, err := io.ReadFull(b, got); err != nil {
		t.Fatal(err)
	}
	for i := range got {
		if changed := i == 0 || i == 70_000; changed != (got[i] != data[i]) {
			t.Fatalf("byte %d: %d became %d", i, data[i], got[i])
		}
	}
}

// Cut ends both sides with an error at the byte that the test chose; the next connection works.
func TestCut(t *testing.T) {
	l := lined(t)
	a, b := over(t, l)
	const at = 12_345
	l.At(Out, at, l.Cut)
	go a.Write(random(100_000))
	n, err := io.Copy(io.Discard, b)
	if n > at || err == nil || !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%d bytes, %v", n, err)
	}
	if _, err := a.Read(make([]byte, 1)); err == nil || err == io.EOF {
		t.Errorf("the other side: %v", err)
	}
	if l.Passed(Out) != at {
		t.Errorf("passed %d", l.Passed(Out))
	}
	a, b = over(t, l)
	go a.Write([]byte("hello"))
	if _, err := io.ReadFull(b, make([]byte, 5)); err != nil {
		t.Error(err)
	}
}

// An event at a byte happens before the byte arrives.
func TestAt(t *testing.T) {
	l := lined(t)
	a, b := over(t, l)
	l.At(Out, 100, func() { l.Set(Out, Fault{Hole: true}) })
	go a.Write(random(1000))
	if _, err := io.ReadFull(b, make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	b.SetReadDeadline(time.Now().Add(20 * time.Millisecond))
	if n, err := b.Read(make([]byte, 1)); n != 0 || err == nil {
		t.Errorf("%d bytes more, %v", n, err)
	}
}

// A reset of one side is forwarded to the other.
func TestReset(t *testing.T) {
	l := lined(t)
	a, b := over(t, l)
	if _, err := b.Write([]byte{1}); err != nil { // once it has arrived, the line has both ends
		t.Fatal(err)
	}
	if _, err := io.ReadFull(a, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	b.SetLinger(0)
	b.Close()
	if _, err := a.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
		t.Errorf("%v", err)
	}
}

func TestClosedLine(t *testing.T) {
	l := New(1)
	addr, err := l.Listen("127.0.0.1:1") // nothing listens there
	if err != nil {
		t.Fatal(err)
	}
	c, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := c.Read(make([]byte, 1)); err == nil {
		t.Error("a connection to a closed port stays open")
	}
	l.Close()
	l.Close()
	if _, err := l.Listen("127.0.0.1:1"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("%v", err)
	}
	if _, err := net.Dial("tcp", addr); err == nil {
		t.Error("the port is open")
	}
	a, b := joined(l)
	if _, err := a.Read(make([]byte, 1)); err != io.EOF {
		t.Errorf("joined over a closed line: %v", err)
	}
	b.Close()
}
