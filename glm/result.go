package glm

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/tacet-mpc/tacet/hidden"
	"github.com/tacet-mpc/tacet/tensor"
)

// Result holds what the fit of a model revealed; encoding/json writes it.
type Result struct {
	Family Family `json:"family"`
	Link   Link   `json:"link"`
	Rows   int    `json:"rows"` // number of rows; of a hidden join those of the keeper, of which the ones that match count
	// Hidden says that rows were matched by a hidden join that is no left join.
	Hidden bool `json:"hidden,omitempty"`
	// Power is that of family Tweedie, Alpha of NegativeBinomial, and L2 the penalty; 0 otherwise.
	Power float64 `json:"power,omitempty"`
	Alpha float64 `json:"alpha,omitempty"`
	L2    float64 `json:"l2,omitempty"`
	L1    float64 `json:"l1,omitempty"`
	// Offset is the column of the offset, "" without one, and Base the levels that have no feature, by PARTY.COLUMN.
	Offset string            `json:"offset,omitempty"`
	Base   map[string]string `json:"base,omitempty"`
	// Weights is the column of the prior weights, "" without.
	Weights string `json:"weights,omitempty"`
	// Widths are the numbers of features, by PARTY.COLUMN, of columns whose features only their owner knows by name: their
	// coefficients are numbered, PARTY.COLUMN.1 and so on. Prepared are other columns that were fitted as a declared preparation
	// made them, not as they are in the table.
	Widths   map[string]int `json:"widths,omitempty"`
	Prepared []string       `json:"prepared,omitempty"`
	// Coefficients has the intercept first, then the coefficients of the parties' features in rank order.
	Coefficients []Coefficient `json:"coefficients"`
	// Solver is "sgd" (Solver) for a model that was fitted by SGD, which has no standard errors, deviance and dispersion; "cg" (SolverCG)
	// for one that was fitted by conjugate gradients, which has no standard errors; "" for others.
	Solver     string  `json:"solver,omitempty"`
	Deviance   float64 `json:"deviance"`   // deviance of the fitted model
	Dispersion float64 `json:"dispersion"` // dispersion of families Gaussian, Gamma and Tweedie; 1 for the others
	// NullDeviance is the deviance of the model without features, nil with an offset or weights. LogLikelihood and AIC are nil
	// where what is revealed does not determine them: with weights, and for family Tweedie; AIC with a penalty too.
	NullDeviance  *float64 `json:"null_deviance,omitempty"`
	LogLikelihood *float64 `json:"log_likelihood,omitempty"`
	AIC           *float64 `json:"aic,omitempty"`
	// Converged says that the last iteration moved no coefficient by more than 10^-3 of its standard error, and that linear predictors
	// of features that are shared once were in range (package comment, Long tables; Wide tables of SGD; Conjugate gradients of CG).
	// Inverted says that the inverse of the scaled Hessian is accurate to 10^-3; it is true of models without standard errors.
	Converged bool `json:"converged"`
	Inverted  bool `json:"inverted"`
	// Few, if not 0, says that fewer rows than that match in a hidden join, perhaps none: no model was fitted, and there are no
	// coefficients.
	Few int `json:"few,omitempty"`

	once bool // Shape.once
}

// MarshalJSON writes the result as a JSON object. One of SGD has no deviance, dispersion and inverse, one of CG no inverse.
func (r *Result) MarshalJSON() ([]byte, error) {
	type all Result
	switch r.Solver {
	case "":
		return json.Marshal((*all)(r))
	case SolverCG:
		return json.Marshal(struct {
			*all
			Inverted *bool `json:"inverted,omitempty"`
		}{all: (*all)(r)})
	}
	return json.Marshal(struct {
		*all
		Deviance   *float64 `json:"deviance,omitempty"`
		Dispersion *float64 `json:"dispersion,omitempty"`
		Inverted   *bool    `json:"inverted,omitempty"`
	}{all: (*all)(r)})
}

