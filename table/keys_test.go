package table

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func csvTable(t testing.TB, text string, o Options) *Table {
	t.Helper()
	out, err := ReadCSV("t.csv", strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestKeysEqual: which values are equal as keys.
func TestKeysEqual(t *testing.T) {
	text := func(names ...string) map[string]Type {
		out := map[string]Type{}
		for _, n := range names {
			out[n] = Type{Kind: String}
		}
		return out
	}
	all := Normal{Trim: true, Case: true, NFC: true}
	for _, c := range []struct {
		name, a, b string
		o, p       Options
		n          Normal
		equal      bool
	}{
		{name: "integers", a: "x\n7\n", b: "x\n7\n", equal: true},
		{name: "an integer and a float", a: "x\n7\n", b: "x\n7.0\n", equal: true},
		{name: "large floats", a: "x\n1e300\n", b: "x\n1.0e300\n", equal: true},
		{name: "zeros", a: "x\n-0.0\n", b: "x\n0\n", equal: true},
		{name: "fractions", a: "x\n7.5\n", b: "x\n7\n"},
		{name: "a number and a text", a: "x\n7\n", b: "x\n7\n", p: Options{Types: text("x")}},
		{name: "dates", a: "x\n2024-01-31\n", b: "x\n31.01.2024\n", p: Options{Format: Format{Dates: "DD.MM.YYYY"}}, equal: true},
		{name: "a date and its days", a: "x\n1970-01-02\n", b: "x\n1\n"},
		{name: "booleans", a: "x\ntrue\n", b: "x\nTRUE\n", equal: true},
		{name: "a boolean and an integer", a: "x\ntrue\n", b: "x\n1\n"},
		{name: "a category and a string", a: "x\nb\n", b: "x\nb\n", o: Options{Types: map[string]Type{"x": {Kind: Category, Levels: []string{"a", "b"}}}}, equal: true},
		{name: "limits of fields", a: "x,y\nab,c\n", b: "x,y\na,bc\n"},
		{name: "orders", a: "x,y\na,b\n", b: "x,y\nb,a\n"},
		{name: "cases", a: "x\nStraße\n", b: "x\nSTRASSE\n"},
		{name: "folded cases", a: "x\nStraße\n", b: "x\nSTRASSE\n", n: all, equal: true},
		{name: "spaces", a: "x\n\" a \"\n", b: "x\na\n"},
		{name: "trimmed spaces", a: "x\n\" a \"\n", b: "x\na\n", n: all, equal: true},
		{name: "accents", a: "x\n\u00e9\n", b: "x\ne\u0301\n"},
		{name: "composed accents", a: "x\n\u00e9\n", b: "x\ne\u0301\n", n: all, equal: true},
	} {
		key := func(s string, o Options) Key {
			tab := csvTable(t, s, o)
			var names []string
			for _, col := range tab.Columns {
				names = append(names, col.Name)
			}
			keys, rows, err := tab.Keys(names, c.n)
			if err != nil || len(keys) != 1 || rows[0] != 0 {
				t.Fatalf("%s: %v, %v, %v", c.name, keys, rows, err)
			}
			return keys[0]
		}
		if a, b := key(c.a, c.o), key(c.b, c.p); (a == b) != c.equal {
			t.Errorf("%s: equal is %v, want %v", c.name, a == b, c.equal)
		}
	}
}

// TestKeysInjective: different lists of texts have different keys.
func TestKeysInjective(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		row := rapid.SliceOfN(rapid.StringMatching(`[ab]{0,3}`), 2, 2)
		a, b := row.Draw(r, "a"), row.Draw(r, "b")
		x, y := &Column{Name: "x", Kind: String, Texts: []string{a[0], b[0]}}, &Column{Name: "y", Kind: String, Texts: []string{a[1], b[1]}}
		tab := &Table{Rows: 2, Columns: []*Column{x, y}}
		_, _, err := tab.Keys([]string{"x", "y"}, Normal{})
		if (err == nil) == slices.Equal(a, b) {
			r.Fatalf("%q and %q: %v", a, b, err)
		}
	})
}

