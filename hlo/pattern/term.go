package pattern

import (
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
)

// frame is a call that the match has followed to its callee; nil is the analysed block.
type frame struct {
	call *hlo.Op
	up   *frame
}

// maxFrames is the largest depth of followed calls, maxDepth that of compared terms, and maxSteps the largest
// number of steps for one operation.
const (
	maxFrames = 8
	maxDepth  = 16
	maxSteps  = 4000
)

// enter returns the frame of a call within up; the same frame for the same call.
func (f *finder) enter(call *hlo.Op, up *frame) *frame {
	key := frame{call, up}
	if f.frames[key] == nil {
		f.frames[key] = &key
	}
	return f.frames[key]
}

func (fr *frame) depth() int {
	n := 0
	for ; fr != nil; fr = fr.up {
		n++
	}
	return n
}

// term is a value within one call, viewed in a shape.
type term struct {
	v *hlo.Value
	f *frame
	w view
}

// attempt is the analysis of one operation of a block.
type attempt struct {
	*finder
	block  *hlo.Block
	number int // among the finder's attempts, from 1
	steps  int
}

// whole returns a value of the block without a view.
func (a *attempt) whole(v *hlo.Value) term { return term{v: v, w: whole(v.Type.Shape)} }

// arg returns operand i of t's operation, which has its result's shape.
func (t term) arg(o *hlo.Op, i int) term { return term{o.Operands[i], t.f, t.w} }

// examine returns the operation that defines t, nil if t is an input: a parameter, or a value of an enclosing
// block.
func (a *attempt) examine(t term) *hlo.Op {
	if a.steps++; a.steps > maxSteps {
		return nil
	}
	s := a.site(t.v)
	if t.f == nil {
		if s.home != a.block {
			return nil
		}
		if s.op != nil {
			s.first.seen = a.number
		}
	}
	return s.op
}

// step returns the term of which t is another form; false if there is none.
func (a *attempt) step(t term) (term, bool) {
	o := a.examine(t)
	if o == nil {
		if t.f != nil {
			if s := a.site(t.v); s.op == nil && s.home == t.f.call.Callee.Body {
				return term{t.f.call.Operands[s.result], t.f.up, t.w}, true
			}
		}
		return t, false
	}
	if src, ok := moves(o); ok {
		return term{o.Operands[0], t.f, t.w.through(src)}, true
	}
	switch o.Name {
	case hlo.OpConvert:
		if o.Operands[0].Type.DType.IsFloat() && o.Results[0].Type.DType.IsFloat() {
			return t.arg(o, 0), true
		}
	case hlo.OpOptimizationBarrier:
		return t.arg(o, a.site(t.v).result), true
	case hlo.OpCall, hlo.OpComposite:
		if o.Callee != nil && t.f.depth() < maxFrames {
			return term{o.Callee.Body.Return().Operands[a.site(t.v).result], a.enter(o, t.f), t.w}, true
		}
	case hlo.OpSelect:
		return a.chosen(t, o)
	case hlo.OpNegate:
		if inner := a.resolve(t.arg(o, 0)); a.named(inner, hlo.OpNegate) {
			return inner.arg(a.def(inner.v), 0), true
		}
	case hlo.OpAdd:
		return a.neutral(t, o, 0, true)
	case hlo.OpSubtract:
		return a.neutral(t, o, 0, false)
	case hlo.OpMultiply:
		return a.neutral(t, o, 1, true)
	case hlo.OpDivide:
		return a.neutral(t, o, 1, false)
	case hlo.OpMaximum:
		return a.neutral(t, o, math.Inf(-1), true)
	case hlo.OpMinimum:
		return a.neutral(t, o, math.Inf(1), true)
	}
	return t, false
}

// neutral returns o's other operand if its second operand, or also its first if both, is the constant c.
func (a *attempt) neutral(t term, o *hlo.Op, c float64, both bool) (term, bool) {
	if !o.Results[0].Type.DType.IsFloat() {
		return t, false
	}
	if k, ok := a.constant(t.arg(o, 1)); ok && k == c {
		return t.arg(o, 0), true
	}
	if both {
		if k, ok := a.constant(t.arg(o, 0)); ok && k == c {
			return t.arg(o, 1), true
		}
	}
	return t, false
}

