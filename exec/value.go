package exec

import (
	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// Who knows a value: a party's rank, mpc.Staying of one whose value is the same
// in every turn, or one of these.
const (
	Public = -1
	Secret = -2
)

// value is a value of the program as this party sees it.
type value struct {
	typ tensor.Type
	who int
	// arr is the value in clear: of public values, and of known ones where
	// this party evaluates them; else nil.
	arr *tensor.Array
	// reads is how often it was asked for, but for what one party knows alone.
	reads int
	// sec is the secret, or a known value once it has been shared.
	sec *fxp.Value
	// made, if not nil, says what a known value was made of that is to be shared
	// instead.
	made *made
	// hot, if not nil, says of secret integers which of a few numbers they are.
	hot *oneHot
	// bits, if not nil, are the booleans that a secret's zeros and ones are.
	bits *fxp.Value
	// re and im are the parts of a complex secret, which has no sec.
	re, im *value
	// won are the one-hots of what windows over a secret choose, by how they do.
	won     map[string][]won
	divided divided
	// within is what the program's text says of a known float.
	within fxp.Range
	// raw says of a known value that it is elements of an input as they are; spread,
	// that it has fewer dimensions than what it is spread to, as biases and masks.
	raw, spread bool
	// repeats says that a secret is a view that repeats elements, copied of what.
	repeats bool
	copied  *copied
}

func secret(s *fxp.Value) *value { return &value{typ: s.Type, who: Secret, sec: s} }

// join is who knows what depends on values known to a and to b.
func join(a, b int) int {
	switch {
	case a == Public || a == b:
		return b
	case b == Public:
		return a
	}
	if rank, _ := mpc.Owner(a); rank >= 0 {
		if other, _ := mpc.Owner(b); other == rank {
			return rank // what stays, with what does not
		}
	}
	return Secret
}

// scope holds the values of a block's operations, and of the blocks around it.
type scope struct {
	outer *scope
	vals  map[*hlo.Value]*value
}

func newScope(outer *scope) *scope { return &scope{outer, map[*hlo.Value]*value{}} }

func (s *scope) get(v *hlo.Value) *value {
	for ; s != nil; s = s.outer {
		if x := s.vals[v]; x != nil {
			x.reads++
			return x
		}
	}
	return nil
}

// uses is what the executor needs to know of an operation beside its
// operands: values of enclosing blocks that its regions refer to, and values
// of its own block that nothing refers to afterwards.
type uses struct {
	captured []*hlo.Value
	last     []*hlo.Value
}

// analyse fills in the uses of a block's operations, nested ones included, and
// returns the values of enclosing blocks that it refers to. What a match takes,
// as a whole or by its operations, is used where it ends.
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
