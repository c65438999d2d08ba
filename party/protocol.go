package party

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
)

// online is how many of the parties, the first ones, talk between shared
// inputs and shared results.
func (s *Spec) online() int {
	if s.Protocol == "aby3" {
		return aby3.Computing
	}
	return s.Computing
}

// dealer is the rank of the party that deals, −1 if somebody outside does, or
// nobody.
func (s *Spec) dealer() int {
	if s.Protocol == "aby3" {
		return aby3.Dealer
	}
	return -1
}

// atWork is the rank of the party that deals during the run, −1 if none does:
// what is in a store was dealt before.
func (s *Spec) atWork() int {
	if s.Store != "" {
		return -1
	}
	return s.dealer()
}

// deals reports whether this party deals for the others.
func (s *session) deals() bool { return s.rank == s.spec.dealer() }

// sharing is a protocol in which owners share their inputs in a phase of its
// own.
type sharing interface {
	mpc.Protocol
	ShareInputs(g *flow.Graph)
}

// sharing makes this party's side of the job's protocol; nil if nothing is
// shared in it.
func (s *session) sharing(ctx context.Context, source correlation.Source) sharing {
	c := semi2k.Config{Rank: s.rank, Computing: s.spec.Computing, Source: source, Zero: s.zero, Common: s.orders, Inputs: s.inputs, First: s.first, Scatter: s.spec.scatter()}
	switch s.spec.Protocol {
	case "plain":
		return nil
	case "aby3":
		return aby3.New(ctx, c)
	}
	return semi2k.New(ctx, c)
}
