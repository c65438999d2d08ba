package profile

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/pprof/profile"
)

// nested is a report of a function that is called twice, once in a loop.
func nested() *Report {
	site := func(frame int, bytes int64, depth ...int) Site {
		return Site{
			Frame:        frame,
			Calls:        1,
			BytesSent:    []int64{bytes, bytes},
			Messages:     []int64{1, 1},
			Rounds:       1,
			OfflineBytes: 3,
			PathRounds:   1,
			Seconds:      1e-6,
			Depth:        depth,
		}
	}
	r := sample()
	r.Frames = []Frame{
		{Outer: -1, Op: -1, Func: "main"},
		{Outer: 0, Op: 1, Func: "relu"},
		{Outer: 0, Op: 2, Func: ""},
		{Outer: 2, Op: 4, Func: "relu"},
	}
	r.Ops = []Op{
		{ID: 0, Op: "stablehlo.dot_general", Loc: "p.mlir:2:5", Name: "jit(f)/dense/dot_general", Sites: []Site{site(0, 10, 0, 1)}},
		{
			ID:     1,
			Op:     "func.call",
			Loc:    "p.mlir:3:5",
			Name:   "jit(f)/dense/jit(relu)",
			Inputs: []int{0},
			Sites:  []Site{{Frame: 0, Calls: 1, BytesSent: []int64{0, 0}, Messages: []int64{0, 0}}},
		},
		{
			ID:     2,
			Op:     "stablehlo.while",
			Loc:    "p.mlir:4:5",
			Inputs: []int{1},
			Sites:  []Site{{Frame: 0, Calls: 1, BytesSent: []int64{0, 0}, Messages: []int64{0, 0}}},
		},
		{ID: 4, Op: "func.call", Loc: "p.mlir:6:9", Sites: []Site{{Frame: 2, Calls: 2, BytesSent: []int64{0, 0}, Messages: []int64{0, 0}}}},
		{
			ID:    9,
			Op:    "stablehlo.maximum",
			Loc:   "p.mlir:12:5",
			Name:  "jit(f)/dense/jit(relu)/max",
			Sites: []Site{site(1, 20, 1, 5), site(3, 30, 5, 9)},
		},
	}
	for i := range r.Ops {
		sites := r.Ops[i].Sites
		r.Ops[i].Sites = nil
		r.Ops[i].BytesSent, r.Ops[i].Messages = make([]int64, 2), make([]int64, 2)
		for _, s := range sites {
			r.Ops[i].Add(s)
		}
	}
	return r
}

// stacks returns a profile's samples as "innermost:line;…;main:line values".
func stacks(t *testing.T, b []byte) []string {
	t.Helper()
	p, err := profile.Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if err := p.CheckValid(); err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, s := range p.SampleType {
		types = append(types, s.Type+"/"+s.Unit)
	}
	if d := cmp.Diff([]string{"comm/bytes", "rounds/count", "offline/bytes", "time/nanoseconds", "path/count"}, types); d != "" {
		t.Error(d)
	}
	var out []string
	for _, s := range p.Sample {
		var levels []string
		for _, l := range s.Location {
			levels = append(levels, fmt.Sprintf("%s:%s:%d", l.Line[0].Function.Name, l.Line[0].Function.Filename, l.Line[0].Line))
		}
		out = append(out, fmt.Sprint(strings.Join(levels, ";"), " ", s.Value))
	}
	return out
}

func TestPprof(t *testing.T) {
	b, err := Pprof(nested())
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"stablehlo.dot_general:p.mlir:2;dense:p.mlir:2;jit(f):p.mlir:2;main:p.mlir:2 [20 1 3 1000 1]",
		"stablehlo.maximum:p.mlir:12;jit(relu):p.mlir:12;relu:p.mlir:12;dense:p.mlir:3;jit(f):p.mlir:3;main:p.mlir:3 [40 1 3 1000 1]",
		"stablehlo.maximum:p.mlir:12;jit(relu):p.mlir:12;dense:p.mlir:12;jit(f):p.mlir:12;relu:p.mlir:12;stablehlo.while:p.mlir:6;main:p.mlir:4 [60 1 3 1000 1]",
	}
	if d := cmp.Diff(want, stacks(t, b)); d != "" {
		t.Error(d)
	}
}

// A profile says for each operation what the report says.
func TestPprofAddsUp(t *testing.T) {
	r := sample()
	b, err := Pprof(r)
	if err != nil {
		t.Fatal(err)
	}
	p, err := profile.Parse(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	var total [5]int64
	for _, s := range p.Sample {
		for i, v := range s.Value {
			total[i] += v
		}
	}
	if want := [5]int64{610, 5, 1000, 500_000_000, 5}; total != want {
		t.Errorf("%v, want %v", total, want)
	}
}

func TestPlaces(t *testing.T) {
	for loc, want := range map[string]call{
		"program.mlir:12:5":                  {"", "program.mlir", 12},
		"a b/c:d.mlir:3:1":                   {"", "a b/c:d.mlir", 3},
		"model.bin:op 7":                     {"", "model.bin", 7},
		"model.bin:op 7 (src/net.py:40:12)":  {"", "src/net.py", 40},
		"model.bin:op 7 (src/net (1).py:40)": {"", "src/net (1).py", 40},
		"model.bin":                          {"", "model.bin", 0},
		"":                                   {},
	} {
		if file, line := place(loc); file != want.file || line != want.line {
			t.Errorf("%q is %q line %d", loc, file, line)
		}
	}
	if got := levels("jit(f)/while/body/jit(g/h)[x/y]/max"); !slices.Equal(got, []string{"jit(f)", "while", "body", "jit(g/h)[x/y]"}) {
		t.Error(got)
	}
}

// A file may contain what no run writes: cycles of calls and frames that do not exist.
func TestBrokenFrames(t *testing.T) {
	r := nested()
	r.Frames[0].Outer, r.Frames[0].Op = 3, 4
	r.Frames[3].Outer = 2
	r.Frames[2].Outer, r.Frames[2].Op = 3, 4
	r.Ops[0].Sites[0].Frame = 77
	r.Ops[4].Sites[0].Frame = -5
	r.Ops[4].Inputs = []int{9, 1000}
	if _, err := Pprof(r); err != nil {
		t.Error(err)
	}
	if _, err := HTML(r); err != nil {
		t.Error(err)
	}
	if _, err := Rounds(r); err != nil {
		t.Error(err)
	}
}
