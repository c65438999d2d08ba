package hostile

import (
	"fmt"
	"strings"
)

func (g *generator) iota() value {
	d := g.pick("i1", "i8", "i32", "ui64", "f16", "f32", "f64", "complex<f64>")
	if g.IntN(2) == 0 {
		return g.line(g.size(20, 40), strings.Replace(d, "i1", "i16", 1))
	}
	n := g.size(8, 20)
	t := fmt.Sprintf("tensor<%dx%dx%s>", n, n, strings.Replace(d, "i1", "ui8", 1))
	return g.op(t, "stablehlo.iota dim = %d : %s", g.IntN(2), t)
}

func (g *generator) splats() value {
	t := vector(g.size(22, 40), "f32")
	sum := g.op(t, "stablehlo.constant dense<1.5> : %s", t)
	for i := range 1 + g.IntN(200) {
		sum = g.binary(g.pick("stablehlo.add", "stablehlo.multiply", "stablehlo.power"), sum, g.op(t, "stablehlo.constant dense<%d.5> : %s", i, t))
	}
	return sum
}

func (g *generator) broadcasts() value {
	x := g.line(g.size(4, 20), "f32")
	for range 3 {
		n := g.size(4, 12)
		t := fmt.Sprintf("tensor<%dx%s", n, strings.TrimPrefix(x.typ, "tensor<"))
		rank := strings.Count(x.typ, "x")
		dims := make([]string, rank)
		for i := range dims {
			dims[i] = fmt.Sprint(i + 1)
		}
		x = g.op(t, "stablehlo.broadcast_in_dim %s, dims = [%s] : (%s) -> %s", x.name, strings.Join(dims, ", "), x.typ, t)
	}
	return x
}

func (g *generator) dot() value {
	m, k, n := g.size(6, 20), g.size(6, 20), g.size(6, 20)
	d := g.pick("f32", "f64", "i32", "i64")
	a, b, c := fmt.Sprintf("tensor<%dx%dx%s>", m, k, d), fmt.Sprintf("tensor<%dx%dx%s>", k, n, d), fmt.Sprintf("tensor<%dx%dx%s>", m, n, d)
	x, y := g.op(a, "stablehlo.iota dim = 0 : %s", a), g.op(b, "stablehlo.iota dim = 1 : %s", b)
	return g.op(c, "stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (%s, %s) -> %s", x.name, y.name, a, b, c)
}

// loop writes a loop over one value; cond and body see it as %v.
func (g *generator) loop(start value, cond, body string) value {
	return g.op(start.typ, `"stablehlo.while"(%s) ({
    ^bb0(%%v: %s):
%s  }, {
    ^bb0(%%v: %s):
%s  }) : (%s) -> %s`, start.name, start.typ, cond, start.typ, body, start.typ, start.typ)
}

const forever = "    %c = stablehlo.constant dense<true> : tensor<i1>\n    stablehlo.return %c : tensor<i1>\n"

func below(n uint64) string {
	return fmt.Sprintf("    %%n = stablehlo.constant dense<%d> : tensor<i64>\n    %%c = stablehlo.compare LT, %%v, %%n : (tensor<i64>, tensor<i64>) -> tensor<i1>\n"+
		"    stablehlo.return %%c : tensor<i1>\n", n)
}

const next = "    %one = stablehlo.constant dense<1> : tensor<i64>\n    %w = stablehlo.add %v, %one : tensor<i64>\n    stablehlo.return %w : tensor<i64>\n"

func (g *generator) endless() value {
	i := g.op("tensor<i64>", "stablehlo.constant dense<0> : tensor<i64>")
	switch g.IntN(4) {
	case 0:
		return g.loop(i, forever, "    stablehlo.return %v : tensor<i64>\n")
	case 1:
		return g.loop(i, below(uint64(1)<<(30+g.IntN(32))), next)
	case 2: // the body has steps on secrets
		return g.loop(value{"%x", "tensor<4xf32>"}, forever,
			"    %w = "+g.pick("stablehlo.multiply", "stablehlo.divide", "stablehlo.maximum")+" %v, %v : tensor<4xf32>\n    stablehlo.return %w : tensor<4xf32>\n")
	}
	x := g.line(1<<12, "f32")
	return g.loop(x, forever, fmt.Sprintf("    %%w = stablehlo.exponential %%v : %s\n    stablehlo.return %%w : %s\n", x.typ, x.typ))
}

