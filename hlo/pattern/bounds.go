package pattern

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// maxContexts is the largest number of combinations of argument bounds for which one function is analysed,
// maxIterations the number of iterations of a loop before its bounds are given up, maxCounted that of a loop that ends earlier,
// for the bounds of integers, and maxWork the number of operations analysed in all: nested loops multiply.
const (
	maxContexts   = 32
	maxIterations = 4
	maxCounted    = 16
	maxWork       = 1 << 20
)

// Ranges holds an interval for each value of a program, which contains all elements of the value.
//
// The intervals hold for finite arguments, for every element that is a number, in the program's own arithmetic; the
// rounding to nearest in the value's type is included. Conversions between float types count as exact in conclusions
// such as x − max x ≤ 0. Fixed-point arithmetic has errors of its own, which the user of a bound must add: an element
// of a softmax, bounded by [0, 1], may exceed 1 by a fraction of a unit. Infinities that a program makes of finite
// numbers (exp(1000), 1/0), and values computed from them, are not covered.
type Ranges struct {
	*finder
	all      map[*hlo.Value]Interval
	contexts map[*hlo.Func]map[string][]Interval
	work     int
}

// Bounds returns the intervals of all values that main reaches. args are the intervals of main's first arguments;
// further arguments have no bounds. A function is analysed for each combination of argument bounds with which it is
// called, and a value of the function gets the smallest interval that contains the results.
func Bounds(p *hlo.Program, args ...Interval) *Ranges {
	r := &Ranges{finder: newFinder(p), all: map[*hlo.Value]Interval{}, contexts: map[*hlo.Func]map[string][]Interval{}}
	in := make([]Interval, len(p.Main.Body.Params))
	for i, v := range p.Main.Body.Params {
		if in[i] = all(v.Type.DType); i < len(args) {
			in[i] = args[i]
		}
	}
	r.call(p.Main, in)
	if r.work > maxWork {
		r.all = nil // an incomplete analysis proves nothing
	}
	return r
}

// Of returns the bounds of the elements of v. For a value that was not analysed they are those of its element type.
func (r *Ranges) Of(v *hlo.Value) (lo, hi float64) {
	x, ok := r.all[v]
	if !ok {
		x = all(v.Type.DType)
	}
	return x.Lo, x.Hi
}

// call returns the bounds of f's results for arguments with the given bounds.
func (r *Ranges) call(f *hlo.Func, args []Interval) []Interval {
	known := r.contexts[f]
	if known == nil {
		known = map[string][]Interval{}
		r.contexts[f] = known
	}
	key := fmt.Sprint(args)
	if len(known) >= maxContexts && known[key] == nil {
		for i, v := range f.Body.Params {
			args[i] = all(v.Type.DType)
		}
		key = fmt.Sprint(args)
	}
	if out, ok := known[key]; ok {
		return out
	}
	c := &analysis{Ranges: r, of: map[*hlo.Value]Interval{}}
	for i, v := range f.Body.Params {
		c.of[v] = args[i]
	}
	out := c.block(f.Body)
	known[key] = out
	for v, x := range c.of {
		if old, ok := r.all[v]; ok {
			x = x.join(old)
		}
		r.all[v] = x
	}
	return out
}

// analysis is the analysis of a function for one combination of argument bounds.
type analysis struct {
	*Ranges
	of map[*hlo.Value]Interval
}

// raise joins x into v's bounds.
func (c *analysis) raise(v *hlo.Value, x Interval) {
	if old, ok := c.of[v]; ok {
		x = x.join(old)
	}
	c.of[v] = x
}

func (c *analysis) get(v *hlo.Value) Interval {
	if x, ok := c.of[v]; ok {
		return x
	}
	return all(v.Type.DType)
}

func (c *analysis) list(vs []*hlo.Value) []Interval {
	out := make([]Interval, len(vs))
	for i, v := range vs {
		out[i] = c.get(v)
	}
	return out
}

func (c *analysis) block(b *hlo.Block) []Interval {
	for _, o := range b.Ops[:len(b.Ops)-1] {
		if c.work++; c.work > maxWork {
			break
		}
		c.operation(b, o)
	}
	return c.list(b.Return().Operands)
}

