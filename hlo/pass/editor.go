package pass

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// editor changes a program in place: a copy of its own.
type editor struct {
	Options
	prog *hlo.Program

	vis     map[*hlo.Value]hlo.Visibility
	def     map[*hlo.Value]*hlo.Op
	uses    map[*hlo.Value]int        // how often it is read; never too few
	instead map[*hlo.Value]*hlo.Value // what takes a value's place
	numbers map[*hlo.Op]number        // of constants

	matches *pattern.Patterns // of the program as it is, nil where it has changed
	changed bool              // since study
}

// number is what all elements of a constant are, if ok.
type number struct {
	x  float64
	ok bool
}

// study looks at the program as it is now.
func (e *editor) study() {
	e.vis = e.prog.Visibility(e.Args)
	e.def, e.uses, e.instead = map[*hlo.Value]*hlo.Op{}, map[*hlo.Value]int{}, map[*hlo.Value]*hlo.Value{}
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

// each visits every operation, those of regions too.
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

// settle puts what was replaced in its place everywhere, and drops functions
// that nothing calls.
func (e *editor) settle() {
	if len(e.instead) > 0 {
		e.each(e.refresh)
	}
	e.prog.Funcs = e.prog.Reached()
	if e.changed {
		e.matches = nil
	}
}

// patterns are the program's, asked for before it is changed.
func (e *editor) patterns() *pattern.Patterns {
	if e.matches == nil {
		e.matches = pattern.Find(e.prog)
	}
	return e.matches
}

// parts are the operations of patterns.
func (e *editor) parts() map[*hlo.Op]bool {
	parts := map[*hlo.Op]bool{}
	for _, m := range e.patterns().All {
		if m.Kind == pattern.DivSqrt || m.Kind == pattern.Abs {
			continue // this package has better forms
		}
		parts[m.End] = true
		for _, o := range m.Ops {
			parts[o] = true
		}
	}
	return parts
}

// replace has values stand for others.
func (e *editor) replace(old, by *hlo.Value) { e.instead[old], e.changed = by, true }

// current is what stands for v now.
func (e *editor) current(v *hlo.Value) *hlo.Value {
	for e.instead[v] != nil {
		v = e.instead[v]
	}
	return v
}

func (e *editor) refresh(o *hlo.Op) {
	for i, v := range o.Operands {
		o.Operands[i] = e.current(v)
	}
}

// site is the place in a block that operations are written to.
type site struct {
	*editor
	block *hlo.Block
	out   []*hlo.Op
	at    *hlo.Op // whose place what is written gets
}

// rewrite writes every block anew: f is called for each operation, whose
// operands are what stands for them by then, may write others before it, and
// says whether the operation itself goes. Blocks of functions, loops and
// branches are written, and those of reductions and the like if all says so.
func (e *editor) rewrite(all bool, f func(s *site, o *hlo.Op) (gone bool)) {
	for _, fn := range e.prog.Funcs {
		e.rewriteBlock(fn.Body, all, f)
	}
}

func (e *editor) rewriteBlock(b *hlo.Block, all bool, f func(s *site, o *hlo.Op) (gone bool)) {
	s := &site{editor: e, block: b, out: make([]*hlo.Op, 0, len(b.Ops))}
	for _, o := range b.Ops {
		e.refresh(o)
		s.at = o
		if f(s, o) {
			continue
		}
		s.out = append(s.out, o)
		if all || isControl(o) {
			for _, r := range o.Regions {
				e.rewriteBlock(r, all, f)
			}
		}
	}
	b.Ops = s.out
}

func isControl(o *hlo.Op) bool {
	return o.Name == "stablehlo.while" || o.Name == "stablehlo.if" || o.Name == "stablehlo.case"
}

func isReturn(o *hlo.Op) bool { return o.Name == "func.return" || o.Name == "stablehlo.return" }

// emit writes an operation of one result.
func (s *site) emit(name string, t tensor.Type, attrs hlo.Attrs, operands ...*hlo.Value) *hlo.Value {
	if attrs == nil {
		attrs = hlo.Attrs{}
	}
	v := &hlo.Value{Name: "new", Type: t, Pos: s.at.Pos}
	s.write(&hlo.Op{Name: name, Operands: operands, Results: []*hlo.Value{v}, Attrs: attrs, Pos: s.at.Pos, Loc: s.at.Loc})
	return v
}

// write writes an operation.
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

// put has v stand for the only result of o, which goes.
func (s *site) put(o *hlo.Op, v *hlo.Value) bool {
	s.replace(o.Results[0], v)
	s.uses[v] += s.uses[o.Results[0]]
	for _, x := range o.Operands {
		s.uses[x]--
	}
	return true
}

// like writes an elementwise operation whose result has the first operand's
// type.
func (s *site) like(name string, operands ...*hlo.Value) *hlo.Value {
	return s.emit(name, operands[0].Type, nil, operands...)
}

// number writes a constant.
func (s *site) number(t tensor.Type, x float64) *hlo.Value {
	scalar := s.emit("stablehlo.constant", tensor.Type{DType: t.DType, Shape: tensor.Shape{}},
		hlo.Attrs{"value": tensor.FromFloats(t.DType, tensor.Shape{}, []float64{x})})
	return s.broadcast(scalar, nil, t.Shape)
}

// broadcast writes v in a larger shape, unless it is the same.
func (s *site) broadcast(v *hlo.Value, dims []int, to tensor.Shape) *hlo.Value {
	if len(dims) == len(to) && v.Type.Shape.Equal(to) {
		return v
	}
	list := make([]int64, len(dims))
	for i, d := range dims {
		list[i] = int64(d)
	}
	return s.emit("stablehlo.broadcast_in_dim", tensor.Type{DType: v.Type.DType, Shape: to}, hlo.Attrs{"broadcast_dimensions": list}, v)
}

// named is the operation that gives v, if it has one of these names.
func (e *editor) named(v *hlo.Value, names ...string) *hlo.Op {
	o := e.def[v]
	if o == nil {
		return nil
	}
	for _, n := range names {
		if o.Name == "stablehlo."+n || o.Name == n {
			return o
		}
	}
	return nil
}

// splat is the real number that all elements of v are, if the text says so.
func (e *editor) splat(v *hlo.Value) (float64, bool) {
	if v.Type.DType.IsComplex() {
		return 0, false
	}
	o := e.def[v]
	if o == nil {
		return 0, false
	}
	switch o.Name {
	case "stablehlo.broadcast_in_dim", "stablehlo.reshape", "stablehlo.transpose":
		return e.splat(o.Operands[0])
	case "stablehlo.convert":
		x, ok := e.splat(o.Operands[0])
		if ok && o.Operands[0].Type.DType.IsInt() && v.Type.DType.IsFloat() && math.Abs(x) <= 2048 {
			return x, true // exact in every float type
		}
	case "stablehlo.constant":
		return e.constant(o)
	}
	return 0, false
}

// mostRead is how many elements of a constant are looked at; larger ones are
// taken as they are.
const mostRead = 1 << 22

// constant is the number that a constant repeats.
func (e *editor) constant(o *hlo.Op) (float64, bool) {
	if k, ok := e.numbers[o]; ok {
		return k.x, k.ok
	}
	var k number
	if arr, ok := o.Attrs["value"].(*tensor.Array); ok && arr.Len() > 0 && arr.Len() <= mostRead {
		f := arr.Floats()
		k = number{f[0], arr.DType.IsFloat() || math.Abs(f[0]) < 1<<53}
		for _, x := range f {
			k.ok = k.ok && x == f[0]
		}
	}
	e.numbers[o] = k
	return k.x, k.ok
}

// same reports that both are one value, or the same number everywhere.
func (e *editor) same(v, w *hlo.Value) bool {
	if v == w {
		return true
	}
	x, ok := e.splat(v)
	y, ok2 := e.splat(w)
	return ok && ok2 && x == y
}

// secretFloat reports that v is a secret of a float type: what a pass may
// round otherwise.
func (e *editor) secretFloat(v *hlo.Value) bool {
	return e.vis[v] == hlo.Secret && v.Type.DType.IsFloat()
}
