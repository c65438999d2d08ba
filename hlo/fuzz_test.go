package hlo

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/tacet-mpc/tacet/hlo/bytecode"
)

// seeds returns the texts in testdata.
func seeds(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*.mlir"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no testdata: %v", err)
	}
	return contents(t, files)
}

// contents returns the files' contents.
func contents(t testing.TB, files []string) [][]byte {
	t.Helper()
	var out [][]byte
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, text)
	}
	return out
}

// tolerable checks that a text gives a program or an *Error with a position within the text.
func tolerable(t *testing.T, text []byte) {
	t.Helper()
	p, err := Parse("p", text)
	if err == nil {
		p.Visibility(nil)
		return
	}
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("got %T %v, want an *Error", err, err)
	}
	if bytecode.Is(text) {
		if e.Pos.File != "p" || e.Pos.Col != 0 {
			t.Fatalf("%v stands in no artifact", e)
		}
		return
	}
	lines := bytes.Split(text, []byte{'\n'})
	if e.Pos.Line < 1 || e.Pos.Line > len(lines) || e.Pos.Col < 1 || e.Pos.Col > len(lines[e.Pos.Line-1])+1 {
		t.Fatalf("%v stands outside of the text", e)
	}
}

// Every truncated program is refused.
func TestTruncated(t *testing.T) {
	for _, text := range seeds(t) {
		for n := 0; n < len(text); n += 23 {
			tolerable(t, text[:n])
		}
	}
}

// Changed bytes give an error or another valid program.
func TestMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range seeds(t) {
		for range 1000 {
			mutant := bytes.Clone(text)
			for range 1 + r.IntN(3) {
				i := r.IntN(len(mutant))
				switch r.IntN(3) {
				case 0:
					mutant[i] = byte(r.IntN(256))
				case 1:
					mutant[i] = text[r.IntN(len(text))]
				default:
					mutant = append(mutant[:i], mutant[min(len(mutant), i+1+r.IntN(20)):]...)
				}
				if len(mutant) == 0 {
					break
				}
			}
			tolerable(t, mutant)
		}
	}
}

// FuzzParse starts from small texts, one for each kind of syntax.
func FuzzParse(f *testing.F) {
	f.Add([]byte("#x = dense<[1, -2]> : tensor<2xi8>\n#loc1 = loc(\"f.py\":1:2)\nmodule @m attributes {a.b = #x} {\n  sdy.mesh @mesh = <[\"x\"=2]>\n  func.func public @main(%a: tensor<f32> {jax.x = \"y\"} loc(\"a\")) -> (tensor<f32> {jax.r = \"\"}) attributes {z} {\n    %0 = call @f(%a) : (tensor<f32>) -> tensor<f32> loc(#loc1)\n    return %0 : tensor<f32>\n  }\n  func.func private @f(%a: tensor<f32>) -> tensor<f32> {\n    return %a : tensor<f32> loc(callsite(\"f\" at #loc1))\n  } loc(fused<1>[\"a\", #loc1])\n}\n"))
	f.Add([]byte("\"builtin.module\"() <{sym_name = \"m\"}> ({\n\"func.func\"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = \"main\", sym_visibility = \"public\"}> ({\n^bb0(%0: tensor<f32>):\n  \"func.return\"(%0) : (tensor<f32>) -> ()\n}) : () -> ()\n}) : () -> ()"))
	for _, lines := range syntax {
		f.Add([]byte(inMain(lines)))
	}
	f.Fuzz(func(t *testing.T, text []byte) { tolerable(t, text) })
}

// syntax holds lines for inMain, one for each kind of syntax.
var syntax = []string{
	"%0 = stablehlo.add %a, %a : tensor<4x6xf32>",
	"%0:2 = \"stablehlo.sort\"(%a, %a) <{dimension = -1 : i64}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>, %z: tensor<f32>, %w: tensor<f32>):\n%q = stablehlo.compare LT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>\nstablehlo.return %q : tensor<i1>\n}) : (tensor<4x6xf32>, tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>)",
	"%x = stablehlo.constant dense<1.0> : tensor<f32>\n%0 = stablehlo.reduce(%a init: %x) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>\n reducer(%q: tensor<f32>, %r: tensor<f32>) {\nstablehlo.return %q : tensor<f32>\n}",
	"%x = stablehlo.constant dense<0xFF800000> : tensor<f32>\n%0 = stablehlo.reduce(%a init: %x) applies stablehlo.maximum across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>",
	"%0:2 = stablehlo.while(%x = %i, %y = %a) : tensor<i32>, tensor<4x6xf32> cond {\nstablehlo.return %p : tensor<i1>\n} do {\nstablehlo.return %x, %y : tensor<i32>, tensor<4x6xf32>\n}",
	"%0 = stablehlo.constant dense<[[1.0, 0x7F800000]]> : tensor<1x2xf32> loc(fused[\"a\", callsite(\"f\" at #loc1)])",
	"%0 = stablehlo.constant dense<\"0x0000803F00000000\"> : tensor<2xf32>",
	"%0 = stablehlo.constant dense<[(1.0, -2.0)]> : tensor<1xcomplex<f64>>",
	"%0 = stablehlo.slice %a [0:4:2, 1:3] : (tensor<4x6xf32>) -> tensor<2x2xf32>",
	"%0 = stablehlo.dot_general %a, %a, contracting_dims = [0, 1] x [0, 1], precision = [DEFAULT, HIGH] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<f32>",
	"%0 = stablehlo.reshape %a : (tensor<4x6xf32>) -> tensor<1x4x6xf32>\n%1 = stablehlo.convolution(%0, %0) dim_numbers = [b, 0, f]x[i, 0, o]->[b, 0, f], window = {stride = [1], pad = [[1, 2]], reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 6 : i64} : (tensor<1x4x6xf32>, tensor<1x4x6xf32>) -> tensor<1x4x6xf32>",
	"%0 = \"stablehlo.gather\"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0]>, slice_sizes = array<i64: 1, 6>}> : (tensor<4x6xf32>, tensor<i32>) -> tensor<6xf32>",
	"%0 = stablehlo.custom_call @x(%a) {backend_config = {a = 1 : ui8}, sdy.s = #sdy<([i])->([j]) {i=4}>} : (tensor<4x6xf32>) -> tensor<4x6xf32>",
	"%v, %w = chlo.top_k(%a, k = 2) : tensor<4x6xf32> -> (tensor<4x2xf32>, tensor<4x2xi32>)",
	"%0 = stablehlo.reduce_precision %a, format = e5m10 : tensor<4x6xf32>",
}

// All lines of syntax are valid, so that fuzzing starts from programs.
func TestSyntax(t *testing.T) {
	for _, lines := range syntax {
		if _, err := Parse("p", []byte(inMain(lines))); err != nil {
			t.Errorf("%v in\n%s", err, lines)
		}
	}
}
