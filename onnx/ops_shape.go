package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var shapeOps = map[string]operation{
	".Shape":           {build: shapeOf, whole: true},
	".Size":            {build: func(x *node) []*value { return known(scalarInt(x.shape(0).Size())) }, whole: true},
	".Constant":        {build: constantNode, whole: true},
	".ConstantOfShape": {build: constantOfShape, known: []int{0}},
	".Reshape":         {build: reshape, known: []int{1}},
	".Flatten":         {build: flatten},
	".Squeeze":         {build: squeeze, known: []int{1}},
	".Unsqueeze":       {build: unsqueeze, known: []int{1}},
	".Transpose":       {build: transpose},
	".Concat":          {build: concat},
	".Split":           {build: split, known: []int{1}},
	".Expand":          {build: expand, known: []int{1}},
	".Tile":            {build: tile, known: []int{1}},
	".Pad":             {build: pad, known: []int{1, 3}},
	".DepthToSpace":    {build: depthToSpace},
	".SpaceToDepth":    {build: spaceToDepth},
	".Range":           {build: rangeNode, known: []int{0, 1, 2}},
	".EyeLike":         {build: eyeLike},
	".Trilu":           {build: trilu, known: []int{1}},
	".CenterCropPad":   {build: centerCropPad, known: []int{1}},
}

func scalarInt(n int) *tensor.Array {
	return &tensor.Array{Type: tensor.Type{DType: tensor.I64, Shape: tensor.Shape{}}, Data: []int64{int64(n)}}
}

func scalarBool(b bool) *tensor.Array {
	return &tensor.Array{Type: tensor.Type{DType: tensor.Bool, Shape: tensor.Shape{}}, Data: []bool{b}}
}

// shapeOf is the shape of a tensor, or some of its dimensions.
func shapeOf(x *node) []*value {
	s := x.shape(0)
	limit := func(name string, otherwise int) int {
		n := x.int(name, otherwise)
		if n < 0 {
			n += len(s)
		}
		return max(0, min(n, len(s)))
	}
	from, to := limit("start", 0), limit("end", len(s))
	return known(int64s(s[from:max(from, to)]...))
}

// constantNode is a Constant: one of several attributes has the elements.
func constantNode(x *node) []*value {
	if a := x.attr("value"); a != nil && a.Tensor != nil {
		name := "constant"
		if len(x.n.Outputs) > 0 {
			name = x.n.Outputs[0]
		}
		v, err := x.im.initializer(a.Tensor, name)
		if err != nil {
			x.stop(kindOf(err), "", "attribute value: %w", err)
		}
		return []*value{v}
	}
	if a := x.attr("value_float"); a != nil {
		return known(tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{float64(a.Float)}))
	}
	if a := x.attr("value_int"); a != nil {
		return known(&tensor.Array{Type: tensor.Type{DType: tensor.I64, Shape: tensor.Shape{}}, Data: []int64{a.Int}})
	}
	if a := x.attr("value_ints"); a != nil {
		return known(&tensor.Array{Type: tensor.Type{DType: tensor.I64, Shape: tensor.Shape{len(a.Ints)}}, Data: slices.Clone(a.Ints)})
	}
	if a := x.attr("value_floats"); a != nil {
		out := &tensor.Array{Type: tensor.Type{DType: tensor.F32, Shape: tensor.Shape{len(a.Floats)}}, Data: slices.Clone(a.Floats)}
		if len(a.Floats) > 1 && shareable(out) {
			return []*value{parameter(x.n.Outputs[0], out)}
		}
		return known(out)
	}
	if a := x.attr("value_string"); a != nil {
		return []*value{{kind: isTexts, typ: tensor.Type{Shape: tensor.Shape{}}, texts: []string{a.String}}}
	}
	if a := x.attr("value_strings"); a != nil {
		return []*value{{kind: isTexts, typ: tensor.Type{Shape: tensor.Shape{len(a.Strings)}}, texts: a.Strings}}
	}
	x.unsupported("use a dense tensor", "the constant has no value that Tacet reads")
	return nil
}

