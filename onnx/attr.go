package onnx

import (
	"math"

	"github.com/tacet-mpc/tacet/onnx/model"
	"github.com/tacet-mpc/tacet/tensor"
)

// resolved is an attribute whose value may be that of the function which the node belongs to; nil if the call of the function
// has none.
func (x *node) resolved(a *model.Attr) *model.Attr {
	if a == nil || a.Ref == "" {
		return a
	}
	to := x.of[a.Ref]
	if to == nil {
		return nil
	}
	c := *to
	c.Name = a.Name
	return &c
}

// attr returns an attribute of the node, or nil.
func (x *node) attr(name string) *model.Attr { return x.resolved(x.n.Attr(name)) }

// typed returns an attribute that has a type, or nil if there is none. Old files leave the type out.
func (x *node) typed(name string, t model.AttrType) *model.Attr {
	a := x.attr(name)
	if a != nil && a.Type != t && a.Type != 0 {
		x.fail("the file is damaged", "attribute %s has type %d, want %d", name, a.Type, t)
	}
	return a
}

// int returns an attribute that is an integer.
func (x *node) int(name string, otherwise int) int {
	a := x.typed(name, model.AttrInt)
	if a == nil {
		return otherwise
	}
	if a.Int > math.MaxInt32 || a.Int < math.MinInt32 {
		x.fail("the file is damaged", "attribute %s is %d", name, a.Int)
	}
	return int(a.Int)
}

// ints returns an attribute that is a list of integers, nil if there is none.
func (x *node) ints(name string) []int {
	a := x.typed(name, model.AttrInts)
	if a == nil {
		return nil
	}
	out := make([]int, len(a.Ints))
	for i, n := range a.Ints {
		out[i] = x.small(n)
	}
	return out
}

// small is a number that is no larger than sizes are; limits beyond it, such as the end of a Slice, become the largest one.
func (x *node) small(n int64) int {
	return int(max(math.MinInt32, min(math.MaxInt32, n)))
}

func (x *node) float(name string, otherwise float64) float64 {
	a := x.typed(name, model.AttrFloat)
	if a == nil {
		return otherwise
	}
	return float64(a.Float)
}

func (x *node) floats(name string) []float32 {
	a := x.typed(name, model.AttrFloats)
	if a == nil {
		return nil
	}
	return a.Floats
}

func (x *node) text(name, otherwise string) string {
	a := x.typed(name, model.AttrString)
	if a == nil {
		return otherwise
	}
	return a.String
}

func (x *node) texts(name string) []string {
	a := x.typed(name, model.AttrStrings)
	if a == nil {
		return nil
	}
	return a.Strings
}

// dtype returns an attribute that is an element type.
func (x *node) dtype(name string, otherwise tensor.DType) tensor.DType {
	a := x.typed(name, model.AttrInt)
	if a == nil {
		return otherwise
	}
	d, err := model.DType(int32(a.Int))
	if err != nil {
		x.unsupported("export the model with other types", "attribute %s: %w", name, err)
	}
	return d
}

// tensorAttr returns the elements of an attribute that is a tensor, nil if there is none.
func (x *node) tensorAttr(name string) *tensor.Array {
	a := x.typed(name, model.AttrTensor)
	if a == nil || a.Tensor == nil {
		return nil
	}
	if err := x.im.f.locate(a.Tensor); err != nil {
		x.fail("", "attribute %s: %w", name, err)
	}
	out, err := a.Tensor.Array()
	if err != nil {
		x.fail("", "attribute %s: %w", name, err)
	}
	return out
}

// graphAttr returns an attribute that is a graph.
func (x *node) graphAttr(name string) *model.Graph {
	a := x.typed(name, model.AttrGraph)
	if a == nil || a.Graph == nil {
		x.fail("the file is damaged", "attribute %s is missing", name)
	}
	return a.Graph
}
