package table

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// Feature is a prepared column: one number for each row.
type Feature struct {
	Name   string    // name, such as age, bmi.missing, region=north or admitted.month
	Values []float64 // one for each row; all are finite
	// Scale has the mean that was subtracted and the standard deviation by which the values were divided; nil if
	// the feature is not standardised.
	Scale *Scale
}

// Prepare returns the features of all columns, in the order of the columns, as steps say. split says that the
// table holds only some of the rows: steps that need statistics of whole columns are then errors. Errors about
// values are *Error.
func (t *Table) Prepare(steps []Step, split bool) ([]Feature, error) {
	of := map[string]*Step{}
	for i := range steps {
		s := &steps[i]
		if err := s.Check(split); err != nil {
			return nil, err
		}
		if of[s.Column] != nil {
			return nil, s.wrong("it is prepared twice")
		}
		if t.Column(s.Column) == nil {
			return nil, s.wrong("the columns that are read have no such column (a preparation reads columns of its owner's table only)")
		}
		of[s.Column] = s
	}
	var out []Feature
	for _, c := range t.Columns {
		s := of[c.Name]
		if s == nil {
			s = &Step{Column: c.Name}
		}
		features, err := t.prepare(c, s)
		if err != nil {
			return nil, err
		}
		out = append(out, features...)
		if len(out) > MaxColumns {
			return nil, t.column(c.Name, "the table has more than %d features", MaxColumns)
		}
	}
	return out, nil
}

// prepare returns the features of a column.
func (t *Table) prepare(c *Column, s *Step) ([]Feature, error) {
	indicator := Feature{Name: c.Name + ".missing", Values: make([]float64, t.Rows)}
	if s.Indicator {
		for row := range t.Rows {
			if c.IsMissing(row) {
				indicator.Values[row] = 1
			}
		}
	}
	c, err := t.fill(c, s)
	if err != nil {
		return nil, err
	}
	if row := slices.Index(c.Missing, true); row >= 0 {
		return nil, t.cell(c, row, "the value is missing (say in prepare what replaces missing values: missing: mean, median or {value: VALUE})")
	}
	var out []Feature
	switch {
	case s.OneHot:
		out, err = t.oneHot(c, s)
	case s.Parts != nil:
		out, err = t.parts(c, s)
	default:
		var values []float64
		if values, err = t.binned(c, s); err == nil {
			out = []Feature{{Name: c.Name, Values: values}}
		}
	}
	if err != nil {
		return nil, err
	}
	for i := range out {
		if err := t.standardise(c, &out[i], s); err != nil {
			return nil, err
		}
	}
	if s.Indicator {
		out = append(out, indicator)
	}
	return out, nil
}

// fill returns the column with its missing values replaced.
func (t *Table) fill(c *Column, s *Step) (*Column, error) {
	if s.Fill == nil {
		return c, nil
	}
	b := newBuilder(&parser{}, c.Name, 0, Type{Kind: c.Kind})
	b.p.dates, _ = parsePattern("")
	b.Levels, b.levels = slices.Clone(c.Levels), map[string]int64{}
	for i, level := range c.Levels {
		b.levels[level] = int64(i)
	}
	if s.Fill.Statistic == "" {
		if err := b.add(s.Fill.Value); err != nil {
			return nil, s.wrong("missing: %w", err)
		}
	} else {
		if c.Kind != Integer && c.Kind != Float {
			return nil, s.wrong("missing: a column of kind %v has no %s (declare a value)", c.Kind, s.Fill.Statistic)
		}
		x, err := t.statistic(c, s.Fill.Statistic)
		if err != nil {
			return nil, err
		}
		if c = c.asFloat(); c.Missing != nil { // the mean of integers is no integer
			b.Floats = []float64{x}
		}
	}
	if !slices.Contains(c.Missing, true) {
		return c, nil
	}
	out := *c
	out.Missing, out.Levels = nil, b.Levels
	out.Ints, out.Floats, out.Texts = slices.Clone(c.Ints), slices.Clone(c.Floats), slices.Clone(c.Texts)
	for row := range t.Rows {
		if !c.IsMissing(row) {
			continue
		}
		switch out.Kind {
		case Float:
			out.Floats[row] = b.Floats[0]
		case String:
			out.Texts[row] = b.Texts[0]
		default:
			out.Ints[row] = b.Ints[0]
		}
	}
	return &out, nil
}

