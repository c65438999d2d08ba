package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// byBroadcast divides a 6×8 matrix of two owners' secrets by one number a row,
// or a column, or by its root.
var byBroadcast = []struct {
	name, divisor string
	dims          string
	n             int
	root, signed  bool
	bits          int64 // of an element
}{
	{"rows", "stablehlo.broadcast_in_dim %d, dims = [0]", "6", 6, false, true, 2 * 46},
	{"columns", "stablehlo.broadcast_in_dim %d, dims = [1]", "8", 8, false, true, 2 * 46},
	{"one number", "stablehlo.broadcast_in_dim %d, dims = []", "", 1, false, true, 2 * 46},
	{"positive rows", "stablehlo.broadcast_in_dim %d, dims = [0]", "6", 6, false, false, 46},
	{"roots of rows", "stablehlo.broadcast_in_dim %d, dims = [0]", "6", 6, true, false, 46},
	{"roots of columns", "stablehlo.broadcast_in_dim %d, dims = [1]", "8", 8, true, false, 46},
}

// A division by what is repeated is as exact as any other, whatever the
// divisor's size and sign, for less than half of the bytes.
func TestDivisionByBroadcast(t *testing.T) {
	t.Parallel()
	for _, c := range byBroadcast {
		for _, form := range []struct{ ring, fraction, parties int }{{64, 18, 2}, {64, 18, 3}, {128, 26, 2}} {
			t.Run(fmt.Sprintf("%s/%d/%d", c.name, form.ring, form.parties), func(t *testing.T) {
				vec := "f32"
				if c.dims != "" {
					vec = c.dims + "xf32"
				}
				divisor := "%d = stablehlo.add %b, %c : tensor<" + vec + ">"
				if !c.signed { // abs is told to be positive
					divisor = "%e = stablehlo.add %b, %c : tensor<" + vec + ">\n %d = stablehlo.abs %e : tensor<" + vec + ">"
				}
				wide := " %w = " + c.divisor + " : (tensor<" + vec + ">) -> tensor<6x8xf32>"
				if c.root {
					wide = " %s = stablehlo.sqrt %d : tensor<" + vec + ">\n" + replaced(wide, "%d", "%s")
				}
				p := program{args: "6x8xf32 " + vec + " " + vec, outs: "6x8xf32", body: " " + divisor + "\n" + wide +
					"\n %0 = stablehlo.divide %a, %w : tensor<6x8xf32>\n return %0 : tensor<6x8xf32>"}
				prog, err := hlo.Parse("test.mlir", []byte(p.text()))
				if err != nil {
					t.Fatal(err)
				}
				r := rand.New(rand.NewPCG(9, 10))
				x, b, rest := make([]float64, 48), make([]float64, c.n), make([]float64, c.n)
				for i := range x {
					x[i] = math.Ldexp(1+r.Float64(), r.IntN(8)-2)
					if r.IntN(2) == 0 {
						x[i] = -x[i]
					}
				}
				for i := range b { // from 2^−6 to 2^9
					b[i] = float64(float32(math.Ldexp(1+r.Float64(), i*15/max(1, c.n-1)-6)))
					if c.signed && i%2 == 1 {
						b[i] = -b[i]
					}
				}
				shape := tensor.Shape{c.n}
				if c.dims == "" {
					shape = tensor.Shape{}
				}
				spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: form.ring, Fraction: form.fraction, Computing: form.parties,
					Parties: []string{"a", "b", "c"}[:form.parties], Reveal: []int{0}, Network: "none", Args: []party.Arg{
						{Owner: 0, Data: tensor.FromFloats(tensor.F32, tensor.Shape{6, 8}, x)},
						{Owner: 0, Data: tensor.FromFloats(tensor.F32, shape, rest)},
						{Owner: 1, Data: tensor.FromFloats(tensor.F32, shape, b)},
					}}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				checkPrediction(t, out.Report)
				unit, some := math.Ldexp(1, -form.fraction), math.Ldexp(1, -19)
				if form.ring == 128 {
					some = math.Ldexp(1, -22) // float32 results
				}
				for i, got := range out.Results[0].Floats() {
					d := b[0]
					switch c.n {
					case 6:
						d = b[i/8]
					case 8:
						d = b[i%8]
					}
					// The divisor itself was rounded to a unit.
					off := unit / math.Abs(d)
					if c.root {
						d, off = math.Sqrt(d), off/2
					}
					want := x[i] / d
					if math.Abs(got-want) > 3*unit+math.Abs(want)*(some+off) {
						t.Errorf("%v by %v is %v, not %v", x[i], d, got, want)
					}
				}
				var sent int64
				for _, o := range out.Report.Ops {
					if o.Op == "stablehlo.divide" {
						sent += o.BytesSent[0]
					}
				}
				if rows := int64(c.n) * 400 / 8; form.ring == 64 && form.parties == 2 && sent > 48*c.bits/8+rows {
					t.Errorf("%d bytes", sent)
				}
			})
		}
	}
}