func (g *generator) nestedLoops() value {
	text := next
	depth := 2 + g.IntN(20)
	for i := range depth {
		text = fmt.Sprintf(`    %%i%d = "stablehlo.while"(%%v) ({
    ^bb0(%%v%d: tensor<i64>):
%s  }, {
    ^bb0(%%w%d: tensor<i64>):
%s  }) : (tensor<i64>) -> tensor<i64>
    stablehlo.return %%i%d : tensor<i64>
`, i, i, strings.ReplaceAll(below(1<<20), "%v", fmt.Sprintf("%%v%d", i)), i, renamed(text, i), i)
	}
	start := g.op("tensor<i64>", "stablehlo.constant dense<0> : tensor<i64>")
	cond := below(1 << 40)
	if g.IntN(2) == 0 {
		cond = forever
	}
	return g.loop(start, cond, text)
}

// renamed returns a body that reads %w<i> in place of %v.
func renamed(body string, i int) string {
	out := strings.ReplaceAll(body, "%v,", fmt.Sprintf("%%w%d,", i))
	return strings.ReplaceAll(out, "(%v)", fmt.Sprintf("(%%w%d)", i))
}

// calls is a chain of functions that call the next one twice.
func (g *generator) calls() value {
	t := g.pick("tensor<4xf32>", "tensor<i64>")
	name := g.pick("stablehlo.add", "stablehlo.multiply", "stablehlo.maximum")
	fmt.Fprintf(&g.functions, "func.func private @f0(%%a: %s) -> %s {\n  %%0 = %s %%a, %%a : %s\n  return %%0 : %s\n}\n", t, t, name, t, t)
	depth := 20 + g.IntN(41)
	for i := 1; i < depth; i++ {
		fmt.Fprintf(&g.functions, "func.func private @f%d(%%a: %s) -> %s {\n  %%0 = call @f%d(%%a) : (%s) -> %s\n  %%1 = call @f%d(%%0) : (%s) -> %s\n  return %%1 : %s\n}\n",
			i, t, t, i-1, t, t, i-1, t, t, t)
	}
	x := value{"%x", t}
	if t == "tensor<i64>" {
		x = g.op(t, "stablehlo.constant dense<1> : %s", t)
	}
	return g.op(t, "call @f%d(%s) : (%s) -> %s", depth-1, x.name, t, t)
}

// doubling concatenates a value with itself again and again.
func (g *generator) doubling() value {
	n := 4
	x := value{"%x", "tensor<4xf32>"}
	if g.IntN(2) == 0 {
		x = g.line(4, "f32")
	}
	for range 20 + g.IntN(18) {
		n *= 2
		t := vector(n, "f32")
		x = g.op(t, "stablehlo.concatenate %s, %s, dim = 0 : (%s, %s) -> %s", x.name, x.name, x.typ, x.typ, t)
	}
	return x
}

func (g *generator) pad() value {
	n, inner := g.size(4, 16), g.size(10, 24)
	low, high := g.size(0, 30), g.size(0, 30)
	x := g.line(n, "f32")
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	zero := g.op("tensor<f32>", "stablehlo.constant dense<0.0> : tensor<f32>")
	t := vector(n+(n-1)*inner+low+high, "f32")
	return g.op(t, "stablehlo.pad %s, %s, low = [%d], high = [%d], interior = [%d] : (%s, tensor<f32>) -> %s", x.name, zero.name, low, high, inner, x.typ, t)
}

const adds = `({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %s = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %s : tensor<f32>
  })`

