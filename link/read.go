package link

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// read receives frames until the connection ends.
func (p *peer) read() {
	defer p.wg.Done()
	defer p.conn.Close() // unblocks the writer if the peer does not read
	defer close(p.drained)
	r := bufio.NewReaderSize(timedConn{p}, 1<<16)
	f := frames{r: r}
	for {
		k, m, err := f.next(p.admit)
		if err != nil {
			if v := (*violation)(nil); errors.As(err, &v) {
				p.refuse(v.error)
				break
			}
			p.fail(&PeerError{p.rank, Lost(err)})
			return
		}
		switch k.Phase {
		case phaseHeartbeat:
			continue
		case phaseLeave:
			p.fail(&PeerError{p.rank, ErrGone})
			return
		case phaseAbort:
			p.fail(&PeerError{p.rank, &Aborted{printable(string(m.Data))}})
			return
		}
		if !p.deliver(k, m) {
			break
		}
	}
	io.Copy(io.Discard, r) // closing with unread data could reset the connection before the peer has read the last frames
}

// timedConn is a peer's connection for its reader. It records since when a read has waited for
// data: only that time counts towards the timeout.
type timedConn struct{ p *peer }

func (l timedConn) Read(b []byte) (int, error) {
	l.p.idleSince.Store(now())
	n, err := l.p.conn.Read(b)
	l.p.idleSince.Store(busy)
	return n, err
}

// busy is the value of idleSince while the reader does not wait for data.
const busy = math.MaxInt64
