package glm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
	"github.com/tacet-mpc/tacet/timing"
)

// TestSymmetric: blocks of a symmetric product make the product that one contraction makes, in as many bytes or fewer, and from three
// blocks on with less than 70 % of its multiplications.
func TestSymmetric(t *testing.T) {
	const rows = 20
	machine, err := timing.Load()
	if err != nil {
		t.Fatal(err)
	}
	for p, share := range map[int]float64{5: 1, 2*blockColumns - 1: 1, 2 * blockColumns: 0.8, 3*blockColumns + 7: 0.7} {
		x, c := make([]float64, rows*p), make([]float64, rows)
		r := rand.New(rand.NewPCG(31, uint64(p)))
		for i := range x {
			x[i] = r.NormFloat64()
		}
		for i := range c {
			c[i] = r.Float64()
		}
		spec := func(blocks bool) party.Spec {
			b := build.New("symmetric")
			w := &writer{Builder: b, p: p}
			a, weights := b.Arg("x", tensor.F64, rows, p), b.Arg("weights", tensor.F64, rows, 1)
			product := b.Dot
			if blocks {
				product = w.symmetric
			}
			b.Return(product(b.Transpose(a), b.Mul(a, weights)))
			s := party.Spec{
				Ring: ring, Fraction: fraction, Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0, 1}, Network: party.DefaultNetwork,
				Args: []party.Arg{
					{Owner: 0, Data: tensor.FromFloats(tensor.F64, tensor.Shape{rows, p}, x)},
					{Owner: 1, Data: tensor.FromFloats(tensor.F64, tensor.Shape{rows, 1}, c)},
				},
			}
			var err error
			if s.Program, err = b.Program(); err != nil {
				t.Fatal(err)
			}
			return s
		}
		out, err := party.Run(t.Context(), spec(true))
		if err != nil {
			t.Fatal(err)
		}
		got := out.Results[0].Floats()
		for i := range p {
			for j := range p {
				want := 0.0
				for k := range rows {
					want += x[k*p+i] * c[k] * x[k*p+j]
				}
				if math.Abs(got[i*p+j]-want) > 1e-9 {
					t.Fatalf("p = %d: element %d, %d is %v, want %v", p, i, j, got[i*p+j], want)
				}
			}
		}
		plan := func(blocks bool) *profile.Report {
			s := spec(blocks)
			s.Machine, s.Networks = &machine, []string{"lan"}
			r, err := party.Plan(t.Context(), s)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		one, all := plan(false), plan(true)
		if fmt.Sprint(all.Online.Rounds, all.Input.BytesSent) != fmt.Sprint(one.Online.Rounds, one.Input.BytesSent) ||
			all.Online.BytesSent[0] > one.Online.BytesSent[0] || all.Online.BytesSent[1] > one.Online.BytesSent[1] {
			t.Errorf("p = %d: blocks take %v, one product %v", p, all.Online, one.Online)
		}
		if a, o := all.Plan.MultiplyAdds[0], one.Plan.MultiplyAdds[0]; float64(a) > share*float64(o) {
			t.Errorf("p = %d: blocks take %d multiplications, one product %d", p, a, o)
		}
	}
}
