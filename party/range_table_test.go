package party_test

import (
	"context"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/party/check"
	"github.com/tacet-mpc/tacet/tensor"
)

// rangeRow is a program whose constants fit the range of values while what a
// product or a bound of a function holds is narrower.
type rangeRow struct {
	name string
	ring int
	args string      // types, separated by spaces, of %a, %b, …
	in   [][]float64 // one element stands for all
	body string
	out  string // the result's type
	want []float64
	tol  float64
}

// rangeRows are results that are right over the whole range of values.
var rangeRows = []rangeRow{
	{name: "product plus z", ring: 64, args: "2xf64 2xf64 2xf64", in: [][]float64{{3, -2.5}, {5, 4}, {1 << 30, -(1 << 43)}},
		out: "2xf64", want: []float64{1<<30 + 15, -(1 << 43) - 10}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %1 = stablehlo.add %0, %c : tensor<2xf64>
 return %1 : tensor<2xf64>`},
	{name: "large product plus z", ring: 64, args: "2xf64 2xf64 2xf64", in: [][]float64{{1 << 20, 1 << 22}, {1 << 22, -(1 << 20)}, {1 << 30, 0.25}},
		out: "2xf64", want: []float64{1<<42 + 1<<30, -(1 << 42) + 0.25}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %1 = stablehlo.add %c, %0 : tensor<2xf64>
 return %1 : tensor<2xf64>`},
	{name: "dot minus z", ring: 64, args: "2xf64 2xf64 f64", in: [][]float64{{3, -2.5}, {5, 4}, {1 << 43}},
		out: "f64", want: []float64{5 - 1<<43}, tol: 1e-4, body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
 %1 = stablehlo.subtract %0, %c : tensor<f64>
 return %1 : tensor<f64>`},
	{name: "slice of concat(x*y, z)", ring: 64, args: "2xf64 2xf64 2xf64", in: [][]float64{{3, -2.5}, {5, 4}, {1 << 40, -(1 << 43)}},
		out: "2xf64", want: []float64{1 << 40, -(1 << 43)}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<2xf64>, tensor<2xf64>) -> tensor<4xf64>
 %2 = stablehlo.slice %1 [2:4] : (tensor<4xf64>) -> tensor<2xf64>
 return %2 : tensor<2xf64>`},
	{name: "mean of 1,000 near 1e6", ring: 64, args: "1000xf64", in: [][]float64{{1e6 + 0.5}},
		out: "f64", want: []float64{1e6 + 0.5}, tol: 0.5, body: `
 %z = stablehlo.constant dense<0.0> : tensor<f64>
 %0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<1000xf64>, tensor<f64>) -> tensor<f64>
 %n = stablehlo.constant dense<1000.0> : tensor<f64>
 %1 = stablehlo.divide %0, %n : tensor<f64>
 return %1 : tensor<f64>`},
	{name: "largest product by a public number", ring: 64, args: "2xf64 2xf64", in: [][]float64{{1 << 21, -(1 << 40)}, {1 << 21, 2}},
		out: "2xf64", want: []float64{(1 << 42) / 3., -(1 << 41) / 3.}, tol: 4e6, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %k = stablehlo.constant dense<3.0> : tensor<2xf64>
 %1 = stablehlo.divide %0, %k : tensor<2xf64>
 return %1 : tensor<2xf64>`},
	{name: "large product looked up at a secret place", ring: 64, args: "4xf64 4xf64 f64", in: [][]float64{{1 << 20, 3, -(1 << 22), 5}, {1 << 21, 1, 1 << 20, 2}, {2}},
		out: "1xf64", want: []float64{-(1 << 42)}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<4xf64>
 %i = stablehlo.convert %c : (tensor<f64>) -> tensor<i32>
 %1 = stablehlo.dynamic_slice %0, %i, sizes = [1] : (tensor<4xf64>, tensor<i32>) -> tensor<1xf64>
 return %1 : tensor<1xf64>`},
	{name: "large product put at a secret place", ring: 64, args: "4xf64 4xf64 f64", in: [][]float64{{1, 2, 3, 4}, {1 << 41, 0, 0, 0}, {1}},
		out: "4xf64", want: []float64{1, 1 << 41, 3, 4}, tol: 1e-4, body: `
 %i = stablehlo.convert %c : (tensor<f64>) -> tensor<i32>
 %p = stablehlo.multiply %a, %b : tensor<4xf64>
 %u = stablehlo.slice %p [0:1] : (tensor<4xf64>) -> tensor<1xf64>
 %1 = stablehlo.dynamic_update_slice %a, %u, %i : (tensor<4xf64>, tensor<1xf64>, tensor<i32>) -> tensor<4xf64>
 return %1 : tensor<4xf64>`},
	{name: "large product that nobody has seen masked", ring: 64, args: "2xf64 2xf64", in: [][]float64{{1 << 21, 3}, {-(1 << 21), 4}},
		out: "2xf64", want: []float64{-(1 << 42), 12}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %1 = stablehlo.custom_call @tacet.unopened(%0) : (tensor<2xf64>) -> tensor<2xf64>
 return %1 : tensor<2xf64>`},
	{name: "dot compared with what is beyond it", ring: 32, args: "2xf64 2xf64", in: [][]float64{{-1050000}, {1. / 256}},
		out: "f64", want: []float64{0}, tol: 1e-4, body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<2xf64>, tensor<2xf64>) -> tensor<f64>
 %k = stablehlo.constant dense<-1.7e4> : tensor<f64>
 %1 = stablehlo.compare LT, %0, %k, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
 %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<f64>
 return %2 : tensor<f64>`},
	{name: "compared with a large square", ring: 32, args: "f64 f64", in: [][]float64{{-(1 << 20)}, {1911.390625}},
		out: "f64", want: []float64{1}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %b, %b : tensor<f64>
 %1 = stablehlo.compare LT, %a, %0, FLOAT : (tensor<f64>, tensor<f64>) -> tensor<i1>
 %2 = stablehlo.convert %1 : (tensor<i1>) -> tensor<f64>
 return %2 : tensor<f64>`},
	{name: "product plus 1e8", ring: 64, args: "2xf64 2xf64", in: [][]float64{{3, -2.5}, {5, 4}},
		out: "2xf64", want: []float64{1e8 + 15, 1e8 - 10}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %k = stablehlo.constant dense<1.0e8> : tensor<2xf64>
 %1 = stablehlo.add %0, %k : tensor<2xf64>
 return %1 : tensor<2xf64>`},
	{name: "max(x, 2e7)", ring: 64, args: "3xf64", in: [][]float64{{1, -3e9, 3e7}},
		out: "3xf64", want: []float64{2e7, 2e7, 3e7}, tol: 1e-4, body: `
 %k = stablehlo.constant dense<2.0e7> : tensor<3xf64>
 %0 = stablehlo.maximum %a, %k : tensor<3xf64>
 return %0 : tensor<3xf64>`},
	{name: "min(x, -2e7)", ring: 64, args: "3xf64", in: [][]float64{{1, -3e9, 3e7}},
		out: "3xf64", want: []float64{-2e7, -3e9, -2e7}, tol: 1e-4, body: `
 %k = stablehlo.constant dense<-2.0e7> : tensor<3xf64>
 %0 = stablehlo.minimum %a, %k : tensor<3xf64>
 return %0 : tensor<3xf64>`},
	{name: "clip(x, 0, 2e7)", ring: 64, args: "4xf64", in: [][]float64{{1.8e7, 2.2e7, -1.8e7, 12.25}},
		out: "4xf64", want: []float64{1.8e7, 2e7, 0, 12.25}, tol: 1e-4, body: `
 %l = stablehlo.constant dense<0.0> : tensor<f64>
 %h = stablehlo.constant dense<2.0e7> : tensor<f64>
 %0 = stablehlo.clamp %l, %a, %h : (tensor<f64>, tensor<4xf64>, tensor<f64>) -> tensor<4xf64>
 return %0 : tensor<4xf64>`},
	{name: "product plus a multiple by a large integer", ring: 128, args: "2xf64 2xf64", in: [][]float64{{0, 3}, {-5.49755813888e+11, -7}},
		out: "2xf64", want: []float64{-4.375338819749528e15 * 5.49755813888e+11, -4.375338819749528e15*4 - 21}, tol: 1e12, body: `
 %0 = stablehlo.add %b, %a : tensor<2xf64>
 %k = stablehlo.constant dense<4.375338819749528e+15> : tensor<2xf64>
 %1 = stablehlo.multiply %k, %0 : tensor<2xf64>
 %2 = stablehlo.multiply %a, %b : tensor<2xf64>
 %3 = stablehlo.add %2, %1 : tensor<2xf64>
 return %3 : tensor<2xf64>`},
	{name: "root of a limited square", ring: 64, args: "2xf64 2xf64", in: [][]float64{{1, 3}, {1, 0.25}},
		out: "2xf64", want: []float64{0.8, 0.75}, tol: 1e-4, body: `
 %0 = stablehlo.multiply %b, %a : tensor<2xf64>
 %1 = chlo.square %0 : tensor<2xf64> -> tensor<2xf64>
 %k = stablehlo.constant dense<0.64> : tensor<2xf64>
 %2 = stablehlo.minimum %1, %k : tensor<2xf64>
 %3 = stablehlo.sqrt %2 : tensor<2xf64>
 return %3 : tensor<2xf64>`},
	{name: "product plus 20,000", ring: 32, args: "2xf64 2xf64", in: [][]float64{{3, -2.5}, {5, 4}},
		out: "2xf64", want: []float64{20015, 19990}, tol: 1. / 32, body: `
 %0 = stablehlo.multiply %a, %b : tensor<2xf64>
 %k = stablehlo.constant dense<20000.0> : tensor<2xf64>
 %1 = stablehlo.add %0, %k : tensor<2xf64>
 return %1 : tensor<2xf64>`},
}

