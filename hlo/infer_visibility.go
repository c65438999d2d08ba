package hlo

import "fmt"

// maxContexts is the maximum number of combinations of visibilities for which a function is
// analysed; in further calls all arguments count as secret.
const maxContexts = 32

// maxWork is the maximum number of operations that an analysis looks at, since a loop is looked at once for each value that it
// carries: beyond it, all values count as secret.
const maxWork = 1 << 26

// inference infers visibilities.
type inference struct {
	all      map[*Value]Visibility
	contexts map[*Func]map[string][]Visibility // results by argument visibilities
	work     int                               // operations that may still be looked at; below 0: the analysis is incomplete
}

// call returns the visibilities of f's results for given visibilities of its arguments.
func (in *inference) call(f *Func, args []Visibility) []Visibility {
	known := in.contexts[f]
	if known == nil {
		known = map[string][]Visibility{}
		in.contexts[f] = known
	}
	key := fmt.Sprint(args)
	if r, ok := known[key]; ok {
		return r
	}
	if len(known) >= maxContexts {
		for i := range args {
			args[i] = Secret
		}
		if r, ok := known[fmt.Sprint(args)]; ok {
			return r
		}
		key = fmt.Sprint(args)
	}
	c := analysis{in, make(map[*Value]Visibility)}
	for i, v := range f.Body.Params {
		c.raise(v, args[i])
	}
	results := c.block(f.Body)
	known[key] = results
	for v, vis := range c.of {
		in.all[v] = in.all[v].Join(vis)
	}
	return results
}

// analysis is the analysis of one function for one combination of argument visibilities.
type analysis struct {
	*inference
	of map[*Value]Visibility
}

// raise joins vis into v's visibility and reports whether that changed it.
func (c analysis) raise(v *Value, vis Visibility) bool {
	old, seen := c.of[v]
	now := old.Join(vis)
	c.of[v] = now
	return !seen || now != old
}

// joined returns the join of the values' visibilities.
func (c analysis) joined(vs []*Value) Visibility {
	out := Public
	for _, v := range vs {
		out = out.Join(c.of[v])
	}
	return out
}

// block infers a block's values and returns the visibilities of its results.
func (c analysis) block(b *Block) []Visibility {
	for _, o := range b.Ops {
		if c.work--; c.work < 0 {
			break
		}
		c.operation(o)
	}
	ret := b.Return()
	out := make([]Visibility, len(ret.Operands))
	for i, v := range ret.Operands {
		out[i] = c.of[v]
	}
	return out
}

// operation infers an operation's results.
func (c analysis) operation(o *Op) {
	switch {
	case o.Callee != nil:
		args := make([]Visibility, len(o.Operands))
		for i, v := range o.Operands {
			args[i] = c.of[v]
		}
		for i, vis := range c.call(o.Callee, args) {
			c.raise(o.Results[i], vis)
		}
	case o.Name == OpWhile:
		c.while(o)
	case o.Is(Branch):
		chooser := c.joined(o.Operands)
		for _, b := range o.Regions {
			for i, vis := range c.block(b) {
				c.raise(o.Results[i], vis.Join(chooser))
			}
		}
	case o.Name == OpOptimizationBarrier:
		for i, v := range o.Operands {
			c.raise(o.Results[i], c.of[v])
		}
	case o.Name == OpGetDimensionSize:
		c.raise(o.Results[0], Public)
	default:
		c.mixed(o)
	}
}

// while iterates to a fixed point: a value carried into the next iteration depends on the previous
// iteration and on the condition.
func (c analysis) while(o *Op) {
	cond, body := o.Regions[0], o.Regions[1]
	for i, v := range o.Operands {
		c.raise(o.Results[i], c.of[v])
	}
	for changed := true; changed; {
		changed = false
		for i, r := range o.Results {
			c.raise(cond.Params[i], c.of[r])
			c.raise(body.Params[i], c.of[r])
		}
		turn := c.block(cond)[0]
		for i, vis := range c.block(body) {
			changed = c.raise(o.Results[i], vis.Join(turn)) || changed
		}
	}
}

// mixed infers results that depend on all operands and regions.
func (c analysis) mixed(o *Op) {
	vis := c.joined(o.Operands)
	for _, b := range o.Regions {
		// Values captured by a region may be less visible than the operands; the region's
		// parameters include earlier results and therefore depend on them.
		for {
			for _, v := range b.Params {
				c.raise(v, vis)
			}
			wider := vis
			for _, r := range c.block(b) {
				wider = wider.Join(r)
			}
			if wider == vis {
				break
			}
			vis = wider
		}
	}
	for _, r := range o.Results {
		c.raise(r, vis)
	}
}
