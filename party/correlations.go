package party

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/remote"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/party/offline"
	"github.com/tacet-mpc/tacet/party/report"
	"github.com/tacet-mpc/tacet/ring"
)

// setProviders sets each party's provider, in a run with all parties in this process.
func (l *execution) setProviders(ctx context.Context) {
	d := l.spec.Descriptor()
	if l.spec.Store == "" && d.Supply == protocol.OutsideDealer {
		var seeds []ring.Seed
		for rank := range l.sessions {
			seeds = append(seeds, l.seeds.dealer(rank))
		}
		for rank, p := range offline.NewLocal(ctx, l.spec.Computing, seeds, l.spec.shape()) {
			l.sessions[rank].provider = p
		}
		return
	}
	id := correlation.NewSessionID()
	for _, x := range l.sessions {
		if x.provider = x.ownProvider(ctx, id, false); l.spec.Store != "" && d.Dealt() {
			x.provider = offline.FromStore(x.store())
		}
	}
}

// distributedProvider is the provider of a party whose other parties are in other processes.
func (s *session) distributedProvider(ctx context.Context, seat Seat) (offline.Provider, error) {
	if s.spec.Descriptor().Supply == protocol.BetweenParties {
		return s.ownProvider(ctx, seat.Session, true), nil
	}
	if s.spec.Store != "" && seat.Dealer == nil {
		return offline.FromStore(s.store()), nil
	}
	if p := s.ownProvider(ctx, seat.Session, true); p != nil && s.spec.Store == "" {
		return p, nil
	}
	if err := s.needDealer(seat); err != nil {
		return nil, err
	}
	live := offline.FromDealer(ctx, seat.Dealer, s.participant(seat))
	if s.spec.Store == "" {
		return live, nil
	}
	return offline.FromStoreOrDealer(s.store(), live), nil
}

// ownProvider is the provider of a protocol in which a party deals or the parties make their
// correlated randomness themselves; nil for other protocols. id is the session's. live says that
// the latter make it during the run if there is none in their stores.
func (s *session) ownProvider(ctx context.Context, id correlation.SessionID, live bool) offline.Provider {
	switch d := s.spec.Descriptor(); d.Supply {
	case protocol.BetweenParties:
		made := s.madeStore()
		return offline.BetweenParties(ctx, id, s.pairStore(), made, live || made == nil)
	case protocol.PartyDealer:
		return offline.FromParty(ctx, id, d.Dealing, s.link, s.spec.shape())
	}
	return nil
}

// needDealer returns an error if a seat has no dealer.
func (s *session) needDealer(seat Seat) error {
	if seat.Dealer == nil {
		return fmt.Errorf("party: %s has no dealer, and protocol %s needs one", s.spec.Parties[s.rank], s.spec.Protocol)
	}
	return nil
}

// participant is the party's place at its dealer.
func (s *session) participant(seat Seat) remote.Participant {
	return remote.Participant{Session: seat.Session, Rank: s.rank, Parties: s.spec.Parties, Computing: s.spec.online(), Service: seat.service}
}

// store is the party's store of correlations.
func (s *session) store() offline.Store {
	return offline.Store{
		Path: s.spec.Store, Party: s.spec.Parties[s.rank], Notice: s.spec.notice, Memory: s.spec.StoreMemory,
		Corrected: correlation.ReceivesCorrections(s.rank, s.spec.online()),
	}
}

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
	return &offline.Request{Manifest: cmp.Or(s.requests, s.plan.manifest), MaxTail: s.maxTail(), Seed: s.dealerSeed, Phase: s.offlinePhase()}
}

// maxTail is how long corrections may arrive after the online phase began.
func (s *session) maxTail() time.Duration {
	return offline.Tail(s.spec.shape(), s.plan.Rounds[link.Online], s.plan.Phases[link.Online].Bytes.Load(), s.spec.online())
}

// beginSession takes a session of correlated randomness from the provider.
func (s *session) beginSession(id correlation.SessionID, o *offline.Request) error {
	o.Seed, o.Phase, o.Common = s.dealerSeed, s.offlinePhase(), s.onlineSeed
	m, err := s.provider.Begin(id, o)
	if err != nil {
		return err
	}
	s.sessionID = id
	s.setCorrelations(m)
	s.madeAhead = offline.MadeAhead(m)
	if kept := offline.Kept(m); kept != nil {
		return s.predictKept(kept)
	}
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
