package link

import (
	"errors"
	"io"
	"net"
	"time"
)

// linger bounds the time in which Close passes on what was written before.
const linger = 5 * time.Second

// Limit returns a connection that writes to c with the speed of the shape. Both sides must wrap their own end,
// so that each direction has the shape. Up to 8 MiB of written data wait in memory.
func (s Shape) Limit(c net.Conn) io.ReadWriteCloser {
	if s.Zero() {
		return c
	}
	l := &slowConn{Conn: c, line: newPipe(s), done: make(chan struct{})}
	go l.forward()
	return l
}

// slowConn is a connection behind a shaped pipe.
type slowConn struct {
	net.Conn
	line *pipe
	done chan struct{} // closed when nothing more will be forwarded
}

// forward writes what has come through the pipe to the connection.
func (l *slowConn) forward() {
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

func (l *slowConn) Write(b []byte) (int, error) { return l.line.Write(b) }

// Close ends reads at once, and the connection when everything written has been forwarded.
func (l *slowConn) Close() error {
	now := time.Now()
	l.Conn.SetReadDeadline(now)
	l.Conn.SetWriteDeadline(now.Add(linger))
	l.line.close(io.EOF)
	<-l.done
	return l.Conn.Close()
}

// halfCloser is a connection of which one direction can be closed.
type halfCloser interface {
	// CloseWrite closes the writing half.
	CloseWrite() error
}

// CloseWrite closes the writing half when everything written has been forwarded.
func (l *slowConn) CloseWrite() error {
	l.line.close(io.EOF)
	<-l.done
	if c, ok := l.Conn.(halfCloser); ok {
		return c.CloseWrite()
	}
	return errors.ErrUnsupported
}
