package offline

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/correlation/store"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// BetweenParties returns the provider of a protocol whose computing parties make their correlated randomness
// themselves, over their own links, after the handshake. Begin prepares Request.Phase, which does so, and Start runs
// it. The offline phase ends when ctx, the run's context, ends. id is the run's session. kept, if not nil, is what the
// party keeps from one session to the next: then each session of it is a session that the parties may choose, and a
// phase leaves one more. made, if not nil, has sessions that were made ahead of time for the run's program: they are
// chosen first, and nothing is sent in the phase of such a session. If live is false, only these are chosen.
func BetweenParties(ctx context.Context, id correlation.SessionID, kept, made *PairStore, live bool) Provider {
	return betweenParties{ctx, id, kept, made, live}
}

type betweenParties struct {
	ctx        context.Context
	id         correlation.SessionID
	kept, made *PairStore
	live       bool
}

func (b betweenParties) Sessions(o *Request) (ids []correlation.SessionID, err error) {
	if b.made != nil {
		ids, err = b.made.of(o).ready()
		if err != nil && (!b.live || !errors.As(err, new(*store.MissingError))) {
			return nil, err
		}
		ids = ids[:min(len(ids), MaxOffered-mostPairStates-1)]
	}
	if b.kept != nil {
		kept, err := b.kept.sessions()
		if err != nil {
			return nil, err
		}
		ids = append(ids, kept...)
	}
	if b.live {
		ids = append(ids, b.id)
	}
	return ids, nil
}

// Begin takes what was kept or made as the session with the given id, unless that is the run's own. The offline phase
// waits for Start.
func (b betweenParties) Begin(id correlation.SessionID, o *Request) (_ Correlations, err error) {
	p := &exchanged{done: make(chan struct{}), keeps: b.kept, id: id}
	switch {
	case id == b.id:
	case b.made != nil && b.made.Has(id):
		p.keeps = nil
		p.session, p.kept, err = b.made.of(o).begin(id)
	case b.kept != nil:
		p.session, p.kept, err = b.kept.begin(id)
	}
	if err != nil {
		return nil, err
	}
	ctx, end := context.WithCancelCause(b.ctx)
	p.end = end
	p.start = sync.OnceFunc(func() { go p.run(ctx, o) })
	p.cancel = sync.OnceFunc(func() { p.err = context.Canceled; close(p.done) })
	return p, nil
}

// Prepare runs the offline phases of the requests one after the other. Closing the correlations of one whose phase has
// ended does not disturb the next one's phase.
func (b betweenParties) Prepare(_ Correlations, requests []*Request) ([]Correlations, error) {
	out, made, contexts := make([]Correlations, len(requests)), make([]exchanged, len(requests)), make([]context.Context, len(requests))
	for i := range requests {
		p := &made[i]
		p.done, p.started = make(chan struct{}), true
		contexts[i], p.end = context.WithCancelCause(b.ctx)
		out[i] = p
	}
	go func() {
		var failed error
		for i, o := range requests {
			p := &made[i]
			if p.err = failed; failed == nil {
				p.phase(contexts[i], o)
				failed = p.err
			}
			close(p.done)
		}
	}()
	return out, nil
}

// exchanged are a party's correlations of an offline phase between the parties.
type exchanged struct {
	end     context.CancelCauseFunc
	done    chan struct{}
	result  any // valid once done is closed, like err and lasted
	err     error
	lasted  time.Duration
	written sync.WaitGroup // what the session leaves for a later one

	mu      sync.Mutex
	started bool
	start   func()
	cancel  func() // ends correlations that were not started

	// Of a party that keeps something; all zero at others.
	keeps   *PairStore
	id      correlation.SessionID
	session keptSession   // the session that was kept; nil if the run has none
	kept    protocol.Kept // what it kept
}

// Start starts the offline phase of correlations that Begin of a BetweenParties provider returned, once all parties have
// begun the same session. It does nothing for others.
func Start(c Correlations) {
	if p, ok := c.(*exchanged); ok {
		p.mu.Lock()
		defer p.mu.Unlock()
		if !p.started {
			p.started = true
			p.start()
		}
	}
}

// Kept returns what c's party had kept of an earlier session, and uses in this one; nil if it is nothing.
func Kept(c Correlations) protocol.Kept {
	if p, ok := c.(*exchanged); ok && p.session != nil {
		return p.kept
	}
	return nil
}

// MadeAhead reports whether c's session was made ahead of time for its program.
func MadeAhead(c Correlations) bool {
	p, ok := c.(*exchanged)
	return ok && p.session != nil && p.keeps == nil
}

// run runs the phase, and keeps what it leaves while the run goes on.
func (m *exchanged) run(ctx context.Context, o *Request) {
	m.phase(ctx, o)
	if m.err == nil && m.keeps != nil {
		m.written.Go(func() { m.keeps.keep(m.id, o, m.result) })
	}
	close(m.done)
}

func (m *exchanged) phase(ctx context.Context, o *Request) {
	start := time.Now()
	m.err = flow.Guard(func() (err error) {
		m.result, err = o.Phase(ctx, m.kept)
		return err
	})
	m.lasted = time.Since(start)
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

// Close ends the phase and spends what was kept for this session.
func (m *exchanged) Close() error {
	m.end(nil)
	m.mu.Lock()
	if !m.started {
		m.started = true
		m.cancel()
	}
	m.mu.Unlock()
	<-m.done
	m.written.Wait()
	if m.session == nil {
		return nil
	}
	return m.session.Close()
}
