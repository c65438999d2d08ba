package party

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/derived"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	_ "github.com/tacet-mpc/tacet/mpc/protocols" // registers the protocols
)

// Descriptor returns the descriptor of the spec's protocol. If there is no such protocol, which Resolve refuses,
// the descriptor has only the name.
func (s *Spec) Descriptor() *protocol.Descriptor {
	d, err := protocol.Find(s.Protocol)
	if err != nil {
		return &protocol.Descriptor{Name: s.Protocol}
	}
	return d
}

// clear reports whether the protocol computes in cleartext, in one process.
func (s *Spec) clear() bool { return s.Descriptor().Clear }

// online is the number of online parties, the first of Parties: those that exchange messages in the
// online phase.
func (s *Spec) online() int { return s.Descriptor().PartyOnline(s.Computing) }

// dealer is the rank of the party that deals, −1 if none does.
func (s *Spec) dealer() int { return s.Descriptor().DealerRank() }

// liveDealer is the rank of the party that deals during the run, −1 if none does: a store's
// correlations were dealt before.
func (s *Spec) liveDealer() int {
	if s.Store != "" {
		return -1
	}
	return s.dealer()
}

// isDealer reports whether this party deals for the others.
func (s *session) isDealer() bool { return s.rank == s.spec.dealer() }

// config is the configuration of this party's protocol session.
func (s *session) config(source correlation.Source) protocol.Config {
	c := protocol.Config{
		Rank: s.rank, Computing: s.spec.Computing, Source: source, Zero: s.zero, Common: s.onlineSeed,
		Inputs: s.inputs, Earlier: s.earlier, First: s.firstOp, Opening: s.openedOp, Scatter: s.spec.scatterThreshold(),
		Keep: s.keepsPairState() && !s.keepsAlone,
	}
	if s.kept != nil {
		c.Kept = s.kept
	}
	if s.ahead {
		c.Keep, c.Ahead = true, true
	}
	if s.correlations != nil && s.spec.Descriptor().Supply == protocol.BetweenParties {
		c.Prepared, c.Demand = s.correlations.Result(), s.plan.demand
	}
	return c
}

// dryConfig is the configuration of this party's protocol session in a dry run, whose correlation
// requests go to the recorder or to the configuration's Demand.
func (s *session) dryConfig() (protocol.Config, *correlation.Recorder) {
	rec := &correlation.Recorder{}
	c := s.config(rec)
	c.Demand, c.Prepared = nil, nil
	if d := s.spec.Descriptor(); d.Between != nil {
		c.Source, c.Demand = nil, d.Between.NewDemand()
	}
	return c, rec
}

// newProtocolSession makes this party's protocol session from a configuration.
func (s *session) newProtocolSession(ctx context.Context, c protocol.Config) protocol.Session {
	return s.spec.Descriptor().New(ctx, c)
}

// completed adds the derived operations to a protocol's core.
func completed(p mpc.Core) mpc.Protocol { return derived.Complete(p) }

// noInputs is an empty protocol.Inputs; nil for a protocol in cleartext.
func (s *Spec) noInputs() protocol.Inputs {
	if d := s.Descriptor(); d.NewInputs != nil {
		return d.NewInputs()
	}
	return nil
}
