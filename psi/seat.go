package psi

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/profile"
)

// Seat is one party's place in a join whose other party is in another process. The link may serve a run of package party
// afterwards: messages of a join have keys of their own.
type Seat struct {
	Rank int            // of this party, 0 or 1
	Link *link.Endpoint // the connection to the other party; a join does not close it
	// Ranks are the ranks that both parties have on the link, ascending or not; nil: 0 and 1 of a link of two parties. A link of more
	// parties serves one join of each two of them: its dealer's session follows from Session and Ranks.
	Ranks   []int
	Session correlation.SessionID
	// Dealer is the connection to the dealer, which deals in a session of its own that follows from Session. Method ECDH needs none.
	Dealer offline.Dealer
	// Terms are what both parties must agree on before anything that depends on keys is sent, by name: such as what a key column
	// holds. They are compared with the other party's, which learns them.
	Terms map[string]string
	// second says that another join has used the link and the session.
	second bool
}

// firstOp is the first operation of a join in the keys of messages. No program has so many operations.
const firstOp = 1 << 30

// TermError says that the parties of a join differ in a term.
type TermError struct {
	Term         string // its name
	Mine, Theirs string // the values; "" for a term that a party lacks
	Peer         string // the other party's name
}

// Error names the term, both values and the peer.
func (e *TermError) Error() string {
	return fmt.Sprintf("join: %s is %q here and %q at %s", e.Term, e.Mine, e.Theirs, e.Peer)
}

// Join runs one party's side of an intersection of sets with the given numbers of keys. s.Keys has this party's keys at its rank. The
// outcome has this party's rows alone, and its report this party's measured traffic and, of the other party, what the plan says.
func Join(ctx context.Context, s Spec, counts [2]int, seat Seat) (*Outcome, error) {
	planned, err := Plan(s, counts)
	if err != nil {
		return nil, err
	}
	x, err := newSession(s, counts)
	if err != nil {
		return nil, err
	}
	if len(s.Keys) != 2 || len(s.Keys[seat.Rank]) != counts[seat.Rank] {
		return nil, fmt.Errorf("psi: want %d keys of %s", counts[seat.Rank], s.Parties[seat.Rank])
	}
	own := &side{keys: s.Keys[seat.Rank]}
	x.sides[seat.Rank] = own
	terms := map[string]string{"join's sizes": fmt.Sprint(counts)}
	r, err := x.runAt(ctx, planned, seat, terms, own, func() { x.buildAt(seat.Rank) })
	if err != nil {
		return nil, err
	}
	out := &Outcome{Report: r}
	for _, key := range x.results[seat.Rank].Get() {
		if key >= 0 {
			out.Rows[seat.Rank] = append(out.Rows[seat.Rank], int(key))
		}
	}
	return out, nil
}

// JoinHidden runs one party's side of a hidden join of tables with the given numbers of rows. s has this party's keys at its rank and,
// at the party that is not the keeper, its columns; at the keeper, Width is their number. The outcome has this party's shares alone,
// and its report is as that of Join.
func JoinHidden(ctx context.Context, s Hidden, counts [2]int, seat Seat) (*HiddenOutcome, error) {
	return s.inTurn(func(s Hidden, second bool) (*HiddenOutcome, error) {
		seat.second = second
		return joinHidden(ctx, s, counts, seat)
	})
}

// joinHidden is JoinHidden in one direction.
func joinHidden(ctx context.Context, s Hidden, counts [2]int, seat Seat) (*HiddenOutcome, error) {
	planned, err := planHidden(s, counts)
	if err != nil {
		return nil, err
	}
	x, err := newHidden(s, counts)
	if err != nil {
		return nil, err
	}
	if seat.second {
		x.base = secondBase
	}
	if len(s.Keys) != 2 || len(s.Keys[seat.Rank]) != counts[seat.Rank] {
		return nil, fmt.Errorf("psi: want %d keys of %s", counts[seat.Rank], s.Parties[seat.Rank])
	}
	own := &hiddenSide{side: side{keys: s.Keys[seat.Rank]}}
	x.sides[seat.Rank] = own
	terms := map[string]string{"join's sizes": fmt.Sprint(counts, s.Keeper, s.Ring, s.One, x.Width)}
	r, err := x.runAt(ctx, planned, seat, terms, own, func() { x.buildAt(seat.Rank) })
	if err != nil {
		return nil, err
	}
	out := &HiddenOutcome{Report: r}
	for _, c := range x.results[seat.Rank] {
		out.Shares[seat.Rank] = append(out.Shares[seat.Rank], c.Get())
	}
	return out, nil
}

