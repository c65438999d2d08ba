package nn

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// LSTM is a recurrent layer. Input, Hidden and Bias hold the numbers of the gates input, forget, cell and output, in
// this order. Model.LSTM makes it.
type LSTM struct {
	m                   *Model
	hidden              int
	Input, Hidden, Bias *Param
}

// LSTM declares a recurrent layer from in features to a state of hidden features.
func (m *Model) LSTM(name string, in, hidden int) *LSTM {
	l := &LSTM{m: m, hidden: hidden}
	m.Within(name, func() { l.Input, l.Hidden, l.Bias = m.recurrent(in, hidden, 4) })
	return l
}

// recurrent declares the parameters of a layer with gates, uniform as is usual for them.
func (m *Model) recurrent(in, hidden, gates int) (input, state, bias *Param) {
	u := Uniform(1 / math.Sqrt(float64(max(1, hidden))))
	return m.Param("input", u, in, gates*hidden), m.Param("hidden", u, hidden, gates*hidden), m.Param("bias", u, gates*hidden)
}

// Apply returns all, the layer's output for every step of x, of shape batch × steps × hidden, and the state after the
// last step: hidden and cell. x has the shape batch × steps × features. The first state is 0.
func (l *LSTM) Apply(x build.Value) (all, hidden, cell build.Value) {
	b := l.m.b
	zero := b.Const(x.DType(), 0, x.Dim(0), l.hidden)
	from := project(b, x, l.Input.Value())
	all, state := steps(b, from, l.hidden, []build.Value{zero, zero}, func(in build.Value, s []build.Value) []build.Value {
		g := gates(b, b.Add(b.Add(in, b.Dot(s[0], l.Hidden.Value())), l.Bias.Value()), 4)
		c := b.Add(b.Mul(b.Sigmoid(g[1]), s[1]), b.Mul(b.Sigmoid(g[0]), b.Tanh(g[2])))
		return []build.Value{b.Mul(b.Tanh(c), b.Sigmoid(g[3])), c}
	})
	return all, state[0], state[1]
}

// GRU is a recurrent layer. Input, Hidden and Bias hold the numbers of the gates reset, update and new, in this order.
// Model.GRU makes it.
type GRU struct {
	m                   *Model
	hidden              int
	Input, Hidden, Bias *Param
	// Inner is the bias of the new gate's part that the reset gate multiplies.
	Inner *Param
}

// GRU declares a recurrent layer from in features to a state of hidden features.
func (m *Model) GRU(name string, in, hidden int) *GRU {
	l := &GRU{m: m, hidden: hidden}
	m.Within(name, func() {
		l.Input, l.Hidden, l.Bias = m.recurrent(in, hidden, 3)
		l.Inner = m.Param("inner", Uniform(1/math.Sqrt(float64(max(1, hidden)))), hidden)
	})
	return l
}

// Apply returns all, the layer's output for every step of x, of shape batch × steps × hidden, and hidden, the state
// after the last step. x has the shape batch × steps × features. The first state is 0.
func (l *GRU) Apply(x build.Value) (all, hidden build.Value) {
	b := l.m.b
	zero := b.Const(x.DType(), 0, x.Dim(0), l.hidden)
	in := b.Add(project(b, x, l.Input.Value()), l.Bias.Value())
	all, state := steps(b, in, l.hidden, []build.Value{zero}, func(in build.Value, s []build.Value) []build.Value {
		g, h := gates(b, in, 3), gates(b, b.Dot(s[0], l.Hidden.Value()), 3)
		r, z := b.Sigmoid(b.Add(g[0], h[0])), b.Sigmoid(b.Add(g[1], h[1]))
		n := b.Tanh(b.Add(g[2], b.Mul(r, b.Add(h[2], l.Inner.Value()))))
		return []build.Value{b.Add(n, b.Mul(z, b.Sub(s[0], n)))}
	})
	return all, state[0]
}

// gates splits the last dimension into n equal parts.
func gates(b *build.Builder, x build.Value, n int) []build.Value {
	size := x.Dim(-1) / n
	out := make([]build.Value, n)
	for i := range out {
		out[i] = b.Slice(x, []int{0, i * size}, []int{x.Dim(0), (i + 1) * size})
	}
	return out
}

// steps runs body for each step of x, of shape batch × steps × features. It returns the first of the values that body
// returns, for every step, and the values after the last one.
func steps(
	b *build.Builder, x build.Value, hidden int, init []build.Value, body func(in build.Value, s []build.Value) []build.Value,
) (all build.Value, state []build.Value) {
	all = b.Const(x.DType(), 0, x.Dim(0), x.Dim(1), hidden)
	out := b.For(x.Dim(1), append([]build.Value{all}, init...), func(i build.Value, s []build.Value) []build.Value {
		zero := b.Const(i.DType(), 0)
		at := []build.Value{zero, i, zero}
		in := b.Reshape(b.DynamicSlice(x, at, x.Dim(0), 1, x.Dim(2)), x.Dim(0), x.Dim(2))
		next := body(in, s[1:])
		row := b.Reshape(next[0], x.Dim(0), 1, hidden)
		return append([]build.Value{b.DynamicUpdateSlice(s[0], row, at)}, next...)
	})
	return out[0], out[1:]
}
