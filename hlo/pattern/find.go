package pattern

import (
	"github.com/tacet-mpc/tacet/hlo"
)

// Patterns holds the matches of a program.
type Patterns struct {
	All    []*Match // function by function, in the order of their Ends; a match may lie within another
	at     map[*hlo.Op]*Match
	blocks []*hlo.Block
	skip   map[*hlo.Op]bool
}

// Find recognises patterns in the functions that main reaches: in their bodies and in the blocks of their
// loops and branches. A function is analysed once, for all its calls.
func Find(p *hlo.Program) *Patterns {
	ps := &Patterns{at: map[*hlo.Op]*Match{}}
	f := newFinder(p)
	for _, fn := range p.Reached() {
		ps.walk(f, fn.Body)
	}
	ps.skip = ps.dead()
	return ps
}

// At returns the match whose End is op, nil if there is none.
func (ps *Patterns) At(op *hlo.Op) *Match { return ps.at[op] }

// Skipped reports whether operation op need not run if every match is computed by a fused kernel, because only
// matches read its result. The End of a match within another match may be skipped too.
func (ps *Patterns) Skipped(op *hlo.Op) bool { return ps.skip[op] }

// Keep returns the patterns without the matches for which take returns false. Operations that only those
// matches replaced are no longer skipped.
func (ps *Patterns) Keep(take func(m *Match) bool) *Patterns {
	out := &Patterns{at: map[*hlo.Op]*Match{}, blocks: ps.blocks}
	for _, m := range ps.All {
		if take(m) {
			out.All = append(out.All, m)
			out.at[m.End] = m
		}
	}
	out.skip = out.dead()
	return out
}

func (ps *Patterns) walk(f *finder, b *hlo.Block) {
	ps.blocks = append(ps.blocks, b)
	for _, o := range b.Ops {
		if m := f.match(b, o); m != nil {
			ps.All = append(ps.All, m)
			ps.at[o] = m
		}
		if o.Is(hlo.Control) {
			for _, r := range o.Regions {
				ps.walk(f, r)
			}
		}
	}
}

// finder maps the values of a program to the operations that define them.
type finder struct {
	sites    map[*hlo.Value]*site
	frames   map[frame]*frame
	consts   map[*hlo.Op]*float64
	folded   map[instance]*float64 // of values within calls that were followed; a site has those of its value elsewhere
	attempts int                   // number of attempts so far
}

// site is where a value of a program is defined and read.
type site struct {
	op     *hlo.Op    // nil of a parameter
	home   *hlo.Block // the block that the value belongs to
	result int        // the number of the result or parameter
	users  []*hlo.Op
	first  *site // of the operation's first result
	seen   int   // of a first result: the last attempt that examined the operation, counted from 1
	folded state
	number float64 // if folded is constant
}

// state says what is known of a value: whether it depends on constants only.
type state uint8

const (
	unknown state = iota
	variable
	constant
)

// nowhere is the site of values of functions that main does not reach.
var nowhere = &site{folded: variable}

// site returns the site of a value.
func (f *finder) site(v *hlo.Value) *site {
	if s := f.sites[v]; s != nil {
		return s
	}
	return nowhere
}

// def returns the operation that defines a value, nil if there is none.
func (f *finder) def(v *hlo.Value) *hlo.Op { return f.site(v).op }

func newFinder(p *hlo.Program) *finder {
	f := &finder{
		sites:  map[*hlo.Value]*site{},
		frames: map[frame]*frame{},
		consts: map[*hlo.Op]*float64{},
		folded: map[instance]*float64{},
	}
	for _, fn := range p.Reached() {
		f.index(fn.Body)
	}
	return f
}

func (f *finder) index(b *hlo.Block) {
	for i, v := range b.Params {
		s := f.add(v)
		s.home, s.result = b, i
	}
	for _, o := range b.Ops {
		for i, v := range o.Results {
			s := f.add(v)
			s.op, s.home, s.result, s.first = o, b, i, f.sites[o.Results[0]]
		}
		for _, r := range o.Regions {
			f.index(r)
		}
		for _, v := range reads(o) {
			s := f.add(v)
			s.users = append(s.users, o)
		}
	}
}

// add returns the site of a value, which it makes if there is none.
func (f *finder) add(v *hlo.Value) *site {
	s := f.sites[v]
	if s == nil {
		s = &site{}
		f.sites[v] = s
	}
	return s
}

// attempt begins the analysis of an operation of a block.
func (f *finder) attempt(b *hlo.Block) *attempt {
	f.attempts++
	return &attempt{finder: f, block: b, number: f.attempts}
}

// match tries to recognise a pattern that ends with o.
func (f *finder) match(b *hlo.Block, o *hlo.Op) *Match {
	if len(o.Results) != 1 || !ends[o.Name] || !o.Results[0].Type.DType.IsFloat() && o.Name != hlo.OpCompare {
		return nil
	}
	a := f.attempt(b)
	end := a.whole(o.Results[0])
	if _, ok := a.constant(end); ok {
		return nil
	}
	m := a.recognise(o, end)
	if m == nil {
		return nil
	}
	m.End = o
	a.interior(m)
	return m
}

// ends lists the operations with which a pattern can end.
var ends = map[string]bool{
	hlo.OpAdd: true, hlo.OpSubtract: true, hlo.OpMultiply: true, hlo.OpDivide: true,
	hlo.OpNegate: true, hlo.OpSelect: true, hlo.OpExponential: true, hlo.OpLog: true,
	hlo.OpLogPlusOne: true, hlo.OpSqrt: true, hlo.OpCompare: true, hlo.OpCall: true, hlo.OpComposite: true,
}

// recognise tries every kind of pattern, the largest first.
func (a *attempt) recognise(o *hlo.Op, end term) *Match {
	for _, try := range []func(*hlo.Op, term) *Match{
		a.softmax, a.logSoftmax, a.logSumExp, a.norm, a.gelu, a.silu, a.logSigmoid, a.softplus, a.sigmoid, a.tanh, a.roots, a.negative,
	} {
		if m := try(o, end); m != nil {
			return m
		}
	}
	return nil
}
