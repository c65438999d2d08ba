package node

import (
	"context"
	"errors"
	"slices"

	"github.com/tacet-mpc/tacet/job"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/node/audit"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/psi"
)

// joinMemory returns the memory that a job's join takes at this node: what it sends, receives and is dealt, and its keys, with
// rows of the matrices that are solved. It refuses a join that needs a dealer at a node without one.
func (n *Node) joinMemory(w *resolvedJob, spec *party.Spec) (int64, error) {
	if n.dealer == nil && spec.Descriptor().Supply == protocol.OutsideDealer {
		return 0, errors.New("a join needs the dealer, also where the job's correlations are in a store (dealer: in node.yaml)")
	}
	r, err := w.fit.PlanJoin(spec)
	if err != nil {
		return 0, err
	}
	const perRow, copies = 1 << 10, 2
	var need int64
	for ; r != nil; r = r.Join { // of stacked tables one for each of them, after the other
		if !slices.Contains(r.Parties, n.config.Name) {
			continue
		}
		of := copies * r.Offline.BytesSent
		for rank, name := range r.Parties {
			of += copies*r.Online.BytesSent[rank] + perRow*int64(w.fit.Join.Rows[name])
		}
		need = max(need, of)
	}
	return need, nil
}

// runJoin runs this party's side of a job's join, and completes the arguments of spec. What parties learn from it is in the audit log
// before they do.
func (n *Node) runJoin(
	ctx context.Context, t *task, w *resolvedJob, join *job.JoinSide, spec *party.Spec, seat party.Seat,
) (*profile.Report, error) {
	c := w.fit.Join
	record := func(parties []string, matched int) error {
		about := audit.Join{Method: c.Method, Keys: c.On[n.config.Name], Rows: map[string]int{}, Matched: matched}
		for _, name := range parties {
			about.Rows[name] = c.Rows[name]
		}
		if c.Method != job.Hidden {
			about.By = parties
		}
		return n.appendAudit(t, audit.Event{Kind: audit.Joined, Join: &about})
	}
	place := psi.Seat{Rank: seat.Rank, Link: seat.Link, Session: seat.Session, Dealer: seat.Dealer}
	r, err := join.Run(ctx, spec, place, job.JoinEvents{
		Begin: func(parties []string) error { return record(parties, 0) }, Matched: record,
	})
	return r, n.redactInputError(t.ID, party.NameLost(err, w.sub.Parties))
}