func TestKeysRows(t *testing.T) {
	tab := csvTable(t, "id,day\n1,2024-01-01\n,2024-01-02\n3,NA\n1,2024-01-02\n", Options{})
	keys, rows, err := tab.Keys([]string{"id", "day"}, Normal{})
	if err != nil || !slices.Equal(rows, []int{0, 3}) || keys[0] == keys[1] {
		t.Errorf("%v, %v, %v", keys, rows, err)
	}
	for want, on := range map[string][]string{
		`t.csv:5: column "id": the key is that of line 2 too`: {"id"},
		`the table has no column "x"`:                         {"x"},
		`column "id" of the key is named twice`:               {"id", "id"},
		`name the columns of the key`:                         {},
	} {
		if _, _, err := tab.Keys(on, Normal{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", on, err, want)
		}
	}
}

func TestAggregate(t *testing.T) {
	const text = "id,n,x,day,name\n2,1,0.5,2024-03-01,b\n1,5,2,2024-01-01,a\n2,2,NA,2024-02-01,c\n,9,9,2024-01-01,z\n2,3,1.5,2024-04-01,d\n"
	tab := csvTable(t, text, Options{})
	for f, want := range map[string]string{
		"sum": "id,n,x\n2,6,2\n1,5,2\n", "mean": "id,n,x\n2,2,1\n1,5,2\n", "min": "id,n,x\n2,1,0.5\n1,5,2\n", "max": "id,n,x\n2,3,1.5\n1,5,2\n",
		"count": "id,n,x\n2,3,2\n1,1,1\n", "first": "id,n,x\n2,1,0.5\n1,5,2\n",
	} {
		three := *tab
		three.Columns = tab.Columns[:3]
		out, err := three.Aggregate([]string{"id"}, Normal{}, map[string]string{"n": f, "x": f})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := out.WriteCSV(&b); err != nil || b.String() != want {
			t.Errorf("%s: got %q, want %q (%v)", f, b.String(), want, err)
		}
	}
	out, err := tab.Aggregate([]string{"id"}, Normal{}, map[string]string{"n": "sum", "x": "first", "day": "max", "name": "first"})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := out.WriteCSV(&b); err != nil || b.String() != "id,n,x,day,name\n2,6,0.5,2024-04-01,b\n1,5,2,2024-01-01,a\n" {
		t.Errorf("got %q, %v", b.String(), err)
	}
	for want, by := range map[string]map[string]string{
		"say how rows of one key are aggregated": {"n": "sum"},
		`"total" does not aggregate`:             {"n": "total", "x": "sum", "day": "min", "name": "first"},
		"kind string has no sum":                 {"n": "sum", "x": "sum", "day": "min", "name": "sum"},
		"kind date has no mean":                  {"n": "sum", "x": "sum", "day": "mean", "name": "first"},
		`aggregate names column "id"`:            {"id": "sum"},
	} {
		if _, err := tab.Aggregate([]string{"id"}, Normal{}, by); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", by, err, want)
		}
	}
	big := csvTable(t, "id,n\n1,9223372036854775807\n1,1\n", Options{})
	if _, err := big.Aggregate([]string{"id"}, Normal{}, map[string]string{"n": "sum"}); err == nil || !strings.Contains(err.Error(), "t.csv:3") {
		t.Errorf("a sum that overflows: %v", err)
	}
}

// TestWriteCSV reads what was written.
func TestWriteCSV(t *testing.T) {
	const text = "a,b,c,d\n1,\"x, \"\"y\"\"\n z\",2024-02-29,true\n,NA,,\n-3,w,1999-12-31,false\n"
	tab := csvTable(t, text, Options{}).Select([]int{2, 0, 1})
	var first, second bytes.Buffer
	if err := tab.WriteCSV(&first); err != nil {
		t.Fatal(err)
	}
	again := csvTable(t, first.String(), Options{})
	if err := again.WriteCSV(&second); err != nil || first.String() != second.String() || !slices.Equal(tab.Schema(), again.Schema()) {
		t.Errorf("wrote %q, then %q", first.String(), second.String())
	}
	if again.Column("b").Texts[1] != "x, \"y\"\n z" || !again.Column("a").IsMissing(2) {
		t.Errorf("wrote %q", first.String())
	}
}
