package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var attentionOps = map[string]operation{
	".Attention":       {build: attention},
	".RotaryEmbedding": {build: rotary},
	".LinearAttention": {build: linearAttention},
}

// heads gives a tensor of attention the dimensions batch, heads, places, features.
func (x *node) heads(i int, name string) build.Value {
	b, s, v := x.b, x.ensureDims(i, 3, 4), x.v(i)
	if len(s) == 4 {
		return v
	}
	n := x.int(name, 0)
	if n < 1 || s[2]%n != 0 {
		x.fail("the file is damaged", "%d features are not those of %d heads (%s)", s[2], n, name)
	}
	return b.Transpose(b.Reshape(v, s[0], s[1], n, s[2]/n), 0, 2, 1, 3)
}

// attention is scaled dot-product attention. Places that no query may look at are left out by selection; their scores are −∞.
func attention(x *node) []*value {
	b := x.b
	q, k, v := x.heads(0, "q_num_heads"), x.heads(1, "kv_num_heads"), x.heads(2, "kv_num_heads")
	past := 0
	if x.has(4) {
		past = x.ensureDims(4, 4, 4)[2]
		k = b.Concat(2, x.v(4), k)
	}
	if x.has(5) {
		v = b.Concat(2, x.v(5), v)
	}
	presentK, presentV := k, v
	d := q.DType()
	repeat := func(v build.Value) build.Value {
		s := v.Shape()
		if len(s) != 4 || s[1] == 0 || q.Dim(1) == s[1] {
			return v
		}
		n := q.Dim(1) / s[1]
		return b.Reshape(b.BroadcastInDim(v, []int{0, 1, 3, 4}, s[0], s[1], n, s[2], s[3]), s[0], s[1]*n, s[2], s[3])
	}
	k, v = repeat(k), repeat(v)
	scale := x.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(1, q.Dim(3))))
	}
	lead := []int{0, 1}
	scores := b.DotGeneral(b.Mul(q, scale), k, hlo.DotDims{LHSBatch: lead, RHSBatch: lead, LHSContract: []int{3}, RHSContract: []int{3}})
	raw := scores
	if c := x.float("softcap", 0); c != 0 {
		scores = b.Mul(b.Tanh(b.Div(scores, c)), c)
	}
	capped := scores
	keep := x.visible(scores.Shape(), past)
	if x.has(3) {
		mask := x.v(3)
		if short := scores.Dim(3) - mask.Dim(-1); short > 0 {
			p := make([]build.Padding, mask.Rank())
			p[len(p)-1].High = short
			fill := b.Const(tensor.Bool, false)
			if mask.DType() != tensor.Bool {
				fill = b.Const(mask.DType(), math.Inf(-1))
			}
			mask = b.Pad(mask, fill, p...)
		}
		if mask.DType() == tensor.Bool {
			mask = b.Broadcast(mask, scores.Shape()...)
			if keep != nil {
				mask = b.And(*keep, mask)
			}
			keep = &mask
		} else {
			scores = b.Add(scores, b.Convert(mask, d))
		}
	}
	biased := scores
	if keep != nil {
		scores = b.Select(*keep, scores, math.Inf(-1))
		biased = scores
	}
	p := b.Convert(b.Softmax(b.Convert(scores, x.dtype("softmax_precision", d)), 3), d)
	if keep != nil { // of a query without any place the result is 0
		p = b.Select(*keep, p, 0)
	}
	y := b.DotGeneral(p, v, hlo.DotDims{LHSBatch: lead, RHSBatch: lead, LHSContract: []int{3}, RHSContract: []int{2}})
	if len(x.shape(0)) == 3 {
		s := y.Shape()
		y = b.Transpose(y, 0, 2, 1, 3)
		if len(s) == 4 {
			y = b.Reshape(y, s[0], s[2], s[1]*s[3])
		}
	}
	shown := raw
	if m := x.int("qk_matmul_output_mode", 0); m >= 0 && m < 4 {
		shown = [4]build.Value{raw, capped, biased, p}[m]
	}
	return several(y, presentK, presentV, shown)
}

