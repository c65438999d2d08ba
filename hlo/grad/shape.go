package grad

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// broadcastBack sums over the dimensions along which elements were repeated.
func broadcastBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, dims := o.Operands[0], o.Attrs.Ints("broadcast_dimensions")
	out := o.Results[0].Type.Shape
	sum := without(len(out), dims)
	for i, d := range dims {
		if x.Type.Shape[i] == 1 && out[d] != 1 {
			sum = append(sum, d)
		}
	}
	slices.Sort(sum)
	t := r.total(ct[0], sum)
	// The dimensions that are left are in the order of the result; those of x may be permuted.
	var left []int
	for _, d := range dims {
		if !slices.Contains(sum, d) {
			left = append(left, d)
		}
	}
	sorted := slices.Sorted(slices.Values(left))
	perm := make([]int, len(left))
	for i, d := range left {
		perm[i] = slices.Index(sorted, d)
	}
	r.give(x, r.reshape(r.transpose(t, perm), x.Type.Shape))
}

func reshapeBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.reshape(ct[0], o.Operands[0].Type.Shape))
}

func transposeBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.transpose(ct[0], inverse(o.Attrs.Ints("permutation"))))
}

// inverse is the inverse of a permutation.
func inverse(perm []int) []int {
	out := make([]int, len(perm))
	for i, p := range perm {
		out[p] = i
	}
	return out
}

func reverseBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	r.give(o.Operands[0], r.reverse(ct[0], o.Attrs.Ints("dimensions")))
}

func concatenateBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	d, at := o.Attrs.Int("dimension", 0), 0
	for _, v := range o.Operands {
		n := v.Type.Shape[d]
		if r.wants(v) {
			r.give(v, r.part(ct[0], d, at, at+n))
		}
		at += n
	}
}

func sliceBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x := o.Operands[0]
	start, stride := o.Attrs.Ints("start_indices"), o.Attrs.Ints("strides")
	if ct[0].Type.Shape.Size() == 0 {
		return
	}
	high, between := make([]int, len(start)), make([]int, len(start))
	for d, n := range ct[0].Type.Shape {
		high[d] = x.Type.Shape[d] - start[d] - ((n-1)*stride[d] + 1)
		between[d] = stride[d] - 1
	}
	r.give(x, r.pad(ct[0], start, high, between))
}

// padBack takes the operand's elements out of the cotangent; the padding gets the sum of all others.
func padBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, with, t := o.Operands[0], o.Operands[1], ct[0]
	var inner *hlo.Value
	if x.Type.Shape.Size() > 0 {
		low, high, between := o.Attrs.Ints("edge_padding_low"), o.Attrs.Ints("edge_padding_high"), o.Attrs.Ints("interior_padding")
		rank := len(low)
		minus, rest := make([]int, rank), make([]int, rank)
		for d := range low {
			minus[d], rest[d] = -low[d], -high[d]
		}
		// Elements that the padding cut off get zeros here, and the padding's own are cut off.
		inner = r.pad(t, minus, rest, make([]int, rank))
		if slices.ContainsFunc(between, func(n int) bool { return n > 0 }) {
			step := make([]int, rank)
			for d, n := range between {
				step[d] = n + 1
			}
			inner = r.slice(inner, make([]int, rank), inner.Type.Shape, step)
		}
		r.give(x, inner)
	}
	if r.wants(with) {
		all := r.total(t, count(len(t.Type.Shape)))
		if inner != nil {
			all = r.sub(all, r.total(inner, count(len(t.Type.Shape))))
		}
		r.give(with, all)
	}
}

func dynamicSliceBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x := o.Operands[0]
	r.give(x, r.one(hlo.OpDynamicUpdateSlice, nil, append([]*hlo.Value{r.zeros(x.Type), ct[0]}, o.Operands[1:]...)...))
}

func dynamicUpdateSliceBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	x, u, at := o.Operands[0], o.Operands[1], o.Operands[2:]
	if r.wants(x) {
		r.give(x, r.one(hlo.OpDynamicUpdateSlice, nil, append([]*hlo.Value{ct[0], r.zeros(u.Type)}, at...)...))
	}
	if r.wants(u) {
		sizes := hlo.Attrs{"slice_sizes": list(u.Type.Shape)}
		r.give(u, r.one(hlo.OpDynamicSlice, sizes, append([]*hlo.Value{ct[0]}, at...)...))
	}
}

func identityBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	for i, v := range o.Operands {
		r.give(v, ct[i])
	}
}

func identityFore(f *forward, o *hlo.Op) []*hlo.Value {
	out := make([]*hlo.Value, len(o.Results))
	for i, v := range o.Operands {
		out[i] = f.dot[v]
	}
	return out
}

// customBack is the rule of custom calls that return what they take.
func customBack(r *reverse, o *hlo.Op, ct []*hlo.Value) {
	if !o.ReturnsOperands() {
		r.refuse(o, "calls @"+o.Attrs.Str("call_target_name")+", whose derivative is not known", "write it with operations of StableHLO")
	}
	identityBack(r, o, ct)
}

func customFore(f *forward, o *hlo.Op) []*hlo.Value {
	if !o.ReturnsOperands() {
		f.refuse(o, "calls @"+o.Attrs.Str("call_target_name")+", whose derivative is not known", "write it with operations of StableHLO")
	}
	return identityFore(f, o)
}

// linearFore applies a linear operation to tangents.
func linearFore(f *forward, o *hlo.Op) []*hlo.Value {
	in := make([]*hlo.Value, len(o.Operands))
	for i, v := range o.Operands {
		if in[i] = v; o.LinearOperand(i) {
			in[i] = f.orZeros(f.dot[v], v.Type)
		}
	}
	k := hlo.NewCopier()
	var regions []*hlo.Block
	for _, b := range o.Regions {
		regions = append(regions, k.Block(b))
	}
	types := make([]tensor.Type, len(o.Results))
	for i, v := range o.Results {
		types[i] = v.Type
	}
	return f.emit(o.Name, types, o.Attrs, regions, in...)
}
