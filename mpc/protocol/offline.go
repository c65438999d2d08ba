package protocol

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// OfflineGraph has the traffic of a session's offline phase, predicted by the dry run or
// measured: the phases that run one after the other.
type OfflineGraph []OfflinePhase

// OfflinePhase is the traffic of one phase.
type OfflinePhase struct {
	Name   string
	Rounds int
	// Sent has the number of bytes that each party sends, by rank.
	Sent []int64
	// Dealt is the number of bytes that a dealer outside the computing parties sends.
	Dealt int64
}

// Rounds returns the number of rounds of all phases.
func (g OfflineGraph) Rounds() int {
	n := 0
	for _, p := range g {
		n += p.Rounds
	}
	return n
}

// Bytes returns the number of bytes that parties and dealer send.
func (g OfflineGraph) Bytes() int64 {
	n := int64(0)
	for _, p := range g {
		n += p.Dealt
		for _, b := range p.Sent {
			n += b
		}
	}
	return n
}

// BySender returns the number of bytes that each of the parties sends, by rank.
func (g OfflineGraph) BySender(parties int) []int64 {
	out := make([]int64, parties)
	for _, p := range g {
		for i, b := range p.Sent {
			out[i] += b
		}
	}
	return out
}

// DealtGraph returns the offline graph of a protocol whose correlated randomness is dealt.
// It has two phases. Phase seeds counts no bytes, because seeds are part of the handshake
// or of a store. Phase corrections counts the bytes that the dealer sends; nobody answers.
func (d *Descriptor) DealtGraph(parties int, corrections int64) OfflineGraph {
	if !d.Dealt() {
		return nil
	}
	p := OfflinePhase{Name: "corrections"}
	if corrections > 0 {
		p.Rounds = 1
	}
	if rank := d.DealerRank(); rank >= 0 {
		p.Sent = make([]int64, parties)
		p.Sent[rank] = corrections
	} else {
		p.Dealt = corrections
	}
	return OfflineGraph{{Name: "seeds"}, p}
}

// Link is the part of a party's connections that an offline phase uses.
type Link interface {
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// Dealing is the offline phase of a protocol in which a party deals.
type Dealing struct {
	Rank      int // of the party that deals
	Corrected int // rank of the party that receives corrections
	// Seeds returns the seeds that the dealing party shares with each of the parties,
	// by rank. They are derived from own, which the dealing party gives to nobody.
	Seeds func(own ring.Seed, parties int) []ring.Seed
	// Deal makes the correlations of a manifest and sends the corrections in its order.
	Deal func(ctx context.Context, l Link, seeds []ring.Seed, m *correlation.Manifest) error
	// Receive delivers the correction of every request of a manifest.
	Receive func(ctx context.Context, l Link, m *correlation.Manifest, deliver func(correlation.ID, []byte)) error
}

// Demand lists the correlations that a dry run needs from an offline phase between the
// parties. It is the same at all parties, which compare digests in the handshake.
type Demand interface {
	Digest() [32]byte
}

// Between is the offline phase of a protocol whose computing parties make their
// correlated randomness between them. It runs after the handshake and before the
// input phase.
type Between struct {
	// NewDemand returns an empty record, for a dry run.
	NewDemand func() Demand
	// Phases run one after the other at each computing party. The numbers of their
	// operation instances (flow.Graph.Op) differ.
	Phases []BetweenPhase
}

// BetweenPhase is one phase. Run adds its steps to g, a graph of phase link.Offline. It
// takes the result of the phase before (nil at first) and returns this phase's result,
// whose futures are resolved when the next phase runs. The plan calls Run too, in a dry
// run.
type BetweenPhase struct {
	Name string
	Run  func(g *flow.Graph, c Config, before any) any
}

// PairState compares the state that a pair of parties keeps from one session to the next:
// keys, and counters that must not repeat. In the handshake each party sends every peer
// the Bytes bytes of Offer, and passes those that it receives to Meet.
type PairState struct {
	Bytes int
	// Offer names the state that the party of a rank has with a peer: an identifier and
	// counters; zeros for none.
	Offer func(rank, peer int) []byte
	// Meet compares the states. A state that differs is deleted at both parties, and
	// the session starts without one. An error ends the session.
	Meet func(rank, peer int, mine, theirs []byte) error
}