func (g *generator) window() value {
	n, w := g.size(4, 24), g.size(4, 38)
	x := g.line(n, "f32")
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	zero := g.op("tensor<f32>", "stablehlo.constant dense<0.0> : tensor<f32>")
	out := vector(n, "f32")
	if w == 1 {
		w = 2
	}
	return g.op(out, `"stablehlo.reduce_window"(%s, %s) <{window_dimensions = array<i64: %d>, padding = dense<[[%d, 0]]> : tensor<1x2xi64>}> %s : (%s, tensor<f32>) -> %s`,
		x.name, zero.name, w, w-1, adds, x.typ, out)
}

func (g *generator) elementwise() value {
	x := g.line(g.size(18, 30), "f32")
	for range 1 + g.IntN(30) {
		x = g.unary(g.pick("stablehlo.exponential", "stablehlo.sine", "stablehlo.log", "stablehlo.negate", "stablehlo.cosine"), x)
	}
	return x
}

func (g *generator) sort() value {
	n := g.size(10, 36)
	x := g.line(n, "f32")
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	return g.op(x.typ, `"stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
    ^bb0(%%p: tensor<f32>, %%q: tensor<f32>):
      %%s = stablehlo.compare LT, %%p, %%q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %%s : tensor<i1>
  }) : (%s) -> %s`, x.name, x.typ, x.typ)
}

func (g *generator) gather() value {
	n, k := g.size(10, 30), g.size(10, 30)
	x := g.line(n, "f32")
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	var at value
	if t := fmt.Sprintf("tensor<%dx1xi32>", k); g.IntN(2) == 0 {
		at = g.op(t, "stablehlo.iota dim = 0 : %s", t)
	} else { // indices that are secret
		w := g.wide(k)
		whole := g.op(vector(k, "i32"), "stablehlo.convert %s : (%s) -> %s", w.name, w.typ, vector(k, "i32"))
		at = g.op(t, "stablehlo.reshape %s : (%s) -> %s", whole.name, whole.typ, t)
	}
	out := vector(k, "f32")
	return g.op(out, `"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (%s, %s) -> %s`,
		x.name, at.name, x.typ, at.typ, out)
}

func (g *generator) convolution() value {
	n, k := g.size(4, 20), g.size(4, 20)
	in, kernel, out := fmt.Sprintf("tensor<1x%dx1xf32>", n), fmt.Sprintf("tensor<%dx1x1xf32>", k), fmt.Sprintf("tensor<1x%dx1xf32>", n)
	x := g.line(n, "f32")
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	a := g.op(in, "stablehlo.reshape %s : (%s) -> %s", x.name, x.typ, in)
	b := g.op(kernel, "stablehlo.iota dim = 0 : %s", kernel)
	return g.op(out, "stablehlo.convolution(%s, %s) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[%d, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%s, %s) -> %s",
		a.name, b.name, k-1, in, kernel, out)
}

func (g *generator) fft() value {
	n := g.size(8, 32)
	t := vector(n, "complex<f32>")
	re := g.line(n, "f32")
	if g.IntN(2) == 0 {
		re = g.wide(n)
	}
	z := g.op(t, "stablehlo.complex %s, %s : %s", re.name, re.name, t)
	return g.op(t, "stablehlo.fft %s, type = FFT, length = [%d] : (%s) -> %s", z.name, n, t, t)
}

func (g *generator) matrix() value {
	n := g.size(4, 16)
	t := fmt.Sprintf("tensor<%dx%dxf32>", n, n)
	x := g.op(t, "stablehlo.iota dim = 0 : %s", t)
	if g.IntN(2) == 0 {
		w := g.wide(n)
		x = g.op(t, "stablehlo.broadcast_in_dim %s, dims = [0] : (%s) -> %s", w.name, w.typ, t)
	}
	return g.op(t, "stablehlo.cholesky %s, lower = true : %s", x.name, t)
}

func (g *generator) random() value {
	n := g.size(16, 36)
	s := g.op("tensor<2xui64>", "stablehlo.constant dense<[1, 2]> : tensor<2xui64>")
	t := vector(n, "ui32")
	name := fmt.Sprintf("%%%d", g.values)
	fmt.Fprintf(&g.body, "  %s:2 = stablehlo.rng_bit_generator %s, algorithm = %s : (tensor<2xui64>) -> (tensor<2xui64>, %s)\n", name, s.name, g.pick("THREE_FRY", "PHILOX"), t)
	g.values++
	return value{name + "#1", t}
}

