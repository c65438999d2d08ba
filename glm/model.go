package glm

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/table"
)

// Family is the family of the target's distribution.
type Family string

// The families of the target's distribution.
const (
	Gaussian         Family = "gaussian"
	Binomial         Family = "binomial"          // the target is 0 or 1; with weights, a proportion of so many trials
	Poisson          Family = "poisson"           // the target is not negative
	Gamma            Family = "gamma"             // the target is positive
	Tweedie          Family = "tweedie"           // of variance μ^Power, 1 < Power < 2; the target is not negative
	NegativeBinomial Family = "negative_binomial" // of variance μ + Alpha·μ²; the target is not negative
)

// Link is the link function, which maps the mean of the target to the linear predictor.
type Link string

// The link functions of a mean μ.
const (
	Identity Link = "identity" // μ
	Logit    Link = "logit"    // log(μ/(1−μ))
	Log      Link = "log"      // log μ
	Inverse  Link = "inverse"  // 1/μ
)

// Families lists all families.
var (
	Families = []Family{Gaussian, Binomial, Poisson, Gamma, Tweedie, NegativeBinomial}
	// links has the links that each family may have, the default first.
	links = map[Family][]Link{
		Gaussian: {Identity, Log, Inverse}, Binomial: {Logit}, Poisson: {Log, Identity}, Gamma: {Inverse, Log, Identity},
		Tweedie: {Log}, NegativeBinomial: {Log},
	}
)

// Settings of the arithmetic.
const (
	ring     = 128
	fraction = 40
)

// Defaults and bounds of fields of a Model.
const (
	DefaultIterations = 8   // Model.Iterations if it is 0, but for families whose iterations are MoreIterations
	MoreIterations    = 12  // of Tweedie, NegativeBinomial, and Gaussian with link log or inverse
	MaxIterations     = 100 // maximum of Model.Iterations
	DefaultCondition  = 1e6 // Model.Condition if it is 0
	MaxCondition      = 1e8 // maximum of Model.Condition
	maxFeatures       = 1000
	maxRows           = 1 << 24
	maxCount          = 1 << 20 // of a Poisson target; with maxRows, sums of weighted products fit the ring
	maxLog            = 14.0    // log maxCount, rounded up
	DefaultPower      = 1.5     // Model.Power if it is 0
	DefaultAlpha      = 1.0     // Model.Alpha if it is 0
	maxWeight         = 1 << 12 // of a row, in units of the mean weight
)

// Party is a party with its prepared features, which the program standardises.
type Party struct {
	Name     string          // name of the party
	Features []table.Feature // its features; row i of all parties belongs together
}

// Model is a generalised linear model with an intercept, together with the parties' data or, for a plan, arrays
// of the same sizes.
type Model struct {
	Family  Family  // family of the target's distribution
	Link    Link    // "" for the family's default
	Parties []Party // in rank order; row i of all parties belongs together
	// Owner is the rank of the party that owns the target, and Target the target's values.
	Owner  int
	Target table.Feature
	// Offset, if not nil, is a feature of the party with rank OffsetOwner. It is added to the linear predictor
	// with the coefficient 1, such as the logarithm of an exposure. Only models with the link log or logit may
	// have one.
	Offset      *table.Feature
	OffsetOwner int
	// Weights, if not nil, is a feature of the party with rank WeightsOwner: prior weights of the rows, as statsmodels'
	// var_weights and R's weights. Those of a Binomial target that is a proportion are numbers of trials.
	Weights      *table.Feature
	WeightsOwner int
	Hidden       *Hidden // nil: row i of all parties belongs together
	Power        float64 // of family Tweedie, 0 for DefaultPower
	Alpha        float64 // of family NegativeBinomial, 0 for DefaultAlpha
	// L2 is the weight of the penalty L2/2·Σβ² on the coefficients of standardised features without the intercept, beside
	// the mean over rows of half the deviance.
	L2 float64
	// L1 is the weight of the further penalty L1·Σ|β|, which makes coefficients 0. A model with it has no standard errors.
	L1 float64
	// Base holds, for columns with a feature a level, the level that has none, by PARTY.COLUMN.
	Base map[string]string
	// Iterations is the number of iterations; 0 for DefaultIterations or MoreIterations. It is public, and the same whether or not
	// the fit converges earlier.
	Iterations int
	// Hessians is the number of iterations that compute the Hessian and its inverse: the first ones and the last. Others use the
	// inverse of an earlier one. 0: all. With fewer than Iterations, Hessians are computed from integers (package comment).
	Hessians int
	// SGD, if not nil, fits the model by stochastic gradient descent, for tables of many columns (package comment, Wide tables).
	SGD *SGD
	// CG, if not nil, computes the steps of all iterations by conjugate gradients, without a Hessian and without standard errors (package
	// comment, Conjugate gradients).
	CG *CG
	// Condition is an upper bound of the condition number of the scaled Hessian (package comment); 0 for
	// DefaultCondition.
	Condition float64
}