func constantOfShape(x *node) []*value {
	one := tensor.FromFloats(tensor.F32, tensor.Shape{}, []float64{0})
	if a := x.tensorAttr("value"); a != nil {
		if a.Len() != 1 {
			x.fail("the file is damaged", "attribute value has %d elements, want 1", a.Len())
		}
		one = a.Reshape(tensor.Shape{})
	}
	shape := x.sized(x.numbers(0))
	return []*value{computed(x.b.Broadcast(x.b.Array(one), shape...))}
}

// reshape gives a tensor another shape; 0 stands for the input's dimension, -1 for the rest.
func reshape(x *node) []*value {
	s, want := x.shape(0), x.numbers(1)
	out, rest := slices.Clone(want), -1
	for i, n := range want {
		switch {
		case n == 0 && x.int("allowzero", 0) == 0:
			if i >= len(s) {
				x.fail("the file is damaged", "dimension %d of the shape %v is that of the input, which has %d dimensions", i, want, len(s))
			}
			out[i] = s[i]
		case n == -1 && rest < 0:
			rest = i
			out[i] = 1
		case n < 0:
			x.fail("the file is damaged", "%v is no shape", want)
		}
	}
	x.sized(out)
	if n := tensor.Shape(out).Size(); rest >= 0 && n > 0 {
		if s.Size()%n != 0 {
			x.fail("the model does not take inputs of this shape", "%d elements have no shape %v", s.Size(), want)
		}
		out[rest] = s.Size() / n
	} else if rest >= 0 {
		out[rest] = 0
	}
	if x.value(0).kind == isTexts {
		return x.retyped(out)
	}
	return one(x.b.Reshape(x.v(0), out...))
}

// retyped is a tensor of strings in another shape.
func (x *node) retyped(shape tensor.Shape) []*value {
	v := *x.value(0)
	v.typ.Shape = shape
	return []*value{&v}
}

func flatten(x *node) []*value {
	s := x.shape(0)
	if x.value(0).kind == isTexts {
		return x.retyped(tensor.Shape{s.Size()})
	}
	at := x.int("axis", 1)
	if at < 0 {
		at += len(s)
	}
	if at < 0 || at > len(s) {
		x.fail("the file is damaged", "axis is %d", x.int("axis", 1))
	}
	return one(x.b.Reshape(x.v(0), s[:at].Size(), s[at:].Size()))
}

// listedAxes are dimensions that an input or, in old files, an attribute names. ok is false if neither does.
func (x *node) listedAxes(input int) (axes []int, ok bool) {
	if x.has(input) {
		return x.numbers(input), true
	}
	axes = x.ints("axes")
	return axes, axes != nil
}

func squeeze(x *node) []*value {
	s := x.value(0).typ.Shape
	axes, ok := x.listedAxes(1)
	axes = x.axes(axes, len(s))
	out := tensor.Shape{}
	for i, n := range s {
		listed := slices.Contains(axes, i)
		if listed && n != 1 {
			x.fail("the model does not take inputs of this shape", "dimension %d has size %d and cannot be removed", i, n)
		}
		if !listed && (ok || n != 1) {
			out = append(out, n)
		}
	}
	if x.value(0).kind == isTexts {
		return x.retyped(out)
	}
	return one(x.b.Reshape(x.v(0), out...))
}

func unsqueeze(x *node) []*value {
	s := x.shape(0)
	axes, _ := x.listedAxes(1)
	if len(axes) > 64 {
		x.fail("the file is damaged", "%d dimensions are added", len(axes))
	}
	rank := len(s) + len(axes)
	axes = x.axes(axes, rank)
	out := tensor.Shape{}
	for i := range rank {
		if slices.Contains(axes, i) {
			out = append(out, 1)
		} else {
			out, s = append(out, s[0]), s[1:]
		}
	}
	return one(x.b.Reshape(x.v(0), out...))
}

