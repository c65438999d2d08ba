package link

import (
	"errors"
	"io"
	"net"
	"time"
)

// linger is how long a closed connection may take to pass on what was written
// to it.
const linger = 5 * time.Second

// Over slows down what is written to a connection: both ends wrap their own,
// so that each direction has the shape. What is written waits in memory, 8 MiB
// of it at most.
func (s Shape) Over(c net.Conn) io.ReadWriteCloser {
	if s.Zero() {
		return c
	}
	l := &slowed{Conn: c, line: newPipe(s), done: make(chan struct{})}
	go l.carry()
	return l
}

// slowed is a connection behind a shaped pipe.
type slowed struct {
	net.Conn
	line *pipe
	done chan struct{} // closed when nothing more will be passed on
}

// carry passes on what has come through the pipe.
func (l *slowed) carry() {
	defer close(l.done)
	buf := make([]byte, 1<<16)
	for {
		n, err := l.line.Read(buf)
		if n > 0 {
			if _, err := l.Conn.Write(buf[:n]); err != nil {
				l.line.close(err)
				return
			}
		}
		if err != nil {
			return
		}
	}
}

func (l *slowed) Write(b []byte) (int, error) { return l.line.Write(b) }

// Close ends reads at once, and the connection when what was written has been
// passed on.
func (l *slowed) Close() error {
	now := time.Now()
	l.Conn.SetReadDeadline(now)
	l.Conn.SetWriteDeadline(now.Add(linger))
	l.line.close(io.EOF)
	<-l.done
	return l.Conn.Close()
}

// CloseWrite ends what is written when it has been passed on.
func (l *slowed) CloseWrite() error {
	l.line.close(io.EOF)
	<-l.done
	if c, ok := l.Conn.(interface{ CloseWrite() error }); ok {
		return c.CloseWrite()
	}
	return errors.ErrUnsupported
}
