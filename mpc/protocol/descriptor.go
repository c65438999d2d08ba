package protocol

import (
	"context"
	"fmt"
	"strconv"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// MaxParties is the largest number of computing parties that a protocol may have.
const MaxParties = 64

// Supply says where a protocol's correlated randomness comes from.
type Supply uint8

// The sources of correlated randomness.
const (
	NoSupply       Supply = iota // the protocol uses none
	OutsideDealer                // a dealer that is no party of the job
	PartyDealer                  // the party of rank Dealing.Rank deals
	BetweenParties               // the computing parties make it among themselves, in an offline phase (Between)
)

// Descriptor describes a protocol to the packages that run it. Name, Summary, Roles, Least, Most, Rings and New are
// required.
type Descriptor struct {
	// Name is the protocol's name in job files and on the command line.
	Name string
	// Summary is one line of help: parties, adversary, supplier.
	Summary string
	// Roles names what parties do, by rank. The last role is also that of all parties of higher ranks.
	Roles []string
	// Clear says that one process computes on all parties' data in cleartext: nothing is sent, and nothing is secret.
	Clear bool
	// Least and Most bound the number of computing parties that a job names, a party
	// that deals included.
	Least, Most int
	// Online is the number of parties that exchange messages in the online phase, the
	// first ones; 0 for all computing parties.
	Online int
	// Rings are the widths in bits that a job may choose for floats. Integers take
	// rings of their own types' widths.
	Rings []int

	Supply  Supply   // where correlated randomness comes from
	Dealing *Dealing // required if Supply is PartyDealer, otherwise nil
	Between *Between // required if Supply is BetweenParties, otherwise nil

	// New returns one party's side of a session. It is called for the dry run, and for each phase of the run; all
	// calls of a session get the same Config.Inputs.
	New func(ctx context.Context, c Config) Session
	// NewInputs returns an Inputs without vectors. It is nil for a protocol that shares no inputs.
	NewInputs func() Inputs
	// ProductsAhead, if not nil, returns what a party can compute of a request of a service before that begins, for Config.Products. c has
	// the request's Source and the staying vectors as Inputs; m is what the request asks of the dealer.
	ProductsAhead func(ctx context.Context, c Config, m *correlation.Manifest) map[correlation.ID]ring.Vec
}

// Session is one party's side of a protocol in one session.
type Session interface {
	mpc.Core
	// ShareInputs adds the input phase to g, a graph of phase link.Input: owners share the vectors of Config.Inputs
	// that the program needs shared and that are not shared yet.
	ShareInputs(g *flow.Graph)
}

// Config says which party of a session Descriptor.New makes, and with which seeds and inputs.
type Config struct {
	Rank int // the party's rank
	// Computing is the number of computing parties that the job names.
	Computing int
	// Source gives correlated randomness from a dealer. In a dry run it is a correlation.Recorder. It is nil if the
	// Supply is BetweenParties.
	Source correlation.Source
	// Demand lists what the protocol needs of an offline phase between the parties: one that Between.NewDemand made
	// and the dry run filled. nil for other protocols.
	Demand Demand
	// Kept is what the party has kept of an earlier session of the same parties, for the phases of Between; nil if it has
	// nothing. Keep says that these phases leave something for a later session (Keeping).
	Kept Kept
	Keep bool
	// Ahead says that the phases make all for a later session, which sends nothing in its offline phase if it has the
	// same Demand and begins with what they leave. Keep is set, too.
	Ahead bool
	// Prepared is the result of the last phase of Between; nil in a dry run and for other protocols.
	Prepared any
	// Zero holds, for the rank of each other party, the seed that the two parties share. nil in a dry run.
	Zero map[int]ring.Seed
	// Common is a seed that all parties of the online phase share and a dealer does not know; unused in a dry run.
	Common ring.Seed
	// Inputs holds the owners' vectors of the session; a dry run records them there.
	Inputs Inputs
	// Earlier holds the staying vectors that openings of a service's earlier programs have shared, in their order. A vector of an
	// argument (mpc.StayingArgument) with the same owner, ring and length serves this program, too.
	Earlier []Inputs
	// First is the number of the first operation instance of this request of a service.
	// All requests of one program have the same operation instances in the same order.
	First uint32
	// Opening is the number of the first operation instance of the execution that recorded the vectors of Inputs that
	// mpc.Staying marks: First in that execution, at most First in requests.
	Opening uint32
	// Scatter is the message size in bytes from which openings use reduce-scatter and all-gather: one more round, 2/n
	// of the bytes. 0: never. All parties have the same value.
	Scatter int
	// Products is what Descriptor.ProductsAhead returned for the request; the session takes from it what it uses. nil in a dry run.
	Products map[correlation.ID]ring.Vec
	// Note, if not nil, is called by a protocol with Clear for each operation whose values do not fit the rings of
	// the other protocols. where is the operation's place in the program; what describes the values. Several
	// goroutines may call it at once.
	Note func(where, what string)
}

// Inputs holds the vectors that owners bring into a session. The dry run records them, the input phase shares them,
// the online phase reads them. Vectors of an owner that mpc.Staying marks are recorded once for all requests of a
// service.
type Inputs interface {
	// Len returns the number of vectors.
	Len() int
	// EndPhase must be called after the input phase has run: it makes the shares available at clock 0 and drops
	// cleartext that no later phase needs.
	EndPhase()
	// Staying returns an Inputs with the vectors that mpc.Staying marks, with which a later request starts.
	Staying() Inputs
	// Bytes returns sizes in bytes of memory at the party of the given rank: shared is that of all vectors that are
	// shared, own what the party's own vectors take in addition, in cleartext or their masks.
	Bytes(rank int) (shared, own int64)
}

// PartyOnline returns how many of the computing parties exchange messages in the online
// phase.
func (d *Descriptor) PartyOnline(computing int) int {
	if d.Online > 0 {
		return d.Online
	}
	return computing
}

// DealerRank returns the rank of the party that deals, or −1 if no party of the job does.
func (d *Descriptor) DealerRank() int {
	if d.Supply == PartyDealer {
		return d.Dealing.Rank
	}
	return -1
}

// OfflineIsOwn reports whether parties of the session send the bytes of the offline phase themselves. Then these
// bytes count as online ones do, and the default of the option optimize is total.
func (d *Descriptor) OfflineIsOwn() bool {
	return d.Supply == PartyDealer || d.Supply == BetweenParties
}

// Dealt reports whether a dealer makes the correlated randomness, be it a party or not.
func (d *Descriptor) Dealt() bool { return d.Supply == OutsideDealer || d.Supply == PartyDealer }

// Fixed returns the number of computing parties of a protocol for which Least equals Most, and 0 for others.
func (d *Descriptor) Fixed() int {
	if d.Least == d.Most {
		return d.Least
	}
	return 0
}

// Check returns an error of one line if the protocol cannot run with the given number of computing parties.
func (d *Descriptor) Check(computing int) error {
	switch {
	case d.Fixed() > 0 && computing != d.Fixed():
		return fmt.Errorf("%s has %d computing parties, the first ones, not %d (omit the number; further parties share inputs and learn outputs)",
			d.Name, d.Fixed(), computing)
	case computing < d.Least:
		return fmt.Errorf("%s needs %s or more computing parties, not %d%s", d.Name, count(d.Least), computing, aloneHint())
	case computing > d.Most:
		return fmt.Errorf("%s has at most %d computing parties, not %d", d.Name, d.Most, computing)
	}
	return nil
}

// count returns a small number in words.
func count(n int) string {
	if words := []string{"no", "one", "two", "three", "four"}; n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}
