package pattern

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func read(t *testing.T, name string) *hlo.Program {
	t.Helper()
	p, err := hlo.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parse(t *testing.T, text string) *hlo.Program {
	t.Helper()
	p, err := hlo.Parse("test.mlir", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// outer lists the matches that main ends and that are not skipped.
func outer(p *hlo.Program, ps *Patterns) []string {
	var out []string
	for _, m := range ps.All {
		if slices.Contains(p.Main.Body.Ops, m.End) && !ps.Skipped(m.End) {
			out = append(out, strings.Split(m.String(), " at ")[0])
		}
	}
	return out
}

// TestFind reads what JAX prints.
func TestFind(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"softmax", "softmax(%arg0) over [1]"},
		{"signbit", "negative(%arg0); negative(%arg1)"},
		{"softmax_where", "softmax(%5) over [1]"},
		{"softmax_mask", "softmax(%0) over [1]"},
		{"sm_manual", "softmax(%arg0) over [1]"},
		{"sm_bf16", "softmax(%arg0) over [1]"},
		{"sm_2ax", "softmax(%arg0) over [0 1]"},
		{"sm_nomax", ""},
		{"dpa", "softmax(%10) over [4]"},
		{"log_softmax", "log_softmax(%arg0) over [1]"},
		{"logsumexp", "logsumexp(%arg0) over [1]"},
		{"logsumexp_keep", "logsumexp(%arg0) over [1]"},
		{"lse_manual", "logsumexp(%arg0) over [1]"},
		{"softmax_grad", "softmax(%arg0) over [1]"},
		{"standardize", "layernorm(%arg0) over [1] eps 1e-05"},
		{"ln", "layernorm(%arg0) over [1] eps 1e-05"},
		{"ln2", "layernorm(%arg0) over [1] eps 1e-05"},
		{"bn", "layernorm(%arg0, %8) over [0 1 2] eps 1e-05"},
		{"rms", "rmsnorm(%arg0) over [1] eps 1e-06"},
		{"rms2", "rmsnorm(%arg0) over [1] eps 1e-06"},
		{"gelu", "gelu_tanh(%arg0)"},
		{"gelu_m", "gelu_tanh(%arg0)"},
		{"gelu_erf", "gelu_erf(%arg0)"},
		{"gelu_m2", "gelu_erf(%arg0)"},
		{"silu", "silu(%arg0)"},
		{"silu_manual", "silu(%arg0)"},
		{"swish_b", "sigmoid(%1)"},
		{"softplus", "softplus(%arg0)"},
		{"log_sigmoid", "log_sigmoid(%arg0)"},
		{"softplus_grad", "sigmoid(%arg0)"},
		{"tanh_m", "tanh(%arg0)"},
		{"rsqrt_m", "rsqrt(%arg0)"},
		{"div_sqrt", "div_sqrt(%arg1, %arg0)"},
		{"attn", "softmax(%5) over [1]"},
		{"sm_exp_lse", "softmax(%arg0) over [1]"},
		{"logsoftmax2", "log_softmax(%arg0) over [1]"},
		{"bn_flax", "layernorm(%arg0, %arg1) over [0 1 2] eps 1e-05"},
		{"ln_pow", "layernorm(%arg0) over [1] eps 1e-05"},
		{"vln", "layernorm(%arg0) over [1] eps 1e-05"},
		{"std", "layernorm(%arg0) over [0] eps 0"},
		{"std_eps", ""},
		{"l2n", ""},
		{"rms_bf16", "rmsnorm(%arg0) over [1] eps 1e-06"},
		{"ssig", "sigmoid(%arg0)"},
		{"ssig2", "sigmoid(%arg0)"},
		{"logaddexp0", "softplus(%arg0)"},
		{"logaddexp0r", "softplus(%arg0)"},
	} {
		p := read(t, "testdata/"+c.file+".mlir")
		got := strings.Join(outer(p, Find(p)), "; ")
		if c.file == "softplus_grad" { // the derivative's part is a call of its own
			got = strings.Split(got, "; ")[0]
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.file, got, c.want)
		}
	}
}

