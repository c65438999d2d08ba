package onnx

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var imageOps = map[string]operation{
	".Resize":   {build: resize, known: []int{1, 2, 3}},
	".Upsample": {build: resize, known: []int{1}},
	".Col2Im":   {build: col2Im, known: []int{1, 2}},

	".AffineGrid": {build: affineGrid, known: []int{1}},
	".GridSample": {build: gridSample},
}

// resized is how one dimension is resized.
type resized struct {
	in, out    int
	scale      float64 // elements of the result for one of the input
	start, end float64 // part of the input that tf_crop_and_resize takes
}

// resize interpolates along each dimension: the weights are public, so that it is a product with a matrix.
func resize(x *node) []*value {
	b, s, v := x.b, x.shape(0), x.v(0)
	dims := x.resizedDims(s)
	mode := x.text("mode", "nearest")
	for d, r := range dims {
		if r.in == r.out && r.scale == 1 && r.start == 0 && r.end == 1 {
			continue
		}
		if r.in == 0 || r.out < 1 {
			x.fail("the model does not take inputs of this shape", "dimension %d has %d elements and gets %d", d, r.in, r.out)
		}
		if mode == "nearest" {
			x.few(r.out)
			places, outside := make([]int, r.out), make([]bool, r.out)
			for i := range places {
				p := x.coordinate(i, r)
				outside[i] = x.extrapolates() && (p < 0 || p > float64(r.in-1))
				places[i] = max(0, min(r.in-1, x.nearest(p, r)))
			}
			v = x.extrapolated(take(b, v, places, d), d, outside)
			continue
		}
		x.few(r.in, r.out)
		m, outside := x.interpolation(r, mode)
		matrix := x.constant(tensor.FromFloats(tensor.F32, tensor.Shape{r.in, r.out}, m))
		f := v
		if !f.DType().IsFloat() {
			f = b.Convert(f, tensor.F32)
		}
		if f.DType() != tensor.F32 {
			matrix = b.Convert(matrix, f.DType())
		}
		product := b.DotGeneral(f, matrix, hlo.DotDims{LHSContract: []int{d}, RHSContract: []int{0}})
		perm := []int{}
		for i := range len(s) - 1 {
			perm = append(perm, i)
		}
		v = x.extrapolated(b.Transpose(product, slices.Insert(perm, d, len(s)-1)...), d, outside)
	}
	if v.DType() != x.typ(0).DType {
		v = b.Convert(b.Round(v), x.typ(0).DType)
	}
	return one(v)
}

func (x *node) extrapolates() bool {
	return x.text("coordinate_transformation_mode", "half_pixel") == "tf_crop_and_resize"
}

// extrapolated replaces elements whose place is outside of the input.
func (x *node) extrapolated(v build.Value, dim int, outside []bool) build.Value {
	if !slices.Contains(outside, true) {
		return v
	}
	b := x.b
	mask := b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{len(outside)}}, Data: outside})
	return b.Select(b.BroadcastInDim(mask, []int{dim}, v.Shape()...), x.float("extrapolation_value", 0), v)
}

// resizedDims reads sizes or scales.
func (x *node) resizedDims(s tensor.Shape) []resized {
	roi, scales, sizes := -1, 2, 3
	if x.n.Op == "Upsample" || x.opset < 11 {
		scales, sizes = 1, -1
	} else if x.has(1) {
		roi = 1
	}
	axes := make([]int, len(s))
	for i := range axes {
		axes[i] = i
	}
	if l := x.ints("axes"); l != nil {
		axes = x.axes(l, len(s))
	}
	out := make([]resized, len(s))
	for i, n := range s {
		out[i] = resized{n, n, 1, 0, 1}
	}
	if sizes > 0 && x.has(sizes) && x.shape(sizes).Size() > 0 {
		want := x.numbers(sizes)
		if len(want) != len(axes) {
			x.fail("the file is damaged", "%d sizes for %d dimensions", len(want), len(axes))
		}
		// One factor for all dimensions keeps the ratio of the sides.
		policy, same := x.text("keep_aspect_ratio_policy", "stretch"), math.NaN()
		for i, a := range axes {
			f := float64(want[i]) / float64(s[a])
			if policy == "not_larger" && !(f >= same) || policy == "not_smaller" && !(f <= same) {
				same = f
			}
		}
		for i, a := range axes {
			out[a].out, out[a].scale = want[i], float64(want[i])/float64(s[a])
			if policy != "stretch" {
				out[a].out, out[a].scale = int(math.Floor(same*float64(s[a])+0.5)), same
			}
		}
	} else {
		var f []float64
		if x.has(scales) {
			f = x.array(scales).Floats()
		} else {
			for _, k := range x.floats("scales") {
				f = append(f, float64(k))
			}
		}
		if len(f) != len(axes) {
			x.fail("the file is damaged", "%d scales for %d dimensions", len(f), len(axes))
		}
		for i, a := range axes {
			size := math.Floor(float64(s[a]) * f[i])
			if !(size >= 1 && size < math.MaxInt32) {
				x.fail("the file is damaged", "the scale of dimension %d is %v", a, f[i])
			}
			out[a].out, out[a].scale = int(size), f[i]
		}
	}
	if roi > 0 && x.extrapolates() {
		r := x.array(roi).Floats()
		if len(r) != 2*len(axes) {
			x.fail("the file is damaged", "the region has %d numbers, want %d", len(r), 2*len(axes))
		}
		for i, a := range axes {
			out[a].start, out[a].end = r[i], r[len(axes)+i]
		}
	}
	return out
}

