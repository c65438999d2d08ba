// Package protocols lists the protocols that there are, and which of them a job takes
// that names none. To add a protocol is to add a line to the list.
package protocols

import (
	"github.com/tacet-mpc/tacet/mpc/aby3"
	"github.com/tacet-mpc/tacet/mpc/cheetah"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
)

func init() {
	protocol.Register(
		plain.Protocol,
		semi2k.Protocol,
		aby3.Protocol,
		cheetah.Protocol,
	)
}

// The protocols that packages use where a job names none.
var (
	Default   = semi2k.Protocol.Name // name of the protocol of jobs with two or more parties that name none
	Alone     = plain.Protocol.Name  // name of the protocol of jobs with one party that name none: nothing has to be kept from anyone
	Reference = plain.Protocol       // the protocol in cleartext with which the others are compared
)