// runAt is run at a seat.
func (x *runner) runAt(
	ctx context.Context, planned *profile.Report, seat Seat, terms map[string]string, own dealtTo, build func(),
) (*profile.Report, error) {
	if err := x.take(seat); err != nil {
		return nil, err
	}
	if x.manifest != nil && seat.Dealer == nil {
		return nil, errors.New("psi: the join needs a dealer")
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	peer, at := 1-seat.Rank, x.ranks[1-seat.Rank]
	most := planned.Online.BytesSent[peer] + afterBytes
	seat.Link.Allow(at, most, most)
	for name, value := range seat.Terms {
		terms[name] = value
	}
	if err := x.agree(ctx, seat, terms); err != nil {
		return nil, err
	}
	var online atomic.Bool // messages of the other party are awaited
	seat.Link.Await(at, x.neverKey(), func(_ link.Message, err error) {
		if errors.As(err, new(*link.Aborted)) || !online.Load() {
			stop(err)
		}
	})
	r, start := x.header(), time.Now()
	if x.manifest != nil {
		d, err := x.takeFrom(ctx, seat, own)
		if err != nil {
			return nil, peerLost(ctx, err)
		}
		defer d.Close() // at the end: a party that left while the dealer waits for the other would end its session
	}
	x.tookOffline(r, start)
	start = time.Now()
	online.Store(true)
	x.graphs[seat.Rank] = flow.New(ctx, link.Online, seat.Link, &x.accounts[seat.Rank])
	build()
	if err := x.graphs[seat.Rank].Wait(); err != nil {
		return nil, peerLost(ctx, err)
	}
	seconds := time.Since(start).Seconds()
	x.finish(r, planned, seconds)
	r.Online.Rounds = max(r.Online.Rounds, planned.Online.Rounds) // the other party's may be more
	r.Online.BytesSent[peer], r.Online.Messages[peer] = planned.Online.BytesSent[peer], planned.Online.Messages[peer]
	for i := range r.Ops {
		o, p := &r.Ops[i], &planned.Ops[i]
		o.BytesSent[peer], o.Messages[peer] = p.BytesSent[peer], p.Messages[peer]
		o.OfflineBytes, o.Rounds = p.OfflineBytes, max(o.Rounds, p.Rounds)
	}
	return r, nil
}

// helloBytes bounds a party's hello, and afterBytes what it sends besides the join's messages before the run that follows has
// announced its own.
const helloBytes, afterBytes = 1 << 16, 2 << 20

// take takes the ranks that the parties have on a seat's link.
func (x *runner) take(seat Seat) error {
	if seat.Ranks == nil && seat.Link.Size() == 2 {
		seat.Ranks = []int{0, 1}
	}
	of, n := seat.Ranks, seat.Link.Size()
	if len(of) != 2 || of[0] == of[1] || min(of[0], of[1]) < 0 || max(of[0], of[1]) >= n || of[seat.Rank&1] != seat.Link.Rank() {
		return errors.New("psi: want a link of two parties, or the ranks of two on a larger one")
	}
	x.ranks = [2]int(of)
	return nil
}

// helloKey is the key of a hello, and neverKey that of no message: its Await fails when the other party is lost.
func (x *runner) helloKey() link.Key { return link.Key{Phase: link.Setup, Op: firstOp + x.base} }
func (x *runner) neverKey() link.Key { return link.Key{Phase: link.Setup, Op: firstOp + x.base + 1} }

// secondBase is runner.base of a second join.
const secondBase = 64

// peerReasonWait is how long a party waits for the link to say that the other party is lost, after the dealer has said so.
const peerReasonWait = time.Second

// peerLost returns the error of the link if ctx ended because the other party was lost, else err.
func peerLost(ctx context.Context, err error) error {
	var said *remote.EndError
	if errors.As(err, &said) && said.FromOtherParty() {
		select {
		case <-ctx.Done():
		case <-time.After(peerReasonWait):
		}
	}
	var peer *link.PeerError
	if errors.As(context.Cause(ctx), &peer) {
		return peer
	}
	return err
}

// agree compares terms with the other party.
func (x *runner) agree(ctx context.Context, seat Seat, terms map[string]string) error {
	peer, at := 1-seat.Rank, x.ranks[1-seat.Rank]
	terms["join's protocol"] = x.protocol
	text, err := json.Marshal(terms)
	if err != nil {
		return err
	}
	if len(text) > helloBytes {
		return fmt.Errorf("psi: the terms of the join are too long, %d bytes", len(text))
	}
	type answer struct {
		data []byte
		err  error
	}
	got := make(chan answer, 1)
	seat.Link.Await(at, x.helloKey(), func(m link.Message, err error) { got <- answer{m.Data, err} })
	seat.Link.Send(at, x.helloKey(), 0, text)
	var theirs map[string]string
	select {
	case a := <-got:
		if a.err != nil {
			return a.err
		}
		if err := json.Unmarshal(a.data, &theirs); err != nil {
			return fmt.Errorf("psi: %s sent no terms of a join", x.parties[peer])
		}
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	for name, mine := range terms {
		if theirs[name] != mine {
			return &TermError{name, mine, theirs[name], x.parties[peer]}
		}
	}
	if len(theirs) != len(terms) {
		return fmt.Errorf("psi: %s has other terms of the join (run the same release everywhere)", x.parties[peer])
	}
	return nil
}

// takeFrom takes what the dealer deals for the join. The caller closes the session.
func (x *runner) takeFrom(ctx context.Context, seat Seat, own dealtTo) (offline.DealerSession, error) {
	label := "tacet join "
	if seat.second {
		label = "tacet second join "
	}
	if seat.Ranks != nil {
		label += fmt.Sprintf("of %d and %d ", seat.Ranks[0], seat.Ranks[1])
	}
	sum := sha256.Sum256(append([]byte(label), seat.Session[:]...))
	id := seat.Session // of the same time
	copy(id[6:], sum[:])
	self := remote.Participant{
		Session: id, Parties: []string{x.parties[1-x.dealtAt], x.parties[x.dealtAt]}, Computing: 2,
	}
	if seat.Rank == x.dealtAt {
		self.Rank = 1
	}
	d, err := seat.Dealer.Begin(ctx, self, x.manifest)
	if err != nil {
		return nil, fmt.Errorf("dealer: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { d.Close() })
	defer stop()
	var messages [][]byte
	if self.ReceivesCorrections() {
		err := d.Receive(func(_ correlation.ID, data []byte) { messages = append(messages, data) })
		if err == nil && len(messages) != len(x.manifest.Requests) {
			err = errors.New("it sent less than the join needs")
		}
		if err != nil {
			d.Close()
			return nil, fmt.Errorf("dealer: %w", cmp.Or(context.Cause(ctx), err))
		}
	}
	own.takeDealt(d.Seed(), messages)
	return d, nil
}
