package onnx

import (
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var linearOps = map[string]operation{
	".MatMul":        {build: func(x *node) []*value { return one(x.matMul(x.v(0), x.v(1))) }},
	".Gemm":          {build: gemm},
	".Conv":          {build: conv},
	".ConvTranspose": {build: convTranspose},
	".Einsum":        {build: einsum},

	".CausalConvWithState": {build: causalConv},
}

// matMul multiplies matrices as NumPy does: leading dimensions are broadcast, and a vector is a row on the left and a
// column on the right.
func (x *node) matMul(l, r build.Value) build.Value {
	b := x.b
	ls, rs := l.Shape(), r.Shape()
	if len(ls) == 0 || len(rs) == 0 {
		x.fail("the file is damaged", "a number is no matrix")
	}
	row, column := len(ls) == 1, len(rs) == 1
	if row {
		l, ls = b.Reshape(l, 1, ls[0]), tensor.Shape{1, ls[0]}
	}
	if column {
		r, rs = b.Reshape(r, rs[0], 1), tensor.Shape{rs[0], 1}
	}
	var out build.Value
	if len(rs) == 2 { // the rows of all matrices on the left have one on the right
		out = b.DotGeneral(l, r, hlo.DotDims{LHSContract: []int{len(ls) - 1}, RHSContract: []int{0}})
	} else {
		lead, ok := tensor.CommonShape(ls[:len(ls)-2], rs[:len(rs)-2])
		if !ok {
			x.fail("the model does not take inputs of this shape", "matrices of shapes %v and %v cannot be multiplied", ls, rs)
		}
		n := len(lead)
		l = b.Broadcast(l, append(lead.Clone(), ls[len(ls)-2:]...)...)
		r = b.Broadcast(r, append(lead.Clone(), rs[len(rs)-2:]...)...)
		out = b.DotGeneral(l, r, dotDims(n))
	}
	s := out.Shape()
	if len(s) < 2 {
		return out
	}
	if column {
		s = s[:len(s)-1]
	}
	if row {
		at := len(s) - 2
		if column {
			at = len(s) - 1
		}
		s = slices.Delete(s, at, at+1)
	}
	if row || column {
		out = b.Reshape(out, s...)
	}
	return out
}

func gemm(x *node) []*value {
	b := x.b
	x.ensureDims(0, 2, 2)
	x.ensureDims(1, 2, 2)
	l, r := 1, 0
	if x.int("transA", 0) != 0 {
		l = 0
	}
	if x.int("transB", 0) != 0 {
		r = 1
	}
	out := b.DotGeneral(x.v(0), x.v(1), hlo.DotDims{LHSContract: []int{l}, RHSContract: []int{r}})
	d := out.DType()
	scaled := func(v build.Value, name string) build.Value {
		f := x.float(name, 1)
		if f == 1 {
			return v
		}
		if d.IsInt() {
			return b.Mul(v, b.Convert(b.Const(tensor.F32, f), d))
		}
		return b.Mul(v, f)
	}
	out = scaled(out, "alpha")
	if x.has(2) {
		out = b.Add(out, scaled(x.v(2), "beta"))
	}
	return one(out)
}

// channelsFirst are the dimension numbers of convolutions whose features are the second dimension.
func channelsFirst(spatial int) *hlo.ConvDims {
	d := &hlo.ConvDims{InFeature: 1, KerIn: 1, OutFeature: 1}
	for i := range spatial {
		d.InSpatial, d.KerSpatial, d.OutSpatial = append(d.InSpatial, i+2), append(d.KerSpatial, i+2), append(d.OutSpatial, i+2)
	}
	return d
}

// window is what convolutions and pools have in common, with a number for each spatial dimension.
type window struct {
	size, strides, dilations []int
	padding                  [][2]int
}

// perDim is an attribute with a number for each spatial dimension.
func (x *node) perDim(name string, n, otherwise, least int) []int {
	list := x.ints(name)
	if list == nil {
		return slices.Repeat([]int{otherwise}, n)
	}
	if len(list) != n {
		x.fail("the file is damaged", "%s has %d numbers, want %d", name, len(list), n)
	}
	for _, k := range list {
		if k < least || k > 1<<24 {
			x.fail("the file is damaged", "%s is %v", name, list)
		}
	}
	return list
}

// window reads a window over spatial dimensions. size is that of the kernel; nil stands for kernel_shape.
func (x *node) window(spatial, size []int) window {
	n := len(spatial)
	if size == nil {
		if x.ints("kernel_shape") == nil {
			x.fail("the file is damaged", "kernel_shape is missing")
		}
		size = x.perDim("kernel_shape", n, 1, 1)
	}
	w := window{size, x.perDim("strides", n, 1, 1), x.perDim("dilations", n, 1, 1), make([][2]int, n)}
	switch auto := x.text("auto_pad", "NOTSET"); auto {
	case "NOTSET", "":
		if list := x.ints("pads"); list != nil {
			list = x.perDim("pads", 2*n, 0, 0)
			for i := range n {
				w.padding[i] = [2]int{list[i], list[n+i]}
			}
		}
	case "VALID":
	case "SAME_UPPER", "SAME_LOWER":
		for i, in := range spatial {
			out := (in + w.strides[i] - 1) / w.strides[i]
			total := max(0, (out-1)*w.strides[i]+w.reach(i)-in)
			w.padding[i] = [2]int{total / 2, total - total/2}
			if auto == "SAME_LOWER" {
				w.padding[i] = [2]int{total - total/2, total / 2}
			}
		}
	default:
		x.fail("the file is damaged", "auto_pad is %q", auto)
	}
	return w
}

// reach is the number of elements that a dilated window spans.
func (w window) reach(i int) int { return (w.size[i]-1)*w.dilations[i] + 1 }

// fits fails if a dimension has no place for the window.
func (x *node) fits(w window, spatial []int) {
	for i, n := range spatial {
		if n+w.padding[i][0]+w.padding[i][1] < w.reach(i) {
			x.fail("give a larger input", "a window of %d elements does not fit dimension %d, which has %d", w.reach(i), i+2, n)
		}
	}
}

func conv(x *node) []*value {
	return one(x.convolution(x.v(0), x.v(1), 2))
}

// convolution convolves v with kernel. bias is the number of the input that is added.
func (x *node) convolution(v, kernel build.Value, bias int) build.Value {
	b, s, k := x.b, v.Shape(), kernel.Shape()
	if len(s) < 3 || len(k) != len(s) {
		x.fail("the file is damaged, or its inputs have other shapes", "the input has %d dimensions and the kernel %d", len(s), len(k))
	}
	w := x.window(s[2:], k[2:])
	x.fits(w, s[2:])
	out := b.Conv(v, kernel, build.Conv{
		Dims: channelsFirst(len(s) - 2), Strides: w.strides, KernelDilation: w.dilations, Padding: w.padding, FeatureGroups: x.int("group", 1),
	})
	return x.withBias(out, bias)
}

// withBias adds input i, a number for each channel, if there is one.
func (x *node) withBias(v build.Value, i int) build.Value {
	if !x.has(i) {
		return v
	}
	return x.b.Add(v, x.perChannel(x.v(i), v))
}

// perChannel gives a vector the shape in which it broadcasts to v along v's second dimension.
func (x *node) perChannel(f, v build.Value) build.Value {
	if f.Rank() != 1 || v.Rank() < 2 {
		x.fail("the file is damaged", "a tensor of %d dimensions has no number for each channel", f.Rank())
	}
	return x.b.BroadcastInDim(f, []int{1}, v.Shape()...)
}

// convTranspose is the gradient of a convolution: the input is dilated by the strides, and the kernel turned around.
func convTranspose(x *node) []*value {
	b, s, k := x.b, x.ensureDims(0, 3, 64), x.ensureDims(1, 3, 64)
	n := len(s) - 2
	if len(k) != len(s) {
		x.fail("the file is damaged, or its inputs have other shapes", "the input has %d dimensions and the kernel %d", len(s), len(k))
	}
	w := window{k[2:], x.perDim("strides", n, 1, 1), x.perDim("dilations", n, 1, 1), make([][2]int, n)}
	extra := x.perDim("output_padding", n, 0, 0)
	wanted := x.ints("output_shape")
	if len(wanted) == n+2 {
		wanted = wanted[2:]
	}
	if list := x.ints("pads"); list != nil {
		list = x.perDim("pads", 2*n, 0, 0)
		for i := range n {
			w.padding[i] = [2]int{list[i], list[n+i]}
		}
	}
	auto := x.text("auto_pad", "NOTSET")
	for i := range n {
		size := w.strides[i]*(s[2+i]-1) + extra[i] + w.reach(i)
		target := -1
		if wanted != nil {
			if len(wanted) != n {
				x.fail("the file is damaged", "output_shape has %d numbers, want %d", len(wanted), n)
			}
			target = wanted[i]
		} else if strings.HasPrefix(auto, "SAME") {
			target = s[2+i] * w.strides[i]
		}
		if target >= 0 {
			total := size - target
			half := total / 2
			if total < 0 { // the missing elements are zeros at the end
				extra[i] -= total
				total, half = 0, 0
			}
			w.padding[i] = [2]int{half, total - half}
			if auto == "SAME_LOWER" || auto != "SAME_UPPER" && wanted != nil && auto != "NOTSET" {
				w.padding[i] = [2]int{total - half, half}
			}
		}
	}
	groups := x.int("group", 1)
	if groups < 1 || k[0]%groups != 0 {
		x.fail("the file is damaged", "%d channels have no %d groups", k[0], groups)
	}
	kernel := x.v(1)
	if groups > 1 {
		wide := append([]int{groups, k[0] / groups, k[1]}, w.size...)
		perm := []int{0, 2, 1}
		for i := range n {
			perm = append(perm, 3+i)
		}
		kernel = b.Reshape(b.Transpose(b.Reshape(kernel, wide...), perm...), append([]int{groups * k[1], k[0] / groups}, w.size...)...)
	} else {
		perm := []int{1, 0}
		for i := range n {
			perm = append(perm, 2+i)
		}
		kernel = b.Transpose(kernel, perm...)
	}
	var spatial []int
	padding := make([][2]int, n)
	for i := range n {
		spatial = append(spatial, 2+i)
		padding[i] = [2]int{w.reach(i) - 1 - w.padding[i][0], w.reach(i) - 1 - w.padding[i][1] + extra[i]}
	}
	out := b.Conv(x.v(0), b.Reverse(kernel, spatial...), build.Conv{
		Dims: channelsFirst(n), InputDilation: w.strides, KernelDilation: w.dilations, Padding: padding, FeatureGroups: groups,
	})
	return one(x.withBias(out, 2))
}

// einsum is a sum of products in Einstein's notation.
func einsum(x *node) []*value {
	b := x.b
	text := strings.ReplaceAll(x.text("equation", ""), " ", "")
	left, right, explicit := strings.Cut(text, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(x.in) {
		x.fail("the file is damaged", "the equation %q has %d operands, and the node %d", text, len(terms), len(x.in))
	}
	// Dimensions of an ellipsis are called 1, 2, …, counted from the last one.
	widest := 0
	var labels [][]rune
	var vs []build.Value
	for i, term := range terms {
		v := x.v(i)
		spelled, n := x.spell(term, v.Rank())
		widest = max(widest, n)
		labels, vs = append(labels, spelled), append(vs, v)
	}
	var ellipsis []rune
	for i := widest; i >= 1; i-- {
		ellipsis = append(ellipsis, rune(i))
	}
	var out []rune
	if explicit {
		out = []rune(strings.ReplaceAll(right, "...", string(ellipsis)))
	} else {
		out = implicit(labels, ellipsis)
	}
	sizes := map[rune]int{}
	for i := range vs {
		vs[i], labels[i] = diagonal(x, vs[i], labels[i])
		for d, l := range labels[i] {
			sizes[l] = max(sizes[l], vs[i].Dim(d))
		}
	}
	v, have := vs[0], labels[0]
	for i := 1; i < len(vs); i++ {
		later := slices.Concat(append(slices.Clone(labels[i+1:]), out)...)
		v, have = contract(b, v, have, vs[i], labels[i], later)
	}
	var drop []int
	var kept []rune
	for d, l := range have {
		if slices.Contains(out, l) {
			kept = append(kept, l)
		} else {
			drop = append(drop, d)
		}
	}
	if drop != nil {
		v = b.Sum(v, drop...)
	}
	var perm []int
	for _, l := range out {
		d := slices.Index(kept, l)
		if d < 0 {
			x.fail("the file is damaged", "the equation %q has a result's dimension that no operand has", text)
		}
		perm = append(perm, d)
	}
	if len(perm) > 1 {
		v = b.Transpose(v, perm...)
	}
	return one(v)
}

// spell is the labels of an operand's dimensions; n of them stand for an ellipsis.
func (x *node) spell(term string, rank int) (labels []rune, n int) {
	before, after, dots := strings.Cut(term, "...")
	if dots {
		n = rank - len(before) - len(after)
	}
	if n < 0 || n > 64 || !dots && len(before) != rank {
		x.fail("the file is damaged, or its inputs have other shapes", "%q does not name %d dimensions", term, rank)
	}
	labels = []rune(before)
	for i := n; i >= 1; i-- {
		labels = append(labels, rune(i))
	}
	return append(labels, []rune(after)...), n
}

// implicit is the labels of a result that the equation leaves out: those that occur once, sorted.
func implicit(labels [][]rune, ellipsis []rune) []rune {
	count := map[rune]int{}
	for _, l := range slices.Concat(labels...) {
		count[l]++
	}
	var once []rune
	for l, n := range count {
		if n == 1 && l > 64 {
			once = append(once, l)
		}
	}
	slices.Sort(once)
	return append(slices.Clone(ellipsis), once...)
}

// diagonal takes the diagonal of dimensions that have one label.
func diagonal(x *node, v build.Value, labels []rune) (build.Value, []rune) {
	b := x.b
	for d := 0; d < len(labels); d++ {
		e := slices.Index(labels[d+1:], labels[d])
		if e < 0 {
			continue
		}
		e += d + 1
		s := v.Shape()
		if s[d] != s[e] {
			x.fail("the model does not take inputs of this shape", "dimensions of sizes %d and %d have one label", s[d], s[e])
		}
		same := b.Equal(b.Iota(tensor.I32, d, s...), b.Iota(tensor.I32, e, s...))
		v = b.Sum(b.Select(same, v, zero(b, v.DType())), e)
		labels = slices.Delete(slices.Clone(labels), e, e+1)
		d--
	}
	return v, labels
}

// contract multiplies two tensors and sums over labels that occur in neither of later.
func contract(b *build.Builder, l build.Value, ll []rune, r build.Value, rl []rune, later []rune) (build.Value, []rune) {
	var dims hlo.DotDims
	var batch, lfree, rfree []rune
	// Labels of one operand alone that nothing needs later are summed first; dimensions of size 1 that are broadcast too.
	l, ll = sumAlone(b, l, ll, r, rl, later)
	r, rl = sumAlone(b, r, rl, l, ll, later)
	for d, label := range ll {
		e := slices.Index(rl, label)
		switch {
		case e < 0:
			lfree = append(lfree, label)
		case slices.Contains(later, label):
			dims.LHSBatch, dims.RHSBatch = append(dims.LHSBatch, d), append(dims.RHSBatch, e)
			batch = append(batch, label)
		default:
			dims.LHSContract, dims.RHSContract = append(dims.LHSContract, d), append(dims.RHSContract, e)
		}
	}
	for _, label := range rl {
		if !slices.Contains(ll, label) {
			rfree = append(rfree, label)
		}
	}
	return b.DotGeneral(l, r, dims), slices.Concat(batch, lfree, rfree)
}

// sumAlone sums v over labels that neither the other operand nor what follows has, and removes dimensions of size 1 that
// the other operand has larger.
func sumAlone(b *build.Builder, v build.Value, labels []rune, other build.Value, ol []rune, later []rune) (build.Value, []rune) {
	var dims []int
	var kept []rune
	for d, label := range labels {
		e := slices.Index(ol, label)
		if e < 0 && !slices.Contains(later, label) || e >= 0 && v.Dim(d) == 1 && other.Dim(e) != 1 {
			dims = append(dims, d)
			continue
		}
		kept = append(kept, label)
	}
	if dims == nil {
		return v, labels
	}
	return b.Sum(v, dims...), kept
}

// causalConv convolves each channel with the elements up to each place, of which the first ones may be a state.
func causalConv(x *node) []*value {
	b, s, k := x.b, x.ensureDims(0, 3, 3), x.ensureDims(1, 3, 3)
	before := k[2] - 1
	v := x.v(0)
	if x.has(3) {
		v = b.Concat(2, x.v(3), v)
	} else {
		v = b.Pad(v, zero(b, v.DType()), build.Padding{}, build.Padding{}, build.Padding{Low: before})
	}
	out := x.withBias(b.Conv(v, x.v(1), build.Conv{Dims: channelsFirst(1), FeatureGroups: s[1]}), 2)
	switch f := x.text("activation", "none"); f {
	case "none", "":
	case "silu", "swish":
		out = swish(b, out, 1)
	default:
		x.fail("the file is damaged", "activation is %q", f)
	}
	return several(out, part(b, v, 2, v.Dim(2)-before, v.Dim(2)))
}
