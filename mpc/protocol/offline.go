package protocol

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// OfflineGraph is the offline phase of a session as the dry run predicts it, or as it
// was measured: its phases, one after the other.
type OfflineGraph []OfflinePhase

// OfflinePhase is the traffic of one phase.
type OfflinePhase struct {
	Name   string
	Rounds int
	// Sent is the bytes that each party sends, by rank.
	Sent []int64
	// Dealt is the bytes that a dealer outside sends.
	Dealt int64
}

// Rounds is the number of rounds of all phases.
func (g OfflineGraph) Rounds() int {
	n := 0
	for _, p := range g {
		n += p.Rounds
	}
	return n
}

// Bytes is the number of bytes that parties and dealer send.
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

// BySender is the bytes that each of so many parties sends, by rank.
func (g OfflineGraph) BySender(parties int) []int64 {
	out := make([]int64, parties)
	for _, p := range g {
		for i, b := range p.Sent {
			out[i] += b
		}
	}
	return out
}

// DealtGraph is the offline graph of a protocol whose correlated randomness is dealt:
// seeds, which travel with the handshake or are there before and are not counted here,
// and corrections of so many bytes, which the dealer sends without an answer.
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

// Link is what an offline phase needs of a party's connections.
type Link interface {
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// Dealing is the offline phase of a protocol in which a party deals.
type Dealing struct {
	Rank      int // of the party that deals
	Corrected int // rank of the party that receives corrections
	// Seeds returns the seeds that the dealing party shares with each of so many
	// parties, by rank. They follow from own, which that party gives to nobody.
	Seeds func(own ring.Seed, parties int) []ring.Seed
	// Deal makes what a manifest asks for and sends the corrections in its order.
	Deal func(ctx context.Context, l Link, seeds []ring.Seed, m *correlation.Manifest) error
	// Receive delivers the correction of every request of a manifest.
	Receive func(ctx context.Context, l Link, m *correlation.Manifest, deliver func(correlation.ID, []byte)) error
}

// Demand is what a dry run records for an offline phase between the parties. It is the
// same at all parties: they compare digests in the handshake.
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

// BetweenPhase is one phase: Run adds its steps to g, a graph of phase link.Offline,
// and returns what the party has then, given what the phase before has returned (nil
// at first). Run is also what the plan runs, in a dry run. The futures of its result
// are resolved when the next phase runs.
type BetweenPhase struct {
	Name string
	Run  func(g *flow.Graph, c Config, before any) any
}

// PairState is what a pair of parties keeps from one session to the next: keys, and
// counters that must not repeat. In the handshake each party sends Offer of each peer,
// Bytes bytes, and hands what it receives to Meet.
type PairState struct {
	Bytes int
	// Offer names the state that the party of a rank has with a peer: an identifier and
	// counters; zeros for none.
	Offer func(rank, peer int) []byte
	// Meet compares the states. A state that differs is deleted at both parties, and
	// the session starts without one. An error ends the session.
	Meet func(rank, peer int, mine, theirs []byte) error
}
