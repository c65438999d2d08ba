package psi

import (
	"context"
	"errors"
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/profile"
)

// Key is 128 bits of a hash of a row's key columns.
type Key = [2]uint64

// MaxKeys is the largest number of keys of a party.
const MaxKeys = 1 << 24

// Method is a protocol for the intersection of two sets.
type Method uint8

// The methods (package comment).
const (
	VOLE Method = iota // by a vector oblivious linear evaluation, which a dealer makes that is neither party
	ECDH               // by Diffie-Hellman on an elliptic curve, without a dealer
)

// String returns the method's name as reports have it, such as "psi".
func (m Method) String() string {
	if m == ECDH {
		return "ecdh"
	}
	return "psi"
}

// Spec describes an intersection: the method, the two parties, and their sets.
type Spec struct {
	Method  Method
	Parties []string // two names
	Keys    [][]Key  // by party, distinct; only their numbers count in a plan
	Network string   // link between the parties and from a dealer; "" or none: messages are not slowed down

	perMessage int // the largest number of points of a message of ECDH; 0: pointsPerMessage (tests take fewer)
}

// Outcome is the result of Run. Rows[p] are the positions of the common keys in party p's list. Rows[0][i] and
// Rows[1][i] have the same key; the order of i is random.
type Outcome struct {
	Rows   [2][]int
	Report *profile.Report
}

// session is an intersection that is run or planned.
type session struct {
	Spec
	lengths
	*runner
	receiver int // rank
	sides    [2]*side
	results  [2]*flow.Future[[]int32]
}

func newSession(s Spec, counts [2]int) (*session, error) {
	if s.Method > ECDH {
		return nil, fmt.Errorf("psi: no method has the number %d", s.Method)
	}
	names := &voleNames
	if s.Method == ECDH {
		names = &ecdhNames
	}
	r, err := newRunner(s.Parties, s.Network, s.Method.String(), names[:])
	if err != nil {
		return nil, err
	}
	for i, n := range counts {
		if err := check(s.Parties[i], n, MaxKeys); err != nil {
			return nil, err
		}
	}
	if s.perMessage == 0 {
		s.perMessage = pointsPerMessage
	}
	x := &session{Spec: s, runner: r}
	if counts[1] < counts[0] {
		x.receiver = 1
	}
	x.lengths = newLengths(s.Method, counts[x.receiver], counts[1-x.receiver])
	if s.Method == VOLE {
		x.manifest, x.dealtFor, x.dealtAt = &correlation.Manifest{Requests: []*correlation.Request{x.vole()}}, []int{opEncoding}, 1-x.receiver
	}
	return x, nil
}

// build adds both parties' steps to their graphs.
func (x *session) build() {
	for rank := range x.graphs {
		x.buildAt(rank)
	}
}

// buildAt adds a party's steps to its graph.
func (x *session) buildAt(rank int) {
	s := x.sides[rank]
	s.lengths, s.peer, s.name, s.perMessage = x.lengths, x.ranks[1-rank], x.Parties[1-rank], x.perMessage
	s.begin(x.graphs[rank], x.names, x.costs[rank])
	switch {
	case x.Method == ECDH && rank == x.receiver:
		x.results[rank] = s.receiveECDH()
	case x.Method == ECDH:
		x.results[rank] = s.sendECDH()
	case rank == x.receiver:
		x.results[rank] = s.receive()
	default:
		x.results[rank] = s.send()
	}
}

// Plan returns the report of a run of s for sets with the given numbers of keys, with predicted costs. s.Keys is not
// used.
func Plan(s Spec, counts [2]int) (*profile.Report, error) {
	x, err := newSession(s, counts)
	if err != nil {
		return nil, err
	}
	x.sides = [2]*side{{}, {}}
	return x.plan(x.build)
}

// Run computes the intersection of both parties' sets in this process, which has the keys of both and is the dealer, if
// the method has one. When ctx ends, Run returns its error.
func Run(ctx context.Context, s Spec) (*Outcome, error) {
	if len(s.Keys) != 2 {
		return nil, errors.New("psi: want the keys of two parties")
	}
	counts := [2]int{len(s.Keys[0]), len(s.Keys[1])}
	planned, err := Plan(s, counts)
	if err != nil {
		return nil, err
	}
	x, err := newSession(s, counts)
	if err != nil {
		return nil, err
	}
	for rank := range x.sides {
		x.sides[rank] = &side{keys: s.Keys[rank]}
	}
	r, err := x.run(ctx, planned, [2]dealtTo{x.sides[0], x.sides[1]}, x.build)
	if err != nil {
		return nil, err
	}
	out := &Outcome{Report: r}
	for rank, f := range x.results {
		for _, key := range f.Get() {
			if key >= 0 {
				out.Rows[rank] = append(out.Rows[rank], int(key))
			}
		}
	}
	return out, nil
}
