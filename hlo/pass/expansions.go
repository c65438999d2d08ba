package pass

import (
	"embed"
	"fmt"
	"math"
	"path"
	"reflect"
	"strings"
	"sync"

	"github.com/tacet-mpc/tacet/hlo"
)

// expansions replaces the expansions of special functions by the functions. jax.export writes portable
// artifacts, which have no chlo operations: erfc is then 40 operations of polynomials and selections, each of
// them a product or a comparison of secrets, where a protocol has one function. An expansion is recognised if it
// is, operation by operation and constant by constant, the one of folder expansions, so that what is almost an
// expansion is left as it is. The function is at least as accurate.
var expansions = Pass{"expansions", "special functions that an exporter has expanded are single operations again", func(e *editor) {
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || e.vis[o.Results[0]] != hlo.Secret || !o.Results[0].Type.DType.IsFloat() {
			return false
		}
		for _, t := range expanded() {
			if t.root.Name != o.Name {
				continue
			}
			if x := t.match(s, o); x != nil {
				return s.replaceResult(o, s.emit(t.function, o.Results[0].Type, nil, x))
			}
		}
		return false
	})
}}

// expansionFiles are programs of one function of one argument each, as jax.export of JAX 0.10.2 writes them:
//
//	export.export(jax.jit(jax.lax.erfc))(np.zeros(4, np.float32)).mlir_module_serialized
//
//go:embed expansions/*.mlirbc
var expansionFiles embed.FS

// expansion is a function and the operations to which an exporter expands it.
type expansion struct {
	function string
	program  *editor
	x        *hlo.Value // the argument
	root     *hlo.Op    // the operation that returns the function's value
}

// expanded returns the known expansions.
var expanded = sync.OnceValue(func() []*expansion {
	files, err := expansionFiles.ReadDir("expansions")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	var out []*expansion
	for _, f := range files {
		name := path.Join("expansions", f.Name())
		text, err := expansionFiles.ReadFile(name)
		if err != nil {
			panic(err)
		}
		p, err := hlo.Parse(name, text)
		if err != nil {
			panic(fmt.Sprintf("pass: %v", err))
		}
		e := &expansion{function: "chlo." + f.Name()[:strings.LastIndex(f.Name(), "_")], program: &editor{prog: p}}
		e.program.analyse()
		e.x, e.root = p.Main.Body.Params[0], e.program.def[p.Main.Body.Return().Operands[0]]
		out = append(out, e)
	}
	return out
})

// match returns the argument if o and the operations before it are the expansion; else nil.
func (t *expansion) match(s *site, o *hlo.Op) *hlo.Value {
	m := &expansionMatch{t: t, s: s, shape: o.Results[0], known: map[*hlo.Value]*hlo.Value{}}
	x := func() *hlo.Value {
		if !m.same(t.root.Results[0], o.Results[0]) {
			return nil
		}
		return m.known[t.x]
	}()
	if x == nil || s.vis[x] != hlo.Secret || !x.Type.Equal(o.Results[0].Type) {
		return nil
	}
	return x
}

// expansionMatch compares a program with an expansion.
type expansionMatch struct {
	t     *expansion
	s     *site
	shape *hlo.Value                // has the shape of all values
	known map[*hlo.Value]*hlo.Value // a value of the expansion, and the value of the program that is it
}

// same reports whether v is computed from the argument as e is in the expansion.
func (m *expansionMatch) same(e, v *hlo.Value) bool {
	v = m.s.current(v)
	if w := m.known[e]; w != nil {
		return v == w
	}
	if e.Type.DType != v.Type.DType || !v.Type.Shape.Equal(m.shape.Type.Shape) {
		return false
	}
	if x, ok := m.t.program.splat(e); ok {
		y, ok := m.s.splat(v)
		return ok && math.Float64bits(x) == math.Float64bits(y)
	}
	if e != m.t.x {
		p, q := m.t.program.def[e], m.s.def[v]
		if p != nil && q != nil && p.Name == hlo.OpConstant && q.Name == hlo.OpConstant { // splat knows no NaN
			a, _ := p.Constant()
			b, _ := q.Constant()
			return a.Repeated && b.Repeated && a.Type.DType.IsFloat() && math.IsNaN(a.Elements.Floats()[0]) && math.IsNaN(b.Elements.Floats()[0])
		}
		if p == nil || q == nil || p.Name != q.Name || len(p.Operands) != len(q.Operands) || len(q.Results) != 1 || !sameAttrs(p, q) {
			return false
		}
		for i := range p.Operands {
			if !m.same(p.Operands[i], q.Operands[i]) {
				return false
			}
		}
	}
	m.known[e] = v
	return true
}

// sameAttrs reports whether two operations have the same attributes.
func sameAttrs(p, q *hlo.Op) bool {
	if len(p.Attrs) != len(q.Attrs) {
		return false
	}
	for name, x := range p.Attrs {
		if y, ok := q.Attrs[name]; !ok || !reflect.DeepEqual(x, y) {
			return false
		}
	}
	return true
}
