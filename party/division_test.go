package party_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// dividends are pairs that are hard to divide: zeros, both ends of the type,
// numbers beside powers of two, multiples and their neighbours, and others of
// every size.
func dividends(r *rand.Rand, d tensor.DType, n int) (x, y []uint64) {
	k := d.Bits()
	mask := ^uint64(0) >> (64 - k)
	some := func() uint64 {
		v := r.Uint64() >> (64 - k) >> r.IntN(k)
		switch r.IntN(4) {
		case 0:
			v = 1 << r.IntN(k)
		case 1:
			v = 1<<r.IntN(k) - 1
		case 2:
			v = -v
		}
		return v & mask
	}
	edges := []uint64{0, 1, 2, 3, mask, mask - 1, mask >> 1, mask>>1 + 1, mask>>1 + 2}
	for _, a := range edges {
		for _, b := range edges {
			x, y = append(x, a), append(y, b)
		}
	}
	for len(x) < n {
		q, b := some(), some()
		near := (q*b + uint64(r.IntN(3)) - 1) & mask
		x, y = append(x, some(), near), append(y, some(), b)
	}
	return x, y
}

// Quotients and remainders by secrets are exact for every integer type and
// number of parties.
func TestDivision(t *testing.T) {
	t.Parallel()
	types := []tensor.DType{tensor.I8, tensor.I16, tensor.I32, tensor.I64, tensor.U8, tensor.U16, tensor.U32, tensor.U64}
	n := 3000
	if raced {
		types, n = types[2:4], 200
	}
	for _, d := range types {
		r := rand.New(rand.NewPCG(7, uint64(d)))
		x, y := dividends(r, d, n)
		vec := fmt.Sprintf("%dx%s", len(x), d)
		p := program{args: vec + " " + vec, outs: vec + " " + vec, body: fmt.Sprintf(`
 %%0 = stablehlo.divide %%a, %%b : tensor<%[1]s>
 %%1 = stablehlo.remainder %%a, %%b : tensor<%[1]s>
 return %%0, %%1 : tensor<%[1]s>, tensor<%[1]s>`, vec)}
		prog, err := hlo.Parse("test.mlir", []byte(p.text()))
		if err != nil {
			t.Fatal(err)
		}
		args := []*tensor.Array{tensor.FromWords(d, tensor.Shape{len(x)}, x), tensor.FromWords(d, tensor.Shape{len(y)}, y)}
		want, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []setting{{protocol: "plain", parties: 2, computing: 2}, {protocol: "semi2k", parties: 2, computing: 2},
			{protocol: "semi2k", parties: 5, computing: 5}} {
			t.Run(fmt.Sprintf("%v/%s/%d", d, s.protocol, s.parties), func(t *testing.T) {
				spec := party.Spec{
					Program:   prog,
					Protocol:  s.protocol,
					Ring:      64,
					Fraction:  18,
					Computing: s.computing,
					Reveal:    []int{0},
					Network:   "none",
					Args:      []party.Arg{{Owner: 0, Data: args[0]}, {Owner: 1, Data: args[1]}},
				}
				for i := range s.parties {
					spec.Parties = append(spec.Parties, string(rune('a'+i)))
				}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				checkPrediction(t, out.Report)
				for i, w := range want {
					for j, v := range out.Results[i].Words() {
						if v != w.Words()[j] {
							t.Fatalf("result %d of %v and %v is %v, not %v", i, int64(x[j]), int64(y[j]), int64(v), int64(w.Words()[j]))
						}
					}
				}
				if s.parties == 2 && out.Report.Online.Rounds > 23 { // long openings among more take two
					t.Errorf("%d rounds", out.Report.Online.Rounds)
				}
			})
		}
	}
}