// maskRows are logits of which a secret mask hides some: their exponentials are
// nothing, in every way in which masks are written.
func maskRows() []rangeRow {
	const head = `
 %0 = stablehlo.multiply %a, %b : tensor<4xf32>
 %h = stablehlo.constant dense<0.5> : tensor<4xf32>
 %p = stablehlo.compare GT, %c, %h, FLOAT : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
 %z = stablehlo.constant dense<0.0> : tensor<4xf32>
 %one = stablehlo.constant dense<1.0> : tensor<4xf32>
 %m = stablehlo.constant dense<MASK> : tensor<4xf32>`
	const tail = `
 %y = stablehlo.exponential %1 : tensor<4xf32>
 return %y : tensor<4xf32>`
	ways := []struct{ name, body string }{
		{"where(mask, 0, MASK) added", `
 %s = stablehlo.select %p, %z, %m : tensor<4xi1>, tensor<4xf32>
 %1 = stablehlo.add %0, %s : tensor<4xf32>`},
		{"where(mask, logits, MASK)", `
 %1 = stablehlo.select %p, %0, %m : tensor<4xi1>, tensor<4xf32>`},
		{"(1 - mask)*MASK added", `
 %q = stablehlo.subtract %one, %c : tensor<4xf32>
 %s = stablehlo.multiply %q, %m : tensor<4xf32>
 %1 = stablehlo.add %0, %s : tensor<4xf32>`},
		{"where(mask, 0, MASK) added twice", `
 %s = stablehlo.select %p, %z, %m : tensor<4xi1>, tensor<4xf32>
 %t = stablehlo.add %0, %s : tensor<4xf32>
 %1 = stablehlo.add %t, %s : tensor<4xf32>`},
		{"two masks of MASK summed", `
 %s = stablehlo.select %p, %z, %m : tensor<4xi1>, tensor<4xf32>
 %t = stablehlo.add %s, %s : tensor<4xf32>
 %1 = stablehlo.add %0, %t : tensor<4xf32>`},
		{"MASK before scaling", `
 %s = stablehlo.select %p, %z, %m : tensor<4xi1>, tensor<4xf32>
 %t = stablehlo.add %0, %s : tensor<4xf32>
 %i = stablehlo.constant dense<0.353553391> : tensor<4xf32>
 %w = stablehlo.multiply %t, %i : tensor<4xf32>
 %v = stablehlo.constant dense<2.82842712> : tensor<4xf32>
 %x = stablehlo.select %p, %w, %w : tensor<4xi1>, tensor<4xf32>
 %1 = stablehlo.multiply %x, %v : tensor<4xf32>`},
	}
	var out []rangeRow
	for _, mask := range []struct{ name, text string }{
		{"finfo.min", "-3.40282347E+38"}, {"-inf", "0xFF800000"}, {"-1e9", "-1.0e9"}, {"-1e4", "-1.0e4"},
	} {
		for _, w := range ways {
			if mask.name == "-inf" && strings.Contains(w.name, "(1 - mask)") {
				continue // 0·∞ is no number
			}
			if strings.Contains(w.name, "scaling") && mask.name != "-1e9" && mask.name != "-1e4" {
				continue // what is as large as values are may not be divided by less than 1
			}
			out = append(out, rangeRow{
				name: strings.ReplaceAll(w.name, "MASK", mask.name), ring: 64, args: "4xf32 4xf32 4xf32", out: "4xf32",
				in:   [][]float64{{0.5, -1.25, 2, -0.5}, {2, 1, 0.25, 1}, {1, 0, 1, 0}},
				want: []float64{math.E, 0, math.Exp(0.5), 0}, tol: 2e-4,
				body: strings.ReplaceAll(head, "MASK", mask.text) + w.body + tail,
			})
		}
	}
	return out
}

