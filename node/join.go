package node

import (
	"context"
	"errors"

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
	need := copies * r.Offline.BytesSent
	for rank, name := range w.sub.Parties {
		need += copies*r.Online.BytesSent[rank] + perRow*int64(w.fit.Join.Rows[name])
	}
	return need, nil
}

// runJoin runs this party's side of a job's join, and completes the arguments of spec. What parties learn from it is in the audit log
// before they do.
func (n *Node) runJoin(
	ctx context.Context, t *task, w *resolvedJob, join *job.JoinSide, spec *party.Spec, seat party.Seat,
) (*profile.Report, error) {
	c := w.fit.Join
	about := audit.Join{Method: c.Method, Keys: c.On[n.config.Name], Rows: c.Rows}
	if c.Method == job.PSI {
		about.By = w.sub.Parties
	}
	if err := n.appendAudit(t, audit.Event{Kind: audit.Joined, Join: &about}); err != nil {
		return nil, err
	}
	place := psi.Seat{Rank: seat.Rank, Link: seat.Link, Session: seat.Session, Dealer: seat.Dealer}
	r, err := join.Run(ctx, spec, place, func(rows int) error {
		matched := about
		matched.Matched = rows
		return n.appendAudit(t, audit.Event{Kind: audit.Joined, Join: &matched})
	})
	return r, n.redactInputError(t.ID, party.NameLost(err, w.sub.Parties))
}
