package party

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc/protocol"
	"github.com/tacet-mpc/tacet/mpc/protocols"
	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// The defaults of a Spec's zero fields Ring and Network; job files have the same. The default of Protocol is in
// package protocols.
const (
	DefaultRing    = 64     // the default ring, in bits
	DefaultNetwork = "none" // no network is declared: links are not slowed down
)

// FieldError says that a Spec's field is wrong. Its kind is usage, unless it wraps an error of kind
// unsupported or range.
type FieldError struct {
	Field    string // name of the field, such as "Ring", "Args" or "Reveal"
	Argument int    // number of the wrong argument if Field is "Args", from 0; −1 otherwise
	Err      error  // what is wrong
}

// Error returns the field, the argument's number if there is one, and what is wrong, such as "Spec.Args[1]: …".
func (e *FieldError) Error() string {
	if e.Argument >= 0 {
		return fmt.Sprintf("Spec.%s[%d]: %v", e.Field, e.Argument, e.Err)
	}
	return fmt.Sprintf("Spec.%s: %v", e.Field, e.Err)
}

// Unwrap returns Err.
func (e *FieldError) Unwrap() error { return e.Err }

func (e *FieldError) kind() problem.Kind {
	for _, k := range []problem.Kind{problem.Unsupported, problem.Range} {
		if errors.Is(e.Err, k) {
			return k
		}
	}
	return problem.Usage
}

// Is reports whether target is the error's kind: the kind of Err if that is unsupported or range, else usage.
func (e *FieldError) Is(target error) bool { return target == e.kind() }

// Describe sets those fields of p that are empty: kind, place (such as "Spec.Ring") and argument.
func (e *FieldError) Describe(p *problem.Problem) {
	p.SetKind(e.kind())
	problem.Set(&p.Place, "Spec."+e.Field)
	if e.Argument >= 0 && p.Argument == nil {
		p.Argument = &e.Argument
	}
}

// wrongField makes a FieldError that concerns no single argument.
func wrongField(field, format string, args ...any) error {
	return &FieldError{field, -1, fmt.Errorf(format, args...)}
}

// Resolve returns a copy of s in which zero fields have their defaults, and checks all settings. It does not
// look at Program and Args.
//
//	Protocol   semi2k; plain if there is one party
//	Ring       64
//	Fraction   8, 18 or 26 for rings of 32, 64 or 128 bits
//	Computing  all of Parties; 3 for aby3
//	Reveal     nil: all parties (an empty slice: no party)
//	Network    none
//
// Errors are *FieldError.
func (s Spec) Resolve() (Spec, error) {
	if len(s.Parties) == 0 {
		return s, wrongField("Parties", "there is no party (name them in rank order)")
	}
	if len(s.Parties) > maxNamed {
		return s, wrongField("Parties", "%d parties are more than %d", len(s.Parties), maxNamed)
	}
	for i, name := range s.Parties {
		if name == "" {
			return s, wrongField("Parties", "party %d has no name", i)
		}
		if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return s, wrongField("Parties", "the name %q has characters that cannot be printed", name)
		}
		if slices.Index(s.Parties, name) < i {
			return s, wrongField("Parties", "two parties are named %s", name)
		}
	}
	if s.Protocol == "" {
		s.Protocol = protocols.Default
		if len(s.Parties) == 1 {
			s.Protocol = protocols.Alone
		}
	}
	all := s.Computing == 0
	if all {
		s.Computing = len(s.Parties)
		if d, err := protocol.Find(s.Protocol); err == nil && d.Fixed() > 0 {
			s.Computing = d.Fixed()
		}
	}
	if named := len(s.Parties); all && s.Computing > named {
		return s, wrongField("Parties", "%s needs %d computing parties, and %d are named", s.Protocol, s.Computing, named)
	}
	if all && s.Computing > MaxParties {
		return s, wrongField("Parties", "at most %d parties compute, and %d are named (Computing says how many of them compute)", MaxParties, s.Computing)
	}
	if s.Computing < 1 || s.Computing > min(MaxParties, len(s.Parties)) {
		return s, wrongField("Computing", "want 1 to %d computing parties, got %d", min(MaxParties, len(s.Parties)), s.Computing)
	}
	if err := s.checkProtocol(); err != nil {
		return s, err
	}
	if s.Ring == 0 {
		s.Ring = DefaultRing
	}
	if err := CheckRing(s.Ring); err != nil {
		return s, &FieldError{"Ring", -1, err}
	}
	if s.Fraction == 0 {
		s.Fraction, _ = fxp.UsualFraction(s.Ring)
	}
	if err := CheckFraction(s.Ring, s.Fraction); err != nil {
		return s, &FieldError{"Fraction", -1, err}
	}
	if s.Reveal == nil {
		s.Reveal = make([]int, len(s.Parties))
		for rank := range s.Parties {
			s.Reveal[rank] = rank
		}
	}
	for i, rank := range s.Reveal {
		if rank < 0 || rank >= len(s.Parties) {
			return s, wrongField("Reveal", "rank %d is none of %d parties (0 to %d)", rank, len(s.Parties), len(s.Parties)-1)
		}
		if i > 0 && rank <= s.Reveal[i-1] {
			return s, wrongField("Reveal", "ranks must ascend, and %d follows %d", rank, s.Reveal[i-1])
		}
	}
	if s.Reveals < 0 {
		return s, wrongField("Reveals", "want 0 or more tensors, got %d", s.Reveals)
	}
	if len(s.Seed) > maxSeed {
		return s, wrongField("Seed", "want at most %d bytes, got %d", maxSeed, len(s.Seed))
	}
	if s.Store != "" && s.Seed != nil {
		return s, wrongField("Seed", "a store's sessions have their own seeds, which a fixed seed cannot change (leave out Seed or Store)")
	}
	if s.PairState != "" && s.Seed != nil {
		return s, wrongField("Seed", "a fixed seed would use kept keys twice with the same randomness (leave out Seed or PairState)")
	}
	if s.PairAge < 0 {
		return s, wrongField("PairAge", "want an age of 0 or more, got %v", s.PairAge)
	}
	if s.Network == "" {
		s.Network = DefaultNetwork
	}
	for i, name := range append([]string{s.Network}, s.Networks...) {
		if _, err := link.ParseShape(name); err != nil {
			return s, &FieldError{[]string{"Network", "Networks"}[min(i, 1)], -1, err}
		}
	}
	if _, err := fxp.ParseOptions(s.Set); err != nil {
		return s, &FieldError{"Set", -1, err}
	}
	return s, nil
}

