package party

import "github.com/tacet-mpc/tacet/problem"

// Describe sets p.Party to the party's name if it is empty.
func (e *PartyError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }

// Is reports whether target is problem.PeerLost, the kind of every LostError.
func (e *LostError) Is(target error) bool { return target == problem.PeerLost }

// Describe sets those fields of p that are empty: kind, party, operation and round.
func (e *LostError) Describe(p *problem.Problem) {
	p.SetKind(problem.PeerLost)
	problem.Set(&p.Party, e.Party)
	problem.Set(&p.Operation, e.Where)
	if p.Round == 0 {
		p.Round = e.Round
	}
}

// Describe sets p.Party to the party's name if it is empty.
func (e *DeclinedError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }

// Describe sets p.Party to the party's name if it is empty.
func (e *LocalError) Describe(p *problem.Problem) { problem.Set(&p.Party, e.Party) }
