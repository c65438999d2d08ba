package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// derivation says how a value that one party knows was derived, by a public linear map, from other values
// that it knows. The party shares the values with the fewest elements: not every copy of repeated elements,
// nor overlapping tiles.
type derivation struct {
	depth int
	from  []*value // the values that are not public
	// share applies the map to the shared values.
	share func(c *opRun) *fxp.Value
	// flips says that the map transposes a matrix, the first of from.
	flips bool
}

// making returns the derivation of a value with the given number of elements; nil if sharing the values in
// from cannot be fewer elements. A view of one value is always recorded: several views together may make it
// worth sharing that value.
func making(from []*value, elements int, view bool, share func(c *opRun) *fxp.Value) *derivation {
	m := &derivation{share: share}
	for _, v := range from {
		if v.owner == Public {
			continue
		}
		m.from = append(m.from, v)
		if v.made != nil {
			m.depth = max(m.depth, v.made.depth)
		}
	}
	if m.depth++; m.depth > maps.MaxSteps {
		return nil
	}
	if view && len(m.from) == 1 {
		return m
	}
	if _, n := maps.Cut(m.from, (*value).sharing); n < elements {
		return m
	}
	return nil
}

// sharing describes a known value to maps.Cut.
func (v *value) sharing() maps.Node[*value] {
	s := maps.Node[*value]{Free: v.sec != nil, Size: v.typ.Shape.Size()}
	if v.made != nil {
		s.Depth, s.From = v.made.depth, v.made.from
	}
	return s
}

// smaller reports whether sharing the values from which v was derived takes fewer elements than sharing v.
func (v *value) smaller() bool {
	_, n := maps.Cut([]*value{v}, (*value).sharing)
	return n < v.typ.Shape.Size()
}

// shareKnown shares a value that one party knows, once.
func (c *opRun) shareKnown(v *value) {
	roots, _ := maps.Cut([]*value{v}, (*value).sharing)
	for _, r := range roots {
		switch arr := func() *tensor.Array { return r.array() }; {
		case r.guarded && !r.raw:
			r.sec = c.Arith.InputGuarded(c.op, r.owner, r.typ, arr)
		case r.fine && !r.raw:
			r.sec = c.Arith.InputFine(c.op, r.owner, r.typ, arr)
		default:
			owner := r.owner
			if _, stays := mpc.Owner(owner); stays {
				owner = mpc.StayingArgument(owner, r.argument)
			}
			r.sec = c.Arith.Input(c.op, owner, r.typ, arr)
		}
		c.inRange(r)
		r.made = nil
	}
	c.derive(v)
}

// derive makes a known value a secret by its derivation from values that have been shared.
func (c *opRun) derive(v *value) {
	if v.sec != nil {
		return
	}
	for _, u := range v.made.from {
		c.derive(u)
	}
	v.sec = v.made.share(c)
	c.inRange(v)
	v.made = nil
}

// inRange records the range known from the program's text for a known value that has been shared.
func (c *opRun) inRange(v *value) {
	if v.within != (fxp.Range{}) {
		c.Arith.Within(v.sec, v.within)
	}
}

// madeBy returns the derivation of the result of an operation that one party evaluates, and its movement; nil
// for the first if the result is no linear map of the operands, or none that is exact on encoded values, and for
// the second if it is no view.
func (x *run) madeBy(o *hlo.Op, in []*value) (*derivation, *movement) {
	t := o.Results[0].Type
	if t.DType.IsComplex() {
		return nil, nil
	}
	elements := t.Shape.Size()
	switch {
	case isView(o):
		v, operands, ok, err := eval.View(o, func(i int) *tensor.Array {
			if in[i].owner == Public {
				return in[i].array()
			}
			return nil
		})
		if err != nil || !ok || len(o.Results) > 1 {
			return nil, nil
		}
		data := make([]*value, len(operands))
		for i, n := range operands {
			data[i] = in[n]
		}
		m := making(data, elements, true, func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, c.allBy(c.shared, data)...) })
		if m != nil {
			m.flips = o.Name == hlo.OpTranspose && len(t.Shape) == 2 && slices.Equal(o.Attrs.Ints("permutation"), []int{1, 0})
		}
		return m, x.movedByView(v, data)
	case o.Name == hlo.OpDotGeneral && t.DType.IsFloat() && in[0].typ.DType == t.DType && in[1].typ.DType == t.DType &&
		(fewUnits(in[0]) || fewUnits(in[1])):
		return making(in, elements, false, func(c *opRun) *fxp.Value {
			secrets := slices.Clone(in)
			for i, v := range in {
				if v.owner != Public {
					secrets[i] = secret(v.sec)
				}
			}
			d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
			return (&opRun{run: c.run, op: c.op, o: o}).matProduct(secrets[0], secrets[1], d).sec
		}), nil
	}
	return nil, nil
}

// mostUnits bounds the elements of a public matrix in a derivation: each shared number is rounded, and errors
// grow with the matrix's elements.
const mostUnits = 8

// fewUnits reports whether a value is public and consists of small integers.
func fewUnits(v *value) bool {
	if v.owner != Public || v.array() == nil {
		return false
	}
	return !slices.ContainsFunc(v.array().Floats(), func(x float64) bool { return x != math.Trunc(x) || math.Abs(x) > mostUnits })
}
