package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// masks restricts a maximum or minimum that is used only in a selection by a constant mask to the
// elements that the mask selects. A network with some of its ReLUs, select(mask, max(x, 0), x),
// then compares only these elements. Exact.
var masks = Pass{"masks", "maxima and minima are computed only for elements that a constant mask selects", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		return o.Name == hlo.OpSelect && e.vis[o.Results[0]] == hlo.Secret && s.restrictToMask(o, parts)
	})
}}

// restrictToMask handles select(mask, max(x, y), z), and select(mask, z, max(x, y)).
func (s *site) restrictToMask(o *hlo.Op, parts map[*hlo.Op]bool) bool {
	r := o.Results[0]
	mask := s.bits(o.Operands[0])
	if len(mask) != r.Type.Shape.Size() { // not a constant, or one bit for all elements
		return false
	}
	for i, v := range o.Operands[1:] {
		f := s.named(v, hlo.OpMaximum, hlo.OpMinimum)
		if f == nil || parts[f] || s.uses[v] > 1 || s.vis[v] != hlo.Secret {
			continue
		}
		var taken []uint64 // positions at which f is selected
		from := make([]uint64, len(mask))
		for at, bit := range mask {
			if from[at] = uint64(at); bit == (i == 0) {
				from[at] = uint64(len(mask) + len(taken))
				taken = append(taken, uint64(at))
			}
		}
		if len(taken) == 0 || len(taken) == len(mask) {
			continue
		}
		some := s.emitLike(f.Name, s.elements(f.Operands[0], taken), s.elements(f.Operands[1], taken))
		rest := s.flat(o.Operands[2-i])
		both := s.emit(
			hlo.OpConcatenate,
			tensor.Type{DType: r.Type.DType, Shape: tensor.Shape{len(mask) + len(taken)}},
			hlo.Attrs{"dimension": int64(0)},
			rest,
			some,
		)
		return s.replaceResult(o, s.emit(hlo.OpReshape, r.Type, nil, s.elements(both, from)))
	}
	return false
}

// bits returns the elements of a boolean constant, possibly reshaped or broadcast; nil if v is not
// one.
func (e *editor) bits(v *hlo.Value) []bool {
	o := e.def[v]
	if o == nil || v.Type.DType != tensor.Bool || v.Type.Shape.Size() > maxInspected {
		return nil
	}
	switch o.Name {
	case hlo.OpConstant:
		if c, ok := o.Constant(); ok {
			return c.Array().Data.([]bool)
		}
	case hlo.OpReshape:
		return e.bits(o.Operands[0])
	case hlo.OpBroadcastInDim:
		x := o.Operands[0]
		if b := e.bits(x); b != nil {
			return tensor.Apply(tensor.Broadcast(x.Type.Shape, o.Attrs.Ints("broadcast_dimensions"), v.Type.Shape), false, b)
		}
	}
	return nil
}

// flat inserts a reshape of v to a vector.
func (s *site) flat(v *hlo.Value) *hlo.Value {
	if len(v.Type.Shape) == 1 {
		return v
	}
	return s.emit(hlo.OpReshape, tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{v.Type.Shape.Size()}}, nil, v)
}

// elements inserts a gather of v's elements at the given positions of the flattened v.
func (s *site) elements(v *hlo.Value, places []uint64) *hlo.Value {
	t := tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{len(places)}}
	if x, ok := s.splat(v); ok && t.DType.IsFloat() {
		return s.number(t, x)
	}
	index := tensor.FromWords(tensor.I64, tensor.Shape{len(places), 1}, places)
	at := s.emit(hlo.OpConstant, index.Type, hlo.Attrs{"value": index})
	return s.emit(hlo.OpGather, t, hlo.Attrs{
		"dimension_numbers":  &hlo.GatherDims{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1},
		"slice_sizes":        []int64{1},
		"indices_are_sorted": false,
	}, s.flat(v), at)
}