func (c *analysis) operation(b *hlo.Block, o *hlo.Op) {
	var out []Interval
	switch {
	case o.Callee != nil:
		out = c.call(o.Callee, c.list(o.Operands))
	case o.Name == hlo.OpWhile:
		out = c.while(o)
	case o.Is(hlo.Branch):
		for i, r := range o.Regions {
			for k, x := range c.block(r) {
				if i == 0 {
					out = append(out, x)
				} else {
					out[k] = out[k].join(x)
				}
			}
		}
	default:
		out = c.transfer(b, o)
	}
	for i, v := range o.Results {
		x := all(v.Type.DType)
		if i < len(out) {
			x = within(out[i], v.Type.DType)
		}
		c.raise(v, x)
	}
}

// within adapts a result's bounds to its type: rounded outward for floats, and unbounded where an integer may
// wrap.
func within(x Interval, d tensor.DType) Interval {
	t := all(d)
	if d.IsFloat() {
		x = x.rounded(d)
	}
	if !(x.Lo <= x.Hi) || d.IsComplex() || x.Lo < t.Lo || x.Hi > t.Hi {
		return t
	}
	return x
}

// while iterates until nothing changes. A bound that still grows after maxIterations iterations is given up,
// except that of a counter, which is raised to its limit, and those of integers of a loop of few iterations.
func (c *analysis) while(o *hlo.Op) []Interval {
	cond, body := o.Regions[0], o.Regions[1]
	state := c.list(o.Operands)
	limits := c.limits(cond)
	count := c.trips(o, limits)
	for iteration := 0; iteration < count; iteration++ {
		for i, x := range state {
			c.raise(cond.Params[i], x)
			if l, ok := limits[i]; ok {
				x = Interval{min(x.Lo, l-1), min(x.Hi, l-1)}
			}
			c.raise(body.Params[i], x)
		}
		c.block(cond)
		changed := false
		for i, x := range c.block(body) {
			x = x.join(state[i])
			if x == state[i] {
				continue
			}
			changed = true
			d := o.Results[i].Type.DType
			if _, counter := limits[i]; iteration >= maxIterations && (count > maxCounted || !d.IsInt() || counter) {
				t := all(o.Results[i].Type.DType)
				if x.Lo < state[i].Lo {
					x.Lo = t.Lo
				}
				if l, ok := limits[i]; ok && x.Hi <= l {
					x.Hi = l
				} else if x.Hi > state[i].Hi {
					x.Hi = t.Hi
				}
			}
			state[i] = x
		}
		if !changed || c.work > maxWork {
			return state
		}
	}
	for i, x := range state { // the condition is evaluated once more
		c.raise(cond.Params[i], x)
	}
	c.block(cond)
	return state
}

// trips returns the number of iterations of a loop that a counter ends, which an iteration increments by a constant; the largest int
// for any other loop.
func (c *analysis) trips(o *hlo.Op, limits map[int]float64) int {
	cond, body := o.Regions[0], o.Regions[1]
	for i, limit := range limits {
		start := c.get(o.Operands[i])
		add := c.def(body.Return().Operands[i])
		if start.Lo != start.Hi || add == nil || add.Name != hlo.OpAdd || len(cond.Params[i].Type.Shape) > 0 {
			continue
		}
		for k, v := range add.Operands {
			step, ok := c.fold(add.Operands[1-k], nil, 0)
			if ok && v == body.Params[i] && step >= 1 {
				return int(min(max(0, math.Ceil((limit-start.Lo)/step)), math.MaxInt32))
			}
		}
	}
	return math.MaxInt
}

// limits returns, for each loop-carried integer i with a condition i < n, the limit n.
func (c *analysis) limits(cond *hlo.Block) map[int]float64 {
	o := c.def(cond.Return().Operands[0])
	if o == nil || o.Name != hlo.OpCompare || o.Attrs.Str("comparison_direction") != "LT" || !o.Operands[0].Type.DType.IsInt() {
		return nil
	}
	n, ok := c.fold(o.Operands[1], nil, 0)
	for i, p := range cond.Params {
		if ok && p == o.Operands[0] {
			return map[int]float64{i: n}
		}
	}
	return nil
}
