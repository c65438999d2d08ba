package interpolate

import (
	"math"
	"math/rand/v2"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/hlo/build/nn"
	"github.com/tacet-mpc/tacet/party"
	"github.com/tacet-mpc/tacet/tensor"
)

// The Gaussian processes' parameters.
const (
	inducing   = 24   // inducing points of the variational one, at most a quarter of the training sites
	batches    = 2    // batches of an epoch of the variational one
	jitter     = 1e-2 // added to the diagonal of the inducing points' covariance, of a process with variance 1 at first
	leastNoise = 1e-2 // least variance of the noise, in units of the variance of the values
	adamRate   = 0.1
)

// kernel is the covariance of two rows of readings, e^(s − e^p·d² − e^q·g²), where d is the distance of their places, which is
// public, and g that of their features, which are secret; s, p and q are trained.
type kernel struct {
	w                       *writer
	size, places, features  *nn.Param
	noise                   *nn.Param // logarithm of the variance of the noise, less leastNoise
	s, byPlace, byFeature   build.Value
	values                  build.Value // sites × secret features
	squares                 build.Value // by site: square of the norm of the features
	pointVariance, variance build.Value // e^s, and the variance of the noise
}

// kernel declares the parameters of a kernel.
func (w *writer) kernel() *kernel {
	k := &kernel{w: w}
	w.m.Within("kernel", func() {
		k.size, k.places = w.m.Param("size", nn.Fill(0)), w.m.Param("places", nn.Fill(0.5))
		k.features, k.noise = w.m.Param("features", nn.Fill(-2.5)), w.m.Param("noise", nn.Fill(-1.5))
	})
	p := w.p
	if p.features > 0 {
		x := w.Slice(w.x, []int{0, 0, 0}, []int{p.sites, 1, p.features})
		k.values = w.Reshape(x, p.sites, p.features)
		k.squares = w.Sum(w.Mul(k.values, k.values), 1)
	}
	k.set()
	return k
}

// set computes what follows from the current parameters: at the start of each step, and behind the training.
func (k *kernel) set() {
	w := k.w
	k.s, k.byPlace, k.byFeature = k.size.Value(), w.Exp(k.places.Value()), w.Exp(k.features.Value())
	k.pointVariance = w.Exp(k.s)
	k.variance = w.Add(w.Exp(k.noise.Value()), leastNoise)
}

// apart returns the squares of the distances of the features of two lists of rows; the zero Value without features.
func (k *kernel) apart(a, b func(v build.Value) build.Value) build.Value {
	w := k.w
	if k.values.Rank() == 0 {
		return build.Value{}
	}
	x, y, xx, yy := a(k.values), b(k.values), a(k.squares), b(k.squares)
	product := w.DotGeneral(x, y, hlo.DotDims{LHSContract: []int{1}, RHSContract: []int{1}})
	return w.Add(w.Sub(w.Reshape(xx, xx.Dim(0), 1), w.Mul(product, 2)), w.Reshape(yy, 1, yy.Dim(0)))
}

// covariance returns the covariances of rows with squares of distances of places and features.
func (k *kernel) covariance(places, features build.Value) build.Value {
	w := k.w
	z := w.Mul(places, k.byPlace)
	if features.Rank() > 0 {
		z = w.Add(z, w.Mul(features, k.byFeature))
	}
	return w.Exp(w.Sub(k.s, z))
}

// squaredDistances are those of the places of two lists of sites, in the scale that models see.
func (p *problem) squaredDistances(a, b []int) *tensor.Array {
	var out []float64
	for _, i := range a {
		for _, j := range b {
			d := p.distance(i, j) / p.scale
			out = append(out, d*d)
		}
	}
	return tensor.FromFloats(tensor.F32, tensor.Shape{len(a), len(b)}, out)
}

