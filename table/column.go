package table

import (
	"fmt"
	"slices"
	"strconv"
)

// Kind is the kind of a column's values.
type Kind uint8

// The kinds of columns. The zero Kind is not declared.
const (
	Integer Kind = iota + 1
	Float
	Boolean
	Category
	Date
	String
)

var kindNames = [...]string{"", "integer", "float", "boolean", "category", "date", "string"}

func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind of this name.
func ParseKind(name string) (Kind, error) {
	if k := slices.Index(kindNames[1:], name); k >= 0 {
		return Kind(k + 1), nil
	}
	return 0, fmt.Errorf("%q is not a kind of column (integer, float, boolean, category, date, string)", name)
}

// Column is a column of a table. One of Ints, Floats and Texts has the values, one a row; a missing value is
// zero or empty there.
type Column struct {
	Name string
	Kind Kind
	// Missing marks missing values; nil: none is missing.
	Missing []bool
	// Ints holds integers, booleans (0 or 1), dates (days since 1970-01-01) and categories (indices of
	// Levels).
	Ints   []int64
	Floats []float64
	Texts  []string
	// Levels are a category's values: in the declared order, otherwise ascending by bytes.
	Levels []string
}

// IsMissing reports whether the value of a row is missing.
func (c *Column) IsMissing(row int) bool { return c.Missing != nil && c.Missing[row] }

// number returns the value of a row as a float; false if the kind has no numeric values or an integer is
// not exact.
func (c *Column) number(row int) (float64, bool) {
	switch c.Kind {
	case Float:
		return c.Floats[row], true
	case Integer, Boolean, Date:
		x := c.Ints[row]
		return float64(x), x >= -1<<53 && x <= 1<<53
	}
	return 0, false
}

// text returns the value of a row as a level: the spelling of a category, a string or a number.
func (c *Column) text(row int) string {
	switch c.Kind {
	case Category:
		return c.Levels[c.Ints[row]]
	case String:
		return c.Texts[row]
	case Float:
		return strconv.FormatFloat(c.Floats[row], 'g', -1, 64)
	case Boolean:
		return strconv.FormatBool(c.Ints[row] != 0)
	case Date:
		return dateText(c.Ints[row])
	}
	return strconv.FormatInt(c.Ints[row], 10)
}

// Table is a table in memory.
type Table struct {
	File    string
	Rows    int
	Columns []*Column

	lines []int32 // the line on which each row begins; nil if the file has no lines
}

// Field is a column's name and kind.
type Field struct {
	Name string
	Kind Kind
}

// Schema returns the names and kinds of the columns.
func (t *Table) Schema() []Field {
	out := make([]Field, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = Field{c.Name, c.Kind}
	}
	return out
}

// Column returns the column of this name; nil if there is none.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}
