package node

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/node/audit"
)

// bodyTime bounds the time in which the body of a message arrives; maxBodyTime that of a submission,
// whose size may be large.
const (
	bodyTime    = 30 * time.Second
	maxBodyTime = 5 * time.Minute
)

// bodies is the memory that all bodies of messages share while they are read. A message takes from it as
// its bytes arrive and gives them back when it has been answered, so that senders who announce much and
// send little hold little.
type bodies struct {
	mu   sync.Mutex
	free int64
}

// errBodies is the error of a body for which there is no memory.
var errBodies = errors.New("the node is reading other messages and has no memory for this one (limits: bodies; try again later)")

func (b *bodies) take(n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n > b.free {
		return false
	}
	b.free -= n
	return true
}

func (b *bodies) give(n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
}

// perByte is the memory that a byte of a message takes while it is read and decoded: the text in base64,
// and what it stands for.
const perByte = 2

// body is a message's body that takes its memory from the node's. complete is called at its end.
type body struct {
	io.Reader
	from     *bodies
	taken    int64
	complete func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 {
		if !b.from.take(perByte * int64(n)) {
			return 0, refusal{http.StatusServiceUnavailable, errBodies}
		}
		b.taken += perByte * int64(n)
	}
	if errors.Is(err, io.EOF) {
		b.complete()
	}
	return n, err
}

// withBody calls do with the body of a message, which must arrive within limit, in the memory of bodies.
func (n *Node) withBody(w http.ResponseWriter, r *http.Request, limit time.Duration, do func(io.Reader) (any, error)) {
	c := http.NewResponseController(w)
	c.SetReadDeadline(time.Now().Add(limit))
	b := &body{Reader: r.Body, from: &n.bodies, complete: func() { c.SetReadDeadline(time.Time{}) }}
	defer func() { n.bodies.give(b.taken) }()
	n.answer(w, func() (any, error) {
		v, err := do(b)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = refuse(http.StatusRequestTimeout, "the message did not arrive within %v", limit)
		}
		return v, err
	})
}

// checkSubmitter refuses a submission of a caller whom no rule of the policy names, before its body is read. Such
// an attempt leaves a line in the audit log, at most one a minute for each caller, and nothing else.
func (n *Node) checkSubmitter(by string) error {
	if n.policy.Policy().NamesSubmitter(by) {
		return nil
	}
	why := fmt.Sprintf("no rule names %s among its submitters", by)
	if n.counts != nil {
		n.counts.Denied("submitters")
	}
	if n.strangers.first(by, time.Now()) {
		if err := n.audit.Append(audit.Event{Time: time.Now(), Kind: audit.Denied, Actor: by, Reason: why}); err != nil {
			n.log.Error("cannot write to the audit log", "error", err.Error())
		}
		n.log.Warn("submission refused", "submitter", by, "reason", why)
	}
	return refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, why)
}

// strangers remembers who was refused lately. It holds at most maxStrangers names: further ones count as
// one.
type strangers struct {
	mu   sync.Mutex
	last map[string]time.Time
}

const (
	strangerPeriod = time.Minute
	maxStrangers   = 1000
)

// first reports whether nobody of this name was reported within the last minute, and records that it is
// now.
func (s *strangers) first(name string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, at := range s.last {
		if now.Sub(at) >= strangerPeriod {
			delete(s.last, other)
		}
	}
	if _, known := s.last[name]; !known && len(s.last) >= maxStrangers {
		name = ""
	}
	if _, lately := s.last[name]; lately {
		return false
	}
	if s.last == nil {
		s.last = map[string]time.Time{}
	}
	s.last[name] = now
	return true
}