// coordinate is the place in the input of element i of the result.
func (x *node) coordinate(i int, r resized) float64 {
	at := float64(i)
	length := r.scale * float64(r.in) // of the result, before it was rounded down
	mode := x.text("coordinate_transformation_mode", "half_pixel")
	if x.n.Op == "Upsample" || x.opset < 11 {
		mode = "asymmetric"
	}
	switch mode {
	case "half_pixel":
		return (at+0.5)/r.scale - 0.5
	case "half_pixel_symmetric":
		adjustment := float64(r.out) / length
		centre := float64(r.in) / 2
		return centre*(1-adjustment) + (at+0.5)/r.scale - 0.5
	case "pytorch_half_pixel":
		if length <= 1 {
			return 0
		}
		return (at+0.5)/r.scale - 0.5
	case "align_corners":
		if length <= 1 {
			return 0
		}
		return at * float64(r.in-1) / (length - 1)
	case "asymmetric":
		return at / r.scale
	case "tf_crop_and_resize":
		if length <= 1 {
			return 0.5 * (r.start + r.end) * float64(r.in-1)
		}
		return r.start*float64(r.in-1) + at*(r.end-r.start)*float64(r.in-1)/(length-1)
	}
	x.fail("the file is damaged", "coordinate_transformation_mode is %q", mode)
	return 0
}

// nearest is the index that stands for a place.
func (x *node) nearest(p float64, r resized) int {
	mode := x.text("nearest_mode", "round_prefer_floor")
	if x.n.Op == "Upsample" || x.opset < 11 {
		mode = "floor"
	}
	switch mode {
	case "round_prefer_floor":
		return int(math.Ceil(p - 0.5))
	case "round_prefer_ceil":
		return int(math.Floor(p + 0.5))
	case "floor":
		return int(math.Floor(p))
	case "ceil":
		return int(math.Ceil(p))
	}
	x.fail("the file is damaged", "nearest_mode is %q", mode)
	return 0
}

// interpolation is the matrix by which the elements along a dimension are multiplied, and which results are outside.
func (x *node) interpolation(r resized, mode string) (m []float64, outside []bool) {
	m, outside = make([]float64, r.in*r.out), make([]bool, r.out)
	antialias := x.int("antialias", 0) != 0 && r.scale < 1
	exclude := x.int("exclude_outside", 0) != 0
	a := x.float("cubic_coeff_a", -0.75)
	for i := range r.out {
		p := x.coordinate(i, r)
		if x.extrapolates() && (p < 0 || p > float64(r.in-1)) {
			outside[i] = true
			continue
		}
		var taps map[int]float64
		switch mode {
		case "linear":
			taps = kernelTaps(p, 1, r.scale, antialias, func(t float64) float64 { return max(0, 1-math.Abs(t)) })
		case "cubic":
			taps = kernelTaps(p, 2, r.scale, antialias, func(t float64) float64 { return cubic(t, a) })
		default:
			x.fail("the file is damaged", "mode is %q", mode)
		}
		total := 0.0
		for k, w := range taps {
			if exclude && (k < 0 || k >= r.in) {
				continue
			}
			total += w
		}
		for k, w := range taps {
			if exclude && (k < 0 || k >= r.in) {
				continue
			}
			if exclude || antialias {
				w /= total
			}
			m[max(0, min(r.in-1, k))*r.out+i] += w
		}
	}
	return m, outside
}

