package hostile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// texts are programs that are no programs, or hard to read.
func texts(a Arguments) []Case {
	valid := fmt.Sprintf("func.func @main(%s) -> tensor<%dxf32> {\n  return %s : tensor<%dxf32>\n}\n", a.List, a.Size, a.First, a.Size)
	out := []Case{
		program("empty program", true, ""),
		program("no function", true, "module {}"),
		program("no main", true, strings.Replace(valid, "@main", "@other", 1)),
		program("two mains", true, valid+valid),
		program("binary", true, "ML\xefR\x00\xff\xff\xff\xff\xff\xff\xff\xff"),
		program("artifact cut short", true, "ML\xefR\x0dStableHLO"),
		program("control characters", true, strings.ReplaceAll(valid, "@main", "@\x1b[2Jmain")),
		program("NUL bytes", true, strings.Repeat("\x00", 1<<16)),
		program("no UTF-8", true, strings.Repeat("\xc3\x28", 1<<12)),
		program("undefined value", true, strings.Replace(valid, "return "+a.First, "return %nothing", 1)),
		program("unknown operation", true, strings.Replace(valid, "  return", "  %z = stablehlo.launch "+a.First+" : tensor<f32>\n  return", 1)),
		program("custom call", true, strings.Replace(valid, "  return", "  %z = stablehlo.custom_call @system("+a.First+`) {backend_config = "rm -rf /"} : (tensor<4xf32>) -> tensor<f32>`+"\n  return", 1)),
		program("recursion", false, "func.func @main() -> tensor<f32> {\n  %0 = func.call @main() : () -> tensor<f32>\n  return %0 : tensor<f32>\n}"),
		program("mutual recursion", false, "func.func @main() -> tensor<f32> {\n  %0 = func.call @f() : () -> tensor<f32>\n  return %0 : tensor<f32>\n}\n"+
			"func.func private @f() -> tensor<f32> {\n  %0 = func.call @main() : () -> tensor<f32>\n  return %0 : tensor<f32>\n}"),
	}
	for _, n := range []int{100, 10_000, 300_000} {
		for name, text := range map[string]func() string{
			"brackets": func() string { return strings.Repeat("(", n) },
			"types":    func() string { return strings.Repeat("tensor<", n) },
			"regions":  func() string { return strings.Repeat("{", n) + strings.Repeat("}", n) },
			"tuples": func() string {
				return "func.func @main(%x: " + strings.Repeat("tuple<", n) + strings.Repeat(">", n) + ")"
			},
			"dense": func() string {
				return "func.func @main() -> tensor<f32> {\n  %0 = stablehlo.constant dense<" + strings.Repeat("[", n) + strings.Repeat("]", n) +
					"> : tensor<f32>\n}"
			},
			"comments": func() string { return strings.Repeat("//\n", n) + valid },
			"dimensions": func() string {
				return "func.func @main(%x: tensor<" + strings.Repeat("1x", n) + "f32>) -> tensor<f32> {}"
			},
			"attributes": func() string { return "module attributes {" + strings.Repeat("a = [", n) + "} {}" },
			"modules":    func() string { return strings.Repeat("module {", n) },
		} {
			out = append(out, written(fmt.Sprintf("%d %s", n, name), true, text))
		}
	}
	random := rand.New(rand.NewPCG(17, 0))
	for i := range 20 { // valid programs with bytes that are changed
		text := []byte(valid)
		for range 1 + i/4 {
			text[random.IntN(len(text))] = byte(random.IntN(256))
		}
		out = append(out, program(fmt.Sprintf("changed bytes %d", i), true, string(text)))
	}
	sortByName(out)
	return out
}
