package exec

import (
	"maps"
	"slices"
	"strings"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// control holds the operations that run blocks. Their blocks are walked, and the instances inside take the
// next numbers.
var control = hlo.Table[func(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error)]{}

func init() {
	control.Add(hlo.OpCall, call)
	control.Add(hlo.OpComposite, composite)
	control.Add(hlo.OpWhile, while)
	control.Add(hlo.OpIf, branch)
	control.Add(hlo.OpCase, branch)
}

// maxDepth bounds nested calls and regions.
const maxDepth = 1000

func (x *run) nested(o *hlo.Op, b *hlo.Block, s *scope, in []*value) ([]*value, error) {
	if x.depth++; x.depth > maxDepth {
		return nil, refuse(o, "nests too deeply", "")
	}
	outer := x.frame
	x.frame = x.Costs.enter(outer, o)
	defer func() { x.depth, x.frame = x.depth-1, outer }()
	return x.block(b, s, in)
}

func call(x *run, _ *scope, o *hlo.Op, in []*value) ([]*value, error) {
	x.instance(o)
	return x.nested(o, o.Callee.Body, nil, in)
}

// composite runs a composite operation. If its name is that of a chlo operation with a protocol of its own,
// as in JAX's exports, and its operands are what that operation takes, it is run as that operation; else its
// decomposition is called.
func composite(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	owner := Public
	for _, v := range in {
		owner = join(owner, v.owner)
	}
	whole := *o
	whole.Name, whole.Attrs = o.Attrs.Str("name"), maps.Clone(hlo.Attrs(o.Attrs.Dict("composite_attributes")))
	if whole.Attrs == nil {
		whole.Attrs = hlo.Attrs{}
	}
	if owner != Secret || !strings.HasPrefix(whole.Name, "chlo.") || whole.Check() != nil {
		return call(x, s, o, in)
	}
	whole.Operands = slices.Clone(o.Operands)
	if len(whole.Canonical()) > 1 {
		return call(x, s, o, in)
	}
	f := handlerOf(&whole, in)
	if f == nil {
		return call(x, s, o, in)
	}
	c := &opRun{run: x, op: x.instance(o), o: &whole, scope: s}
	return f(c, c.operable(c.soonerAll(in)))
}

// while runs its body as long as the condition holds. A public condition is followed. For a secret one the
// body runs while.bound times, and each iteration's results take effect where all conditions so far have
// held. No party learns whether the loop would continue; only a cleartext check (tacet check) names a loop
// that the bound cuts short.
func while(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	c := &opRun{run: x, op: x.instance(o), o: o, scope: s}
	if x.loops++; x.loops == 1 {
		x.olderThanLoop(s, o, in)
		defer func() { x.iteration, x.rearranged = 0, nil }()
	}
	defer func() { x.loops-- }()
	var running *value // nil: the loop runs for all that is public
	begin := 0
	if l := x.Loops[o]; l != nil {
		begin = l.Done
	}
	for iteration := begin; ; iteration++ {
		if running != nil && iteration >= x.Arith.Options.WhileBound && !x.Arith.Watched() {
			return in, nil
		}
		if err := x.budget.Iterate(o); err != nil {
			return nil, err
		}
		if x.loops == 1 {
			x.iteration = iteration + 1
		}
		out, err := x.nested(o, o.Regions[0], s, in)
		if err != nil {
			return nil, err
		}
		p := out[0]
		if p.owner == Public && p.array() != nil {
			goes := p.array().Data.([]bool)[0]
			if running == nil && (!goes || iteration > begin) {
				if err := c.checkpoint(in, iteration, !goes); err != nil {
					return nil, err
				}
			}
			if !goes {
				return in, nil
			}
		} else {
			if owner := x.knownTo(s, o, in); owner != Secret {
				return x.clear(s, o, in, owner)
			}
			p, out[0] = c.sooner(p), c.sooner(out[0])
			switch bound := x.Arith.Options.WhileBound; {
			case bound == 0:
				return nil, refuse(o, "its condition depends on secret data",
					"give the largest number of iterations with --set while.bound=N: the loop then always runs N iterations, and those after its end have no effect")
			case iteration >= bound:
				if running != nil {
					p = running
				}
				goes, err := first(c.and(p, out[0]))
				if err != nil {
					return nil, err
				}
				x.Arith.Cut(c.op, goes.sec, bound)
				return in, nil
			case running == nil:
				running = p
			default:
				if running, err = first(c.and(running, p)); err != nil {
					return nil, err
				}
			}
		}
		if running != nil {
			x.choosing++
		}
		next, err := x.nested(o, o.Regions[1], s, in)
		if running != nil {
			x.choosing--
		}
		if err != nil {
			return nil, err
		}
		if running == nil {
			in = next
			continue
		}
		turned := make([]*value, len(in))
		for i := range in {
			if turned[i], err = c.either(running, next[i], in[i]); err != nil {
				return nil, err
			}
		}
		in = turned
	}
}

// knownTo returns the owner of the values that an operation reads: its operands and the values that its
// regions refer to.
func (x *run) knownTo(s *scope, o *hlo.Op, in []*value) int {
	owner := Public
	for _, v := range in {
		owner = join(owner, v.owner)
	}
	for _, v := range x.uses[o].captured {
		if c := s.get(v); c != nil {
			owner = join(owner, c.owner)
		}
	}
	return owner
}

// branch takes one of several blocks by an index (or a predicate; its first block is for true). For a secret
// index or predicate it runs all of them and selects.
func branch(x *run, s *scope, o *hlo.Op, in []*value) ([]*value, error) {
	p := in[0]
	if p.owner != Public || p.array() == nil {
		if owner := x.knownTo(s, o, in); owner != Secret {
			return x.clear(s, o, in, owner)
		}
		return x.allBranches(s, o, p)
	}
	x.instance(o)
	return x.nested(o, o.Regions[algo.Branch(p.array(), len(o.Regions))], s, nil)
}

// allBranches runs all blocks and returns the results of the one with number p: the last block's results,
// plus the difference to each other block's where p is its number.
func (x *run) allBranches(s *scope, o *hlo.Op, p *value) ([]*value, error) {
	c := &opRun{run: x, op: x.instance(o), o: o, scope: s}
	p = c.sooner(p)
	outs := make([][]*value, len(o.Regions))
	x.choosing++
	defer func() { x.choosing-- }()
	for i, r := range o.Regions {
		var err error
		if outs[i], err = x.nested(o, r, s, nil); err != nil {
			return nil, err
		}
	}
	last := len(outs) - 1
	taken := make([]*value, last)
	for i := range taken {
		taken[i] = p
		if p.typ.DType != tensor.Bool {
			number := &value{typ: p.typ, owner: Public, arr: tensor.FromWords(p.typ.DType, p.typ.Shape, []uint64{uint64(i)})}
			var err error
			if taken[i], err = c.equal(p, number); err != nil {
				return nil, err
			}
		}
	}
	out := make([]*value, len(outs[last]))
	for j := range out {
		var of []*value
		for _, results := range outs {
			of = append(of, c.sooner(results[j]))
		}
		var err error
		if out[j], err = c.oneOf(taken, of); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// oneOf returns of[i] where taken[i] is true, of which at most one is, and else the last element of of. All
// differences to that are selected at once.
func (c *opRun) oneOf(taken, of []*value) (*value, error) {
	last := of[len(of)-1]
	if len(taken) == 1 {
		return c.either(taken[0], of[0], last)
	}
	if last.typ.DType.IsComplex() {
		re, im := make([]*value, len(of)), make([]*value, len(of))
		for i, v := range of {
			re[i], im[i] = c.parts(v)
		}
		x, err := c.oneOf(taken, re)
		if err != nil {
			return nil, err
		}
		y, err := c.oneOf(taken, im)
		if err != nil {
			return nil, err
		}
		return paired(last.typ.DType, x, y), nil
	}
	out := last
	for i, t := range taken {
		if sameValue(of[i], last) {
			continue
		}
		x := of[i]
		if x.owner == Public && last.owner == Public { // an operand of subtract that is not public; the difference is exact
			x = secret(c.share(x, c.Arith.Fraction))
		}
		diff, err := first(subtract(c, []*value{x, last}))
		if err != nil {
			return nil, err
		}
		if err := c.budget.Take(c.o, budget.Bytes(last.typ)); err != nil {
			return nil, err
		}
		defer c.budget.Free(budget.Bytes(last.typ))
		none := &value{typ: last.typ, owner: Public, arr: tensor.NewArray(last.typ)}
		if diff, err = first(c.pick(t, diff, none)); err != nil {
			return nil, err
		}
		if out, err = first(c.sum([]*value{out, diff})); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// either returns x where p is true and y where it is not. A value that is the same in both cases is returned
// unchanged.
func (c *opRun) either(p, x, y *value) (*value, error) {
	if x = c.sooner(x); sameValue(x, c.sooner(y)) {
		return x, nil
	}
	return first(c.pick(p, x, c.sooner(y)))
}

// sameValue reports whether x and y are publicly known to be the same value.
func sameValue(x, y *value) bool {
	if x == y || x.sec != nil && x.sec == y.sec {
		return true
	}
	if x.owner != Public || y.owner != Public || x.typ.DType.IsComplex() {
		return false
	}
	if x.typ.DType.IsFloat() {
		return slices.Equal(x.array().Floats(), y.array().Floats())
	}
	return slices.Equal(x.array().Words(), y.array().Words())
}
