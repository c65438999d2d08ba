package party

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/profile"
)

// graph starts a phase's graph, which records into Spec.Trace if that is set.
func (s *session) graph(ctx context.Context, phase link.Phase) *flow.Graph {
	account := &s.measured.Phases[phase]
	var to flow.Link = s.link
	if s.spec.Trace != nil {
		to = s.tap(phase, account)
	}
	g := flow.New(ctx, phase, to, account)
	if s.link.InMemory() {
		g.Near()
	}
	return g
}

// tap returns the party's link with a tap, and has the trace record the work of a phase.
func (s *session) tap(phase link.Phase, account *flow.Account) flow.Link {
	account.OnWork = func(op *flow.Op, start time.Time, took time.Duration) {
		s.spec.Trace.Work(s.rank, phase.String(), op.ID, op.Where(), start, took)
	}
	return tapped{s.link, s.spec.Trace}
}

// tapped is a link that records the peer, time and size of messages, not their contents.
type tapped struct {
	flow.Link
	trace *profile.Trace
}

func (t tapped) Send(to int, k link.Key, clock int32, data []byte) {
	start := time.Now()
	t.Link.Send(to, k, clock, data)
	t.trace.Sent(t.Rank(), to, k.Phase.String(), k.Op, k.Step, len(data), start)
}

func (t tapped) Await(from int, k link.Key, f func(link.Message, error)) {
	t.Link.Await(from, k, func(m link.Message, err error) {
		if err == nil { // recorded first, since f may end the run
			t.trace.Received(t.Rank(), from, k.Phase.String(), k.Op, k.Step, len(m.Data))
		}
		f(m, err)
	})
}
