package exec_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// neighbours are pairs of floats of type d that are equal, one unit of the last place apart, or special.
func neighbours(d tensor.DType) (x, y []float64) {
	next := func(v float64) float64 {
		if d == tensor.F64 {
			return math.Nextafter(v, math.Inf(1))
		}
		return float64(math.Nextafter32(float32(v), float32(math.Inf(1))))
	}
	var all []float64
	for e := -30; e <= 30; e += 5 {
		v := 1.7 * math.Pow(10, float64(e))
		if d != tensor.F64 {
			v = float64(float32(v))
		}
		all = append(all, v, next(v), -v, -next(v))
	}
	pair := func(a, b float64) { x, y = append(x, a), append(y, b) }
	for i := 0; i < len(all); i += 2 {
		pair(all[i], all[i+1])
		pair(all[i+1], all[i])
		pair(all[i], all[i])
	}
	zero, inf, nan := math.Copysign(0, -1), math.Inf(1), math.NaN()
	special := []float64{0, zero, next(0), -next(0), inf, -inf, nan, 1, -1, math.MaxFloat32, -math.MaxFloat32}
	for _, a := range special {
		for _, b := range special {
			pair(a, b)
		}
	}
	return x, y
}

// TestCompareExactly compares floats that parties know, one unit of the last place apart, in all directions.
func TestCompareExactly(t *testing.T) {
	for _, d := range []tensor.DType{tensor.F32, tensor.F64} {
		x, y := neighbours(d)
		n := len(x)
		p := compares(fmt.Sprintf("%dx%v", n, d), fmt.Sprintf("%dxi1", n), "")
		p.data = arrays(floats(d, shape{n}, x...), floats(d, shape{n}, y...))
		prog := parse(t, p)
		want := p.wanted(t, prog, p.data)
		for _, s := range usual {
			for _, owners := range [][]int{{0, 1}, {1, 0}, {0, exec.Public}, {exec.Public, 0}, {0, 0}} {
				p.compare(t, prog, s, owners, p.data, want)
			}
		}
	}
}

// TestCompareMoved compares elements that views copied from what several parties know, with each other and
// with public numbers.
func TestCompareMoved(t *testing.T) {
	x, y := neighbours(f32)
	x, y = x[:60], y[:60]
	all := func(a, b, typ string) (body, names, types, outs string) {
		for i, d := range directions {
			body += fmt.Sprintf(
				"%%%s%s%d = stablehlo.compare %s, %%%[1]s, %%%[2]s : (tensor<%[5]sxf32>, tensor<%[5]sxf32>) -> tensor<%[5]sxi1>\n", a, b, i, d, typ)
			names, types, outs = names+fmt.Sprintf(", %%%s%d", a+b, i), types+", tensor<"+typ+"xi1>", outs+" "+typ+"xi1"
		}
		return
	}
	p := program{args: "60xf32 60xf32 60xf32", data: arrays(floats(f32, shape{60}, x...), floats(f32, shape{60}, y...), floats(f32, shape{60}, y...)), body: `
%u = stablehlo.concatenate %a, %b, dim = 0 : (tensor<60xf32>, tensor<60xf32>) -> tensor<120xf32>
%v = stablehlo.concatenate %c, %a, dim = 0 : (tensor<60xf32>, tensor<60xf32>) -> tensor<120xf32>
%w = stablehlo.reverse %u, dims = [0] : tensor<120xf32>
%g = stablehlo.slice %v [60:120] : (tensor<120xf32>) -> tensor<60xf32>
%zero = stablehlo.constant dense<0.0> : tensor<120xf32>
%tiny = stablehlo.constant dense<1.7e-30> : tensor<120xf32>
`}
	var names, types string
	for _, pair := range [][3]string{
		{"u", "v", "120"}, {"u", "w", "120"}, {"u", "zero", "120"}, {"tiny", "u", "120"}, {"g", "c", "60"}, {"c", "g", "60"},
	} {
		body, n, ty, outs := all(pair[0], pair[1], pair[2])
		p.body, names, types, p.outs = p.body+body, names+n, types+ty, p.outs+outs
	}
	p.body += "return " + names[2:] + " : " + types[2:]
	prog := parse(t, p)
	want := p.wanted(t, prog, p.data)
	for _, s := range usual {
		for _, owners := range [][]int{{0, 1, 0}, {0, 1, exec.Public}, {0, 1, 1}, {exec.Public, 1, 0}, {0, 0, 0}} {
			p.compare(t, prog, s, owners, p.data, want)
		}
	}
}

