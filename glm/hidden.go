package glm

import (
	"fmt"

	"github.com/tacet-mpc/tacet/bins"
	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/tensor"
)

// Hidden describes a hidden join (package hidden), which matched the rows. Prior weights multiply its weights. Of a left join the weight
// is a further feature; target, offset and prior weights are the keeper's then.
type Hidden = hidden.Join

// checkHidden refuses what is no hidden join of a model's rows.
func (s *Shape) checkHidden() error {
	h := s.Hidden
	if err := h.Check("models", len(s.Parties), s.Rows, hidden.Inner, hidden.Left); err != nil || h == nil {
		return err
	}
	if err := h.CheckTarget(s.Owner, s.Parties); err != nil || h.Kind != hidden.Left {
		return err
	}
	for _, x := range []struct {
		what string
		rank int
	}{{"offset", s.OffsetOwner}, {"weights", s.WeightsOwner}} {
		if x.rank >= 0 && x.rank != h.Keeper {
			return fmt.Errorf("the %s of a left join are columns of %s, which keeps its rows (keeper)", x.what, s.Parties[h.Keeper])
		}
	}
	if s.L1 > 0 {
		return fmt.Errorf("l1 is not for left joins")
	}
	return nil
}

// JoinedName is what follows the other party's name in the name of the feature that says which rows of a left join match.
const JoinedName = " (joined)"

// left reports whether a left join matched the rows.
func (s *Shape) left() bool { return s.Hidden != nil && s.Hidden.Kind == hidden.Left }

// matchArg is the number of the argument that holds the weights of a hidden join.
const matchArg = 0

// MatchArg returns the number of the program's argument that holds the weights of a hidden join; false without one.
func (s *Shape) MatchArg() (int, bool) { return matchArg, s.Hidden != nil }

// MatchArg returns Shape.MatchArg of the model's shape.
func (m *Model) MatchArg() (int, bool) { return matchArg, m.Hidden != nil }

// Moved returns, for each argument of the program that comes to the keeper's rows as shares, what the other party provides: an array
// with a row for each row of its own table. It returns nil for other arguments.
func (m *Model) Moved() ([]*tensor.Array, error) {
	s, err := m.Shape()
	if err != nil {
		return nil, err
	}
	args, err := s.Args(1-s.Hidden.Keeper, m.data(1-s.Hidden.Keeper))
	if err != nil {
		return nil, err
	}
	spec, err := s.Spec()
	return hidden.Moved(&spec, args), err
}

// rows returns the number of rows of a party's table.
func (s *Shape) rows(rank int) int { return s.Hidden.OfParty(rank, s.Rows) }

// rowsOwner returns the owner of an argument with values of a party's rows.
func (s *Shape) rowsOwner(rank int) int { return s.Hidden.Owner(rank) }

// leastMatches is the number of matching rows below which the model is not revealed: one of as many coefficients or more shows values of
// these rows, with a penalty too, and a party that chooses its keys would choose whose. With one coefficient they are five at least.
func (s *Shape) leastMatches() int {
	p := s.coefficients()
	if s.left() {
		p = s.Features[1-s.Hidden.Keeper] + 1 // the coefficients that belong to rows that match
	}
	return max(bins.DefaultMinGroup, p+1)
}

// moved reports whether the target comes to the keeper's rows as shares.
func (s *Shape) moved() bool { return s.rowsOwner(s.Owner) != s.Owner }

// least returns a number that stands for 0 where logarithms of the target are taken.
func (s *Shape) least() float64 {
	if s.moved() || s.scaled() {
		return 1.0 / (1 << fraction) // the program computes them
	}
	return 1e-300 // the target's owner does
}

// weighted reports whether rows have weights.
func (s *Shape) weighted() bool { return s.WeightsOwner >= 0 || s.joins() }

// joins reports whether the weights of a hidden join say which rows count.
func (s *Shape) joins() bool { return s.Hidden.Weighs() }
