// Package protocols lists the protocols that there are, and which of them a job takes
// that names none. To add a protocol is to add a line to the list.
package protocols

import (
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
)

func init() {
	protocol.Register(
		plain.Protocol,
		semi2k.Protocol,
		aby3.Protocol,
	)
	protocol.Announce("cheetah")
}

// The protocols of jobs that name none: Alone of those with one party, which has nobody
// to keep anything from, Default of all others. Reference computes in cleartext what
// protocols compute on shares.
var (
	Default   = semi2k.Protocol.Name
	Alone     = plain.Protocol.Name
	Reference = plain.Protocol
)
