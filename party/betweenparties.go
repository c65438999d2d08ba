package party

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// betweenParties is the provider of a protocol whose computing parties make their correlated
// randomness themselves, over their own links, after the handshake.
type betweenParties struct {
	*session
	ctx context.Context // the run's
	id  correlation.SessionID
}

func (b betweenParties) sessions(*correlationRequest) ([]correlation.SessionID, error) {
	return []correlation.SessionID{b.id}, nil
}

// begin starts this party's side of the offline phase.
func (b betweenParties) begin(_ context.Context, _ correlation.SessionID, o *correlationRequest) (correlations, error) {
	m, err := b.prepareMore(b.ctx, nil, []*correlationRequest{o})
	if err != nil {
		return nil, err
	}
	return m[0], nil
}

// prepareMore runs the offline phases of the requests one after the other.
func (b betweenParties) prepareMore(_ context.Context, _ correlations, requests []*correlationRequest) ([]correlations, error) {
	ctx, end := context.WithCancelCause(b.ctx)
	out, left := make([]correlations, len(requests)), make([]betweenCorrelations, len(requests))
	configs, all := make([]protocol.Config, len(requests)), betweenCorrelations{end: end}
	for i, o := range requests {
		configs[i] = o.session.config(nil) // before the session changes
		configs[i].Demand = o.session.plan.demand
		left[i] = all
		left[i].done = make(chan struct{})
		out[i] = &left[i]
	}
	go func() {
		var failed error
		for i, o := range requests {
			p, start := &left[i], time.Now()
			if failed == nil {
				failed = flow.Guard(func() (err error) {
					p.result, err = b.runOffline(ctx, o.session, configs[i])
					return err
				})
			}
			p.err, p.lasted = failed, time.Since(start)
			close(p.done)
		}
	}()
	return out, nil
}

// runOffline runs the phases of one session's offline graph.
func (b betweenParties) runOffline(ctx context.Context, x *session, c protocol.Config) (result any, err error) {
	if !x.computes() {
		return nil, nil
	}
	for _, p := range x.spec.Descriptor().Between.Phases {
		g := x.graph(ctx, link.Offline)
		result = p.Run(g, c, result)
		if err := g.Wait(); err != nil {
			return nil, err
		}
		x.rounds[link.Offline] += g.Rounds()
	}
	return result, nil
}

// betweenCorrelations are a party's result of an offline phase between the parties.
type betweenCorrelations struct {
	end    context.CancelCauseFunc
	done   chan struct{}
	result any // valid once done is closed, like err and lasted
	err    error
	lasted time.Duration
}

func (m *betweenCorrelations) seed() ring.Seed                      { return ring.Seed{} }
func (m *betweenCorrelations) corrections() correlation.Corrections { return nil }
func (m *betweenCorrelations) took() time.Duration                  { <-m.done; return m.lasted }

func (m *betweenCorrelations) ready(ctx context.Context) error {
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
func (m *betweenCorrelations) finish(ctx context.Context) error   { return m.ready(ctx) }
func (m *betweenCorrelations) complete(ctx context.Context) error { return m.ready(ctx) }
func (m *betweenCorrelations) close() error {
	m.end(nil)
	<-m.done
	return nil
}

// awaitOffline waits for the offline phase between the parties, if there is one: the values that
// they share in the input phase may depend on it.
func (s *session) awaitOffline(ctx context.Context) error {
	if s.spec.Descriptor().Supply != protocol.BetweenParties || s.correlations == nil {
		return nil
	}
	return s.correlations.ready(ctx)
}

// predictOffline is the dry run of this party's side of the offline phase.
func (s *session) predictOffline(f *prediction, c protocol.Config) error {
	d := s.spec.Descriptor()
	if d.Supply != protocol.BetweenParties {
		f.offline = d.DealtGraph(len(s.spec.Parties), f.manifest.Bytes())
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
			all := &f.phases[link.Offline]
			all.Bytes.Add(account.Bytes.Load())
			all.Messages.Add(account.Messages.Load())
			all.Awaited.Add(account.Awaited.Load())
			f.rounds[link.Offline] += out.Rounds
		}
		f.offline = append(f.offline, out)
	}
	return nil
}

// OfflineGraph predicts the offline phase of a run of s: its phases with their rounds and bytes by
// sender.
func OfflineGraph(ctx context.Context, s Spec) (protocol.OfflineGraph, error) {
	l, err := s.execute(ctx, needsNothing)
	if err != nil {
		return nil, err
	}
	if err := l.each(ctx, func(ctx context.Context, x *session) error { return x.prepare(ctx) }); err != nil {
		return nil, err
	}
	return l.offlineGraph(), nil
}

// offlineGraph combines the parties' predictions.
func (l *execution) offlineGraph() protocol.OfflineGraph {
	first := l.sessions[0].plan.offline
	if l.spec.Descriptor().Supply != protocol.BetweenParties {
		return first
	}
	out := make(protocol.OfflineGraph, len(first))
	for i, p := range first {
		out[i] = protocol.OfflinePhase{Name: p.Name, Sent: make([]int64, len(l.spec.Parties))}
		for _, x := range l.sessions {
			mine := x.plan.offline[i]
			out[i].Rounds = max(out[i].Rounds, mine.Rounds)
			out[i].Sent[x.rank] = mine.Sent[x.rank]
		}
	}
	return out
}

// offlineOf is the offline phase as one phase, measured or planned: the dealer's corrections, of
// dealt bytes, or the parties' traffic.
func (l *execution) offlineOf(dealt int64, traffic func(*session) ([link.Phases]int, *[link.Phases]flow.Account)) protocol.OfflineGraph {
	d := l.spec.Descriptor()
	if d.Supply != protocol.BetweenParties {
		return d.DealtGraph(len(l.spec.Parties), dealt)
	}
	sent, _, rounds := l.totals(traffic, link.Offline)
	return protocol.OfflineGraph{{Name: "between parties", Rounds: rounds, Sent: sent}}
}
