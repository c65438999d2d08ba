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
	"github.com/tacet-mpc/tacet/yamlfile"
)

// bodyTime bounds the time in which the body of a message arrives; maxBodyTime that of a submission,
// whose size may be large.
const (
	bodyTime    = 30 * time.Second
	maxBodyTime = 5 * time.Minute
)

// bodies is the memory that all bodies of messages share while they are read. A message takes from it as
// its bytes arrive and gives them back when it has been answered, so that senders who announce much and
// send little hold little. One sender's messages take at most half of it.
type bodies struct {
	mu    sync.Mutex
	total int64
	free  int64
	of    map[string]int64 // taken, by sender
}

func newBodies(total int64) bodies { return bodies{total: total, free: total, of: map[string]int64{}} }

// errBodies is the error of a body for which there is no memory.
var errBodies = errors.New("the node is reading other messages and has no memory for this one (limits: bodies; try again later)")

// take takes n bytes for a sender's message. It returns an error if they are not free, or if they exceed
// the sender's share.
func (b *bodies) take(sender string, n int64) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if share := b.total / 2; b.of[sender]+n > share {
		return fmt.Errorf("the messages of %s that the node is reading take %s of memory; those of one sender may take %s, "+
			"half of limits: bodies (try again when the others have been read)", sender, yamlfile.FormatSize(b.of[sender]), yamlfile.FormatSize(share))
	}
	if n > b.free {
		return errBodies
	}
	b.free -= n
	b.of[sender] += n
	return nil
}

// give gives back what a sender's message has taken.
func (b *bodies) give(sender string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.free += n
	if b.of[sender] -= n; b.of[sender] == 0 {
		delete(b.of, sender)
	}
}

// perByte is the memory that a byte of a message takes while it is read and decoded: the text in base64,
// and what it stands for.
const perByte = 2

// body is a message's body that takes its memory from the node's. complete is called at its end.
type body struct {
	io.Reader
	from     *bodies
	sender   string
	taken    int64
	complete func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 {
		if err := b.from.take(b.sender, perByte*int64(n)); err != nil {
			return 0, refusal{http.StatusServiceUnavailable, err}
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
	b := &body{Reader: r.Body, from: &n.bodies, sender: caller(r), complete: func() { c.SetReadDeadline(time.Time{}) }}
	defer func() { n.bodies.give(b.sender, b.taken) }()
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
	if due, _ := n.strangers.Add(by, time.Now()); due {
		if err := n.audit.Append(audit.Event{Time: time.Now(), Kind: audit.Denied, Actor: by, Reason: why}); err != nil {
			n.log.Error("cannot write to the audit log", "error", err.Error())
		}
		n.log.Warn("submission refused", "submitter", by, "reason", why)
	}
	return refuse(http.StatusForbidden, "the policy of %s does not allow it: %s", n.config.Name, why)
}