// asFloat returns a column of integers as floats.
func (c *Column) asFloat() *Column {
	if c.Kind != Integer {
		return c
	}
	out := &Column{Name: c.Name, Kind: Float, Missing: c.Missing, Floats: make([]float64, len(c.Ints))}
	for row, x := range c.Ints {
		out.Floats[row] = float64(x)
	}
	return out
}

// statistic returns the mean or median of the values that are not missing.
func (t *Table) statistic(c *Column, name string) (float64, error) {
	var present []float64
	for row := range t.Rows {
		if !c.IsMissing(row) {
			x, ok := c.number(row)
			if !ok {
				return 0, t.cell(c, row, "%s is not exact as a float of 64 bits", c.text(row))
			}
			present = append(present, x)
		}
	}
	if len(present) == 0 {
		return 0, t.column(c.Name, "all values are missing, so there is no %s (declare a value)", name)
	}
	x := mean(present)
	if name == "median" {
		slices.Sort(present)
		x = quantile(present, 0.5)
	}
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0, t.column(c.Name, "the values are too large for a %s", name)
	}
	return x, nil
}

// mean returns the mean of some values. It is the exact value for equal values.
func mean(values []float64) float64 {
	sum := 0.0
	for _, x := range values {
		sum += x
	}
	m, rest := sum/float64(len(values)), 0.0
	for _, x := range values {
		rest += x - m
	}
	return m + rest/float64(len(values))
}

// quantile returns the q-quantile of ascending values, with linear interpolation.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// numbers returns a column's values.
func (t *Table) numbers(c *Column) ([]float64, error) {
	if c.Kind == Category || c.Kind == String {
		return nil, t.column(c.Name, "a column of kind %v is no number (prepare it with one_hot, or leave it out)", c.Kind)
	}
	out := make([]float64, t.Rows)
	for row := range out {
		x, ok := c.number(row)
		if !ok {
			return nil, t.cell(c, row, "%s is not exact as a float of 64 bits", c.text(row))
		}
		out[row] = x
	}
	return out, nil
}

// binned returns a column's values, or the numbers of their bins.
func (t *Table) binned(c *Column, s *Step) ([]float64, error) {
	values, err := t.numbers(c)
	if err != nil {
		return nil, err
	}
	edges := s.Edges
	if s.Bins > 0 {
		sorted := slices.Sorted(slices.Values(values))
		for i := 1; i < s.Bins; i++ {
			e := quantile(sorted, float64(i)/float64(s.Bins))
			if math.IsInf(e, 0) || math.IsNaN(e) {
				return nil, t.column(c.Name, "the values are too large for quantiles")
			}
			edges = append(edges, e)
		}
	}
	if edges == nil {
		if c.Kind == Date {
			return nil, t.column(c.Name, "a date is no number (prepare it with parts, such as parts: [days], or bins)")
		}
		return values, nil
	}
	for row, x := range values {
		bin, _ := slices.BinarySearch(edges, x) // the number of edges below x
		values[row] = float64(bin)
	}
	return values, nil
}

// parts returns the parts of dates.
func (t *Table) parts(c *Column, s *Step) ([]Feature, error) {
	if c.Kind != Date {
		return nil, t.column(c.Name, "a column of kind %v has no parts of dates", c.Kind)
	}
	var out []Feature
	for _, part := range s.Parts {
		f := Feature{Name: c.Name + "." + part, Values: make([]float64, t.Rows)}
		for row := range f.Values {
			f.Values[row] = parts[part](c.Ints[row])
		}
		out = append(out, f)
	}
	return out, nil
}

