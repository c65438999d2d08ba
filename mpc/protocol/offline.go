package protocol

import (
	"context"
	"time"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// OfflineGraph is the traffic of a session's offline phase, predicted by the dry run or measured: one entry for each
// of its phases, which run one after the other.
type OfflineGraph []OfflinePhase

// OfflinePhase is the traffic of one phase of an OfflineGraph.
type OfflinePhase struct {
	Name   string // the phase's name in plans and reports
	Rounds int    // number of communication rounds
	// Sent holds the number of bytes that each party sends, by rank; nil if no party sends any.
	Sent []int64
	// Dealt is the number of bytes that a dealer which is no party sends.
	Dealt int64
}

// Rounds returns the sum of the phases' rounds.
func (g OfflineGraph) Rounds() int {
	n := 0
	for _, p := range g {
		n += p.Rounds
	}
	return n
}

// Bytes returns the number of bytes that all parties and the dealer send.
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

// BySender returns, for each of the given number of parties by rank, the number of bytes that the party sends.
func (g OfflineGraph) BySender(parties int) []int64 {
	out := make([]int64, parties)
	for _, p := range g {
		for i, b := range p.Sent {
			out[i] += b
		}
	}
	return out
}

// DealtGraph returns the offline traffic of a protocol whose correlated randomness is dealt to the given number of
// parties; nil for other protocols. It has two phases. The phase "seeds" counts no bytes, because seeds are part of
// the handshake or of a store. The phase "corrections" counts the given number of bytes, which the dealer sends and
// nobody answers.
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

// Link is the part of a party's connections that an offline phase uses; flow.Link says what its methods do.
type Link interface {
	Send(to int, k link.Key, clock int32, data []byte)
	Await(from int, k link.Key, f func(link.Message, error))
}

// Dealing is the offline phase of a protocol in which a party of the job deals.
type Dealing struct {
	Rank      int // rank of the party that deals
	Corrected int // rank of the party that receives corrections
	// Seeds returns the seeds that the dealing party shares with each of the parties, by rank. They are derived from
	// own, a seed that only the dealing party knows.
	Seeds func(own ring.Seed, parties int) []ring.Seed
	// Deal runs at the dealing party: it makes the corrections of manifest m and sends them over l, in the manifest's
	// order. It returns when all are sent, or with an error.
	Deal func(ctx context.Context, l Link, seeds []ring.Seed, m *correlation.Manifest) error
	// Receive runs at the party that receives corrections: it passes the correction of each request of m to deliver,
	// in the manifest's order, and returns when it has passed all, or with an error.
	Receive func(ctx context.Context, l Link, m *correlation.Manifest, deliver func(correlation.ID, []byte)) error
}

// Demand lists the correlations that a session needs of an offline phase between the parties (Between). A dry run
// fills it. It is the same at all parties.
type Demand interface {
	// Digest returns a hash of the demand, which the parties compare in the handshake.
	Digest() [32]byte
	// HeldBytes returns the memory that a party's results of the phases take until the program has used them.
	HeldBytes() int64
}

// Between is the offline phase of a protocol whose computing parties make their correlated randomness among
// themselves. It runs after the handshake and before the input phase.
type Between struct {
	// NewDemand returns an empty Demand, which a dry run fills.
	NewDemand func() Demand
	// Phases run one after the other at each computing party. No two of them may use the same numbers of operation
	// instances (flow.Graph.Op).
	Phases []BetweenPhase
	// Keep is nil for a protocol that keeps nothing from one session to the next.
	Keep *Keeping
}

// BetweenPhase is one phase of the offline phase of Between.
type BetweenPhase struct {
	Name string // names the phase in plans and reports
	// Run adds the phase's steps to g, a graph of phase link.Offline. before is the result of the phase before, nil
	// for the first one. Run returns the phase's result, whose futures are resolved when the next phase runs. A plan
	// calls Run too, in a dry run.
	Run func(g *flow.Graph, c Config, before any) any
}

// Keeping lets the computing parties of a Between protocol keep something of a session for one later session among the same
// parties of the same ranks. Each party keeps its own part. A part serves one session, which is recorded durably before
// anything of it is used, and its phases make the next one.
type Keeping struct {
	// Next returns what a party keeps, of the result of the last phase, as bytes that only this party may know; nil if
	// Config.Keep was not set.
	Next func(result any) []byte
	// Decode returns what the party of the given rank has kept, which Next returned as bytes, for Config.Kept.
	Decode func(rank int, data []byte) (Kept, error)
}

// Kept is what a party has kept of an earlier session.
type Kept interface {
	// Made returns when the oldest part was made.
	Made() time.Time
	// String says in a few words what there is, for reports. It is the same at all parties.
	String() string
}
