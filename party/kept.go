package party

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Kept is the Owner of an argument that no party knows: a result that an earlier run has kept as shares
// (Arg.Shares).
const Kept = -2

// StoredShare is one party's share of a result that was kept secret. Computing parties hold additive shares; the
// other parties hold the description without Words.
type StoredShare struct {
	// By says whose results these are, by the caller that stores the share; package party takes no notice of it. It is the first
	// field of the JSON object, so that a file of large shares need not be read for it.
	By string `json:",omitempty"`
	// ID identifies the result of a run: it is the same at all parties, and different for each result of each
	// run.
	ID        string
	Result    int         // number of the result in the run's program, from 0
	Type      tensor.Type // shape and element type of the result
	Protocol  string      // the run's protocol, which determines which parties hold shares
	Parties   []string    // in rank order
	Computing int         // number of computing parties
	Rank      int         // rank of the party that holds the share
	Fraction  int         // fraction bits of the run
	Ring      int         // bits of the ring of the share
	Scale     int         // fraction bits of the result: the integer is the value times 2^Scale
	Bound     int         // bound of the result's integers x: |x| < 2^Bound
	// Words is the share: for each element one 64-bit word, or two for rings above 64 bits. It is nil at parties
	// that do not compute.
	Words []uint64
	// Note says what the results are, by the caller that stores the share; package party takes no notice of it.
	Note string `json:",omitempty"`

	fromCheckpoint bool // a live-in value of a loop, possibly in a narrower ring
}

// keptShares are the results that this party's session keeps.
func (s *session) keptShares() []*StoredShare {
	if !s.spec.Keep {
		return nil
	}
	var out []*StoredShare
	for i := range s.results {
		out = append(out, s.keptShare(i))
	}
	return out
}

// keptShare is this party's share of a result that its session keeps.
func (s *session) keptShare(i int) *StoredShare {
	r := s.results[i]
	h := &StoredShare{
		ID: fmt.Sprintf("%v-%d", s.sessionID, i), Result: i, Type: r.Type,
		Protocol: s.spec.Protocol, Parties: s.spec.Parties, Computing: s.spec.Computing, Rank: s.rank,
		Fraction: s.spec.Fraction, Ring: r.Kept.S.Ring().Bits, Scale: r.Kept.Scale, Bound: r.Kept.S.Bound(),
	}
	if s.computes() {
		h.Words = slices.Clone(r.Kept.S.(mpc.Additive).Additive().Words())
	}
	return h
}

// fxpShare is the share as an input of a run; if Words is nil, a vector without data. Several requests of a service may
// use the same Words at once: none writes them.
func (h *StoredShare) fxpShare() *fxp.StoredShare {
	r := ring.Z(h.Ring)
	v := ring.ShapeOnly(r, h.Type.Shape.Size())
	if h.Words != nil {
		v = ring.FromReduced(r, h.Words)
	}
	return &fxp.StoredShare{Vec: v, Scale: h.Scale, Bound: h.Bound}
}

// publicForm describes the form that all parties must agree on; it does not include the id.
func (h *StoredShare) publicForm() string {
	return fmt.Sprintf("%v, ring %d, scale %d, bound %d", h.Type, h.Ring, h.Scale, h.Bound)
}

// shareOf is the share of a kept argument that the party of a rank holds; for parties outside this
// process, its description without words.
func (a Arg) shareOf(rank int) *StoredShare {
	for _, h := range a.Shares {
		if h.Rank == rank {
			return h
		}
	}
	other := *a.Shares[0]
	other.Rank, other.Words = rank, nil
	return &other
}

