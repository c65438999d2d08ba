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

// revealing shows a sum, an integer and a boolean, and goes on with them.
var revealing = program{name: "reveal", args: "6xf32 6xf32 6xi32 6xi32", outs: "6xf32 6xi32 6xf32 2xi1 6xcomplex<f32>", tol: 3e-4, body: `
 %s = stablehlo.add %a, %b : tensor<6xf32>
 %t = stablehlo.add %c, %d : tensor<6xi32>
 %x = stablehlo.custom_call @tacet.reveal(%s) : (tensor<6xf32>) -> tensor<6xf32>
 %y = stablehlo.custom_call @tacet.reveal(%t) : (tensor<6xi32>) -> tensor<6xi32>
 %p = stablehlo.compare LT, %x, %a : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xi1>
 %q = stablehlo.custom_call @tacet.reveal(%p) : (tensor<6xi1>) -> tensor<6xi1>
 %0 = stablehlo.multiply %x, %a : tensor<6xf32>
 %1 = stablehlo.multiply %y, %c : tensor<6xi32>
 %2 = stablehlo.select %q, %x, %0 : tensor<6xi1>, tensor<6xf32>
 %3 = stablehlo.slice %q [0:2] : (tensor<6xi1>) -> tensor<2xi1>
 %z = stablehlo.complex %a, %s : tensor<6xcomplex<f32>>
 %w = stablehlo.custom_call @tacet.reveal(%z) : (tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
 return %0, %1, %2, %3, %w : tensor<6xf32>, tensor<6xi32>, tensor<6xf32>, tensor<2xi1>, tensor<6xcomplex<f32>>`}

func TestReveal(t *testing.T) {
	prog, err := hlo.Parse("test.mlir", []byte(revealing.text()))
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range settings {
		r := rand.New(rand.NewPCG(uint64(i), 17))
		spec := party.Spec{
			Program:   prog,
			Protocol:  s.protocol,
			Ring:      s.ring,
			Fraction:  s.f,
			Computing: s.computing,
			Network:   "none",
			Reveal:    []int{0},
			Reveals:   4,
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
		if err != nil {
			t.Errorf("%+v: %v", s, err)
			continue
		}
		revealing.compare(t, s, out.Results, want)
		checkPrediction(t, out.Report)
		checkPlan(t, spec, out)
		if s.owners[0] == party.Public || s.owners[1%len(s.owners)] == party.Public {
			continue
		}
		spec.Reveals = 2
		if _, err := party.Plan(context.Background(), spec); err == nil || !strings.Contains(err.Error(), "test.mlir:9:") ||
			!strings.Contains(err.Error(), "the job allows 2") {
			t.Errorf("%+v: three reveals where two are allowed: %v", s, err)
		}
	}
}

// TestRevealOfAChoice: what stands in a branch that secrets decide on is not
// revealed.
func TestRevealOfAChoice(t *testing.T) {
	p := program{args: "i1 i1 f32", outs: "f32", body: `
 %p = stablehlo.and %a, %b : tensor<i1>
 %0 = "stablehlo.if"(%p) ({
   %1 = stablehlo.custom_call @tacet.reveal(%c) : (tensor<f32>) -> tensor<f32>
   stablehlo.return %1 : tensor<f32>
 }, {
   stablehlo.return %c : tensor<f32>
 }) : (tensor<i1>) -> tensor<f32>
 return %0 : tensor<f32>`}
	prog, err := hlo.Parse("test.mlir", []byte(p.text()))
	if err != nil {
		t.Fatal(err)
	}
	spec := party.Spec{
		Program:   prog,
		Protocol:  "semi2k",
		Ring:      64,
		Fraction:  18,
		Computing: 2,
		Parties:   []string{"a", "b"},
		Reveal:    []int{0},
		Network:   "none",
		Reveals:   9,
		Args:      []party.Arg{{Owner: 0}, {Owner: 1}, {Owner: 0}},
	}
	if _, err := party.Plan(context.Background(), spec); err == nil || !strings.Contains(err.Error(), "with a secret condition") {
		t.Errorf("planned with %v", err)
	}
}
