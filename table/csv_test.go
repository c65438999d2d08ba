package table

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// read reads a CSV file.
func read(t *testing.T, text string, o Options) *Table {
	t.Helper()
	got, err := ReadCSV("t.csv", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// show formats a column: its kind and values, ? for missing ones.
func show(c *Column, rows int) string {
	out := []string{c.Kind.String()}
	for row := range rows {
		if c.IsMissing(row) {
			out = append(out, "?")
		} else {
			out = append(out, c.text(row))
		}
	}
	return strings.Join(out, " ")
}

func TestKinds(t *testing.T) {
	for _, c := range []struct{ fields, want string }{
		{"1 -2 +3", "integer 1 -2 3"},
		{"1 NA 3", "integer 1 ? 3"},
		{"9223372036854775807 -9223372036854775808", "integer 9223372036854775807 -9223372036854775808"},
		{"9223372036854775808 1", "string 9223372036854775808 1"}, // rounding an identifier would go unnoticed
		{"9223372036854775808.0 1", "float 9.223372036854776e+18 1"},
		{"007 008", "string 007 008"},
		{"-0 0", "integer 0 0"},
		{"1 2.5 -1e3 .5 5.", "float 1 2.5 -1000 0.5 5"},
		{"1e400 1", "string 1e400 1"},
		{"inf 1", "string inf 1"},
		{"0x10 1", "string 0x10 1"},
		{"1_000 1", "string 1_000 1"},
		{"1,000 1", "string 1,000 1"},
		{"nan NULL None N/A", "float ? ? ? ?"},
		{"true FALSE True", "boolean true false true"},
		{"true 1", "string true 1"},
		{"2024-02-29 1969-12-31 0001-01-01", "date 2024-02-29 1969-12-31 0001-01-01"},
		{"2023-02-29 2024-01-01", "string 2023-02-29 2024-01-01"},
		{"2024-1-01 2024-01-01", "string 2024-1-01 2024-01-01"},
		{"x NA y", "string x ? y"},
		{". 1", "string . 1"},
		{"e5 1", "string e5 1"},
		{"1e 1", "string 1e 1"},
	} {
		text := "a\n\"" + strings.ReplaceAll(c.fields, " ", "\"\n\"") + "\"\n"
		got := read(t, text, Options{})
		if s := show(got.Columns[0], got.Rows); s != c.want {
			t.Errorf("%s: got %s, want %s", c.fields, s, c.want)
		}
	}
}

// TestLateKind has the field that decides in the last of many rows.
func TestLateKind(t *testing.T) {
	got := read(t, "a\n"+strings.Repeat("1\n", 10000)+"x\n", Options{})
	if c := got.Columns[0]; c.Kind != String || c.Texts[0] != "1" || got.Rows != 10001 {
		t.Errorf("got %v of %d rows", c.Kind, got.Rows)
	}
}

func TestFormats(t *testing.T) {
	utf16Text := func(high int, text string) string {
		var b []byte
		for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
			pair := [2]byte{}
			pair[high], pair[1-high] = byte(u>>8), byte(u)
			b = append(b, pair[:]...)
		}
		return string(b)
	}
	const plain = "id,näme\n1,Zoë\n2,𝄞\n"
	for _, c := range []struct {
		name, text string
		o          Options
		want       string // columns
	}{
		{"plain", plain, Options{}, "id integer 1 2; näme string Zoë 𝄞"},
		{"no line end", strings.TrimSuffix(plain, "\n"), Options{}, "id integer 1 2; näme string Zoë 𝄞"},
		{"byte order mark", "\ufeff" + plain, Options{}, "id integer 1 2; näme string Zoë 𝄞"},
		{"UTF-16LE", utf16Text(1, plain), Options{}, "id integer 1 2; näme string Zoë 𝄞"},
		{"UTF-16BE", utf16Text(0, plain), Options{}, "id integer 1 2; näme string Zoë 𝄞"},
		{"UTF-16LE declared, no mark", utf16Text(1, plain)[2:], Options{Format: Format{Encoding: "utf-16le"}}, "id integer 1 2; näme string Zoë 𝄞"},
		{"Latin-1", "n\xe4me\nZo\xeb\n", Options{Format: Format{Encoding: "latin-1"}}, "näme string Zoë"},
		{"Windows-1252", "a\n\x80\n", Options{Format: Format{Encoding: "windows-1252"}}, "a string €"},
		{"CRLF", "a,b\r\n1,x\r\n2,y\r\n", Options{}, "a integer 1 2; b string x y"},
		{"quotes", "a,b\n\"x,\"\"y\"\"\",\"line 1\nline 2\"\n", Options{}, "a string x,\"y\"; b string line 1\nline 2"},
		{"spaces", " a , b \n 1 , x \n", Options{}, "a integer 1; b string  x "},
		{"semicolons", "a;b\n1,5;1.234.567,25\n-2;1.000\n", Options{Format: Format{Separator: ';', Decimal: ',', Thousands: '.'}}, "a float 1.5 -2; b float 1.23456725e+06 1000"},
		{"thousands misplaced", "a\n\"1,00\"\n\"12,3456\"\n\",100\"\n\"1,\"\n", Options{Format: Format{Thousands: ','}}, "a string 1,00 12,3456 ,100 1,"},
		{"dates", "a\n31.12.1999\n01.02.2000\n", Options{Format: Format{Dates: "DD.MM.YYYY"}}, "a date 1999-12-31 2000-02-01"},
		{"short dates", "a\n12/31/1999\n1/2/2000\n", Options{Format: Format{Dates: "M/D/YYYY"}}, "a date 1999-12-31 2000-01-02"},
		{"missing", "a,b\n-,NA\n3,x\n", Options{Format: Format{Missing: []string{"-"}}}, "a integer ? 3; b string NA x"},
		{"no header", "1,x\n2,y\n", Options{Format: Format{NoHeader: true}}, "column1 integer 1 2; column2 string x y"},
		{"chosen", "a,b,\n1,x,\xff\n", Options{Columns: []string{"b", "a"}}, "b string x; a integer 1"},
		{"declared", "a,b,c,d\n1,01,yes,n\n2,02,0,s\n", Options{Types: map[string]Type{
			"a": {Kind: Float}, "b": {Kind: String}, "c": {Kind: Boolean}, "d": {Kind: Category, Levels: []string{"s", "n"}}}},
			"a float 1 2; b string 01 02; c boolean true false; d category n s"},
		{"categories", "a\nz\nNA\nb\nz\n", Options{Types: map[string]Type{"a": {Kind: Category}}}, "a category z ? b z"},
	} {
		got, err := ReadCSV("t.csv", strings.NewReader(c.text), c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		var columns []string
		for _, col := range got.Columns {
			columns = append(columns, col.Name+" "+show(col, got.Rows))
		}
		if s := strings.Join(columns, "; "); s != c.want {
			t.Errorf("%s: got %q, want %q", c.name, s, c.want)
		}
	}
}

func TestLevelsAscend(t *testing.T) {
	got := read(t, "a\nz\nNA\nb\nz\n", Options{Types: map[string]Type{"a": {Kind: Category}}}).Columns[0]
	want := &Column{Name: "a", Kind: Category, Ints: []int64{1, 0, 0, 1}, Levels: []string{"b", "z"}, Missing: []bool{false, true, false, false}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestReadCSVRefuses(t *testing.T) {
	for _, c := range []struct {
		text string
		o    Options
		want string
	}{
		{"", Options{}, "t.csv:1:1: the file is empty"},
		{"\ufeff", Options{}, "t.csv:1:1: the file is empty"},
		{"a,b\n", Options{}, "t.csv:2:1: the table has no rows"},
		{"a,b", Options{}, "t.csv:2:1: the table has no rows"},
		{"\ufeffa,b\r\n", Options{}, "t.csv:2:1: the table has no rows"},
		{"\n\n", Options{}, "t.csv:1:1: the file is empty"},
		{"a,b\n1\n", Options{}, "t.csv:2:1: the row has 1 fields, but the table has 2 columns"},
		{"a,b\n1,2\n3,4,5\n", Options{}, "t.csv:3:5: the row has 3 fields"},
		{"a\n\"x\ny\"\n1,2\n", Options{}, "t.csv:4:3: the row has 2 fields"},
		{"a,b,a\n1,2,3\n", Options{}, `t.csv:1:5: columns 1 and 3 are both named "a"`},
		{"a,\n1,2\n", Options{}, "t.csv:1: column 2 has no name"},
		{"a\x01\n1\n", Options{}, "control characters"},
		{"a\x00\n1\n", Options{}, "zero byte"},
		{"\xe4\n1\n", Options{}, "t.csv:1:1: the name of a column is not UTF-8"},
		{"a,b\n1,\xe4\n", Options{}, `t.csv:2:3: column "b": "\xe4" is not UTF-8 (declare`},
		{"a\n1\n\n2\n", Options{}, "t.csv:3: the line is empty"},
		{"\na\n1\n", Options{}, "t.csv:1: the line is empty"},
		{"a\n\"x\n", Options{}, "t.csv:2:4: a quoted field is not closed"},
		{"a,b\n1,x\"y\n", Options{}, "t.csv:2:4: a quote where none may stand"},
		{"a\n\"x\"y\n", Options{}, "t.csv:2:3: a quoted field is not closed, or goes on"},
		{"a,b\n1,2\n10,x\n", Options{Types: map[string]Type{"b": {Kind: Integer}}}, `t.csv:3:4: column "b": "x" is not an integer`},
		{"a\n1.5\n", Options{Types: map[string]Type{"a": {Kind: Integer}}}, `"1.5" is not an integer`},
		{"a\n9223372036854775808\n", Options{Types: map[string]Type{"a": {Kind: Integer}}}, "too large"},
		{"a\n9223372036854775808\n", Options{Types: map[string]Type{"a": {Kind: Float}}}, "too large (write it with a point"},
		{"a\n1e999\n", Options{Types: map[string]Type{"a": {Kind: Float}}}, "too large"},
		{"a\ninf\n", Options{Types: map[string]Type{"a": {Kind: Float}}}, "is not a number"},
		{"a\n2\n", Options{Types: map[string]Type{"a": {Kind: Boolean}}}, "is not a boolean"},
		{"a\n2024-13-01\n", Options{Types: map[string]Type{"a": {Kind: Date}}}, "is not a date of the form YYYY-MM-DD"},
		{"a\nz\n", Options{Types: map[string]Type{"a": {Kind: Category, Levels: []string{"x"}}}}, `t.csv:2:1: column "a": "z" is not among the declared levels`},
		{"a\n1\n", Options{Columns: []string{"b"}}, `there is no column "b" (the table has a)`},
		{"a\n1\n", Options{Types: map[string]Type{"b": {Kind: Float}}}, `there is no column "b"`},
		{"a\n1\n", Options{Columns: []string{"a"}, Types: map[string]Type{"b": {Kind: Float}}}, "which columns does not list"},
		{"a\n1\n", Options{Columns: []string{"a", "a"}}, `column "a" is named twice`},
		{"a\n1\n", Options{Columns: []string{}}, "name at least one column"},
		{"a\n1\n", Options{Format: Format{Encoding: "ebcdic"}}, "encoding \"ebcdic\" is unknown (utf-8,"},
		{"a\n1\n", Options{Format: Format{Separator: '"'}}, "cannot separate"},
		{"a\n1\n", Options{Format: Format{Decimal: ',', Thousands: ','}}, "the same mark"},
		{"a\n1\n", Options{Format: Format{Decimal: '5'}}, "is no mark of numbers"},
		{"a\n1\n", Options{Format: Format{Dates: "DD.MM"}}, "lacks a year, month or day"},
		{"a\n1\n", Options{Format: Format{Dates: "DD.MM.DD"}}, "is no pattern of dates"},
		{"a\n1\n", Options{Format: Format{Dates: "YYYY-MM-DD5"}}, "has digits"},
		{"\xff\xfea\x00\n", Options{}, "ends within a character"},
		{"\xff\xfe\x00\xd8a\x00", Options{}, "stands alone"},
		{"a\n\x81\n", Options{Format: Format{Encoding: "windows-1252"}}, "is no character of windows-1252"},
		{"a\n\"" + strings.Repeat("x", MaxRecord+5000), Options{}, "t.csv:2: the record has more than 16777216 bytes"},
	} {
		got, err := ReadCSV("t.csv", strings.NewReader(c.text), c.o)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.40q: got %v, %v, want %q", c.text, got, err, c.want)
		}
	}
}

// TestWideTable reads 10^5 columns.
func TestWideTable(t *testing.T) {
	const n = 100000
	var b strings.Builder
	for _, of := range []string{"c%d", "%d", "%d"} {
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, of, i)
		}
		b.WriteByte('\n')
	}
	got := read(t, b.String(), Options{})
	if len(got.Columns) != n || got.Rows != 2 {
		t.Fatalf("got %d columns, %d rows", len(got.Columns), got.Rows)
	}
	if c := got.Columns[n-1]; c.Kind != Integer || c.Ints[1] != n-1 {
		t.Errorf("got %+v", c)
	}
}

// TestErrorPlaces checks that errors separate the place, which a node's log may show, from the value.
func TestErrorPlaces(t *testing.T) {
	_, err := ReadCSV("t.csv", strings.NewReader("a,b\n1,secret\n"), Options{Types: map[string]Type{"b": {Kind: Float}}})
	var e *Error
	if !errors.As(err, &e) || e.Place() != "t.csv:2:3" || e.At() != `column "b"` {
		t.Errorf("got %#v", err)
	}
}

// FuzzReadCSV checks that no input makes the reader panic, that tables have columns of equal length and finite
// numbers, and that texts are those that encoding/csv reads.
func FuzzReadCSV(f *testing.F) {
	f.Add("a,b\n1,x\n", "", byte(','))
	f.Add("\ufeffa;b\n1,5;\"x\n\"\"y\"\n", "", byte(';'))
	f.Add("\xff\xfea\x00\n\x001\x00", "", byte(','))
	f.Add("a\n2024-02-29\nNA\n", "latin-1", byte(','))
	f.Add("a\r\ntrue\r\n\r\nfalse", "windows-1252", byte('\t'))
	f.Fuzz(func(t *testing.T, text, encoding string, separator byte) {
		o := Options{Format: Format{Encoding: encoding, Separator: rune(separator)}}
		got, err := ReadCSV("t.csv", strings.NewReader(text), o)
		if err != nil {
			return
		}
		for _, c := range got.Columns {
			if n := len(c.Ints) + len(c.Floats) + len(c.Texts); n != got.Rows || c.Missing != nil && len(c.Missing) != n {
				t.Fatalf("column %q has %d values of %d rows", c.Name, n, got.Rows)
			}
			for _, x := range c.Floats {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("column %q holds %v", c.Name, x)
				}
			}
		}
		if encoding != "" && encoding != "utf-8" || strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
			return
		}
		all := map[string]Type{}
		for _, c := range got.Columns {
			all[c.Name] = Type{Kind: String}
		}
		o.Types, o.Format.Missing = all, []string{}
		again, err := ReadCSV("t.csv", strings.NewReader(text), o)
		if err != nil {
			t.Fatalf("read with kinds %v, not as strings: %v", got.Schema(), err)
		}
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		if separator != 0 {
			r.Comma = rune(separator)
		}
		want, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		texts := make([][]string, again.Rows)
		for row := range texts {
			for _, c := range again.Columns {
				texts[row] = append(texts[row], c.Texts[row])
			}
		}
		if d := cmp.Diff(want[1:], texts, cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}
