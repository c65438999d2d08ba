package algo

import (
	"math"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func TestReducer(t *testing.T) {
	for name, c := range map[string]struct {
		body        func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value)
		params      int
		want        string
		associative bool
	}{
		"in order": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			o := op("stablehlo.add", p[0], p[1])
			return []*hlo.Op{o}, o.Results
		}, 2, "stablehlo.add", true},
		"exchanged": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			o := op("stablehlo.subtract", p[1], p[0])
			return []*hlo.Op{o}, o.Results
		}, 2, "stablehlo.subtract", false},
		"one parameter twice": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			o := op("stablehlo.add", p[0], p[0])
			return []*hlo.Op{o}, o.Results
		}, 2, "", false},
		"another result": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			return []*hlo.Op{op("stablehlo.add", p[0], p[1])}, p[:1]
		}, 2, "", false},
		"two operations": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			o := op("stablehlo.add", p[0], p[1])
			return []*hlo.Op{op("f"), o}, o.Results
		}, 2, "", false},
		"two operands": {func(p []*hlo.Value) ([]*hlo.Op, []*hlo.Value) {
			o := op("stablehlo.add", p[0], p[2])
			return []*hlo.Op{o}, []*hlo.Value{o.Results[0], p[1]}
		}, 4, "", false},
	} {
		b := block(c.params, c.body)
		if got := Reducer(b); got != c.want {
			t.Errorf("%s: %q, not %q", name, got, c.want)
		}
		if got := Associative(b); got != c.associative {
			t.Errorf("%s: associative %v", name, got)
		}
	}
}

func TestNeutral(t *testing.T) {
	float := func(x float64) *tensor.Array { return tensor.FromFloats(tensor.F32, nil, []float64{x}) }
	word := func(d tensor.DType, w uint64) *tensor.Array { return tensor.FromWords(d, nil, []uint64{w}) }
	minus := ^uint64(0)
	for _, c := range []struct {
		reducer string
		a       *tensor.Array
		want    bool
	}{
		{"add", float(0), true}, {"add", float(1), false}, {"multiply", float(1), true}, {"multiply", float(0), false},
		{"maximum", float(math.Inf(-1)), true}, {"maximum", float(-math.MaxFloat32), false}, {"minimum", float(math.Inf(1)), true},
		{"maximum", word(tensor.I8, 0x80), true}, {"maximum", word(tensor.I8, 0), false}, {"minimum", word(tensor.I8, 0x7f), true},
		{"maximum", word(tensor.U64, 0), true}, {"minimum", word(tensor.U64, minus), true}, {"minimum", word(tensor.I64, minus>>1), true},
		{"and", word(tensor.I32, minus), true}, {"and", word(tensor.Bool, 1), true}, {"and", word(tensor.Bool, 0), false},
		{"or", word(tensor.Bool, 0), true}, {"or", word(tensor.Bool, 1), false}, {"xor", word(tensor.U16, 0), true},
	} {
		if got := Neutral("stablehlo."+c.reducer, c.a); got != c.want {
			t.Errorf("%s of %v: %v", c.reducer, c.a.Data, got)
		}
	}
}