// diagonal returns an n×n matrix with v, a scalar, on its diagonal.
func (w *writer) diagonal(n int, v build.Value) build.Value {
	on := w.Equal(w.Iota(tensor.I32, 0, n, n), w.Iota(tensor.I32, 1, n, n))
	return w.Mul(w.Convert(on, tensor.F32), v)
}

// cholesky returns the lower factor of a matrix.
func (w *writer) cholesky(a build.Value) build.Value {
	n := a.Dim(0)
	l := w.Op(hlo.OpCholesky, []build.Value{a}, hlo.Attrs{"lower": true})[0]
	return w.Select(w.GreaterEqual(w.Iota(tensor.I32, 0, n, n), w.Iota(tensor.I32, 1, n, n)), l, 0)
}

// solve returns L⁻¹·b, or L⁻ᵀ·b, for a lower matrix.
func (w *writer) solve(l, b build.Value, transposed bool) build.Value {
	trans := hlo.Enum("NO_TRANSPOSE")
	if transposed {
		trans = "TRANSPOSE"
	}
	return w.Op(hlo.OpTriangularSolve, []build.Value{l, b}, hlo.Attrs{"left_side": true, "lower": true, "unit_diagonal": false, "transpose_a": trans})[0]
}

// squares returns the sum of squares of all elements, or along dimensions.
func (w *writer) squares(v build.Value, dims ...int) build.Value { return w.Sum(w.Mul(v, v), dims...) }

// pairs lists the pairs i > j of n rows.
func pairs(n int) (is, js []uint64) {
	for i := range n {
		for j := range i {
			is, js = append(is, uint64(i)), append(js, uint64(j))
		}
	}
	return is, js
}

// take returns the elements of a vector, or the rows of a matrix, at a list of places.
func (w *writer) take(v build.Value, places []uint64, dims ...int) build.Value {
	if dims == nil {
		dims = []int{len(places)}
	}
	return w.Take(v, w.Array(tensor.FromWords(tensor.I32, dims, places)), 0)
}

// ofPairs returns the elements of an n×n matrix at pairs.
func (w *writer) ofPairs(matrix build.Value) build.Value {
	n := matrix.Dim(0)
	at, js := pairs(n)
	for k, j := range js {
		at[k] = at[k]*uint64(n) + j
	}
	return w.take(w.Reshape(matrix, n*n), at)
}

// symmetric returns the n×n matrix with the given elements at pairs, and with a scalar on its diagonal.
func (w *writer) symmetric(n int, elements, diagonal build.Value) build.Value {
	at := make([]uint64, n*n)
	is, js := pairs(n)
	for k := range is {
		i, j := int(is[k]), int(js[k])
		at[i*n+j], at[j*n+i] = uint64(k), uint64(k)
	}
	for i := range n {
		at[i*(n+1)] = uint64(len(is))
	}
	return w.take(w.Concat(0, elements, w.Reshape(diagonal, 1)), at, n, n)
}

// products returns the products of the elements of two vectors, as a contraction of nothing: contractions have a smaller range
// than products of elements, and cost less.
func (w *writer) products(x, y build.Value) build.Value {
	return w.DotGeneral(x, y, hlo.DotDims{LHSBatch: []int{0}, RHSBatch: []int{0}})
}

// likelihood is the marginal likelihood of the training sites' values y. With α = K⁻¹·y and without its constant,
// the negative of its logarithm a site is (yᵀ·α + log|K|)/2n. Its derivative by K, times n, is H/2 with H = K⁻¹ − α·αᵀ.
type likelihood struct {
	*kernel
	n                int
	places, features build.Value // by pair of sites: squared distances
	y                build.Value // n×1
}

func (w *writer) likelihood(near build.Value) *likelihood {
	g := &likelihood{kernel: w.kernel(), n: len(w.p.train), places: w.ofPairs(near)}
	g.y = w.Reshape(w.trained(w.y), g.n, 1)
	if g.features = g.apart(w.trained, w.trained); g.features.Rank() > 0 {
		g.features = w.ofPairs(g.features)
	}
	return g
}

