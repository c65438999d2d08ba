package pass

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// masks: of a maximum or minimum that only a selection by a constant mask
// reads, those elements are computed that the mask takes. A network with a part
// of its ReLUs, select(mask, max(x, 0), x), compares for that part only. Exact.
var masks = Pass{"masks", "maxima and minima for those elements only that a constant mask takes", func(e *editor) {
	parts := e.parts()
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		return o.Name == "stablehlo.select" && e.vis[o.Results[0]] == hlo.Secret && s.takes(o, parts)
	})
}}

// takes: select(mask, max(x, y), z), or with the maximum where the mask is not.
func (s *site) takes(o *hlo.Op, parts map[*hlo.Op]bool) bool {
	r := o.Results[0]
	mask := s.bits(o.Operands[0])
	if len(mask) != r.Type.Shape.Size() { // none, or one bit for all
		return false
	}
	for i, v := range o.Operands[1:] {
		f := s.named(v, "maximum", "minimum")
		if f == nil || parts[f] || s.uses[v] > 1 || s.vis[v] != hlo.Secret {
			continue
		}
		var taken []uint64 // places where f is selected
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
		some := s.like(f.Name, s.elements(f.Operands[0], taken), s.elements(f.Operands[1], taken))
		rest := s.flat(o.Operands[2-i])
		both := s.emit("stablehlo.concatenate", tensor.Type{DType: r.Type.DType, Shape: tensor.Shape{len(mask) + len(taken)}}, hlo.Attrs{"dimension": int64(0)}, rest, some)
		return s.put(o, s.emit("stablehlo.reshape", r.Type, nil, s.elements(both, from)))
	}
	return false
}

// bits is a boolean constant, reshaped or repeated perhaps; nil if v is none.
func (e *editor) bits(v *hlo.Value) []bool {
	o := e.def[v]
	if o == nil || v.Type.DType != tensor.Bool || v.Type.Shape.Size() > mostRead {
		return nil
	}
	switch o.Name {
	case "stablehlo.constant":
		if a, ok := o.Attrs["value"].(*tensor.Array); ok && a.Len() == v.Type.Shape.Size() {
			return a.Data.([]bool)
		}
	case "stablehlo.reshape":
		return e.bits(o.Operands[0])
	case "stablehlo.broadcast_in_dim":
		x := o.Operands[0]
		if b := e.bits(x); b != nil {
			return tensor.Apply(tensor.Broadcast(x.Type.Shape, o.Attrs.Ints("broadcast_dimensions"), v.Type.Shape), false, b)
		}
	}
	return nil
}

// flat writes v as a vector.
func (s *site) flat(v *hlo.Value) *hlo.Value {
	if len(v.Type.Shape) == 1 {
		return v
	}
	return s.emit("stablehlo.reshape", tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{v.Type.Shape.Size()}}, nil, v)
}

// elements writes a vector of v's elements at places of the flat v.
func (s *site) elements(v *hlo.Value, places []uint64) *hlo.Value {
	t := tensor.Type{DType: v.Type.DType, Shape: tensor.Shape{len(places)}}
	if x, ok := s.splat(v); ok && t.DType.IsFloat() {
		return s.number(t, x)
	}
	index := tensor.FromWords(tensor.I64, tensor.Shape{len(places), 1}, places)
	at := s.emit("stablehlo.constant", index.Type, hlo.Attrs{"value": index})
	return s.emit("stablehlo.gather", t, hlo.Attrs{
		"dimension_numbers":  &hlo.GatherDims{CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1},
		"slice_sizes":        []int64{1},
		"indices_are_sorted": false,
	}, s.flat(v), at)
}