// TestCompareOfComputed compares secrets that are sums of what parties know: they are compared in fixed point.
func TestCompareOfComputed(t *testing.T) {
	p := program{args: "2xf32 2xf32 2xf32", outs: "2xi1", data: arrays(
		floats(f32, shape{2}, 1, 1), floats(f32, shape{2}, 2, 2), floats(f32, shape{2}, float64(math.Nextafter32(3, 4)), 3.5),
	), body: `%s = stablehlo.add %a, %b : tensor<2xf32>
%0 = stablehlo.compare LT, %s, %c : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
return %0 : tensor<2xi1>`}
	got, err := walk(parse(t, p), middle[0], nil, []int{0, 1, 0}, p.data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b := got.arrays[0].Data.([]bool); !slices.Equal(b, []bool{false, true}) {
		t.Errorf("3 < 3+2^-22, 3 < 3.5 in fixed point: %v", b)
	}
}

// bitForms is the protocol plain with numbers by their bits, which are always chosen. It counts what is compared and looked up so.
type bitForms struct {
	plain.Party
	compared, found *int
}

func (p bitForms) FromBits(op *flow.Op, out ring.Ring, n int, bits mpc.Bit) mpc.Secret {
	narrow := ring.Z(bits.Len() / n)
	x := p.BitCompose(op, narrow, bits)
	if narrow == out {
		return x
	}
	return p.Extend(op, out, x, true)
}

func (p bitForms) ComparesByBits(*flow.Op, mpc.BitComparison) bool {
	*p.compared++
	return true
}

func (p bitForms) LooksUpByBits(*flow.Op, ring.Ring, int, mpc.Lookups) bool {
	*p.found++
	return true
}

// TestCompareLookedUp compares elements at secret positions, chosen by secret bits, and moved on, as programs of
// trees compare features with thresholds, by numbers and by their bits: neighbours, and zeros, infinities and NaN.
func TestCompareLookedUp(t *testing.T) {
	x, y := neighbours(f32)
	special := append([]float64{math.NaN()}, y[len(y)-11:]...) // the last eleven pairs have all of them in y
	compareLookedUp(t, slices.Clone(x[:12]), slices.Clone(y[:12]), true)
	for shift := range 12 {
		compareLookedUp(t, special, slices.Concat(special[shift:], special[:shift]), false)
	}
}

// compareLookedUp compares elements of the tables x with the thresholds y. numbers says that x are in the range of values.
func compareLookedUp(t *testing.T, x, y []float64, numbers bool) {
	t.Helper()
	const body = `%at = "stablehlo.gather"(%a, %c) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [1], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 1>}> : (tensor<2x6xf32>, tensor<12x1xi32>) -> tensor<2x12xf32>
%r = stablehlo.reshape %at : (tensor<2x12xf32>) -> tensor<24xf32>
%two = stablehlo.reshape %b : (tensor<12xf32>) -> tensor<1x12xf32>
%bb = stablehlo.broadcast_in_dim %two, dims = [0, 1] : (tensor<1x12xf32>) -> tensor<2x12xf32>
%u = stablehlo.reshape %bb : (tensor<2x12xf32>) -> tensor<24xf32>
%nan = stablehlo.constant dense<0x7FC00000> : tensor<24xf32>
%p = stablehlo.compare EQ, %d, %e, SIGNED : (tensor<24xi32>, tensor<24xi32>) -> tensor<24xi1>
%s = stablehlo.select %p, %r, %nan : tensor<24xi1>, tensor<24xf32>
`
	p := program{args: "2x6xf32 12xf32 12x1xi32 24xi32 24xi32", data: arrays(
		floats(f32, shape{2, 6}, x...), floats(f32, shape{12}, y...),
		integers(i32, shape{12, 1}, 0, 1, 2, 3, 4, 5, 5, 4, 3, 2, 1, 0),
		integers(i32, shape{24}, slices.Repeat([]int64{1, 2, 1}, 8)...), integers(i32, shape{24}, slices.Repeat([]int64{1}, 24)...),
	)}
	var names, types string
	p.body = body
	for i, d := range directions {
		for _, v := range []string{"r", "s"} {
			p.body += fmt.Sprintf("%%%s%d = stablehlo.compare %s, %%%[1]s, %%u : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xi1>\n", v, i, d)
			names, types, p.outs = names+fmt.Sprintf(", %%%s%d", v, i), types+", tensor<24xi1>", p.outs+" 24xi1"
		}
	}
	alone := p
	p.body += "return " + names[2:] + " : " + types[2:]
	// The same comparisons of elements that another operation reads, too.
	alone.body += "return " + names[2:] + ", %r : " + types[2:] + ", tensor<24xf32>"
	alone.outs += " 24xf32"
	for _, p := range []program{p, alone} {
		prog := parse(t, p)
		want := p.wanted(t, prog, p.data)
		for _, s := range usual {
			if p.outs == alone.outs && s.bits == 32 {
				continue // %r is beyond the range of values
			}
			if p.outs == alone.outs && !numbers {
				continue
			}
			all := exec.Public
			for _, owners := range [][]int{
				{0, 1, 1, 0, 1}, {0, 1, kept, kept, 0}, {0, all, 1, 0, 0}, {0, 1, all, all, all}, {0, all, kept, 0, kept}, {all, 1, kept, 0, 0},
			} {
				var compared, found int
				byBits := func(c *exec.Config, _ bool) { c.Arith.P = bitForms{c.Arith.P.(plain.Party), &compared, &found} }
				for _, edit := range []func(c *exec.Config, dry bool){nil, byBits} {
					got, err := walk(prog, s, nil, owners, p.data, edit)
					if err != nil {
						t.Fatal(err)
					}
					for j := range 2 * len(directions) {
						if err := p.near(s, got.results[j], got.arrays[j], want[j]); err != nil {
							t.Fatalf("%+v, owners %v, by bits %v, result %d: %v", s, owners, edit != nil, j, err)
						}
					}
				}
				owned := owners[0] != all && owners[2] != all
				if (compared > 0) != owned || (found > 0) != (owned && p.outs == alone.outs) {
					t.Fatalf("owners %v: %d comparisons and %d look-ups by bits", owners, compared, found)
				}
			}
		}
	}
}
