package aby3

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
)

// Who does what, by rank. Parties of higher ranks share inputs and learn
// outputs only.
const (
	Parties   = 3 // take part in the protocol
	Computing = 2 // P0 and P1 compute
	Corrected = 1 // P1 gets what is dealt
	Dealer    = 2 // P2 deals
)

// Party is one party's side of the protocol: semi2k's gates between P0 and P1,
// with P2 for a dealer.
type Party struct{ *semi2k.Party }

// New makes a party. Computing and Dealer of the configuration are this
// protocol's. P0 and P1 need, of Zero, the seed that they share, and Common, both
// of which P2 must not have; nobody else needs any.
func New(ctx context.Context, c semi2k.Config) Party {
	c.Computing, c.Dealer = Computing, Dealer
	return Party{semi2k.New(ctx, c)}
}

// Name is "aby3".
func (Party) Name() string { return "aby3" }

// Seeds are those that P2 has in common with each of so many parties for a
// session, by rank; they follow from one of its own, which it gives nobody.
func Seeds(own ring.Seed, parties int) []ring.Seed {
	prg := ring.NewPRG(own)
	out := make([]ring.Seed, parties)
	for i := range out {
		out[i] = prg.Seed(uint64(i), 0)
	}
	return out
}
