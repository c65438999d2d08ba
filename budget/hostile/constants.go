package hostile

import (
	"fmt"
	"strings"
)

// filled is a constant that repeats one element: a few characters of text, whatever its size.
func (g *generator) filled(typ string) value {
	one := "1.5"
	switch {
	case strings.Contains(typ, "complex"):
		one = "(1.5, 2.5)"
	case strings.HasSuffix(typ, "xi1>"):
		one = "true"
	case strings.HasSuffix(typ, "xi8>"), strings.HasSuffix(typ, "xi32>"), strings.HasSuffix(typ, "xi64>"), strings.HasSuffix(typ, "xui64>"):
		one = "1"
	}
	return g.op(typ, "stablehlo.constant dense<%s> : %s", one, typ)
}

// either writes a branch; its blocks return values, which they compute if texts say so.
func (g *generator) either(p, typ, yes, no string) value {
	return g.op(typ, `"stablehlo.if"(%s) ({
%s  }, {
%s  }) : (tensor<i1>) -> %s`, p, yes, no, typ)
}

func returns(name, typ string) string {
	return fmt.Sprintf("    stablehlo.return %s : %s\n", name, typ)
}

// positive is a bit that depends on %x.
func (g *generator) positive() value {
	s := g.op("tensor<1xf32>", "stablehlo.slice %%x [0:1] : (tensor<4xf32>) -> tensor<1xf32>")
	r := g.op("tensor<f32>", "stablehlo.reshape %s : (tensor<1xf32>) -> tensor<f32>", s.name)
	zero := g.op("tensor<f32>", "stablehlo.constant dense<0.0> : tensor<f32>")
	return g.op("tensor<i1>", "stablehlo.compare GT, %s, %s : (tensor<f32>, tensor<f32>) -> tensor<i1>", r.name, zero.name)
}

// returned are constants that no operation reads, or none but those that run blocks: they are the program's result.
func (g *generator) returned() value {
	d := g.pick("i1", "i8", "i32", "ui64", "f32", "f64", "complex<f32>")
	t := vector(g.size(20, 40), d)
	switch g.IntN(8) {
	case 0: // of a function
		fmt.Fprintf(&g.functions, "func.func private @big() -> %s {\n", t)
		inner := &generator{Rand: g.Rand}
		v := inner.filled(t)
		fmt.Fprintf(&g.functions, "%s  return %s : %s\n}\n", inner.body.String(), v.name, t)
		return g.op(t, "call @big() : () -> %s", t)
	case 1: // of a branch that is known
		p := g.op("tensor<i1>", "stablehlo.constant dense<true> : tensor<i1>")
		v := g.filled(t)
		return g.either(p.name, t, returns(v.name, t), returns(v.name, t))
	case 2: // of one that is not
		p, v, w := g.positive(), g.filled(t), g.filled(t)
		return g.either(p.name, t, returns(v.name, t), returns(w.name, t))
	case 3: // of a loop that does nothing
		return g.loop(g.filled(t), "    %c = stablehlo.constant dense<false> : tensor<i1>\n    stablehlo.return %c : tensor<i1>\n", returns("%v", t))
	case 4: // of a loop that counts, and reads it
		v := g.filled(vector(g.size(20, 40), "i64"))
		i := g.op("tensor<i64>", "stablehlo.constant dense<0> : tensor<i64>")
		n := strings.TrimSuffix(strings.TrimPrefix(v.typ, "tensor<"), "xi64>")
		body := fmt.Sprintf("    %%s = stablehlo.slice %s [0:1] : (%s) -> tensor<1xi64>\n    %%r = stablehlo.reshape %%s : (tensor<1xi64>) -> tensor<i64>\n"+
			"    %%w = stablehlo.add %%v, %%r : tensor<i64>\n    stablehlo.return %%w : tensor<i64>\n", v.name, v.typ)
		g.loop(i, below(uint64(len(n))), body)
		return v
	case 5:
		return g.op(t, "stablehlo.optimization_barrier %s : %s", g.filled(t).name, t)
	}
	return g.filled(t)
}

