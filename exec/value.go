package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Public and Secret are the owners of values that not exactly one party knows. The owner of a value is Public,
// Secret, the rank of the only party that knows the value, or mpc.Staying of that rank if the value is also the same
// in every request of a session.
const (
	Public = -1 // all parties know the value
	Secret = -2 // no party knows the value
)

// value is a value of the program as this party sees it.
type value struct {
	typ   tensor.Type
	owner int
	// arr is the value in cleartext: for public values, and for known values that this party evaluates; else
	// nil. If postponed is not nil, it evaluates arr. Method array reads both.
	arr       *tensor.Array
	postponed func() *tensor.Array
	// reads counts the uses of the value, except those by evaluations that only one party runs.
	reads int
	// sec is the secret, or the secret form of a known value that has been shared.
	sec *fxp.Value
	// made, if not nil, says how a known value was derived from values that are to be shared instead of it.
	made *derivation
	// hot, if not nil, holds the one-hot vectors of a secret integer.
	hot *oneHot
	// bits, if not nil, holds the booleans that are equal to a secret's zeros and ones.
	bits *fxp.Value
	// re and im are the parts of a complex secret; its sec is nil.
	re, im *value
	// won maps a picking to the one-hots of the elements that windows over a secret choose.
	won     map[string][]windowChoice
	divided divided
	// within is the range of a known float, from the program's text.
	within fxp.Range
	// argument is the number of the program's argument that the value is, from 1; 0 for others.
	argument int
	// raw says that a known value consists of unchanged elements of an input. spread says that it was
	// broadcast from fewer dimensions, as biases and masks are.
	raw, spread bool
	// broadcast lists the dimensions along which a known value may vary, if a broadcast has made it.
	broadcast []int
	// moved, if not nil, says which values a float was copied from. ordinals memoises its ordinals, with NaN below
	// and above all numbers; ordinalBits memoises their bits.
	moved                 *movement
	ordinals, ordinalBits [2]*fxp.Value
	// later, if not nil, makes the sec of a secret that only comparisons read so far.
	later func(c *opRun) *fxp.Value
	// outer, if not nil, says of which outer product later makes the elements, or those that bits select.
	outer *fxp.Outer
	// owned, if not nil, says of which look-up later makes the rows.
	owned *ownedRows
	// guarded says that a known value is a cotangent: it is shared with guard bits.
	guarded bool
	// constant says that the value is older than the outermost loop that runs, or a rearrangement of such a value.
	constant bool
	// fine says that a known value ends under a root, or in a quotient: it is shared in the fine form unless it is raw.
	fine bool
	// repeats says that a secret is a view that repeats elements; copied describes it.
	repeats bool
	copied  *copied
	// joined lists the operands of the concatenation that made an index tensor, if some of them are public.
	joined []joinedPart
	// late, if not nil, is the future of a known value's array, nil at parties that do not learn it (late.go). soon memoises it as a
	// secret.
	late *flow.Future[*tensor.Array]
	soon *value
	// repeated, if not nil, is a public constant whose elements are made when an operation reads it (run.spell).
	repeated *hlo.Constant
}

// array returns the value in cleartext, nil where this party does not have it. It evaluates a postponed value.
func (v *value) array() *tensor.Array {
	if v.postponed != nil {
		v.arr = v.postponed()
		v.postponed = nil
	}
	return v.arr
}

// evaluate sets the value to that of f, which reads the cleartext of the operands: later, if one of them is postponed.
func (v *value) evaluate(of []*value, f func() *tensor.Array) {
	if slices.ContainsFunc(of, func(x *value) bool { return x.postponed != nil }) {
		v.postponed = f
	} else {
		v.arr = f()
	}
}

func secret(s *fxp.Value) *value { return &value{typ: s.Type, owner: Secret, sec: s} }

// join returns the owner of a value computed from values of owners a and b.
func join(a, b int) int {
	switch {
	case a == Public || a == b:
		return b
	case b == Public:
		return a
	}
	if rank, _ := mpc.Owner(a); rank >= 0 {
		if other, _ := mpc.Owner(b); other == rank {
			return rank // a Staying value combined with one that is not
		}
	}
	return Secret
}

// scope holds the values of a block's operations and of the enclosing blocks.
type scope struct {
	outer *scope
	vals  map[*hlo.Value]*value
}

func newScope(outer *scope) *scope { return &scope{outer, map[*hlo.Value]*value{}} }

// get returns a value that an operation reads; nil if the scope has none. A constant that repeats one element has its
// elements only if run.spell has made them.
func (s *scope) get(v *hlo.Value) *value {
	x := s.find(v)
	if x != nil {
		x.reads++
	}
	return x
}

func (s *scope) find(v *hlo.Value) *value {
	for ; s != nil; s = s.outer {
		if x := s.vals[v]; x != nil {
			return x
		}
	}
	return nil
}

// uses lists what an operation reads beside its operands, and when values end: values of enclosing blocks
// that its regions refer to, and values of its own block that nothing refers to afterwards.
type uses struct {
	captured []*hlo.Value
	last     []*hlo.Value
}

// analyse fills in the uses of a block's operations, including nested ones, and returns the values of
// enclosing blocks that it refers to. The inputs and operations of a match count as used where the match
// ends.
func analyse(b *hlo.Block, facts *Facts, into map[*hlo.Op]*uses) []*hlo.Value {
	own := map[*hlo.Value]bool{}
	for _, p := range b.Params {
		own[p] = true
	}
	var outside []*hlo.Value
	seen := map[*hlo.Value]bool{}
	lastUse := map[*hlo.Value]*hlo.Op{}
	for _, op := range b.Ops {
		u := &uses{}
		into[op] = u
		for _, r := range op.Regions {
			u.captured = append(u.captured, analyse(r, facts, into)...)
		}
		read := append(append([]*hlo.Value{}, op.Operands...), u.captured...)
		if facts != nil {
			if m := facts.Patterns.At(op); m != nil {
				read = append(read, m.Inputs...)
				for _, inner := range m.Ops {
					read = append(read, inner.Operands...)
					read = append(read, inner.Results...)
				}
			}
		}
		for _, v := range read {
			if own[v] {
				lastUse[v] = op
			} else if !seen[v] {
				seen[v] = true
				outside = append(outside, v)
			}
		}
		for _, r := range op.Results {
			own[r] = true
		}
	}
	for v, op := range lastUse {
		into[op].last = append(into[op].last, v)
	}
	return outside
}
