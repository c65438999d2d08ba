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
	trained                 *nn.Param // all that is trained: changes of s, p, q and of the noise, and the model's own parameters
	s, byPlace, byFeature   build.Value
	logNoise                build.Value // logarithm of the variance of the noise, less leastNoise
	own                     build.Value // a vector: the model's own parameters
	values                  build.Value // sites × secret features
	squares                 build.Value // by site: square of the norm of the features
	pointVariance, variance build.Value // e^s, and the variance of the noise
}

// kernel declares the parameters of a kernel and so many of the model's own, as one vector, which an optimiser updates at
// once.
func (w *writer) kernel(own int) *kernel {
	k := &kernel{w: w, trained: w.m.Param("parameters", nn.Fill(0), len(firstKernel)+own)}
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
	w, all := k.w, k.trained.Value()
	at := func(i int) build.Value {
		return w.Add(w.Reshape(w.Slice(all, []int{i}, []int{i + 1})), firstKernel[i])
	}
	k.s, k.byPlace, k.byFeature, k.logNoise = at(0), w.Exp(at(1)), w.Exp(at(2)), at(3)
	k.pointVariance = w.Exp(k.s)
	k.variance = w.Add(w.Exp(k.logNoise), leastNoise)
	k.own = w.Slice(all, []int{len(firstKernel)}, []int{all.Dim(0)})
}

// gradient joins the derivatives by the kernel's parameters, scalars, and those by the model's own.
func (k *kernel) gradient(own build.Value, scalars ...build.Value) []build.Value {
	for i, v := range scalars {
		scalars[i] = k.w.Reshape(v, 1)
	}
	return []build.Value{k.w.Concat(0, append(scalars, own)...)}
}

// firstKernel lists the first values of s, p, q and the logarithm of the noise.
var firstKernel = [4]float64{0, 0.5, -2.5, -1.5}

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
	g := &likelihood{kernel: w.kernel(0), n: len(w.p.train), places: w.ofPairs(near)}
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
	return w.Mul(w.Add(fit, logDet), 0.5/float64(g.n)), g.gradient(g.own,
		w.Add(onPairs, w.Mul(onDiagonal, g.pointVariance)),
		w.Neg(w.Mul(w.Dot(terms, g.places), g.byPlace)),
		byFeature,
		w.Mul(onDiagonal, w.Sub(g.variance, leastNoise)))
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

// variational is the variational approximation of a Gaussian process with inducing points, which are training sites. The values
// there are L·u, where L·Lᵀ is their covariance with the parameters' first values, and u has the normal distribution with mean m and
// covariance R·Rᵀ. Trained are m, the logarithms of R's diagonal, and its elements below the diagonal.
type variational struct {
	*kernel
	n                int
	points           []int
	places, features build.Value // by pair of points: squared distances
	l, logs          build.Value // L, and the logarithms of its diagonal
}

func (w *writer) variational(within build.Value, points []int) *variational {
	z := len(points)
	g := &variational{kernel: w.kernel(2*z + z*(z-1)/2), n: len(w.p.train), points: points, places: w.ofPairs(within)}
	if g.features = g.apart(g.at, g.at); g.features.Rank() > 0 {
		g.features = w.ofPairs(g.features)
	}
	_, k := g.inducing()
	g.l = w.Op(hlo.OpCholesky, []build.Value{k}, hlo.Attrs{"lower": true})[0]
	rows, columns := w.Iota(tensor.I32, 0, z, z), w.Iota(tensor.I32, 1, z, z)
	g.l = w.Select(w.GreaterEqual(rows, columns), g.l, 0)
	g.logs = w.Log(w.diagonalOf(g.l))
	return g
}

// at returns the rows of the inducing points.
func (g *variational) at(v build.Value) build.Value { return g.w.rows(v, g.points) }

// inducing returns the covariances of the inducing points, of pairs and as a matrix K.
func (g *variational) inducing() (covariances, matrix build.Value) {
	covariances = g.covariance(g.places, g.features)
	return covariances, g.w.symmetric(len(g.points), covariances, g.w.Add(g.pointVariance, jitter))
}

// inverse returns K⁻¹ and log|K|.
func (g *variational) inverse(matrix build.Value) (inverse, logDet build.Value) {
	w := g.w
	return w.inverse(matrix, blockRows, func(rows int) build.Value { return w.Add(w.Mul(g.pointVariance, rows), jitter) })
}

// moments returns the mean of the values at the points, L·m, and a root of their covariance, L·R, with the logarithms of R's diagonal.
func (g *variational) moments() (mean, root, logs build.Value) {
	w, z := g.w, len(g.points)
	part := func(from, to int) build.Value { return w.Slice(g.own, []int{from}, []int{to}) }
	logs = part(z, 2*z)
	below := part(2*z, g.own.Dim(0))
	at := make([]uint64, z*z) // within below, the diagonal, and a zero
	for i := range at {
		at[i] = uint64(below.Dim(0) + z)
	}
	is, js := pairs(z)
	for k := range is {
		at[int(is[k])*z+int(js[k])] = uint64(k)
	}
	for i := range z {
		at[i*(z+1)] = uint64(below.Dim(0) + i)
	}
	r := w.take(w.Concat(0, below, w.Exp(logs), w.Const(tensor.F32, 0, 1)), at, z, z)
	return w.Dot(g.l, w.Reshape(part(0, z), z, 1)), w.Dot(g.l, r), logs
}