// TestNearMisses changes one thing in a program: the match must go.
func TestNearMisses(t *testing.T) {
	for _, c := range []struct{ file, kind, old, new string }{
		{"sm_manual", "softmax", "maximum across", "minimum across"},
		{"sm_manual", "softmax", "subtract %arg0, %2", "subtract %2, %arg0"},
		{"sm_manual", "softmax", "subtract", "add"},
		{"sm_manual", "softmax", "0xFF800000", "0.0"},
		{"sm_manual", "softmax", "dense<0.000000e+00>", "dense<1.0>"},
		{"sm_2ax", "softmax", "applies stablehlo.maximum across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>",
			"applies stablehlo.minimum across dimensions = [0, 1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<f32>"},
		{"signbit", "negative", "dense<31>", "dense<29>"},
		{"signbit", "negative", "compare NE", "compare EQ"},
		{"softmax_where", "softmax", "call @_where(%arg1, %8, %cst_3)", "call @_where(%arg1, %8, %cst)"},
		{"log_softmax", "log_softmax", "subtract %5, %10", "subtract %arg0, %10"},
		{"log_softmax", "log_softmax", "stablehlo.log %8", "stablehlo.sqrt %8"},
		{"lse_manual", "logsumexp", "add %7, %1", "subtract %7, %1"},
		{"ln2", "layernorm", "dense<4.000000e+00>", "dense<3.0>"},
		{"ln2", "layernorm", "dense<9.99999974E-6>", "dense<-1.0>"},
		{"ln2", "layernorm", "stablehlo.rsqrt", "stablehlo.sqrt"},
		{"ln", "layernorm", "stablehlo.sqrt", "stablehlo.rsqrt"},
		{"ln", "layernorm", "dense<0> : tensor<i32>", "dense<1> : tensor<i32>"},
		{"standardize", "layernorm", "subtract %8, %9", "add %8, %9"},
		{"standardize", "layernorm", "chlo.square %3", "chlo.erf %3"},
		{"rms", "rmsnorm", "multiply %arg0, %arg0", "add %arg0, %arg0"},
		{"rms", "rmsnorm", "dense<4.000000e+00>", "dense<8.0>"},
		{"gelu", "gelu_tanh", "4.471500e-02", "4.47e-02"},
		{"gelu", "gelu_tanh", "0.797884583", "0.7977"},
		{"gelu", "gelu_tanh", "5.000000e-01", "6.0e-01"},
		{"gelu", "gelu_tanh", "multiply %0, %arg0", "multiply %0, %0"},
		{"gelu_erf", "gelu_erf", "0.707106769", "0.7"},
		{"gelu_erf", "gelu_erf", "negate %arg0", "abs %arg0"},
		{"silu_manual", "silu", "dense<1.000000e+00>", "dense<2.0>"},
		{"silu_manual", "silu", "stablehlo.negate", "stablehlo.abs"},
		{"softplus", "softplus", "stablehlo.maximum", "stablehlo.minimum"},
		{"softplus", "softplus", "dense<0.000000e+00>", "dense<1.0>"},
		{"tanh_m", "tanh", "add %4, %6", "add %4, %4"},
		{"rsqrt_m", "rsqrt", "1.000000e+00", "2.0"},
		{"ln_pow", "layernorm", "-5.000000e-01", "-4.0e-01"},
		{"ssig2", "sigmoid", "stablehlo.abs", "stablehlo.tanh"},
		{"ssig2", "sigmoid", "GE", "LE"},
		{"sm_exp_lse", "softmax", "maximum across", "minimum across"},
		{"logaddexp0", "softplus", "subtract %2, %arg0", "add %2, %1"},
		{"bn_flax", "layernorm", "stablehlo.maximum", "stablehlo.minimum"},
		{"bn_flax", "layernorm", "dense<1.800000e+01>", "dense<17.0>"},
	} {
		text, err := os.ReadFile("testdata/" + c.file + ".mlir")
		if err != nil {
			t.Fatal(err)
		}
		changed := strings.ReplaceAll(string(text), c.old, c.new)
		if changed == string(text) {
			t.Errorf("%s: no %q to change", c.file, c.old)
		}
		p, err := hlo.Parse(c.file, []byte(changed))
		if err != nil {
			t.Errorf("%s, %q: %v", c.file, c.new, err)
			continue
		}
		ps := Find(p)
		for _, s := range outer(p, ps) {
			if strings.HasPrefix(s, c.kind+"(%arg0)") {
				t.Errorf("%s: still %s with %q for %q", c.file, s, c.new, c.old)
			}
		}
		checkMatches(t, p, ps)
	}
}

