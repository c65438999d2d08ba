package pattern

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestSummed checks that sums of small whole numbers are exact.
func TestSummed(t *testing.T) {
	for _, c := range []struct {
		x     Interval
		n     int
		exact bool
	}{{Interval{0, 1}, 1 << 20, true}, {Interval{-3, 5}, 1000, true}, {Interval{0, 1}, 1<<24 + 1, false}, {Interval{0, 0.1}, 10, false},
		{Interval{0, 0.25}, 10, true}} {
		got := c.x.summed(c.n, tensor.F32)
		exact := got == Interval{c.x.Lo * float64(c.n), c.x.Hi * float64(c.n)}
		if exact != c.exact || got.Hi < c.x.Hi*float64(c.n) {
			t.Errorf("%d times %v: %v", c.n, c.x, got)
		}
	}
}

func TestInterval(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct{ got, want Interval }{
		{Interval{-1, 2}.mul(Interval{3, 4}), Interval{-4, 8}},
		{Interval{0, inf}.mul(Interval{0, 1}), Interval{0, inf}},
		{Interval{-2, 1}.square(), Interval{0, 4}},
		{Interval{1, 2}.div(Interval{4, 8}), Interval{0.125, 0.5}},
		{Interval{1, 2}.div(Interval{0, 4}), Interval{0.25, inf}},
		{Interval{1, 2}.div(Interval{-4, 0}), Interval{-inf, -0.25}},
		{Interval{1, 2}.div(Interval{-1, 1}), Interval{-inf, inf}},
		{Interval{0, 0}.div(Interval{1, inf}), Interval{0, 0}},
		{Interval{49, 49}.div(Interval{49, 49}), Interval{1, 1}},
		{Interval{-inf, 0}.add(Interval{1, inf}), Interval{-inf, inf}},
		{Interval{-3, 2}.abs(), Interval{0, 3}},
	} {
		if c.got != c.want {
			t.Errorf("got %v, want %v", c.got, c.want)
		}
	}
}

// find returns the value of that name in a function.
func find(t *testing.T, p *hlo.Program, fn, name string) *hlo.Value {
	t.Helper()
	var out *hlo.Value
	var visit func(b *hlo.Block)
	visit = func(b *hlo.Block) {
		for _, v := range b.Params {
			if v.Name == name {
				out = v
			}
		}
		for _, o := range b.Ops {
			for _, v := range o.Results {
				if v.Name == name {
					out = v
				}
			}
			for _, r := range o.Regions {
				visit(r)
			}
		}
	}
	for _, f := range p.Funcs {
		if f.Name == fn {
			visit(f.Body)
		}
	}
	if out == nil {
		t.Fatalf("%s: no %%%s in @%s", p.File, name, fn)
	}
	return out
}

// TestBounds checks bounds of values in programs exported by JAX.
func TestBounds(t *testing.T) {
	inf := math.Inf(1)
	for _, c := range []struct {
		file, fn, value string
		lo, hi          float64
	}{
		{"testdata/softmax.mlir", "main", "5", -inf, 0},
		{"testdata/softmax.mlir", "main", "6", 0, 1},
		{"testdata/softmax.mlir", "main", "7", 1, 4},
		{"testdata/softmax.mlir", "main", "10", 0, 1},
		{"testdata/log_softmax.mlir", "log_softmax", "11", -inf, 0},
		{"testdata/log_softmax.mlir", "main", "0", -inf, 0},
		{"testdata/silu.mlir", "silu", "3", 1, inf},
		{"testdata/silu.mlir", "silu", "5", 0, 1},
		{"testdata/softplus.mlir", "softplus", "9", 0, 1},
		{"testdata/softplus.mlir", "softplus", "11", 0, inf},
		{"testdata/rms.mlir", "main", "4", 0, inf},
		{"testdata/gelu.mlir", "main", "9", 0, 2},
	} {
		p := read(t, c.file)
		lo, hi := Bounds(p).Of(find(t, p, c.fn, c.value))
		if lo != c.lo || hi != c.hi {
			t.Errorf("%s: %%%s of @%s in [%v, %v], want [%v, %v]", c.file, c.value, c.fn, lo, hi, c.lo, c.hi)
		}
	}
}

