package table

import (
	"fmt"
	"slices"
	"strconv"
)

// Kind is the kind of a column's values. The zero Kind means that none is declared.
type Kind uint8

// The kinds of columns.
const (
	Integer  Kind = iota + 1 // 64 bits, signed
	Float                    // float64
	Boolean                  // true or false
	Category                 // one of a list of levels
	Date                     // a day
	String                   // a text, which has no numeric form
)

var kindNames = [...]string{"", "integer", "float", "boolean", "category", "date", "string"}

// String returns the kind's name, such as "integer".
func (k Kind) String() string { return kindNames[k] }

// ParseKind returns the kind with this name: integer, float, boolean, category, date or string. Other names are
// an error.
func ParseKind(name string) (Kind, error) {
	if k := slices.Index(kindNames[1:], name); k >= 0 {
		return Kind(k + 1), nil
	}
	return 0, fmt.Errorf("%q is not a kind of column (integer, float, boolean, category, date, string)", name)
}

// Column is one column of a table. Depending on Kind, one of Ints, Floats and Texts has the values, one for each
// row. A missing value is 0 or "" there.
type Column struct {
	Name string // name of the column
	Kind Kind   // kind of its values
	// Missing says for each row whether the value is missing; nil if no value is.
	Missing []bool
	// Ints has the values of integers, booleans (0 or 1), dates (days since 1970-01-01) and categories (indices
	// of Levels).
	Ints   []int64
	Floats []float64 // the values of floats
	Texts  []string  // the values of strings
	// Levels has the values that a category may have: in the declared order, or else ascending by bytes.
	Levels []string
}

// IsMissing reports whether the value of a row, counted from 0, is missing.
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

// Level returns the value of a row, counted from 0, as a level: the text of a category, of a string or of a number; ""
// if it is missing.
func (c *Column) Level(row int) string {
	if c.IsMissing(row) {
		return ""
	}
	return c.text(row)
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
	File    string    // path of the file
	Rows    int       // number of rows
	Columns []*Column // the columns that were read, in the order of Options.Columns

	lines []int32 // the line on which each row begins; nil if the file has no lines
}

// Field is the name and the kind of a column.
type Field struct {
	Name string
	Kind Kind
}

// Schema returns the names and kinds of the columns, in order.
func (t *Table) Schema() []Field {
	out := make([]Field, len(t.Columns))
	for i, c := range t.Columns {
		out[i] = Field{c.Name, c.Kind}
	}
	return out
}

// Column returns the column with this name; nil if there is none.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}
