package api

import (
	"net/http"

	"github.com/tacet-mpc/tacet/problem"
)

// Refused is the error of a Client if the node answers that it does not do what was requested.
type Refused struct {
	Node   string // name of the node's party
	Status int    // HTTP status
	Reason string // why the node refuses
}

// Error returns the node's name and the reason.
func (e *Refused) Error() string { return e.Node + ": " + e.Reason }

// Unreachable is the error of a Client if the node cannot be reached, or if its answer cannot be parsed. Its
// kind is problem.PeerLost.
type Unreachable struct {
	Node string // name of the node's party
	Err  error  // includes the node's name and address
}

// Error returns the text of Err, which names the node and its address.
func (e *Unreachable) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Unreachable) Unwrap() error { return e.Err }

// Is reports whether target is the error's kind: problem.Usage for an invalid request (HTTP status 400),
// problem.Denied for what the node's rules forbid (401, 403), and problem.Failed otherwise.
func (e *Refused) Is(target error) bool { return target == e.kind() }

func (e *Refused) kind() problem.Kind {
	switch e.Status {
	case http.StatusBadRequest:
		return problem.Usage
	case http.StatusForbidden, http.StatusUnauthorized:
		return problem.Denied
	}
	return problem.Failed
}

// Describe sets those fields of p that are empty: kind and party.
func (e *Refused) Describe(p *problem.Problem) {
	p.SetKind(e.kind())
	problem.Set(&p.Party, e.Node)
}

// Is reports whether target is problem.PeerLost, the kind of every Unreachable.
func (e *Unreachable) Is(target error) bool { return target == problem.PeerLost }

// Describe sets those fields of p that are empty: kind and party.
func (e *Unreachable) Describe(p *problem.Problem) {
	p.SetKind(problem.PeerLost)
	problem.Set(&p.Party, e.Node)
}
