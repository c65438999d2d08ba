package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSpread(t *testing.T) {
	for _, c := range []struct {
		in   []float64
		want spread
	}{
		{[]float64{2}, spread{2, 2, 2}},
		{[]float64{5, 1}, spread{1, 3, 5}},
		{[]float64{4, 9, 1}, spread{1, 4, 9}},
	} {
		if got := spreadOf(c.in); got != c.want {
			t.Errorf("%v: %v, want %v", c.in, got, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	if a, b := order(3, 2), order(3, 3); !slices.Equal(a, []int{0, 1, 2}) || !slices.Equal(b, []int{2, 1, 0}) {
		t.Error(a, b)
	}
}

// TestCompare: ratios are computed within a round, and not at all if Tacet did not run.
func TestCompare(t *testing.T) {
	rows := func(failed string) []row {
		return []row{
			{system: "spu", samples: []sample{{seconds: 8}, {seconds: 3}}},
			{system: "tacet", samples: []sample{{seconds: 2, offline: 2}, {seconds: 1, offline: 0.5}}, failed: failed},
			{system: "crypten", failed: "no"},
		}
	}
	got := rows("")
	compare(got)
	if !slices.Equal(got[0].online, []float64{4, 3}) || !slices.Equal(got[0].total, []float64{2, 2}) || got[1].online != nil ||
		got[2].online != nil {
		t.Errorf("%+v", got)
	}
	got = rows("not built")
	compare(got)
	if got[0].online != nil {
		t.Errorf("%+v", got)
	}
}

// example returns a table with every form of row.
func example() table {
	off := 0.25
	t := table{
		{job: "mul", system: "tacet", samples: []sample{{seconds: 0.5, offline: 0.25, cpu: 1.5, bytes: 16e6, rounds: 1, memory: 3 << 20}}},
		{job: "mul", system: "spu", samples: []sample{{seconds: 2, cpu: 4, bytes: 20e6, messages: 2, memory: 4 << 20, maxError: &off}}},
		{job: "mul", system: "crypten", failed: "a | b, c"},
	}
	compare(t)
	return t
}

func TestFormats(t *testing.T) {
	var text strings.Builder
	x := example()
	if err := x.heading(&text); err != nil {
		t.Fatal(err)
	}
	for _, r := range x {
		if err := r.print(&text); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"job system seconds (min – median – max) offline s ratio to Tacet's online ratio to online and offline CPU s MB rounds memory MiB max error",
		"mul tacet 0.5000 – 0.5000 – 0.5000 0.2500 1.500 16.00 1 3",
		"mul spu 2.0000 – 2.0000 – 2.0000 4.0 – 4.0 – 4.0 2.7 – 2.7 – 2.7 4.000 20.00 2 m 4 0.25",
		"mul crypten not run: a | b, c",
	}
	for i, l := range strings.Split(strings.TrimSpace(text.String()), "\n") {
		if got := strings.Join(strings.Fields(l), " "); got != want[i] {
			t.Errorf("line %d: %q", i, got)
		}
	}
	for name, want := range map[string]string{
		"a.md": `| mul | tacet | 0.5000 – 0.5000 – 0.5000 | 0.2500 |  |  | 1.500 | 16.00 | 1 | 3 |  |
| mul | spu | 2.0000 – 2.0000 – 2.0000 |  | 4.0 – 4.0 – 4.0 | 2.7 – 2.7 – 2.7 | 4.000 | 20.00 | 2 m | 4 | 0.25 |
| mul | crypten | not run: a \| b, c |  |  |  |  |  |  |  |  |
`,
		"a.csv": `mul,tacet,,1,0.5,0.5,0.5,0.25,0.25,0.25,1.5,1.5,1.5,,,,,,,16000000,1,,3145728,
mul,spu,,1,2,2,2,,,,4,4,4,4,4,4,2.66667,2.66667,2.66667,20000000,,2,4194304,0.25
mul,crypten,"a | b, c",0,,,,,,,,,,,,,,,,,,,,
`,
	} {
		file := filepath.Join(t.TempDir(), name)
		if err := x.save(file); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(string(got), "\n"+want) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
	if err := x.save(filepath.Join(t.TempDir(), "none", "a.md")); err == nil {
		t.Error("written into no folder")
	}
}