// TestEps checks that a constant added to a variance bounds the sum from below.
func TestEps(t *testing.T) {
	p := read(t, "testdata/rms.mlir")
	lo, hi := Bounds(p).Of(find(t, p, "main", "6"))
	if math.Abs(lo-1e-6) > 1e-12 || !math.IsInf(hi, 1) {
		t.Errorf("variance + eps in [%v, %v]", lo, hi)
	}
	if _, hi := Bounds(p).Of(find(t, p, "main", "7")); math.Abs(hi-1000) > 1e-3 {
		t.Errorf("rsqrt up to %v", hi)
	}
}

// TestTraversal checks that integers of a loop of few iterations have the bounds of its last one, that comparisons follow from
// bounds, and that comparisons that they do not decide have none.
func TestTraversal(t *testing.T) {
	p := parse(t, `func.func public @main(%x: tensor<4xi1>, %y: tensor<4xi32>) -> tensor<4xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %root = stablehlo.constant dense<0> : tensor<4xi32>
  %r:2 = stablehlo.while(%i = %zero, %node = %root) : tensor<i32>, tensor<4xi32>
  cond {
    %n = stablehlo.constant dense<6> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %two = stablehlo.constant dense<2> : tensor<4xi32>
    %ones = stablehlo.constant dense<1> : tensor<4xi32>
    %b = stablehlo.convert %x : (tensor<4xi1>) -> tensor<4xi32>
    %twice = stablehlo.multiply %node, %two : tensor<4xi32>
    %left = stablehlo.add %twice, %ones : tensor<4xi32>
    %child = stablehlo.add %left, %b : tensor<4xi32>
    stablehlo.return %next, %child : tensor<i32>, tensor<4xi32>
  }
  %last = stablehlo.constant dense<126> : tensor<4xi32>
  %lt = stablehlo.compare LT, %r#1, %root : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %le = stablehlo.compare LE, %r#1, %last : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %ge = stablehlo.compare GE, %r#1, %root : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %gt = stablehlo.compare GT, %r#1, %last : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %maybe = stablehlo.compare LT, %r#1, %last : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %gt0 = stablehlo.compare GT, %r#1, %root : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %eq = stablehlo.compare EQ, %r#1, %root : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  %m = stablehlo.constant dense<-1> : tensor<4xi32>
  %same = stablehlo.custom_call @tacet.reveal(%r#1) : (tensor<4xi32>) -> tensor<4xi32>
  %ne = stablehlo.compare NE, %r#1, %m : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
  return %r#1 : tensor<4xi32>
}`)
	r := Bounds(p)
	for name, want := range map[string]Interval{
		"twice": {0, 124}, "child": {1, 126}, "r#1": {0, 126}, "lt": {0, 0}, "le": {1, 1}, "ge": {1, 1}, "gt": {0, 0}, "maybe": {0, 1}, "gt0": {0, 1}, "eq": {0, 1},
		"ne": {1, 1}, "same": {0, 126},
	} {
		if lo, hi := r.Of(find(t, p, "main", name)); (Interval{lo, hi}) != want {
			t.Errorf("%s is in [%v, %v], not in %v", name, lo, hi, want)
		}
	}
	checkBounds(t, p, r, nil)
}

// TestLoop checks that a counter stays below its limit, that a growing bound is given up, and that a constant
// value keeps its bounds.
func TestLoop(t *testing.T) {
	p := parse(t, `func.func public @main(%x: tensor<f32>) -> tensor<f32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.constant dense<0.0> : tensor<f32>
  %k = stablehlo.tanh %x : tensor<f32>
  %r:4 = stablehlo.while(%i = %zero, %sum = %s, %c = %k, %h = %s) : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  cond {
    %n = stablehlo.constant dense<90> : tensor<i32>
    %go = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %go : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %next = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %a = stablehlo.abs %c : tensor<f32>
    %grown = stablehlo.add %sum, %a : tensor<f32>
    %t = stablehlo.logistic %h : tensor<f32>
    stablehlo.return %next, %grown, %c, %t : tensor<i32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
  return %r#1 : tensor<f32>
}`)
	r := Bounds(p)
	for _, c := range []struct {
		name   string
		lo, hi float64
	}{{"f", 0, 89}, {"next", 1, 90}, {"r#0", 0, 90}, {"a", 0, 1}, {"grown", 0, math.Inf(1)}, {"r#1", 0, math.Inf(1)}, {"r#2", -1, 1}} {
		if lo, hi := r.Of(find(t, p, "main", c.name)); lo != c.lo || hi != c.hi {
			t.Errorf("%%%s in [%v, %v], want [%v, %v]", c.name, lo, hi, c.lo, c.hi)
		}
	}
	if lo, hi := r.Of(find(t, p, "main", "t")); lo < 0 || hi > 1 {
		t.Errorf("%%t in [%v, %v]", lo, hi)
	}
	checkBounds(t, p, r, nil)
}

