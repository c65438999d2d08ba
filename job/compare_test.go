package job

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestCompare(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	floats := func(v ...float64) *tensor.Array { return tensor.FromFloats(tensor.F64, tensor.Shape{len(v)}, v) }
	words := func(d tensor.DType, v ...uint64) *tensor.Array { return tensor.FromWords(d, tensor.Shape{len(v)}, v) }
	pair := func(v ...complex128) *tensor.Array {
		return &tensor.Array{Type: tensor.Type{DType: tensor.C128, Shape: tensor.Shape{len(v)}}, Data: v}
	}
	for name, c := range map[string]struct {
		got, want *tensor.Array
		abs, rel  float64
		message   string // "": within 0.125 + 0.25·|want|
	}{
		"equal":            {floats(1, 2), floats(1, 2), 0, 0, ""},
		"empty":            {floats(), floats(), 0, 0, ""},
		"just within":      {floats(1.375), floats(1), 0.375, 0.375, ""},
		"relative to want": {floats(-10), floats(-8), 2, 0.25, ""},
		"off":              {floats(0, 1.5), floats(0, 1), 0.5, 0.5, "result 0, element [1]: got 1.5, want 1: 0.5 off, 0.375 allowed"},
		"worst of two":     {floats(1, 2, 3), floats(0, 0, 3), 2, 2, "result 0, element [1]: got 2, want 0: 2 off, 0.125 allowed, the worst of 2"},
		"nan is nan":       {floats(nan), floats(nan), 0, 0, ""},
		"inf is inf":       {floats(inf, -inf), floats(inf, -inf), 0, 0, ""},
		"nan is no number": {floats(nan), floats(1), math.MaxFloat64, math.MaxFloat64, "got NaN, want 1"},
		"no nan":           {floats(1), floats(nan), math.MaxFloat64, math.MaxFloat64, "got 1, want NaN"},
		"other inf":        {floats(inf), floats(-inf), math.MaxFloat64, math.MaxFloat64, "got +Inf, want -Inf"},
		"not inf":          {floats(3), floats(inf), math.MaxFloat64, math.MaxFloat64, "got 3, want +Inf"},
		"big integers":     {words(tensor.I64, 1<<62), words(tensor.I64, 1<<62+1), 1, 0x1p-62, ""},
		"extremes":         {words(tensor.I64, 1<<63), words(tensor.I64, 1<<63-1), 0x1p64, 2, "got -9223372036854775808, want 9223372036854775807"},
		"unsigned":         {words(tensor.U8, 255), words(tensor.U8, 0), 255, 255, "got 255, want 0"},
		"signed":           {words(tensor.I8, 255), words(tensor.I8, 0), 1, 1, "got -1, want 0"},
		"bools":            {words(tensor.Bool, 1, 0), words(tensor.Bool, 1, 1), 1, 1, "element [1]: got 0, want 1"},
		"mixed types":      {words(tensor.I32, 3), floats(3), 0, 0, ""},
		"mixed signs":      {words(tensor.U8, 255), words(tensor.I8, 255), 256, 256, "got 255, want -1"},
		"complex":          {pair(3 + 4i), pair(0), 5, 5, "got (3+4i), want (0+0i)"},
		"complex nan":      {pair(complex(nan, 1)), pair(complex(nan, 1)), 0, 0, ""},
	} {
		e, dev := Compare([]*tensor.Array{c.got}, []*tensor.Array{c.want}, 0.125, 0.25)
		want := &profile.Expect{MaxAbsError: []float64{c.abs}, MaxRelError: []float64{c.rel}, OK: c.message == ""}
		if d := cmp.Diff(want, e); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		if (dev == nil) != (c.message == "") || dev != nil && !strings.Contains(dev.Error(), c.message) {
			t.Errorf("%s: got %v, want %q", name, dev, c.message)
		}
	}
}

func TestCompareNamesTheResult(t *testing.T) {
	a, b := filled(tensor.Shape{2, 2}, 1, 2, 3, 4), filled(tensor.Shape{2, 2}, 1, 2, 9, 4)
	_, dev := Compare([]*tensor.Array{a, b}, []*tensor.Array{a, a}, 0, 0)
	if dev == nil || dev.Result != 1 || dev.Element != "[1,0]" {
		t.Error(dev)
	}
}
