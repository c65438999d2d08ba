package node

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
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

// let is the answer; an error if the caller is not let in.
type let struct {
	Error string `json:"error,omitempty"`
}

// maxKnock bounds these messages.
const maxKnock = 1 << 16

// seatTime is how long all parties of a session may take to connect.
const seatTime = 15 * time.Second

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
// rank and is dialled by the others.
func (n *Node) connect(ctx context.Context, t *task) (*link.Endpoint, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, seatTime, errors.New("it has not connected in time"))
	defer cancel()
	for rank := range t.rank {
		n.work.Go(func() {
			c, err := n.knock(ctx, t, rank)
			if err == nil {
				err = t.seats.take(rank, c)
			}
			if err != nil {
				t.seats.miss(rank, err)
			}
		})
	}
	parties := t.sub.Parties
	conns := make([]io.ReadWriteCloser, len(parties))
	for missing := len(parties) - 1; missing > 0; missing-- {
		var c seated
		select {
		case c = <-t.seats.conns:
		case <-ctx.Done():
			c.rank = slices.IndexFunc(conns, func(c io.ReadWriteCloser) bool { return c == nil })
			if c.rank == t.rank { // the own one is nil too
				c.rank += 1 + slices.IndexFunc(conns[t.rank+1:], func(c io.ReadWriteCloser) bool { return c == nil })
			}
			c.err = context.Cause(ctx)
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

// knock dials the party of a rank.
func (n *Node) knock(ctx context.Context, t *task, rank int) (net.Conn, error) {
	c, err := n.net.Dial(ctx, t.sub.Parties[rank], SessionProto)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.SetDeadline(time.Now()) })
	defer stop()
	err = writeJSON(c, knock{party.Version, t.ID, t.Session, t.rank, rank})
	var a let
	if err == nil {
		err = readJSON(c, &a)
	}
	if err != nil { // of a certificate that was refused a client hears here
		err = link.Lost(err)
	}
	if err == nil && a.Error != "" {
		err = errors.New(a.Error)
	}
	if err == nil && !stop() { // the time was over
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
	c.SetDeadline(time.Now().Add(seatTime))
	var k knock
	err := readJSON(c, &k)
	if err == nil {
		err = n.admit(c, k)
	}
	if err != nil {
		n.log.Warn("data connection refused", "from", c.Name, "job", k.Job, "error", err.Error())
		writeJSON(c, let{err.Error()})
		c.Close()
	}
}

// admit checks a knock and seats who has knocked.
func (n *Node) admit(c pki.Caller, k knock) error {
	if k.Version != party.Version {
		return fmt.Errorf("version %.20s has called, this is %s", k.Version, party.Version)
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
		case k.To != t.rank || k.From <= k.To || k.From >= len(t.sub.Parties) || t.sub.Parties[k.From] != c.Name:
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
		case <-late:
			return errors.New("the session has not started here")
		case <-n.ctx.Done():
			return ErrStopping
		}
	}
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
