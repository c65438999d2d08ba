package glm

import (
	"fmt"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/table"
)

// Family is the family of the target's distribution.
type Family string

// The families of the target's distribution, with the link functions that each may have.
const (
	Gaussian Family = "gaussian" // link identity
	Binomial Family = "binomial" // link logit; the target is 0 or 1
	Poisson  Family = "poisson"  // link log; the target is not negative
	Gamma    Family = "gamma"    // link inverse (the default) or log; the target is positive
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
	Families = []Family{Gaussian, Binomial, Poisson, Gamma}
	links    = map[Family][]Link{Gaussian: {Identity}, Binomial: {Logit}, Poisson: {Log}, Gamma: {Inverse, Log}}
)

// Settings of the arithmetic.
const (
	ring     = 128
	fraction = 40
)

// Defaults and bounds of fields of a Model.
const (
	DefaultIterations = 8   // Model.Iterations if it is 0
	MaxIterations     = 100 // maximum of Model.Iterations
	DefaultCondition  = 1e6 // Model.Condition if it is 0
	MaxCondition      = 1e8 // maximum of Model.Condition
	maxFeatures       = 1000
	maxRows           = 1 << 24
	maxCount          = 1 << 20 // of a Poisson target; with maxRows, sums of weighted products fit the ring
	maxLog            = 14.0    // log maxCount, rounded up
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
	// Iterations is the number of iterations; 0 for DefaultIterations. It is public, and the same whether or not
	// the fit converges earlier.
	Iterations int
	// Condition is an upper bound of the condition number of the scaled Hessian (package comment); 0 for
	// DefaultCondition.
	Condition float64
}

// resolve fills in defaults and refuses what cannot be fitted. Errors about values name no value.
func (m *Model) resolve() (*Model, error) {
	out := *m
	known, ok := links[m.Family]
	if !ok {
		return nil, fmt.Errorf("family %q is unknown (%v)", m.Family, Families)
	}
	if m.Link == "" {
		out.Link = known[0]
	}
	if !slices.Contains(known, out.Link) {
		return nil, fmt.Errorf("link %q is not among those of family %s (%v)", m.Link, m.Family, known)
	}
	if m.Iterations == 0 {
		out.Iterations = DefaultIterations
	}
	if out.Iterations < 2 || out.Iterations > MaxIterations {
		return nil, fmt.Errorf("iterations: want 2 to %d, got %d", MaxIterations, m.Iterations)
	}
	if m.Condition == 0 {
		out.Condition = DefaultCondition
	}
	if !(out.Condition >= 10 && out.Condition <= MaxCondition) {
		return nil, fmt.Errorf("condition: want a bound from 10 to %g, got %v", float64(MaxCondition), m.Condition)
	}
	if m.Owner < 0 || m.Owner >= len(m.Parties) {
		return nil, fmt.Errorf("the target has no owner among the %d parties", len(m.Parties))
	}
	n, p := len(m.Target.Values), 1
	for _, party := range m.Parties {
		p += len(party.Features)
		for _, f := range party.Features {
			if len(f.Values) != n {
				return nil, fmt.Errorf("%s.%s has %d rows, but the target has %d: the rows of all tables must belong together (method aligned)",
					party.Name, f.Name, len(f.Values), n)
			}
		}
	}
	if m.Offset != nil {
		if err := out.checkOffset(); err != nil {
			return nil, err
		}
	}
	switch {
	case p == 1:
		return nil, fmt.Errorf("the model has no features")
	case p > maxFeatures:
		return nil, fmt.Errorf("the model has %d features, more than %d", p-1, maxFeatures-1)
	case n > maxRows:
		return nil, fmt.Errorf("the tables have %d rows, more than %d", n, maxRows)
	case n <= p:
		return nil, fmt.Errorf("the tables have %d rows, too few for %d coefficients", n, p)
	}
	return &out, m.checkTarget()
}

// checkOffset refuses offsets that the model does not have.
func (m *Model) checkOffset() error {
	if m.Link != Log && m.Link != Logit {
		return fmt.Errorf("an offset is for links log and logit, not %s", m.Link)
	}
	if m.OffsetOwner < 0 || m.OffsetOwner >= len(m.Parties) {
		return fmt.Errorf("the offset has no owner among the %d parties", len(m.Parties))
	}
	if n, want := len(m.Offset.Values), len(m.Target.Values); n != want {
		return fmt.Errorf("offset %s has %d rows, but the target has %d: the rows of all tables must belong together (method aligned)",
			m.Offset.Name, n, want)
	}
	for i, x := range m.Offset.Values {
		if math.Abs(x) > maxLog {
			return fmt.Errorf("row %d of offset %s: the magnitude is above %v (an offset is on the scale of the link: the logarithm of an exposure)",
				i+1, m.Offset.Name, maxLog)
		}
	}
	return nil
}

// checkTarget refuses targets that the family does not have.
func (m *Model) checkTarget() error {
	constant := true
	for i, y := range m.Target.Values {
		constant = constant && y == m.Target.Values[0]
		fits, want := true, ""
		switch m.Family {
		case Binomial:
			fits, want = y == 0 || y == 1, "0 or 1"
		case Poisson:
			fits, want = y >= 0 && y <= maxCount, "from 0 to 2^20"
		case Gamma:
			fits, want = y > 0, "above 0"
		}
		if !fits {
			return fmt.Errorf("row %d of target %s: values of family %s are %s", i+1, m.Target.Name, m.Family, want)
		}
	}
	if constant {
		return fmt.Errorf("all values of target %s are equal", m.Target.Name)
	}
	return nil
}

// scales returns the mean and the standard deviation of a feature.
func scales(party string, f table.Feature) (mean, sd float64, err error) {
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
		return 0, 0, fmt.Errorf("all values of %s.%s are equal: leave it out, since the model has an intercept", party, f.Name)
	case sd > most || sd < 1.0/most || math.Abs(mean) > most*sd || math.IsInf(sd, 0) || math.IsNaN(sd):
		return 0, 0, fmt.Errorf("%s.%s has values too large, too small or too far from 0 for its spread (rescale it: "+
			"the standard deviation is from 2^-20 to 2^20, and the mean at most 2^20 times as large)", party, f.Name)
	}
	return mean, sd, nil
}
