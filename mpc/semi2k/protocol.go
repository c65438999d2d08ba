package semi2k

import (
	"context"

	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Protocol is the descriptor of semi2k, by which packages party and job know the protocol.
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
	ProductsAhead: ProductsAhead,
}

// NewInputs returns an Inputs without vectors.
func NewInputs() protocol.Inputs { return Inputs{} }

// Configure returns the configuration of a party for a session that package party describes by c. Protocols that are
// made of semi2k use it, too.
func Configure(c protocol.Config) Config {
	inputs, _ := c.Inputs.(Inputs)
	var earlier []Inputs
	for _, in := range c.Earlier {
		earlier = append(earlier, in.(Inputs))
	}
	return Config{
		Rank:      c.Rank,
		Computing: c.Computing,
		Source:    c.Source,
		Zero:      c.Zero,
		Common:    c.Common,
		Inputs:    inputs,
		Earlier:   earlier,
		First:     c.First,
		Opening:   c.Opening,
		Scatter:   c.Scatter,
		Products:  c.Products,
	}
}