// rangeSettings are who runs a row.
var rangeSettings = []struct {
	protocol string
	parties  int
	parts    bool // an argument is the sum of what two parties know, not one party's own
}{
	{"plain", 2, false}, {"plain", 2, true}, {"semi2k", 2, false}, {"semi2k", 2, true}, {"semi2k", 3, false}, {"semi2k", 5, true},
	{"aby3", 3, false}, {"aby3", 3, true},
}

// spec is the row's program with its arguments. An argument is the sum of what two
// parties know if parts is set.
func (r rangeRow) spec(t *testing.T, protocol string, ring, parties int, parts bool) party.Spec {
	t.Helper()
	s := party.Spec{Protocol: protocol, Ring: ring, Fraction: map[int]int{32: 8, 64: 18, 128: 26}[ring], Computing: parties,
		Reveal: []int{0}, Network: "none"}
	for i := range parties {
		s.Parties = append(s.Parties, fmt.Sprint("p", i))
	}
	p := program{args: r.args, outs: r.out, body: r.body}
	types := strings.Fields(r.args)
	if parts {
		p.args += " " + r.args
		for i, arg := range types {
			name, other := fmt.Sprintf("%%%c", 'a'+i), fmt.Sprintf("%%%c", 'a'+i+len(types))
			p.body = regexp.MustCompile(name+`\b`).ReplaceAllString(p.body, name+"_sum")
			p.body = fmt.Sprintf("\n %s_sum = stablehlo.add %s, %s : tensor<%s>", name, name, other, arg) + p.body
		}
	}
	prog, err := hlo.Parse("range.mlir", []byte(p.text()))
	if err != nil {
		t.Fatalf("%v in\n%s", err, p.text())
	}
	s.Program = prog
	for i, param := range prog.Main.Body.Params {
		data := make([]float64, param.Type.Shape.Size())
		for k := range data {
			part := 0.0
			if parts {
				part = math.Ldexp(float64(k%5)-2, -3)
			}
			if i < len(types) {
				data[k] = r.in[i][min(k, len(r.in[i])-1)] - part
			} else {
				data[k] = part
			}
		}
		owner := (i%len(types) + i/len(types)) % parties
		s.Args = append(s.Args, party.Arg{Owner: owner, Data: tensor.FromFloats(param.Type.DType, param.Type.Shape, data)})
	}
	return s
}

