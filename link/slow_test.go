package link

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// connected are the two ends of a TCP connection.
func connected(t *testing.T) (a, b net.Conn) {
	t.Helper()
	a, b, err := dialled()
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

func dialled() (a, b net.Conn, err error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	defer l.Close()
	if a, err = net.Dial("tcp", l.Addr().String()); err != nil {
		return nil, nil, err
	}
	b, err = l.Accept()
	return a, b, err
}

// Over TCP what is written arrives whole, not early, and before the connection's end; each
// direction has its own line.
func TestLimitTCP(t *testing.T) {
	shape := Shape{Bits: 8e7, RoundTrip: 20 * time.Millisecond} // ten bytes each µs
	a, b := connected(t)
	ends := []io.ReadWriteCloser{shape.Limit(a), shape.Limit(b)}
	data := bytes.Repeat([]byte("0123456789abcdef"), 1<<14) // 26 ms
	start := time.Now()
	for _, e := range ends {
		go e.Write(data)
	}
	for i, e := range ends {
		got := make([]byte, len(data))
		if _, err := io.ReadFull(e, got); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("end %d: the data changed, or %v", i, err)
		}
		if took := time.Since(start); took < 36*time.Millisecond {
			t.Errorf("end %d: arrived after %v, the line takes 36 ms", i, took)
		}
	}
	if _, err := ends[0].Write([]byte("last")); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		rest, err := io.ReadAll(ends[1])
		if string(rest) != "last" {
			t.Errorf("after the close came %q", rest)
		}
		done <- err
	}()
	ends[0].Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
	ends[1].Close()
	ends[1].Close()
	if _, err := ends[0].Write([]byte("more")); err == nil {
		t.Error("wrote to a closed connection")
	}
}

// Endpoints work over slowed TCP connections as over any other.
func TestEndpointsOverTCP(t *testing.T) {
	shape := Shape{RoundTrip: 2 * time.Millisecond}
	a, b := connected(t)
	ends := []*Endpoint{
		NewEndpoint(0, []io.ReadWriteCloser{nil, shape.Limit(a)}),
		NewEndpoint(1, []io.ReadWriteCloser{shape.Limit(b), nil}),
	}
	k := Key{Online, 1, 0}
	w := await(ends[1], 0, k)
	ends[0].Send(1, k, 0, []byte("hello"))
	if r := <-w; r.err != nil || string(r.m.Data) != "hello" {
		t.Errorf("got %q, %v", r.m.Data, r.err)
	}
	for _, e := range ends {
		e.Close()
	}
}

// What was written last arrives though the other side is writing, and ends that side's reads only.
func TestCloseWriteOverTCP(t *testing.T) {
	shape := Shape{Bits: 8e7, RoundTrip: 20 * time.Millisecond}
	a, b := connected(t)
	x, y := shape.Limit(a), shape.Limit(b)
	data := bytes.Repeat([]byte("0123456789abcdef"), 1<<12)
	if _, err := x.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := x.(interface{ CloseWrite() error }).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(y); err != nil || !bytes.Equal(got, data) {
		t.Errorf("%d of %d bytes, %v", len(got), len(data), err)
	}
	go y.Write([]byte("still here"))
	if got, err := io.ReadAll(io.LimitReader(x, 10)); err != nil || string(got) != "still here" {
		t.Errorf("back came %q, %v", got, err)
	}
	x.Close()
	y.Close()
	p, q := net.Pipe() // has no CloseWrite
	z := shape.Limit(p)
	if err := z.(interface{ CloseWrite() error }).CloseWrite(); !errors.Is(err, errors.ErrUnsupported) {
		t.Errorf("%v", err)
	}
	z.Close()
	q.Close()
}

// A zero shape returns the connection itself.
func TestLimitZero(t *testing.T) {
	a, b := connected(t)
	defer b.Close()
	if (Shape{}).Limit(a) != io.ReadWriteCloser(a) {
		t.Error("wrapped a connection that nothing slows down")
	}
	a.Close()
}
