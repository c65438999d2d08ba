package party

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc/semi2k"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Kept stands for a rank in Arg.Owner: nobody knows the argument, it is a result
// that an earlier run has kept.
const Kept = -2

// Held is one party's part of a result that nobody has learned: the computing
// parties have additive shares, the others what it is.
type Held struct {
	// ID is the same at all parties, and another for each result of each run.
	ID        string
	Result    int
	Type      tensor.Type
	Protocol  string   // of the run: it says who has shares
	Parties   []string // in rank order
	Computing int
	Rank      int
	Fraction  int // of the run, bits
	Ring      int // bits
	Scale     int // bits after the point
	Bound     int // |x| < 2^Bound, as an integer
	Words     []uint64

	unsettled bool // as a loop carries it, maybe in a narrower ring
}

// held are the results that a party's session has kept.
func (s *session) held() []*Held {
	var out []*Held
	for i, r := range s.results {
		if r.Kept == nil {
			continue
		}
		h := &Held{
			ID: fmt.Sprintf("%v-%d", s.begun, i), Result: i, Type: r.Type, Protocol: s.spec.Protocol, Parties: s.spec.Parties, Computing: s.spec.Computing, Rank: s.rank,
			Fraction: s.spec.Fraction, Ring: r.Kept.S.Ring().Bits, Scale: r.Kept.Scale, Bound: r.Kept.S.Bound(),
		}
		if s.computes() {
			h.Words = slices.Clone(semi2k.Additive(r.Kept.S).Words())
		}
		out = append(out, h)
	}
	return out
}

// share is what a party takes into a run of it; without words no more than its
// form.
func (h *Held) share() *fxp.Held {
	r := ring.Z(h.Ring)
	v := ring.Weightless(r, h.Type.Shape.Size())
	if h.Words != nil {
		v = ring.FromWords(r, h.Words)
	}
	return &fxp.Held{Vec: v, Scale: h.Scale, Bound: h.Bound}
}

// form is what all parties must agree on, beside which value it is.
func (h *Held) form() string {
	return fmt.Sprintf("%v, ring %d, scale %d, bound %d", h.Type, h.Ring, h.Scale, h.Bound)
}

// of is a party's part of a kept argument, or some other's, which says what it
// is.
func (a Arg) of(rank int) *Held {
	for _, h := range a.Held {
		if h.Rank == rank {
			return h
		}
	}
	other := *a.Held[0]
	other.Rank, other.Words = rank, nil
	return &other
}

// checkKept refuses kept values that do not fit.
func (s *Spec) checkKept() error {
	params := s.Program.Main.Body.Params
	for i, a := range s.Args {
		if a.Owner != Kept {
			continue
		}
		if len(a.Held) == 0 {
			return fmt.Errorf("party: argument %d is kept, and not there", i)
		}
		for _, h := range a.Held {
			switch {
			case h.ID != a.Held[0].ID || h.form() != a.Held[0].form():
				return fmt.Errorf("party: argument %d is made of parts of different runs' results", i)
			case s.Protocol == "plain":
				return fmt.Errorf("party: argument %d is kept in shares, of which protocol plain makes nothing", i)
			case !slices.Equal(h.Parties, s.Parties) || h.Computing != s.Computing:
				return fmt.Errorf("party: argument %d is kept by %v, of whom %d compute, not by %v, of whom %d do", i, h.Parties, h.Computing, s.Parties, s.Computing)
			case h.Protocol != s.Protocol:
				return fmt.Errorf("party: argument %d is kept by protocol %s, and the job's is %s", i, h.Protocol, s.Protocol)
			case !h.Type.Equal(params[i].Type):
				return fmt.Errorf("party: argument %d is kept as %v, the program wants %v", i, h.Type, params[i].Type)
			case h.Type.DType.IsFloat() && (h.Ring != s.Ring && !h.unsettled && !s.fine(h) || h.Fraction != s.Fraction):
				return fmt.Errorf("party: argument %d is kept in a ring of %d bits with %d of fraction, and the job has %d and %d", i, h.Ring, h.Fraction, s.Ring, s.Fraction)
			case h.Words != nil && len(h.Words) != h.Type.Shape.Size()*ring.Z(h.Ring).Words():
				return fmt.Errorf("party: argument %d is kept in %d words, which are not those of %v", i, len(h.Words), h.Type)
			}
		}
	}
	if !s.Keep {
		return nil
	}
	if s.Protocol == "plain" {
		return fmt.Errorf("party: protocol plain has no shares to keep")
	}
	for i, r := range s.Program.Main.Results {
		if r.DType.IsComplex() {
			return fmt.Errorf("party: result %d is complex: such are not kept", i)
		}
	}
	return nil
}

// fine reports whether a kept float is in the fine form (package fxp).
func (s *Spec) fine(h *Held) bool {
	r, scale := fxp.FineForm(ring.Z(s.Ring), s.Fraction)
	return h.Ring == r.Bits && h.Scale == scale
}

// keeps says of each result whether it is kept.
func (s *Spec) keeps() []bool {
	if !s.Keep {
		return nil
	}
	return slices.Repeat([]bool{true}, len(s.Program.Main.Results))
}

// keptArgs makes arguments of the kept ones.
func (s *session) keptArgs(args []exec.Arg) []exec.Arg {
	for i, a := range s.spec.Args {
		if a.Owner == Kept {
			args[i] = exec.Arg{Who: exec.Secret, Held: a.of(s.rank).share()}
		}
	}
	return args
}
