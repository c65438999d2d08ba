package glm

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/tensor"
)

// Shape describes a model by what all parties know of it, without data. The program depends on the Shape alone. Methods
// other than Resolve need the Shape that Resolve returned.
type Shape struct {
	Family   Family
	Link     Link     // "": the family's default
	Parties  []string // in rank order
	Features []int    // number of features of each party, by rank
	Rows     int
	// Owner and OffsetOwner are the ranks of the owners of the target and of the offset; OffsetOwner is -1 without an
	// offset.
	Owner, OffsetOwner int
	WeightsOwner       int     // rank of the owner of prior weights, -1 without weights
	Hidden             *Hidden // nil: row i of all parties belongs together
	// Stacked, if not nil, are the numbers of rows of the parties' tables, by rank, whose rows are those of one table (type Stacked). A party
	// whose number is 0 is beside them: it has further columns of all rows, those of the first party's table first.
	Stacked      stacked.Rows
	Iterations   int     // 0: DefaultIterations
	Condition    float64 // 0: DefaultCondition
	Hessians     int     // that of Model
	SGD          *SGD    // that of Model
	CG           *CG     // that of Model
	Power, Alpha float64 // those of Model, as are L2 and L1
	L2, L1       float64
}

// Resolve returns a copy of the Shape with defaults in place of zero fields. It returns an error that names the field
// if the model cannot be fitted.
func (s Shape) Resolve() (*Shape, error) {
	if s.Stacked != nil {
		if err := s.checkStacked(); err != nil {
			return nil, err
		}
		s.Rows = s.Stacked.Total()
	}
	known, ok := links[s.Family]
	if !ok {
		return nil, fmt.Errorf("family %q is unknown (%v)", s.Family, Families)
	}
	if s.Link == "" {
		s.Link = known[0]
	}
	if !slices.Contains(known, s.Link) {
		return nil, fmt.Errorf("link %q is not among those of family %s (%v)", s.Link, s.Family, known)
	}
	if s.SGD != nil {
		return s.resolveSGD()
	}
	if s.CG != nil {
		if err := s.resolveCG(); err != nil {
			return nil, err
		}
	}
	if s.Iterations == 0 {
		if s.Iterations = DefaultIterations; s.Family == Tweedie || s.Family == NegativeBinomial ||
			s.Family == Gaussian && s.Link != Identity || s.Hessians > 0 {
			s.Iterations = MoreIterations
		}
	}
	if s.Iterations < 2 || s.Iterations > MaxIterations {
		return nil, fmt.Errorf("iterations: want 2 to %d, got %d", MaxIterations, s.Iterations)
	}
	if s.Condition == 0 {
		s.Condition = DefaultCondition
	}
	if !(s.Condition >= 10 && s.Condition <= MaxCondition) {
		return nil, fmt.Errorf("condition: want a bound from 10 to %g, got %v", float64(MaxCondition), s.Condition)
	}
	if err := s.resolveFamily(); err != nil {
		return nil, err
	}
	if s.Owner < 0 || s.Owner >= len(s.Parties) {
		return nil, fmt.Errorf("the target has no owner among the %d parties", len(s.Parties))
	}
	if s.OffsetOwner >= 0 && s.Link != Log && s.Link != Logit {
		return nil, fmt.Errorf("an offset is for links log and logit, not %s", s.Link)
	}
	if s.OffsetOwner >= len(s.Parties) {
		return nil, fmt.Errorf("the offset has no owner among the %d parties", len(s.Parties))
	}
	if s.WeightsOwner >= len(s.Parties) {
		return nil, fmt.Errorf("the weights have no owner among the %d parties", len(s.Parties))
	}
	if err := s.checkHidden(); err != nil {
		return nil, err
	}
	if len(s.Features) != len(s.Parties) || slices.Min(s.Features) < 0 || slices.Max(s.Features) >= s.mostFeatures() {
		return nil, fmt.Errorf("want the numbers of features of %d parties, each below %d%w", len(s.Parties), s.mostFeatures(), s.wider())
	}
	if s.Hessians == 0 && s.CG == nil {
		s.Hessians = s.Iterations
	}
	if s.CG == nil && s.Hessians < 1 || s.Hessians > s.Iterations {
		return nil, fmt.Errorf("hessians: want 1 to the number of iterations, %d, got %d", s.Iterations, s.Hessians)
	}
	if (s.L1 > 0 || s.Hidden != nil || s.Stacked != nil) && s.long() { // features of a hidden join are no owner's to round
		return nil, fmt.Errorf("hessians: a model with l1, and one of a hidden join or of stacked tables, computes the Hessian in every iteration (leave hessians out)")
	}
	switch p := s.coefficients(); {
	case p == 1:
		return nil, fmt.Errorf("the model has no features")
	case p > s.mostFeatures():
		return nil, fmt.Errorf("the model has %d features, more than %d%w", p-1, s.mostFeatures()-1, s.wider())
	case s.Rows > maxRows:
		return nil, fmt.Errorf("the tables have %d rows, more than %d", s.Rows, maxRows)
	case s.Rows <= p:
		return nil, fmt.Errorf("the tables have %d rows, too few for %d coefficients", s.Rows, p)
	}
	return &s, nil
}

