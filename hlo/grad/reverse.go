package grad

import (
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
)

// reverse writes cotangents of a block's values: for each value v the derivative of the weighted sum of the block's
// results with respect to v.
type reverse struct {
	*writer
	// ct holds the cotangents so far. A value without one has the cotangent 0.
	ct map[*hlo.Value]*hlo.Value
	// order lists the values of ct in the order in which they got one.
	order []*hlo.Value
}

func newReverse(w *writer) *reverse { return &reverse{writer: w, ct: map[*hlo.Value]*hlo.Value{}} }

// wants reports whether the cotangent of v is needed.
func (r *reverse) wants(v *hlo.Value) bool { return r.c.varied[v] }

// give adds c to the cotangent of v; nil is zero.
func (r *reverse) give(v, c *hlo.Value) {
	if c == nil || !r.wants(v) {
		return
	}
	old, ok := r.ct[v]
	if !ok {
		r.order = append(r.order, v)
	}
	r.ct[v] = r.sum(old, c)
}

// sweep goes through a block's operations from the last to the first and adds to the cotangents of their operands.
func (r *reverse) sweep(ops []*hlo.Op) {
	for i := len(ops) - 1; i >= 0; i-- {
		r.c.alive()
		r.operation(ops[i])
	}
}

func (r *reverse) operation(o *hlo.Op) {
	ct := make([]*hlo.Value, len(o.Results))
	any := false
	for k, v := range o.Results {
		if r.wants(v) {
			ct[k] = r.ct[v]
		}
		any = any || ct[k] != nil
	}
	if !any || r.c.frozen[o] {
		return
	}
	r.at = o
	if m := r.c.wholes[o]; m != nil {
		r.whole(m, ct[0])
		return
	}
	if f := partials[o.Name]; f != nil {
		r.refuseComplex(o)
		r.elementwise(o, f, ct[0])
		return
	}
	if rule := rules[o.Name]; rule.back != nil {
		if !rule.complex {
			r.refuseComplex(o)
		}
		rule.back(r, o, ct)
		return
	}
	r.c.refuseOp(o)
}

// elementwise adds the cotangents of an elementwise operation.
func (r *reverse) elementwise(o *hlo.Op, f partial, ct *hlo.Value) {
	for i, v := range o.Operands {
		if r.wants(v) {
			r.give(v, f(r.writer, o, i, ct))
		}
	}
}

// complexPartials are the elementwise operations whose derivatives hold for complex numbers as well.
var complexPartials = map[string]bool{
	hlo.OpAdd: true, hlo.OpSubtract: true, hlo.OpMultiply: true, hlo.OpDivide: true, hlo.OpNegate: true,
	hlo.OpExponential: true, hlo.OpSine: true, hlo.OpCosine: true, hlo.OpLog: true,
}

// refuseComplex refuses an operation on complex numbers.
func (w *writer) refuseComplex(o *hlo.Op) {
	if complexPartials[o.Name] {
		return
	}
	for _, v := range append(o.Operands[:len(o.Operands):len(o.Operands)], o.Results...) {
		if v.Type.DType.IsComplex() {
			w.refuse(o, "has no derivative on complex numbers", "write it with stablehlo.real and stablehlo.imag")
		}
	}
}

func (w *writer) refuse(o *hlo.Op, what, hint string) { w.c.refuse(o, what, hint) }

// freezeMaximum has the maximum within a log-softmax or logsumexp count as a constant: the result does not depend on
// it. It remains as it is if other operations read the maximum.
func (c *context) freezeMaximum(m *pattern.Match) {
	shared := map[*hlo.Value]bool{}
	for _, v := range m.Shared {
		shared[v] = true
	}
	var maxima []*hlo.Op
	copies := map[*hlo.Value]bool{}
	for _, o := range m.Ops {
		if o.Name == hlo.OpReduce && len(o.Results) == 1 && extreme(o) == hlo.OpMaximum {
			maxima = append(maxima, o)
			copies[o.Results[0]] = true
		}
		if !o.Is(hlo.Moving) && o.Name != hlo.OpMaximum && o.Name != hlo.OpSelect {
			continue
		}
		for _, v := range o.Operands {
			if copies[v] && len(o.Results) == 1 {
				copies[o.Results[0]] = true
			}
		}
	}
	for v := range copies {
		if shared[v] {
			return
		}
	}
	for _, o := range maxima {
		c.frozen[o] = true
	}
}
