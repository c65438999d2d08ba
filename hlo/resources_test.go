package hlo

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/tensor"
)

// withResources is a module as torch-mlir prints it, with the given constants and resources.
func withResources(constants, entries string) string {
	return "module {\n  func.func @main() -> tensor<2xf32> {\n" + constants + "\n    return %0 : tensor<2xf32>\n  }\n}\n\n{-#\n  dialect_resources: {\n    builtin: {\n" +
		entries + "\n    }\n  }\n#-}\n"
}

const (
	one      = "    %0 = stablehlo.constant dense_resource<w_torch.float32> : tensor<2xf32>"
	oneEntry = `      w_torch.float32: "0x040000000000803F000000C0"`
)

func TestResources(t *testing.T) {
	same := one + "\n" + strings.Replace(one, "%0", "%1", 1) + "\n    %2 = arith.constant dense_resource<b> : tensor<3xi1>"
	p, err := Parse("p", []byte(withResources(same, oneEntry+",\n      b: \"0x04000000010001\"")))
	if err != nil {
		t.Fatal(err)
	}
	ops := p.Main.Body.Ops
	first, _ := ops[0].Constant()
	second, _ := ops[1].Constant()
	third, _ := ops[2].Constant()
	if got := first.Array().Floats(); got[0] != 1 || got[1] != -2 {
		t.Errorf("the elements are %v", got)
	}
	if first.Elements != second.Elements {
		t.Error("two constants of one resource have two arrays")
	}
	if got := third.Array().Data.([]bool); !got[0] || got[1] || !got[2] {
		t.Errorf("the booleans are %v", got)
	}
	if text := string(printed(t, p)); strings.Contains(text, "dense_resource") {
		t.Errorf("the program prints as\n%s", text)
	}
	// Sections of other tools, and resources that no constant names, are skipped.
	entries := oneEntry + "\n    },\n    other: {\n      x: \"0x00\""
	text := strings.Replace(withResources(one, entries), "\n#-}", ",\n  external_resources: {\n    mlir_reproducer: {\n      verify_each: true\n    }\n  }\n#-}", 1)
	if _, err := Parse("p", []byte(text)); err != nil {
		t.Error(err)
	}
	if _, err := Parse("p", []byte(strings.Replace(text, "dense_resource<w_torch.float32>", "dense<1.0>", 1))); err != nil {
		t.Error(err)
	}
}

func TestResourceErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"elided", withResources(strings.Replace(one, "w_torch.float32", "__elided__", 1), oneEntry), "p:3:29: stablehlo.constant: the text has no resource __elided__ (print the program with all its elements)"},
		{"too short", withResources(one, `      w_torch.float32: "0x040000000000803F"`), "p:11:24: stablehlo.constant: the resource has 4 bytes, but tensor<2xf32> takes 8"},
		{"no alignment", withResources(one, `      w_torch.float32: "0x04"`), "p:11:24: stablehlo.constant: a resource's string is hexadecimal"},
		{"no digits", withResources(one, `      w_torch.float32: "0x04000000zz00803F000000C0"`), `p:11:35: stablehlo.constant: "z" is not a hexadecimal digit`},
		{"twice", withResources(one, oneEntry+",\n"+oneEntry), "p:12:7: the resource w_torch.float32 is given twice"},
		{"two types", withResources(one+"\n    %1 = stablehlo.constant dense_resource<w_torch.float32> : tensor<1x2xf32>", oneEntry),
			"p:4:29: stablehlo.constant: the resource w_torch.float32 has type tensor<2xf32> elsewhere, and tensor<1x2xf32> here"},
		{"no end", strings.TrimSuffix(withResources(one, oneEntry), "#-}\n"), `p:14:1: stablehlo.constant: the text ends where "#-}" should stand`},
		{"two sections", withResources(one, oneEntry) + "{-#\n#-}\n", "the text has no resource w_torch.float32"},
		{"an old section", withResources(strings.Replace(one, "dense_resource<w_torch.float32>", "dense<1.0>", 1), oneEntry) + "{-#\n#-}\n", "p:8:1: the text has two sections of resources"},
	} {
		_, err := Parse("p", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got  %v\n want %s", c.name, err, c.want)
		}
	}
}

