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

// MaxParties is the largest number of computing parties of any protocol.
const MaxParties = 64

// Supply says where a protocol's correlated randomness comes from.
type Supply uint8

// The suppliers.
const (
	NoSupply       Supply = iota // the protocol uses none
	OutsideDealer                // a server that is no party
	PartyDealer                  // the party of rank Dealing.Rank
	BetweenParties               // the computing parties, in an offline phase (Between)
)

// Descriptor describes a protocol to the packages that run it.
type Descriptor struct {
	// Name is the protocol's name in job files and on the command line.
	Name string
	// Summary is one line of help: parties, adversary, supplier.
	Summary string
	// Roles names what parties do, by rank; the last role is that of all further ones.
	Roles []string
	// Clear says that one process computes on all parties' data in cleartext: nothing
	// is sent, and nothing is secret.
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

	Supply  Supply
	Dealing *Dealing   // of PartyDealer
	Between *Between   // of BetweenParties
	Pair    *PairState // nil for a protocol that keeps nothing between sessions

	// New makes one party's side of a session. It is called for the dry run, and for
	// each phase of the run; the calls share Config.Inputs.
	New func(ctx context.Context, c Config) Session
	// NewInputs returns an empty record of owners' vectors; nil for a protocol that
	// shares no inputs.
	NewInputs func() Inputs
}

// Session is one party's side of a protocol.
type Session interface {
	mpc.Core
	// ShareInputs is the input phase: owners share the vectors of Config.Inputs that
	// the program needs shared and that are not shared yet. g belongs to link.Input.
	ShareInputs(g *flow.Graph)
}

// Config says who a party is and what it has.
type Config struct {
	Rank int
	// Computing is the number of computing parties that the job names.
	Computing int
	// Source gives correlated randomness from a dealer. In a dry run it is a
	// correlation.Recorder. It is nil if Supply is BetweenParties.
	Source correlation.Source
	// Demand is what the dry run records for the offline phase, of Between.NewDemand.
	Demand Demand
	// Prepared is what Between.Prepare returned; nil in a dry run.
	Prepared any
	// Zero are the seeds that the party shares with each other party, by rank; nil in
	// a dry run.
	Zero map[int]ring.Seed
	// Common is a seed that all parties of the online phase share and a dealer lacks;
	// it has no meaning in a dry run.
	Common ring.Seed
	Inputs Inputs
	// First is the number of the first operation instance of this request of a service.
	// All requests have the same operation instances in the same order.
	First uint32
	// Scatter is the message size in bytes above which openings use reduce-scatter
	// and all-gather: one more round, 2/n of the bytes. 0: never. It is the same at
	// every party.
	Scatter int
	// Note, if not nil, is called by a protocol with Clear for each operation whose
	// values do not fit the rings of the other protocols: its place in the program,
	// and the values. It may be called from several goroutines.
	Note func(where, what string)
}

// Inputs are the vectors that owners bring into a session. The dry run records them,
// the input phase shares them, the online phase finds them. Vectors with
// mpc.Staying are recorded once for all requests of a service.
type Inputs interface {
	// Len is the number of vectors.
	Len() int
	// EndPhase ends the input phase: the shares that it made are available at clock 0,
	// and cleartext that no later phase needs is dropped.
	EndPhase()
	// Staying returns the vectors that stay for further requests.
	Staying() Inputs
	// Bytes returns the size of the vectors that are shared, and of those that the
	// party of a rank has of its own: in clear, or their masks.
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

// DealerRank returns the rank of the party that deals, −1 if none does.
func (d *Descriptor) DealerRank() int {
	if d.Supply == PartyDealer {
		return d.Dealing.Rank
	}
	return -1
}

// OfflineIsOwn reports whether parties of the session send the offline phase's bytes
// themselves. Then the default is optimize=total: these bytes count as online ones do.
func (d *Descriptor) OfflineIsOwn() bool {
	return d.Supply == PartyDealer || d.Supply == BetweenParties
}

// Dealt reports whether a dealer makes the correlated randomness.
func (d *Descriptor) Dealt() bool { return d.Supply == OutsideDealer || d.Supply == PartyDealer }

// Fixed returns the number of computing parties of a protocol that has one number
// only, else 0.
func (d *Descriptor) Fixed() int {
	if d.Least == d.Most {
		return d.Least
	}
	return 0
}

// Check returns an error if the protocol cannot run with this number of computing parties.
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
