package offline

import (
	"context"
	"errors"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
)

// Provider is the source of one party's correlated randomness. The parties list the sessions that they could use
// (Sessions), agree on one, and each begins it (Begin).
type Provider interface {
	// Sessions returns the ids of the sessions that the party could use for request o, the preferred ones first.
	// If there is none, it may return an error that says what is missing.
	Sessions(o *Request) ([]correlation.SessionID, error)
	// Begin takes the session with this id: once it returns, no other run can ever take the session, even if
	// this run fails. The error is ErrTaken if another run has taken it already.
	Begin(id correlation.SessionID, o *Request) (Correlations, error)
	// Prepare starts to make the correlations of further requests of a service, one after the other, in the
	// session of first, and returns them in the same order. All parties call it with the same requests, after
	// the correlations of earlier ones are complete. A store cannot do this: its error is of kind unsupported.
	Prepare(first Correlations, requests []*Request) ([]Correlations, error)
}

// MaxOffered is the largest number of sessions that a party offers to the others when they agree on one: the
// first MaxOffered of Provider.Sessions.
const MaxOffered = 1000

// ErrTaken is the error of Provider.Begin if another run has taken the session since Sessions listed it.
var ErrTaken = errors.New("party: session was taken by another run")

// Request is one party's request for the correlated randomness of one session, which a Provider serves.
type Request struct {
	Manifest *correlation.Manifest // the list of the correlations that the session needs
	// Terms are the properties of the run on which the manifest depends, by name. Only stores read them:
	// correlations made under other terms are not used.
	Terms map[string]string
	// MaxTail is the time for which corrections may still arrive after the online phase has begun.
	MaxTail time.Duration
	// Seed is the seed that this party and the dealing party have in common; at the dealing party, its own seed.
	// Only FromParty reads it.
	Seed ring.Seed
	// Phase runs this party's side of an offline phase between the parties, and returns the party's result of
	// it. kept is what the party has kept of an earlier session, nil if nothing. Only BetweenParties calls it.
	Phase func(ctx context.Context, kept protocol.Kept) (result any, err error)
	// Common is the seed that the online parties have in common. Only BetweenParties reads it.
	Common ring.Seed
}

// Correlations are one party's correlated randomness of a session that has begun. Waiting methods also return if
// ctx ends, with its cause.
type Correlations interface {
	// Seed returns the seed that the party and the dealer have in common. At a dealing party it returns the
	// party's own seed, from which those of the other parties are derived.
	Seed() ring.Seed
	// Corrections returns the source of the dealer's corrections at the party that receives them; nil at other
	// parties.
	Corrections() correlation.Corrections
	// Result returns what Request.Phase returned, once Ready has returned; nil if the correlations were not made
	// between the parties.
	Result() any
	// Ready waits until the corrections that are missing will arrive before the online phase needs them. An
	// error means that they will not.
	Ready(ctx context.Context) error
	// Finish waits until this party has sent all corrections for which other parties wait. Only a dealing party
	// waits.
	Finish(ctx context.Context) error
	// Complete waits until all corrections have arrived, or, at a dealing party, have been sent.
	Complete(ctx context.Context) error
	// Close ends the session. Correlations that were not used are destroyed.
	Close() error
	// Took returns how long the corrections took to arrive, after Close; 0 for correlations that were made
	// before the run.
	Took() time.Duration
}
