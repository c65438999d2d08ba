package cheetah

import (
	"crypto/rand"
	"io"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// computing is the number of computing parties.
const computing = 2

// Party implements mpc.Core, and the groups of package mpc that it overrides, for one party of a session. The
// interfaces of package mpc say what its methods return; the comments here say how they work and what they send.
type Party struct {
	rank     int
	inputs   inputs
	first    uint32            // protocol.Config.First
	opening  uint32            // protocol.Config.Opening
	zero     map[int]*ring.PRG // by rank: seeds shared with other parties
	common   ring.Seed         // shared by both parties
	demand   *pair.Demand      // in a dry run
	material transfers         // otherwise
	// contractions is the number of contractions in the program's text, which may share keys; 0 if nobody said.
	contractions int
	random       io.Reader // of the noise of ciphertexts and responses
}

// transfers gives the transfers of requests, each once, and keys: a *pair.Material.
type transfers interface {
	Received(id uint64, n int) (*ot.Received, error)
	Sent(id uint64, n int) (*ot.Sent, error)
	Secret(set int) *he.Secret
	Peer(set int) pair.Peer
}

// newParty returns the party that c describes.
func newParty(c protocol.Config) *Party {
	p := &Party{
		rank: c.Rank, inputs: c.Inputs.(inputs), first: c.First, opening: c.Opening, common: c.Common, zero: map[int]*ring.PRG{},
		random: rand.Reader,
	}
	for rank, seed := range c.Zero {
		p.zero[rank] = ring.NewPRG(seed)
	}
	p.demand, _ = c.Demand.(*pair.Demand)
	if m, ok := c.Prepared.(*flow.Future[*pair.Material]); ok {
		p.material = m.Get()
	}
	return p
}

// ExpectContractions implements mpc.Expecter.
func (p *Party) ExpectContractions(n int) { p.contractions = n }

// Computing implements mpc.Rounder: it returns the number of computing parties.
func (p *Party) Computing() int { return computing }

// peer is the rank of the other computing party.
func (p *Party) peer() int { return 1 - p.rank }

// opener is the rank of the party that adds public constants to its share.
const opener = 0