// visible says for scores of shape s, by the attributes and the lengths, which places a query may look at; nil for all.
func (x *node) visible(s tensor.Shape, past int) *build.Value {
	b := x.b
	if len(s) != 4 {
		return nil
	}
	var keep *build.Value
	also := func(v build.Value) {
		v = b.Broadcast(v, s...)
		if keep != nil {
			v = b.And(*keep, v)
		}
		keep = &v
	}
	plane := []int{s[0], 1, s[2], s[3]}
	places := b.Iota(tensor.I32, 3, plane...)
	at := b.Add(b.Iota(tensor.I32, 2, plane...), past)
	var lengths build.Value
	if x.has(6) {
		lengths = b.BroadcastInDim(b.Convert(x.v(6), tensor.I32), []int{0}, plane...)
		if !x.has(4) {
			at = b.Add(b.Iota(tensor.I32, 2, plane...), b.Sub(lengths, s[2]))
		}
	}
	if x.int("is_causal", 0) != 0 {
		also(b.LessEqual(places, at))
	}
	if w := x.int("left_window_size", -1); w >= 0 {
		also(b.LessEqual(b.Sub(at, places), w))
	}
	if w := x.int("right_window_size", -1); w >= 0 {
		also(b.LessEqual(b.Sub(places, at), w))
	}
	if x.has(6) {
		also(b.Less(places, lengths))
	}
	return keep
}

// rotary turns pairs of features by angles that depend on the place.
func rotary(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 4)
	v := x.v(0)
	if len(s) == 4 {
		v = b.Transpose(v, 0, 2, 1, 3)
	} else {
		n := x.int("num_heads", 0)
		if n < 1 || s[2]%n != 0 {
			x.fail("the file is damaged", "%d features are not those of %d heads (num_heads)", s[2], n)
		}
		v = b.Reshape(v, s[0], s[1], n, s[2]/n)
	}
	dim := x.int("rotary_embedding_dim", 0)
	size := v.Dim(3)
	if dim == 0 {
		dim = size
	}
	if dim < 2 || dim > size || dim%2 != 0 {
		x.fail("the file is damaged", "rotary_embedding_dim is %d of %d", dim, size)
	}
	turned, rest := part(b, v, 3, 0, dim), part(b, v, 3, dim, size)
	cache := func(i int) build.Value {
		c := x.v(i)
		if x.has(3) {
			c = b.Take(c, x.index(3, c.Dim(0)), 0)
		}
		shape := turned.Shape()
		shape[3] /= 2
		return b.BroadcastInDim(c, []int{0, 1, 3}, shape...)
	}
	cos, sin := cache(1), cache(2)
	interleaved := x.int("interleaved", 0) != 0
	var l, r build.Value
	ts := turned.Shape()
	if interleaved {
		pairs := b.Reshape(turned, append(ts[:3:3], dim/2, 2)...)
		l, r = direction(b, b.Transpose(pairs, 4, 0, 1, 2, 3), 0), direction(b, b.Transpose(pairs, 4, 0, 1, 2, 3), 1)
	} else {
		l, r = part(b, turned, 3, 0, dim/2), part(b, turned, 3, dim/2, dim)
	}
	re, im := b.Sub(b.Mul(cos, l), b.Mul(sin, r)), b.Add(b.Mul(sin, l), b.Mul(cos, r))
	if interleaved {
		half := append(ts[:3:3], dim/2, 1)
		turned = b.Reshape(b.Concat(4, b.Reshape(re, half...), b.Reshape(im, half...)), ts...)
	} else {
		turned = b.Concat(3, re, im)
	}
	if dim < size {
		turned = b.Concat(3, turned, rest)
	}
	if len(s) == 4 {
		return one(b.Transpose(turned, 0, 2, 1, 3))
	}
	return one(b.Reshape(turned, s...))
}

