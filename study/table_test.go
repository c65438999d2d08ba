package study

import (
	"math"
	"testing"
)

func TestTable(t *testing.T) {
	table := &Table{Columns: []string{"name", "bytes", "seconds"}}
	table.Add("a, b", 1234567, 0.00123456789)
	table.Add("c", int64(-999), math.NaN())
	if got, want := string(table.CSV()), "name,bytes,seconds\n\"a, b\",1234567,0.00123457\nc,-999,\n"; got != want {
		t.Errorf("CSV %q, want %q", got, want)
	}
	if got, want := table.Markdown(), "| name | bytes | seconds |\n|---|---|---|\n| a, b | 1,234,567 | 0.00123 |\n| c | -999 |  |\n"; got != want {
		t.Errorf("Markdown %q, want %q", got, want)
	}
}

func TestCell(t *testing.T) {
	for _, c := range []struct {
		cell any
		want string
	}{
		{0.0, "0"}, {0.5, "0.5"}, {12.345, "12.3"}, {-123.4, "-123"}, {12345.6, "12,346"}, {3e12, "3.0e+12"}, {2e-8, "2.0e-08"},
		{-1000, "-1,000"}, {100, "100"}, {"x", "x"}, {math.NaN(), ""},
	} {
		if got := Cell(c.cell); got != c.want {
			t.Errorf("%v is shown as %q, want %q", c.cell, got, c.want)
		}
	}
}
