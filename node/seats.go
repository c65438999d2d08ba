package node

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
)

// knock is the first message on a data connection: whose it is and of what.
type knock struct {
	Version string `json:"version"`
	Job     string `json:"job"`
	Session string `json:"session"`
	From    int    `json:"from"` // ranks
	To      int    `json:"to"`
}

// let is the answer: an error if the caller is not let in. While the session
// has not started there yet, answers say so, as signs of life.
type let struct {
	Error string `json:"error,omitempty"`
	Wait  bool   `json:"wait,omitempty"`
}

// maxKnock bounds these messages.
const maxKnock = 1 << 16

// seatTime is how long all parties of a session may take to start it and to
// connect. Of one that is gone others hear sooner.
const seatTime = time.Minute

// seats are where the data connections of one session go.
type seats struct {
	session string
	mu      sync.Mutex
	taken   map[int]bool
	conns   chan seated
	closed  bool
}

// seated is a connection to the party of a rank.
type seated struct {
	rank int
	conn net.Conn
	err  error
}

func newSeats(session string) *seats {
	return &seats{session: session, taken: map[int]bool{}, conns: make(chan seated, party.MaxParties)}
}

// take seats a rank, once.
func (s *seats) take(rank int, c net.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.taken[rank] {
		c.Close()
		return errors.New("this seat is taken, or the session is over")
	}
	s.taken[rank] = true
	s.conns <- seated{rank: rank, conn: c}
	return nil
}

// miss says that a rank will not come.
func (s *seats) miss(rank int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && !s.taken[rank] {
		s.taken[rank] = true
		s.conns <- seated{rank: rank, err: err}
	}
}

// close turns away who comes now, and who has come and was not awaited.
func (s *seats) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for {
		select {
		case c := <-s.conns:
			if c.conn != nil {
				c.conn.Close()
			}
		default:
			return
		}
	}
}

// connect makes the connections of a session: this party dials those of lower
// rank, which may take a while to start it, and is dialled by the others, which
// have started it before this one: these come at once or not at all.
func (n *Node) connect(ctx context.Context, t *task, at *seats) (*link.Endpoint, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, seatTime, errNotSeated)
	defer cancel()
	for rank := range t.rank {
		n.work.Go(func() {
			c, err := n.knock(ctx, t, rank)
			if err == nil {
				err = at.take(rank, c)
			}
			if err != nil {
				at.miss(rank, err)
			}
		})
	}
	parties := t.Parties
	conns := make([]io.ReadWriteCloser, len(parties))
	missing := func(from int) int { // the first rank from there on that has not come
		for rank := from; rank < len(conns); rank++ {
			if rank != t.rank && conns[rank] == nil {
				return rank
			}
		}
		return -1
	}
	soon := time.After(n.config.Limits.Silence)
	for missing(0) >= 0 {
		var c seated
		select {
		case c = <-at.conns:
		case <-soon:
			if c.rank = missing(t.rank); c.rank < 0 {
				continue
			}
			c.err = errNotSeated
		case <-ctx.Done():
			c = seated{rank: missing(0), err: context.Cause(ctx)}
		}
		if c.err != nil {
			for _, c := range conns {
				if c != nil {
					c.Close()
				}
			}
			return nil, &party.LostError{Party: parties[c.rank], Err: c.err}
		}
		conns[c.rank] = c.conn
	}
	l := n.config.Limits
	return link.NewEndpoint(t.rank, conns, link.Watch{Beat: l.Beat, Silence: l.Silence}), nil
}

// errNotSeated says that a party has not come.
var errNotSeated = errors.New("it has not connected in time")

// knock dials the party of a rank, and waits until that has started the session
// too.
func (n *Node) knock(ctx context.Context, t *task, rank int) (net.Conn, error) {
	silence := n.config.Limits.Silence
	dialling, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	c, err := n.net.Dial(dialling, t.Parties[rank], SessionProto)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	c.SetDeadline(time.Now().Add(silence))
	err = writeJSON(c, knock{party.Version, t.ID, t.Session, t.rank, rank})
	a := let{Wait: true}
	for err == nil && a.Wait {
		c.SetDeadline(time.Now().Add(silence))
		a = let{}
		err = readJSON(c, &a)
	}
	switch {
	case err == nil && a.Error != "":
		err = errors.New(a.Error)
	case err == nil:
		err = c.SetDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("%w for %v", link.ErrSilent, silence)
	default: // of a certificate that was refused a client hears here
		err = link.Lost(err)
	}
	if !stop() { // the time was over
		err = context.Cause(ctx)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// seat lets a caller into the session that it names.
func (n *Node) seat(c pki.Caller) {
	c.SetDeadline(time.Now().Add(n.config.Limits.Silence))
	var k knock
	err := readJSON(c, &k)
	if err == nil {
		err = n.admit(c, k)
	}
	if err != nil {
		n.log.Warn("data connection refused", "from", c.Name, "job", k.Job, "error", err.Error())
		writeJSON(c, let{Error: err.Error()})
		c.Close()
	}
}

// admit checks a knock and seats who has knocked.
func (n *Node) admit(c pki.Caller, k knock) error {
	if k.Version != party.Version {
		return otherVersion(c.Name, k.Version)
	}
	late := time.After(seatTime)
	for {
		n.mu.Lock()
		t := n.tasks[k.Job]
		var s *seats
		var changed chan struct{}
		if t != nil {
			s, changed = t.seats, t.changed
		}
		final := t != nil && t.State.Final()
		n.mu.Unlock()
		switch {
		case t == nil || final:
			return errors.New("no such job runs here")
		case k.To != t.rank || k.From <= k.To || k.From >= len(t.Parties) || t.Parties[k.From] != c.Name:
			return fmt.Errorf("%s is not the party of rank %d that dials rank %d", c.Name, k.From, k.To)
		case s != nil && s.session == k.Session:
			// The answer goes first: what follows it is the session's.
			if err := writeJSON(c, let{}); err != nil {
				return err
			}
			if err := c.SetDeadline(time.Time{}); err != nil {
				return err
			}
			return s.take(k.From, c.Conn)
		case s != nil:
			return errors.New("another session of the job runs here")
		}
		select { // it starts here in a moment
		case <-changed:
		case <-time.After(n.config.Limits.Beat):
			if err := c.SetDeadline(time.Now().Add(n.config.Limits.Silence)); err != nil {
				return err
			}
			if err := writeJSON(c, let{Wait: true}); err != nil {
				return err
			}
		case <-late:
			return errors.New("the session has not started here")
		case <-n.ctx.Done():
			return ErrStopping
		}
	}
}

// otherVersion says that another party's node is of another release.
func otherVersion(name, version string) error {
	return fmt.Errorf("this is version %s, and that of %s is %.20s (run the same release everywhere)", party.Version, name, version)
}

// writeJSON writes a message with its length before it.
func writeJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readJSON reads a message, of maxKnock bytes at most.
func readJSON(r io.Reader, v any) error {
	var h [4]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(h[:])
	if n > maxKnock {
		return fmt.Errorf("a message of %d bytes where %d are allowed", n, maxKnock)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}
