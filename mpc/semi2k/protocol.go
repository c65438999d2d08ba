package semi2k

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Protocol describes the protocol.
var Protocol = &protocol.Descriptor{
	Name:    "semi2k",
	Summary: "two or more parties, any number of them but one colluding, and a dealer outside",
	Roles:   []string{"computes"},
	Least:   2, Most: protocol.MaxParties,
	Rings:     []int{32, 64, 128},
	Supply:    protocol.OutsideDealer,
	NewInputs: NewInputs,
	New: func(ctx context.Context, c protocol.Config) protocol.Session {
		return New(ctx, Configure(c))
	},
}

// NewInputs returns an empty record of inputs.
func NewInputs() protocol.Inputs { return Inputs{} }

// Configure is the configuration of a session of any protocol made of these gates.
func Configure(c protocol.Config) Config {
	inputs, _ := c.Inputs.(Inputs)
	return Config{
		Rank:      c.Rank,
		Computing: c.Computing,
		Source:    c.Source,
		Zero:      c.Zero,
		Common:    c.Common,
		Inputs:    inputs,
		First:     c.First,
		Scatter:   c.Scatter,
	}
}
