package nn_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

func array(seed uint64, dims ...int) *tensor.Array {
	r := rand.New(rand.NewPCG(seed, 1))
	out := make([]float64, tensor.Shape(dims).Size())
	for i := range out {
		out[i] = r.NormFloat64()
	}
	return tensor.FromFloats(tensor.F32, append(tensor.Shape{}, dims...), out)
}

// finish returns the program and its arguments: args, then the model's first values.
func finish(t *testing.T, b *build.Builder, m *nn.Model, args ...*tensor.Array) (*hlo.Program, []*tensor.Array) {
	t.Helper()
	p, err := b.Program()
	if err != nil {
		t.Fatal(err)
	}
	first, err := m.Init(7).Arrays(m)
	if err != nil {
		t.Fatal(err)
	}
	return p, append(args, first...)
}

func evaluate(t *testing.T, p *hlo.Program, args []*tensor.Array) []*tensor.Array {
	t.Helper()
	out, err := eval.Func(context.Background(), p.Main, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func close(t *testing.T, what string, got *tensor.Array, want []float64, tolerance float64) {
	t.Helper()
	if got.Len() != len(want) {
		t.Fatalf("%s: %d elements, want %d", what, got.Len(), len(want))
	}
	for i, x := range got.Floats() {
		if !(math.Abs(x-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Errorf("%s: element %d is %v, want %v", what, i, x, want[i])
			return
		}
	}
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// TestLSTM and TestGRU compare recurrent layers with their equations, written out.
func TestLSTM(t *testing.T) {
	const batch, steps, in, n = 2, 3, 2, 3
	b := build.New("lstm")
	x := b.Arg("x", tensor.F32, batch, steps, in)
	m := nn.New(b)
	all, h, c := m.LSTM("l", in, n).Apply(x)
	b.Return(all, h, c)
	p, args := finish(t, b, m, array(1, batch, steps, in))
	out := evaluate(t, p, args)
	xs, wx, wh, bias := args[0].Floats(), args[1].Floats(), args[2].Floats(), args[3].Floats()
	var wantAll, wantH, wantC []float64
	for r := range batch {
		h, c := make([]float64, n), make([]float64, n)
		for s := range steps {
			g := make([]float64, 4*n)
			for j := range g {
				g[j] = bias[j]
				for i := range in {
					g[j] += xs[(r*steps+s)*in+i] * wx[i*4*n+j]
				}
				for i := range n {
					g[j] += h[i] * wh[i*4*n+j]
				}
			}
			for j := range n {
				c[j] = sigmoid(g[n+j])*c[j] + sigmoid(g[j])*math.Tanh(g[2*n+j])
				h[j] = sigmoid(g[3*n+j]) * math.Tanh(c[j])
			}
			wantAll = append(wantAll, h...)
		}
		wantH, wantC = append(wantH, h...), append(wantC, c...)
	}
	close(t, "all", out[0], wantAll, 1e-5)
	close(t, "hidden", out[1], wantH, 1e-5)
	close(t, "cell", out[2], wantC, 1e-5)
}

func TestGRU(t *testing.T) {
	const batch, steps, in, n = 2, 3, 2, 3
	b := build.New("gru")
	x := b.Arg("x", tensor.F32, batch, steps, in)
	m := nn.New(b)
	all, last := m.GRU("g", in, n).Apply(x)
	b.Return(all, last)
	p, args := finish(t, b, m, array(1, batch, steps, in))
	out := evaluate(t, p, args)
	xs, wx, wh, bias, inner := args[0].Floats(), args[1].Floats(), args[2].Floats(), args[3].Floats(), args[4].Floats()
	var want, last2 []float64
	for r := range batch {
		h := make([]float64, n)
		for s := range steps {
			gx, gh := make([]float64, 3*n), make([]float64, 3*n)
			for j := range gx {
				gx[j] = bias[j]
				for i := range in {
					gx[j] += xs[(r*steps+s)*in+i] * wx[i*3*n+j]
				}
				for i := range n {
					gh[j] += h[i] * wh[i*3*n+j]
				}
			}
			for j := range n {
				z := sigmoid(gx[n+j] + gh[n+j])
				h[j] = (1-z)*math.Tanh(gx[2*n+j]+sigmoid(gx[j]+gh[j])*(gh[2*n+j]+inner[j])) + z*h[j]
			}
			want = append(want, h...)
		}
		last2 = append(last2, h...)
	}
	close(t, "all", out[0], want, 1e-5)
	close(t, "last", out[1], last2, 1e-5)
}

// TestAttention compares one head under a causal mask with its equation, and an embedding with its table.
func TestAttention(t *testing.T) {
	const places, width = 3, 4
	b := build.New("attention")
	i := b.Arg("i", tensor.I32, 1, places)
	m := nn.New(b)
	x := m.Embedding("words", 5, width).Apply(i)
	a := m.Attention("a", width, 2)
	b.Return(a.Apply(x, x, nn.CausalMask(b, places)), x)
	p, args := finish(t, b, m, tensor.FromWords(tensor.I32, tensor.Shape{1, places}, []uint64{4, 0, 2}))
	out := evaluate(t, p, args)
	table := args[1].Floats()
	var xs []float64
	for _, row := range []int{4, 0, 2} {
		xs = append(xs, table[row*width:(row+1)*width]...)
	}
	close(t, "embedding", out[1], xs, 0)
	project := func(x []float64, k int) []float64 {
		w, bias := args[k].Floats(), args[k+1].Floats()
		out := make([]float64, len(x))
		for r := range places {
			for j := range width {
				out[r*width+j] = bias[j]
				for i := range width {
					out[r*width+j] += x[r*width+i] * w[i*width+j]
				}
			}
		}
		return out
	}
	q, k, v := project(xs, 2), project(xs, 4), project(xs, 6)
	mixed := make([]float64, len(xs))
	for head := range 2 {
		for r := range places {
			total, from := 0.0, make([]float64, 2)
			for s := range r + 1 {
				score := 0.0
				for d := range 2 {
					score += q[r*width+head*2+d] * k[s*width+head*2+d]
				}
				e := math.Exp(score / math.Sqrt(2))
				total += e
				for d := range 2 {
					from[d] += e * v[s*width+head*2+d]
				}
			}
			for d := range 2 {
				mixed[r*width+head*2+d] = from[d] / total
			}
		}
	}
	close(t, "attention", out[0], project(mixed, 8), 1e-5)
}

// TestNorms checks means and variances of normalised values, and a batch norm's running means.
func TestNorms(t *testing.T) {
	b := build.New("norms")
	x := b.Arg("x", tensor.F32, 6, 4)
	m := nn.New(b)
	layer, batch := m.LayerNorm("layer", 4, 1e-6), m.BatchNorm("batch", 4, 1e-6, 0.9)
	same := batch.Apply(x) // running means 0 and 1
	y := batch.Train(x)
	b.Return(b.Mean(layer.Apply(x), 1), b.Mean(y, 0), b.Mean(b.Mul(y, y), 0), same, batch.Mean.Value(), b.Mean(x, 0))
	p, args := finish(t, b, m, array(3, 6, 4))
	out := evaluate(t, p, args)
	close(t, "mean of rows", out[0], make([]float64, 6), 1e-5)
	close(t, "mean of columns", out[1], make([]float64, 4), 1e-5)
	close(t, "variance of columns", out[2], []float64{1, 1, 1, 1}, 1e-4)
	close(t, "before training", out[3], args[0].Floats(), 1e-5)
	for i, x := range out[5].Floats() {
		if got := out[4].Floats()[i]; math.Abs(got-0.1*x) > 1e-6 {
			t.Errorf("running mean %v of %v", got, x)
		}
	}
}

// TestLosses compares losses with their equations, and with large logits.
func TestLosses(t *testing.T) {
	b := build.New("losses")
	x, y := b.Arg("x", tensor.F32, 2, 3), b.Arg("y", tensor.F32, 2, 3)
	b.Return(nn.SoftmaxCrossEntropy(b, x, y), nn.SigmoidCrossEntropy(b, x, y), nn.MeanSquaredError(b, x, y))
	xs, ys := []float64{1, -2, 300, 0.5, 0, -1}, []float64{0, 0, 1, 1, 0, 0}
	s := tensor.Shape{2, 3}
	p, args := finish(t, b, nn.New(b), tensor.FromFloats(tensor.F32, s, xs), tensor.FromFloats(tensor.F32, s, ys))
	out := evaluate(t, p, args)
	var bits, square float64
	for i, x := range xs {
		bits += (math.Max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) - ys[i]*x) / 6
		square += (x - ys[i]) * (x - ys[i]) / 6
	}
	soft := -(0.5 - math.Log(math.Exp(0.5)+1+math.Exp(-1))) / 2
	for i, want := range []float64{soft, bits, square} {
		close(t, "loss", out[i], []float64{want}, 1e-5)
	}
}

// TestOptimisers compares three steps on a quadratic with the optimisers' equations.
func TestOptimisers(t *testing.T) {
	const target = 3.0
	type state struct{ p, m, v float64 }
	adam := func(s state, g, step float64) (state, float64) {
		s.m, s.v = 0.9*s.m+0.1*g, 0.999*s.v+0.001*g*g
		m, v := s.m/(1-math.Pow(0.9, step+1)), s.v/(1-math.Pow(0.999, step+1))
		return s, m / (math.Sqrt(v) + 1e-8)
	}
	for name, c := range map[string]struct {
		o    nn.Optimiser
		step func(s state, g, step float64) state
	}{
		"sgd": {nn.SGD{Rate: nn.Exponential(0.1, 0.5, 2)}, func(s state, g, step float64) state {
			s.p -= 0.1 * math.Pow(0.5, step/2) * g
			return s
		}},
		"momentum": {nn.Momentum{Rate: nn.Warmup(2, nn.Constant(0.1))}, func(s state, g, step float64) state {
			s.m = 0.9*s.m + g
			s.p -= 0.1 * math.Min(1, (step+1)/2) * s.m
			return s
		}},
		"nesterov": {nn.Momentum{Rate: nn.Constant(0.1), Decay: 0.5, Nesterov: true}, func(s state, g, _ float64) state {
			s.m = 0.5*s.m + g
			s.p -= 0.1 * (g + 0.5*s.m)
			return s
		}},
		"adam": {nn.Adam{Rate: nn.Cosine(0.1, 4)}, func(s state, g, step float64) state {
			s, by := adam(s, g, step)
			s.p -= 0.05 * (1 + math.Cos(math.Pi*step/4)) * by
			return s
		}},
		"adamw": {nn.AdamW{Adam: nn.Adam{Rate: nn.Constant(0.1)}, Decay: 0.2}, func(s state, g, step float64) state {
			s, by := adam(s, g, step)
			s.p -= 0.1 * (by + 0.2*s.p)
			return s
		}},
	} {
		t.Run(name, func(t *testing.T) {
			b := build.New("quadratic")
			m := nn.New(b)
			p := m.Param("p", nn.Fill(1))
			m.Train(3, c.o, func(build.Value) build.Value {
				d := b.Sub(p.Value(), target)
				return b.Mul(d, d)
			})
			b.Return(m.Values()...)
			program, args := finish(t, b, m)
			want := state{p: 1}
			for step := range 3 {
				want = c.step(want, 2*(want.p-target), float64(step))
			}
			close(t, "parameter", evaluate(t, program, args)[0], []float64{want.p}, 1e-5)
		})
	}
}

// TestPrivateMLP trains a network of two layers on two parties' data: the result is that in clear.
func TestPrivateMLP(t *testing.T) {
	b := build.New("mlp")
	x, y := b.Arg("x", tensor.F32, 16, 4), b.Arg("y", tensor.F32, 16, 2)
	m := nn.New(b)
	hidden, out := m.Dense("hidden", 4, 8), m.Dense("out", 8, 2)
	loss := m.Train(5, nn.Adam{Rate: nn.Constant(0.05)}, func(build.Value) build.Value {
		return nn.SoftmaxCrossEntropy(b, out.Apply(b.Relu(hidden.Apply(x))), y)
	})
	b.Return(append(m.Values(), loss)...)
	xs := array(5, 16, 4)
	labels := make([]float64, 32)
	for i := range 16 {
		k := 0
		if f := xs.Floats()[i*4:]; f[0]*f[1] > 0 {
			k = 1
		}
		labels[2*i+k] = 1
	}
	p, args := finish(t, b, m, xs, tensor.FromFloats(tensor.F32, tensor.Shape{16, 2}, labels))
	want := evaluate(t, p, args)
	spec := party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Network: "none", Reveal: []int{0}}
	spec.Parties, spec.Computing = []string{"alice", "bob"}, 2
	for i, a := range args {
		spec.Args = append(spec.Args, party.Arg{Owner: min(i, 1), Data: a})
	}
	got, err := party.Run(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range got.Results {
		close(t, "result", a, want[i].Floats(), 1e-2)
	}
	trained, err := m.Collect(got.Results)
	if err != nil || trained.Array("hidden.weight") == nil {
		t.Errorf("%v, %v", trained, err)
	}
}

// TestPrivateLanguageModel trains a transformer of one block to predict the next token of one party's texts. The
// tokens are secret, as indices of the embedding and as labels. The losses and the parameters are those in clear, but
// for the bias of keys: a softmax does not depend on it, its gradient is rounding, and Adam scales that up in clear too.
func TestPrivateLanguageModel(t *testing.T) {
	const texts, places, vocabulary, width, steps = 3, 5, 7, 8, 3
	b := build.New("language")
	tokens, next := b.Arg("tokens", tensor.I32, texts, places), b.Arg("next", tensor.F32, texts, places, vocabulary)
	m := nn.New(b)
	words, at := m.Embedding("words", vocabulary, width), m.Param("places", nn.Normal(0.3), places, width)
	before, between, after := m.LayerNorm("before", width, 1e-5), m.LayerNorm("between", width, 1e-5), m.LayerNorm("after", width, 1e-5)
	attention := m.Attention("attention", width, 2)
	wide, narrow, out := m.Dense("wide", width, 2*width), m.Dense("narrow", 2*width, width), m.Dense("out", width, vocabulary)
	losses := m.TrainHistory(steps, nn.Adam{Rate: nn.Constant(0.02)}, func(build.Value) build.Value {
		x := b.Add(words.Apply(tokens), at.Value())
		h := before.Apply(x)
		x = b.Add(x, attention.Apply(h, h, nn.CausalMask(b, places)))
		x = b.Add(x, narrow.Apply(b.Gelu(wide.Apply(between.Apply(x)))))
		return nn.SoftmaxCrossEntropy(b, out.Apply(after.Apply(x)), next)
	})
	b.Return(append(m.Values(), losses)...)
	ids, labels := make([]uint64, texts*places), make([]float64, texts*places*vocabulary)
	token := func(i int) int { return (i%places*(1+i/places) + i/places) % vocabulary } // each text counts in its own step
	for i := range ids {
		ids[i] = uint64(token(i))
		follow := token(i + 1)
		if i%places == places-1 {
			follow = (token(i) + 1 + i/places) % vocabulary
		}
		labels[i*vocabulary+follow] = 1
	}
	p, args := finish(t, b, m,
		tensor.FromWords(tensor.I32, tensor.Shape{texts, places}, ids),
		tensor.FromFloats(tensor.F32, tensor.Shape{texts, places, vocabulary}, labels))
	want := evaluate(t, p, args)
	history := want[len(want)-1].Floats()
	if history[steps-1] > 0.95*history[0] {
		t.Errorf("in clear the losses do not fall: %v", history)
	}
	spec := party.Spec{Program: p, Protocol: "semi2k", Ring: 64, Fraction: 18, Network: "none", Reveal: []int{0}}
	spec.Parties, spec.Computing = []string{"alice", "bob"}, 2
	for i, a := range args {
		spec.Args = append(spec.Args, party.Arg{Owner: min(i/2, 1), Data: a}) // the model is the other party's
	}
	got, err := party.Run(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	worst := 0.0
	for i, a := range got.Results {
		name := "losses"
		if i < len(m.Params()) {
			name = m.Params()[i].Name()
		}
		if name == "attention.key.bias" {
			continue
		}
		for e, x := range a.Floats() {
			worst = max(worst, math.Abs(x-want[i].Floats()[e]))
		}
		close(t, name, a, want[i].Floats(), 1e-2)
	}
	t.Logf("losses %.4v in clear, %.4v privately; largest difference %.2g", history, got.Results[len(want)-1].Floats(), worst)
}

// TestTrainGradients: with the gradients that TrainHistory derives, the losses and the trained parameters are the same.
func TestTrainGradients(t *testing.T) {
	program := func(known bool) []float64 {
		b := build.New("gradients")
		x, y := b.Arg("x", tensor.F32, 3), b.Arg("y", tensor.F32, 3)
		m := nn.New(b)
		v, w := m.Param("v", nn.Fill(1), 3), m.Param("w", nn.Fill(2), 3)
		o := nn.Adam{Rate: nn.Constant(0.1)}
		loss := func(build.Value) build.Value {
			return b.Add(nn.MeanSquaredError(b, v.Value(), x), nn.MeanSquaredError(b, w.Value(), y))
		}
		var losses build.Value
		if known {
			losses = m.TrainGradients(4, o, func(step build.Value) (build.Value, []build.Value) {
				by := func(p *nn.Param, z build.Value) build.Value { return b.Mul(b.Sub(p.Value(), z), 2./3) }
				return loss(step), []build.Value{by(v, x), by(w, y)}
			})
		} else {
			losses = m.TrainHistory(4, o, loss)
		}
		b.Return(losses, v.Value(), w.Value())
		p, args := finish(t, b, m, array(3, 3), array(3, 3))
		var out []float64
		for _, a := range evaluate(t, p, args) {
			out = append(out, a.Floats()...)
		}
		return out
	}
	got, want := program(true), program(false)
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-5 {
			t.Errorf("losses and parameters %v, want %v", got, want)
			break
		}
	}
}

// TestTrainHistory: the losses are those that Train returns after as many steps.
func TestTrainHistory(t *testing.T) {
	program := func(train func(m *nn.Model, loss func(build.Value) build.Value) build.Value) []float64 {
		b := build.New("history")
		x := b.Arg("x", tensor.F32, 3)
		m := nn.New(b)
		w := m.Param("w", nn.Fill(1), 3)
		b.Return(train(m, func(build.Value) build.Value { return nn.MeanSquaredError(b, w.Value(), x) }), w.Value())
		p, args := finish(t, b, m, array(3, 3))
		out := evaluate(t, p, args)
		return append(out[0].Floats(), out[1].Floats()...)
	}
	o := nn.Momentum{Rate: nn.Constant(0.2)}
	got := program(func(m *nn.Model, loss func(build.Value) build.Value) build.Value { return m.TrainHistory(4, o, loss) })
	for n := 1; n <= 4; n++ {
		want := program(func(m *nn.Model, loss func(build.Value) build.Value) build.Value { return m.Train(n, o, loss) })
		if got[n-1] != want[0] {
			t.Errorf("step %d has the loss %v, want %v", n, got[n-1], want[0])
		}
		if n == 4 && !slices.Equal(got[4:], want[1:]) {
			t.Errorf("trained to %v, want %v", got[4:], want[1:])
		}
	}
}

// TestConvolution trains a small convolution in clear: the loss falls.
func TestConvolution(t *testing.T) {
	b := build.New("cnn")
	x, y := b.Arg("x", tensor.F32, 4, 6, 6, 1), b.Arg("y", tensor.F32, 4, 2)
	m := nn.New(b)
	var conv *nn.Conv
	m.Within("first", func() { conv = m.Conv("conv", 1, 3, []int{3, 3}, build.Conv{}) })
	norm, out := m.BatchNorm("norm", 3, 1e-3, 0.9), m.Dense("out", 12, 2)
	loss := func(build.Value) build.Value {
		h := b.WindowMax(b.Relu(norm.Train(conv.Apply(x))), build.Window{Size: []int{1, 2, 2, 1}, Strides: []int{1, 2, 2, 1}})
		return nn.SoftmaxCrossEntropy(b, out.Apply(b.Reshape(h, 4, -1)), y)
	}
	first := m.Train(1, nn.SGD{Rate: nn.Constant(0)}, loss)
	last := m.Train(30, nn.Momentum{Rate: nn.Constant(0.05)}, loss)
	b.Return(first, last, norm.Mean.Value())
	p, args := finish(t, b, m, array(1, 4, 6, 6, 1), tensor.FromFloats(tensor.F32, tensor.Shape{4, 2}, []float64{1, 0, 0, 1, 0, 1, 1, 0}))
	if m.Params()[0].Name() != "first.conv.kernel" {
		t.Errorf("the first parameter is %s", m.Params()[0].Name())
	}
	o := evaluate(t, p, args)
	if a, z := o[0].Floats()[0], o[1].Floats()[0]; !(z < a/4) {
		t.Errorf("the loss went from %v to %v", a, z)
	}
	if o[2].Floats()[0] == 0 {
		t.Error("the running mean did not move")
	}
}
