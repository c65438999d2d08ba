package pair

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"sync"

	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// ErrSpent is wrapped by the error about a request that the Demand lacks, or whose transfers were given out before.
var ErrSpent = errors.New("the transfers of this request were used already, or never made")

// Material is what the offline phase leaves at one party: its side of the session's transfers, and keys. Its methods
// are safe for concurrent use.
type Material struct {
	rank  int
	hash  *ot.Hash
	delta ot.Block // of the direction in which the party sends

	mu       sync.Mutex
	at       map[uint64]place // of requests that are not spent
	received []*received
	sent     []*sent

	secrets map[int]*he.Secret // by set: this party's keys
	peers   map[int]Peer       // by set: the other party's

	next *State // what a later session may begin with; nil if nothing is kept
}

// Next returns what this party may keep for one later session with the same party; nil unless protocol.Config.Keep was set.
func (m *Material) Next() *State { return m.next }

// place is where the transfers of a request lie among those of its direction.
type place struct{ receiver, lo, n int }

// received is a batch at its receiver; first is the place of its first transfer among those of its direction, left the number of
// transfers that no request has taken. chosen is the place of its first transfer's choice among choices, which others may be of.
type received struct {
	choices     ring.Bits
	chosen      int
	t           []ot.Block
	first, left int
}

// sent is a batch at its sender.
type sent struct {
	q           []ot.Block
	first, left int
}

// batchOf returns the number of the batch with the transfer at a place, of n batches that begin at first.
func batchOf(n, place int, first func(i int) int) int {
	return sort.Search(n, func(i int) bool { return first(i) > place }) - 1
}

// directed returns the number that a transfer has in tweaks: the counter runs over both directions.
func directed(receiver, i int) uint64 { return uint64(receiver)<<63 | uint64(i) }

// lay gives each request its place; the first front transfers of direction 0 are the bases of the other direction.
func (m *Material) lay(d *Demand, front int) {
	m.at = make(map[uint64]place, len(d.requests))
	next := [2]int{front, 0}
	for _, r := range d.requests {
		m.at[r.ID] = place{r.Receiver, next[r.Receiver], r.N}
		next[r.Receiver] += r.N
	}
}

// take returns the place of a request and marks it as spent.
func (m *Material) take(id uint64, receiver, n int) (place, error) {
	p, ok := m.at[id]
	if !ok || p.receiver != receiver || p.n != n {
		return p, fmt.Errorf("pair: request %x of %d transfers to rank %d: %w", id, n, receiver, ErrSpent)
	}
	delete(m.at, id)
	return p, nil
}

// Received returns the n transfers of the request id, which this party receives. Each request is served once; the error
// of a second call, or of a request that the Demand lacks, wraps ErrSpent.
func (m *Material) Received(id uint64, n int) (*ot.Received, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.take(id, m.rank, n)
	if err != nil {
		return nil, err
	}
	c, t := m.cutReceived(p.lo, n)
	out := &ot.Received{Hash: m.hash, First: directed(m.rank, p.lo), Choices: c}
	if len(t) > 0 {
		out.T, out.Rest = t[0], t[1:]
	}
	return out, nil
}

// cutReceived returns transfers lo to lo+n−1 of the direction in which the party receives, blocks by batch, and drops batches that are
// used up. Blocks stay where they are.
func (m *Material) cutReceived(lo, n int) (ring.Bits, [][]ot.Block) {
	c, t := ring.NewBits(n), [][]ot.Block(nil)
	at := batchOf(len(m.received), lo, func(i int) int { return m.received[i].first })
	for done := 0; done < n; at++ {
		b := m.received[at]
		from := lo + done - b.first
		to := min(from+n-done, len(b.t))
		t = append(t, b.t[from:to:to])
		ring.CopyBits(c, done, b.choices, b.chosen+from, to-from)
		done += to - from
		if b.left -= to - from; b.left == 0 {
			b.t, b.choices = nil, ring.Bits{}
		}
	}
	return c, t
}

// beside returns the blocks of several batches in one list: that of a batch alone stays where it is.
func beside(batches [][]ot.Block) []ot.Block {
	if len(batches) == 1 {
		return batches[0]
	}
	return slices.Concat(batches...)
}

// Sent returns the n transfers of the request id, which this party sends. Each request is served once; the error of a
// second call, or of a request that the Demand lacks, wraps ErrSpent.
func (m *Material) Sent(id uint64, n int) (*ot.Sent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, err := m.take(id, 1-m.rank, n)
	if err != nil {
		return nil, err
	}
	out := &ot.Sent{Hash: m.hash, Delta: m.delta, First: directed(1-m.rank, p.lo)}
	if q := m.cutSent(p.lo, n); len(q) > 0 {
		out.Q, out.Rest = q[0], q[1:]
	}
	return out, nil
}

// cutSent is cutReceived of the direction in which the party sends.
func (m *Material) cutSent(lo, n int) (q [][]ot.Block) {
	at := batchOf(len(m.sent), lo, func(i int) int { return m.sent[i].first })
	for done := 0; done < n; at++ {
		b := m.sent[at]
		from := lo + done - b.first
		to := min(from+n-done, len(b.q))
		q = append(q, b.q[from:to:to])
		done += to - from
		if b.left -= to - from; b.left == 0 {
			b.q = nil
		}
	}
	return q
}
