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
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/problem"
)

// Seat is one party's place in a run whose other parties are in other processes.
type Seat struct {
	Rank int            // rank of this party
	Link *link.Endpoint // the connections to all other parties; Join does not close them
	// Session is the id of this run: drawn at random for this run alone, and the same at all parties.
	Session correlation.SessionID
	// Dealer is the connection to the dealer. It may be nil, and is not used, if one of the parties deals, if
	// the parties make their correlations themselves, or if all parties have a session in their stores
	// (Spec.Store).
	Dealer offline.Dealer

	service bool // the seat is a service's
}

// Join runs one party's side of a run whose other parties are in other processes. All parties join with specs
// that are equal except for the data, of which each has its own; the handshake detects differences before
// anything is shared. Results of the outcome are nil at parties that learn none. Join returns an outcome only
// after all parties have finished. The outcome's report has the traffic of all parties, and times and memory of
// this party alone. After an error Join sends the reason to the other parties.
func Join(ctx context.Context, s Spec, seat Seat) (*Outcome, error) {
	s, err := s.Resolve()
	if err != nil {
		seat.Link.Abort(err.Error())
		return nil, err
	}
	ctx, end := seat.withPeerAbort(ctx, s.online())
	defer end(nil)
	l, err := s.seated(ctx, seat, needsOf(seat.Rank))
	if err == nil {
		if err = l.run(ctx); err == nil {
			err = l.exchangeTallies(ctx)
		}
		err = nameParty(peerAbort(ctx, err), s.Parties)
	}
	if err != nil {
		seat.Link.Abort(err.Error())
		return nil, err
	}
	return l.outcome(), nil
}

// seated makes the session of one party of several processes. If another party has aborted, its error names that party.
func (s Spec) seated(ctx context.Context, seat Seat, needs func(Arg) bool) (l *execution, err error) {
	parties := s.Parties
	defer func() { err = nameParty(peerAbort(ctx, err), parties) }()
	if s.clear() {
		return nil, problem.Refusef("protocol %s computes in one process, in the clear", s.Protocol)
	}
	if s.Seed != nil {
		return nil, errors.New("party: a fixed seed is for simulation in one process")
	}
	s, err = s.resolveResume(ctx, map[int]*link.Endpoint{seat.Rank: seat.Link})
	if err != nil {
		return nil, err
	}
	l, err = s.execute(ctx, needs)
	if err != nil {
		return nil, err
	}
	x := l.sessions[seat.Rank]
	x.link = seat.Link
	l.sessions = []*session{x}
	l.distributed, l.dealerSession = true, seat.Session
	x.provider, err = x.distributedProvider(ctx, seat)
	return l, err
}

