package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
)

// level is one level of a comparison circuit: groups of adjacent digits, least significant group first. A
// wide AND gate combines a group of r digits, 0 the lowest, into one digit:
//
//	less = less_(r−1) ⊕ Σ_{i<r−1} less_i·Π_{j>i} equal_j    and    equal = Π equal_j.
//
// The top digit's less enters linearly and is not opened; the lowest group needs no equal.
type level struct {
	groups []int
	opened int    // number of masked bits that all gates read
	gates  *logic // results of groups of two or more digits, in order: less, then equal
}

// newLevel returns the level with groups of the given sizes.
func newLevel(groups []int) level {
	l := level{groups: groups}
	linear := 0
	for g, r := range groups {
		if r > 1 {
			l.opened += len(gateOpens(r, g == 0))
			linear++
		}
	}
	if l.opened == 0 {
		return l
	}
	b := newLogic(l.opened, 0, linear, nil)
	at, top := 0, 0
	for g, r := range groups {
		if r == 1 {
			continue
		}
		through := onePoly()
		less := &xorPoly{}
		for i := r - 2; i >= 0; i-- { // masked bits from at on: less, lowest digit first, then equal, highest digit first
			through = through.times(bitPoly(at + r - 1 + (r - 2 - i)))
			less = less.plus(bitPoly(at + i).times(through))
		}
		b.add(less, top)
		if g > 0 {
			b.add(through.times(bitPoly(at + 2*r - 2)))
		}
		at += len(gateOpens(r, g == 0))
		top++
	}
	l.gates = b.finish()
	return l
}

// gateInput is the less bit, or the equal bit, of the i-th digit of a group.
type gateInput struct {
	i    int
	less bool
}

// gateOpens returns what a gate of r digits reads as masked bits: less of all digits but the top one, then
// equal from the top digit down. The lowest digit's equal is read only if the group's equal is computed, so
// not in the lowest group.
func gateOpens(r int, lowest bool) []gateInput {
	if r == 1 {
		return nil
	}
	var out []gateInput
	for i := range r - 1 {
		out = append(out, gateInput{i, true})
	}
	for i := r - 1; i >= 0; i-- {
		if i > 0 || !lowest {
			out = append(out, gateInput{i, false})
		}
	}
	return out
}

// opens returns the shares that the level reads as masked bits.
func (l level) opens(in []digit) []bitVec {
	var out []bitVec
	for g, r := range l.groups {
		for _, x := range gateOpens(r, g == 0) {
			if x.less {
				out = append(out, in[x.i].less)
			} else {
				out = append(out, in[x.i].equal)
			}
		}
		in = in[r:]
	}
	return out
}

// combine returns the groups' digits. bits are the masked bits that opens lists.
func (p *Party) combine(op *flow.Op, l level, in []digit, bits []*bit, n int) []digit {
	out := make([]digit, len(l.groups))
	if l.gates == nil {
		copy(out, in)
		return out
	}
	x := logicArgs{n: n, bits: bits}
	at := 0
	for g, r := range l.groups {
		if r == 1 {
			out[g] = in[at]
		} else {
			x.linear = append(x.linear, in[at+r-1].less)
		}
		at += r
	}
	shares, _ := p.evaluate(op, l.gates, x)
	made := flow.Parts(shares, len(l.gates.outs))
	for g, r := range l.groups {
		if r == 1 {
			continue
		}
		out[g].less, made = made[0], made[1:]
		if g > 0 {
			out[g].equal, made = made[0], made[1:]
		}
	}
	return out
}
