package onnx

import (
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

var controlOps = map[string]operation{
	".If":   {build: ifNode, whole: true},
	".Loop": {build: loop, whole: true},
	".Scan": {build: scan, whole: true},
}

// evaluate builds a graph with values for its inputs and returns its outputs.
func (x *node) evaluate(g *model.Graph, in []*value) []*value {
	x.im.spend(1 + len(g.Inputs) + len(g.Outputs) + len(g.Initializers) + len(in))
	s := newScope(x.s)
	for i, v := range in {
		if i < len(g.Inputs) {
			s.set(g.Inputs[i].Name, v)
		}
	}
	x.im.nested(g, s, x.sets, x.of)
	var out []*value
	for _, o := range g.Outputs {
		v := s.get(o.Name)
		if v == nil {
			x.fail("the file is damaged", "output %q of a graph is not computed", o.Name)
		}
		out = append(out, v)
	}
	return out
}

// nested builds a graph within another one.
func (im *importer) nested(g *model.Graph, s *scope, sets map[string]int64, of map[string]*model.Attr) {
	for _, t := range g.Initializers {
		v, err := im.initializer(t, t.Name)
		if err != nil {
			im.fail(kindOf(err), "", "initialiser %q: %w", t.Name, err)
		}
		s.set(t.Name, v)
	}
	im.steps(g.Nodes, s, sets, of)
}

// truth is the only element of a known bool.
func (x *node) truth(v *value) bool {
	a := v.elements()
	list, ok := a.Data.([]bool)
	if !ok || len(list) != 1 {
		x.fail("the file is damaged", "a condition is no single bool")
	}
	return list[0]
}

func ifNode(x *node) []*value {
	condition := x.value(0)
	if condition.isKnown() {
		if x.truth(condition) {
			return x.evaluate(x.graphAttr("then_branch"), nil)
		}
		return x.evaluate(x.graphAttr("else_branch"), nil)
	}
	then, other := x.evaluate(x.graphAttr("then_branch"), nil), x.evaluate(x.graphAttr("else_branch"), nil)
	if len(then) != len(other) {
		x.fail("the file is damaged", "the branches have %d and %d results", len(then), len(other))
	}
	p := x.b.Reshape(x.v(0))
	var out []*value
	for i, t := range then {
		e := other[i]
		if t.kind != isTensor || e.kind != isTensor || !t.typ.Equal(e.typ) {
			x.unsupported("make the branches' results tensors of one type", "result %d has another type in the other branch, and the condition depends on the inputs", i)
		}
		out = append(out, computed(x.b.Select(p, x.of1(t), x.of1(e))))
	}
	return out
}

// loop is written out: the number of iterations is known, or the condition is in each iteration.
func loop(x *node) []*value {
	g := x.graphAttr("body")
	limit := maxNodes
	if x.has(0) {
		limit = min(limit, max(0, x.numbers(0)[0]))
	}
	again := true
	if x.has(1) {
		if !x.value(1).isKnown() {
			x.unsupported("make the number of iterations known", "the condition depends on the model's inputs")
		}
		again = x.truth(x.value(1))
	}
	var carried []*value
	for i := 2; i < len(x.in); i++ {
		carried = append(carried, x.in[i])
	}
	n := len(carried)
	stacked := make([][]*value, max(0, len(g.Outputs)-1-n))
	for i := 0; i < limit && again; i++ {
		in := append([]*value{constant(scalarInt(i)), constant(scalarBool(again))}, carried...)
		out := x.evaluate(g, in)
		if len(out) < 1+n {
			x.fail("the file is damaged", "the body has %d results, want at least %d", len(out), 1+n)
		}
		if !out[0].isKnown() {
			x.unsupported("make the number of iterations known", "the condition depends on the model's inputs")
		}
		again, carried = x.truth(out[0]), out[1:1+n]
		x.im.spend(len(stacked)) // they are kept
		for k := range stacked {
			stacked[k] = append(stacked[k], out[1+n+k])
		}
	}
	out := append([]*value{}, carried...)
	for k, list := range stacked {
		out = append(out, x.stack(list, 0, g.Outputs[1+n+k].Type))
	}
	return out
}

// stack puts tensors of one type side by side along a new dimension. t is their type for an empty list.
func (x *node) stack(list []*value, dim int, t model.Type) *value {
	if len(list) == 0 {
		d, err := model.DType(t.Elem)
		shape := tensor.Shape{0}
		for _, k := range t.Dims {
			shape = append(shape, int(max(0, k.Size)))
		}
		if err != nil {
			x.unsupported("", "%w", err)
		}
		return constant(tensor.NewArray(tensor.Type{DType: d, Shape: shape}))
	}
	var vs []build.Value
	for _, v := range list {
		e := x.of1(v)
		shape := e.Shape()
		if dim > len(shape) {
			x.fail("the file is damaged", "there is no dimension %d", dim)
		}
		shape = append(shape[:dim:dim], append(tensor.Shape{1}, shape[dim:]...)...)
		vs = append(vs, x.b.Reshape(e, shape...))
	}
	return computed(x.b.Concat(dim, vs...))
}

// scan runs a graph over the elements of sequences along a dimension.
func scan(x *node) []*value {
	if x.opset < 9 {
		x.unsupported("export the model with operator set 9 or later", "Scan of operator set 8 is not supported")
	}
	g, k := x.graphAttr("body"), x.int("num_scan_inputs", 0)
	n := len(x.in) - k
	if k < 1 || n < 0 {
		x.fail("the file is damaged", "num_scan_inputs is %d of %d inputs", k, len(x.in))
	}
	list := func(name string, at int) int {
		if l := x.ints(name); at < len(l) {
			return l[at]
		}
		return 0
	}
	count := -1
	dims := make([]int, k)
	for i := range k {
		s := x.shape(n + i)
		dims[i] = x.axis(list("scan_input_axes", i), len(s))
		if count >= 0 && s[dims[i]] != count {
			x.fail("the model does not take inputs of this shape", "sequences have %d and %d elements", count, s[dims[i]])
		}
		count = s[dims[i]]
	}
	state := append([]*value{}, x.in[:n]...)
	x.pieceCount(count)
	stacked := make([][]*value, max(0, len(g.Outputs)-n))
	for t := range count {
		in := append([]*value{}, state...)
		for i := range k {
			at := t
			if list("scan_input_directions", i) != 0 {
				at = count - 1 - t
			}
			v := x.v(n + i)
			shape := v.Shape()
			e := part(x.b, v, dims[i], at, at+1)
			in = append(in, computed(x.b.Reshape(e, append(shape[:dims[i]:dims[i]], shape[dims[i]+1:]...)...)))
		}
		out := x.evaluate(g, in)
		if len(out) < n {
			x.fail("the file is damaged", "the body has %d results, want at least %d", len(out), n)
		}
		state = out[:n]
		for i := range stacked {
			if list("scan_output_directions", i) != 0 {
				stacked[i] = append([]*value{out[n+i]}, stacked[i]...)
			} else {
				stacked[i] = append(stacked[i], out[n+i])
			}
		}
	}
	out := append([]*value{}, state...)
	for i, l := range stacked {
		dim := list("scan_output_axes", i)
		if dim < 0 && len(l) > 0 {
			dim += len(l[0].typ.Shape) + 1
		}
		out = append(out, x.stack(l, max(0, dim), g.Outputs[n+i].Type))
	}
	return out
}