// TestBoundsOfPrograms evaluates all programs of testdata.
func TestBoundsOfPrograms(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.mlir")
	for _, f := range files {
		p := read(t, f)
		checkBounds(t, p, Bounds(p), nil)
	}
}

// checkBounds evaluates main's block with random arguments and checks that every number lies within its
// bounds.
func checkBounds(t interface {
	Errorf(string, ...any)
	Fatal(...any)
}, p *hlo.Program, r *Ranges, args []*tensor.Array) {
	rnd := rand.New(rand.NewPCG(3, 4))
	env := eval.NewEnv(nil)
	infinite := map[*hlo.Value]bool{} // or made of infinities
	var watch func(fn *hlo.Func, in []*tensor.Array)
	watch = func(fn *hlo.Func, in []*tensor.Array) {
		for i, v := range fn.Body.Params {
			env.Set(v, in[i])
		}
		for _, o := range fn.Body.Ops[:len(fn.Body.Ops)-1] {
			operands := make([]*tensor.Array, len(o.Operands))
			for i, v := range o.Operands {
				operands[i] = env.Get(v)
			}
			if o.Callee != nil {
				watch(o.Callee, operands)
			}
			out, err := env.Op(context.Background(), o, operands)
			if err != nil {
				t.Fatal(err)
			}
			beyond := false
			for _, v := range o.Operands {
				beyond = beyond || infinite[v]
			}
			for i, v := range o.Results {
				env.Set(v, out[i])
				lo, hi := r.Of(v)
				for k, x := range out[i].Floats() {
					if math.IsNaN(x) || math.IsInf(x, 0) {
						infinite[v] = o.Name != "stablehlo.constant"
					}
					if infinite[v] = infinite[v] || beyond; infinite[v] {
						continue
					}
					if !math.IsNaN(x) && !math.IsInf(x, 0) && (x < lo || x > hi) {
						t.Errorf("%s: %%%s (%s) element %d is %v, not in [%v, %v]", v.Pos, v.Name, o.Name, k, x, lo, hi)
						return
					}
				}
			}
		}
	}
	if args == nil {
		for _, v := range p.Main.Body.Params {
			args = append(args, draw(rnd, v.Type))
		}
	}
	watch(p.Main, args)
}

// TestRandomPrograms checks that no value of random programs leaves its bounds.
func TestRandomPrograms(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dtype := rapid.SampledFrom([]string{"f32", "f64", "bf16"}).Draw(rt, "type")
		g := &generator{
			rt:   rt,
			full: "tensor<3x4x" + dtype + ">",
			row:  "tensor<3x" + dtype + ">",
			one:  "tensor<" + dtype + ">",
			bits: "tensor<3x4xi1>",
		}
		text := g.program(rapid.IntRange(1, 14).Draw(rt, "ops"))
		p, err := hlo.Parse("random.mlir", []byte(text))
		if err != nil {
			rt.Fatal(err, "\n"+text)
		}
		given := make([]Interval, 2)
		args := make([]*tensor.Array, 2)
		for i, v := range p.Main.Body.Params {
			given[i] = rapid.SampledFrom([]Interval{{-2, 2}, {0.5, 3}, {0, 1}, {-40, 40}, {-7, -1}, {math.Inf(-1), math.Inf(1)}}).Draw(rt, "given")
			x := make([]float64, 12)
			for k := range x {
				lo, hi := max(given[i].Lo, -1000), min(given[i].Hi, 1000)
				x[k] = rapid.SampledFrom([]float64{lo, hi, lo + (hi-lo)*rapid.Float64Range(0, 1).Draw(rt, "x")}).Draw(rt, "end")
			}
			args[i] = tensor.FromFloats(v.Type.DType, v.Type.Shape, x)
		}
		checkBounds(rt, p, Bounds(p, given...), args)
		if ps := Find(p); len(ps.All) > 0 {
			_ = ps.All[0].String()
		}
	})
}

