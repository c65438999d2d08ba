package party

import (
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// residentText computes with x, weights w, a bias b and a factor u that the weights' owner brings. The sine of w and the tangent of
// b are shared when the service opens and never read again; %k is added to a share in each request, and what u is multiplied with
// is shared in each.
const residentText = `module @resident {
  func.func public @main(%x: tensor<1x2xf32>, %w: tensor<2x2xf32>, %b: tensor<1x2xf32>, %u: tensor<1x2xf32>) -> tensor<1x2xf32> {
    %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %e = stablehlo.exponential %t : tensor<2x2xf32>
    %q = stablehlo.sine %w : tensor<2x2xf32>
    %m = stablehlo.dot_general %x, %q, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %k = stablehlo.dot_general %b, %e, contracting_dims = [1] x [0] : (tensor<1x2xf32>, tensor<2x2xf32>) -> tensor<1x2xf32>
    %s = stablehlo.add %m, %k : tensor<1x2xf32>
    %h = stablehlo.tanh %b : tensor<1x2xf32>
    %y = stablehlo.multiply %x, %h : tensor<1x2xf32>
    %c = stablehlo.cosine %b : tensor<1x2xf32>
    %v = stablehlo.multiply %c, %u : tensor<1x2xf32>
    %z = stablehlo.multiply %y, %v : tensor<1x2xf32>
    %p = stablehlo.add %s, %z : tensor<1x2xf32>
    return %p : tensor<1x2xf32>
  }
}`

// A request evaluates of what a party derives of its resident arguments only what it needs in cleartext, and only once.
func TestResidentsAreEvaluatedOnce(t *testing.T) {
	p, err := hlo.Parse("resident.mlir", []byte(residentText))
	if err != nil {
		t.Fatal(err)
	}
	floats := func(rows int, x ...float64) *tensor.Array {
		return tensor.FromFloats(tensor.F32, tensor.Shape{rows, 2}, x)
	}
	x, w, b := []float64{2, -1}, []float64{0.5, -0.25, 1, 0.75}, []float64{0.5, -1.5}
	s := Spec{
		Program: p, Protocol: "semi2k", Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0},
		Args: []Arg{{Owner: 0}, {Owner: 1, Data: floats(2, w...), Resident: true}, {Owner: 1, Data: floats(1, b...), Resident: true}, {Owner: 1}},
	}
	v, err := Open(t.Context(), s, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	functions := []string{hlo.OpCosine, hlo.OpDotGeneral, hlo.OpExponential, hlo.OpSine, hlo.OpTanh, hlo.OpTranspose}
	evaluated := func(l *execution) (names []string) {
		for _, o := range l.sessions[1].plan.Ops.Ops {
			if o.Cleartext.Load() > 0 && slices.Contains(functions, o.Op.Name) {
				names = append(names, o.Op.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	once := []string{hlo.OpCosine, hlo.OpDotGeneral, hlo.OpExponential, hlo.OpTranspose}
	if got := evaluated(v.programs[0].prepared[0]); !slices.Equal(got, once) {
		t.Errorf("the first request's dry run evaluates %v, want %v", got, once)
	}
	for i := range 2 {
		l, u := v.programs[0].prepared, []float64{float64(i + 1), -2}
		if len(l) == 0 {
			if err := v.requestCorrelations(t.Context(), v.programs[0], 1); err != nil {
				t.Fatal(err)
			}
			l = v.programs[0].prepared
		}
		request := l[0]
		done := func(out *Outcome, err error) error {
			if err != nil {
				return err
			}
			for j, got := range out.Results[0].Floats() {
				sum := x[0]*math.Sin(w[j]) + x[1]*math.Sin(w[2+j]) + b[0]*math.Exp(w[2*j]) + b[1]*math.Exp(w[2*j+1])
				if d := got - sum - x[j]*math.Tanh(b[j])*math.Cos(b[j])*u[j]; math.Abs(d) > 1e-2 {
					t.Errorf("request %d: element %d is off by %g", i, j, d)
				}
			}
			return nil
		}
		data := []*tensor.Array{floats(1, x...), nil, nil, floats(1, u...)}
		if err := v.Evaluate(t.Context(), []Request{{Data: data, Done: done}}); err != nil {
			t.Fatal(err)
		}
		if got := evaluated(request); len(got) > 0 {
			t.Errorf("request %d evaluates %v again", i, got)
		}
	}
}
