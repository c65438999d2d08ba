package party

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// State replaces an argument of a service by a result of each request, so that the next request reads what the last one
// computed. The value stays secret: parties keep it as shares. The results of all States are the last results of the
// program. The argument must be public, or resident and of a computing party; its data is the value for the first
// request.
type State struct {
	Arg, Result int // numbers of the program's argument and result, from 0
}

// firstState is the value of a state's argument that the first request reads. One computing party's share is the
// value and the others' are zero; the masks under which shares are opened hide both.
type firstState struct {
	holder int           // rank of the party whose share is the value
	data   *tensor.Array // nil in a plan, and in other processes than the holder's
}

// stateID is StoredShare.ID of all states: their values change with each request, and the session identifies them.
const stateID = "state"

// checkState refuses states that do not fit the job.
func (s *Spec) checkState() error {
	params, results := s.Program.Main.Body.Params, s.Program.Main.Results
	for i, st := range s.State {
		wrong := func(format string, args ...any) error { return wrongField("State", format, args...) }
		if st.Arg < 0 || st.Arg >= len(params) {
			return wrong("argument %d is none of the program's %d arguments (0 to %d)", st.Arg, len(params), len(params)-1)
		}
		if st.Result < 0 || st.Result >= len(results) {
			return wrong("result %d is none of the program's %d results (0 to %d)", st.Result, len(results), len(results)-1)
		}
		for _, other := range s.State[:i] {
			if other.Arg == st.Arg || other.Result == st.Result {
				return wrong("argument %d or result %d is named twice", st.Arg, st.Result)
			}
		}
		a, t := s.Args[st.Arg], params[st.Arg].Type
		switch {
		case st.Result < len(results)-len(s.State):
			return wrong("result %d is state, and a result after it is not (return the %d states after all other results)", st.Result, len(s.State))
		case s.clear():
			return wrong("%w", problem.Refusef("protocol %s has no shares to keep between requests", s.Protocol))
		case !results[st.Result].Equal(t):
			return wrong("result %d is %v, and argument %d, which it replaces, is %v", st.Result, results[st.Result], st.Arg, t)
		case t.DType.IsComplex():
			return wrong("argument %d is complex: complex numbers cannot be kept as shares (use two arguments)", st.Arg)
		case s.first != nil: // converted
		case a.Owner == Kept:
			return wrong("argument %d is a kept result (let a computing party or the public provide the first value)", st.Arg)
		case a.Owner != Public && !a.Resident:
			return wrong("argument %d is not resident (its owner provides the first value only: make it resident)", st.Arg)
		case a.Owner >= s.Computing:
			return wrong("argument %d belongs to %s, which does not compute (let a computing party or the public provide the first value)",
				st.Arg, s.Parties[a.Owner])
		case a.Range != nil:
			return wrong("argument %d has a declared range, which holds for its first value only (leave the range away)", st.Arg)
		}
	}
	switch {
	case len(s.State) == 0:
		return nil
	case s.Keep:
		return wrongField("State", "a job keeps its results, or a service its state, but not both (leave Keep away)")
	case s.Checkpoints != nil:
		return wrongField("State", "a program with state writes no checkpoints (leave Checkpoints away)")
	}
	return nil
}

// withState returns s with shares in place of the first values of the states.
func (s Spec) withState() Spec {
	if len(s.State) == 0 || s.first != nil {
		return s
	}
	s.Args = slices.Clone(s.Args)
	for _, st := range s.State {
		a := s.Args[st.Arg]
		s.first = append(s.first, firstState{max(a.Owner, 0), a.Data})
		t := s.Program.Main.Body.Params[st.Arg].Type
		r, scale := s.arith(nil).RingOf(t.DType), 0
		if t.DType.IsFloat() {
			scale = s.Fraction
		}
		s.Args[st.Arg] = Arg{Owner: Kept, Shares: s.firstShares(len(s.first)-1, r.Bits, scale, r.Bits-2)}
	}
	return s
}

// firstShares returns all parties' shares of a state's first value, in the given form.
func (s *Spec) firstShares(i, bits, scale, bound int) []*StoredShare {
	st := s.State[i]
	t := s.Program.Main.Body.Params[st.Arg].Type
	var out []*StoredShare
	for rank := range s.Parties {
		h := &StoredShare{
			ID: stateID, Result: st.Result, Type: t, Protocol: s.Protocol, Parties: s.Parties, Computing: s.Computing, Rank: rank,
			Fraction: s.Fraction, Ring: bits, Scale: scale, Bound: bound,
		}
		switch first, r := s.first[i], ring.Z(bits); {
		case rank >= s.Computing:
		case rank != first.holder:
			h.Words = make([]uint64, t.Shape.Size()*r.Words())
		case first.data != nil:
			h.Words = fxp.Encode(first.data, r, scale).Words()
		}
		out = append(out, h)
	}
	return out
}

// settleState changes the form of the states' arguments to that of the results which replace them, by dry runs.
func (s *Spec) settleState(ctx context.Context) error {
	if len(s.State) == 0 {
		return nil
	}
	const tries = 4
	for range tries {
		t := *s
		t.Machine, t.inspection, t.Unproved, t.Notice, t.Progress = nil, nil, nil, nil, nil
		x := &session{spec: &t, zero: map[int]ring.Seed{}, memo: &exec.Memo{}}
		if err := x.prepare(ctx); err != nil {
			return err
		}
		settled := true
		for i, st := range s.State {
			k, have := x.plan.results[st.Result].Kept, s.Args[st.Arg].Shares[0]
			bits, bound := k.S.Ring().Bits, k.S.Ring().Bits-2
			if have.Type.DType == tensor.Bool {
				bound = k.S.Bound()
			}
			same := have.Ring == bits && have.Scale == k.Scale && have.Bound == bound
			if s.sameForm && (have.Ring != bits || have.Scale != k.Scale || bound > have.Bound) {
				return wrongField("State", "result %d has %d fraction bits in a ring of %d, and the service's first program returns this state with %d in %d "+
					"(compute it alike in both programs)", st.Result, k.Scale, bits, have.Scale, have.Ring)
			}
			if !same && !s.sameForm {
				s.Args[st.Arg].Shares, settled = s.firstShares(i, bits, k.Scale, bound), false
			}
		}
		if settled {
			return nil
		}
	}
	return wrongField("State", "the form of a state changes with each request: %s (return it at the scale at which it was read)",
		s.Args[s.State[0].Arg].Shares[0].publicForm())
}

// isState reports whether a result replaces an argument of the next request.
func (s *Spec) isState(result int) bool {
	return slices.ContainsFunc(s.State, func(st State) bool { return st.Result == result })
}

// advance makes the next request, of whatever program, read the states that this one has computed.
func (v *Service) advance(l *execution) error {
	if len(l.spec.State) == 0 {
		return nil // requests run side by side
	}
	next := make([][]*StoredShare, len(l.spec.State))
	for i, st := range l.spec.State {
		old := v.spec().Args[st.Arg].Shares[0]
		for _, x := range l.sessions {
			h := x.keptShare(st.Result)
			if h.Ring != old.Ring || h.Scale != old.Scale {
				return errors.New("party: " + fmt.Sprintf("the form of result %d is not that of argument %d", st.Result, st.Arg))
			}
			h.ID, h.Bound = stateID, old.Bound
			next[i] = append(next[i], h)
		}
	}
	for _, p := range v.programs { // all states of all programs at once, after all have the right form
		s := p.opening.spec
		s.Args = slices.Clone(s.Args)
		for i, st := range s.State {
			s.Args[st.Arg].Shares = next[i]
		}
	}
	return nil
}
