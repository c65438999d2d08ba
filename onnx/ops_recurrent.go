package onnx

import (
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var recurrentOps = map[string]operation{
	".RNN":  {build: func(x *node) []*value { return x.recurrent(1, []string{"Tanh"}, rnnCell) }},
	".GRU":  {build: func(x *node) []*value { return x.recurrent(3, []string{"Sigmoid", "Tanh"}, gruCell) }},
	".LSTM": {build: func(x *node) []*value { return x.recurrent(4, []string{"Sigmoid", "Tanh", "Tanh"}, lstmCell) }},
}

// cell is one direction of a recurrent network.
type cell struct {
	x       *node
	b       *build.Builder
	hidden  int
	r       build.Value  // recurrent weights: gates · hidden, hidden
	rb      *build.Value // recurrent bias that the projection of the input does not contain
	peep    *build.Value // weights of peepholes: 3 · hidden
	acts    []func(build.Value) build.Value
	resets  bool // GRU: linear_before_reset
	coupled bool // LSTM: input_forget
}

// step computes the next state from the projected input of one time: batch, gates · hidden.
type step func(c *cell, in build.Value, state []build.Value) []build.Value

// recurrent builds a recurrent network with so many gates. The input is projected for all times at once; a loop over the
// times does the rest.
func (x *node) recurrent(gates int, defaults []string, next step) []*value {
	b := x.b
	batchFirst := x.int("layout", 0) != 0
	s := x.ensureDims(0, 3, 3)
	in := x.v(0)
	if batchFirst {
		in = b.Transpose(in, 1, 0, 2)
		s = tensor.Shape{s[1], s[0], s[2]}
	}
	w, r := x.ensureDims(1, 3, 3), x.ensureDims(2, 3, 3)
	hidden := r[2]
	directions := map[string]int{"forward": 1, "reverse": 1, "bidirectional": 2}[x.text("direction", "forward")]
	rows := gates * hidden
	if directions == 0 || w[0] != directions || r[0] != directions || w[1] != rows || r[1] != rows || w[2] != s[2] || hidden < 1 {
		x.fail("the file is damaged, or its inputs have other shapes", "weights of shapes %v and %v do not fit inputs of shape %v", w, r, s)
	}
	states := 1
	if gates == 4 {
		states = 2
	}
	var ys []build.Value
	lasts := make([][]build.Value, states)
	for d := range directions {
		c := &cell{x: x, b: b, hidden: hidden, r: direction(b, x.v(2), d), acts: x.activations(defaults, d), coupled: x.int("input_forget", 0) != 0,
			resets: x.int("linear_before_reset", 0) != 0}
		wd := direction(b, x.v(1), d)
		projected := b.DotGeneral(in, wd, hlo.DotDims{LHSContract: []int{2}, RHSContract: []int{1}})
		if x.has(3) {
			projected = c.bias(projected, direction(b, x.v(3), d), gates)
		}
		if gates == 4 && x.has(7) {
			p := direction(b, x.v(7), d)
			c.peep = &p
		}
		var state []build.Value
		for i := range states {
			if x.has(5 + i) {
				h := x.v(5 + i)
				if batchFirst {
					h = b.Transpose(h, 1, 0, 2)
				}
				state = append(state, direction(b, h, d))
			} else {
				state = append(state, b.Const(in.DType(), 0, s[1], hidden))
			}
		}
		backward := x.text("direction", "forward") == "reverse" || d == 1
		y, last := c.times(projected, state, next, backward)
		ys = append(ys, b.Reshape(y, s[0], 1, s[1], hidden))
		for i, l := range last {
			lasts[i] = append(lasts[i], b.Reshape(l, 1, s[1], hidden))
		}
	}
	y := ys[0]
	if directions > 1 {
		y = b.Concat(1, ys...)
	}
	if batchFirst {
		y = b.Transpose(y, 2, 0, 1, 3)
	}
	out := []*value{computed(y)}
	for _, l := range lasts {
		h := l[0]
		if directions > 1 {
			h = b.Concat(0, l...)
		}
		if batchFirst {
			h = b.Transpose(h, 1, 0, 2)
		}
		out = append(out, computed(h))
	}
	return out
}

// direction is one direction's part of a tensor.
func direction(b *build.Builder, v build.Value, d int) build.Value {
	s := v.Shape()
	if len(s) == 0 {
		return v
	}
	if s[0] > 1 {
		v = part(b, v, 0, d, d+1)
	}
	return b.Reshape(v, s[1:]...)
}

// bias adds the biases to the projected input: both halves, but for the recurrent one of a GRU's hidden gate that is
// reset later.
func (c *cell) bias(projected, bias build.Value, gates int) build.Value {
	b, n := c.b, gates*c.hidden
	wb, rb := part(b, bias, 0, 0, n), part(b, bias, 0, n, 2*n)
	if c.resets && gates == 3 {
		late := part(b, rb, 0, 2*c.hidden, n)
		c.rb = &late
		rb = b.Concat(0, part(b, rb, 0, 0, 2*c.hidden), b.Const(bias.DType(), 0, c.hidden))
	}
	return b.Add(projected, b.Add(wb, rb))
}

// times runs over the times and returns all hidden states and the last state.
func (c *cell) times(projected build.Value, state []build.Value, next step, backward bool) (y build.Value, last []build.Value) {
	b := c.b
	s := projected.Shape()
	if len(s) != 3 {
		return projected, state
	}
	n, batch := s[0], s[1]
	masked, lengths := c.lengths(n)
	all := b.Const(projected.DType(), 0, n, batch, c.hidden)
	if n == 0 {
		return all, state
	}
	body := func(i build.Value, carried []build.Value) []build.Value {
		t := i
		if backward {
			t = b.Sub(b.Const(tensor.I32, n-1), i)
		}
		zero := b.Const(tensor.I32, 0)
		in := b.Reshape(b.DynamicSlice(projected, []build.Value{t, zero, zero}, 1, s[1], s[2]), s[1], s[2])
		old := carried[1:]
		now := next(c, in, old)
		shown := now[0]
		if masked {
			inside := b.BroadcastInDim(b.Less(b.Broadcast(t, batch), lengths), []int{0}, batch, c.hidden)
			for k := range now {
				now[k] = b.Select(inside, now[k], old[k])
			}
			shown = b.Select(inside, shown, 0)
		}
		y := b.DynamicUpdateSlice(carried[0], b.Reshape(shown, 1, batch, c.hidden), []build.Value{t, zero, zero})
		return append([]build.Value{y}, now...)
	}
	carried := append([]build.Value{all}, state...)
	if n == 1 {
		out := body(b.Const(tensor.I32, 0), carried)
		return out[0], out[1:]
	}
	out := b.For(n, carried, body)
	return out[0], out[1:]
}

// lengths are the sequences' lengths, if they are not all n.
func (c *cell) lengths(n int) (masked bool, lengths build.Value) {
	x := c.x
	if !x.has(4) {
		return false, lengths
	}
	if v := x.value(4); v.isKnown() && !slices.ContainsFunc(x.numbers(4), func(k int) bool { return k != n }) {
		return false, lengths
	}
	return true, c.b.Convert(x.v(4), tensor.I32)
}

// gate is one of the gates in a projection.
func (c *cell) gate(v build.Value, i int) build.Value {
	return part(c.b, v, 1, i*c.hidden, (i+1)*c.hidden)
}

// recur is the product of a hidden state with recurrent weights.
func (c *cell) recur(h, r build.Value) build.Value {
	return c.b.DotGeneral(h, r, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
}

func rnnCell(c *cell, in build.Value, state []build.Value) []build.Value {
	return []build.Value{c.acts[0](c.b.Add(in, c.recur(state[0], c.r)))}
}

// gruCell has the gates update, reset, hidden.
func gruCell(c *cell, in build.Value, state []build.Value) []build.Value {
	b, h := c.b, state[0]
	two := 2 * c.hidden
	var z, r, n build.Value
	if c.resets {
		rec := c.recur(h, c.r)
		late := c.gate(rec, 2)
		if c.rb != nil {
			late = b.Add(late, *c.rb)
		}
		zr := b.Add(part(b, in, 1, 0, two), part(b, rec, 1, 0, two))
		z, r = c.acts[0](c.gate(zr, 0)), c.acts[0](c.gate(zr, 1))
		n = c.acts[1](b.Add(c.gate(in, 2), b.Mul(r, late)))
	} else {
		zr := b.Add(part(b, in, 1, 0, two), c.recur(h, part(b, c.r, 0, 0, two)))
		z, r = c.acts[0](c.gate(zr, 0)), c.acts[0](c.gate(zr, 1))
		n = c.acts[1](b.Add(c.gate(in, 2), c.recur(b.Mul(r, h), part(b, c.r, 0, two, 3*c.hidden))))
	}
	// Of two functions' results the second factor is opened: the gate is known before the hidden value.
	return []build.Value{b.Add(b.Mul(n, b.Sub(b.Const(z.DType(), 1), z)), b.Mul(z, h))}
}

// lstmCell has the gates input, output, forget, cell.
func lstmCell(c *cell, in build.Value, state []build.Value) []build.Value {
	b, h, old := c.b, state[0], state[1]
	all := b.Add(in, c.recur(h, c.r))
	n := c.hidden
	peep := func(v build.Value, i int, state build.Value) build.Value {
		if c.peep == nil {
			return v
		}
		return b.Add(v, b.Mul(state, part(b, *c.peep, 0, i*n, (i+1)*n)))
	}
	var i, o, f build.Value
	if c.peep == nil {
		// A function of each gate: a product with a slice of one function of all three would open that slice again.
		i, o, f = c.acts[0](c.gate(all, 0)), c.acts[0](c.gate(all, 1)), c.acts[0](c.gate(all, 2))
	} else {
		i, f = c.acts[0](peep(c.gate(all, 0), 0, old)), c.acts[0](peep(c.gate(all, 2), 2, old))
	}
	if c.coupled {
		f = b.Sub(b.Const(i.DType(), 1), i)
	}
	now := b.Add(b.Mul(f, old), b.Mul(i, c.acts[1](c.gate(all, 3))))
	if c.peep != nil {
		o = c.acts[0](peep(c.gate(all, 1), 1, now))
	}
	// Of two functions' results the second factor is opened: the gate is known before the state.
	return []build.Value{b.Mul(c.acts[2](now), o), now}
}

// activations are the functions of a direction's gates.
func (x *node) activations(defaults []string, d int) []func(build.Value) build.Value {
	names := x.texts("activations")
	if names == nil {
		names = slices.Concat(defaults, defaults)
	}
	n := len(defaults)
	if len(names) < (d+1)*n {
		x.fail("the file is damaged", "there are %d activations, want %d", len(names), (d+1)*n)
	}
	alphas, betas := x.floats("activation_alpha"), x.floats("activation_beta")
	clip := x.float("clip", 0)
	var out []func(build.Value) build.Value
	ai, bi := 0, 0
	for k, name := range names {
		param := func(list []float32, at *int, otherwise float64) float64 {
			if *at < len(list) {
				*at++
				return float64(list[*at-1])
			}
			return otherwise
		}
		f := x.activation(name, func(otherwise float64) float64 { return param(alphas, &ai, otherwise) },
			func(otherwise float64) float64 { return param(betas, &bi, otherwise) })
		if k >= d*n && k < (d+1)*n {
			if clip > 0 {
				inner := f
				f = func(v build.Value) build.Value { return inner(x.b.Clamp(-clip, v, clip)) }
			}
			out = append(out, f)
		}
	}
	return out
}

// activation is a function by its name in RNN, GRU and LSTM.
func (x *node) activation(name string, alpha, beta func(otherwise float64) float64) func(build.Value) build.Value {
	b := x.b
	switch strings.ToLower(name) {
	case "relu":
		return b.Relu
	case "tanh":
		return b.Tanh
	case "sigmoid":
		return b.Sigmoid
	case "softsign":
		return func(v build.Value) build.Value { return b.Div(v, b.Add(b.Abs(v), 1)) }
	case "softplus":
		return func(v build.Value) build.Value { return softplus(b, v) }
	case "affine":
		p, q := alpha(1), beta(0)
		return func(v build.Value) build.Value { return b.Add(b.Mul(v, p), q) }
	case "leakyrelu":
		p := alpha(float64(float32(0.01)))
		return func(v build.Value) build.Value { return leaky(b, v, p) }
	case "thresholdedrelu":
		p := alpha(1)
		return func(v build.Value) build.Value { return b.Select(b.Greater(v, p), v, 0) }
	case "elu":
		p := alpha(1)
		return func(v build.Value) build.Value { return elu(b, v, p, 1) }
	case "scaledtanh":
		p, q := alpha(1), beta(1)
		return func(v build.Value) build.Value { return b.Mul(b.Tanh(b.Mul(v, q)), p) }
	case "hardsigmoid":
		p, q := alpha(float64(float32(0.2))), beta(0.5)
		return func(v build.Value) build.Value { return hardSigmoid(b, v, p, q) }
	}
	x.unsupported("", "the activation %q is not supported", name)
	return nil
}
