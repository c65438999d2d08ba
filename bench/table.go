package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// Table is a list of measurements.
type Table []Row

// JSON returns the table as indented JSON with a trailing newline.
func (t Table) JSON() ([]byte, error) {
	b, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("bench: encode table: %w", err)
	}
	return append(b, '\n'), nil
}

// Formats of a table's heading and rows.
const (
	heading = "%-18s %9s %26s %9s %9s %6s %13s %9s %9s\n"
	line    = "%-18s %9s %26s %9s %9s %6d %13d %9.4f %9s\n"
)

// Heading writes the heading of a table of Rows to w.
func Heading(w io.Writer) error {
	_, err := fmt.Fprintf(w, heading, "operation", "elements", "online s (min–median–max)", "ns/elem", "B/elem", "rounds", "offline B", "offline s", "max error")
	return err
}

// Print writes the row to w under the columns of Heading. Columns have fixed widths, because rows are printed as soon
// as they are measured.
func (r Row) Print(w io.Writer) error {
	elements, nanos, bytes, off := "", "", "", ""
	if r.Elements > 0 {
		elements = strconv.Itoa(r.Elements)
		nanos, bytes = fmt.Sprintf("%.1f", r.NanosPerElement), fmt.Sprintf("%.2f", r.BytesPerElement)
	}
	if r.MaxAbsError != nil {
		off = fmt.Sprintf("%.2g", *r.MaxAbsError)
	}
	times := fmt.Sprintf("%.4f – %.4f – %.4f", r.Online.Min, r.Online.Median, r.Online.Max)
	_, err := fmt.Fprintf(w, line, r.Op, elements, times, nanos, bytes, r.Rounds, r.OfflineBytes, r.Offline.Min, off)
	return err
}
