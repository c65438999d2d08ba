package party_test

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// rangeSweep divides by, and takes roots of, values of all magnitudes of the range of values: at the fraction, at
// a product's scale, as a sum, and in the fine form. Of the arguments, %a = −0.75·%b, %b = %u·%v = %h + %h2,
// %p = |%b|, %w is at most the root of the range, and %one is 1.
const rangeSweep = `module @m {
  func.func public @main(%%a: TYPE, %%b: TYPE, %%p: TYPE, %%u: TYPE, %%v: TYPE, %%h: TYPE, %%h2: TYPE, %%w: TYPE, %%one: TYPE) -> (TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE) {
    %%q = stablehlo.divide %%a, %%b : TYPE
    %%r = stablehlo.sqrt %%p : TYPE
    %%uv = stablehlo.multiply %%u, %%v : TYPE
    %%q2 = stablehlo.divide %%a, %%uv : TYPE
    %%sum = stablehlo.add %%h, %%h2 : TYPE
    %%q3 = stablehlo.divide %%a, %%sum : TYPE
    %%size = stablehlo.abs %%uv : TYPE
    %%q4 = stablehlo.divide %%size, %%one : TYPE
    %%uvone = stablehlo.multiply %%uv, %%one : TYPE
    %%q5 = stablehlo.divide %%uvone, %%one : TYPE
    %%ww = stablehlo.multiply %%w, %%w : TYPE
    %%r2 = stablehlo.sqrt %%ww : TYPE
    %%limit = stablehlo.constant dense<%s> : TYPE
    %%least = stablehlo.minimum %%ww, %%limit : TYPE
    %%r3 = stablehlo.sqrt %%least : TYPE
    %%q6 = stablehlo.divide %%ww, %%ww : TYPE
    %%q7 = stablehlo.divide %%w, %%r2 : TYPE
    %%vu = stablehlo.multiply %%v, %%u : TYPE
    %%size2 = stablehlo.abs %%vu : TYPE
    %%q8 = stablehlo.divide %%p, %%size2 : TYPE
    return %%q, %%r, %%q2, %%q3, %%q4, %%q5, %%r2, %%r3, %%q6, %%q8 : TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE, TYPE
  }
}`

func TestRootsAndQuotientsOverTheRangeOfValues(t *testing.T) {
	for _, s := range allRandomSettings() {
		if s.parties == 5 || raced && s.ring != 64 {
			continue
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			top := fxp.ValueBits(ring.Z(s.ring), s.fraction())
			var in [9][]float64
			for e := 6 - s.fraction(); e < top; e++ {
				for _, sign := range []float64{1, -1} {
					b := sign * math.Ldexp(1.75, e-1)
					u := math.Ldexp(1, max(6-s.fraction(), e/2-1)) // b/u has 4 bits below a power of two of at least 2^(4−f)
					w := math.Ldexp(sign*1.25, min(e-1, top/2-1))
					for i, x := range []float64{-0.75 * b, b, math.Abs(b), u, b / u, b / 2, b / 2, w, 1} {
						in[i] = append(in[i], x)
					}
				}
			}
			typ := fmt.Sprintf("tensor<%dxf64>", len(in[0]))
			text := strings.ReplaceAll(fmt.Sprintf(rangeSweep, numberText(math.Ldexp(1.5, top-1))), "TYPE", typ)
			prog, err := hlo.Parse("sweep.mlir", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			var arrays []*tensor.Array
			spec := party.Spec{Program: prog, Protocol: s.protocol, Ring: s.ring, Fraction: s.fraction(), Computing: s.parties,
				Reveal: []int{0}, Network: "none", Seed: make([]byte, 32)}
			for i, x := range in {
				arr := tensor.FromFloats(tensor.F64, tensor.Shape{len(x)}, x)
				arrays = append(arrays, arr)
				spec.Args = append(spec.Args, party.Arg{Owner: i % s.parties, Data: arr})
			}
			for i := range s.parties {
				spec.Parties = append(spec.Parties, fmt.Sprint("p", i))
			}
			want, err := eval.Func(context.Background(), prog.Main, arrays)
			if err != nil {
				t.Fatal(err)
			}
			got, err := party.Run(context.Background(), spec)
			if err != nil {
				t.Fatal(err)
			}
			unit := math.Ldexp(1, -s.fraction())
			for k := range want {
				for i, y := range want[k].Floats() {
					x := got.Results[k].Floats()[i]
					tolerance := 8*unit + math.Abs(y)*0x1p-19
					if k == 2 || k == 9 { // the divisor is a product without a known range, which is rounded
						tolerance += math.Abs(y) * unit * float64(s.parties) / math.Abs(in[1][i])
					}
					if !(math.Abs(x-y) <= tolerance) {
						t.Errorf("result %d of b = %g, w = %g is %g, want %g", k, in[1][i], in[7][i], x, y)
					}
				}
			}
		})
	}
}
