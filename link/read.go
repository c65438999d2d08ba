package link

import (
	"bufio"
	"errors"
	"io"
	"math"
)

// read takes in what the peer sends until the connection ends.
func (p *peer) read() {
	defer p.wg.Done()
	defer p.conn.Close() // the writer may be blocked on a peer that reads no more
	defer close(p.drained)
	r := bufio.NewReaderSize(listening{p}, 1<<16)
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
		case beat:
			continue
		case leave:
			p.fail(&PeerError{p.rank, ErrGone})
			return
		case abort:
			p.fail(&PeerError{p.rank, &Aborted{printable(string(m.Data))}})
			return
		}
		if !p.arrives(k, m) {
			break
		}
	}
	io.Copy(io.Discard, r) // or the peer might not get what this side wrote last
}

// listening is a peer's connection as its reader has it: whatever arrives shows
// that the peer lives, and while nobody listens nothing shows that it does not.
type listening struct{ p *peer }

func (l listening) Read(b []byte) (int, error) {
	l.p.heard.Store(now())
	n, err := l.p.conn.Read(b)
	l.p.heard.Store(busy)
	return n, err
}

// busy is in place of when something was heard while what was is dealt with.
const busy = math.MaxInt64