// Coefficient is a fitted coefficient with its standard error and what follows from these by the normal
// distribution.
type Coefficient struct {
	Name  string  `json:"name"`           // const for the intercept, or PARTY.FEATURE such as alice.age
	Value float64 `json:"value"`          // the estimate
	Error float64 `json:"standard_error"` // its standard error
	Z     float64 `json:"z"`              // Value / Error
	P     float64 `json:"p"`              // p-value of the two-sided test that the coefficient is 0
	Low   float64 `json:"low"`            // lower end of the 95 % confidence interval
	High  float64 `json:"high"`           // upper end of the interval
}

// MarshalJSON writes the coefficient as a JSON object. If it has no standard error, z, p-value and interval are left
// out.
func (c Coefficient) MarshalJSON() ([]byte, error) {
	type whole Coefficient
	if c.Error != 0 {
		return json.Marshal(whole(c))
	}
	return json.Marshal(struct {
		Name  string  `json:"name"`
		Value float64 `json:"value"`
	}{c.Name, c.Value})
}

// Outputs returns one text for each thing that a run reveals to the parties that learn its results.
func (s *Shape) Outputs() []string {
	if s.SGD != nil {
		return []string{"coefficients", "whether they have converged (1 bit)"}
	}
	out := []string{"coefficients", "standard errors", "deviance"}
	if !s.errors() {
		out = []string{"coefficients", "deviance"}
	}
	switch {
	case s.joins() && s.Family == Gaussian:
		out = append(out, "dispersion, and with it and the deviance the number of rows that match")
	case s.dispersed():
		out = append(out, "dispersion")
	}
	if out = append(out, "whether the iterations converged (1 bit)"); s.errors() {
		out = append(out, "whether the inverse is accurate (1 bit)")
	}
	if s.Hidden != nil {
		out = append(out, hidden.Withholds(s.leastMatches()))
	}
	return append(out, s.own()...)
}

// Results returns one text for each result of the program, in order, that says what the result is. The last text of
// Outputs may stand for several of them.
func (s *Shape) Results() []string {
	out, own := s.Outputs(), s.own()
	if len(own) == 0 {
		return out
	}
	return append(out[:len(out)-len(own)], strings.Join(own, ", and "))
}

// Results returns Shape.Results of the model's shape.
func (m *Model) Results() []string { return m.known().Results() }

// quantile975 is the 97.5 % quantile of the normal distribution.
var quantile975 = math.Sqrt2 * math.Erfinv(0.95)

// Outputs returns Shape.Outputs of the model's shape.
func (m *Model) Outputs() []string { return m.known().Outputs() }

// known returns of the model's shape what Outputs depends on.
func (m *Model) known() *Shape {
	s := &Shape{Family: m.Family, L1: m.L1, OffsetOwner: -1, WeightsOwner: -1, Hidden: m.Hidden, SGD: m.SGD, CG: m.CG}
	for _, p := range m.Parties {
		s.Features = append(s.Features, len(p.Features))
	}
	if m.Offset != nil {
		s.OffsetOwner = m.OffsetOwner
	}
	if m.Weights != nil {
		s.WeightsOwner = m.WeightsOwner
	}
	return s
}

// Fit returns the fitted model that the results of a run of Spec describe. The error says that the model is
// invalid or that the results are not those of its program.
func (m *Model) Fit(results []*tensor.Array) (*Result, error) {
	s, err := m.Shape()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range m.Parties {
		for _, f := range p.Features {
			names = append(names, p.Name+"."+f.Name)
		}
	}
	r, err := s.Fit(results, names)
	if err != nil {
		return nil, err
	}
	r.Base = m.Base
	if m.Offset != nil {
		r.Offset = m.Parties[m.OffsetOwner].Name + "." + m.Offset.Name
	}
	if m.Weights != nil {
		r.Weights = m.Parties[m.WeightsOwner].Name + "." + m.Weights.Name
	}
	return r, nil
}