// solve returns the covariances of pairs, K⁻¹, log|K|, and α, with the current parameters.
func (g *likelihood) solve() (covariances, inverse, logDet, alpha build.Value) {
	w := g.w
	g.set()
	covariances = g.covariance(g.places, g.features)
	matrix := w.symmetric(g.n, covariances, w.Add(g.pointVariance, g.variance))
	inverse, logDet = w.inverse(matrix, blockRows, func(rows int) build.Value { return w.Add(w.Mul(g.pointVariance, rows), g.variance) })
	alpha = w.Dot(inverse, g.y)
	rest := w.Mul(w.Sub(g.y, w.Dot(matrix, alpha)), magnify) // what rounding left of y
	return covariances, inverse, logDet, w.Add(alpha, w.Mul(w.Dot(inverse, rest), 1.0/magnify))
}

// step returns the loss and, times n, its derivatives by the kernel's parameters: these have more digits, and Adam divides them by their
// size.
func (g *likelihood) step(build.Value) (loss build.Value, gradients []build.Value) {
	w := g.w
	covariances, inverse, logDet, alpha := g.solve()
	is, js := pairs(g.n)
	list := w.Reshape(alpha, g.n)
	h := w.Sub(w.ofPairs(inverse), w.products(w.take(list, is), w.take(list, js)))
	trace := w.Sub(w.trace(inverse), w.Dot(list, list))
	terms := w.products(h, covariances)
	onPairs, onDiagonal := w.Sum(terms), w.Mul(trace, 0.5)
	// yᵀ·α is n less the sum of the elements of H times those of K.
	fit := w.Sub(float64(g.n), w.Add(w.Mul(onPairs, 2), w.Mul(trace, w.Add(g.pointVariance, g.variance))))
	byFeature := w.Const(tensor.F32, 0)
	if g.features.Rank() > 0 {
		byFeature = w.Neg(w.Mul(w.Dot(terms, g.features), g.byFeature))
	}
	return w.Mul(w.Add(fit, logDet), 0.5/float64(g.n)), []build.Value{
		w.Add(onPairs, w.Mul(onDiagonal, g.pointVariance)),
		w.Neg(w.Mul(w.Dot(terms, g.places), g.byPlace)),
		byFeature,
		w.Mul(onDiagonal, w.Sub(g.variance, leastNoise)),
	}
}

// gpr is exact Gaussian process regression. Each step decreases the negative logarithm of the marginal likelihood.
func gpr(w *writer) ([]build.Value, error) {
	p := w.p
	near := w.arg("trained", party.Public, p.squaredDistances(p.train, p.train))
	far := w.arg("all", party.Public, p.squaredDistances(p.all(), p.train))
	g := w.likelihood(near)
	losses := w.m.TrainGradients(w.job.epochs, nn.Adam{Rate: nn.Constant(adamRate)}, g.step)
	_, inverse, _, alpha := g.solve()
	across := g.covariance(far, g.apart(func(v build.Value) build.Value { return v }, w.trained))
	mean := w.Dot(across, alpha)
	variance := w.Add(w.Sub(g.pointVariance, w.Sum(w.Mul(w.Dot(across, inverse), across), 1)), g.variance)
	return []build.Value{mean, losses, w.Reshape(variance, p.sites, 1)}, nil
}

// spread returns k training sites that are far from each other: each one is the farthest from those before it.
func (p *problem) spread(k int) []int {
	out := []int{p.train[0]}
	for len(out) < k {
		best, far := 0, -1.0
		for _, i := range p.train {
			d := math.Inf(1)
			for _, j := range out {
				d = min(d, p.distance(i, j))
			}
			if d > far {
				best, far = i, d
			}
		}
		out = append(out, best)
	}
	return out
}