// chosen follows a selection whose predicate is constant.
func (a *attempt) chosen(t term, o *hlo.Op) (term, bool) {
	if k, ok := a.fold(o.Operands[0], t.f, 0); ok {
		return t.arg(o, 2-int(k)), true
	}
	return t, false
}

// resolve follows t to the operation or input from which it comes.
func (a *attempt) resolve(t term) term {
	for {
		next, ok := a.step(t)
		if !ok {
			return t
		}
		t = next
	}
}

// named reports whether a resolved term is the result of an operation of that name.
func (a *attempt) named(t term, name string) bool {
	o := a.examine(t)
	return o != nil && o.Name == name
}

// unary and binary return the operands of an operation of that name.
func (a *attempt) unary(t term, name string) (term, bool) {
	t = a.resolve(t)
	if !a.named(t, name) {
		return t, false
	}
	return t.arg(a.def(t.v), 0), true
}

func (a *attempt) binary(t term, name string) (x, y term, ok bool) {
	t = a.resolve(t)
	if !a.named(t, name) {
		return t, t, false
	}
	o := a.def(t.v)
	return t.arg(o, 0), t.arg(o, 1), true
}

// value returns a value of the block, or of an enclosing one, that is equal to t; of several the one that is
// computed first. dims is nil if it has t's shape, else it says how the value is broadcast to it (see
// Match.Dims).
func (a *attempt) value(t term) (v *hlo.Value, dims []int) {
	for {
		if t.f == nil {
			if t.w.is(t.v.Type.Shape) {
				v, dims = t.v, nil
			} else if v == nil || dims != nil {
				v, dims = t.v, t.w.src
			}
		}
		next, ok := a.step(t)
		if !ok {
			return v, dims
		}
		t = next
	}
}

// same reports whether both terms are equal element by element: they are one value, or are computed alike.
func (a *attempt) same(t, u term) bool { return a.alike(t, u, 0) }

func (a *attempt) alike(t, u term, depth int) bool {
	t, u = a.resolve(t), a.resolve(u)
	if !t.w.shape.Equal(u.w.shape) {
		return false
	}
	if x, ok := a.constant(t); ok {
		y, ok := a.constant(u)
		return ok && x == y
	}
	if t.v == u.v && t.f == u.f {
		return t.w.equal(u.w)
	}
	p, q := a.examine(t), a.examine(u)
	if p == nil || q == nil || p.Name != q.Name || depth > maxDepth {
		return false
	}
	if kind, ok := a.reduction(p, t.f); ok {
		k, ok := a.reduction(q, u.f)
		return ok && k == kind && slices.Equal(p.Attrs.Ints("dimensions"), q.Attrs.Ints("dimensions")) && t.w.equal(u.w) &&
			a.alike(full(p, t.f), full(q, u.f), depth+1)
	}
	if !p.Is(hlo.Elementwise) || !sameShapes(p) || !sameShapes(q) || !sameAttrs(p, q) {
		return false
	}
	if d, e := p.Results[0].Type.DType, q.Results[0].Type.DType; d != e && !(d.IsFloat() && e.IsFloat()) {
		return false
	}
	all := true
	for i := range p.Operands {
		all = all && a.alike(t.arg(p, i), u.arg(q, i), depth+1)
	}
	if !all && p.Is(hlo.Commutative) {
		return a.alike(t.arg(p, 0), u.arg(q, 1), depth+1) && a.alike(t.arg(p, 1), u.arg(q, 0), depth+1)
	}
	return all
}

// full returns the operand of a reduction without a view.
func full(o *hlo.Op, f *frame) term { return term{o.Operands[0], f, whole(o.Operands[0].Type.Shape)} }

// sameShapes reports whether an operation's operands have its result's shape.
func sameShapes(o *hlo.Op) bool {
	for _, v := range o.Operands {
		if !v.Type.Shape.Equal(o.Results[0].Type.Shape) {
			return false
		}
	}
	return true
}

// sameAttrs reports whether two operations have the same attributes.
func sameAttrs(p, q *hlo.Op) bool {
	return maps.EqualFunc(p.Attrs, q.Attrs, func(a, b any) bool { return reflect.DeepEqual(a, b) })
}
