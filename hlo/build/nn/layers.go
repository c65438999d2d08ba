package nn

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Dense is a layer x·Weight + Bias along the last dimension. Model.Dense makes it.
type Dense struct {
	m            *Model
	Weight, Bias *Param
}

// Dense declares a layer from in to out features. Its first weights are drawn by Glorot, its first bias is 0.
func (m *Model) Dense(name string, in, out int) *Dense {
	d := &Dense{m: m}
	m.Within(name, func() { d.Weight, d.Bias = m.Param("weight", Glorot(), in, out), m.Param("bias", Fill(0), out) })
	return d
}

// Apply returns the layer's output for x, whose last dimension holds the features.
func (d *Dense) Apply(x build.Value) build.Value {
	return d.m.b.Add(project(d.m.b, x, d.Weight.Value()), d.Bias.Value())
}

// project contracts x's last dimension with the first of a matrix.
func project(b *build.Builder, x, w build.Value) build.Value {
	return b.DotGeneral(x, w, hlo.DotDims{LHSContract: []int{x.Rank() - 1}, RHSContract: []int{0}})
}

// Conv is a convolution with a bias, for values of shape batch × spatial dimensions × features. Model.Conv makes it.
type Conv struct {
	m            *Model
	c            build.Conv
	Kernel, Bias *Param
}

// Conv declares a convolution from in to out features with a kernel of the given spatial size. c has its strides,
// padding and dilations; c.Dims must be nil. The first kernel is drawn by He, the first bias is 0.
func (m *Model) Conv(name string, in, out int, window []int, c build.Conv) *Conv {
	l := &Conv{m: m, c: c}
	dims := append(append([]int{}, window...), in/max(1, c.FeatureGroups), out)
	m.Within(name, func() { l.Kernel, l.Bias = m.Param("kernel", He(), dims...), m.Param("bias", Fill(0), out) })
	return l
}

// Apply returns the layer's output for x, of shape batch × spatial dimensions × features.
func (l *Conv) Apply(x build.Value) build.Value {
	return l.m.b.Add(l.m.b.Conv(x, l.Kernel.Value(), l.c), l.Bias.Value())
}

// LayerNorm normalises along the last dimension to mean 0 and variance 1, then multiplies by Scale and adds Bias.
// Model.LayerNorm makes it.
type LayerNorm struct {
	m           *Model
	epsilon     float64
	Scale, Bias *Param
}

// LayerNorm declares a normalisation along the last dimension, of the given number of features. epsilon is added to the
// variance.
func (m *Model) LayerNorm(name string, features int, epsilon float64) *LayerNorm {
	l := &LayerNorm{m: m, epsilon: epsilon}
	m.Within(name, func() { l.Scale, l.Bias = m.Param("scale", Fill(1), features), m.Param("bias", Fill(0), features) })
	return l
}

// Apply returns the normalised x, in the shape of x.
func (l *LayerNorm) Apply(x build.Value) build.Value {
	b := l.m.b
	keep := x.Shape()
	if len(keep) > 0 {
		keep[len(keep)-1] = 1
	}
	centred := b.Sub(x, b.Reshape(b.Mean(x, -1), keep...))
	variance := b.Reshape(b.Mean(b.Mul(centred, centred), -1), keep...)
	y := b.Mul(centred, b.Rsqrt(b.Add(variance, l.epsilon)))
	return b.Add(b.Mul(y, l.Scale.Value()), l.Bias.Value())
}

// BatchNorm subtracts each feature's mean over the batch and the spatial dimensions, divides by its standard deviation,
// then scales and shifts it. Model.BatchNorm makes it.
type BatchNorm struct {
	m                 *Model
	epsilon, momentum float64
	Scale, Bias       *Param
	// Mean and Variance are running means over the batches of the training, for use after it.
	Mean, Variance *Param
}

// BatchNorm declares a normalisation of the given number of features, which the last dimension holds. epsilon is added
// to the variance. Train sets the running mean to momentum·mean + (1 − momentum)·(mean of the batch), and likewise the
// variance.
func (m *Model) BatchNorm(name string, features int, epsilon, momentum float64) *BatchNorm {
	l := &BatchNorm{m: m, epsilon: epsilon, momentum: momentum}
	m.Within(name, func() {
		l.Scale, l.Bias = m.Param("scale", Fill(1), features), m.Param("bias", Fill(0), features)
		l.Mean, l.Variance = m.Param("mean", Fill(0), features), m.Param("variance", Fill(1), features)
		l.Mean.updated, l.Variance.updated = true, true
	})
	return l
}