// What torch-mlir and torch_xla print beside StableHLO is read as StableHLO.
func TestFrontends(t *testing.T) {
	for _, c := range []struct{ name, ops, want string }{
		{"a tensor of arith", "%0 = arith.constant dense<5.000000e-01> : tensor<3xf32>", "%0 = stablehlo.constant dense<5.000000e-01> : tensor<3xf32>"},
		{"a number of arith", "%0 = arith.constant -1.500000e+00 : f32", "%0 = stablehlo.constant dense<-1.500000e+00> : tensor<f32>"},
		{"an index", "%0 = arith.constant 3 : index", "%0 = stablehlo.constant dense<3> : tensor<i64>"},
		{"a boolean", "%0 = arith.constant true", "%0 = stablehlo.constant dense<true> : tensor<i1>"},
		{"layouts", `%0 = stablehlo.transpose %a, dims = [1, 0] {result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[3,2]{0,1}"} : (tensor<2x3xf32>) -> tensor<3x2xf32>`,
			"%0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>"},
		{"erf", "%0 = stablehlo.custom_call @mhlo.erf(%a) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>", "%0 = chlo.erf %a : tensor<2x3xf32> -> tensor<2x3xf32>"},
		{"a range", "%c = stablehlo.constant dense<3> : tensor<1xi64>\n%0 = stablehlo.dynamic_iota %c, dim = 0 : (tensor<1xi64>) -> tensor<3xi64>", "%1 = stablehlo.iota dim = 0 : tensor<3xi64>"},
		{"a shape", "%c = stablehlo.constant dense<[3, 2]> : tensor<2xi64>\n%0 = stablehlo.dynamic_reshape %a, %c : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<3x2xf32>",
			"%1 = stablehlo.reshape %a : (tensor<2x3xf32>) -> tensor<3x2xf32>"},
		{"a broadcast", "%c = stablehlo.constant dense<[4, 2, 3]> : tensor<3xi64>\n%0 = stablehlo.dynamic_broadcast_in_dim %a, %c, dims = [1, 2] {known_expanding_dimensions = array<i64>} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<4x2x3xf32>",
			"%1 = stablehlo.broadcast_in_dim %a, dims = [1, 2] : (tensor<2x3xf32>) -> tensor<4x2x3xf32>"},
	} {
		p, err := Parse("p", []byte("func.func @main(%a: tensor<2x3xf32>) {\n"+c.ops+"\nreturn\n}"))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if text := string(printed(t, p)); !strings.Contains(text, c.want+"\n") {
			t.Errorf("%s is printed as\n%s", c.name, text)
		}
	}
	for _, c := range []struct{ ops, want string }{
		{"%0 = arith.constant 1.5 : i64", "i64 takes integers, not 1.5"},
		{"%0 = arith.constant 1 : none", "arith.constant: constants of type none are not supported"},
		{"%0 = arith.constant 300 : i8", "the integer does not fit i8"},
		{"%0 = arith.constant sparse<0, 1> : tensor<2xi64>", "a number should stand here"},
		{"%0 = stablehlo.custom_call @mhlo.erf(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>", "@mhlo.erf has 2 operands, but takes 1"},
		{"%0 = stablehlo.custom_call @mhlo.erf(%a) : (tensor<2x3xf32>) -> tensor<3x3xf32>", "stablehlo.custom_call: result 0 has type tensor<3x3xf32>"},
		{"%0 = stablehlo.abs %a {result_format = 1 : i64} : tensor<2x3xf32>", "unknown attribute result_format"},
	} {
		if _, err := Parse("p", []byte("func.func @main(%a: tensor<2x3xf32>) {\n"+c.ops+"\nreturn\n}")); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s:\n got  %v\n want %s", c.ops, err, c.want)
		}
	}
}

// A resource that many constants name takes the memory of one.
func TestResourcesAreShared(t *testing.T) {
	var constants strings.Builder
	for range 1000 {
		constants.WriteString("stablehlo.constant dense_resource<w> : tensor<4096xf32>\n")
	}
	entry := `w: "0x04000000` + strings.Repeat("0000803F", 4096) + `", w_torch.float32: "0x040000000000803F000000C0"`
	p, err := Parse("p", []byte(withResources(constants.String()+one, entry)))
	if err != nil {
		t.Fatal(err)
	}
	arrays := map[*tensor.Array]bool{}
	for _, o := range p.Main.Body.Ops {
		if c, ok := o.Constant(); ok {
			arrays[c.Elements] = true
		}
	}
	if len(arrays) != 2 {
		t.Errorf("1,001 constants of 2 resources have %d arrays", len(arrays))
	}
}