type generator struct {
	rt                   *rapid.T
	full, row, one, bits string
	lines                []string
	values               []string // full ones
	n                    int
}

// emit adds an operation and returns its result's name.
func (g *generator) emit(format string, args ...any) string {
	g.n++
	name := fmt.Sprintf("%%v%d", g.n)
	g.lines = append(g.lines, "  "+name+" = "+fmt.Sprintf(format, args...))
	return name
}

func (g *generator) pick() string { return rapid.SampledFrom(g.values).Draw(g.rt, "operand") }

func (g *generator) program(ops int) string {
	g.values = []string{"%x", "%y"}
	for range ops {
		g.values = append(g.values, g.step())
	}
	return "func.func public @main(%x: " + g.full + ", %y: " + g.full + ") -> " + g.full + " {\n" + strings.Join(g.lines, "\n") +
		"\n  return " + g.values[len(g.values)-1] + " : " + g.full + "\n}\n"
}

func (g *generator) step() string {
	unary := []string{
		"stablehlo.exponential",
		"stablehlo.negate",
		"stablehlo.abs",
		"stablehlo.tanh",
		"stablehlo.logistic",
		"stablehlo.sqrt",
		"stablehlo.rsqrt",
		"stablehlo.log",
		"stablehlo.log_plus_one",
		"stablehlo.exponential_minus_one",
		"stablehlo.floor",
		"stablehlo.sign",
		"stablehlo.sine",
		"stablehlo.cbrt",
	}
	chlo := []string{"chlo.square", "chlo.erf", "chlo.erfc", "chlo.atan", "chlo.sinh", "chlo.cosh", "chlo.asinh"}
	binary := []string{"add", "subtract", "multiply", "divide", "maximum", "minimum", "remainder", "atan2", "power"}
	switch rapid.IntRange(0, 9).Draw(g.rt, "what") {
	case 0, 1:
		return g.emit("%s %s : %s", rapid.SampledFrom(unary).Draw(g.rt, "f"), g.pick(), g.full)
	case 2:
		return g.emit("%s %s : %s -> %s", rapid.SampledFrom(chlo).Draw(g.rt, "f"), g.pick(), g.full, g.full)
	case 3, 4:
		return g.emit("stablehlo.%s %s, %s : %s", rapid.SampledFrom(binary).Draw(g.rt, "f"), g.pick(), g.pick(), g.full)
	case 5:
		c := rapid.SampledFrom([]string{"0.0", "1.0", "-1.0", "2.0", "0.1", "-3.5", "1.0e-5"}).Draw(g.rt, "c")
		return g.emit("stablehlo.constant dense<%s> : %s", c, g.full)
	case 6:
		p := g.emit("stablehlo.compare LT, %s, %s, FLOAT : (%s, %s) -> %s", g.pick(), g.pick(), g.full, g.full, g.bits)
		return g.emit("stablehlo.select %s, %s, %s : %s, %s", p, g.pick(), g.pick(), g.bits, g.full)
	case 7:
		kind := rapid.SampledFrom([]string{"add", "maximum", "minimum"}).Draw(g.rt, "reduction")
		return g.spread(kind, g.pick())
	case 8: // what softmax is made of
		x := g.pick()
		e := g.emit("stablehlo.exponential %s : %s", g.emit("stablehlo.subtract %s, %s : %s", x, g.spread("maximum", x), g.full), g.full)
		return g.emit("stablehlo.divide %s, %s : %s", e, g.spread("add", e), g.full)
	}
	x := g.emit("stablehlo.transpose %s, dims = [1, 0] : (%s) -> %s", g.pick(), g.full, strings.Replace(g.full, "3x4", "4x3", 1))
	m := g.emit("stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (%s, %s) -> %s", g.pick(), x, g.full,
		strings.Replace(g.full, "3x4", "4x3", 1), strings.Replace(g.full, "3x4", "3x3", 1))
	return g.emit(
		"stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (%s, %s) -> %s",
		m,
		g.pick(),
		strings.Replace(g.full, "3x4", "3x3", 1),
		g.full,
		g.full,
	)
}

