package table

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/yamlfile"
)

// steps reads the preparation of a job file.
func steps(text string) ([]Step, error) {
	v, err := yamlfile.Parse("job.yaml", "a job file", []byte(text))
	if err != nil {
		return nil, err
	}
	var out []Step
	return out, ReadSteps(&out)("prepare", v)
}

const people = `age,bmi,region,income,admitted,smoker,code
20,,north,10,2024-01-31,true,3
30,20,south,20,1999-12-26,false,10
40,30,north,30,2000-02-29,,3
70,25,west,40,1969-12-31,true,2
`

func TestPrepare(t *testing.T) {
	for _, c := range []struct{ columns, prepare, want string }{
		{"age", "{}", "age 20 30 40 70"},
		{"age", "age: {standardise: true}", "age -1.0690 -0.5345 0.0000 1.6036"},
		{"age", "age: {standardise: {mean: 40, sd: 10}}", "age -2 -1 0 3"},
		{"age", "age: {bins: 2}", "age 0 0 1 1"},
		{"age", "age: {bins: [30, 40]}", "age 0 0 1 2"},
		{"age", "age: {bins: [30, 40], one_hot: true}", "age=0 1 1 0 0; age=1 0 0 1 0; age=2 0 0 0 1"},
		{"income", "income: {bins: 4, one_hot: true, drop: 0}", "income=1 0 1 0 0; income=2 0 0 1 0; income=3 0 0 0 1"},
		{"bmi", "bmi: {missing: mean}", "bmi 25 20 30 25"},
		{"bmi", "bmi: {missing: {value: 22}, indicator: true}", "bmi 22 20 30 25; bmi.missing 1 0 0 0"},
		{"bmi", "bmi: {missing: median, standardise: {mean: 25, sd: 5}}", "bmi 0 -1 1 0"},
		{"region", "region: {one_hot: true}", "region=north 1 0 1 0; region=south 0 1 0 0; region=west 0 0 0 1"},
		{"region", "region: {one_hot: [west, south, north, east], drop: north}", "region=west 0 0 0 1; region=south 0 1 0 0; region=east 0 0 0 0"},
		{"code", "code: {one_hot: true}", "code=2 0 0 0 1; code=3 1 0 1 0; code=10 0 1 0 0"},
		{"code", "code: {one_hot: [2, 3, 10]}", "code=2 0 0 0 1; code=3 1 0 1 0; code=10 0 1 0 0"},
		{"smoker", "smoker: {missing: {value: false}}", "smoker 1 0 0 1"},
		{"admitted", "admitted: {parts: [year, quarter, month, day, weekday, yearday, days]}",
			"admitted.year 2024 1999 2000 1969; admitted.quarter 1 4 1 4; admitted.month 1 12 2 12; admitted.day 31 26 29 31; " +
				"admitted.weekday 2 6 1 2; admitted.yearday 31 360 60 365; admitted.days 19753 10951 11016 -1"},
		{"admitted", "admitted: {bins: [0]}", "admitted 1 1 1 0"},
		{"region, age", "region: {one_hot: true, drop: west}", "region=north 1 0 1 0; region=south 0 1 0 0; age 20 30 40 70"},
	} {
		s, err := steps(c.prepare)
		if err != nil {
			t.Errorf("%s: %v", c.prepare, err)
			continue
		}
		got, err := read(t, people, Options{Columns: strings.Split(c.columns, ", ")}).Prepare(s, false)
		if err != nil {
			t.Errorf("%s: %v", c.prepare, err)
			continue
		}
		var out []string
		for _, f := range got {
			text := f.Name
			for _, x := range f.Values {
				if x == math.Trunc(x) && !strings.Contains(c.want, ".0") {
					text += fmt.Sprintf(" %v", x)
				} else {
					text += fmt.Sprintf(" %.4f", x)
				}
			}
			out = append(out, text)
		}
		if s := strings.Join(out, "; "); s != c.want {
			t.Errorf("%s: got %s, want %s", c.prepare, s, c.want)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	for _, c := range []struct {
		columns, prepare string
		split            bool
		want             string
	}{
		{"bmi", "{}", false, `t.csv:2: column "bmi": the value is missing (say in prepare`},
		{"region", "{}", false, `t.csv: column "region": a column of kind string is no number (prepare it with one_hot`},
		{"admitted", "{}", false, "a date is no number (prepare it with parts"},
		{"age", "bob.income: {standardise: true}", false, `column "bob.income": the columns that are read have no such column (a preparation reads columns of its owner's table only)`},
		{"age", "age: {parts: [year]}", false, "has no parts of dates"},
		{"region", "region: {one_hot: [north, south]}", false, `t.csv:5: column "region": "west" is not among the declared levels`},
		{"region", "region: {one_hot: true, drop: east}", false, `drop: "east" is not among the levels (north, south, west)`},
		{"region", "region: {missing: mean, one_hot: true}", false, "a column of kind string has no mean"},
		{"age", "age: {missing: {value: x}}", false, `missing: "x" is not an integer`},
		{"smoker", "smoker: {missing: {value: yess}}", false, "is not a boolean"},
		{"age", "age: {standardise: true}", true, "standardise needs the rows of the other parties, since the table's rows are split (declare mean and sd)"},
		{"age", "age: {bins: 3}", true, "needs the rows of the other parties"},
		{"region", "region: {one_hot: true}", true, "(declare the levels)"},
		{"bmi", "bmi: {missing: median}", true, "(declare a value)"},
	} {
		s, err := steps(c.prepare)
		if err == nil {
			_, err = read(t, people, Options{Columns: []string{c.columns}}).Prepare(s, c.split)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.prepare, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"a\n1\n1\n":               "all values are equal",
		"a\n1e308\n1e308\n-1e308": "too large to be standardised",
	} {
		_, err := read(t, text, Options{}).Prepare([]Step{{Column: "a", Standardise: true}}, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
	if _, err := read(t, "a\n9007199254740993\n", Options{}).Prepare(nil, false); err == nil || !strings.Contains(err.Error(), "not exact") {
		t.Error(err)
	}
	if _, err := read(t, "a,b\n,1\n", Options{}).Prepare([]Step{{Column: "a", Fill: &Fill{Statistic: "mean"}}}, false); err == nil ||
		!strings.Contains(err.Error(), "all values are missing") {
		t.Error(err)
	}
}

// TestSplit prepares split rows by declared constants.
func TestSplit(t *testing.T) {
	s, err := steps("age: {standardise: {mean: 1, sd: 2}}\nregion: {one_hot: [north, south, west]}\nincome: {bins: [15], one_hot: true}\nbmi: {missing: {value: 1}}")
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t, people, Options{Columns: []string{"age", "region", "income", "bmi"}}).Prepare(s, true)
	if err != nil || len(got) != 7 {
		t.Errorf("got %v, %v", Names(got), err)
	}
}

func TestStepsRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"x":                                  `prepare: want a mapping, got "x"`,
		"a: {standardize: true}":             `job.yaml:1: the preparation of a column has no key "standardize"`,
		"a: {standardise: 3}":                "standardise: want true or false, got 3",
		"a: {standardise: {mean: 1}}":        "sd is a finite number above 0",
		"a: {standardise: {mean: 1, sd: 0}}": "sd is a finite number above 0",
		"a: {standardise: {mean: x, sd: 1}}": "mean: want a finite number",
		"a: {bins: 1}":                       "want 2 or more bins",
		"a: {bins: 5000}":                    "want 2 to 4096 bins",
		"a: {bins: []}":                      "want 1 to 4095 edges",
		"a: {bins: [2, 1]}":                  "edges are finite and ascending",
		"a: {bins: 2, standardise: true}":    "bins and levels are not standardised",
		"a: {one_hot: [x, x]}":               `level "x" is declared twice`,
		"a: {one_hot: [x], drop: y}":         `drop: "y" is not among the levels`,
		"a: {drop: y}":                       "belong to one_hot",
		"a: {one_hot: [1], bins: 2}":         "the levels of bins are their numbers",
		"a: {parts: [hour]}":                 `"hour" is no part of a date`,
		"a: {parts: [day, day]}":             "part day is named twice",
		"a: {parts: []}":                     "name at least one part",
		"a: {parts: [day], bins: 2}":         "parts of dates are not binned",
		"a: {parts: [day], one_hot: true}":   "not encoded by level",
		"a: {missing: mode}":                 "want mean, median or {value: VALUE}",
		"a: {missing: {}}":                   "want mean, median or {value: VALUE}",
		"a: {}\na: {}":                       `key "a" is given twice`,
	} {
		got, err := steps(text)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, %v, want %q", text, got, err, want)
		}
	}
}

// TestStandardised checks the mean and standard deviation of standardised features, and that Scale maps them back.
func TestStandardised(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64Range(-1e6, 1e6), 2, 50).Draw(t, "values")
		c := &Column{Name: "a", Kind: Float, Floats: values}
		got, err := (&Table{File: "t.csv", Rows: len(values), Columns: []*Column{c}}).Prepare([]Step{{Column: "a", Standardise: true}}, false)
		if err != nil {
			if mean(values) != values[0] {
				t.Fatal(err)
			}
			return
		}
		f, squares := got[0], 0.0
		for row, x := range f.Values {
			squares += x * x
			if back := x*f.Scale.SD + f.Scale.Mean; math.Abs(back-values[row]) > 1e-9*(1+math.Abs(f.Scale.Mean)+math.Abs(values[row])) {
				t.Fatalf("row %d: %v, not %v", row, back, values[row])
			}
		}
		if f.Scale.SD > 1e-3 {
			if m := mean(f.Values); math.Abs(m) > 1e-6 || math.Abs(squares/float64(len(values))-1) > 1e-6 {
				t.Fatalf("mean %v, mean square %v", m, squares/float64(len(values)))
			}
		}
	})
}

// FuzzSteps checks that no declaration makes the reader or a preparation panic, and that features are finite, one
// value a row.
func FuzzSteps(f *testing.F) {
	f.Add("age: {standardise: true}\nbmi: {missing: mean, indicator: true}")
	f.Add("region: {one_hot: [north, south, west], drop: north}\nincome: {bins: [1, 2]}")
	f.Add("admitted: {parts: [year]}\nsmoker: {missing: {value: true}}\nage: {standardise: {mean: 1, sd: 2}}")
	f.Add("income: {bins: 4, one_hot: true, drop: 0}\nage: {standardise: {mean: 1, sd: 1e-308}}")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := steps(text)
		if err != nil {
			return
		}
		var columns []string
		for _, step := range s {
			columns = append(columns, step.Column)
		}
		table, err := ReadCSV("t.csv", strings.NewReader(people), Options{Columns: columns})
		if err != nil {
			return
		}
		features, err := table.Prepare(s, false)
		if err != nil {
			return
		}
		for _, f := range features {
			if len(f.Values) != table.Rows {
				t.Fatalf("%s has %d values", f.Name, len(f.Values))
			}
			for _, x := range f.Values {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Fatalf("%s holds %v", f.Name, x)
				}
			}
		}
	})
}