// read are operations that read constants that repeat one element, alone or beside a value of %x.
func (g *generator) read() value {
	n, k := g.size(18, 34), g.size(10, 24)
	t := vector(n, "f32")
	x := g.filled(t)
	if g.IntN(2) == 0 {
		x = g.wide(n)
	}
	switch g.IntN(14) {
	case 0:
		at := g.filled(fmt.Sprintf("tensor<%dx1xi32>", n))
		return g.op(t, `"stablehlo.gather"(%s, %s) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (%s, %s) -> %s`,
			x.name, at.name, x.typ, at.typ, t)
	case 1:
		at, updates := g.filled(fmt.Sprintf("tensor<%dx1xi32>", k)), g.filled(vector(k, "f32"))
		return g.op(t, `"stablehlo.scatter"(%s, %s, %s) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> %s : (%s, %s, %s) -> %s`,
			x.name, at.name, updates.name, adds, t, at.typ, updates.typ, t)
	case 2:
		y := g.filled(t)
		name := fmt.Sprintf("%%%d", g.values)
		g.values++
		fmt.Fprintf(&g.body, `  %s:2 = "stablehlo.sort"(%s, %s) <{dimension = 0 : i64}> ({
    ^bb0(%%p: tensor<f32>, %%q: tensor<f32>, %%r: tensor<f32>, %%s: tensor<f32>):
      %%l = stablehlo.compare LT, %%p, %%q : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %%l : tensor<i1>
  }) : (%s, %s) -> (%s, %s)
`, name, x.name, y.name, t, t, t, t)
		return value{name + "#1", t}
	case 3:
		in, kernel := fmt.Sprintf("tensor<1x%dx1xf32>", n), fmt.Sprintf("tensor<%dx1x1xf32>", k)
		a := g.op(in, "stablehlo.reshape %s : (%s) -> %s", x.name, t, in)
		b := g.filled(kernel)
		return g.op(in, "stablehlo.convolution(%s, %s) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {pad = [[%d, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%s, %s) -> %s",
			a.name, b.name, k-1, in, kernel, in)
	case 4:
		p, y := g.positive(), g.filled(t)
		sum := fmt.Sprintf("    %%s = stablehlo.add %s, %s : %s\n", x.name, y.name, t)
		return g.either(p.name, t, sum+returns("%s", t), returns(y.name, t))
	case 5: // the condition and the body read it
		y := g.filled(t)
		cond := fmt.Sprintf("    %%s = stablehlo.slice %s [0:1] : (%s) -> tensor<1xf32>\n    %%r = stablehlo.reshape %%s : (tensor<1xf32>) -> tensor<f32>\n"+
			"    %%h = stablehlo.constant dense<0.5> : tensor<f32>\n    %%c = stablehlo.compare LT, %%r, %%h : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"+
			"    stablehlo.return %%c : tensor<i1>\n", y.name, t)
		return g.loop(x, cond, fmt.Sprintf("    %%w = stablehlo.add %%v, %s : %s\n    stablehlo.return %%w : %s\n", y.name, t, t))
	case 6:
		m := g.size(6, 14)
		square := fmt.Sprintf("tensor<%dx%dxf32>", m, m)
		a := g.filled(square)
		name := fmt.Sprintf("%%%d", g.values)
		g.values++
		fmt.Fprintf(&g.body, "  %s:2 = stablehlo.custom_call @lapack_spotrf_ffi(%s) {mhlo.backend_config = {uplo = 76 : ui8}} : (%s) -> (%s, tensor<i32>)\n",
			name, a.name, square, square)
		return value{name + "#0", square}
	case 7:
		return g.op(t, "stablehlo.custom_call @Sharding(%s) : (%s) -> %s", x.name, t, t)
	case 8:
		bits := g.filled(vector(n, "i1"))
		return g.op(t, "stablehlo.select %s, %s, %s : %s, %s", bits.name, x.name, g.filled(t).name, bits.typ, t)
	case 9:
		both := vector(2*n, "f32")
		return g.op(both, "stablehlo.concatenate %s, %s, dim = 0 : (%s, %s) -> %s", x.name, g.filled(t).name, t, t, both)
	case 10:
		z := g.filled(vector(n, "complex<f32>"))
		return g.op(z.typ, "stablehlo.fft %s, type = FFT, length = [%d] : (%s) -> %s", z.name, n, z.typ, z.typ)
	case 11:
		at := g.op("tensor<i32>", "stablehlo.constant dense<3> : tensor<i32>")
		update := g.filled(vector(k/2, "f32"))
		return g.op(t, "stablehlo.dynamic_update_slice %s, %s, %s : (%s, %s, tensor<i32>) -> %s", x.name, update.name, at.name, t, update.typ, t)
	case 12:
		y := g.filled(t)
		return g.op(t, "stablehlo.clamp %s, %s, %s : %s", y.name, x.name, y.name, t)
	}
	y := g.filled(t)
	return g.op("tensor<f32>", "stablehlo.dot_general %s, %s, contracting_dims = [0] x [0] : (%s, %s) -> tensor<f32>", x.name, y.name, t, t)
}