// TestOtherAxes: a sum over another axis than the maximum's, and a mean over another axis than the
// variance's, in square shapes, where types do not differ.
func TestOtherAxes(t *testing.T) {
	const soft = `func.func public @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %l = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %m = stablehlo.reduce(%x init: %l) applies stablehlo.maximum across dimensions = [M] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %mb = stablehlo.broadcast_in_dim %m, dims = [A] : (tensor<4xf32>) -> tensor<4x4xf32>
  %d = stablehlo.subtract %x, %mb : tensor<4x4xf32>
  %e = stablehlo.exponential %d : tensor<4x4xf32>
  %s = stablehlo.reduce(%e init: %z) applies stablehlo.add across dimensions = [S] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4xf32>
  %sb = stablehlo.broadcast_in_dim %s, dims = [B] : (tensor<4xf32>) -> tensor<4x4xf32>
  %y = stablehlo.divide %e, %sb : tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}`
	for _, c := range []struct {
		m, a, s, b string
		want       int
	}{{"1", "0", "1", "0", 1}, {"0", "1", "0", "1", 1}, {"1", "0", "0", "1", 0}, {"1", "1", "1", "0", 0}, {"1", "0", "1", "1", 0}, {"0", "1", "1", "0", 0}} {
		text := strings.NewReplacer("[M]", "["+c.m+"]", "[A]", "["+c.a+"]", "[S]", "["+c.s+"]", "[B]", "["+c.b+"]").Replace(soft)
		p := parse(t, text)
		ps := Find(p)
		if len(ps.All) != c.want {
			t.Errorf("%+v: %v", c, ps.All)
		}
		checkMatches(t, p, ps)
	}
}

// TestOtherForms checks forms that users write and JAX does not.
func TestOtherForms(t *testing.T) {
	p := parse(t, `func.func public @main(%x: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<3x4xf32>
  %half = stablehlo.constant dense<0.5> : tensor<3x4xf32>
  %a = stablehlo.constant dense<0.797884583> : tensor<3x4xf32>
  %b = stablehlo.constant dense<0.044715> : tensor<3x4xf32>
  %xb = stablehlo.multiply %x, %b : tensor<3x4xf32>
  %xxb = stablehlo.multiply %xb, %x : tensor<3x4xf32>
  %s = stablehlo.add %xxb, %one : tensor<3x4xf32>
  %xa = stablehlo.multiply %x, %a : tensor<3x4xf32>
  %u = stablehlo.multiply %xa, %s : tensor<3x4xf32>
  %t = stablehlo.tanh %u : tensor<3x4xf32>
  %g = stablehlo.add %t, %one : tensor<3x4xf32>
  %h = stablehlo.multiply %x, %half : tensor<3x4xf32>
  %gelu = stablehlo.multiply %h, %g : tensor<3x4xf32>
  %quarter = stablehlo.constant dense<0.25> : tensor<3xf32>
  %two = stablehlo.constant dense<2.0> : tensor<3x4xf32>
  %eps = stablehlo.constant dense<0.001> : tensor<3xf32>
  %p = stablehlo.power %x, %two : tensor<3x4xf32>
  %sum = stablehlo.reduce(%p init: %z) applies stablehlo.add across dimensions = [1] : (tensor<3x4xf32>, tensor<f32>) -> tensor<3xf32>
  %mean = stablehlo.multiply %quarter, %sum : tensor<3xf32>
  %v = stablehlo.add %eps, %mean : tensor<3xf32>
  %r = stablehlo.rsqrt %v : tensor<3xf32>
  %rb = stablehlo.broadcast_in_dim %r, dims = [0] : (tensor<3xf32>) -> tensor<3x4xf32>
  %rms = stablehlo.multiply %rb, %x : tensor<3x4xf32>
  %m1 = stablehlo.constant dense<-1.0> : tensor<3x4xf32>
  %n = stablehlo.multiply %m1, %x : tensor<3x4xf32>
  %e = stablehlo.exponential %n : tensor<3x4xf32>
  %d = stablehlo.add %e, %one : tensor<3x4xf32>
  %sig = stablehlo.divide %one, %d : tensor<3x4xf32>
  return %gelu, %rms, %sig : tensor<3x4xf32>, tensor<3x4xf32>, tensor<3x4xf32>
}`)
	ps := Find(p)
	if got := strings.Join(outer(p, ps), "; "); got != "gelu_tanh(%x); rmsnorm(%x) over [1] eps 0.001; sigmoid(%x)" {
		t.Errorf("found %s", got)
	}
	if checkMatches(t, p, ps) != 3 {
		t.Error("not three matches")
	}
}

// TestMatchesCompute evaluates every program with random arguments and checks that a match's End is its
// Kind's function of its inputs.
func TestMatchesCompute(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.mlir")
	n := 0
	for _, f := range files {
		p := read(t, f)
		n += checkMatches(t, p, Find(p))
	}
	if n < 40 {
		t.Errorf("only %d matches checked", n)
	}
}

