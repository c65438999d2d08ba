package party

import (
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/party/report"
)

// Corrections may arrive up to 1/tailShare of the minimum time of the online rounds after the
// online phase began. Whenever they are needed, they add at most that time to the online phase.
const tailShare = 8

// newCorrelationRequest is the session's request for correlations. Its terms are those that the
// manifest depends on, which exclude who learns results.
func (s *session) newCorrelationRequest() *offline.Request {
	o := &offline.Request{Manifest: s.plan.manifest, Terms: s.terms(), MaxTail: s.maxTail()}
	delete(o.Terms, "reveal")
	delete(o.Terms, "reveals")
	maps.DeleteFunc(o.Terms, func(term, _ string) bool { return strings.HasPrefix(term, keptValueTerm) })
	return o
}

// furtherRequest is the session's request for correlations in a session that has begun.
func (s *session) furtherRequest() *offline.Request {
	return &offline.Request{Manifest: s.plan.manifest, MaxTail: s.maxTail(), Seed: s.dealerSeed, Phase: s.offlinePhase()}
}

// maxTail is how long corrections may arrive after the online phase began: 1/tailShare of its
// rounds' latency.
func (s *session) maxTail() time.Duration {
	return time.Duration(s.plan.Rounds[link.Online]) * s.spec.shape().RoundTrip / 2 / tailShare
}

// beginSession takes a session of correlated randomness from the provider.
func (s *session) beginSession(id correlation.SessionID, o *offline.Request) error {
	o.Seed, o.Phase = s.dealerSeed, s.offlinePhase()
	m, err := s.provider.Begin(id, o)
	if err != nil {
		return err
	}
	s.sessionID = id
	s.setCorrelations(m)
	return nil
}

// setCorrelations sets the session's source of correlated randomness. The source gives only
// correlations whose ids belong to this session's request.
func (s *session) setCorrelations(m offline.Correlations) {
	s.correlations = m
	if s.spec.Descriptor().Supply == protocol.BetweenParties {
		s.meter = &meter{}
		return
	}
	s.meter = &meter{Corrections: m.Corrections(), byOp: map[uint32]int64{}}
	if s.isDealer() {
		masker := correlation.NewDealerSource(s.spec.Descriptor().Dealing.Seeds(m.Seed(), s.spec.online()))
		masker.Restrict(s.firstOp, s.firstOp+s.plan.ids)
		s.source = masker
		return
	}
	source := correlation.NewParty(s.rank, s.spec.online(), m.Seed(), s.meter)
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

// cost sums the bytes by entry of costs; first is the number of the first operation instance.
func (m *meter) cost(costs *exec.Costs, first uint32) report.Dealt {
	at := map[*exec.OpCost]int{}
	for i, e := range costs.Ops {
		at[e] = i
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	c := report.Dealt{Bytes: m.bytes, ByEntry: make([]int64, len(costs.Ops))}
	for op, n := range m.byOp {
		if e := costs.Of(op - first); e != nil {
			c.ByEntry[at[e]] += n
		}
	}
	return c
}