// resolveFamily fills in and refuses parameters of families and of the penalty.
func (s *Shape) resolveFamily() error {
	for _, x := range []struct {
		is              *float64
		name            string
		family          Family
		otherwise       float64
		least, most     float64
		leastIs, mostIs string
	}{
		{&s.Power, "power", Tweedie, DefaultPower, 1.01, 1.99, "1.01", "1.99"},
		{&s.Alpha, "alpha", NegativeBinomial, DefaultAlpha, 1.0 / 1024, 1024, "2^-10", "2^10"},
	} {
		switch {
		case s.Family != x.family && *x.is != 0:
			return fmt.Errorf("%s is for family %s, not %s", x.name, x.family, s.Family)
		case s.Family == x.family && *x.is == 0:
			*x.is = x.otherwise
		case s.Family == x.family && !(*x.is >= x.least && *x.is <= x.most):
			return fmt.Errorf("%s: want %s to %s, got %v", x.name, x.leastIs, x.mostIs, *x.is)
		}
	}
	for _, x := range []struct {
		name string
		is   float64
	}{{"l2", s.L2}, {"l1", s.L1}} {
		if x.is != 0 && !(x.is >= 1e-6 && x.is <= 1e3) {
			return fmt.Errorf("%s: want 1e-6 to 1000, or 0, got %v", x.name, x.is)
		}
	}
	if s.L2+s.L1 > 0 && !s.penalised() {
		key := "l2"
		if s.L2 == 0 {
			key = "l1"
		}
		return fmt.Errorf("%s: l2 and l1 are for gaussian with link identity, binomial, poisson, negative_binomial, and gamma with link log, "+
			"whose penalty does not depend on the target's unit; not for %s with link %s", key, s.Family, s.Link)
	}
	return nil
}

// penalised reports whether the model may have a penalty: a target in other units has the same coefficients, or those times the
// unit.
func (s *Shape) penalised() bool {
	switch s.Family {
	case Binomial, Poisson, NegativeBinomial:
		return true
	case Gaussian:
		return s.Link == Identity
	case Gamma:
		return s.Link == Log
	}
	return false
}

// Coefficients returns the number of coefficients, the intercept included.
func (s *Shape) Coefficients() int { return s.coefficients() }

// Program returns the program that fits the model.
func (s *Shape) Program() (*hlo.Program, error) { return s.program() }

// Owners returns, for each argument of the program, the rank of its owner; party.Kept for weights and columns that a hidden join
// makes.
func (s *Shape) Owners() []int {
	if s.SGD != nil {
		return s.sgdOwners()
	}
	out := s.stackedOwners()
	if s.Hidden != nil {
		out = append(out, party.Kept)
	}
	for rank, k := range s.Features {
		if k > 0 && !s.piece(rank) {
			out = append(out, s.rowsOwner(rank), rank, rank)
		}
	}
	if s.OffsetOwner >= 0 && !s.piece(s.OffsetOwner) {
		out = append(out, s.rowsOwner(s.OffsetOwner))
	}
	if s.WeightsOwner >= 0 && !s.piece(s.WeightsOwner) {
		out = append(out, s.rowsOwner(s.WeightsOwner), s.WeightsOwner)
	}
	if s.piece(s.Owner) {
		return out
	}
	out = append(out, s.rowsOwner(s.Owner))
	if s.dispersed() {
		out = append(out, s.Owner, s.Owner)
	}
	if len(s.own()) > 0 {
		out = append(out, s.Owner)
	}
	return out
}

// Spec returns the spec of the fit without data: all parties compute, and all learn the results. The caller may set
// protocol and network.
func (s *Shape) Spec() (party.Spec, error) {
	spec := party.Spec{Ring: ring, Fraction: fraction, Parties: s.Parties, Computing: len(s.Parties), Network: party.DefaultNetwork}
	for rank := range s.Parties {
		spec.Reveal = append(spec.Reveal, rank)
	}
	for _, owner := range s.Owners() {
		spec.Args = append(spec.Args, party.Arg{Owner: owner})
	}
	var err error
	spec.Program, err = s.program()
	return spec, err
}

