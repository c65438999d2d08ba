package party

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
)

// tally is what a run cost one party, as it tells the others at the end. Every
// number in it follows from the program and the job alone. Times and memory do
// not: a party's cleartext work on its own inputs takes as long as these inputs
// make it take. So a tally has no field for them, and neither has it one for what
// a sort took (session.expectSorts).
type tally struct {
	Phases, Planned [link.Phases]phaseTally
	Ops             []opTally // in the order of the books
	Dealt           dealtCost
}

type phaseTally struct {
	Bytes, Messages int64
	Rounds          int
}

// opTally is an entry of the books, measured and planned.
type opTally struct {
	Bytes, Messages, Rounds                   int64
	PlanBytes, PlanMessages, PlanRounds, Adds int64 `json:",omitempty"`
	Path                                      int32 `json:",omitempty"`
	First, Last                               int32 `json:",omitempty"`
	Expected                                  bool  `json:",omitempty"`
}

// settle ends a run whose other parties are elsewhere: each tells the others
// that it has finished, and what that cost it.
func (l *local) settle(ctx context.Context) error {
	x := l.sessions[0]
	x.expectSorts()
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

// expectSorts puts what was expected of sorts by revealed comparisons in the place
// of what they took. Who computes sees the comparisons; a report may go to others,
// who are to learn nothing about the order of the items.
func (s *session) expectSorts() {
	if !s.computes() {
		return
	}
	sorts := false
	for i, p := range s.plan.costs.Ops {
		if p.Expected.Load() {
			c := s.costs.Ops[i]
			c.Bytes.Store(p.Bytes.Load())
			c.Messages.Store(p.Messages.Load())
			c.Rounds.Store(p.Rounds.Load())
			sorts = true
		}
	}
	if sorts {
		restore(&s.phases[link.Online], &s.rounds[link.Online], s.planned(link.Online))
	}
}

// planned is what was predicted of a phase.
func (s *session) planned(p link.Phase) phaseTally {
	a := &s.plan.phases[p]
	return phaseTally{a.Bytes.Load(), a.Messages.Load(), s.plan.rounds[p]}
}

// tally is what the run cost the party of this process.
func (l *local) tally() *tally {
	x := l.sessions[0]
	t := &tally{Dealt: x.dealt}
	for p := range link.Phases {
		t.Phases[p] = phaseTally{x.phases[p].Bytes.Load(), x.phases[p].Messages.Load(), x.rounds[p]}
		t.Planned[p] = x.planned(p)
	}
	for i, p := range x.plan.costs.Ops {
		o := opTally{
			PlanBytes: p.Bytes.Load(), PlanMessages: p.Messages.Load(), PlanRounds: p.Rounds.Load(), Adds: p.Products.Load(),
			Path: p.Path, First: p.First, Last: p.Last, Expected: p.Expected.Load(),
		}
		if x.computes() {
			c := x.costs.Ops[i]
			o.Bytes, o.Messages, o.Rounds = c.Bytes.Load(), c.Messages.Load(), c.Rounds.Load()
		}
		t.Ops = append(t.Ops, o)
	}
	return t
}

// other is another party's session as far as its costs go; its times and memory
// stay 0.
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
		p.Bytes.Store(o.PlanBytes)
		p.Messages.Store(o.PlanMessages)
		p.Rounds.Store(o.PlanRounds)
		p.Products.Store(o.Adds)
		p.Expected.Store(o.Expected)
		p.Offline.Store(books.Ops[i].Offline.Load())
		p.Path, p.First, p.Last = o.Path, o.First, o.Last
	}
	return x, nil
}

func restore(a *flow.Account, rounds *int, t phaseTally) {
	a.Bytes.Store(t.Bytes)
	a.Messages.Store(t.Messages)
	*rounds = t.Rounds
}