const (
	maxNamed = 1024 // parties, including those that do not compute
	maxSeed  = 32   // bytes
)

// CheckRing returns an error unless a ring for floats can have this number of bits: 32, 64 or 128.
func CheckRing(bits int) error {
	if _, ok := fxp.UsualFraction(bits); !ok {
		return fmt.Errorf("want a ring of 32, 64 or 128 bits, got %d", bits)
	}
	return nil
}

// CheckFraction returns an error unless fraction is a number of fraction bits that a ring of so many bits
// permits: 1 ≤ fraction ≤ ring/2 − 3.
func CheckFraction(ring, fraction int) error {
	if most := ring/2 - 3; fraction < 1 || fraction > most {
		usual, _ := fxp.UsualFraction(ring)
		return fmt.Errorf("want 1 to %d fraction bits in a ring of %d, got %d (the default is %d)", most, ring, fraction, usual)
	}
	return nil
}

// checkProgram resolves a spec and checks Program and Args against each other. needs reports
// whether an argument's data is required.
func (s Spec) checkProgram(needs func(Arg) bool) (Spec, error) {
	s, err := s.Resolve()
	if err != nil {
		return s, err
	}
	if s.Program == nil || s.Program.Main == nil {
		return s, wrongField("Program", "there is no program (tacet.Parse, tacet.ReadProgram and package hlo/build make one)")
	}
	params := s.Program.Main.Body.Params
	if len(s.Args) != len(params) {
		return s, wrongField("Args", "%d arguments for a program that takes %d", len(s.Args), len(params))
	}
	for i, a := range s.Args {
		if err := s.checkArg(a, params[i].Type, needs(a)); err != nil {
			return s, &FieldError{"Args", i, err}
		}
	}
	return s, nil
}

// checkArg checks an argument except for its elements.
func (s *Spec) checkArg(a Arg, t tensor.Type, needed bool) error {
	if a.Owner != Public && a.Owner != Kept && (a.Owner < 0 || a.Owner >= len(s.Parties)) {
		return fmt.Errorf("owner %d is none of %d parties (0 to %d, or tacet.Public)", a.Owner, len(s.Parties), len(s.Parties)-1)
	}
	if a.Owner == Kept {
		return nil // checkKept
	}
	if a.Data == nil {
		if needed {
			return fmt.Errorf("there is no Data, and the program takes %v", t)
		}
		return nil
	}
	if err := a.Data.Check(); err != nil {
		return err
	}
	if !a.Data.Type.Equal(t) {
		return fmt.Errorf("Data is %v, and the program takes %v", a.Data.Type, t)
	}
	return nil
}

func needsNothing(Arg) bool  { return false }
func needsPublic(a Arg) bool { return a.Owner == Public }
func needsAll(a Arg) bool    { return a.Owner != Kept }
func needsOf(rank int) func(Arg) bool {
	return func(a Arg) bool { return a.Owner == Public || a.Owner == rank }
}

// needsResident returns the needs of a service's opening: public and resident arguments, of the
// party of the given rank or, for rank −1, of all parties.
func needsResident(rank int) func(Arg) bool {
	return func(a Arg) bool {
		return a.Owner == Public || a.Owner != Kept && a.Resident && (rank < 0 || a.Owner == rank)
	}
}