// Args returns a list with an entry for each argument of the program: the array of an argument that the party of the
// given rank provides, and nil for each other one. It returns an error, which contains no value, if d differs from the
// Shape.
func (s *Shape) Args(rank int, d Data) ([]*tensor.Array, error) {
	if s.piece(rank) {
		return s.stackedArgs(rank, d)
	}
	if err := s.checkData(rank, d); err != nil {
		return nil, err
	}
	if s.SGD != nil {
		return s.sgdArgs(rank, d)
	}
	out := make([]*tensor.Array, len(s.stackedOwners()))
	if s.Hidden != nil {
		out = append(out, nil)
	}
	rows := s.rows(rank)
	give := func(owner int, values func() []float64, dims ...int) {
		if owner != rank {
			out = append(out, nil)
			return
		}
		out = append(out, tensor.FromFloats(tensor.F64, tensor.Shape(dims), values()))
	}
	of := func(values []float64) func() []float64 { return func() []float64 { return values } }
	for owner, k := range s.Features {
		if k == 0 || s.piece(owner) {
			continue
		}
		var x, shift, scale []float64
		if owner == rank {
			var err error
			if x, shift, scale, err = standardised(d, rows); err == nil && s.long() {
				err = d.checkFarthest(x)
			}
			if err != nil {
				return nil, err
			}
		}
		give(owner, of(x), rows, k)
		give(owner, of(shift), k)
		give(owner, of(scale), k)
	}
	if s.OffsetOwner >= 0 && !s.piece(s.OffsetOwner) {
		give(s.OffsetOwner, func() []float64 { return d.Offset.Values }, rows)
	}
	if s.WeightsOwner >= 0 && !s.piece(s.WeightsOwner) {
		var prior []float64
		total := 0.0
		if rank == s.WeightsOwner {
			for _, v := range d.Weights.Values {
				total += v / float64(rows)
			}
			for _, v := range d.Weights.Values {
				prior = append(prior, v/total)
			}
		}
		give(s.WeightsOwner, of(prior), rows)
		give(s.WeightsOwner, of([]float64{total}))
	}
	if s.piece(s.Owner) {
		return out, nil
	}
	var y []float64
	var mean, unit float64
	if rank == s.Owner {
		var err error
		if y, mean, unit, err = s.target(d); err != nil {
			return nil, err
		}
	}
	give(s.Owner, of(y), rows)
	if s.dispersed() {
		give(s.Owner, of([]float64{mean}))
		give(s.Owner, of([]float64{unit}))
	}
	if n := len(s.own()); n > 0 {
		give(s.Owner, func() []float64 { return s.ownValues(d.Target.Values) }, n)
	}
	return out, nil
}

// checkData refuses data that is not of the shape.
func (s *Shape) checkData(rank int, d Data) error {
	if n := s.Features[rank]; len(d.Features) != n {
		return fmt.Errorf("%s has %d features, and the model says %d", s.Parties[rank], len(d.Features), n)
	}
	if (d.Target != nil) != (rank == s.Owner) || (d.Offset != nil) != (rank == s.OffsetOwner) ||
		(d.Weights != nil) != (rank == s.WeightsOwner) {
		return fmt.Errorf("the target, the offset or the weights are not that of the party that the model says")
	}
	if err := d.checkRows(s, rank); err != nil {
		return err
	}
	if d.Offset != nil {
		if err := d.checkOffset(); err != nil {
			return err
		}
	}
	if d.Weights != nil {
		if err := d.checkWeights(); err != nil {
			return err
		}
	}
	if d.Target == nil {
		return nil
	}
	if err := s.checkTarget(d); err != nil || !s.once() {
		return err
	}
	return s.checkScores(d)
}

// standardised returns the features standardised, row by row, and their mean/sd and 1/sd.
func standardised(d Data, rows int) (x, shift, scale []float64, err error) {
	k := len(d.Features)
	x, shift, scale = make([]float64, k*rows), make([]float64, k), make([]float64, k)
	for j, f := range d.Features {
		mean, sd, err := scales(f)
		if err != nil {
			return nil, nil, nil, err
		}
		for i, v := range f.Values {
			x[i*k+j] = (v - mean) / sd
		}
		shift[j], scale[j] = mean/sd, 1/sd
	}
	return x, shift, scale, nil
}

// target returns the target in its owner's scale: y = (target − mean)/unit, where unit is a power of two.
func (s *Shape) target(d Data) (y []float64, mean, unit float64, err error) {
	y, unit = make([]float64, len(d.Target.Values)), 1
	switch {
	case s.centred():
		sd := 0.0
		if mean, sd, err = scales(*d.Target); err != nil {
			return nil, 0, 0, err
		}
		unit = powerOfTwo(sd)
	case s.dispersed():
		total := 0.0
		for _, v := range d.Target.Values {
			total += v / float64(len(y))
		}
		unit = powerOfTwo(total)
		if !(unit >= 1.0/maxCount && unit <= maxCount) {
			return nil, 0, 0, fmt.Errorf("%s has values too large or too small (rescale it: the mean is from 2^-20 to 2^20)", d.Target.Name)
		}
	}
	for i, v := range d.Target.Values {
		y[i] = (v - mean) / unit
	}
	return y, mean, unit, nil
}

// centred reports whether the target's owner subtracts its mean.
func (s *Shape) centred() bool { return s.Family == Gaussian && s.Link == Identity }

func powerOfTwo(x float64) float64 { return math.Exp2(math.Round(math.Log2(x))) }