// linearAttention is attention whose state is a matrix that each place changes: the places are written out.
func linearAttention(x *node) []*value {
	b := x.b
	s := x.ensureDims(0, 3, 3)
	d := x.typ(0).DType
	heads, groups := x.int("q_num_heads", 0), x.int("kv_num_heads", 0)
	if heads < 1 || groups < 1 || heads%groups != 0 || s[1] > 1<<12 {
		x.fail("the file is damaged", "%d heads with %d groups of %d places", heads, groups, s[1])
	}
	float := func(v build.Value) build.Value { return x.cast(v, tensor.F32) }
	q, k, v := float(x.heads(0, "q_num_heads")), float(x.heads(1, "kv_num_heads")), float(x.heads(2, "kv_num_heads"))
	size, width, n := q.Dim(3), v.Dim(3), s[1]
	rule := x.text("update_rule", "gated_delta")
	gated, delta := rule == "gated" || rule == "gated_delta", rule == "delta" || rule == "gated_delta"
	if !gated && !delta && rule != "linear" {
		x.fail("the file is damaged", "update_rule is %q", rule)
	}
	// perHead is a number for each group, or for each of its features: batch, groups, places, 1 or features.
	perHead := func(i int) build.Value {
		t := x.ensureDims(i, 3, 3)
		if t[2]%groups != 0 && t[2] != 1 {
			x.fail("the file is damaged", "input %d has %d features for %d heads", i, t[2], groups)
		}
		m := min(groups, t[2])
		return b.Transpose(b.Reshape(float(x.v(i)), t[0], t[1], m, t[2]/m), 0, 2, 1, 3)
	}
	var decay, beta build.Value
	if gated {
		decay = b.Exp(perHead(4))
	}
	if delta {
		beta = perHead(5)
	}
	stateType := d
	var state build.Value
	if x.has(3) {
		stateType, state = x.typ(3).DType, float(x.v(3))
	} else {
		state = b.Const(tensor.F32, 0, s[0], groups, size, width)
	}
	scale := x.float("scale", 0)
	if scale == 0 {
		scale = 1 / math.Sqrt(float64(max(1, size)))
	}
	lead := []int{0, 1}
	at := func(v build.Value, i int) build.Value { // batch, heads, features of a place
		t := part(b, v, 2, i, i+1)
		return b.Reshape(t, t.Dim(0), t.Dim(1), t.Dim(3))
	}
	shape := []int{s[0], groups, size, width}
	var rows []build.Value
	for i := range n {
		kt, vt := at(k, i), at(v, i)
		if gated {
			g := at(decay, i)
			state = b.Mul(state, b.Broadcast(b.Reshape(g, g.Dim(0), g.Dim(1), g.Dim(2), 1), shape...))
		}
		if delta {
			held := b.DotGeneral(kt, state, hlo.DotDims{LHSBatch: lead, RHSBatch: lead, LHSContract: []int{2}, RHSContract: []int{2}})
			vt = b.Mul(at(beta, i), b.Sub(vt, held))
		}
		state = b.Add(state, b.Mul(b.BroadcastInDim(kt, []int{0, 1, 2}, shape...), b.BroadcastInDim(vt, []int{0, 1, 3}, shape...)))
		qt := b.Reshape(at(q, i), s[0], groups, heads/groups, size)
		y := b.DotGeneral(qt, state, hlo.DotDims{LHSBatch: lead, RHSBatch: lead, LHSContract: []int{3}, RHSContract: []int{2}})
		rows = append(rows, b.Reshape(y, s[0], 1, heads*width))
	}
	if n == 0 {
		return several(b.Const(d, 0, s[0], 0, heads*width), x.cast(state, stateType))
	}
	return several(x.cast(b.Mul(b.Concat(1, rows...), scale), d), x.cast(state, stateType))
}
