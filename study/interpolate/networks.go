package interpolate

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/party"
)

// model is a model of the study.
type model struct {
	// write writes the model and its training. It returns standardised predictions (sites × times), the losses of all
	// epochs, unless the model is not trained, and the variance of predictions, if the model has one.
	write func(w *writer) ([]build.Value, error)
	// trained reports whether the model has parameters.
	trained bool
	// epochs is the number of epochs of a model that is trained for fewer ones, because its steps take hundreds of rounds; 0
	// for other models. Such a model runs
	// among the fewest parties only, and is not planned for networks, which would take longer than the run.
	epochs int
	// fraction is the number of fraction bits of a model that needs more than others; 0 for other models.
	fraction int
}

// The names of the models.
const (
	nameGPR    = "GPR"
	nameVGPR   = "VGPR"
	nameMeaner = "Meaner"
	nameANN    = "ANN"
	nameSAGE   = "GraphSAGE"
	nameGCN    = "GCN"
)

var models = map[string]model{
	nameGPR:    {write: gpr, trained: true, epochs: 20, fraction: 22},
	nameVGPR:   {write: vgpr, trained: true, epochs: 30, fraction: 22},
	nameMeaner: {write: meaner},
	nameANN:    {write: ann, trained: true},
	nameSAGE:   {write: sage, trained: true},
	nameGCN:    {write: gcn, trained: true},
}

// order is the order of the models in tables.
var order = []string{nameGPR, nameVGPR, nameANN, nameSAGE, nameMeaner, nameGCN}

// meaner predicts the mean of the nearest training sites.
func meaner(w *writer) ([]build.Value, error) {
	near := w.arg("near", party.Public, w.p.nearestMeans(nearby))
	return []build.Value{w.Dot(near, w.trained(w.y))}, nil
}

// optimiser is gradient descent with momentum: nothing but linear functions of gradients.

func optimiser(rate float64) nn.Optimiser { return nn.Momentum{Rate: nn.Constant(rate)} }

// flat returns v of shape rows × times × 1 as rows × times.
func (w *writer) flat(v build.Value) build.Value { return w.Reshape(v, v.Dim(0), v.Dim(1)) }

// ann is a network of one hidden layer on the inputs of each site.
func ann(w *writer) ([]build.Value, error) {
	in, out := w.m.Dense("hidden", w.p.inputs(), hidden), w.m.Dense("out", hidden, 1)
	network := func(x build.Value) build.Value { return w.flat(out.Apply(w.Relu(in.Apply(x)))) }
	x, y := w.trained(w.x), w.trained(w.y)
	losses := w.m.TrainHistory(w.job.epochs, optimiser(0.02), func(build.Value) build.Value {
		return nn.MeanSquaredError(w.Builder, network(x), y)
	})
	return []build.Value{network(w.x), losses}, nil
}

// gcn is a graph convolution network of two layers, Â·relu(Â·x·W₁ + b₁)·W₂ + b₂. Its loss is that of training sites; it
// sees the features of all sites. Â·x does not change in training and is computed once.
func gcn(w *writer) ([]build.Value, error) {
	owner := party.Public
	if w.job.secret {
		owner = 0
	}
	a := w.arg("adjacency", owner, w.p.adjacency())
	in, out := w.m.Dense("hidden", w.p.inputs(), hidden), w.m.Dense("out", hidden, 1)
	ax, some, y := w.mixed(a, w.x), w.trained(a), w.trained(w.y)
	network := func(a build.Value) build.Value {
		h := w.Relu(in.Apply(ax))
		z := w.DotGeneral(h, out.Weight.Value(), hlo.DotDims{LHSContract: []int{2}, RHSContract: []int{0}})
		return w.flat(w.Add(w.mixed(a, z), out.Bias.Value()))
	}
	losses := w.m.TrainHistory(w.job.epochs, optimiser(0.05), func(build.Value) build.Value {
		return nn.MeanSquaredError(w.Builder, network(some), y)
	})
	return []build.Value{network(a), losses}, nil
}

// mixed multiplies a matrix by the sites of x, of shape sites × times × features.
func (w *writer) mixed(a, x build.Value) build.Value {
	return w.DotGeneral(a, x, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{0}})
}

// sage is GraphSAGE with means: relu(x·W₁ + m·W₂ + b)·W₃ + c, where m is the mean of the inputs and values of sampled
// neighbours. Samples are public and taken in turns; predictions average over all near neighbours.
func sage(w *writer) ([]build.Value, error) {
	all := w.arg("near", party.Public, w.p.nearestMeans(pool))
	drawn := w.arg("samples", party.Public, w.p.sampledMeans(1))
	own, near := w.m.Dense("own", w.p.inputs(), hidden), w.m.Dense("near", w.p.inputs()+1, hidden)
	out := w.m.Dense("out", hidden, 1)
	n := len(w.p.train)
	x, y := w.trained(w.x), w.trained(w.y)
	known := w.Concat(2, x, w.Reshape(y, n, w.p.times, 1))
	network := func(x, mean build.Value) build.Value {
		return w.flat(out.Apply(w.Relu(w.Add(own.Apply(x), near.Apply(w.mixed(mean, known))))))
	}
	losses := w.m.TrainHistory(w.job.epochs, optimiser(0.02), func(step build.Value) build.Value {
		zero := w.Const(step.DType(), 0)
		at := w.DynamicSlice(drawn, []build.Value{w.Rem(step, samples), zero, zero}, 1, n, n)
		return nn.MeanSquaredError(w.Builder, network(x, w.Reshape(at, n, n)), y)
	})
	return []build.Value{network(w.x, all), losses}, nil
}