// Fit returns the fitted model that the results of a run of the shape describe. names are the names of all features,
// PARTY.FEATURE in rank order. It returns an error if the results are not those of the program.
func (s *Shape) Fit(results []*tensor.Array, names []string) (*Result, error) {
	if want := len(s.Results()); len(results) != want {
		return nil, fmt.Errorf("glm: %d results, want %d", len(results), want)
	}
	if s.left() {
		names = append(slices.Clone(names), s.Parties[1-s.Hidden.Keeper]+JoinedName)
	}
	if want := s.coefficients() - 1; len(names) != want {
		return nil, fmt.Errorf("glm: %d names of features, want %d", len(names), want)
	}
	r := &Result{
		Family: s.Family, Link: s.Link, Rows: s.Rows, Hidden: s.joins(), Power: s.Power, Alpha: s.Alpha, L2: s.L2, L1: s.L1,
		Dispersion: 1,
	}
	if s.SGD != nil {
		r.Solver, r.Dispersion, r.Inverted = Solver, 0, true
		for i, name := range append([]string{"const"}, names...) {
			r.Coefficients = append(r.Coefficients, Coefficient{Name: name, Value: results[0].Floats()[i]})
		}
		r.Converged = results[1].Words()[0] == 1
		return r, nil
	}
	if s.CG != nil {
		r.Solver = SolverCG
	}
	values, errs := results[0].Floats(), []float64(nil)
	if results = results[1:]; s.errors() {
		errs, results = results[0].Floats(), results[1:]
	}
	r.Deviance = results[0].Floats()[0]
	for i, name := range append([]string{"const"}, names...) {
		c := Coefficient{Name: name, Value: values[i]}
		if errs == nil {
			r.Coefficients = append(r.Coefficients, c)
			continue
		}
		c.Error, c.Z = errs[i], values[i]/errs[i]
		c.P = math.Erfc(math.Abs(c.Z) / math.Sqrt2)
		c.Low, c.High = c.Value-quantile975*c.Error, c.Value+quantile975*c.Error
		r.Coefficients = append(r.Coefficients, c)
	}
	bits := results[1:]
	if s.dispersed() {
		r.Dispersion, bits = results[1].Floats()[0], results[2:]
	}
	r.once = s.once()
	r.Converged, r.Inverted = bits[0].Words()[0] == 1, true // without standard errors no inverse is needed
	if bits = bits[1:]; s.errors() {
		r.Inverted, bits = bits[0].Words()[0] == 1, bits[1:]
	}
	if s.Hidden != nil {
		if bits[0].Words()[0] == 0 {
			r.Few, r.Coefficients, r.Deviance, r.Dispersion = s.leastMatches(), []Coefficient{}, 0, 0
			return r, nil
		}
		bits = bits[1:]
	}
	own := map[string]float64{}
	for i, name := range s.own() {
		own[name] = bits[0].Floats()[i]
	}
	if x, ok := own[ownNull]; ok {
		r.NullDeviance = &x
	}
	if x, ok := s.logLikelihood(r.Deviance, r.Dispersion, own[ownLikelihood]); ok && !math.IsInf(x, 0) && !math.IsNaN(x) {
		r.LogLikelihood = &x
		if aic := 2 * (float64(s.coefficients()) - x); s.L2+s.L1 == 0 {
			r.AIC = &aic
		}
	}
	return r, nil
}

// Column returns the column, PARTY.COLUMN, to which the coefficient with this name, other than the intercept's,
// belongs. If the coefficient is that of a level, has is true and level is the level's name. If the column's
// coefficients are numbered, number is the coefficient's number, from 1; otherwise it is 0.
func (r *Result) Column(name string) (column, level string, has bool, number int) {
	if at := strings.LastIndexByte(name, '.'); at > 0 {
		if width, ok := r.Widths[name[:at]]; ok {
			if n, err := strconv.Atoi(name[at+1:]); err == nil && n >= 1 && n <= width {
				return name[:at], "", false, n
			}
		}
	}
	column, level, has = strings.Cut(name, "=")
	return column, level, has, 0
}

