package study

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Table is a table of results with one row for each case. Cells are strings, int, int64 or float64; NaN is an
// unknown value and is printed as an empty cell.
type Table struct {
	Columns []string // headings
	Rows    [][]any  // cells of each row, one for each column
}

// Add adds a row with these cells, one for each column.
func (t *Table) Add(cells ...any) {
	if len(cells) != len(t.Columns) {
		panic(fmt.Sprintf("study: a row of %d cells in a table of %d columns", len(cells), len(t.Columns)))
	}
	t.Rows = append(t.Rows, cells)
}

// CSV returns the table as CSV with numbers in full precision.
func (t *Table) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.Write(t.Columns) // writes to memory cannot fail
	for _, row := range t.Rows {
		record := make([]string, len(row))
		for i, c := range row {
			record[i] = fmt.Sprint(c)
			if x, ok := c.(float64); ok {
				record[i] = strconv.FormatFloat(x, 'g', 6, 64)
				if math.IsNaN(x) {
					record[i] = ""
				}
			}
		}
		w.Write(record)
	}
	w.Flush()
	return b.Bytes()
}

// Markdown returns the table as Markdown: floats with three digits, whole numbers with thousands
// separators.
func (t *Table) Markdown() string {
	var b strings.Builder
	line := func(cells []string) { fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | ")) }
	line(t.Columns)
	b.WriteString(strings.Repeat("|---", len(t.Columns)) + "|\n")
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = Cell(c)
		}
		line(cells)
	}
	return b.String()
}

// Cell returns the text of a table's cell for Markdown.
func Cell(c any) string {
	switch x := c.(type) {
	case int:
		return thousands(strconv.Itoa(x))
	case int64:
		return thousands(strconv.FormatInt(x, 10))
	case float64:
		a := math.Abs(x)
		switch {
		case math.IsNaN(x):
			return ""
		case x == 0:
			return "0"
		case a >= 1000 && a < 1e9:
			return thousands(strconv.FormatFloat(x, 'f', 0, 64))
		case a >= 100 && a < 1000:
			return strconv.FormatFloat(x, 'f', 0, 64)
		case a >= 0.001 && a < 1000:
			return strconv.FormatFloat(x, 'g', 3, 64)
		}
		return strconv.FormatFloat(x, 'e', 1, 64)
	}
	return fmt.Sprint(c)
}

// thousands inserts thousands separators into a whole number.
func thousands(digits string) string {
	sign := ""
	if strings.HasPrefix(digits, "-") {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
