package pattern

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// passes are operations of whose results the last places are those of their
// operands.
var passes = map[string]bool{}

func init() {
	for _, name := range []string{
		"add", "subtract", "negate", "abs", "multiply", "divide", "maximum", "minimum", "select", "clamp", "convert", "reduce",
		"broadcast_in_dim", "reshape", "transpose", "slice", "concatenate", "pad", "reverse", "optimization_barrier",
	} {
		passes["stablehlo."+name] = true
	}
}

// Roots are the values that a root is taken of in the end, through sums,
// products, views, loops and calls: squares, most often, whose last places
// count far more than other values'. A second moment of gradients is one.
func Roots(p *hlo.Program) map[*hlo.Value]bool {
	defs, callers := map[*hlo.Value]*hlo.Op{}, map[*hlo.Func][]*hlo.Op{}
	homes := map[*hlo.Value]func(i int) []*hlo.Value{} // of a parameter: what it is bound to
	places := map[*hlo.Value]int{}
	var todo []*hlo.Value
	var walk func(b *hlo.Block)
	bind := func(b *hlo.Block, to func(i int) []*hlo.Value) {
		for i, v := range b.Params {
			homes[v], places[v] = to, i
		}
	}
	walk = func(b *hlo.Block) {
		for _, o := range b.Ops {
			for _, v := range o.Results {
				defs[v] = o
			}
			switch o.Name {
			case "stablehlo.sqrt", "stablehlo.rsqrt", "stablehlo.cbrt":
				todo = append(todo, o.Operands[0])
			case "stablehlo.while":
				for _, r := range o.Regions {
					bind(r, func(i int) []*hlo.Value {
						return []*hlo.Value{o.Operands[i], o.Regions[1].Return().Operands[i]}
					})
				}
			}
			if o.Callee != nil {
				callers[o.Callee] = append(callers[o.Callee], o)
			}
			for _, r := range o.Regions {
				walk(r)
			}
		}
	}
	for _, f := range p.Reached() {
		bind(f.Body, func(i int) []*hlo.Value {
			var out []*hlo.Value
			for _, o := range callers[f] {
				out = append(out, o.Operands[i])
			}
			return out
		})
		walk(f.Body)
	}
	roots := map[*hlo.Value]bool{}
	for len(todo) > 0 {
		v := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if roots[v] || !v.Type.DType.IsFloat() {
			continue
		}
		roots[v] = true
		o := defs[v]
		switch {
		case o == nil:
			if to := homes[v]; to != nil {
				todo = append(todo, to(places[v])...)
			}
		case o.Callee != nil:
			todo = append(todo, o.Callee.Body.Return().Operands[resultOf(o, v)])
		case o.Name == "stablehlo.while":
			i := resultOf(o, v)
			todo = append(todo, o.Operands[i], o.Regions[1].Return().Operands[i])
		case o.Name == "stablehlo.if" || o.Name == "stablehlo.case":
			for _, r := range o.Regions {
				todo = append(todo, r.Return().Operands[resultOf(o, v)])
			}
		case passes[o.Name]:
			todo = append(todo, o.Operands...)
		}
	}
	return roots
}

func resultOf(o *hlo.Op, v *hlo.Value) int {
	for i, r := range o.Results {
		if r == v {
			return i
		}
	}
	return 0
}