func transpose(x *node) []*value {
	s := x.shape(0)
	perm := x.ints("perm")
	if perm == nil {
		for i := range s {
			perm = append(perm, len(s)-1-i)
		}
	}
	perm = x.axes(perm, len(s))
	if len(s) < 2 {
		return one(x.v(0))
	}
	return one(x.b.Transpose(x.v(0), perm...))
}

func concat(x *node) []*value {
	dim := x.axis(x.int("axis", 1), len(x.shape(0)))
	var vs []build.Value
	for i := range x.in {
		vs = append(vs, x.v(i))
	}
	return one(x.b.Concat(dim, vs...))
}

// part is a tensor's elements from one index along a dimension to another.
func part(b *build.Builder, v build.Value, dim, from, to int) build.Value {
	limit := v.Shape()
	if dim >= len(limit) {
		return v
	}
	start := make([]int, len(limit))
	start[dim], limit[dim] = from, to
	return b.Slice(v, start, limit)
}

// splitEqually splits a tensor along a dimension into n parts.
func splitEqually(b *build.Builder, v build.Value, dim, n int) []build.Value {
	size := v.Dim(dim) / n
	var out []build.Value
	for i := range n {
		out = append(out, part(b, v, dim, i*size, (i+1)*size))
	}
	return out
}

// pieces are the sizes of the parts into which a Split cuts n elements.
func (x *node) pieces(n int) []int {
	sizes := x.ints("split")
	if x.has(1) {
		sizes = x.numbers(1)
	}
	count := x.int("num_outputs", len(x.n.Outputs))
	if sizes == nil && count > 0 {
		x.few(count)
		size := (n + count - 1) / count
		for rest := n; len(sizes) < count; rest -= size {
			sizes = append(sizes, max(0, min(size, rest)))
		}
	}
	total := 0
	for _, size := range sizes {
		if size < 0 || size > n {
			x.fail("the file is damaged", "parts have sizes %v", sizes)
		}
		total += size
	}
	if total != n {
		x.fail("the model does not take inputs of this shape", "parts of sizes %v are not %d elements", sizes, n)
	}
	return sizes
}

func split(x *node) []*value {
	s := x.shape(0)
	dim := x.axis(x.int("axis", 0), len(s))
	var out []*value
	from := 0
	for _, size := range x.pieces(s[dim]) {
		out = append(out, computed(part(x.b, x.v(0), dim, from, from+size)))
		from += size
	}
	return out
}

func expand(x *node) []*value {
	s, want := x.shape(0), tensor.Shape(x.numbers(1))
	shape, ok := tensor.CommonShape(s, want)
	if !ok {
		x.fail("the model does not take inputs of this shape", "a tensor of shape %v does not expand to %v", s, want)
	}
	x.sized(shape)
	return one(x.b.Broadcast(x.v(0), shape...))
}

func tile(x *node) []*value {
	s, times := x.shape(0), x.numbers(1)
	if len(times) != len(s) {
		x.fail("the file is damaged", "%d numbers of repetitions for %d dimensions", len(times), len(s))
	}
	b := x.b
	var at, wide, out []int
	for i, n := range s {
		if times[i] < 0 {
			x.fail("the file is damaged", "dimension %d is repeated %d times", i, times[i])
		}
		wide, at = append(wide, times[i], n), append(at, 2*i+1)
		out = append(out, times[i]*n)
	}
	x.sized(out)
	return one(b.Reshape(b.BroadcastInDim(x.v(0), at, wide...), out...))
}

// padding is the number of elements before and after each dimension.
func (x *node) padding(rank int) [][2]int {
	var list []int
	if x.has(1) {
		list = x.numbers(1)
	} else {
		list = x.ints("pads")
	}
	axes := make([]int, rank)
	for i := range axes {
		axes[i] = i
	}
	if x.has(3) {
		axes = x.axes(x.numbers(3), rank)
	}
	if len(list) != 2*len(axes) {
		x.fail("the file is damaged", "%d numbers of elements for %d dimensions", len(list), len(axes))
	}
	out := make([][2]int, rank)
	for i, a := range axes {
		out[a] = [2]int{list[i], list[i+len(axes)]}
	}
	return out
}