// spread reduces rows and repeats the result along them.
func (g *generator) spread(kind, x string) string {
	init := g.emit(
		"stablehlo.constant dense<%s> : %s",
		map[string]string{"add": "0.0", "maximum": "-3.0e38", "minimum": "3.0e38"}[kind],
		g.one,
	)
	if kind == "maximum" {
		g.lines[len(g.lines)-1] = strings.Replace(
			g.lines[len(g.lines)-1],
			"-3.0e38",
			map[bool]string{true: "0xFF80", false: "0xFF800000"}[strings.Contains(g.one, "bf16")],
			1,
		)
		if strings.Contains(g.one, "f64") {
			g.lines[len(g.lines)-1] = strings.Replace(g.lines[len(g.lines)-1], "0xFF800000", "0xFFF0000000000000", 1)
		}
	}
	r := g.emit(
		"stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = [1] : (%s, %s) -> %s",
		x,
		init,
		kind,
		g.full,
		g.one,
		g.row,
	)
	return g.emit("stablehlo.broadcast_in_dim %s, dims = [0] : (%s) -> %s", r, g.row, g.full)
}

// TestOperations checks the bounds of operations that random programs lack.
func TestOperations(t *testing.T) {
	p := parse(t, `func.func public @main(%x: tensor<1x4x4x1xf32>, %p: tensor<4xi1>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %s = stablehlo.logistic %x : tensor<1x4x4x1xf32>
  %k = stablehlo.constant dense<[[[[1.0, -2.0]], [[3.0, 0.5]]]]> : tensor<1x2x1x2xf32>
  %conv = stablehlo.convolution(%s, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x4x4x1xf32>, tensor<1x2x1x2xf32>) -> tensor<1x6x5x2xf32>
  %sumpool = "stablehlo.reduce_window"(%s, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  %maxpool = "stablehlo.reduce_window"(%s, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %c : tensor<f32>
  }) : (tensor<1x4x4x1xf32>, tensor<f32>) -> tensor<1x3x3x1xf32>
  %flat = stablehlo.reshape %s : (tensor<1x4x4x1xf32>) -> tensor<16xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %pad = stablehlo.pad %flat, %two, low = [1], high = [0], interior = [0] : (tensor<16xf32>, tensor<f32>) -> tensor<17xf32>
  %cut = stablehlo.slice %pad [0:4] : (tensor<17xf32>) -> tensor<4xf32>
  %ints = stablehlo.iota dim = 0 : tensor<4xi32>
  %f = stablehlo.convert %ints : (tensor<4xi32>) -> tensor<4xf32>
  %bits = stablehlo.convert %p : (tensor<4xi1>) -> tensor<4xf32>
  %clip = stablehlo.clamp %z, %f, %two : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %cat = stablehlo.concatenate %f, %bits, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  %sel = stablehlo.select %p, %clip, %cut : tensor<4xi1>, tensor<4xf32>
  %three = stablehlo.constant dense<3.0> : tensor<4xf32>
  %cube = stablehlo.power %f, %three : tensor<4xf32>
  %minus = stablehlo.constant dense<-2.0> : tensor<4xf32>
  %inv = stablehlo.power %three, %minus : tensor<4xf32>
  %not = stablehlo.not %p : tensor<4xi1>
  %both = stablehlo.and %p, %not : tensor<4xi1>
  %count = stablehlo.reduce(%bits init: %two) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %most = stablehlo.reduce(%f init: %low) applies stablehlo.maximum across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %z : tensor<f32>
}`)
	r := Bounds(p)
	for _, c := range []struct {
		name   string
		lo, hi float64
	}{{"conv", -4, 6}, {"sumpool", 0, 4}, {"maxpool", 0, 1}, {"pad", 0, 2}, {"f", 0, 3}, {"bits", 0, 1}, {"clip", 0, 2}, {"cat", 0, 3}, {"sel", 0, 2},
		{"cube", 0, 27}, {"inv", 1.0 / 9, 1.0 / 9}, {"count", 2, 6}, {"most", 0, 3}} {
		if lo, hi := r.Of(find(t, p, "main", c.name)); math.Abs(lo-c.lo) > 1e-5 || math.Abs(hi-c.hi) > 1e-5 {
			t.Errorf("%%%s in [%v, %v], want [%v, %v]", c.name, lo, hi, c.lo, c.hi)
		}
	}
	checkBounds(t, p, r, nil)
}

