package job

import (
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

func TestCheckValues(t *testing.T) {
	below := func(x float64) float64 { return math.Nextafter(x, 0) }
	for _, c := range []struct {
		x              float64
		ring, fraction int
		want           string // "": the value fits
	}{
		{0, 64, 18, ""},
		{below(1 << 44), 64, 18, ""},
		{-below(1 << 44), 64, 18, ""},
		{1 << 44, 64, 18, "element [1,2]: 1.7592186044416e+13 is too large to be shared (a ring of 64 bits with fraction 18 takes magnitudes below 2^44)"},
		{-(1 << 44), 64, 18, "too large"},
		{1<<22 - 1.0/256, 32, 8, ""},
		{below(1 << 22), 32, 8, "below 2^22"}, // rounds up to the limit
		{1<<22 - 1.0/512, 32, 8, "below 2^22"},
		{below(1<<22 - 1.0/512), 32, 8, ""},
		{below(math.Ldexp(1, 100)), 128, 26, ""},
		{math.Ldexp(1, 100), 128, 26, "below 2^100"},
		{math.NaN(), 64, 18, "element [1,2]: NaN cannot be shared"},
		{math.Inf(1), 64, 18, "element [1,2]: +Inf cannot be shared"},
		{math.Inf(-1), 128, 26, "element [1,2]: -Inf cannot be shared"},
	} {
		a := tensor.FromFloats(tensor.F64, tensor.Shape{2, 3}, []float64{0, 0, 0, 0, 0, c.x})
		err := CheckValues(a, c.ring, c.fraction)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v in %d/%d: %v", c.x, c.ring, c.fraction, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%v in %d/%d: got %v, want %q", c.x, c.ring, c.fraction, err, c.want)
		}
	}
}

func TestCheckValuesOfOtherTypes(t *testing.T) {
	words := tensor.FromWords(tensor.I64, tensor.Shape{1}, []uint64{1 << 63})
	half := tensor.FromFloats(tensor.F16, tensor.Shape{}, []float64{math.Inf(1)})
	if err := CheckValues(words, 32, 8); err != nil {
		t.Error(err)
	}
	if err := CheckValues(half, 64, 18); err == nil || !strings.HasPrefix(err.Error(), "element []: +Inf") {
		t.Error(err)
	}
}

// TestCheckValuesOfParts checks that real and imaginary parts are checked as floats are.
func TestCheckValuesOfParts(t *testing.T) {
	for _, c := range []struct {
		z    complex128
		want string
	}{{complex(1, -2), ""}, {complex(1, math.NaN()), "element [1]: NaN cannot"}, {complex(math.Inf(1), 0), "element [1]: +Inf"}, {complex(0, 1<<44), "too large"}} {
		a := &tensor.Array{Type: tensor.Type{DType: tensor.C128, Shape: tensor.Shape{2}}, Data: []complex128{0, c.z}}
		if err := CheckValues(a, 64, 18); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want %q", c.z, err, c.want)
		}
	}
}

func TestRefusedValuesNameFileAndArgument(t *testing.T) {
	j := jobIn(t, strings.Replace(usual, "public: true", "owner: bob", 1))
	_, err := j.RunSpec(four)
	if err == nil || !strings.HasSuffix(err.Error(), "public.npz: argument 3, element [0]: -Inf cannot be shared (inputs with an owner are finite numbers)") {
		t.Error(err)
	}
}
