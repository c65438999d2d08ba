package table

import (
	"bufio"
	"encoding/csv"
	"io"
)

// WriteCSV writes the table as CSV in UTF-8 with a header. Missing values are empty, dates are YYYY-MM-DD, and floats
// have the fewest digits that give the same float.
func (t *Table) WriteCSV(to io.Writer) error {
	b := bufio.NewWriterSize(to, 1<<16)
	w := csv.NewWriter(b)
	record := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		record[i] = c.Name
	}
	if err := w.Write(record); err != nil {
		return err
	}
	for row := range t.Rows {
		for i, c := range t.Columns {
			if record[i] = ""; !c.IsMissing(row) {
				record[i] = c.text(row)
			}
		}
		if err := w.Write(record); err != nil {
			return err
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return b.Flush()
}
