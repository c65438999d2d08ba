package aby3

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
)

// Numbers and ranks of the three parties P0, P1 and P2 that take part in the protocol. Parties of higher ranks only
// share inputs and learn outputs.
const (
	Parties   = 3 // number of parties that take part in the protocol
	Computing = 2 // number of parties that compute: P0 and P1
	Corrected = 1 // rank of the party that receives corrections: P1
	Dealer    = 2 // rank of the party that deals: P2
)

// Party is one party's side of the protocol in one session: semi2k's gates between P0 and P1, with P2 as the dealer.
type Party struct{ *semi2k.Party }

// New returns the party that c describes; it sets c.Computing and c.Dealer itself. P0 and P1 need in c.Zero the seed
// that they share, and c.Common; P2 must have neither, and other parties need neither. If ctx ends, steps that wait
// for correlations fail.
func New(ctx context.Context, c semi2k.Config) Party {
	c.Computing, c.Dealer = Computing, Dealer
	return Party{semi2k.New(ctx, c)}
}

// Seeds returns the seeds that P2 shares with each of the given number of parties, by rank. They are derived from
// own, which P2 keeps to itself.
func Seeds(own ring.Seed, parties int) []ring.Seed {
	prg := ring.NewPRG(own)
	out := make([]ring.Seed, parties)
	for i := range out {
		out[i] = prg.Seed(uint64(i), 0)
	}
	return out
}
