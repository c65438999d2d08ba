package pass

import (
	"context"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// editor changes a program, its own copy, in place.
type editor struct {
	Options
	ctx  context.Context
	prog *hlo.Program

	vis         map[*hlo.Value]hlo.Visibility
	def         map[*hlo.Value]*hlo.Op
	uses        map[*hlo.Value]int        // number of operands that refer to it; may be too large, never too small
	replacement map[*hlo.Value]*hlo.Value // replacement of a value
	numbers     map[*hlo.Op]number        // of constant operations

	matches *pattern.Patterns // patterns of the current program, nil if it has changed
	changed bool              // since analyse
	// pureFuncs holds the functions of which it is known whether their operations are pure.
	pureFuncs map[*hlo.Func]bool
}

// newEditor returns an editor of a program until ctx ends.
func newEditor(ctx context.Context, o Options, p *hlo.Program) *editor {
	return &editor{Options: o, ctx: ctx, prog: p, pureFuncs: map[*hlo.Func]bool{}}
}

// number is the value of all elements of a constant if ok is true.
type number struct {
	x  float64
	ok bool
}

// analyse recomputes the tables for the current program.
func (e *editor) analyse() {
	e.vis = e.prog.Visibility(e.Args)
	e.def, e.uses, e.replacement = map[*hlo.Value]*hlo.Op{}, map[*hlo.Value]int{}, map[*hlo.Value]*hlo.Value{}
	e.numbers, e.changed = map[*hlo.Op]number{}, false
	e.each(func(o *hlo.Op) {
		for _, v := range o.Results {
			e.def[v] = o
		}
		for _, v := range o.Operands {
			e.uses[v]++
		}
	})
}

// each calls f for every operation, including those in regions.
func (e *editor) each(f func(o *hlo.Op)) {
	for _, fn := range e.prog.Funcs {
		eachIn(fn.Body, f)
	}
}

func eachIn(b *hlo.Block, f func(o *hlo.Op)) {
	for _, o := range b.Ops {
		f(o)
		for _, r := range o.Regions {
			eachIn(r, f)
		}
	}
}

// applyReplacements substitutes replaced values in all operands and removes functions that are no
// longer called.
func (e *editor) applyReplacements() {
	if len(e.replacement) > 0 {
		e.each(e.refresh)
	}
	e.prog.Funcs = e.prog.Reached()
	if e.changed {
		e.matches = nil
	}
}

// patterns returns the patterns of the program. It must be called before the program is changed.
func (e *editor) patterns() *pattern.Patterns {
	if e.matches == nil {
		e.matches = pattern.Find(e.prog)
	}
	return e.matches
}

// parts returns the operations that belong to a pattern.
func (e *editor) parts() map[*hlo.Op]bool {
	parts := map[*hlo.Op]bool{}
	for _, m := range e.patterns().All {
		if m.Kind == pattern.DivSqrt || m.Kind == pattern.Abs {
			continue // this package has better forms for them
		}
		parts[m.End] = true
		for _, o := range m.Ops {
			parts[o] = true
		}
	}
	return parts
}

// replace records that a value is replaced by another.
func (e *editor) replace(old, by *hlo.Value) { e.replacement[old], e.changed = by, true }

// current returns the current replacement of v.
func (e *editor) current(v *hlo.Value) *hlo.Value {
	for e.replacement[v] != nil {
		v = e.replacement[v]
	}
	return v
}

func (e *editor) refresh(o *hlo.Op) {
	for i, v := range o.Operands {
		o.Operands[i] = e.current(v)
	}
}

// site is the position in a block at which operations are inserted.
type site struct {
	*editor
	block *hlo.Block
	out   []*hlo.Op
	at    *hlo.Op // the inserted operations get its position
}

// rewrite rewrites every block. f is called for each operation, whose operands are already
// replaced. f may insert operations before it and returns true if the operation is removed. The
// blocks of functions, loops and branches are rewritten, and the regions of reductions and the like
// if all is set.
func (e *editor) rewrite(all bool, f func(s *site, o *hlo.Op) (gone bool)) {
	for _, fn := range e.prog.Funcs {
		e.rewriteBlock(fn.Body, all, f)
	}
}

func (e *editor) rewriteBlock(b *hlo.Block, all bool, f func(s *site, o *hlo.Op) (gone bool)) {
	s := &site{editor: e, block: b, out: make([]*hlo.Op, 0, len(b.Ops))}
	for _, o := range b.Ops {
		e.alive()
		e.refresh(o)
		s.at = o
		if f(s, o) {
			continue
		}
		s.out = append(s.out, o)
		if all || o.Is(hlo.Control) {
			for _, r := range o.Regions {
				e.rewriteBlock(r, all, f)
			}
		}
	}
	b.Ops = s.out
}

func isReturn(o *hlo.Op) bool { return o.Name == hlo.OpFuncReturn || o.Name == hlo.OpReturn }

// emit inserts an operation with one result.
func (s *site) emit(name string, t tensor.Type, attrs hlo.Attrs, operands ...*hlo.Value) *hlo.Value {
	if attrs == nil {
		attrs = hlo.Attrs{}
	}
	v := &hlo.Value{Name: "new", Type: t, Pos: s.at.Pos}
	o := &hlo.Op{Name: name, Operands: operands, Results: []*hlo.Value{v}, Attrs: attrs, Pos: s.at.Pos, Loc: s.at.Loc}
	if name == s.at.Name {
		o.Written = s.at.Written
	}
	s.write(o)
	return v
}

// write inserts an operation.
func (s *site) write(o *hlo.Op) {
	vis := hlo.Public
	for _, v := range o.Operands {
		s.uses[v]++
		vis = vis.Join(s.vis[v])
	}
	for _, v := range o.Results {
		s.def[v] = o
		s.vis[v] = vis
	}
	s.out, s.changed = append(s.out, o), true
}

// replaceResult replaces the only result of o, which is removed, by v.
func (s *site) replaceResult(o *hlo.Op, v *hlo.Value) bool {
	s.replace(o.Results[0], v)
	s.uses[v] += s.uses[o.Results[0]]
	for _, x := range o.Operands {
		s.uses[x]--
	}
	return true
}

// emitLike inserts an elementwise operation whose result has the type of the first operand.
func (s *site) emitLike(name string, operands ...*hlo.Value) *hlo.Value {
	return s.emit(name, operands[0].Type, nil, operands...)
}

// number inserts a constant of a real type, rounded to it; an integer x of less than 54 bits for integers.
func (s *site) number(t tensor.Type, x float64) *hlo.Value {
	var a *tensor.Array
	if t.DType.IsFloat() {
		a = tensor.FromFloats(t.DType, tensor.Shape{}, []float64{x})
	} else {
		a = tensor.FromWords(t.DType, tensor.Shape{}, []uint64{uint64(int64(x))})
	}
	scalar := s.emit(hlo.OpConstant, a.Type, hlo.Attrs{"value": a})
	return s.broadcast(scalar, nil, t.Shape)
}

// broadcast inserts a broadcast of v to a larger shape, unless it has that shape already.
func (s *site) broadcast(v *hlo.Value, dims []int, to tensor.Shape) *hlo.Value {
	if len(dims) == len(to) && v.Type.Shape.Equal(to) {
		return v
	}
	list := make([]int64, len(dims))
	for i, d := range dims {
		list[i] = int64(d)
	}
	return s.emit(hlo.OpBroadcastInDim, tensor.Type{DType: v.Type.DType, Shape: to}, hlo.Attrs{"broadcast_dimensions": list}, v)
}

// named returns the operation that defines v if it has one of the names, else nil.
func (e *editor) named(v *hlo.Value, names ...string) *hlo.Op {
	o := e.def[v]
	if o == nil {
		return nil
	}
	for _, n := range names {
		if o.Name == n {
			return o
		}
	}
	return nil
}

// splat returns the real number that all elements of v are known to be.
func (e *editor) splat(v *hlo.Value) (float64, bool) {
	if v.Type.DType.IsComplex() {
		return 0, false
	}
	o := e.def[v]
	if o == nil {
		return 0, false
	}
	if o.Is(hlo.Moving) {
		return e.splat(o.Operands[0])
	}
	switch o.Name {
	case hlo.OpConvert:
		x, ok := e.splat(o.Operands[0])
		if ok && o.Operands[0].Type.DType.IsInt() && v.Type.DType.IsFloat() && math.Abs(x) <= 2048 {
			return x, true // exact in every float type
		}
	case hlo.OpConstant:
		return e.constant(o)
	}
	return 0, false
}

// maxInspected is the largest number of elements of a constant that is inspected.
const maxInspected = 1 << 22

// constant returns the number that all elements of a constant are.
func (e *editor) constant(o *hlo.Op) (float64, bool) {
	if k, ok := e.numbers[o]; ok {
		return k.x, k.ok
	}
	var k number
	if c, ok := o.Constant(); ok && c.Elements.Len() <= maxInspected {
		if x, ok := c.Uniform(); ok && (c.Type.DType.IsFloat() || math.Abs(x) < 1<<53) {
			k = number{x, true}
		}
	}
	e.numbers[o] = k
	return k.x, k.ok
}

// same reports whether v and w are one value, or the same number in all elements.
func (e *editor) same(v, w *hlo.Value) bool {
	if v == w {
		return true
	}
	x, ok := e.splat(v)
	y, ok2 := e.splat(w)
	return ok && ok2 && x == y
}

// secretFloat reports whether v is a secret of a float type, whose rounding a pass may change.
func (e *editor) secretFloat(v *hlo.Value) bool {
	return e.vis[v] == hlo.Secret && v.Type.DType.IsFloat()
}
