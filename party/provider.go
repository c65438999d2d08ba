package party

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// correlationProvider is the source of one party's correlated randomness. A party lists the
// sessions that it could use; when all parties have agreed on one, each begins it.
type correlationProvider interface {
	// sessions lists the sessions that the party could use for a request, in order of preference.
	// If there is none it returns an error that says what is missing.
	sessions(o *correlationRequest) ([]correlation.SessionID, error)
	// begin takes a session: once it returns, no other run will ever have it, even if this one
	// fails. errTaken says that another run has taken it already.
	begin(ctx context.Context, id correlation.SessionID, o *correlationRequest) (correlations, error)
	// prepareMore prepares the correlations of further requests in the session of first, one after
	// the other. All parties call it with the same requests, and only after earlier ones are
	// complete.
	prepareMore(ctx context.Context, first correlations, requests []*correlationRequest) ([]correlations, error)
}

// errTaken says that another run has taken a session since it was listed.
var errTaken = errors.New("party: session was taken by another run")

// correlationRequest is a party's request for the correlations of a session.
type correlationRequest struct {
	session  *session // the session that requests them
	manifest *correlation.Manifest
	// terms are the terms that the manifest depends on. Correlations made under other terms do not
	// fit.
	terms map[string]string
	// maxTail is how long corrections may still arrive after the online phase begins.
	maxTail time.Duration
}

// correlations are one party's correlated randomness of a session that has begun.
type correlations interface {
	// seed is the seed that the party and the dealer have in common; at a dealing party, its own
	// seed, from which those of the other parties are derived.
	seed() ring.Seed
	// corrections are the dealer's corrections, at the party that receives them; else nil.
	corrections() correlation.Corrections
	// ready returns when the remaining corrections will arrive before they are needed.
	ready(ctx context.Context) error
	// finish returns when the party has sent everything that other parties wait for.
	finish(ctx context.Context) error
	// complete returns when everything has arrived or been sent.
	complete(ctx context.Context) error
	// close ends the session. Correlations that were not used are destroyed.
	close() error
	// took is how long the corrections took to arrive, once the session is closed; 0 for
	// correlations made before the run.
	took() time.Duration
}

// Corrections may arrive up to 1/tailShare of the minimum time of the online rounds after the
// online phase began. Whenever they are needed, they add at most that time to the online phase.
const tailShare = 8

// newCorrelationRequest is the session's request for correlations. Its terms are those that the
// manifest depends on, which exclude who learns results.
func (s *session) newCorrelationRequest() *correlationRequest {
	o := &correlationRequest{session: s, manifest: s.plan.manifest, terms: s.terms()}
	delete(o.terms, "reveal")
	delete(o.terms, "reveals")
	maps.DeleteFunc(o.terms, func(term, _ string) bool { return strings.HasPrefix(term, keptValueTerm) })
	o.maxTail = s.maxTail()
	return o
}

// maxTail is how long corrections may arrive after the online phase began: 1/tailShare of its
// rounds' latency.
func (s *session) maxTail() time.Duration {
	return time.Duration(s.plan.rounds[link.Online]) * s.spec.shape().RoundTrip / 2 / tailShare
}

// beginSession takes a session of correlated randomness from the provider.
func (s *session) beginSession(ctx context.Context, id correlation.SessionID, o *correlationRequest) error {
	m, err := s.provider.begin(ctx, id, o)
	if err != nil {
		return err
	}
	s.sessionID = id
	s.setCorrelations(m)
	return nil
}

// setCorrelations sets the session's source of correlated randomness. The source gives only
// correlations whose ids belong to this session's request.
func (s *session) setCorrelations(m correlations) {
	s.correlations = m
	if s.spec.Descriptor().Supply == protocol.BetweenParties {
		s.meter = &meter{}
		return
	}
	s.meter = &meter{Corrections: m.corrections(), byOp: map[uint32]int64{}}
	if s.isDealer() {
		masker := correlation.NewDealerSource(s.spec.Descriptor().Dealing.Seeds(m.seed(), s.spec.online()))
		masker.Restrict(s.firstOp, s.firstOp+s.plan.ids)
		s.source = masker
		return
	}
	source := correlation.NewParty(s.rank, s.spec.online(), m.seed(), s.meter)
	source.Restrict(s.firstOp, s.firstOp+s.plan.ids)
	s.source = source
}

// meter counts the bytes of corrections that a party uses, by operation.
type meter struct {
	correlation.Corrections
	mu    sync.Mutex
	bytes int64
	byOp  map[uint32]int64
}

// Take returns a correction and counts its bytes.
func (m *meter) Take(id correlation.ID) ([]byte, error) {
	data, err := m.Corrections.Take(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.bytes += int64(len(data))
	m.byOp[id.Op()] += int64(len(data))
	return data, err
}

// dealtCost is the bytes of corrections that a party used.
type dealtCost struct {
	Bytes   int64
	ByEntry []int64 `json:",omitempty"` // by operation, in the order of exec.Costs.Ops
}

// cost sums the bytes by entry of costs; first is the number of the first operation instance.
func (m *meter) cost(costs *exec.Costs, first uint32) dealtCost {
	at := map[*exec.OpCost]int{}
	for i, e := range costs.Ops {
		at[e] = i
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := dealtCost{m.bytes, make([]int64, len(costs.Ops))}
	for op, n := range m.byOp {
		if e := costs.Of(op - first); e != nil {
			c.ByEntry[at[e]] += n
		}
	}
	return c
}