// TestNestedLoops checks that the work is bounded, and that nothing is claimed about what was not analysed.
func TestNestedLoops(t *testing.T) {
	const depth = 20
	open, close := "", ""
	for i := range depth {
		outer := "%x"
		if i > 0 {
			outer = fmt.Sprintf("%%v%d", i-1)
		}
		open += fmt.Sprintf(`%%r%d = stablehlo.while(%%v%d = %s) : tensor<f32>
cond {
  %%go = stablehlo.constant dense<false> : tensor<i1>
  stablehlo.return %%go : tensor<i1>
} do {
`, i, i, outer)
		inner := fmt.Sprintf("%%r%d", i+1)
		body := ""
		if i == depth-1 {
			inner, body = "%w", fmt.Sprintf("%%w = stablehlo.add %%v%d, %%one : tensor<f32>\n", i)
		}
		close = fmt.Sprintf("%sstablehlo.return %s : tensor<f32>\n}\n", body, inner) + close
	}
	p := parse(
		t,
		"func.func public @main(%a: tensor<f32>) -> tensor<f32> {\n%x = stablehlo.constant dense<0.0> : tensor<f32>\n%one = stablehlo.constant dense<1.0> : tensor<f32>\n"+
			open+close+"return %r0 : tensor<f32>\n}\n",
	)
	r := Bounds(p)
	if _, hi := r.Of(find(t, p, "main", "r0")); !math.IsInf(hi, 1) {
		t.Errorf("the sum is at most %v", hi)
	}
	if r.work > maxWork+1000 {
		t.Errorf("%d operations examined", r.work)
	}
}

// TestRandomIntegers checks that integers that may wrap are unbounded.
func TestRandomIntegers(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dtype := rapid.SampledFrom([]string{"i8", "ui8", "i32"}).Draw(rt, "type")
		typ := "tensor<12x" + dtype + ">"
		g := &generator{rt: rt, values: []string{"%x", "%y"}}
		for range rapid.IntRange(1, 12).Draw(rt, "ops") {
			op := rapid.SampledFrom(
				[]string{"add", "subtract", "multiply", "divide", "remainder", "maximum", "minimum", "constant", "negate", "sum"},
			).Draw(
				rt,
				"op",
			)
			v := ""
			switch op {
			case "constant":
				v = g.emit("stablehlo.constant dense<%d> : %s", rapid.IntRange(0, 9).Draw(rt, "c"), typ)
			case "negate":
				v = g.emit("stablehlo.negate %s : %s", g.pick(), typ)
			case "sum":
				z := g.emit("stablehlo.constant dense<0> : tensor<%s>", dtype)
				r := g.emit(
					"stablehlo.reduce(%s init: %s) applies stablehlo.add across dimensions = [0] : (%s, tensor<%s>) -> tensor<%s>",
					g.pick(),
					z,
					typ,
					dtype,
					dtype,
				)
				v = g.emit("stablehlo.broadcast_in_dim %s, dims = [] : (tensor<%s>) -> %s", r, dtype, typ)
			default:
				v = g.emit("stablehlo.%s %s, %s : %s", op, g.pick(), g.pick(), typ)
			}
			g.values = append(g.values, v)
		}
		text := "func.func public @main(%x: " + typ + ", %y: " + typ + ") -> " + typ + " {\n" + strings.Join(
			g.lines,
			"\n",
		) + "\n  return %x : " + typ + "\n}\n"
		p, err := hlo.Parse("random.mlir", []byte(text))
		if err != nil {
			rt.Fatal(err, "\n"+text)
		}
		args := make([]*tensor.Array, 2)
		given := []Interval{{0, 5}, {1, 100}}
		for i, v := range p.Main.Body.Params {
			w := make([]uint64, 12)
			for k := range w {
				w[k] = rapid.Uint64Range(uint64(given[i].Lo), uint64(given[i].Hi)).Draw(rt, "x")
			}
			args[i] = tensor.FromWords(v.Type.DType, v.Type.Shape, w)
		}
		checkBounds(rt, p, Bounds(p, given...), args)
	})
}