func (g *generator) reduce() value {
	x := g.line(g.size(18, 34), "f32")
	zero := g.op("tensor<f32>", "stablehlo.constant dense<0.0> : tensor<f32>")
	body := adds
	if g.IntN(2) == 0 { // no native loop
		body = strings.ReplaceAll(adds, "stablehlo.add %p, %q", "stablehlo.atan2 %p, %q")
	}
	return g.op("tensor<f32>", `"stablehlo.reduce"(%s, %s) <{dimensions = array<i64: 0>}> %s : (%s, tensor<f32>) -> tensor<f32>`, x.name, zero.name, body, x.typ)
}

// secrets are operations on large secrets, which a dry run does not hold.
func (g *generator) secrets() value {
	x := g.wide(g.size(20, 40))
	for range 1 + g.IntN(4) {
		switch g.IntN(5) {
		case 0:
			x = g.binary(g.pick("stablehlo.multiply", "stablehlo.divide", "stablehlo.maximum", "stablehlo.power"), x, x)
		case 1:
			x = g.unary(g.pick("stablehlo.exponential", "stablehlo.log", "stablehlo.tanh", "stablehlo.sine", "stablehlo.floor"), x)
		case 2:
			x = g.op(x.typ, "stablehlo.reverse %s, dims = [0] : %s", x.name, x.typ)
		case 3:
			x = g.binary("stablehlo.add", x, g.op(x.typ, "stablehlo.constant dense<2.5> : %s", x.typ))
		case 4:
			bits := strings.Replace(x.typ, "f32", "i1", 1)
			p := g.op(bits, "stablehlo.constant dense<true> : %s", bits)
			x = g.op(x.typ, "stablehlo.select %s, %s, %s : %s, %s", p.name, x.name, x.name, bits, x.typ)
		}
	}
	return x
}

// local is a loop that depends on one party's own values.
func (g *generator) local() value {
	t := vector(g.size(16, 34), "f32")
	body := fmt.Sprintf("    %%w = stablehlo.broadcast_in_dim %%v, dims = [0] : (tensor<4xf32>) -> tensor<%dx4xf32>\n", g.size(20, 38))
	body = strings.Replace(body, "dims = [0]", "dims = [1]", 1) + "    %u = stablehlo.add %v, %v : tensor<4xf32>\n    stablehlo.return %u : tensor<4xf32>\n"
	cond := `    %z = stablehlo.slice %v [0:1] : (tensor<4xf32>) -> tensor<1xf32>
    %y = stablehlo.reshape %z : (tensor<1xf32>) -> tensor<f32>
    %n = stablehlo.constant dense<1.0e30> : tensor<f32>
    %c = stablehlo.compare LT, %y, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
`
	g.loop(value{"%x", "tensor<4xf32>"}, cond, body)
	s := g.op("tensor<1xf32>", "stablehlo.slice %%x [0:1] : (tensor<4xf32>) -> tensor<1xf32>")
	r := g.op("tensor<f32>", "stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>", s.name)
	return g.op(t, "stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> %s", r.name, t)
}

// shapes have more elements than a number holds, some of them hidden behind a dimension of size 0.
func (g *generator) shapes() value {
	dims := make([]string, 2+g.IntN(6))
	for i := range dims {
		dims[i] = fmt.Sprint(g.size(10, 40))
	}
	if g.IntN(2) == 0 {
		dims[g.IntN(len(dims))] = "0"
	}
	t := "tensor<" + strings.Join(dims, "x") + "xf32>"
	x := g.op(t, "stablehlo.constant dense<1.0> : %s", t)
	return g.binary("stablehlo.add", x, x)
}

// growing is a straight line of values that are all alive at its end.
func (g *generator) growing() value {
	n := g.size(16, 22)
	var kept []value
	for range 100 + g.IntN(300) {
		kept = append(kept, g.unary("stablehlo.exponential", g.line(n, "f32")))
	}
	sum := kept[0]
	for _, v := range kept[1:] {
		sum = g.binary("stablehlo.add", sum, v)
	}
	return sum
}
