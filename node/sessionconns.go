package node

import (
	"cmp"
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

	"github.com/tacet-mpc/tacet/jsonlimit"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/pki"
	"github.com/tacet-mpc/tacet/version"
)

// dialRequest is the first message on a data connection. It names the session and the ranks of both
// ends. Version is the sender's release, which nodes of release 0.1.0 compare with theirs; others compare
// protocol numbers.
type dialRequest struct {
	Version  string `json:"version"`
	Protocol int    `json:"protocol"`
	Job      string `json:"job"`
	Session  string `json:"session"`
	From     int    `json:"from"` // rank of the dialling party
	To       int    `json:"to"`   // rank of the accepting party
}

// dialReply answers a dialRequest. Error is not empty if the connection is refused. Wait is a
// heartbeat: the session has not started at the accepting node yet, and another reply follows. Protocol is
// the sender's protocol number; release 0.1.0 sends none.
type dialReply struct {
	Error    string `json:"error,omitempty"`
	Wait     bool   `json:"wait,omitempty"`
	Protocol int    `json:"protocol,omitempty"`
}

// maxDialMessage bounds a dialRequest and a dialReply, in bytes.
const maxDialMessage = 1 << 16

// maxDialStructure bounds their structural characters.
const maxDialStructure = 100

// connectTimeout bounds the time from a session's start at this node until all its data connections
// exist. The loss of a party is noticed earlier, by heartbeats.
const connectTimeout = time.Minute

// sessionConns collects the data connections of one session.
type sessionConns struct {
	session string
	mu      sync.Mutex
	taken   map[int]bool
	conns   chan peerConn
	closed  bool
}

// peerConn is the connection to the party of a rank, or the error why there is none.
type peerConn struct {
	rank int
	conn net.Conn
	err  error
}

func newSessionConns(session string) *sessionConns {
	return &sessionConns{session: session, taken: map[int]bool{}, conns: make(chan peerConn, party.MaxParties)}
}

// add passes on the connection to a rank. A second connection to the same rank is refused.
func (s *sessionConns) add(rank int, c net.Conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.taken[rank] {
		c.Close()
		return errors.New("this rank is connected already, or the session is over")
	}
	s.taken[rank] = true
	s.conns <- peerConn{rank: rank, conn: c}
	return nil
}

// fail records that no connection to a rank will come.
func (s *sessionConns) fail(rank int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.closed && !s.taken[rank] {
		s.taken[rank] = true
		s.conns <- peerConn{rank: rank, err: err}
	}
}