// Shape returns what all parties know of the model, with defaults filled in. It refuses features of different lengths.
func (m *Model) Shape() (*Shape, error) {
	s := Shape{
		Family: m.Family, Link: m.Link, Rows: len(m.Target.Values), Owner: m.Owner, OffsetOwner: -1, WeightsOwner: -1,
		Iterations: m.Iterations, Hessians: m.Hessians, Condition: m.Condition,
		Power: m.Power, Alpha: m.Alpha, L2: m.L2, L1: m.L1, Hidden: m.Hidden, SGD: m.SGD, CG: m.CG,
	}
	if m.Hidden != nil {
		s.Rows = m.Hidden.Rows[m.Hidden.Keeper]
	}
	for _, p := range m.Parties {
		s.Parties, s.Features = append(s.Parties, p.Name), append(s.Features, len(p.Features))
	}
	if m.Offset != nil {
		if s.OffsetOwner = m.OffsetOwner; m.OffsetOwner < 0 {
			s.OffsetOwner = len(m.Parties) // refused
		}
	}
	if m.Weights != nil {
		if s.WeightsOwner = m.WeightsOwner; m.WeightsOwner < 0 {
			s.WeightsOwner = len(m.Parties) // refused
		}
	}
	for rank := range m.Parties {
		if err := m.data(rank).checkRows(&s, rank); err != nil {
			return nil, err
		}
	}
	return s.Resolve()
}

// Data holds one party's columns of a model.
type Data struct {
	Features                []table.Feature
	Target, Offset, Weights *table.Feature // nil: not this party's
}

// data returns a party's part of the model.
func (m *Model) data(rank int) Data {
	d := Data{Features: m.Parties[rank].Features}
	if rank == m.Owner {
		d.Target = &m.Target
	}
	if m.Offset != nil && rank == m.OffsetOwner {
		d.Offset = m.Offset
	}
	if m.Weights != nil && rank == m.WeightsOwner {
		d.Weights = m.Weights
	}
	return d
}

// checkRows refuses numbers of rows other than those of the shape.
func (d Data) checkRows(s *Shape, rank int) error {
	const together = "the rows of all tables must belong together (method aligned)"
	rows := s.rows(rank)
	for _, f := range d.Features {
		if n := len(f.Values); n != rows {
			return fmt.Errorf("%s.%s has %d rows, but the target has %d: %s", s.Parties[rank], f.Name, n, rows, together)
		}
	}
	if d.Offset != nil && len(d.Offset.Values) != rows {
		return fmt.Errorf("offset %s has %d rows, but the target has %d: %s", d.Offset.Name, len(d.Offset.Values), rows, together)
	}
	if d.Weights != nil && len(d.Weights.Values) != rows {
		return fmt.Errorf("weights %s have %d rows, but the target has %d: %s", d.Weights.Name, len(d.Weights.Values), rows, together)
	}
	if d.Target != nil && len(d.Target.Values) != rows {
		return fmt.Errorf("target %s has %d rows, but the model has %d: %s", d.Target.Name, len(d.Target.Values), rows, together)
	}
	return nil
}

