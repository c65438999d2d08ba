package hostile

import (
	"fmt"
	"slices"
	"strings"
)

// sortByName sorts cases whose order came from a map.
func sortByName(all []Case) {
	slices.SortFunc(all, func(a, b Case) int { return strings.Compare(a.Name, b.Name) })
}

// function returns a program without arguments and its result type.
func function(result, body string) string {
	return fmt.Sprintf("func.func @main() -> %s {\n%s}\n", result, body)
}

// plans are programs whose tensors, operations or iterations fit into no machine.
func plans(a Arguments) []Case {
	var out []Case
	add := func(name string, dangerous, arguments bool, text string) {
		c := program(name, arguments, text)
		c.Plans = dangerous
		out = append(out, c)
	}
	for _, k := range []int{16, 26, 30, 34, 40, 52, 62} {
		n, danger := int64(1)<<k, k > 20
		big := fmt.Sprintf("tensor<%dxf32>", n)
		whole := fmt.Sprintf("tensor<%dxi64>", n)
		add(fmt.Sprintf("splat of 2^%d", k), danger, false, function(big, "  %0 = stablehlo.constant dense<1.5> : "+big+"\n  return %0 : "+big+"\n"))
		add(fmt.Sprintf("four splats of 2^%d", k), danger, false, function("tensor<f32>",
			"  %0 = stablehlo.constant dense<1.5> : "+big+"\n  %1 = stablehlo.constant dense<2.5> : "+big+"\n  %2 = stablehlo.constant dense<3.5> : "+big+
				"\n  %3 = stablehlo.constant dense<4.5> : tensor<f32>\n  return %3 : tensor<f32>\n"))
		add(fmt.Sprintf("iota of 2^%d", k), danger, false, function(whole, "  %0 = stablehlo.iota dim = 0 : "+whole+"\n  return %0 : "+whole+"\n"))
		add(fmt.Sprintf("sum of an iota of 2^%d", k), danger, false, function("tensor<i64>", "  %0 = stablehlo.iota dim = 0 : "+whole+
			"\n  %z = stablehlo.constant dense<0> : tensor<i64>\n  %1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : ("+
			whole+", tensor<i64>) -> tensor<i64>\n  return %1 : tensor<i64>\n"))
		add(fmt.Sprintf("broadcast to 2^%d", k), danger, false, function(big, "  %0 = stablehlo.constant dense<1.5> : tensor<f32>\n"+
			"  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> "+big+"\n  %2 = stablehlo.exponential %1 : "+big+"\n  return %2 : "+big+"\n"))
		wide := fmt.Sprintf("tensor<%dx%dxf32>", n, a.Size)
		add(fmt.Sprintf("secrets broadcast to 2^%d", k), danger, true, fmt.Sprintf("func.func @main(%s) -> %s {\n"+
			"  %%big = stablehlo.broadcast_in_dim %s, dims = [1] : (tensor<%dxf32>) -> %s\n  %%out = stablehlo.multiply %%big, %%big : %s\n  return %%out : %s\n}\n",
			a.List, wide, a.First, a.Size, wide, wide, wide))
		add(fmt.Sprintf("padded to 2^%d", k), danger, false, function(big, fmt.Sprintf("  %%0 = stablehlo.constant dense<1.5> : tensor<1xf32>\n"+
			"  %%z = stablehlo.constant dense<0.0> : tensor<f32>\n"+
			"  %%1 = stablehlo.pad %%0, %%z, low = [%d], high = [0], interior = [0] : (tensor<1xf32>, tensor<f32>) -> %s\n  return %%1 : %s\n", n-1, big, big)))
		side := int64(1) << (k / 2)
		square := fmt.Sprintf("tensor<%dx%dxf32>", side, side)
		add(fmt.Sprintf("product of matrices of 2^%d", k), danger, false, function(square, "  %0 = stablehlo.constant dense<1.5> : "+square+
			"\n  %1 = stablehlo.dot_general %0, %0, contracting_dims = [1] x [0] : ("+square+", "+square+") -> "+square+"\n  return %1 : "+square+"\n"))
		add(fmt.Sprintf("a loop of 2^%d iterations", k), danger, false, loop(fmt.Sprint(n)))
	}
	add("a loop without end", true, false, strings.Replace(loop("1"), "%c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>",
		"%c = stablehlo.constant dense<true> : tensor<i1>", 1))
	for _, depth := range []int{8, 20, 40, 64} { // each function calls the next one twice
		var b strings.Builder
		b.WriteString("func.func @main() -> tensor<f32> {\n  %0 = func.call @f0() : () -> tensor<f32>\n  return %0 : tensor<f32>\n}\n")
		for i := range depth {
			fmt.Fprintf(&b, "func.func private @f%d() -> tensor<f32> {\n  %%0 = func.call @f%d() : () -> tensor<f32>\n  %%1 = func.call @f%d() : () -> tensor<f32>\n"+
				"  %%2 = stablehlo.add %%0, %%1 : tensor<f32>\n  return %%2 : tensor<f32>\n}\n", i, i+1, i+1)
		}
		fmt.Fprintf(&b, "func.func private @f%d() -> tensor<f32> {\n  %%0 = stablehlo.constant dense<1.0> : tensor<f32>\n  return %%0 : tensor<f32>\n}\n", depth)
		add(fmt.Sprintf("calls doubled %d times", depth), depth > 10, false, b.String())
	}
	for _, n := range []int{1000, 100_000} { // a long chain of secret products
		c := written(fmt.Sprintf("%d products", n), true, func() string {
			var b strings.Builder
			last := a.First
			fmt.Fprintf(&b, "func.func @main(%s) -> tensor<%dxf32> {\n", a.List, a.Size)
			for i := range n {
				fmt.Fprintf(&b, "  %%m%d = stablehlo.multiply %s, %s : tensor<%dxf32>\n", i, last, a.First, a.Size)
				last = fmt.Sprintf("%%m%d", i)
			}
			fmt.Fprintf(&b, "  return %s : tensor<%dxf32>\n}\n", last, a.Size)
			return b.String()
		})
		c.Plans = n > 10_000
		out = append(out, c)
	}
	return out
}

// loop returns a program that counts to n.
func loop(n string) string {
	return function("tensor<i64>", `  %zero = stablehlo.constant dense<0> : tensor<i64>
  %0 = stablehlo.while(%i = %zero) : tensor<i64>
  cond {
    %n = stablehlo.constant dense<`+n+`> : tensor<i64>
    %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i64>
    %j = stablehlo.add %i, %one : tensor<i64>
    stablehlo.return %j : tensor<i64>
  }
  return %0 : tensor<i64>
`)
}