// checkMatches runs each function on random arguments and compares.
func checkMatches(t *testing.T, p *hlo.Program, ps *Patterns) int {
	t.Helper()
	rnd := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for _, fn := range p.Reached() {
		env := eval.NewEnv(nil)
		for _, v := range fn.Body.Params {
			env.Set(v, draw(rnd, v.Type))
		}
		for _, o := range fn.Body.Ops[:len(fn.Body.Ops)-1] {
			args := make([]*tensor.Array, len(o.Operands))
			for i, v := range o.Operands {
				args[i] = env.Get(v)
			}
			out, err := env.Op(t.Context(), o, args)
			if err != nil {
				t.Fatal(err)
			}
			for i, r := range o.Results {
				env.Set(r, out[i])
			}
			m := ps.At(o)
			if m == nil {
				continue
			}
			checked++
			in := make([][]float64, len(m.Inputs))
			for i, v := range m.Inputs {
				in[i] = tensor.Apply(m.View(i), 0, env.Get(v).Floats())
			}
			want := reference(m, in)
			tol := 1e-4
			if o.Results[0].Type.DType == tensor.BF16 {
				tol = 2e-2
			}
			for i, got := range out[0].Floats() {
				if math.Abs(got-want[i]) > tol*(1+math.Abs(want[i])) && !(math.IsNaN(got) && math.IsNaN(want[i])) {
					t.Errorf("%s: %v: element %d is %v, want %v", p.File, m, i, got, want[i])
					break
				}
			}
		}
	}
	return checked
}

func draw(rnd *rand.Rand, typ tensor.Type) *tensor.Array {
	if !typ.DType.IsFloat() {
		w := make([]uint64, typ.Shape.Size())
		for i := range w {
			w[i] = rnd.Uint64N(2)
		}
		return tensor.FromWords(typ.DType, typ.Shape, w)
	}
	x := make([]float64, typ.Shape.Size())
	for i := range x {
		x[i] = 2 * rnd.NormFloat64()
	}
	return tensor.FromFloats(typ.DType, typ.Shape, x)
}

// reference computes a match in float64.
func reference(m *Match, in [][]float64) []float64 {
	one := map[Kind]func(x float64) float64{
		Sigmoid:    func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		Silu:       func(x float64) float64 { return x / (1 + math.Exp(-x)) },
		GeluTanh:   func(x float64) float64 { return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x))) },
		GeluErf:    func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) },
		Softplus:   func(x float64) float64 { return math.Log1p(math.Exp(x)) },
		LogSigmoid: func(x float64) float64 { return -math.Log1p(math.Exp(-x)) },
		Tanh:       math.Tanh,
		Rsqrt:      func(x float64) float64 { return 1 / math.Sqrt(x) },
		Abs:        math.Abs,
		Negative: func(x float64) float64 {
			if math.Signbit(x) {
				return 1
			}
			return 0
		},
	}
	x := in[0]
	out := make([]float64, len(x))
	if f := one[m.Kind]; f != nil {
		for i, v := range x {
			out[i] = f(v)
		}
		return out
	}
	if m.Kind == DivSqrt {
		for i, v := range x {
			out[i] = v / math.Sqrt(in[1][i])
		}
		return out
	}
	rows := map[string][]int{}
	var order []string
	shape := m.X().Type.Shape
	for i := range x {
		key, rest := "", i
		for d := len(shape) - 1; d >= 0; d-- {
			if !slices.Contains(m.Axes, d) {
				key = fmt.Sprint(rest%shape[d], " ", key)
			}
			rest /= shape[d]
		}
		if rows[key] == nil {
			order = append(order, key)
		}
		rows[key] = append(rows[key], i)
	}
	var short []float64
	for _, key := range order {
		row := rows[key]
		n, sum, squares, high := float64(len(row)), 0.0, 0.0, math.Inf(-1)
		for _, i := range row {
			sum += x[i]
			squares += x[i] * x[i]
			high = max(high, x[i])
		}
		exps := 0.0
		for _, i := range row {
			exps += math.Exp(x[i] - high)
		}
		lse := high + math.Log(exps)
		short = append(short, lse)
		for _, i := range row {
			scale := 1.0
			if len(in) > 1 {
				scale = in[1][i]
			}
			switch m.Kind {
			case Softmax:
				out[i] = math.Exp(x[i] - lse)
			case LogSoftmax:
				out[i] = x[i] - lse
			case LayerNorm:
				out[i] = (x[i] - sum/n) / math.Sqrt(squares/n-sum*sum/n/n+m.Eps) * scale
			case RMSNorm:
				out[i] = x[i] / math.Sqrt(squares/n+m.Eps) * scale
			}
		}
	}
	if m.Kind == LogSumExp {
		return short
	}
	return out
}
