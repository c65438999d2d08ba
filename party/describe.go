package party

import "github.com/tacet-mpc/tacet/problem"

// Describe fills in a problem with the party's name.
func (e *PartyError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }

// Is reports whether target is the error's kind, peer-lost.
func (e *LostError) Is(target error) bool { return target == problem.PeerLost }

// Describe fills in kind, party and operation.
func (e *LostError) Describe(p *problem.Problem) {
	p.SetKind(problem.PeerLost)
	problem.Set(&p.Party, e.Party)
	problem.Set(&p.Operation, e.Where)
	if p.Round == 0 {
		p.Round = e.Round
	}
}

// Describe fills in a problem with the party's name.
func (e *DeclinedError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }

// Describe fills in a problem with the party's name.
func (e *LocalError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }
