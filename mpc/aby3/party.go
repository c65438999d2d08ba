package aby3

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
)

// Roles by rank. Parties of higher ranks are input parties: they share inputs and learn outputs only.
const (
	Parties   = 3 // take part in the protocol
	Computing = 2 // P0 and P1 compute
	Corrected = 1 // P1 receives the corrections
	Dealer    = 2 // P2 deals
)

// Party is one party's side of the protocol: semi2k's gates between P0 and P1, with P2 as the dealer.
type Party struct{ *semi2k.Party }

// New returns a party. It sets c.Computing and c.Dealer. P0 and P1 need in c.Zero the seed that they share,
// and c.Common; P2 must have neither, and other parties need neither.
func New(ctx context.Context, c semi2k.Config) Party {
	c.Computing, c.Dealer = Computing, Dealer
	return Party{semi2k.New(ctx, c)}
}

// Seeds returns the seeds that P2 shares with each party of a session, by rank. They are derived from own,
// which P2 keeps to itself.
func Seeds(own ring.Seed, parties int) []ring.Seed {
	prg := ring.NewPRG(own)
	out := make([]ring.Seed, parties)
	for i := range out {
		out[i] = prg.Seed(uint64(i), 0)
	}
	return out
}
