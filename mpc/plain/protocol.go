package plain

import (
	"context"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/protocol"
)

// Protocol is the descriptor of plain, by which packages party and job know the protocol.
var Protocol = &protocol.Descriptor{
	Name:    "plain",
	Summary: "cleartext in fixed point, in one process: no secrecy, to compare with",
	Roles:   []string{"computes"},
	Clear:   true,
	Least:   1, Most: protocol.MaxParties,
	Rings: []int{32, 64, 128},
	New: func(_ context.Context, c protocol.Config) protocol.Session {
		return Party{Note: c.Note}
	},
}

// ShareInputs implements protocol.Session. It does nothing, because the only party has all inputs.
func (Party) ShareInputs(*flow.Graph) {}
