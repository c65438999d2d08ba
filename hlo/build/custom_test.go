package build_test

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Custom calls print their targets, types and attributes.
func TestCustom(t *testing.T) {
	b := build.New("custom")
	x := b.Arg("x", tensor.F32, 4)
	y := b.Custom("mhlo.topk", []tensor.Type{build.Tensor(tensor.F32, 2), build.Tensor(tensor.I32, 2)},
		hlo.Attrs{"mhlo.attributes": map[string]any{"k": int64(2), "largest": true}}, b.RevealTo(b.Reveal(x), 1))
	b.Return(y...)
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"%0 = stablehlo.custom_call @tacet.reveal(%x) : (tensor<4xf32>) -> tensor<4xf32>\n",
		"%1 = stablehlo.custom_call @tacet.reveal_to(%0) {mhlo.attributes = {to = 1 : i64}} : (tensor<4xf32>) -> tensor<4xf32>\n",
		"%2:2 = stablehlo.custom_call @mhlo.topk(%1) {mhlo.attributes = {k = 2 : i64, largest = true}} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi32>)\n",
		"return %2#0, %2#1 : tensor<2xf32>, tensor<2xi32>\n",
	} {
		if !strings.Contains(string(p.Text), want) {
			t.Errorf("%s is not in\n%s", want, p.Text)
		}
	}
	reads(t, p)
}