// kernelTaps are the weights of the elements around a place. An antialiasing kernel is wider.
func kernelTaps(p, radius, scale float64, antialias bool, kernel func(t float64) float64) map[int]float64 {
	f := 1.0
	if antialias {
		f = scale
	}
	taps := map[int]float64{}
	f = max(f, 1.0/(1<<12)) // a kernel of at most so many elements
	low := int(math.Floor(p)) - int(math.Ceil(radius/f)) + 1
	high := int(math.Floor(p)) + int(math.Ceil(radius/f))
	for k := low; k <= high; k++ {
		taps[k] = kernel((float64(k) - p) * f)
	}
	return taps
}

// cubic is the kernel of cubic convolution with parameter a.
func cubic(t, a float64) float64 {
	t = math.Abs(t)
	switch {
	case t <= 1:
		return ((a+2)*t-(a+3))*t*t + 1
	case t < 2:
		return ((a*t-5*a)*t+8*a)*t - 4*a
	}
	return 0
}

// col2Im adds blocks up to an image.
func col2Im(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 3)
	image, block := x.numbers(1), x.numbers(2)
	n := len(image)
	if n == 0 || len(block) != n {
		x.fail("the file is damaged", "an image of %d dimensions with blocks of %d", n, len(block))
	}
	size := tensor.Shape(x.sized(block)).Size()
	w := window{block, x.perDim("strides", n, 1, 1), x.perDim("dilations", n, 1, 1), make([][2]int, n)}
	if l := x.ints("pads"); l != nil {
		l = x.perDim("pads", 2*n, 0, 0)
		for i := range n {
			w.padding[i] = [2]int{l[i], l[n+i]}
		}
	}
	if size < 1 || size > 1<<12 || s[1]%size != 0 {
		x.fail("the file is damaged", "%d channels have no blocks of %d", s[1], size)
	}
	places := tensor.Shape{}
	for i := range n {
		if image[i] < 1 || image[i]+w.padding[i][0]+w.padding[i][1] < w.reach(i) {
			x.fail("the file is damaged", "blocks do not fit the image")
		}
		places = append(places, (image[i]+w.padding[i][0]+w.padding[i][1]-w.reach(i))/w.strides[i]+1)
	}
	if places.Size() != s[2] {
		x.fail("the model does not take inputs of this shape", "%d blocks, want %d", s[2], places.Size())
	}
	c := s[1] / size
	v := b.Reshape(x.v(0), append(append([]int{s[0], c}, block...), places...)...)
	// Each element of a block is put at its places by a pad that dilates, and all are added.
	var sum *build.Value
	for e := range size {
		from, to := []int{0, 0}, []int{s[0], c}
		pads := []build.Padding{{}, {}}
		rest := tensor.Shape(block).Strides()
		for i := range n {
			at := e / rest[i] % block[i]
			from, to = append(from, at), append(to, at+1)
			first := at*w.dilations[i] - w.padding[i][0]
			last := first + (places[i]-1)*w.strides[i]
			pads = append(pads, build.Padding{Low: first, High: image[i] - 1 - last, Interior: w.strides[i] - 1})
		}
		for _, p := range places {
			from, to = append(from, 0), append(to, p)
		}
		plane := b.Pad(b.Reshape(b.Slice(v, from, to), append([]int{s[0], c}, places...)...), zero(b, v.DType()), pads...)
		if sum != nil {
			plane = b.Add(*sum, plane)
		}
		sum = &plane
	}
	return one(*sum)
}

// affineGrid is the places that affine maps give the points of a grid, whose sides reach from -1 to 1.
func affineGrid(x *node) []*value {
	b, size := x.b, x.numbers(1)
	n := len(size) - 2
	if n != 2 && n != 3 {
		x.fail("the file is damaged", "a grid has 2 or 3 dimensions, not %d", n)
	}
	x.sized(size)
	sides := tensor.Shape(size[2:])
	if sides.Size() > maxFolded/4 || slices.Contains(sides, 0) {
		x.unsupported("use a smaller grid", "a grid of %v points is not supported", sides)
	}
	points := make([]float64, 0, sides.Size()*(n+1))
	strides := sides.Strides()
	for i := range sides.Size() {
		for d := n - 1; d >= 0; d-- { // the last dimension is the first coordinate
			at, count := float64(i/strides[d]%sides[d]), float64(sides[d])
			switch {
			case x.int("align_corners", 0) == 0:
				points = append(points, (2*at+1)/count-1)
			case count == 1:
				points = append(points, 0)
			default:
				points = append(points, 2*at/(count-1)-1)
			}
		}
		points = append(points, 1)
	}
	theta := x.v(0)
	grid := b.Array(tensor.FromFloats(theta.DType(), tensor.Shape{sides.Size(), n + 1}, points))
	out := b.DotGeneral(theta, grid, hlo.DotDims{LHSContract: []int{2}, RHSContract: []int{1}})
	return one(b.Reshape(b.Transpose(out, 0, 2, 1), append(append([]int{size[0]}, sides...), n)...))
}

