package link

import (
	"io"
	"sync"
)

// Memory makes the endpoints of n parties in one process, every two of them
// connected by a pair of in-memory pipes.
func Memory(n int) []*Endpoint {
	conns := make([][]io.ReadWriteCloser, n)
	for i := range conns {
		conns[i] = make([]io.ReadWriteCloser, n)
	}
	for i := range n {
		for j := range i {
			a, b := newPipe(), newPipe()
			conns[i][j] = duplex{a, b}
			conns[j][i] = duplex{b, a}
		}
	}
	ends := make([]*Endpoint, n)
	for i := range ends {
		ends[i] = NewEndpoint(i, conns[i])
	}
	return ends
}

// duplex reads one pipe and writes another.
type duplex struct{ in, out *pipe }

func (d duplex) Read(b []byte) (int, error)  { return d.in.Read(b) }
func (d duplex) Write(b []byte) (int, error) { return d.out.Write(b) }
func (d duplex) Close() error {
	d.in.close(io.ErrClosedPipe)
	d.out.close(io.EOF)
	return nil
}

// pipe is a bounded buffer of bytes from one writer to one reader.
type pipe struct {
	mu   sync.Mutex
	wake sync.Cond
	buf  []byte
	off  int   // what the reader took of buf
	err  error // what the reader gets at the end
}

const pipeSize = 8 << 20

func newPipe() *pipe {
	p := &pipe{}
	p.wake.L = &p.mu
	return p
}

func (p *pipe) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := 0
	for len(b) > 0 {
		for len(p.buf)-p.off >= pipeSize && p.err == nil {
			p.wake.Wait()
		}
		if p.err != nil {
			return n, io.ErrClosedPipe
		}
		if p.off > len(p.buf)/2 {
			p.buf = p.buf[:copy(p.buf, p.buf[p.off:])]
			p.off = 0
		}
		m := min(len(b), pipeSize-(len(p.buf)-p.off))
		p.buf = append(p.buf, b[:m]...)
		b, n = b[m:], n+m
		p.wake.Broadcast()
	}
	return n, nil
}

func (p *pipe) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.off == len(p.buf) {
		if p.err != nil {
			return 0, p.err
		}
		p.wake.Wait()
	}
	n := copy(b, p.buf[p.off:])
	if p.off += n; p.off == len(p.buf) {
		p.buf, p.off = p.buf[:0], 0
	}
	p.wake.Broadcast()
	return n, nil
}

func (p *pipe) close(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.err == nil {
		p.err = err
	}
	p.wake.Broadcast()
}
