package party

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/ring"
)

// Seat is one party's place in a run whose other parties are in processes of
// their own.
type Seat struct {
	Rank int
	Link *link.Endpoint // to all others; Join does not close it
	// Session names the run: drawn for it alone, and the same at all parties.
	Session correlation.SessionID
	// Dealer is who deals, unless one of the parties does or the Spec's Store,
	// which is the party's own, has a session that all parties have; nil for
	// none.
	Dealer Dealer

	turns bool // it is a service's
}

// Dealer is a dealer elsewhere, as one party reaches it.
type Dealer interface {
	// Begin joins a session at the dealer. All parties do, with one form; the
	// end of ctx ends the session.
	Begin(ctx context.Context, t Table, f *correlation.Form) (Dealt, error)
}

// Table is who sits at a session of correlated randomness, and where.
type Table struct {
	Session   correlation.SessionID
	Rank      int      // the party's own
	Parties   []string // in rank order
	Computing int      // how many of them compute, the first ones
	Turns     bool     // more will be ordered in the session (Next)
}

// Dealt is what a party has from a dealer elsewhere, for one session.
type Dealt interface {
	// Seed is what the party and the dealer have in common.
	Seed() ring.Seed
	// Receive passes on the corrections as they come, in the form's order, at
	// the party that gets them. While put waits, the dealer does.
	Receive(put func(id correlation.ID, data []byte)) error
	// Next orders more in a session of turns, once Receive has returned. All
	// parties do, with one form, none of whose ids was in an earlier one but
	// for masks of what stays.
	Next(f *correlation.Form) error
	// Close ends the session; who is in Receive returns.
	Close() error
}

// Join is one party's side of a run. All parties join with specs that say the
// same, but for the data, of which each has its own; what they differ in they
// find out before anything is shared. An outcome's results are nil at parties
// that learn none; there is none before all parties have finished, and its
// report has the traffic of all of them, and the times and memory of this party
// alone. After an error the others are told why.
func Join(ctx context.Context, s Spec, seat Seat) (*Outcome, error) {
	ctx, end := seat.heeding(ctx, s.online())
	defer end(nil)
	l, err := s.seated(ctx, seat)
	if err == nil {
		if err = l.run(ctx); err == nil {
			err = l.settle(ctx)
		}
		err = l.named(heeded(ctx, err))
	}
	if err != nil {
		seat.Link.Abort(err.Error())
		return nil, err
	}
	return l.outcome(), nil
}

// seated makes the session of one party.
func (s Spec) seated(ctx context.Context, seat Seat) (*local, error) {
	if s.Protocol == "plain" {
		return nil, fmt.Errorf("party: protocol plain computes in one process, in clear: %w", errors.ErrUnsupported)
	}
	if s.Seed != nil {
		return nil, errors.New("party: a fixed seed is for simulation in one process")
	}
	s, err := s.resumed(ctx, map[int]*link.Endpoint{seat.Rank: seat.Link})
	if err != nil {
		return nil, heeded(ctx, err)
	}
	l, err := s.local(ctx)
	if err != nil {
		return nil, err
	}
	x := l.sessions[seat.Rank]
	x.link = seat.Link
	l.sessions = []*session{x}
	l.apart, l.live = true, seat.Session
	switch {
	case s.Store != "" && seat.Dealer == nil:
		x.supplier = stored{l.spec, x.rank}
	case s.Store != "":
		x.supplier = either{stored{l.spec, x.rank}, elsewhere{x, ctx, seat}}
	case l.spec.dealer() >= 0:
		x.supplier = inside{x, ctx, seat.Session}
	default:
		x.supplier = elsewhere{x, ctx, seat}
	}
	return l, nil
}

// heeding is a context that ends when another party gives up, whatever this one
// waits for then: the dealer, who hears of it later or not at all. It ends, too,
// when one is lost that does not compute online, from whom nothing may be awaited
// for long; of others the operation that awaits them has more to say.
func (seat Seat) heeding(ctx context.Context, online int) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(ctx)
	never := link.Key{Phase: link.Setup, Op: math.MaxUint32} // no message's
	for rank := range seat.Link.Size() {
		if rank == seat.Rank {
			continue
		}
		seat.Link.Await(rank, never, func(_ link.Message, err error) {
			left := errors.Is(err, link.ErrGone) || errors.Is(err, link.ErrClosed)
			if errors.As(err, new(*link.Aborted)) || rank >= online && !left {
				end(err)
			}
		})
	}
	return ctx, end
}

// firsthand is how long a party that has heard from the dealer that another one has
// ended its run waits for that one's own word.
const firsthand = time.Second

// heeded is the error of what ended because another party had given up: that.
func heeded(ctx context.Context, err error) error {
	var said *remote.EndError
	if errors.As(err, &said) && said.Secondhand() {
		select {
		case <-ctx.Done():
		case <-time.After(firsthand):
		}
	}
	var peer *link.PeerError
	if err != nil && errors.As(context.Cause(ctx), &peer) {
		return peer
	}
	return err
}

// named says of a lost party who it is, and not of this one.
func (l *local) named(err error) error {
	var own *PartyError
	if errors.As(err, &own) {
		err = own.Err
	}
	var lost *link.PeerError
	if !errors.As(err, &lost) {
		return err
	}
	name := l.spec.Parties[lost.Rank]
	var said *link.Aborted
	if errors.As(err, &said) { // what it was waited for does not matter
		return &LostError{Party: name, Err: said}
	}
	var at *flow.OpError
	if errors.As(err, &at) {
		return &LostError{Party: name, Where: at.Where, Round: at.Round, Err: lost.Err}
	}
	return &LostError{Party: name, Err: lost.Err}
}

