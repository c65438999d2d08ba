package onnx

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo/build"
)

// Sequences and optional values are known during the import: only their tensors are values of the program.
var sequenceOps = map[string]operation{
	".SequenceConstruct":  {build: func(x *node) []*value { return sequence(x.in) }, whole: true},
	".SequenceEmpty":      {build: func(x *node) []*value { return sequence(nil) }, whole: true},
	".SequenceAt":         {build: func(x *node) []*value { items := x.items(0); return []*value{items[x.position(1, len(items)-1)]} }, whole: true},
	".SequenceLength":     {build: func(x *node) []*value { return known(scalarInt(len(x.items(0)))) }, whole: true},
	".SequenceInsert":     {build: sequenceInsert, whole: true},
	".SequenceErase":      {build: sequenceErase, whole: true},
	".SequenceMap":        {build: sequenceMap, whole: true},
	".SplitToSequence":    {build: splitToSequence, whole: true},
	".ConcatFromSequence": {build: concatFromSequence, whole: true},
	".Optional": {whole: true, build: func(x *node) []*value {
		if x.has(0) {
			return []*value{x.in[0]}
		}
		return []*value{{kind: isNothing}}
	}},
	".OptionalHasElement": {whole: true, build: func(x *node) []*value {
		return known(scalarBool(x.has(0)))
	}},
	".OptionalGetElement": {whole: true, build: func(x *node) []*value { return []*value{x.value(0)} }},
}

func sequence(items []*value) []*value { return []*value{{kind: isSequence, items: items}} }

// items are the values of a sequence.
func (x *node) items(i int) []*value {
	v := x.value(i)
	if v.kind != isSequence {
		x.fail("the file is damaged", "input %d is no sequence", i)
	}
	return v.items
}

// position is a place in a sequence, from 0 to last; negative ones count from the end. A missing one is last.
func (x *node) position(i, last int) int {
	if !x.has(i) {
		return last
	}
	at := int(x.number(i))
	if at < 0 {
		at += len(x.items(0))
	}
	if at < 0 || at > last {
		x.fail("the file is damaged", "a sequence of %d has no place %d", len(x.items(0)), at)
	}
	return at
}

func sequenceInsert(x *node) []*value {
	items := x.items(0)
	return sequence(slices.Insert(slices.Clone(items), x.position(2, len(items)), x.value(1)))
}

func sequenceErase(x *node) []*value {
	items := x.items(0)
	at := x.position(1, len(items)-1)
	if at < 0 {
		x.fail("the file is damaged", "the sequence is empty")
	}
	return sequence(slices.Delete(slices.Clone(items), at, at+1))
}

func sequenceMap(x *node) []*value {
	g := x.graphAttr("body")
	out := make([]*value, len(g.Outputs))
	for i := range out {
		out[i] = &value{kind: isSequence}
	}
	for at := range x.items(0) {
		var in []*value
		for i, v := range x.in {
			if v != nil && v.kind == isSequence {
				if at >= len(v.items) {
					x.fail("the file is damaged", "the sequence of input %d is shorter than the first one", i)
				}
				v = v.items[at]
			}
			in = append(in, v)
		}
		for i, v := range x.evaluate(g, in) {
			out[i].items = append(out[i].items, v)
		}
	}
	return out
}

func splitToSequence(x *node) []*value {
	s := x.shape(0)
	dim := x.axis(x.int("axis", 0), len(s))
	n := s[dim]
	var sizes []int
	keep := x.int("keepdims", 1) != 0
	if !x.has(1) {
		x.pieceCount(n)
		sizes = slices.Repeat([]int{1}, n)
	} else {
		keep = true
		sizes = x.numbers(1)
		if len(x.shape(1)) == 0 {
			size := max(1, sizes[0])
			sizes = nil
			x.pieceCount(n / size)
			for rest := n; rest > 0; rest -= size {
				sizes = append(sizes, min(size, rest))
			}
		}
	}
	var items []*value
	from := 0
	for _, size := range sizes {
		if size < 0 || from+size > n {
			x.fail("the model does not take inputs of this shape", "parts of sizes %v are not %d elements", sizes, n)
		}
		e := part(x.b, x.v(0), dim, from, from+size)
		if !keep {
			e = x.b.Reshape(e, append(s[:dim:dim], s[dim+1:]...)...)
		}
		items = append(items, computed(e))
		from += size
	}
	return sequence(items)
}

// pieceCount fails if a sequence would have too many values.
func (x *node) pieceCount(n int) {
	if n > 1<<14 {
		x.unsupported("use shorter sequences", "a sequence of %d tensors is not supported", n)
	}
}

func concatFromSequence(x *node) []*value {
	items := x.items(0)
	if len(items) == 0 {
		x.unsupported("", "an empty sequence has no concatenation")
	}
	rank := len(items[0].typ.Shape)
	if x.int("new_axis", 0) != 0 {
		return []*value{x.stack(items, x.axis(x.int("axis", 0), rank+1), x.im.f.Model.Graph.Outputs[0].Type)}
	}
	var vs []build.Value
	for _, v := range items {
		vs = append(vs, x.of1(v))
	}
	return one(x.b.Concat(x.axis(x.int("axis", 0), rank), vs...))
}