func pad(x *node) []*value {
	b, s := x.b, x.shape(0)
	v := x.v(0)
	by := x.padding(len(s))
	var wide []int
	for i, p := range by {
		wide = append(wide, s[i]+p[0]+p[1])
	}
	x.sized(wide)
	mode := x.text("mode", "constant")
	if mode == "constant" {
		var fill build.Value
		switch {
		case x.has(2):
			fill = b.Reshape(x.v(2))
		case v.DType() == tensor.Bool:
			fill = b.Const(tensor.Bool, false)
		default:
			fill = b.Const(v.DType(), x.float("value", 0))
		}
		var widths []build.Padding
		for _, p := range by {
			widths = append(widths, build.Padding{Low: p[0], High: p[1]})
		}
		return one(b.Pad(v, fill, widths...))
	}
	for dim, p := range by {
		// Negative numbers cut elements off; the elements that are put around are those of the rest.
		n := v.Dim(dim)
		if p[0] < 0 || p[1] < 0 {
			v = part(b, v, dim, max(0, -p[0]), n+min(0, p[1]))
			n = v.Dim(dim)
		}
		low, high := max(0, p[0]), max(0, p[1])
		if low == 0 && high == 0 {
			continue
		}
		if n == 0 || mode == "reflect" && n == 1 {
			x.fail("the model does not take inputs of this shape", "dimension %d is too small to be padded", dim)
		}
		x.few(n + low + high)
		places := make([]int, 0, n+low+high)
		for i := -low; i < n+high; i++ {
			places = append(places, x.mirrored(i, n, mode))
		}
		v = take(b, v, places, dim)
	}
	return one(v)
}

// mirrored is the index that stands for one outside of n elements.
func (x *node) mirrored(i, n int, mode string) int {
	switch mode {
	case "edge":
		return max(0, min(n-1, i))
	case "wrap":
		return (i%n + n) % n
	case "reflect":
		period := 2 * (n - 1)
		i = (i%period + period) % period
		return min(i, period-i)
	}
	x.fail("the file is damaged", "mode is %q", mode)
	return 0
}

// take returns elements along a dimension by public indices.
func take(b *build.Builder, v build.Value, places []int, dim int) build.Value {
	at := make([]int32, len(places))
	for i, p := range places {
		at[i] = int32(p)
	}
	return b.Take(v, b.Array(&tensor.Array{Type: tensor.Type{DType: tensor.I32, Shape: tensor.Shape{len(at)}}, Data: at}), dim)
}

func depthToSpace(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 4, 4)
	n := x.int("blocksize", 0)
	if n <= 0 || n > 1<<15 || s[1]%(n*n) != 0 {
		x.fail("the file is damaged", "%d channels do not make blocks of %d", s[1], n)
	}
	c := s[1] / (n * n)
	v := x.v(0)
	switch mode := x.text("mode", "DCR"); mode {
	case "DCR":
		v = b.Transpose(b.Reshape(v, s[0], n, n, c, s[2], s[3]), 0, 3, 4, 1, 5, 2)
	case "CRD":
		v = b.Transpose(b.Reshape(v, s[0], c, n, n, s[2], s[3]), 0, 1, 4, 2, 5, 3)
	default:
		x.fail("the file is damaged", "mode is %q, want DCR or CRD", mode)
	}
	return one(b.Reshape(v, s[0], c, s[2]*n, s[3]*n))
}