// TestRangeRows: what is beside a product, or bounded by a constant, is right over
// the whole range of values, and a mask hides what it is added to or chosen for.
func TestRangeRows(t *testing.T) {
	rows := append(append([]rangeRow{}, rangeRows...), maskRows()...)
	for i, r := range rows {
		for j, s := range rangeSettings {
			if raced && (i+j)%8 != 0 {
				continue
			}
			for _, ring := range []int{r.ring, 128} {
				name := fmt.Sprintf("%s/%s n=%d parts=%t ring=%d", r.name, s.protocol, s.parties, s.parts, ring)
				t.Run(name, func(t *testing.T) {
					out, err := party.Run(context.Background(), r.spec(t, s.protocol, ring, s.parties, s.parts))
					if err != nil {
						t.Fatal(err)
					}
					for k, got := range out.Results[0].Floats() {
						if want := r.want[k]; !(math.Abs(got-want) <= r.tol) {
							t.Errorf("element %d is %.12g, not %.12g", k, got, want)
						}
					}
				})
			}
		}
	}
}

// TestContractionOutside: a dot whose result is outside the range of
// contractions is named by a check, in a ring that holds it it is not, and is
// right there.
func TestContractionOutside(t *testing.T) {
	r := rangeRow{args: "4xf64 4xf64", in: [][]float64{{1 << 13}, {1 << 13}}, out: "f64", body: `
 %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [0] : (tensor<4xf64>, tensor<4xf64>) -> tensor<f64>
 return %0 : tensor<f64>`}
	for _, parts := range []bool{false, true} {
		c, err := party.Check(context.Background(), r.spec(t, "semi2k", 64, 2, parts), check.Bound{Atol: 1e-3, Rtol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Warnings) == 0 || c.Ring() != 128 {
			t.Errorf("parts=%t, ring 64: notes %v, and %d bits are said to be enough", parts, c.Warnings, c.Ring())
		}
		c, err = party.Check(context.Background(), r.spec(t, "semi2k", 128, 2, parts), check.Bound{Atol: 1e-3, Rtol: 1e-3})
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Warnings)+len(c.Divergences) > 0 {
			t.Errorf("parts=%t, ring 128: notes %v, off %v", parts, c.Warnings, c.Divergences)
		}
		out, err := party.Run(context.Background(), r.spec(t, "semi2k", 128, 2, parts))
		if err != nil {
			t.Fatal(err)
		}
		if got := out.Results[0].Floats()[0]; got != 1<<28 {
			t.Errorf("parts=%t, ring 128: the dot is %v, not 2^28", parts, got)
		}
	}
}