// vgpr is variational Gaussian process regression with inducing points, which are training sites. With K = L·Lᵀ of the
// inducing points, the values there are L·u, and u has the normal distribution with mean m and covariance R·Rᵀ. Each step
// increases the evidence's lower bound, estimated from a batch.
func vgpr(w *writer) ([]build.Value, error) {
	p := w.p
	n, points := len(p.train), p.spread(min(inducing, len(p.train)/4))
	z := len(points)
	size := n / batches
	within := w.arg("inducing", party.Public, p.squaredDistances(points, points))
	near := w.arg("trained", party.Public, p.squaredDistances(p.train, points))
	far := w.arg("all", party.Public, p.squaredDistances(p.all(), points))
	drawn := w.arg("batches", party.Public, p.shuffledBatches(size))
	k := w.kernel()
	mean := w.m.Param("mean", nn.Fill(0), z, 1)
	root := w.m.Param("root", nn.Fill(0), z, z) // below the diagonal R's elements, on it their logarithms
	y := w.Reshape(w.trained(w.y), n, 1)
	all := func(v build.Value) build.Value { return v }
	at := func(v build.Value) build.Value { return w.rows(v, points) }
	between, toTrained, toAll := k.apart(at, at), k.apart(w.trained, at), k.apart(all, at)
	one := w.diagonal(z, w.Const(tensor.F32, 1))
	below := w.Convert(w.Greater(w.Iota(tensor.I32, 0, z, z), w.Iota(tensor.I32, 1, z, z)), tensor.F32)
	// predict returns the mean and the variance of the process for rows.
	predict := func(places, features build.Value) (mu, variance, r, logs build.Value) {
		logs = w.Sum(w.Mul(root.Value(), one), 1)
		r = w.Add(w.Mul(root.Value(), below), w.Mul(w.Reshape(w.Exp(logs), z, 1), one))
		l := w.cholesky(w.Add(k.covariance(within, between), w.diagonal(z, w.Const(tensor.F32, jitter))))
		a := w.solve(l, w.Transpose(k.covariance(places, features)), false) // z × rows
		mu = w.Dot(w.Transpose(a), mean.Value())
		variance = w.Add(w.Sub(k.pointVariance, w.squares(a, 0)), w.squares(w.Dot(w.Transpose(r), a), 0))
		return mu, variance, r, logs
	}
	losses := w.m.TrainHistory(w.job.epochs*batches, nn.Adam{Rate: nn.Constant(adamRate)}, func(step build.Value) build.Value {
		k.set()
		rows := w.Reshape(w.DynamicSlice(drawn, []build.Value{w.Rem(step, samples*batches), w.Const(step.DType(), 0)}, 1, size), size)
		some := func(v build.Value) build.Value {
			if v.Rank() == 0 {
				return v
			}
			return w.Take(v, rows, 0)
		}
		mu, variance, r, logs := predict(some(near), some(toTrained))
		e := w.Sub(some(y), mu)
		fit := w.Mul(w.Div(w.Add(w.Mean(w.Mul(e, e)), w.Mean(variance)), k.variance), 0.5)
		fit = w.Add(fit, w.Mul(w.Log(k.variance), 0.5))
		apart := w.Sub(w.Mul(w.Add(w.squares(r), w.squares(mean.Value())), 0.5/float64(n)), w.Mul(w.Sum(logs), 1/float64(n)))
		return w.Add(fit, apart)
	})
	k.set()
	mu, variance, _, _ := predict(far, toAll)
	return []build.Value{mu, losses, w.Reshape(w.Add(variance, k.variance), p.sites, 1)}, nil
}

// shuffledBatches are permutations of the training sites, split into batches of the given size, which are taken in turns.
func (p *problem) shuffledBatches(size int) *tensor.Array {
	r := rand.New(rand.NewPCG(1, 3))
	var out []uint64
	for range samples {
		for _, i := range r.Perm(len(p.train))[:batches*size] {
			out = append(out, uint64(i))
		}
	}
	return tensor.FromWords(tensor.I32, tensor.Shape{samples * batches, size}, out)
}
