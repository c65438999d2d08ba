package aby3

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
)

// Protocol is the descriptor of aby3, by which packages party and job know the protocol.
var Protocol = &protocol.Descriptor{
	Name:    "aby3",
	Summary: "three parties of whom no two collude; the third deals for the first two",
	Roles:   []string{"computes", "computes, receives corrections", "deals", "shares inputs and learns outputs"},
	Least:   Parties, Most: Parties,
	Online: Computing,
	Rings:  []int{32, 64, 128},
	Supply: protocol.PartyDealer,
	Dealing: &protocol.Dealing{
		Rank: Dealer, Corrected: Corrected,
		Seeds: Seeds, Deal: Deal, Receive: Receive,
	},
	NewInputs: semi2k.NewInputs,
	New: func(ctx context.Context, c protocol.Config) protocol.Session {
		return New(ctx, semi2k.Configure(c))
	},
}
