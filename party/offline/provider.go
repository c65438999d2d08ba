package offline

import (
	"context"
	"errors"
	"time"

	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/ring"
)

// Provider is the source of one party's correlated randomness. A party lists the sessions that it
// could use; when all parties have agreed on one, each begins it.
type Provider interface {
	// Sessions lists the sessions that the party could use for a request, in order of preference.
	// If there is none it returns an error that says what is missing.
	Sessions(o *Request) ([]correlation.SessionID, error)
	// Begin takes a session: once it returns, no other run will ever have it, even if this one
	// fails. ErrTaken says that another run has taken it already.
	Begin(id correlation.SessionID, o *Request) (Correlations, error)
	// Prepare prepares the correlations of further requests in the session of first, one after the
	// other. All parties call it with the same requests, and only after earlier ones are complete.
	Prepare(first Correlations, requests []*Request) ([]Correlations, error)
}

// MaxOffered is the largest number of sessions that a party offers to the others: the first ones of
// Sessions.
const MaxOffered = 1000

// ErrTaken says that another run has taken a session since it was listed.
var ErrTaken = errors.New("party: session was taken by another run")

// Request is a party's request for the correlations of a session.
type Request struct {
	Manifest *correlation.Manifest
	// Terms are the terms that the manifest depends on. Correlations made under other terms do not
	// fit. Only stores read them.
	Terms map[string]string
	// MaxTail is how long corrections may still arrive after the online phase begins.
	MaxTail time.Duration
	// Seed is the seed in common with the party that deals; at that party, its own seed. Only
	// FromParty reads it.
	Seed ring.Seed
	// Phase runs the party's side of the offline phase between the parties, and returns what the
	// party has then. Only BetweenParties calls it.
	Phase func(ctx context.Context) (result any, err error)
}

// Correlations are one party's correlated randomness of a session that has begun.
type Correlations interface {
	// Seed is the seed that the party and the dealer have in common; at a dealing party, its own
	// seed, from which those of the other parties are derived.
	Seed() ring.Seed
	// Corrections are the dealer's corrections, at the party that receives them; else nil.
	Corrections() correlation.Corrections
	// Result is the result of an offline phase between the parties (Request.Phase), once Ready has
	// returned; else nil.
	Result() any
	// Ready returns when the remaining corrections will arrive before they are needed.
	Ready(ctx context.Context) error
	// Finish returns when the party has sent everything that other parties wait for.
	Finish(ctx context.Context) error
	// Complete returns when everything has arrived or been sent.
	Complete(ctx context.Context) error
	// Close ends the session. Correlations that were not used are destroyed.
	Close() error
	// Took is how long the corrections took to arrive, once the session is closed; 0 for
	// correlations made before the run.
	Took() time.Duration
}