// close refuses further connections and closes those that nothing has received.
func (s *sessionConns) close() {
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

// connect makes the data connections of a session. This party dials all lower ranks, whose nodes may
// start the session later and answer with heartbeats until then. Higher ranks dial this party; their
// nodes have started the session before this one, so their connections are expected within
// Limits.HeartbeatTimeout.
func (n *Node) connect(ctx context.Context, t *task, at *sessionConns) (*link.Endpoint, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectTimeout, errNotConnected)
	defer cancel()
	for rank := range t.rank {
		n.work.Go(func() {
			c, err := n.dialPeer(ctx, t, rank)
			if err == nil {
				err = at.add(rank, c)
			}
			if err != nil {
				at.fail(rank, err)
			}
		})
	}
	parties := t.Parties
	conns := make([]io.ReadWriteCloser, len(parties))
	missing := func(from int) int { // the lowest rank ≥ from without a connection, −1 if there is none
		for rank := from; rank < len(conns); rank++ {
			if rank != t.rank && conns[rank] == nil {
				return rank
			}
		}
		return -1
	}
	soon := time.After(n.config.Limits.HeartbeatTimeout)
	for missing(0) >= 0 {
		var c peerConn
		select {
		case c = <-at.conns:
		case <-soon:
			if c.rank = missing(t.rank); c.rank < 0 {
				continue
			}
			c.err = errNotConnected
		case <-ctx.Done():
			c = peerConn{rank: missing(0), err: context.Cause(ctx)}
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
	return link.NewEndpoint(t.rank, conns, link.Heartbeat{Interval: l.HeartbeatInterval, Timeout: l.HeartbeatTimeout}), nil
}

// errNotConnected is the error of a party whose connection did not come in time.
var errNotConnected = errors.New("it did not connect in time")

// dialPeer dials the party of a rank and waits until that party's node has started the session too.
func (n *Node) dialPeer(ctx context.Context, t *task, rank int) (net.Conn, error) {
	silence := n.config.Limits.HeartbeatTimeout
	dialling, cancel := context.WithTimeout(ctx, silence)
	defer cancel()
	c, err := n.net.Dial(dialling, t.Parties[rank], SessionProto)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { c.Close() })
	c.SetDeadline(time.Now().Add(silence))
	err = writeJSON(c, dialRequest{version.Release, version.Protocol, t.ID, t.session, t.rank, rank})
	a := dialReply{Wait: true}
	for err == nil && a.Wait {
		c.SetDeadline(time.Now().Add(silence))
		a = dialReply{}
		err = readJSON(c, &a)
	}
	switch {
	case err == nil && a.Error != "" && a.Protocol == 0:
		err = cmp.Or(n.otherProtocol(t.Parties[rank], 0, ""), errors.New(a.Error))
	case err == nil && a.Error != "":
		err = errors.New(a.Error)
	case err == nil:
		err = c.SetDeadline(time.Time{})
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = fmt.Errorf("%w for %v", link.ErrSilent, silence)
	default: // a client learns only at its first read that its certificate was refused
		err = link.Lost(err)
	}
	if !stop() { // ctx ended
		err = context.Cause(ctx)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// acceptSessionConn passes a data connection on to the session that it names, or refuses it. When the
// node stops, it closes a connection that has sent no request yet.
func (n *Node) acceptSessionConn(c pki.Caller) {
	c.SetDeadline(time.Now().Add(n.config.Limits.HeartbeatTimeout))
	stop := context.AfterFunc(n.ctx, func() { c.Close() })
	var k dialRequest
	err := readJSON(c, &k)
	if !stop() && err == nil {
		err = ErrStopping
	}
	if err == nil {
		err = c.Denied
	}
	if err == nil {
		err = n.admit(c, k)
	}
	if err != nil {
		n.log.Warn("data connection refused", "from", c.Name, "job", k.Job, "error", err.Error())
		writeJSON(c, dialReply{Error: err.Error(), Protocol: version.Protocol})
		c.Close()
	}
}

// admit checks a dial request and hands the connection to its session. It waits up to connectTimeout
// for the session to start, with heartbeats to the caller.
func (n *Node) admit(c pki.Caller, k dialRequest) error {
	if err := n.otherProtocol(c.Name, k.Protocol, k.Version); err != nil {
		return err
	}
	late := time.After(connectTimeout)
	for {
		n.mu.Lock()
		t := n.tasks[k.Job]
		var s *sessionConns
		var changed chan struct{}
		if t != nil {
			s, changed = t.conns, t.changed
		}
		final := t != nil && n.jobs.Job(k.Job).State.Final()
		n.mu.Unlock()
		switch {
		case t == nil || final:
			return errors.New("this job does not run at this node")
		case k.To != t.rank || k.From <= k.To || k.From >= len(t.Parties) || t.Parties[k.From] != c.Name:
			return fmt.Errorf("%s is not the party of rank %d, or rank %d is not dialled by it", c.Name, k.From, k.To)
		case s != nil && s.session == k.Session:
			// The reply is written before the connection is handed over: all further bytes belong
			// to the session.
			if err := writeJSON(c, dialReply{Protocol: version.Protocol}); err != nil {
				return err
			}
			if err := c.SetDeadline(time.Time{}); err != nil {
				return err
			}
			return s.add(k.From, c.Conn)
		case s != nil:
			return errors.New("another session of the job runs at this node")
		}
		select { // the leader starts the session at this node next
		case <-changed:
		case <-time.After(n.config.Limits.HeartbeatInterval):
			if err := c.SetDeadline(time.Now().Add(n.config.Limits.HeartbeatTimeout)); err != nil {
				return err
			}
			if err := writeJSON(c, dialReply{Wait: true, Protocol: version.Protocol}); err != nil {
				return err
			}
		case <-late:
			return errors.New("the session did not start at this node in time")
		case <-n.ctx.Done():
			return ErrStopping
		}
	}
}

// otherProtocol returns an error if another node has sent another protocol number than this node's.
func (n *Node) otherProtocol(name string, protocol int, release string) error {
	return version.Mismatch(version.Self(n.config.Name, n.config.Name+"'s node"), version.Other(name, name+"'s node", protocol, release))
}

// writeJSON writes a JSON message, preceded by its length (4 bytes, big endian).
func writeJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(text))), text...))
	return err
}

// readJSON reads a message of writeJSON, of at most maxDialMessage bytes.
func readJSON(r io.Reader, v any) error {
	var h [4]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return err
	}
	n := binary.BigEndian.Uint32(h[:])
	if n > maxDialMessage {
		return fmt.Errorf("a message of %d bytes; the maximum is %d", n, maxDialMessage)
	}
	text := make([]byte, n)
	if _, err := io.ReadFull(r, text); err != nil {
		return err
	}
	return jsonlimit.Unmarshal(text, jsonlimit.Of(maxDialStructure), v)
}
