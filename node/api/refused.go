package api

import (
	"net/http"

	"github.com/tacet-mpc/tacet/problem"
)

// Refused is a node's answer that it does not do what was asked.
type Refused struct {
	Node   string
	Status int // HTTP status
	Reason string
}

func (e *Refused) Error() string { return e.Node + ": " + e.Reason }

// Unreachable says that a node gave no answer, or one that cannot be parsed.
type Unreachable struct {
	Node string
	Err  error // includes the node's name and address
}

func (e *Unreachable) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Unreachable) Unwrap() error { return e.Err }

// Is reports whether target is the refusal's kind: usage of a bad request, denied of
// what the node's rules forbid.
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

// Describe fills in a problem.
func (e *Refused) Describe(p *problem.Problem) {
	p.SetKind(e.kind())
	problem.Set(&p.Party, e.Node)
}

// Is reports whether target is the error's kind, peer-lost.
func (e *Unreachable) Is(target error) bool { return target == problem.PeerLost }

// Describe fills in a problem.
func (e *Unreachable) Describe(p *problem.Problem) {
	p.SetKind(problem.PeerLost)
	problem.Set(&p.Party, e.Node)
}
