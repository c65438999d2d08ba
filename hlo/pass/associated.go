package pass

import (
	"maps"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// associated takes products of loop-invariant matrices before the loop: within a loop A·(X·W) becomes (A·X)·W and (G·A)·X
// becomes G·(A·X), if A and X come from outside of the loop, one of them is public, and A·X has no more elements than the two
// together. A graph network multiplies its adjacency and its features by each epoch's weights and cotangents: then one product
// of each pair stays in the loop, and the product between them is not rounded. The pass invariants moves A·X out of the loop.
//
// A·X is marked with hlo.FullRange, because it may be larger than a contraction may be although A·(X·W) is not.
var associated = Pass{"associated", "products of two loop-invariant matrices are taken before a loop", func(e *editor) {
	parts, inside := e.parts(), map[*hlo.Block]map[*hlo.Value]bool{}
	e.each(func(o *hlo.Op) {
		if o.Name == hlo.OpWhile {
			set := definedIn(o)
			for _, r := range o.Regions {
				inside[r] = set
			}
		}
	})
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		set, d := inside[s.block], matrixDot(o)
		if set == nil || d == nil || parts[o] || !e.secretFloat(o.Results[0]) {
			return false
		}
		for side, dim := range d {
			if s.reassociated(o, side, dim, d[1-side], set, parts) {
				return true
			}
		}
		return false
	})
}}

// definedIn returns the values that are defined in the regions of an operation.
func definedIn(o *hlo.Op) map[*hlo.Value]bool {
	set := map[*hlo.Value]bool{}
	for _, r := range o.Regions {
		addAll(set, r.Params)
		eachIn(r, func(o *hlo.Op) {
			addAll(set, o.Results)
			for _, r := range o.Regions {
				addAll(set, r.Params)
			}
		})
	}
	return set
}

// matrixDot returns the dimensions that a product of two matrices contracts; nil if o is no such product.
func matrixDot(o *hlo.Op) []int {
	if o.Name != hlo.OpDotGeneral {
		return nil
	}
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	x, y, z := o.Operands[0].Type, o.Operands[1].Type, o.Results[0].Type
	if len(x.Shape) != 2 || len(y.Shape) != 2 || len(d.LHSContract) != 1 || len(d.LHSBatch) > 0 || x.DType != z.DType || y.DType != z.DType {
		return nil
	}
	return []int{d.LHSContract[0], d.RHSContract[0]}
}

// reassociated rewrites o, which contracts dimension dim of its operand with the given number, a product, with dimension with
// of its other operand. inside has the values of the loop.
func (s *site) reassociated(o *hlo.Op, side, dim, with int, inside map[*hlo.Value]bool, parts map[*hlo.Op]bool) bool {
	v, last := o.Operands[side], o.Operands[1-side]
	for s.named(v, hlo.OpTranspose) != nil && s.uses[v] == 1 {
		t := s.def[v]
		v, dim = t.Operands[0], t.Attrs.Ints("permutation")[dim]
	}
	inner := s.def[v]
	if inside[last] || s.uses[v] != 1 || inner == nil || parts[inner] {
		return false
	}
	contracted := matrixDot(inner)
	if contracted == nil || v.Type.DType != o.Results[0].Type.DType {
		return false
	}
	// The result's dimension dim is that of the inner product's operand with that number.
	middle, first := inner.Operands[dim], inner.Operands[1-dim]
	if inside[middle] || !inside[first] || s.vis[middle] != hlo.Public && s.vis[last] != hlo.Public {
		return false
	}
	rows, columns := middle.Type.Shape[contracted[dim]], last.Type.Shape[1-with]
	if rows*columns > middle.Type.Shape.Size()+last.Type.Shape.Size() {
		return false
	}
	dot := func(t tensor.Type, x, y *hlo.Value, i, j int, full bool) *hlo.Value {
		attrs := maps.Clone(o.Attrs)
		attrs["dot_dimension_numbers"] = &hlo.DotDims{LHSContract: []int{i}, RHSContract: []int{j}}
		if delete(attrs, hlo.FullRange); full {
			attrs[hlo.FullRange] = true
		}
		return s.emit(o.Name, t, attrs, x, y)
	}
	// The public matrix comes first, so that A·X is one product if both forms occur.
	t, along := o.Results[0].Type, 0 // along is the dimension of fixed that is contracted with first
	fixed := tensor.Type{DType: t.DType, Shape: tensor.Shape{rows, columns}}
	x, y, i, j := middle, last, 1-contracted[dim], with
	if s.vis[middle] != hlo.Public {
		x, y, i, j, along, fixed.Shape = last, middle, with, 1-contracted[dim], 1, tensor.Shape{columns, rows}
	}
	product := dot(fixed, x, y, i, j, true)
	if side == 0 {
		return s.replaceResult(o, dot(t, first, product, contracted[1-dim], along, false))
	}
	return s.replaceResult(o, dot(t, product, first, along, contracted[1-dim], false))
}