// withPeerAbort returns a context that ends when another party aborts, whatever this one waits for
// at that time: the dealer, for instance, may learn of the abort later or not at all. It also ends
// when a party that is not online is lost, since no message of it may be awaited for long. If an
// online party is lost, the operation that awaits its message reports it with its place.
func (seat Seat) withPeerAbort(ctx context.Context, online int) (context.Context, context.CancelCauseFunc) {
	ctx, end := context.WithCancelCause(ctx)
	never := link.Key{Phase: link.Setup, Op: math.MaxUint32} // the key of no message
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

// peerReasonWait is how long a party waits for the abort reason of another party that, according to
// the dealer, has ended its run.
const peerReasonWait = time.Second

// peerAbort returns the peer's error if ctx ended because that peer aborted, else err.
func peerAbort(ctx context.Context, err error) error {
	var said *remote.EndError
	if errors.As(err, &said) && said.FromOtherParty() {
		select {
		case <-ctx.Done():
		case <-time.After(peerReasonWait):
		}
	}
	var peer *link.PeerError
	if err != nil && errors.As(context.Cause(ctx), &peer) {
		return peer
	}
	return err
}

// nameParty converts an error about a lost peer to a LostError with the party's name, without the
// name of this party; other errors lose the name of this party only.
func nameParty(err error, parties []string) error {
	var own *PartyError
	if errors.As(err, &own) {
		err = own.Err
	}
	return NameLost(err, parties)
}

// NameLost returns an error about a lost peer as a LostError with the name that parties has at the peer's rank; it returns other
// errors as they are.
func NameLost(err error, parties []string) error {
	var lost *link.PeerError
	if !errors.As(err, &lost) {
		return err
	}
	name := parties[lost.Rank]
	var said *link.Aborted
	if errors.As(err, &said) { // the operation that was waiting does not matter
		return &LostError{Party: name, Err: said}
	}
	var at *flow.OpError
	if errors.As(err, &at) {
		return &LostError{Party: name, Where: at.Where, Round: at.Round, Err: lost.Err}
	}
	return &LostError{Party: name, Err: lost.Err}
}

// LostError says that the connection to another party has ended, or that the party aborted, and for which of its
// messages this party waited. Its kind is peer-lost.
type LostError struct {
	Party string // name of the party that is gone
	Where string // the operation that waited for the message; "" before and after the program
	Round int    // round of the phase in which the message was due; 0 if Where is ""
	Err   error  // the error of the connection, or the reason that the party has sent
}

// Error returns the party's name, where in the program it was lost, and why, as far as they are known.
func (e *LostError) Error() string {
	if errors.As(e.Err, new(*link.Aborted)) {
		return fmt.Sprintf("%s gave up: %v", e.Party, e.Err)
	}
	if e.Where == "" {
		return fmt.Sprintf("lost %s: %s", e.Party, strings.TrimPrefix(e.Err.Error(), e.Party+": ")) // errors of dialling begin with the name, too
	}
	return fmt.Sprintf("lost %s at %s, round %d: %v", e.Party, e.Where, e.Round, e.Err)
}

// Unwrap returns Err.
func (e *LostError) Unwrap() error { return e.Err }

// barrier waits until all parties have reached a step. It precedes the online phase, so that the
// time of that phase includes no waiting for slower parties.
func (s *session) barrier(ctx context.Context, step uint32) error {
	return s.gather(ctx, step, func(int) any { return true }, func(from int, data []byte) error {
		return s.checkAnswer(from, data, true)
	})
}

// checkAnswer checks that another party sent the expected value.
func (s *session) checkAnswer(from int, data []byte, want any) error {
	text, err := json.Marshal(want)
	if err == nil && string(text) != string(data) {
		err = fmt.Errorf("party: %s sent %.40q, want %s", s.spec.Parties[from], data, text)
	}
	return err
}

// Bounds of what a party may send beyond the plan: its hello, which contains the job's
// terms, and at the end the costs of each operation.
const (
	helloBytes = 4 << 20
	tallyBytes = 1 << 10
	// Sorts by revealed comparisons may send more than expected, at random.
	expectedTimes = 4
)

// allowTraffic limits what other parties may send from now on, in the given number of requests: to
// a multiple of what the plan expects of all of them together.
func (s *session) allowTraffic(requests int) {
	all := make([]*execution, requests)
	for i := range all {
		all[i] = &execution{sessions: []*session{s}}
	}
	s.allowTrafficOf(all)
}

// allowTrafficOf limits what other parties may send from now on, in these requests, whose sessions in this process are
// this party's.
func (s *session) allowTrafficOf(requests []*execution) {
	for _, i := range s.others() {
		var message, total int64
		for _, l := range requests {
			most := l.sessions[0].mostTraffic()
			message, total = max(message, most), total+most
			if i == s.spec.liveDealer() {
				total += l.sessions[0].plan.corrections
			}
		}
		s.link.Allow(i, message, total)
	}
}

// mostTraffic is what one party may send in the session at most, beside what it deals.
func (s *session) mostTraffic() int64 {
	var planned int64
	for p := range link.Phases {
		planned += s.plan.Phases[p].Awaited.Load()
	}
	for _, r := range s.plan.results { // reveals: whole elements and shares
		planned += int64(r.Type.Shape.Size()) * int64(max(r.Type.DType.Bits(), s.spec.Ring)/8+1) * int64(len(s.spec.Parties))
	}
	return expectedTimes*planned + helloBytes + tallyBytes*int64(len(s.plan.Ops.Ops))
}
