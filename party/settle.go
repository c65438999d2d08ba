package party

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
)

// tally is what a run cost one party, as it tells the others at the end. All
// of it is public but how long things took, which depends on no secret.
type tally struct {
	Phases, Planned [link.Phases]phaseTally
	Ops             []opTally // in the order of the books
	Dealt           dealtCost
	Offline         float64 // seconds
	Seconds         [link.Phases]float64
	Peak            int64 // bytes of memory
}

type phaseTally struct {
	Bytes, Messages int64
	Rounds          int
}

// opTally is an entry of the books, measured and planned.
type opTally struct {
	Bytes, Messages, Rounds, Nanos, Clear                int64
	PlanBytes, PlanMessages, PlanRounds, PlanClear, Adds int64 `json:",omitempty"`
	Path                                                 int32 `json:",omitempty"`
	First, Last                                          int32 `json:",omitempty"`
	Expected                                             bool  `json:",omitempty"`
}

// settle ends a run whose other parties are elsewhere: each tells the others
// that it has finished, and what that cost it.
func (l *local) settle(ctx context.Context) error {
	x := l.sessions[0]
	mine := l.tally()
	all := make([]*session, len(l.spec.Parties))
	all[x.rank] = x
	err := x.gather(ctx, closing, func(int) any { return mine }, func(from int, data []byte) error {
		var t tally
		if err := json.Unmarshal(data, &t); err != nil {
			return fmt.Errorf("party: %s sent no costs: %w", l.spec.Parties[from], err)
		}
		var err error
		all[from], err = l.other(from, &t)
		return err
	})
	if err != nil {
		return err
	}
	l.sessions = all
	return nil
}

// tally is what the run cost the party of this process.
func (l *local) tally() *tally {
	x := l.sessions[0]
	t := &tally{Dealt: x.dealt, Offline: l.offline, Seconds: l.seconds, Peak: residentPeak()}
	for p := range link.Phases {
		t.Phases[p] = phaseTally{x.phases[p].Bytes.Load(), x.phases[p].Messages.Load(), x.rounds[p]}
		t.Planned[p] = phaseTally{x.plan.phases[p].Bytes.Load(), x.plan.phases[p].Messages.Load(), x.plan.rounds[p]}
	}
	for i, p := range x.plan.costs.Ops {
		o := opTally{
			PlanBytes: p.Bytes.Load(), PlanMessages: p.Messages.Load(), PlanRounds: p.Rounds.Load(), PlanClear: p.Clear.Load(), Adds: p.Products.Load(),
			Path: p.Path, First: p.First, Last: p.Last, Expected: p.Expected.Load(),
		}
		if x.computes() {
			c := x.costs.Ops[i]
			o.Bytes, o.Messages, o.Rounds, o.Nanos, o.Clear = c.Bytes.Load(), c.Messages.Load(), c.Rounds.Load(), c.Nanos.Load(), c.Clear.Load()
		}
		t.Ops = append(t.Ops, o)
	}
	return t
}

// other is another party's session as far as its costs go.
func (l *local) other(rank int, t *tally) (*session, error) {
	mine := l.sessions[0]
	books := mine.plan.costs
	if len(t.Ops) != len(books.Ops) || len(t.Dealt.ByEntry) > len(books.Ops) {
		return nil, fmt.Errorf("party: %s has run %d operations, %s %d", l.spec.Parties[rank], len(t.Ops), l.spec.Parties[mine.rank], len(books.Ops))
	}
	x := &session{spec: l.spec, rank: rank, begun: mine.begun, dealt: t.Dealt, plan: &forecast{form: mine.plan.form, results: mine.plan.results}}
	for p := range link.Phases {
		restore(&x.phases[p], &x.rounds[p], t.Phases[p])
		restore(&x.plan.phases[p], &x.plan.rounds[p], t.Planned[p])
	}
	x.costs, x.plan.costs = books.Blank(), books.Blank()
	for i, o := range t.Ops {
		c, p := &x.costs.Ops[i].Cost, &x.plan.costs.Ops[i].Cost
		c.Calls.Store(books.Ops[i].Calls.Load())
		c.Bytes.Store(o.Bytes)
		c.Messages.Store(o.Messages)
		c.Rounds.Store(o.Rounds)
		c.Nanos.Store(o.Nanos)
		c.Clear.Store(o.Clear)
		p.Bytes.Store(o.PlanBytes)
		p.Messages.Store(o.PlanMessages)
		p.Rounds.Store(o.PlanRounds)
		p.Clear.Store(o.PlanClear)
		p.Products.Store(o.Adds)
		p.Expected.Store(o.Expected)
		p.Offline.Store(books.Ops[i].Offline.Load())
		p.Path, p.First, p.Last = o.Path, o.First, o.Last
	}
	l.offline = max(l.offline, t.Offline)
	for p := range link.Phases {
		l.seconds[p] = max(l.seconds[p], t.Seconds[p])
	}
	l.elsewhere += t.Peak
	return x, nil
}

func restore(a *flow.Account, rounds *int, t phaseTally) {
	a.Bytes.Store(t.Bytes)
	a.Messages.Store(t.Messages)
	*rounds = t.Rounds
}
