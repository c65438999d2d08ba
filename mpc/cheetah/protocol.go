package cheetah

import (
	"context"

	"github.com/cloudflare/circl/group"

	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ot"
)

// Protocol is the descriptor of cheetah, by which packages party and job know the protocol.
var Protocol = describe(ot.Curve())

// describe returns the descriptor with base transfers in the group g.
func describe(g group.Group) *protocol.Descriptor {
	return &protocol.Descriptor{
		Name:    "cheetah",
		Summary: "two parties and nobody else: no dealer; more bytes and time than semi2k",
		Roles:   []string{"computes", "computes", "shares inputs and learns outputs"},
		Least:   2, Most: 2,
		Rings:  []int{32, 64, 128},
		Supply: protocol.BetweenParties,
		Between: &protocol.Between{
			NewDemand: func() protocol.Demand { return &pair.Demand{} },
			Phases:    []protocol.BetweenPhase{pair.Phase(g)},
			Keep:      pair.Keeping(),
		},
		NewInputs: func() protocol.Inputs { return inputs{} },
		New:       func(_ context.Context, c protocol.Config) protocol.Session { return newParty(c) },
	}
}
