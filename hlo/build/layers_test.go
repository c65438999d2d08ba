package build_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// network is two layers and a head; the second layer is a function.
func network(t *testing.T) *hlo.Program {
	t.Helper()
	b := build.New("network")
	x, v, w := b.Arg("x", tensor.F32, 4, 8), b.Arg("v", tensor.F32, 8, 8), b.Arg("w", tensor.F32, 8, 8)
	dense := b.Func("dense")
	in, weights := dense.Arg("in", tensor.F32, 4, 8), dense.Arg("weights", tensor.F32, 8, 8)
	dense.Scope("gate", func() {
		dense.Return(dense.Sigmoid(dense.Dot(in, weights)))
	})
	var h build.Value
	b.Scope("layer1", func() { h = b.Relu(b.Dot(x, v)) })
	b.Scope("layer2", func() { h = b.Call(dense, h, w)[0] })
	b.Scope("head", func() {
		b.Scope("softmax", func() { h = b.Softmax(h, -1) })
	})
	b.Return(h)
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Plans show scopes as layers, of the built program and of its text.
func TestLayers(t *testing.T) {
	built := network(t)
	for name, p := range map[string]*hlo.Program{"built": built, "parsed": reads(t, built)} {
		spec := party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Parties: []string{"alice", "bob"}, Computing: 2, Reveal: []int{0}}
		for i := range p.Main.Body.Params {
			spec.Args = append(spec.Args, party.Arg{Owner: min(i, 1)})
		}
		report, err := party.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		var layers []string
		for _, g := range report.Groups(profile.ByLayer) {
			layers = append(layers, g.Name)
		}
		// The function is small enough to be put where it is called.
		if diff := cmp.Diff([]string{"layer1", "layer2/dense/gate", "head/softmax"}, layers); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// Without scopes operations have no names; their places are those of the calls.
func TestPositions(t *testing.T) {
	b := build.New("positions")
	x := b.Arg("x", tensor.F32, 4)
	b.Return(b.Tanh(x))
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	o := p.Main.Body.Ops[0]
	if o.Loc != "" || o.Pos.String() != "layers_test.go:70:1" || strings.Contains(string(p.Text), "loc(") {
		t.Errorf("%q at %v\n%s", o.Loc, o.Pos, p.Text)
	}
}

// Protocols recognise activations, and compute each as a whole.
func TestActivationsAreRecognised(t *testing.T) {
	b := build.New("activations")
	x := b.Arg("x", tensor.F32, 3, 4)
	b.Return(b.Softmax(x, -1), b.Silu(x), b.Gelu(x), b.GeluTanh(x))
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	var kinds []pattern.Kind
	for _, m := range pattern.Find(p).All {
		kinds = append(kinds, m.Kind)
	}
	for _, k := range []pattern.Kind{pattern.Softmax, pattern.Silu, pattern.GeluErf, pattern.GeluTanh} {
		if !slices.Contains(kinds, k) {
			t.Errorf("there is no %v among %v", k, kinds)
		}
	}
}