// Renamed returns a copy of the model with other names of its columns. Columns with numbered coefficients keep theirs.
func (r *Result) Renamed(to func(column string) string) *Result {
	out := *r
	out.Coefficients, out.Base = slices.Clone(r.Coefficients), map[string]string{}
	for i, c := range r.Coefficients {
		if column, _, _, number := r.Column(c.Name); i > 0 && number == 0 {
			out.Coefficients[i].Name = to(column) + c.Name[len(column):]
		}
	}
	for column, level := range r.Base {
		out.Base[to(column)] = level
	}
	if r.Offset != "" {
		out.Offset = to(r.Offset)
	}
	return &out
}

// Warnings returns texts that say why the result should not be relied on; none if it converged and the inverse
// is accurate.
func (r *Result) Warnings() []string {
	if r.Few > 0 {
		return []string{fmt.Sprintf("no model was fitted, since fewer than %d rows match, perhaps none (how many is secret; do both tables spell their keys alike?)",
			r.Few)}
	}
	var out []string
	if !r.Inverted {
		out = append(out, "the features are too nearly collinear: coefficients and standard errors are wrong "+
			"(leave out a feature that others determine, or declare a larger condition number)")
	}
	if !r.Converged && r.Solver == Solver {
		return append(out, "the coefficients have not converged: the last epoch moved them by 5 % of their length or more (allow more epochs, "+
			"or take larger batches or a smaller rate), or numbers do not fit (a linear predictor beyond ±24, or for gaussian a row "+
			"12 standard deviations of the target from its predictor: penalise by l2, or leave out what separates the classes)")
	}
	if !r.Converged {
		far := ""
		if r.once {
			far = fmt.Sprintf("; if a row's linear predictor is beyond ±%d, or above %d for poisson, leave hessians out",
				3<<predictorBits/4, 3<<logBits/4) // below which @tacet.outside returns 0
		}
		more := "allow more"
		if r.Solver == SolverCG {
			more = "allow more of them, or more steps of each"
		}
		out = append(out, "the iterations have not converged ("+more+"; if the features separate the target's classes, "+
			"there is no finite fit"+far+")")
	}
	return out
}

// Print writes the fitted model to w as a table.
func (r *Result) Print(w io.Writer) error {
	if r.Few > 0 {
		_, err := fmt.Fprintf(w, "%s regression, link %s, %d rows, of which fewer than %d match: no coefficients\n", r.Family, r.Link, r.Rows, r.Few)
		return err
	}
	which := ""
	if r.Hidden {
		which = ", of which those that match count"
	}
	fmt.Fprintf(w, "%s regression, link %s, %d rows%s, %d coefficients\n", r.Family, r.Link, r.Rows, which, len(r.Coefficients))
	switch r.Solver {
	case Solver:
		fmt.Fprintln(w, "by stochastic gradient descent, without standard errors and deviance")
	case SolverCG:
		fmt.Fprintln(w, "by conjugate gradients, without standard errors")
	}
	if r.Solver != Solver {
		fmt.Fprintf(w, "deviance %.6g, dispersion %.6g\n", r.Deviance, r.Dispersion)
	}
	var more []string
	for _, x := range []struct {
		name  string
		value *float64
	}{{"null deviance", r.NullDeviance}, {"log-likelihood", r.LogLikelihood}, {"AIC", r.AIC}} {
		if x.value != nil {
			more = append(more, fmt.Sprintf("%s %.6g", x.name, *x.value))
		}
	}
	if len(more) > 0 {
		fmt.Fprintln(w, strings.Join(more, ", "))
	}
	fmt.Fprintln(w)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	if r.L1 > 0 || r.Solver != "" {
		for _, c := range r.Coefficients {
			fmt.Fprintf(t, "%s\t%.6g\t\n", c.Name, c.Value)
		}
		return t.Flush()
	}
	fmt.Fprintln(t, "\tcoef\tstd err\tz\tP>|z|\t[0.025\t0.975]\t")
	for _, c := range r.Coefficients {
		fmt.Fprintf(t, "%s\t%.6g\t%.6g\t%.3f\t%.3f\t%.6g\t%.6g\t\n", c.Name, c.Value, c.Error, c.Z, c.P, c.Low, c.High)
	}
	return t.Flush()
}
