package table

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Aggregates are the functions that make one value of the rows of one key: the first value, the sum, mean, least or
// largest of the values that are not missing, or their number.
var Aggregates = []string{"first", "sum", "mean", "min", "max", "count"}

// Aggregate returns a table with one row for each key, in the order of the keys' first rows; rows without a key are
// left out. by names a function of Aggregates for each of the other columns.
func (t *Table) Aggregate(key []string, n Normal, by map[string]string) (*Table, error) {
	k, err := t.keyColumns(key, n)
	if err != nil {
		return nil, err
	}
	for name := range by {
		if t.Column(name) == nil || slices.Contains(key, name) {
			return nil, fmt.Errorf("%s: aggregate names column %q, which the table does not have or which is a key", t.File, name)
		}
	}
	groups, of := [][]int{}, map[Key]int{}
	for row := range t.Rows {
		if x, ok := k.key(row); ok {
			at, known := of[x]
			if !known {
				at, groups = len(groups), append(groups, nil)
				of[x] = at
			}
			groups[at] = append(groups[at], row)
		}
	}
	first := make([]int, len(groups))
	for i, g := range groups {
		first[i] = g[0]
	}
	out := t.Select(first)
	for i, c := range t.Columns {
		if slices.Contains(key, c.Name) {
			continue
		}
		f := by[c.Name]
		switch {
		case f == "":
			return nil, t.column(c.Name, "say how rows of one key are aggregated (%s)", strings.Join(Aggregates, ", "))
		case !slices.Contains(Aggregates, f):
			return nil, t.column(c.Name, "%q does not aggregate (%s)", f, strings.Join(Aggregates, ", "))
		case f == "first":
			continue
		}
		if out.Columns[i], err = t.aggregate(c, f, groups); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// aggregate returns a column with one value for each group of rows.
func (t *Table) aggregate(c *Column, f string, groups [][]int) (*Column, error) {
	out := &Column{Name: c.Name, Kind: c.Kind, Missing: make([]bool, len(groups))}
	if f == "count" {
		out.Kind, out.Ints = Integer, make([]int64, len(groups))
		for i, rows := range groups {
			for _, row := range rows {
				if !c.IsMissing(row) {
					out.Ints[i]++
				}
			}
		}
		return out, nil
	}
	if c.Kind == Category || c.Kind == String || c.Kind != Integer && c.Kind != Float && (f == "sum" || f == "mean") {
		return nil, t.column(c.Name, "a column of kind %v has no %s (first and count are for all kinds)", c.Kind, f)
	}
	exact := c.Floats == nil && f != "mean" // in integers
	if exact {
		out.Ints = make([]int64, len(groups))
	} else {
		out.Kind, out.Floats = Float, make([]float64, len(groups))
	}
	for i, rows := range groups {
		n := 0
		for _, row := range rows {
			if c.IsMissing(row) {
				continue
			}
			n++
			if !exact {
				x, ok := c.number(row)
				if !ok {
					return nil, t.cell(c, row, "%s is not exact as a float of 64 bits", c.text(row))
				}
				out.Floats[i] = combine(f, n == 1, out.Floats[i], x)
				continue
			}
			x := c.Ints[row]
			if sum := out.Ints[i] + x; f == "sum" && (sum > out.Ints[i]) != (x > 0) && x != 0 {
				return nil, t.cell(c, row, "the sum of the rows of one key is too large for an integer of 64 bits")
			}
			out.Ints[i] = combine(f, n == 1, out.Ints[i], x)
		}
		if out.Missing[i] = n == 0; n > 0 && f == "mean" {
			out.Floats[i] /= float64(n)
		}
		if out.Floats != nil && math.IsInf(out.Floats[i], 0) {
			return nil, t.cell(c, rows[0], "the %s of the rows of one key is too large", f)
		}
	}
	return out, nil
}

// combine adds a value to the aggregate so far.
func combine[T int64 | float64](f string, first bool, sofar, x T) T {
	switch {
	case first:
		return x
	case f == "min":
		return min(sofar, x)
	case f == "max":
		return max(sofar, x)
	}
	return sofar + x
}

// Select returns the table's rows of these numbers, in this order.
func (t *Table) Select(rows []int) *Table {
	out := &Table{File: t.File, Rows: len(rows)}
	if t.lines != nil {
		out.lines = pick(t.lines, rows)
	}
	for _, c := range t.Columns {
		picked := &Column{Name: c.Name, Kind: c.Kind, Levels: c.Levels}
		picked.Missing, picked.Ints = pick(c.Missing, rows), pick(c.Ints, rows)
		picked.Floats, picked.Texts = pick(c.Floats, rows), pick(c.Texts, rows)
		out.Columns = append(out.Columns, picked)
	}
	return out
}

func pick[T any](values []T, rows []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(rows))
	for i, row := range rows {
		out[i] = values[row]
	}
	return out
}
