package table

import (
	"fmt"
	"math"
	"slices"
)

// Step declares how one column becomes features. A column without a Step becomes one feature with its own
// values. Such a column must be numeric (integer, float or boolean) and without missing values.
type Step struct {
	Column string // name of the column
	// Fill says what replaces missing values; if it is nil, a missing value is an error.
	Fill *Fill
	// Indicator adds a feature that is 1 where the value is missing and 0 elsewhere.
	Indicator bool
	// Parts are the parts of a date, each a feature: year, quarter, month, day, weekday (Monday is 0),
	// yearday, or days since 1970-01-01.
	Parts []string
	// Bins is the number of bins with equally many rows, whose edges are quantiles of the column; 0 for none.
	// Edges are declared edges of bins, ascending. The feature is the number of edges below the value.
	Bins  int
	Edges []float64
	// OneHot makes one feature for each level, which is 1 where the column has the level and 0 elsewhere. Levels
	// are all levels; nil means those that occur in the column, ascending. Drop is a level that gets no feature;
	// "" for none.
	OneHot bool
	Levels []string
	Drop   string
	// Standardise subtracts the column's mean and divides by its standard deviation (the divisor of the variance
	// is the number of rows). Scale has a declared mean and standard deviation for the same; nil for none.
	Standardise bool
	Scale       *Scale
}

// Fill says what replaces a missing value of a column: a statistic of the column, or the constant Value.
type Fill struct {
	Statistic string // "mean" or "median" of an integer or float column; "" for the constant Value
	// Value is the constant, if Statistic is "". It must be a value of the column's kind: a number, true or
	// false, a level, a date YYYY-MM-DD, or any text for strings.
	Value string
}

// Scale is a mean and a standard deviation (SD).
type Scale struct{ Mean, SD float64 }

// parts are the parts of dates.
var parts = map[string]func(days int64) float64{
	"year":    func(d int64) float64 { return float64(dateOf(d).Year()) },
	"quarter": func(d int64) float64 { return float64((dateOf(d).Month()-1)/3 + 1) },
	"month":   func(d int64) float64 { return float64(dateOf(d).Month()) },
	"day":     func(d int64) float64 { return float64(dateOf(d).Day()) },
	"weekday": func(d int64) float64 { return float64((dateOf(d).Weekday() + 6) % 7) },
	"yearday": func(d int64) float64 { return float64(dateOf(d).YearDay()) },
	"days":    func(d int64) float64 { return float64(d) },
}

// Check returns an error if the step contradicts itself. split says that the table holds only some of the rows:
// a step that needs a statistic of the whole column is then an error too.
func (s *Step) Check(split bool) error {
	for i, part := range s.Parts {
		if parts[part] == nil {
			return s.wrong("%q is no part of a date (year, quarter, month, day, weekday, yearday, days)", part)
		}
		if slices.Contains(s.Parts[:i], part) {
			return s.wrong("part %s is named twice", part)
		}
	}
	binned := s.Bins != 0 || s.Edges != nil
	scaled := s.Standardise || s.Scale != nil
	switch {
	case s.Parts != nil && len(s.Parts) == 0:
		return s.wrong("parts: name at least one part of a date")
	case s.Bins != 0 && s.Edges != nil:
		return s.wrong("bins are a number or a list of edges, not both")
	case s.Bins < 0 || s.Bins == 1 || s.Bins > MaxLevels:
		return s.wrong("bins: want 2 to %d bins", MaxLevels)
	case s.Edges != nil && (len(s.Edges) == 0 || len(s.Edges) >= MaxLevels):
		return s.wrong("bins: want 1 to %d edges", MaxLevels-1)
	case binned && s.Parts != nil:
		return s.wrong("parts of dates are not binned")
	case scaled && (s.OneHot || binned):
		return s.wrong("bins and levels are not standardised")
	case s.Standardise && s.Scale != nil:
		return s.wrong("standardise: true takes the column's mean and sd, so declare neither")
	case s.Scale != nil && !(s.Scale.SD > 0 && s.Scale.SD <= math.MaxFloat64 && math.Abs(s.Scale.Mean) <= math.MaxFloat64):
		return s.wrong("standardise: sd is a finite number above 0, and mean is finite")
	case !s.OneHot && (s.Levels != nil || s.Drop != ""):
		return s.wrong("levels and drop belong to one_hot")
	case s.OneHot && s.Parts != nil:
		return s.wrong("parts of dates are not encoded by level (read the column as a category)")
	case s.OneHot && binned && s.Levels != nil:
		return s.wrong("the levels of bins are their numbers: one_hot: true")
	case len(s.Levels) > MaxLevels:
		return s.wrong("one_hot: more than %d levels", MaxLevels)
	}
	for i, e := range s.Edges {
		if math.IsNaN(e) || math.IsInf(e, 0) || i > 0 && s.Edges[i-1] >= e {
			return s.wrong("bins: edges are finite and ascending")
		}
	}
	for i, level := range s.Levels {
		if slices.Contains(s.Levels[:i], level) {
			return s.wrong("one_hot: level %q is declared twice", level)
		}
	}
	if s.Drop != "" && s.Levels != nil && !slices.Contains(s.Levels, s.Drop) {
		return s.wrong("drop: %q is not among the levels", s.Drop)
	}
	if f := s.Fill; f != nil && f.Statistic != "" && f.Statistic != "mean" && f.Statistic != "median" {
		return s.wrong("missing: %q is no statistic (mean, median)", f.Statistic)
	}
	if split {
		return s.checkSplit()
	}
	return nil
}

// checkSplit refuses what needs the rows of other parties.
func (s *Step) checkSplit() error {
	const others = "needs the rows of the other parties, since the table's rows are split"
	switch {
	case s.Standardise:
		return s.wrong("standardise %s (declare mean and sd)", others)
	case s.Bins != 0:
		return s.wrong("a number of bins %s (declare the edges)", others)
	case s.OneHot && s.Levels == nil && s.Edges == nil:
		return s.wrong("one_hot %s (declare the levels)", others)
	case s.Fill != nil && s.Fill.Statistic != "":
		return s.wrong("missing: %s %s (declare a value)", s.Fill.Statistic, others)
	}
	return nil
}

func (s *Step) wrong(format string, args ...any) error {
	return fmt.Errorf("prepare: column %q: %w", s.Column, fmt.Errorf(format, args...))
}
