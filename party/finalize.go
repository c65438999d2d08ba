package party

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
)

// tally is the cost of a run at one party, which it sends to the others at the end. Every number
// follows from the program and the job alone. Times and memory do not: the time of a party's
// cleartext work depends on its own inputs. So a tally has no field for them, and none for the
// measured costs of sorts (session.reportExpectedSorts).
type tally struct {
	Phases, Planned [link.Phases]phaseTally
	Ops             []opTally // in the order of exec.Costs.Ops
	Dealt           dealtCost
}

type phaseTally struct {
	Bytes, Messages int64
	Rounds          int
}

// opTally is the measured and planned cost of one entry of exec.Costs.Ops.
type opTally struct {
	Bytes, Messages, Rounds                   int64
	PlanBytes, PlanMessages, PlanRounds, Adds int64 `json:",omitempty"`
	Path                                      int32 `json:",omitempty"`
	First, Last                               int32 `json:",omitempty"`
	Expected                                  bool  `json:",omitempty"`
}

// exchangeTallies ends a run whose other parties are in other processes: each party tells the
// others that it has finished, with its tally.
func (l *execution) exchangeTallies(ctx context.Context) error {
	x := l.sessions[0]
	x.reportExpectedSorts()
	mine := l.tally()
	all := make([]*session, len(l.spec.Parties))
	all[x.rank] = x
	err := x.gather(ctx, stepTallies, func(int) any { return mine }, func(from int, data []byte) error {
		var t tally
		if err := json.Unmarshal(data, &t); err != nil {
			return fmt.Errorf("party: malformed costs from %s: %w", l.spec.Parties[from], err)
		}
		var err error
		all[from], err = l.remoteSession(from, &t)
		return err
	})
	if err != nil {
		return err
	}
	l.sessions = all
	return nil
}

// reportExpectedSorts replaces the measured costs of sorts by revealed comparisons by the expected
// ones. Computing parties see the comparisons; but reports may go to other parties, which must not
// learn anything about the order of the items.
func (s *session) reportExpectedSorts() {
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

// planned is the prediction for a phase.
func (s *session) planned(p link.Phase) phaseTally {
	a := &s.plan.phases[p]
	return phaseTally{a.Bytes.Load(), a.Messages.Load(), s.plan.rounds[p]}
}

// tally is the cost of the run at the party of this process.
func (l *execution) tally() *tally {
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

// remoteSession represents another party in the report: a session with the costs of its tally. Its
// times and memory are 0.
func (l *execution) remoteSession(rank int, t *tally) (*session, error) {
	mine := l.sessions[0]
	costs := mine.plan.costs
	if len(t.Ops) != len(costs.Ops) || len(t.Dealt.ByEntry) > len(costs.Ops) {
		return nil, fmt.Errorf("party: %s ran %d operations, but %s ran %d", l.spec.Parties[rank], len(t.Ops), l.spec.Parties[mine.rank], len(costs.Ops))
	}
	x := &session{spec: l.spec, rank: rank, sessionID: mine.sessionID, dealt: t.Dealt, plan: &prediction{manifest: mine.plan.manifest, results: mine.plan.results}}
	for p := range link.Phases {
		restore(&x.phases[p], &x.rounds[p], t.Phases[p])
		restore(&x.plan.phases[p], &x.plan.rounds[p], t.Planned[p])
	}
	x.costs, x.plan.costs = costs.Empty(), costs.Empty()
	for i, o := range t.Ops {
		c, p := &x.costs.Ops[i].Cost, &x.plan.costs.Ops[i].Cost
		c.Calls.Store(costs.Ops[i].Calls.Load())
		c.Bytes.Store(o.Bytes)
		c.Messages.Store(o.Messages)
		c.Rounds.Store(o.Rounds)
		p.Bytes.Store(o.PlanBytes)
		p.Messages.Store(o.PlanMessages)
		p.Rounds.Store(o.PlanRounds)
		p.Products.Store(o.Adds)
		p.Expected.Store(o.Expected)
		p.Offline.Store(costs.Ops[i].Offline.Load())
		p.Path, p.First, p.Last = o.Path, o.First, o.Last
	}
	return x, nil
}

func restore(a *flow.Account, rounds *int, t phaseTally) {
	a.Bytes.Store(t.Bytes)
	a.Messages.Store(t.Messages)
	*rounds = t.Rounds
}