// oneHot returns a feature for each level.
func (t *Table) oneHot(c *Column, s *Step) ([]Feature, error) {
	levels, text := s.Levels, c.text
	if s.Bins > 0 || s.Edges != nil {
		bins, err := t.binned(c, s)
		if err != nil {
			return nil, err
		}
		for i := range max(s.Bins, len(s.Edges)+1) {
			levels = append(levels, strconv.Itoa(i))
		}
		text = func(row int) string { return strconv.Itoa(int(bins[row])) }
	}
	if levels == nil {
		var err error
		if levels, err = t.levels(c); err != nil {
			return nil, err
		}
	}
	if s.Drop != "" && !slices.Contains(levels, s.Drop) {
		return nil, t.column(c.Name, "drop: %q is not among the levels (%.200s)", s.Drop, strings.Join(levels, ", "))
	}
	at := make(map[string]int, len(levels))
	var out []Feature
	for _, level := range levels {
		at[level] = -1
		if level != s.Drop || s.Drop == "" {
			at[level] = len(out)
			out = append(out, Feature{Name: c.Name + "=" + level, Values: make([]float64, t.Rows)})
		}
	}
	for row := range t.Rows {
		i, ok := at[text(row)]
		if !ok {
			return nil, t.cell(c, row, "%.40q is not among the declared levels of one_hot", text(row))
		}
		if i >= 0 {
			out[i].Values[row] = 1
		}
	}
	return out, nil
}

// levels returns the levels of a column, a category's in its order, others ascending: numbers as numbers.
func (t *Table) levels(c *Column) ([]string, error) {
	if c.Kind == Category && len(c.Levels) <= MaxLevels {
		return c.Levels, nil
	}
	first := map[string]int{} // the row where each level is first
	for row := range t.Rows {
		if text := c.text(row); len(first) <= MaxLevels {
			if _, ok := first[text]; !ok {
				first[text] = row
			}
		}
	}
	if len(first) > MaxLevels {
		return nil, t.column(c.Name, "the column has more than %d levels, too many for one_hot (bin it, or join rare levels)", MaxLevels)
	}
	out := make([]string, 0, len(first))
	for text := range first {
		out = append(out, text)
	}
	slices.SortFunc(out, func(a, b string) int {
		switch i, j := first[a], first[b]; {
		case c.Floats != nil && c.Floats[i] != c.Floats[j]:
			return compare(c.Floats[i], c.Floats[j])
		case c.Ints != nil:
			return compare(c.Ints[i], c.Ints[j])
		}
		return strings.Compare(a, b)
	})
	return out, nil
}

func compare[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// deviation returns the standard deviation of numbers around their mean m. It squares their differences over the largest one, since
// squares of tiny numbers are 0.
func deviation(values []float64, m float64) float64 {
	largest, squares := 0.0, 0.0
	for _, x := range values {
		largest = max(largest, math.Abs(x-m))
	}
	if largest == 0 {
		return 0
	}
	for _, x := range values {
		d := (x - m) / largest
		squares += d * d
	}
	return largest * math.Sqrt(squares/float64(len(values)))
}

// standardise scales a feature in place.
func (t *Table) standardise(c *Column, f *Feature, s *Step) error {
	scale := s.Scale
	if s.Standardise {
		m := mean(f.Values)
		scale = &Scale{m, deviation(f.Values, m)}
		if scale.SD == 0 {
			return t.column(c.Name, "all values are equal, so that %s cannot be standardised (leave it out)", f.Name)
		}
		if math.IsInf(scale.SD, 0) || math.IsNaN(scale.SD) {
			return t.column(c.Name, "the values are too large to be standardised")
		}
	}
	if scale == nil {
		return nil
	}
	for row, x := range f.Values {
		f.Values[row] = (x - scale.Mean) / scale.SD
	}
	for row, x := range f.Values {
		if math.IsInf(x, 0) {
			return t.cell(c, row, "the standardised value is too large")
		}
	}
	f.Scale = scale
	return nil
}

// FullNames returns the names of the features of all parties, PARTY.FEATURE in rank order. parties are the parties' names, and
// features their features, by rank.
func FullNames(parties []string, features [][]Feature) []string {
	var out []string
	for rank, of := range features {
		for _, f := range of {
			out = append(out, parties[rank]+"."+f.Name)
		}
	}
	return out
}

// Names returns the names of features, in their order.
func Names(features []Feature) []string {
	out := make([]string, len(features))
	for i, f := range features {
		out[i] = f.Name
	}
	return out
}
