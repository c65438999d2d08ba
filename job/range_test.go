package job

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/tensor"
)

func TestCheckRange(t *testing.T) {
	floats := func(x ...float64) *tensor.Array { return tensor.FromFloats(tensor.F64, tensor.Shape{len(x)}, x) }
	words := func(d tensor.DType, w ...uint64) *tensor.Array { return tensor.FromWords(d, tensor.Shape{len(w)}, w) }
	for _, c := range []struct {
		a      *tensor.Array
		lo, hi float64
		want   string // "": all elements lie inside
	}{
		{floats(-1, 0, 1), -1, 1, ""},
		{floats(), 2, 3, ""},
		{floats(0, math.Nextafter(1, 2)), -1, 1, "element [1]: 1.0000000000000002 is outside the declared range [-1, 1]"},
		{floats(-1.5), -1, 1, "element [0]: -1.5 is outside"},
		{floats(0, 0, math.NaN()), -1, 1, "element [2]: NaN is outside"},
		{floats(math.Inf(1)), -1, math.MaxFloat64, "element [0]: +Inf is outside"},
		{floats(0), 1, -1, "want [lo, hi], two finite numbers"},
		{floats(0), math.NaN(), 1, "want [lo, hi], two finite numbers"},
		{floats(0), 0, math.Inf(1), "want [lo, hi], two finite numbers"},
		{words(tensor.I8, ^uint64(2), 3), -3, 3.5, ""},
		{words(tensor.I8, 4), -3, 3.5, "element [0]: 4 is outside"},
		{words(tensor.I8, ^uint64(3)), -3.5, 3.5, "element [0]: -4 is outside"},
		{words(tensor.I64, 1<<63, 1<<63-1), -1e30, 1e30, ""},
		{words(tensor.I64, 1<<53+1), 0, 1 << 53, "element [0]: 9007199254740993 is outside"},
		{words(tensor.I64, 5), 1e20, 1e30, "element [0]: 5 is outside"},
		{words(tensor.I64, 5), -1e30, -1e20, "element [0]: 5 is outside"},
		{words(tensor.U64, math.MaxUint64), 0, 1 << 63, "element [0]: 18446744073709551615 is outside"},
		{words(tensor.U64, math.MaxUint64, 0), -1, 1e30, ""},
		{words(tensor.U8, 0), 0.5, 9, "element [0]: 0 is outside"},
		{words(tensor.U8, 0), -9, -1, "element [0]: 0 is outside"},
		{words(tensor.U8, 0), 1e30, 2e30, "element [0]: 0 is outside"},
		{words(tensor.I32, 1), 0.25, 0.75, "there is no i32 from 0.25 to 0.75"},
		{tensor.NewArray(tensor.Type{DType: tensor.Bool}), 0, 1, "its type is tensor<i1>, but ranges apply to floats and integers"},
		{tensor.NewArray(tensor.Type{DType: tensor.C64}), 0, 1, "its type is tensor<complex<f32>>, but ranges apply"},
	} {
		err := CheckRange(0, c.a, Range{Lo: c.lo, Hi: c.hi})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v from %v to %v: %v", c.a.Data, c.lo, c.hi, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v from %v to %v: got %v, want %q", c.a.Data, c.lo, c.hi, err, c.want)
		case err != nil && strings.Contains(c.want, "element") && !errors.As(err, new(*ElementError)):
			t.Errorf("%v is no ElementError", err)
		}
	}
}

// TestRangesOfInputs checks that files are checked against the ranges that their inputs declare, and
// that the spec contains the ranges.
func TestRangesOfInputs(t *testing.T) {
	declared := func(alice, bob, public string) *Job {
		return jobIn(t, "- {owner: alice, file: alice.npz"+alice+"}\n- {owner: bob, file: bob.npz"+bob+"}\n- {public: true, file: public.npz"+public+"}\n")
	}
	j := declared(", range: [-100, 100]", ", range: {2: [-100, 100.5]}", "")
	run, err := j.RunSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := j.PlanSpec(four)
	if err != nil {
		t.Fatal(err)
	}
	want := []*Range{{Lo: -100, Hi: 100}, nil, {Lo: -100, Hi: 100.5}, nil}
	for arg, r := range want {
		if d := cmp.Diff(r, run.Args[arg].Range); d != "" {
			t.Errorf("argument %d: %s", arg, d)
		}
		if d := cmp.Diff(r, plan.Args[arg].Range); d != "" {
			t.Errorf("argument %d of the plan: %s", arg, d)
		}
	}
	for want, j := range map[string]*Job{
		"alice.npz: argument 0, element [0]: ":                                  declared(", range: [-100, -99]", "", ""),
		"bob.npz: argument 1, element [0]: ":                                    declared("", ", range: {1: [-100, -99]}", ""),
		"public.npz: argument 3, element [0]: -Inf is outside the":              declared("", "", ", range: [-100, 100]"),
		"job.yaml:5: range names argument 3, which the input does not provide":  declared("", ", range: {3: [0, 1]}", ""),
		"job.yaml:5: range names argument 77, which the input does not provide": declared("", ", range: {77: [0, 1]}", ""),
	} {
		if _, err := j.RunSpec(four); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
		if _, err := j.PlanSpec(four); strings.Contains(want, "job.yaml") && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("the plan: got %v, want %q", err, want)
		}
	}
	booleans := program([]tensor.Type{{DType: tensor.Bool}}, nil)
	j = jobIn(t, "- {owner: alice, file: x.npz, args: [0], range: [0, 1]}\n")
	if _, err := j.PlanSpec(booleans); err == nil || !strings.Contains(err.Error(), "job.yaml:4: range of argument 0: its type is tensor<i1>") {
		t.Errorf("of booleans: %v", err)
	}
}

func TestDeclared(t *testing.T) {
	r := Range{Lo: -1, Hi: 2}
	for _, c := range []struct {
		in   Input
		want map[int][2]float64
		err  string
	}{
		{Input{Args: []int{1}}, nil, ""},
		{Input{Args: []int{1, 3}, Range: &r}, map[int][2]float64{1: {-1, 2}, 3: {-1, 2}}, ""},
		{Input{Args: []int{1, 3}, Ranges: map[int]Range{3: r}}, map[int][2]float64{3: {-1, 2}}, ""},
		{Input{Name: "x.npz", Range: &r}, nil, "the range is for all arguments in x.npz, which only its owner's node can read: name them"},
		{Input{Ranges: map[int]Range{3: r}}, nil, "range names argument 3, which args does not list"},
	} {
		got, err := c.in.Declared()
		if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("%+v: %v, want %q", c.in, err, c.err)
		}
		if d := cmp.Diff(c.want, got); err == nil && d != "" {
			t.Errorf("%+v: %s", c.in, d)
		}
	}
}