func spaceToDepth(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 4, 4)
	n := x.int("blocksize", 0)
	if n <= 0 || s[2]%n != 0 || s[3]%n != 0 {
		x.fail("the file is damaged", "an image of %d times %d has no blocks of %d", s[2], s[3], n)
	}
	if mode := x.text("mode", "DCR"); mode == "CRD" {
		v := b.Transpose(b.Reshape(x.v(0), s[0], s[1], s[2]/n, n, s[3]/n, n), 0, 1, 3, 5, 2, 4)
		return one(b.Reshape(v, s[0], s[1]*n*n, s[2]/n, s[3]/n))
	}
	v := b.Transpose(b.Reshape(x.v(0), s[0], s[1], s[2]/n, n, s[3]/n, n), 0, 3, 5, 1, 2, 4)
	return one(b.Reshape(v, s[0], n*n*s[1], s[2]/n, s[3]/n))
}

// rangeNode is the numbers from a start to a limit.
func rangeNode(x *node) []*value {
	d := x.typ(0).DType
	start, limit, delta := x.array(0), x.array(1), x.array(2)
	if start.Len() != 1 || limit.Len() != 1 || delta.Len() != 1 || d.IsComplex() {
		x.fail("the file is damaged", "start, limit and delta are single numbers")
	}
	from, to, by := start.Floats()[0], limit.Floats()[0], delta.Floats()[0]
	if by == 0 {
		x.fail("the file is damaged", "delta is 0")
	}
	n := (to - from) / by
	if !(n < maxFolded) {
		x.fail("the file is damaged", "the range has too many numbers")
	}
	var list []float64
	for i := 0; float64(i) < n; i++ {
		list = append(list, from+float64(i)*by)
	}
	if d == tensor.I64 {
		ints := make([]int, len(list))
		for i, f := range list {
			ints[i] = int(f)
		}
		return known(int64s(ints...))
	}
	f := tensor.FromFloats(tensor.F64, tensor.Shape{len(list)}, list)
	return one(x.b.Convert(x.b.Array(f), d))
}

func eyeLike(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 2, 2)
	d := x.dtype("dtype", x.typ(0).DType)
	rows, columns := b.Iota(tensor.I32, 0, s...), b.Iota(tensor.I32, 1, s...)
	return one(x.cast(b.Equal(b.Add(rows, x.int("k", 0)), columns), d))
}

func trilu(x *node) []*value {
	b, v := x.b, x.v(0)
	s := x.ensureDims(0, 2, 64)
	k := 0
	if x.has(1) {
		k = x.numbers(1)[0]
	}
	k = max(-(1 << 30), min(1<<30, k))
	plane := s[len(s)-2:]
	rows, columns := b.Iota(tensor.I32, 0, plane...), b.Iota(tensor.I32, 1, plane...)
	keep := b.GreaterEqual(columns, b.Add(rows, k))
	if x.int("upper", 1) == 0 {
		keep = b.LessEqual(columns, b.Add(rows, k))
	}
	return one(b.Select(keep, v, zero(b, v.DType())))
}

// zero is the number 0 of a type, false for bools.
func zero(b *build.Builder, d tensor.DType) build.Value {
	if d == tensor.Bool {
		return b.Const(d, false)
	}
	return b.Const(d, 0)
}

func centerCropPad(x *node) []*value {
	s := x.shape(0)
	want, axes := x.numbers(1), x.ints("axes")
	if axes == nil {
		for i := range s {
			axes = append(axes, i)
		}
	}
	axes = x.axes(axes, len(s))
	if len(want) != len(axes) {
		x.fail("the file is damaged", "%d sizes for %d dimensions", len(want), len(axes))
	}
	b, v := x.b, x.v(0)
	for i, a := range axes {
		n := s[a]
		if want[i] < 0 {
			x.fail("the file is damaged", "the size %d is negative", want[i])
		}
		if n > want[i] {
			from := (n - want[i]) / 2
			v = part(b, v, a, from, from+want[i])
		} else if n < want[i] {
			p := make([]build.Padding, len(s))
			p[a].Low = (want[i] - n) / 2
			p[a].High = want[i] - n - p[a].Low
			v = b.Pad(v, zero(b, v.DType()), p...)
		}
	}
	return one(v)
}