// gridSample takes an image's values at places of a grid. A place's weights are a function of its distance from each row and
// from each column, so that no place is revealed.
func gridSample(x *node) []*value {
	b, s, g := x.b, x.ensureDims(0, 4, 5), x.ensureDims(1, 4, 5)
	n := len(s) - 2
	if len(g) != len(s) || g[len(g)-1] != n || g[0] != s[0] {
		x.fail("the model does not take inputs of this shape", "a grid of shape %v for an image of shape %v", g, s)
	}
	mode, border := x.text("mode", "linear"), x.text("padding_mode", "zeros")
	aligned := x.int("align_corners", 0) != 0
	cubicMode := mode == "cubic" || mode == "bicubic"
	if cubicMode && border != "zeros" {
		x.unsupported("use padding_mode zeros", "cubic interpolation with padding_mode %q is not supported", border)
	}
	count := g[1 : len(g)-1].Size()
	places := b.Reshape(x.v(1), g[0], count, n)
	var weights build.Value
	for d := range n {
		size := float64(s[2+d])
		// From [-1, 1] to the number of the row.
		at := b.Reshape(part(b, places, 2, n-1-d, n-d), g[0], count)
		if aligned {
			at = b.Mul(b.Add(at, 1), (size-1)/2)
		} else {
			at = b.Sub(b.Mul(b.Add(at, 1), size/2), 0.5)
		}
		switch border {
		case "zeros":
		case "border":
			at = b.Clamp(0, at, size-1)
		case "reflection":
			low, high := -0.5, size-0.5
			if aligned {
				low, high = 0, size-1
			}
			at = b.Clamp(0, reflected(b, at, low, high-low), size-1)
		default:
			x.fail("the file is damaged", "padding_mode is %q", border)
		}
		shape := []int{g[0], count, s[2+d]}
		rows := b.Iota(at.DType(), 2, shape...)
		wide := func(v build.Value) build.Value { return b.BroadcastInDim(v, []int{0, 1}, shape...) }
		var w build.Value
		switch {
		case mode == "nearest":
			w = b.Convert(b.Equal(wide(b.Round(at)), rows), at.DType())
		case mode == "linear" || mode == "bilinear":
			w = b.Max(b.Sub(b.Const(at.DType(), 1), b.Abs(b.Sub(wide(at), rows))), 0)
		case cubicMode:
			w = cubicWeights(b, b.Abs(b.Sub(wide(at), rows)))
		default:
			x.fail("the file is damaged", "mode is %q", mode)
		}
		if d == 0 {
			weights = w
			continue
		}
		inner := weights.Dim(2)
		both := []int{g[0], count, inner, s[2+d]}
		weights = b.Mul(b.BroadcastInDim(weights, []int{0, 1, 2}, both...), b.BroadcastInDim(w, []int{0, 1, 3}, both...))
		weights = b.Reshape(weights, g[0], count, inner*s[2+d])
	}
	image := b.Reshape(x.v(0), s[0], s[1], s[2:].Size())
	batch := []int{0}
	dims := hlo.DotDims{LHSBatch: batch, RHSBatch: batch, LHSContract: []int{2}, RHSContract: []int{2}}
	out := b.DotGeneral(image, b.Convert(weights, image.DType()), dims)
	return one(b.Reshape(out, append([]int{s[0], s[1]}, g[1:len(g)-1]...)...))
}

// reflected folds places back into an interval of the given length that begins at low.
func reflected(b *build.Builder, at build.Value, low, length float64) build.Value {
	if length <= 0 {
		return b.Mul(at, 0)
	}
	t := b.Abs(b.Sub(at, low))
	t = b.Sub(t, b.Mul(b.Floor(b.Div(t, 2*length)), 2*length)) // in [0, 2·length)
	return b.Add(b.Sub(b.Const(at.DType(), length), b.Abs(b.Sub(t, length))), low)
}

// cubicWeights is the kernel of cubic convolution with a = -0.75 at distances t ≥ 0.
func cubicWeights(b *build.Builder, t build.Value) build.Value {
	const a = -0.75
	near := b.Add(b.Mul(b.Mul(b.Sub(b.Mul(t, a+2), a+3), t), t), 1)
	far := b.Sub(b.Mul(b.Add(b.Mul(b.Sub(b.Mul(t, a), 5*a), t), 8*a), t), 4*a)
	return b.Select(b.LessEqual(t, 1), near, b.Select(b.Less(t, 2), far, 0))
}