// LostError says that another party is gone, and what was waited for from it.
type LostError struct {
	Party string
	Where string // the operation; empty before and after the program
	Round int    // of the operation's message, by the phase's clock
	Err   error
}

func (e *LostError) Error() string {
	if errors.As(e.Err, new(*link.Aborted)) {
		return fmt.Sprintf("%s gave up: %v", e.Party, e.Err)
	}
	if e.Where == "" {
		return fmt.Sprintf("lost %s: %s", e.Party, strings.TrimPrefix(e.Err.Error(), e.Party+": ")) // who dialled begins with the name, too
	}
	return fmt.Sprintf("lost %s at %s, round %d: %v", e.Party, e.Where, e.Round, e.Err)
}

// Unwrap is the cause.
func (e *LostError) Unwrap() error { return e.Err }

// meet waits until all parties have come to a step. Before the online phase
// they do, so that its time is that of the phase alone.
func (s *session) meet(ctx context.Context, step uint32) error {
	return s.gather(ctx, step, func(int) any { return true }, func(from int, data []byte) error {
		return s.agreesOn(from, data, true)
	})
}

// agreesOn checks that another party says what is expected.
func (s *session) agreesOn(from int, data []byte, want any) error {
	text, err := json.Marshal(want)
	if err == nil && string(text) != string(data) {
		err = fmt.Errorf("party: %s says %.40q where it should say %s", s.spec.Parties[from], data, text)
	}
	return err
}

// What parties may send beyond what the plan says: greetings, which hold the
// job's terms, and at the end what each operation has cost.
const (
	greetingBytes = 4 << 20
	tallyBytes    = 1 << 10
	// Sorts may send more than is expected of them, as chance has it.
	expectedTimes = 4
)

// bound says what others may send from now on, in so many turns: what the plan
// expects of all of them together.
func (s *session) bound(turns int) {
	var planned int64
	for p := range link.Phases {
		planned += s.plan.phases[p].Awaited.Load()
	}
	for _, r := range s.plan.results { // of the reveals, whole elements and shares
		planned += int64(r.Type.Shape.Size()) * int64(max(r.Type.DType.Bits(), s.spec.Ring)/8+1) * int64(len(s.spec.Parties))
	}
	most := expectedTimes*planned + greetingBytes + tallyBytes*int64(len(s.plan.costs.Ops))
	for _, i := range s.others() {
		total := most
		if i == s.spec.atWork() {
			total += s.plan.form.Bytes()
		}
		s.link.Allow(i, most, int64(turns)*total)
	}
}

// elsewhere is a party's supplier of what a dealer elsewhere deals.
type elsewhere struct {
	*session
	ctx  context.Context // the run's
	seat Seat
}

func (e elsewhere) sessions(*order) ([]correlation.SessionID, error) {
	if e.seat.Dealer == nil {
		return nil, fmt.Errorf("party: %s has no dealer, and protocol %s needs one", e.spec.Parties[e.rank], e.spec.Protocol)
	}
	return []correlation.SessionID{e.seat.Session}, nil
}

// join joins the dealer's session.
func (e elsewhere) join(id correlation.SessionID, o *order) (Dealt, error) {
	d, err := e.seat.Dealer.Begin(e.ctx, Table{id, e.rank, e.spec.Parties, e.spec.online(), e.seat.turns}, o.form)
	if err != nil {
		return nil, fmt.Errorf("dealer: %w", err)
	}
	return d, nil
}

// begin joins and receives.
func (e elsewhere) begin(_ context.Context, id correlation.SessionID, o *order) (material, error) {
	d, err := e.join(id, o)
	if err != nil {
		return nil, err
	}
	m := &shipped{dealt: dealt{common: d.Seed()}, from: d}
	if e.corrected() {
		s := newStream(e.ctx, o, e.spec.shape())
		e.receive(d, s)
		m.part = s.parts[0]
	}
	return m, nil
}

// corrected reports whether corrections are this party's to receive.
func (e elsewhere) corrected() bool { return correlation.Corrected(e.rank, e.spec.online()) }

// receive takes what a stream's orders ask for as it comes.
func (e elsewhere) receive(d Dealt, s *stream) {
	left := context.AfterFunc(s.ctx, func() { d.Close() })
	s.run(func() error {
		defer left()
		return d.Receive(s.put)
	})
}

// further orders all in one form: the ids of one turn are below those of the
// next.
func (e elsewhere) further(_ context.Context, first material, orders []*order) ([]material, error) {
	d, all := first.(*shipped).from, &correlation.Form{}
	for _, o := range orders {
		all.Requests = append(all.Requests, o.form.Requests...)
	}
	if err := d.Next(all); err != nil {
		return nil, fmt.Errorf("dealer: %w", err)
	}
	if !e.corrected() {
		return undealt(d.Seed(), orders), nil
	}
	s := newHolding(e.ctx, orders)
	e.receive(d, s)
	return s.dealt(d.Seed()), nil
}

// shipped is material from a dealer elsewhere.
type shipped struct {
	dealt
	from Dealt
}

// close ends the stream first: what it is full of does not keep the dealer's
// connection from ending.
func (m *shipped) close() error {
	err := m.dealt.close()
	return errors.Join(err, m.from.Close())
}
