package exec

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// made says how a value that one party knows follows, by a public linear map,
// from others that it knows. What that party shares of them is what has fewest
// elements: not every copy of what is repeated, nor tiles that overlap.
type made struct {
	depth int
	from  []*value // that are not public
	// share is the map of shared values.
	share func(c *opRun) *fxp.Value
}

// making is what makes a value of so many elements of others; nil if it cannot be
// less to share those. Views of one value may be parts of what it is less for.
func making(from []*value, elements int, view bool, share func(c *opRun) *fxp.Value) *made {
	m := &made{share: share}
	for _, v := range from {
		if v.who == Public {
			continue
		}
		m.from = append(m.from, v)
		if v.made != nil {
			m.depth = max(m.depth, v.made.depth)
		}
	}
	if m.depth++; m.depth > maps.MostSteps {
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

// sharing is what to share of a known value.
func (v *value) sharing() maps.Step[*value] {
	s := maps.Step[*value]{Free: v.sec != nil, Size: v.typ.Shape.Size()}
	if v.made != nil {
		s.Depth, s.From = v.made.depth, v.made.from
	}
	return s
}

// smaller reports whether less is shared of what a value is made of than it has
// elements.
func (v *value) smaller() bool {
	_, n := maps.Cut([]*value{v}, (*value).sharing)
	return n < v.typ.Shape.Size()
}

// shareKnown shares a value that one party knows, once.
func (c *opRun) shareKnown(v *value) {
	roots, _ := maps.Cut([]*value{v}, (*value).sharing)
	for _, r := range roots {
		r.sec = c.Arith.Input(c.op, r.who, r.typ, func() *tensor.Array { return r.arr })
		c.inRange(r)
		r.made = nil
	}
	c.derive(v)
}

// derive makes a known value a secret from what has been shared of it.
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

// inRange tells of a known value that has been shared what the program's text says of
// it.
func (c *opRun) inRange(v *value) {
	if v.within != (fxp.Range{}) {
		c.Arith.Within(v.sec, v.within)
	}
}

// madeBy is how an operation that one party evaluates alone makes its result;
// nil if by no linear map, or by none that is exact on what is encoded.
func madeBy(o *hlo.Op, in []*value) *made {
	t := o.Results[0].Type
	if t.DType.IsComplex() {
		return nil
	}
	elements := t.Shape.Size()
	switch {
	case viewOps[o.Name]:
		v, operands, ok, err := eval.View(o, func(i int) *tensor.Array {
			if in[i].who == Public {
				return in[i].arr
			}
			return nil
		})
		if err != nil || !ok || len(o.Results) > 1 {
			return nil
		}
		data := make([]*value, len(operands))
		for i, n := range operands {
			data[i] = in[n]
		}
		return making(data, elements, true, func(c *opRun) *fxp.Value { return c.Arith.View(c.op, v, c.shareAll(data)...) })
	case o.Name == "stablehlo.dot_general" && t.DType.IsFloat() && in[0].typ.DType == t.DType && in[1].typ.DType == t.DType && (fewUnits(in[0]) || fewUnits(in[1])):
		return making(in, elements, false, func(c *opRun) *fxp.Value {
			secrets := slices.Clone(in)
			for i, v := range in {
				if v.who != Public {
					secrets[i] = secret(v.sec)
				}
			}
			d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
			return (&opRun{run: c.run, op: c.op, o: o}).matProduct(secrets[0], secrets[1], d).sec
		})
	}
	return nil
}

// mostUnits bounds a public matrix whose products are made of shared values: of
// those each number is rounded, so errors grow with it.
const mostUnits = 8

// fewUnits reports whether a value is public, of small integers.
func fewUnits(v *value) bool {
	if v.who != Public || v.arr == nil {
		return false
	}
	return !slices.ContainsFunc(v.arr.Floats(), func(x float64) bool { return x != math.Trunc(x) || math.Abs(x) > mostUnits })
}
