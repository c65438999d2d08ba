package semi2k

import (
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// position is the place of a value's leading hexadecimal digit, as masked bits.
type position struct {
	// above are the bits [x ≥ 16^j], j = 0 … D−1; above[0] only if asked for. With quarters the bits from j = 1 on are rough:
	// 1 if x ≥ 16^j and 0 if x ≤ 15·16^(j−1).
	above []*bit
	below []*bit // [−x−1 ≥ 16^j], j = 1 … D−1, for signed values
	sign  *bit   // [x < 0], for signed values
	// quarters are 1 if x ≥ 4·16^j and 0 if x ≤ 3·16^j, for the lowest digits that have them.
	quarters []*bit
}

// digitLookup is a look-up of digit i of Δ plus a shift in the table of λ's: [< λ_i]
// or [= λ_i].
type digitLookup struct {
	i     int
	shift int64
	equal bool
}

// positionPlan is the position circuit for values of that many digits. Plans are cached.
type positionPlan struct {
	digits  int
	top     int // bits of the top digit
	signed  bool
	lookups []digitLookup // of the first round, in the order in which they are opened
	// Of signed values two more look-ups follow these: whether the top digits'
	// low three bits agree, opened as well, and the top bit of their difference,
	// without a borrow, which is not.
	digitTests [][2]int // public bits [Δ_i = v] that the other rounds read
	inner      *logic   // second round, within groups
	result     *logic   // third round
	// Where its results are: the sign first, if there is one.
	above, below []int // -1: none
	quarters     []int
}

// positionKey identifies a position circuit; zero asks for above[0].
type positionKey struct {
	digits       int
	signed, zero bool
	quarters     int // number of the lowest digits that have a quarter; 0 for signed values
	// full, with quarters, says that numbers may be 16^D/2 or more. Their top digit has a bit more, as the bits that read
	// one digit only could not tell 16^D − 1 from 0 otherwise.
	full bool
}

// topBits is the number of bits of the top digit.
func (k positionKey) topBits() int {
	if k.full {
		return 5
	}
	return 4
}

var positionPlans sync.Map // positionKey → func() *positionPlan, which makes the plan once for all parties

func planPosition(key positionKey) *positionPlan {
	plan, ok := positionPlans.Load(key)
	if !ok {
		plan, _ = positionPlans.LoadOrStore(key, sync.OnceValue(func() *positionPlan { return newPositionCircuit(key).plan() }))
	}
	return plan.(func() *positionPlan)()
}

// position runs the circuit of a key on a masked x in three rounds, for 0 ≤ x < 16^D, or |x| < 16^D/2 if signed, or
// 0 ≤ x < 16^D/2 with quarters if the numbers are not full. It reads only the low 4D bits of Δ and λ, and one more if they
// are (docs/protocols/bits.md#leading-digit).
func (p *Party) position(op *flow.Op, x *share, key positionKey) position {
	plan := planPosition(key)
	digits, signed := key.digits, key.signed
	n := x.n
	open := func(shares []bitVec) []*bit {
		if len(shares) == 0 {
			return nil
		}
		lens := make([]int, len(shares))
		for i := range lens {
			lens[i] = n
		}
		return p.openBits(op, lens, shares)
	}
	looked := p.lookUpDigits(op, x, plan)
	var linear []bitVec
	if signed {
		last := len(looked) - 1
		looked, linear = looked[:last], looked[last:]
	}
	bits := open(looked)
	is := p.testDigits(op, x, plan)
	inner, dealt := p.evaluate(op, plan.inner, logicArgs{n: n, bits: bits, public: is})
	bits = append(bits, open(flow.Parts(inner, len(plan.inner.outs)))...)
	result, _ := p.evaluate(op, plan.result, logicArgs{n: n, bits: bits, public: is, linear: linear, earlier: dealt})
	made := open(flow.Parts(result, len(plan.result.outs)))
	out := position{above: make([]*bit, digits), below: make([]*bit, digits)}
	if signed {
		out.sign = made[0]
	}
	for j := range digits {
		if at := plan.above[j]; at >= 0 {
			out.above[j] = made[at]
		}
		if at := plan.below[j]; at >= 0 {
			out.below[j] = made[at]
		}
	}
	for _, at := range plan.quarters {
		out.quarters = append(out.quarters, made[at])
	}
	return out
}

// lookUpDigits looks up what the first round opens, and the top bit of signed
// values' top difference.
func (p *Party) lookUpDigits(op *flow.Op, x *share, plan *positionPlan) []bitVec {
	m, n := x.masked, x.n
	sizes := make([]int, plan.digits)
	for i := range sizes {
		sizes[i] = 4
	}
	sizes[plan.digits-1] = plan.top
	tables := p.tables(op, m, 0, sizes, n)
	count := len(plan.lookups)
	if plan.signed {
		count++
		if plan.digits > 1 {
			count++
		}
	}
	return flow.Parts(flow.Do(op, int64(count*n)/8, func() []ring.Bits {
		op.Spend(flow.Lookups, int64(count*n))
		delta := m.delta.Get()
		lower, top := delta.UninitialisedLike(ring.Z(4), n), delta.UninitialisedLike(ring.Z(plan.top), n)
		look := func(i int, shift int64) (less, equal ring.Bits) {
			table, digit := tables[i].Get(), lower
			if i == plan.digits-1 {
				digit = top
			}
			less, equal = table.Like(n), table.Like(n)
			ring.Digit(digit, delta, 4*i)
			ring.AddInt(digit, digit, shift)
			ring.LookUpDigit(less, equal, table, digit, 0, digit.Ring().Bits, p.first())
			return less, equal
		}
		out := make([]ring.Bits, 0, count)
		var less, equal ring.Bits
		var of digitLookup
		for k, l := range plan.lookups {
			if k == 0 || l.i != of.i || l.shift != of.shift {
				less, equal = look(l.i, l.shift)
			}
			if of = l; l.equal {
				out = append(out, equal)
			} else {
				out = append(out, less)
			}
		}
		if plan.signed {
			// c − l mod 16 is 8 … 15 if l is one of c+1 … c+8 mod 16. That is [c < l] ⊕ [c + 8 < l], negated
			// where c + 8 passes 16.
			top := plan.digits - 1
			less, equal := look(top, 0)
			less8, equal8 := look(top, 8)
			if top > 0 {
				ring.Xor(equal, equal, equal8)
				out = append(out, equal)
			}
			ring.Xor(less, less, less8)
			if p.first() {
				ring.Xor(less, less, ring.Bit(delta, 4*top+3))
			}
			out = append(out, less)
		}
		lower.Free()
		top.Free()
		return out
	}, append(bitDeps(tables), m.delta)...), count)
}

// testDigits are the public bits [Δ_i = v].
func (p *Party) testDigits(op *flow.Op, x *share, plan *positionPlan) *flow.Future[[]ring.Bits] {
	delta, n, is := x.masked.delta, x.n, plan.digitTests
	return flow.Do(op, int64(len(is)*n)/8, func() []ring.Bits {
		d := delta.Get()
		out := make([]ring.Bits, len(is))
		for k, x := range is {
			out[k] = ring.LikeBits(d, n)
			ring.Not(out[k], out[k])
			width := 4
			if x[0] == plan.digits-1 {
				width = plan.top
			}
			for b := range width {
				bit := ring.Bit(d, 4*x[0]+b)
				if x[1]>>b&1 == 0 {
					ring.Not(bit, bit)
				}
				ring.And(out[k], out[k], bit)
			}
		}
		return out
	}, delta)
}