// checkKept refuses kept arguments that do not fit the job.
func (s *Spec) checkKept() error {
	params := s.Program.Main.Body.Params
	for i, a := range s.Args {
		if a.Owner != Kept {
			continue
		}
		if len(a.Shares) == 0 {
			return &FieldError{"Args", i, errors.New("its owner is Kept, an earlier run whose results were kept as shares, and it has no Shares")}
		}
		for _, h := range a.Shares {
			switch {
			case h.ID != a.Shares[0].ID || h.publicForm() != a.Shares[0].publicForm():
				return &FieldError{"Args", i, fmt.Errorf("its shares are of results of different runs")}
			case s.clear():
				return &FieldError{"Args", i, fmt.Errorf("it is kept as shares, which protocol %s cannot use", s.Protocol)}
			case !slices.Equal(h.Parties, s.Parties) || h.Computing != s.Computing:
				return &FieldError{
					"Args",
					i,
					fmt.Errorf(
						"its shares are kept by parties %v (%d computing), the job has %v (%d computing)",
						h.Parties,
						h.Computing,
						s.Parties,
						s.Computing,
					),
				}
			case h.Protocol != s.Protocol:
				return &FieldError{"Args", i, fmt.Errorf("its shares are of protocol %s, the job has protocol %s", h.Protocol, s.Protocol)}
			case !h.Type.Equal(params[i].Type):
				return &FieldError{"Args", i, fmt.Errorf("its shares are a %v, the program takes %v", h.Type, params[i].Type)}
			case !s.acceptsForm(h.Ring, h.Scale, h.Bound, h.Type):
				return &FieldError{"Args", i, fmt.Errorf("its shares have an impossible form: %s", h.publicForm())}
			case h.Type.DType.IsFloat() && (h.Ring != s.Ring && !h.fromCheckpoint && !s.isFineForm(h) || h.Fraction != s.Fraction):
				return &FieldError{
					"Args",
					i,
					fmt.Errorf("its shares have a ring of %d bits and %d fraction bits, the job has %d and %d", h.Ring, h.Fraction, s.Ring, s.Fraction),
				}
			case h.Words != nil && len(h.Words) != h.Type.Shape.Size()*ring.Z(h.Ring).Words():
				return &FieldError{"Args", i, fmt.Errorf("its share has %d words, which does not fit %v", len(h.Words), h.Type)}
			case !ring.Reduced(ring.Z(h.Ring), h.Words):
				return &FieldError{"Args", i, fmt.Errorf("its share has elements outside a ring of %d bits", h.Ring)}
			}
		}
	}
	if !s.Keep {
		return nil
	}
	if s.clear() {
		return fmt.Errorf("party: protocol %s has no shares to keep", s.Protocol)
	}
	for i, r := range s.Program.Main.Results {
		if r.DType.IsComplex() {
			return &FieldError{"Keep", -1, fmt.Errorf("result %d is complex: complex results cannot be kept as shares (do not keep the results)", i)}
		}
	}
	return nil
}

// acceptsForm reports whether shares of a value of type t can have this ring, scale and bound.
func (s *Spec) acceptsForm(bits, scale, bound int, t tensor.Type) bool {
	most := t.DType.Bits()
	if t.DType.IsFloat() {
		most = fxp.WidestRing(ring.Z(s.Ring), s.Fraction)
	}
	return bits > 0 && bits <= most && scale >= 0 && scale <= bits && bound >= -1 && bound <= bits // −1: a bit
}

// isFineForm reports whether a kept float is in the fine form (package fxp).
func (s *Spec) isFineForm(h *StoredShare) bool {
	r, scale := fxp.FineForm(ring.Z(s.Ring), s.Fraction)
	return h.Ring == r.Bits && h.Scale == scale
}

// keptResults reports for each result whether it is kept as shares; nil if none is.
func (s *Spec) keptResults() []bool {
	if !s.Keep && len(s.State) == 0 {
		return nil
	}
	out := make([]bool, len(s.Program.Main.Results))
	for i := range out {
		out[i] = s.Keep || s.isState(i)
	}
	return out
}

// keptArgs replaces the kept ones of args by this party's shares.
func (s *session) keptArgs(args []exec.Arg) []exec.Arg {
	for i, a := range s.spec.Args {
		if a.Owner == Kept {
			args[i] = exec.Arg{Who: exec.Secret, Held: a.shareOf(s.rank).fxpShare()}
		}
	}
	return args
}

// Check returns an error unless the share, which was read from a file or another process, is consistent: known
// protocol, ranks, sizes and bounds that a run can produce, and as many Words as the type and rank need, all of them
// elements of the ring.
func (h *StoredShare) Check() error {
	d, err := protocol.Find(h.Protocol)
	if err != nil {
		return err
	}
	size := 1
	for _, n := range h.Type.Shape {
		if n < 0 || n > 0 && size > maxKept/n {
			return fmt.Errorf("its shape is %v", h.Type.Shape)
		}
		size *= n
	}
	computes := h.Rank < h.Computing
	switch {
	case d.Clear:
		return fmt.Errorf("protocol %s keeps no shares", h.Protocol)
	case h.ID == "" || h.Result < 0:
		return fmt.Errorf("it names no result of a run")
	case len(h.Parties) < 2 || h.Computing < 1 || h.Computing > len(h.Parties) || h.Rank < 0 || h.Rank >= len(h.Parties):
		return fmt.Errorf("rank %d of %d parties, of which %d compute", h.Rank, len(h.Parties), h.Computing)
	case h.Ring < 1 || h.Ring > maxKeptRing || min(h.Scale, h.Bound, h.Fraction) < 0 || max(h.Scale, h.Bound, h.Fraction) > h.Ring:
		return fmt.Errorf("ring %d, scale %d, bound %d, fraction %d", h.Ring, h.Scale, h.Bound, h.Fraction)
	case computes && len(h.Words) != size*ring.Z(h.Ring).Words() || !computes && len(h.Words) > 0:
		return fmt.Errorf("it has %d words, which does not fit %v at rank %d", len(h.Words), h.Type, h.Rank)
	case !ring.Reduced(ring.Z(h.Ring), h.Words):
		return fmt.Errorf("it has elements outside a ring of %d bits", h.Ring)
	}
	return nil
}

// Limits of kept shares that are read from outside: elements, and bits of a ring.
const (
	maxKept     = 1 << 32
	maxKeptRing = 256
)