// predict returns the mean and the variance of the process at sites whose covariances with the points are the columns of across.
func (g *variational) predict(inverse, across, mean, root, pointVariance build.Value) (mu, variance build.Value) {
	w := g.w
	a := w.Dot(inverse, across)
	mu = w.Dot(w.Transpose(a, 1, 0), mean)
	variance = w.Add(w.Sub(pointVariance, w.Sum(w.Mul(across, a), 0)), w.squares(w.Dot(w.Transpose(root, 1, 0), a), 0))
	return mu, variance
}

// step returns the loss, the negative lower bound of the evidence a site, estimated from a batch with values y and squared
// distances to the points, and the loss's derivatives times n by the kernel's parameters, m and R. The derivatives by K⁻¹ and by the
// covariances across are those of the program; the others follow from these.
func (g *variational) step(y, places, features build.Value) (loss build.Value, gradients []build.Value) {
	w, n := g.w, float64(g.n)
	g.set()
	within, matrix := g.inducing()
	inverse, logDet := g.inverse(matrix)
	across := g.covariance(places, features)
	// Neither K⁻¹ nor across depends on the values that are called free here.
	free, noise := w.Exp(g.s), w.Add(w.Exp(g.logNoise), leastNoise)
	mean, root, logs := g.moments()
	mu, variance := g.predict(inverse, across, mean, root, free)
	e := w.Sub(y, mu)
	fit := w.Mul(w.Add(w.Mul(w.Add(w.Mean(w.Mul(e, e)), w.Mean(variance)), w.Div(1, noise)), w.Log(noise)), n/2)
	spread := w.Add(w.Sum(w.Mul(w.Dot(inverse, root), root)), w.Sum(w.Mul(w.Dot(inverse, mean), mean)))
	bound := w.Sub(w.Add(fit, w.Mul(spread, 0.5)), w.Sum(logs))
	d := w.Gradient(bound, inverse, across, free, noise, g.own)
	loss = w.Mul(w.Add(bound, w.Sub(w.Mul(logDet, 0.5), w.Sum(g.logs))), 1/n)

	// By K: half of K⁻¹, of the logarithm, less K⁻¹·D·K⁻¹ for the derivative D by K⁻¹.
	byInverse := w.Mul(w.Add(d[0], w.Transpose(d[0], 1, 0)), 0.5)
	byK := w.Sub(w.Mul(inverse, 0.5), w.Dot(w.Dot(inverse, byInverse), inverse))
	onPairs := w.Mul(w.products(w.ofPairs(byK), within), 2)
	size := across.Dim(0) * across.Dim(1)
	flat := func(v build.Value) build.Value { return w.Reshape(v, size) }
	terms := w.products(flat(d[1]), flat(across))
	sum := func(distances, between build.Value) build.Value {
		return w.Add(w.Dot(onPairs, distances), w.Dot(terms, flat(between)))
	}
	byFeature := w.Const(tensor.F32, 0)
	if features.Rank() > 0 {
		byFeature = w.Neg(w.Mul(sum(g.features, features), g.byFeature))
	}
	bySize := w.Add(w.Add(w.Sum(onPairs), w.Sum(terms)), w.Mul(w.Add(w.trace(byK), d[2]), g.pointVariance))
	byPlace := w.Neg(w.Mul(sum(g.places, places), g.byPlace))
	return loss, g.gradient(d[4], bySize, byPlace, byFeature, w.Mul(d[3], w.Sub(g.variance, leastNoise)))
}

// vgpr is variational Gaussian process regression with inducing points. Each step increases the evidence's lower bound, estimated
// from a batch.
func vgpr(w *writer) ([]build.Value, error) {
	p := w.p
	n, points := len(p.train), p.spread(min(inducing, len(p.train)/4))
	size := n / batches
	within := w.arg("inducing", party.Public, p.squaredDistances(points, points))
	near := w.arg("trained", party.Public, p.squaredDistances(points, p.train))
	far := w.arg("all", party.Public, p.squaredDistances(points, p.all()))
	drawn := w.arg("batches", party.Public, p.shuffledBatches(size))
	g := w.variational(within, points)
	y := w.Reshape(w.trained(w.y), n, 1)
	toTrained, toAll := g.apart(g.at, w.trained), g.apart(g.at, func(v build.Value) build.Value { return v })
	batch := func(step build.Value) (loss build.Value, gradients []build.Value) {
		rows := w.Reshape(w.DynamicSlice(drawn, []build.Value{w.Rem(step, samples*batches), w.Const(step.DType(), 0)}, 1, size), size)
		some := func(v build.Value) build.Value {
			if v.Rank() == 0 {
				return v
			}
			return w.Take(v, rows, 1)
		}
		return g.step(w.Take(y, rows, 0), some(near), some(toTrained))
	}
	losses := w.m.TrainGradients(w.job.epochs*batches, nn.Adam{Rate: nn.Constant(adamRate)}, batch)
	g.set()
	_, matrix := g.inducing()
	inverse, _ := g.inverse(matrix)
	mean, root, _ := g.moments()
	mu, variance := g.predict(inverse, g.covariance(far, toAll), mean, root, g.pointVariance)
	return []build.Value{mu, losses, w.Reshape(w.Add(variance, g.variance), p.sites, 1)}, nil
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