// checkOffset refuses offsets that the model does not have.
func (d Data) checkOffset() error {
	for i, x := range d.Offset.Values {
		if !(math.Abs(x) <= maxLog) {
			return fmt.Errorf("row %d of offset %s: the magnitude is above %v (an offset is on the scale of the link: the logarithm of an exposure)",
				i+1, d.Offset.Name, maxLog)
		}
	}
	return nil
}

// checkWeights refuses weights that the model does not have.
func (d Data) checkWeights() error {
	mean := 0.0
	for i, x := range d.Weights.Values {
		if !(x >= 0) || math.IsInf(x, 0) {
			return fmt.Errorf("row %d of weights %s: weights are 0 or above", i+1, d.Weights.Name)
		}
		mean += x / float64(len(d.Weights.Values))
	}
	for i, x := range d.Weights.Values {
		if !(x <= maxWeight*mean) || mean == 0 {
			return fmt.Errorf("row %d of weights %s: want at most %d times the mean weight, and a mean above 0", i+1, d.Weights.Name, maxWeight)
		}
	}
	if mean < 1.0/(1<<20) || mean > 1<<20 {
		return fmt.Errorf("weights %s are too large or too small (rescale them: the mean is from 2^-20 to 2^20)", d.Weights.Name)
	}
	return nil
}

// checkTarget refuses targets that the model does not have.
func (s *Shape) checkTarget(d Data) error {
	if err := s.checkValues(d); err != nil {
		return err
	}
	if slices.Max(d.Target.Values) == slices.Min(d.Target.Values) {
		return fmt.Errorf("all values of target %s are equal", d.Target.Name)
	}
	return nil
}

// checkValues refuses values of the target that the family does not have.
func (s *Shape) checkValues(d Data) error {
	for i, y := range d.Target.Values {
		fits, want := true, ""
		switch s.Family {
		case Gaussian:
			if fits, want = y > 0 || s.Link == Identity, fmt.Sprintf("above 0 with link %s", s.Link); fits {
				fits = !math.IsInf(y, 0) && !math.IsNaN(y)
			}
		case Binomial:
			if fits, want = y == 0 || y == 1, "0 or 1 (with weights, proportions)"; s.WeightsOwner >= 0 {
				fits, want = y >= 0 && y <= 1, "from 0 to 1"
			}
		case Poisson, NegativeBinomial, Tweedie:
			fits, want = y >= 0 && y <= maxCount, "from 0 to 2^20"
		case Gamma:
			fits, want = y > 0, "above 0"
		}
		if !fits {
			return fmt.Errorf("row %d of target %s: values of family %s are %s", i+1, d.Target.Name, s.Family, want)
		}
	}
	return nil
}

// scales returns the mean and the standard deviation of a feature.
func scales(f table.Feature) (mean, sd float64, err error) {
	n := float64(len(f.Values))
	for _, x := range f.Values {
		mean += x / n
	}
	for _, x := range f.Values {
		sd += (x - mean) * (x - mean) / n
	}
	sd = math.Sqrt(sd)
	const most = 1 << 20
	switch {
	case sd <= 1e-12*math.Abs(mean) || sd == 0:
		return 0, 0, fmt.Errorf("all values of %s are equal: leave it out, since the model has an intercept", f.Name)
	case sd > most || sd < 1.0/most || math.Abs(mean) > most*sd || math.IsInf(sd, 0) || math.IsNaN(sd):
		return 0, 0, fmt.Errorf("%s has values too large, too small or too far from 0 for its spread (rescale it: "+
			"the standard deviation is from 2^-20 to 2^20, and the mean at most 2^20 times as large)", f.Name)
	}
	return mean, sd, nil
}
