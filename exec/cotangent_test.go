package exec_test

import (
	"math"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/exec"
)

// trainingStep is one step of two layers, a ReLU and a tanh, whose gradients are about 2^-12 and are divided
// by their size.
const trainingStep = `
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%none = stablehlo.constant dense<0.0> : tensor<8x5xf32>
%one = stablehlo.constant dense<1.0> : tensor<8x3xf32>
%scale = stablehlo.constant dense<2.44140625e-4> : tensor<8x3xf32>
%h0 = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
%h = stablehlo.maximum %h0, %none : tensor<8x5xf32>
%some = stablehlo.compare GT, %h0, %none, FLOAT : (tensor<8x5xf32>, tensor<8x5xf32>) -> tensor<8x5xi1>
%z = stablehlo.dot_general %h, %d, contracting_dims = [1] x [0] : (tensor<8x5xf32>, tensor<5x3xf32>) -> tensor<8x3xf32>
%t = stablehlo.tanh %z : tensor<8x3xf32>
%e = stablehlo.subtract %t, %b : tensor<8x3xf32>
%de = stablehlo.multiply %e, %scale : tensor<8x3xf32>
%tt = stablehlo.multiply %t, %t : tensor<8x3xf32>
%slope = stablehlo.subtract %one, %tt : tensor<8x3xf32>
%dy = stablehlo.multiply %de, %slope : tensor<8x3xf32>
%w = stablehlo.constant dense<0.7> : tensor<8x3xf32>
%dz = stablehlo.multiply %dy, %w : tensor<8x3xf32>
%gt = stablehlo.dot_general %dz, %h, contracting_dims = [0] x [0] : (tensor<8x3xf32>, tensor<8x5xf32>) -> tensor<3x5xf32>
%g2 = stablehlo.transpose %gt, dims = [1, 0] : (tensor<3x5xf32>) -> tensor<5x3xf32>
%dh = stablehlo.dot_general %dz, %d, contracting_dims = [1] x [1] : (tensor<8x3xf32>, tensor<5x3xf32>) -> tensor<8x5xf32>
%da = stablehlo.select %some, %dh, %none : tensor<8x5xi1>, tensor<8x5xf32>
%g1 = stablehlo.dot_general %a, %da, contracting_dims = [0] x [0] : (tensor<8x4xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
%gb = stablehlo.reduce(%da init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<5xf32>
%u1 = func.call @first(%g1) : (tensor<4x5xf32>) -> tensor<4x5xf32>
%u2 = func.call @second(%g2) : (tensor<5x3xf32>) -> tensor<5x3xf32>
%u3 = func.call @bias(%gb) : (tensor<5xf32>) -> tensor<5xf32>
return %u1, %u2, %u3 : tensor<4x5xf32>, tensor<5x3xf32>, tensor<5xf32>`

// TestCotangents: updates of gradients that are divided by their own size are right to two in a thousand,
// since their cotangents have guard bits.
func TestCotangents(t *testing.T) {
	p := program{
		name:  "training step",
		args:  "8x4xf32 8x3xf32 4x5xf32 5x3xf32",
		outs:  "4x5xf32 5x3xf32 5xf32",
		units: 0.002 * (1 << 18),
		facts: true,
		body:  trainingStep,
	}
	for name, s := range map[string]string{"first": "4x5", "second": "5x3", "bias": "5"} {
		p.body += strings.NewReplacer("NAME", name, "T", "tensor<"+s+"xf32>").Replace(`
}
func.func private @NAME(%g: T) -> T {
%before = stablehlo.constant dense<1.0E-7> : T
%gg = stablehlo.multiply %g, %g : T
%v = stablehlo.add %gg, %before : T
%r = stablehlo.rsqrt %v : T
%u = stablehlo.multiply %r, %g : T
return %u : T`)
	}
	for k, s := range []shape{{8, 4}, {8, 3}, {4, 5}, {5, 3}} {
		f := make([]float64, s.Size())
		for i := range f {
			f[i] = math.Round(math.Sin(float64(7*i+3*k+1))*256) / 256
		}
		p.data = append(p.data, floats(f32, s, f...))
	}
	prog := parse(t, p)
	if len(exec.Analyse(prog).Cotangents) < 5 {
		t.Fatal("no cotangents are found")
	}
	want := p.wanted(t, prog, p.data)
	for _, owners := range [][]int{{kept, kept, kept, kept}, {0, 1, kept, kept}, {0, 0, kept, 1}, {exec.Public, 0, kept, kept},
		{0, 1, 0, 1}, {kept, kept, exec.Public, kept}} {
		p.compare(t, prog, middle[0], owners, p.data, want)
	}
}