// Train returns x normalised by its own means and variances. It also updates the running means and variances.
func (l *BatchNorm) Train(x build.Value) build.Value {
	b := l.m.b
	var dims []int
	for d := range max(0, x.Rank()-1) {
		dims = append(dims, d)
	}
	mean := b.Mean(x, dims...)
	centred := b.Sub(x, mean)
	variance := b.Mean(b.Mul(centred, centred), dims...)
	move := func(p *Param, to build.Value) {
		p.current = b.Add(b.Mul(p.current, l.momentum), b.Mul(to, 1-l.momentum))
	}
	move(l.Mean, mean)
	move(l.Variance, variance)
	return l.scaled(centred, variance)
}

// Apply returns x normalised by the running means and variances, for use after a training.
func (l *BatchNorm) Apply(x build.Value) build.Value {
	return l.scaled(l.m.b.Sub(x, l.Mean.Value()), l.Variance.Value())
}

func (l *BatchNorm) scaled(centred, variance build.Value) build.Value {
	b := l.m.b
	return b.Add(b.Mul(b.Mul(centred, b.Rsqrt(b.Add(variance, l.epsilon))), l.Scale.Value()), l.Bias.Value())
}

// Embedding is a table with a row of numbers for each entry of a vocabulary. Model.Embedding makes it.
type Embedding struct {
	m     *Model
	Table *Param
}

// Embedding declares a table of vocabulary rows of width numbers, whose first values are drawn by Normal.
func (m *Model) Embedding(name string, vocabulary, width int) *Embedding {
	e := &Embedding{m: m}
	m.Within(name, func() { e.Table = m.Param("table", Normal(1/math.Sqrt(float64(max(1, width)))), vocabulary, width) })
	return e
}

// Apply returns the table's rows with the given integer indices. The result has the shape of indices and a new last
// dimension. Indices may be secret.
func (e *Embedding) Apply(indices build.Value) build.Value {
	return e.m.b.Take(e.Table.Value(), indices, 0)
}

// Attention is multi-head attention between the second-to-last dimensions, the places, of two values. Model.Attention
// makes it.
type Attention struct {
	m                         *Model
	heads                     int
	Query, Key, Value, Output *Dense
}

// Attention declares multi-head attention for values of width features. heads must divide width.
func (m *Model) Attention(name string, width, heads int) *Attention {
	a := &Attention{m: m, heads: max(1, heads)}
	m.Within(name, func() {
		a.Query, a.Key = m.Dense("query", width, width), m.Dense("key", width, width)
		a.Value, a.Output = m.Dense("value", width, width), m.Dense("output", width, width)
	})
	return a
}

// Apply returns the attention of x to the places of to, which may be x itself. x and the result have the shape batch ×
// places × features. If mask is not the zero Value, it holds booleans that broadcast to batch × heads × places of x ×
// places of to: a place of x attends to the places of to where mask is true.
func (a *Attention) Apply(x, to, mask build.Value) build.Value {
	b := a.m.b
	width := x.Dim(-1) / a.heads
	split := func(v build.Value) build.Value { return b.Reshape(v, v.Dim(0), v.Dim(1), a.heads, width) }
	q, k, v := split(a.Query.Apply(x)), split(a.Key.Apply(to)), split(a.Value.Apply(to))
	scores := b.DotGeneral(q, k, hlo.DotDims{LHSBatch: []int{0, 2}, RHSBatch: []int{0, 2}, LHSContract: []int{3}, RHSContract: []int{3}})
	scores = b.Mul(scores, 1/math.Sqrt(float64(max(1, width))))
	if mask.Type().DType == tensor.Bool {
		scores = b.Select(mask, scores, -1e4)
	}
	weights := b.Softmax(scores, -1)
	// batch × heads × places × width
	mixed := b.DotGeneral(weights, v, hlo.DotDims{LHSBatch: []int{0, 1}, RHSBatch: []int{0, 2}, LHSContract: []int{3}, RHSContract: []int{1}})
	return a.Output.Apply(b.Reshape(b.Transpose(mixed, 0, 2, 1, 3), x.Dim(0), x.Dim(1), a.heads*width))
}

// CausalMask returns a mask for Attention.Apply, of shape places × places: each place attends to itself and to the
// places before it.
func CausalMask(b *build.Builder, places int) build.Value {
	return b.GreaterEqual(b.Iota(tensor.I32, 0, places, places), b.Iota(tensor.I32, 1, places, places))
}
