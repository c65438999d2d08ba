package party

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// offlinePhase returns a function that runs this party's side of the offline phase between the
// parties, as the session is now, with what it has kept of an earlier session; nil if its protocol has none.
func (s *session) offlinePhase() func(ctx context.Context, kept protocol.Kept) (any, error) {
	between := s.spec.Descriptor().Between
	if between == nil {
		return nil
	}
	c := s.config(nil)
	c.Demand = s.plan.demand
	return func(ctx context.Context, kept protocol.Kept) (result any, err error) {
		if !s.computes() {
			return nil, nil
		}
		c := c
		c.Kept = kept
		for _, p := range between.Phases {
			g := s.graph(ctx, link.Offline)
			result = p.Run(g, c, result)
			if err := g.Wait(); err != nil {
				return nil, err
			}
			s.measured.Rounds[link.Offline] += g.Rounds()
		}
		return result, nil
	}
}

// awaitOffline waits for the offline phase between the parties, if there is one: the values that
// they share in the input phase may depend on it.
func (s *session) awaitOffline(ctx context.Context) error {
	if s.spec.Descriptor().Supply != protocol.BetweenParties || s.correlations == nil {
		return nil
	}
	return s.correlations.Ready(ctx)
}

// predictOffline is the dry run of this party's side of the offline phase. It replaces an earlier prediction.
func (s *session) predictOffline(f *prediction, c protocol.Config) error {
	d := s.spec.Descriptor()
	f.offline, f.Rounds[link.Offline], f.Phases[link.Offline] = nil, 0, flow.Account{}
	if d.Supply != protocol.BetweenParties {
		f.offline = d.DealtGraph(len(s.spec.Parties), f.corrections)
		return nil
	}
	var before any
	for _, p := range d.Between.Phases {
		out := protocol.OfflinePhase{Name: p.Name, Sent: make([]int64, len(s.spec.Parties))}
		if s.computes() {
			account := &flow.Account{}
			g := flow.NewDryRun(link.Offline, account)
			before = p.Run(g, c, before)
			if err := g.Wait(); err != nil {
				return err
			}
			out.Rounds, out.Sent[s.rank] = g.Rounds(), account.Bytes.Load()
			all := &f.Phases[link.Offline]
			all.Bytes.Add(account.Bytes.Load())
			all.Messages.Add(account.Messages.Load())
			all.Awaited.Add(account.Awaited.Load())
			f.Rounds[link.Offline] += out.Rounds
		}
		f.offline = append(f.offline, out)
	}
	return nil
}

// OfflineGraph predicts the offline phase of a run of s, without data of owned arguments: the phases of it, with
// the rounds of each and the bytes that each party or the dealer sends.
func OfflineGraph(ctx context.Context, s Spec) (protocol.OfflineGraph, error) {
	l, err := s.execute(ctx, needsNothing)
	if err != nil {
		return nil, err
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.prepare(ctx) }); err != nil {
		return nil, err
	}
	return l.costs().OfflineGraph(), nil
}