// TestLinearOperationsOnCotangents has every linear operation between a gradient's beginning and its division.
func TestLinearOperationsOnCotangents(t *testing.T) {
	for name, op := range map[string]string{
		"pad":         "%1 = stablehlo.pad %d, %zero, low = [1, 0], high = [0, 1], interior = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<4x8xf32>\n%z = stablehlo.slice %1 [1:4, 0:7:2] : (tensor<4x8xf32>) -> tensor<3x4xf32>",
		"concatenate": "%1 = stablehlo.concatenate %d, %b, dim = 0 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>\n%z = stablehlo.slice %1 [0:6:2, 0:4] : (tensor<6x4xf32>) -> tensor<3x4xf32>",
		"add":         "%z = stablehlo.add %d, %b : tensor<3x4xf32>", "subtract": "%z = stablehlo.subtract %b, %d : tensor<3x4xf32>", "negate": "%z = stablehlo.negate %d : tensor<3x4xf32>",
		"add constant": "%k = stablehlo.constant dense<1.0E-3> : tensor<3x4xf32>\n%z = stablehlo.add %d, %k : tensor<3x4xf32>",
		"divide":       "%z = stablehlo.divide %d, %c : tensor<3x4xf32>", "multiply": "%z = stablehlo.multiply %d, %c : tensor<3x4xf32>", "times 3": "%k = stablehlo.constant dense<3.1> : tensor<3x4xf32>\n%z = stablehlo.multiply %d, %k : tensor<3x4xf32>",
		"select":  "%p = stablehlo.compare GT, %b, %c : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>\n%z = stablehlo.select %p, %d, %b : tensor<3x4xi1>, tensor<3x4xf32>",
		"where":   "%p = stablehlo.compare GT, %b, %c : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xi1>\n%f = stablehlo.convert %p : (tensor<3x4xi1>) -> tensor<3x4xf32>\n%z = stablehlo.multiply %d, %f : tensor<3x4xf32>",
		"scatter": "%i = stablehlo.constant dense<[[2], [0], [2]]> : tensor<3x1xi32>\n%z = " + `"stablehlo.scatter"(%b, %i, %d) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<` + intoRow + `>, unique_indices = false}> ({` + "\n" + combiner("stablehlo.add", "f32") + "\n}) : (tensor<3x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<3x4xf32>",
		"windows": `%z = "stablehlo.reduce_window"(%d, %zero) <{window_dimensions = array<i64: 1, 3>, padding = dense<[[0, 0], [1, 1]]> : tensor<2x2xi64>}> ({` + "\n" + combiner("stablehlo.add", "f32") + "\n}) : (tensor<3x4xf32>, tensor<f32>) -> tensor<3x4xf32>",
		"sum":     "%1 = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>\n%z = stablehlo.broadcast_in_dim %1, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>",
		"dot":     "%z = stablehlo.dot_general %d, %e, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x4xf32>) -> tensor<3x4xf32>",
	} {
		agree(
			t,
			program{
				name:  name,
				args:  "3x4xf32 3x4xf32 3x4xf32 3x4xf32 4x4xf32",
				outs:  "3x4xf32",
				lo:    0.5,
				hi:    2,
				units: 0.004 * (1 << 18),
				facts: true,
				body: `
%zero = stablehlo.constant dense<0.0> : tensor<f32>
%small = stablehlo.constant dense<2.44140625e-4> : tensor<3x4xf32>
%0 = stablehlo.multiply %a, %small : tensor<3x4xf32>
%d0 = stablehlo.multiply %0, %d : tensor<3x4xf32>
` + strings.ReplaceAll(op, "%d", "%d0") + `
%gg = stablehlo.multiply %z, %z : tensor<3x4xf32>
%before = stablehlo.constant dense<1.0E-7> : tensor<3x4xf32>
%v = stablehlo.add %gg, %before : tensor<3x4xf32>
%r = stablehlo.rsqrt %v : tensor<3x4xf32>
%u = stablehlo.multiply %r, %z : tensor<3x4xf32>
return %u : tensor<3x4xf32>`,
			},
		)
	}
}
