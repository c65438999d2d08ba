package offline

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// BetweenParties returns the provider of a protocol whose computing parties make their correlated randomness
// themselves, over their own links, after the handshake. Begin starts Request.Phase, which does so. The offline
// phase ends when ctx, the run's context, ends. id is the run's session.
func BetweenParties(ctx context.Context, id correlation.SessionID) Provider {
	return betweenParties{ctx, id}
}

type betweenParties struct {
	ctx context.Context
	id  correlation.SessionID
}

func (b betweenParties) Sessions(*Request) ([]correlation.SessionID, error) {
	return []correlation.SessionID{b.id}, nil
}

// Begin starts this party's side of the offline phase.
func (b betweenParties) Begin(_ correlation.SessionID, o *Request) (Correlations, error) {
	m, err := b.Prepare(nil, []*Request{o})
	if err != nil {
		return nil, err
	}
	return m[0], nil
}

// Prepare runs the offline phases of the requests one after the other.
func (b betweenParties) Prepare(_ Correlations, requests []*Request) ([]Correlations, error) {
	ctx, end := context.WithCancelCause(b.ctx)
	out, made := make([]Correlations, len(requests)), make([]exchanged, len(requests))
	all := exchanged{end: end}
	for i := range requests {
		made[i] = all
		made[i].done = make(chan struct{})
		out[i] = &made[i]
	}
	go func() {
		var failed error
		for i, o := range requests {
			p, start := &made[i], time.Now()
			if failed == nil {
				failed = flow.Guard(func() (err error) {
					p.result, err = o.Phase(ctx)
					return err
				})
			}
			p.err, p.lasted = failed, time.Since(start)
			close(p.done)
		}
	}()
	return out, nil
}

// exchanged are a party's correlations of an offline phase between the parties.
type exchanged struct {
	end    context.CancelCauseFunc
	done   chan struct{}
	result any // valid once done is closed, like err and lasted
	err    error
	lasted time.Duration
}

func (m *exchanged) Seed() ring.Seed                      { return ring.Seed{} }
func (m *exchanged) Corrections() correlation.Corrections { return nil }
func (m *exchanged) Took() time.Duration                  { <-m.done; return m.lasted }

func (m *exchanged) Result() any {
	select {
	case <-m.done:
		return m.result
	default:
		return nil
	}
}

func (m *exchanged) Ready(ctx context.Context) error {
	select {
	case <-m.done:
		return m.err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (m *exchanged) Finish(ctx context.Context) error   { return m.Ready(ctx) }
func (m *exchanged) Complete(ctx context.Context) error { return m.Ready(ctx) }

func (m *exchanged) Close() error {
	m.end(nil)
	<-m.done
	return nil
}
