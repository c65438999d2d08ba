package party_test

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// revealingTo reveals a sum to party 0 and an integer to party 1. They compute with them and with %a and %d, in cleartext where those
// are theirs.
var revealingTo = program{name: "reveal to", args: "6xf32 6xf32 6xi32 6xi32", outs: "6xf32 6xi32 6xi1 6xf32", tol: 3e-4, body: `
 %s = stablehlo.add %a, %b : tensor<6xf32>
 %t = stablehlo.add %c, %d : tensor<6xi32>
 %x = stablehlo.custom_call @tacet.reveal_to(%s) {mhlo.attributes = {to = 0 : i64}} : (tensor<6xf32>) -> tensor<6xf32>
 %y = stablehlo.custom_call @tacet.reveal_to(%t) {mhlo.attributes = {to = 1 : i64}} : (tensor<6xi32>) -> tensor<6xi32>
 %e = stablehlo.multiply %x, %x : tensor<6xf32>
 %f = stablehlo.multiply %y, %d : tensor<6xi32>
 %p = stablehlo.compare LT, %x, %a : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
 %q = stablehlo.compare LT, %y, %d : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
 %0 = stablehlo.add %e, %b : tensor<6xf32>
 %1 = stablehlo.multiply %f, %c : tensor<6xi32>
 %2 = stablehlo.xor %p, %q : tensor<6xi1>
 return %0, %1, %2, %x : tensor<6xf32>, tensor<6xi32>, tensor<6xi1>, tensor<6xf32>`}

func TestRevealTo(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(revealingTo.text()))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range settings {
		r := rand.New(rand.NewPCG(uint64(i), 18))
		spec := party.Spec{
			Program: prog, Protocol: s.protocol, Ring: s.ring, Fraction: s.f, Computing: s.computing, Network: "none", Reveal: []int{0}, Reveals: 2,
		}
		var args []*tensor.Array
		for j, v := range prog.Main.Body.Params {
			a := random(r, v.Type)
			args = append(args, a)
			spec.Args = append(spec.Args, party.Arg{Owner: s.owners[j%len(s.owners)], Data: a})
		}
		for j := range s.parties {
			spec.Parties = append(spec.Parties, string(rune('a'+j)))
		}
		want, err := eval.Func(context.Background(), prog.Main, args)
		if err != nil {
			t.Fatal(err)
		}
		out, err := party.Run(context.Background(), spec)
		if s.computing == 1 || len(spec.Online()) == 1 {
			if err == nil || !strings.Contains(err.Error(), "takes no part in the online phase") {
				t.Errorf("%+v: %v", s, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		revealingTo.compare(t, s, out.Results, want)
		checkPrediction(t, out.Report)
		checkPlan(t, spec, out)
	}
}
