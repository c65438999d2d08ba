package party_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Steps of training of a small network, as JAX prints them (forward, backward
// and SGD): its activation's gradient compares nothing that the activation has
// not compared.
func TestTrainingComparesOnce(t *testing.T) {
	const elements = 8 * 6 // of the hidden layer
	most := map[string]int64{
		// Bits an element that comparisons, activations and selections may send:
		// what is compared is opened in 46 bits and takes 23; a gradient is opened
		// in 46.
		"relu": 46 + 23 + 46, "abs": 46 + 23 + 46, "leaky": 46 + 23 + 46 + 1,
		// Who shares a gradient among equal ones is told by an equality.
		"maximum": 46 + 24 + 8 + 46,
		// Two comparisons each, and an and.
		"relu6": 46 + 2*24 + 46 + 1, "hard_tanh": 46 + 2*24 + 46,
	}
	for name, bits := range most {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("testdata", "train_"+name+".mlir"))
			if err != nil {
				t.Fatal(err)
			}
			prog, err := hlo.Parse("train.mlir", text)
			if err != nil {
				t.Fatal(err)
			}
			spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2,
				Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none"}
			r := rand.New(rand.NewPCG(5, 6))
			var args []*tensor.Array
			for i, v := range prog.Main.Body.Params {
				args = append(args, random(r, v.Type))
				spec.Args = append(spec.Args, party.Arg{Owner: min(i, 1), Data: args[i]})
			}
			want, err := eval.Func(context.Background(), prog.Main, args)
			if err != nil {
				t.Fatal(err)
			}
			for _, passes := range []string{"all", "none"} {
				spec.Set = map[string]string{"passes": passes}
				out, err := party.Run(context.Background(), spec)
				if err != nil {
					t.Fatal(err)
				}
				checkPrediction(t, out.Report)
				for i, w := range want {
					got := out.Results[i].Floats()
					for j, x := range w.Floats() {
						if math.Abs(got[j]-x) > 1e-3*(1+math.Abs(x)) {
							t.Errorf("passes %s: result %d, element %d is %v, not %v", passes, i, j, got[j], x)
						}
					}
				}
				if sent := sentBy(out.Report, "compare", "maximum", "clamp", "abs", "select", "and"); passes == "all" && sent > bits*elements/8+8 {
					t.Errorf("%d bytes for %d elements, more than %d bits each", sent, elements, bits)
				}
			}
		})
	}
}

// A network with one unit behind the ReLU: unless all bytes count, neither the ReLU's result nor the gradient that comes back
// to it through that unit is opened. With many features, that gradient is opened once the ReLU has selected from it, for its
// product with the first layer's operand; with few, the features' products with the loss's gradient are opened instead.
func TestOneUnitBehindRelu(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "train_relu.mlir"))
	if err != nil {
		t.Fatal(err)
	}
	const rows, features, units = 8, 4, 6
	for _, c := range []struct {
		features int
		optimize string
		sent     int
	}{
		// The gradient of the loss is rounded and opened, then its products with the features are; the sums of those that the
		// ReLU selects are opened in 46 bits for the product with the last layer's weights, those of the bias in 64.
		{features, "online", rows*64/8 + 1 + features*rows*64/8 + features*units*46/8 + units*64/8},
		// The gradient of the hidden layer is rounded twice, by a bit an element, and opened in 64 bits; so is the loss's.
		{2 * units, "online", (2+64)*rows*units/8 + rows*64/8 + 1},
		// The ReLU's result is opened in 64 bits, too, and the gradient of the hidden layer in 46 bits before it is selected.
		{features, "total", (64+46+64)*rows*units/8 + 2*(rows*64/8+1)},
	} {
		wide := strings.NewReplacer("8x4x", fmt.Sprintf("8x%dx", c.features), "<4x6x", fmt.Sprintf("<%dx6x", c.features),
			"6x4x", fmt.Sprintf("6x%dx", c.features)).Replace(string(text))
		prog, err := hlo.Parse("train.mlir", []byte(wide))
		if err != nil {
			t.Fatal(err)
		}
		spec := party.Spec{Program: prog, Protocol: "semi2k", Ring: 64, Fraction: 18, Computing: 2,
			Parties: []string{"a", "b"}, Reveal: []int{0}, Network: "none", Set: map[string]string{"optimize": c.optimize}}
		for i := range prog.Main.Body.Params {
			spec.Args = append(spec.Args, party.Arg{Owner: min(i, 1)})
		}
		r, err := party.Plan(context.Background(), spec)
		if err != nil {
			t.Fatal(err)
		}
		if got := sentBy(r, "dot_general", "select", "reduce"); got != int64(c.sent) {
			t.Errorf("%d features, optimize=%s: %d bytes, not %d", c.features, c.optimize, got, c.sent)
		}
	}
}

// sentBy is what the first party sends for operations of these names.
func sentBy(r *profile.Report, names ...string) (bytes int64) {
	for _, o := range r.Ops {
		for _, n := range names {
			if o.Op == "stablehlo."+n {
				bytes += o.BytesSent[0]
			}
		}
	}
	return bytes
}
