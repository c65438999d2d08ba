package semi2k

import (
	mathbits "math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Sizes of a bit decomposition: bits of a digit, digits of a group. Rings wider than 64 bits have larger
// groups, so that all decompositions take at most three rounds.
const (
	bitsDigit      = 4
	bitsGroup      = 4
	bitsGroupLarge = 6
)

// BitDecompose (A2B) implements mpc.Core (docs/protocols/bits.md#bit-decomposition). It opens x in its own ring. With
// digits c of Δ and l of λ, bit i of a digit of x is bit i of c − l, a look-up, ⊕ B·z, where B is the borrow into the
// digit and z is [(c − l) mod 2^i = 0], a look-up. Borrows are computed inside groups of digits first, as in a
// comparison; B is expanded inside the product with z.
func (p *Party) BitDecompose(op *flow.Op, x mpc.Secret) mpc.Bit {
	s := p.share(x)
	k, n := s.ring.Bits, s.n
	if k == 1 {
		return s
	}
	p.open(op, s)
	planes := newDecomposition(p, op, s.masked, n, k).run()
	r := ring.Z(1)
	return p.newShare(r, k*n, 0, flow.Do(op, bytes(r, k*n), func() ring.Vec {
		out := planes[0].Get().LikeVec(r, k*n)
		for i, b := range planes {
			ring.FromBits(out.Slice(i*n, (i+1)*n), b.Get())
		}
		return out
	}, bitDeps(planes)...))
}

// decomposition is the state of one bit decomposition: digits, groups of digits, and their borrows.
type decomposition struct {
	p      *Party
	op     *flow.Op
	m      *masked
	n      int
	digits []int
	starts []int   // first digit of each group, then the number of digits
	ge     []digit // shares of [Δ < λ] and [Δ = λ] of each digit but the top one
	// z[j] lists, for digit j, the bits of c − l, lowest first, then, for j > 0, whether the i lowest bits of
	// c − l are 0, i = 1 … size−1. zOpen[j][i] is the latter as masked bit.
	z     [][]bitVec
	zOpen [][]*bit

	// in[j] is the borrow into digit j from inside its group: less = made
	// there, equal = handed through. open is the same as masked bits.
	into            []digit
	intoOpen        []openDigit
	groupBorrow     []bitVec // the borrow into group g > 0
	groupBorrowOpen []*bit   // the same, open
}

type openDigit struct{ less, equal *bit }

func newDecomposition(p *Party, op *flow.Op, m *masked, n, w int) *decomposition {
	d := &decomposition{p: p, op: op, m: m, n: n, digits: split(w, (w+bitsDigit-1)/bitsDigit)}
	fan := bitsGroup
	if w > 64 {
		fan = bitsGroupLarge
	}
	count := len(d.digits)
	d.starts = []int{0}
	for _, size := range split(count, (count+fan-1)/fan) {
		d.starts = append(d.starts, d.starts[len(d.starts)-1]+size)
	}
	d.ge = p.lookUp(op, m, n, d.digits)[:count-1]
	d.into, d.intoOpen = make([]digit, count+1), make([]openDigit, count+1)
	d.zOpen = make([][]*bit, count)
	return d
}

// openBatch collects shares for one message, and where the masked bits go.
type openBatch struct {
	shares []bitVec
	to     []**bit
}

func (o *openBatch) add(x bitVec, to **bit) {
	o.shares, o.to = append(o.shares, x), append(o.to, to)
}

func (o *openBatch) send(p *Party, op *flow.Op, n int) {
	if len(o.shares) == 0 {
		return
	}
	lens := make([]int, len(o.shares))
	for i := range lens {
		lens[i] = n
	}
	for i, b := range p.openBits(op, lens, o.shares) {
		*o.to[i] = b
	}
}

// members returns the range of digits of group g whose borrows are needed: all but the top digit.
func (d *decomposition) members(g int) (lo, hi int) {
	return d.starts[g], min(d.starts[g+1], len(d.digits)-1)
}

func (d *decomposition) groups() int { return len(d.starts) - 1 }

func (d *decomposition) run() []bitVec {
	less, equal := make([]*bit, len(d.digits)), make([]*bit, len(d.digits))
	var first openBatch
	for g := range d.groups() {
		lo, hi := d.members(g)
		for j := lo; j < hi && hi-lo > 1; j++ {
			if j < hi-1 {
				first.add(d.ge[j].less, &less[j])
			}
			if g > 0 || j > lo {
				first.add(d.ge[j].equal, &equal[j])
			}
		}
		if hi-lo == 1 && hi < d.starts[g+1] { // the only borrow inside the group
			d.openBorrow(&first, g, hi, d.ge[lo])
		}
	}
	d.lookUpZeros(&first)
	first.send(d.p, d.op, d.n)

	var second openBatch
	for g := range d.groups() {
		lo, hi := d.members(g)
		for j := lo; j < hi; j++ {
			d.into[j+1] = d.ge[j]
			if j == lo {
				if hi-lo > 1 {
					d.intoOpen[j+1] = openDigit{less[j], equal[j]}
				}
				continue
			}
			d.into[j+1] = d.prefix(g, lo, j, less, equal)
			if j+1 < d.starts[g+1] {
				d.openBorrow(&second, g, j+1, d.into[j+1])
			}
		}
	}
	d.combineGroups(&second)
	return d.planes()
}

// openBorrow opens the borrow into a digit that is not the first of its group.
func (d *decomposition) openBorrow(o *openBatch, g, j int, in digit) {
	if g > 0 {
		o.add(in.equal, &d.intoOpen[j].equal)
	}
	if g == 0 || d.digits[j] > 1 {
		o.add(in.less, &d.intoOpen[j].less)
	}
}

// prefix returns the combined digit of digits lo … j of group g.
func (d *decomposition) prefix(g, lo, j int, less, equal []*bit) digit {
	made := xor{linear: []bitVec{d.ge[j].less}}
	var through []*bit
	for q := j; q >= lo; q-- {
		if q < j {
			made.products = append(made.products, append([]*bit{less[q]}, through...))
		}
		through = append(through[:len(through):len(through)], equal[q])
	}
	out := digit{less: d.p.xorShare(d.op, made, d.n)}
	if g > 0 {
		out.equal = d.p.xorShare(d.op, xor{products: [][]*bit{through}}, d.n)
	}
	return out
}

// combineGroups finds the borrows into groups from the groups' own, and opens them:
// the first goes with what the second message has.
func (d *decomposition) combineGroups(second *openBatch) {
	count := d.groups()
	d.groupBorrow, d.groupBorrowOpen = make([]bitVec, count), make([]*bit, count)
	if count == 1 {
		second.send(d.p, d.op, d.n)
		return
	}
	total := make([]digit, count)
	less, equal := make([]*bit, count), make([]*bit, count)
	for g := range count - 1 {
		total[g] = d.into[d.starts[g+1]]
		if g < count-2 {
			second.add(total[g].less, &less[g])
		}
		if g > 0 {
			second.add(total[g].equal, &equal[g])
		}
	}
	d.groupBorrow[1] = total[0].less // the lowest group's total is the borrow into the next
	if count == 2 {
		second.add(d.groupBorrow[1], &d.groupBorrowOpen[1])
		second.send(d.p, d.op, d.n)
		return
	}
	second.send(d.p, d.op, d.n)
	d.groupBorrowOpen[1] = less[0]
	var third openBatch
	for g := 2; g < count; g++ {
		made := xor{linear: []bitVec{total[g-1].less}}
		through := []*bit{equal[g-1]}
		for q := g - 2; q >= 0; q-- {
			made.products = append(made.products, append([]*bit{less[q]}, through...))
			through = append(through[:len(through):len(through)], equal[q])
		}
		d.groupBorrow[g] = d.p.xorShare(d.op, made, d.n)
		third.add(d.groupBorrow[g], &d.groupBorrowOpen[g])
	}
	third.send(d.p, d.op, d.n)
}

// lookUpZeros looks up the differences of digits and, for all but the lowest
// digit, asks to open whether their lower bits are all zero.
func (d *decomposition) lookUpZeros(o *openBatch) {
	pos := 0
	for j, size := range d.digits {
		var fs []func(c, l int) bool
		for i := range size {
			fs = append(fs, func(c, l int) bool { return (c-l)>>i&1 == 1 })
		}
		if j > 0 {
			for i := 1; i < size; i++ {
				fs = append(fs, func(c, l int) bool { return (c-l)&(1<<i-1) == 0 })
			}
		}
		out := d.p.lookUpAny(d.op, d.m, d.n, tableKey{pos, size}, fs)
		d.z = append(d.z, out)
		d.zOpen[j] = make([]*bit, size)
		for i := 1; i < size && j > 0; i++ {
			o.add(out[size+i-1], &d.zOpen[j][i])
		}
		pos += size
	}
}

// planes returns this party's shares of all bits, lowest first.
func (d *decomposition) planes() []bitVec {
	var out []bitVec
	g := 0
	for j, size := range d.digits {
		for j >= d.starts[g+1] {
			g++
		}
		var share bitVec    // share of the borrow, for the linear term
		var borrow [][]*bit // the borrow as a sum of products of masked bits
		switch {
		case j == 0:
		case j == d.starts[g]:
			share, borrow = d.groupBorrow[g], [][]*bit{{d.groupBorrowOpen[g]}}
		case g == 0:
			share, borrow = d.into[j].less, [][]*bit{{d.intoOpen[j].less}}
		default:
			share, borrow = d.into[j].less, [][]*bit{{d.intoOpen[j].less}, {d.intoOpen[j].equal, d.groupBorrowOpen[g]}}
		}
		for i := range size {
			bit := xor{linear: []bitVec{d.z[j][i]}}
			switch {
			case j == 0:
			case i == 0:
				bit.linear = append(bit.linear, share)
				if len(borrow) == 2 {
					bit.products = borrow[1:]
				}
			default:
				for _, b := range borrow {
					bit.products = append(bit.products, append(b[:len(b):len(b)], d.zOpen[j][i]))
				}
			}
			out = append(out, d.p.xorShare(d.op, bit, d.n))
		}
	}
	return out
}

// lookUpAny looks up functions of a digit c of Δ and the digit l of λ:
// f(c, l) = f(c, 0) ⊕ Σ_v [v < l]·(f(c, v+1) ⊕ f(c, v)). It returns this party's shares, one vector for each
// function.
func (p *Party) lookUpAny(op *flow.Op, m *masked, n int, k tableKey, fs []func(c, l int) bool) []bitVec {
	t := p.tables(op, m, k.pos, []int{k.bits}, n)[0]
	all := flow.Do(op, int64(n)*int64(len(fs))/8, func() []ring.Bits {
		table := t.Get()
		out := make([]ring.Bits, len(fs))
		for i := range out {
			out[i] = table.Like(n)
		}
		if table.ShapeOnly() {
			return out
		}
		digits, width := digitsOf(m.delta.Get(), k.pos, k.bits), 1<<k.bits-1
		for i, f := range fs {
			pick, zero := changes(f, k.bits, p.first())
			w := out[i].Words()
			for e, c := range digits {
				b := uint64(mathbits.OnesCount64(table.Field(e*width, width)&pick[c])&1) ^ zero[c]
				w[e/64] |= b << (e % 64)
			}
		}
		return out
	}, t, m.delta)
	return flow.Parts(all, len(fs))
}

// changes returns, for each c, the set of v with f(c, v) ≠ f(c, v+1) as a mask of table bits, and, for the
// first party, f(c, 0).
func changes(f func(c, l int) bool, bits int, first bool) (pick, zero []uint64) {
	size := 1 << bits
	pick, zero = make([]uint64, size), make([]uint64, size)
	for c := range size {
		if first && f(c, 0) {
			zero[c] = 1
		}
		for v := range size - 1 {
			if f(c, v) != f(c, v+1) {
				pick[c] |= 1 << v
			}
		}
	}
	return pick, zero
}

// BitCompose implements mpc.Compositions. It opens all bits in one message. Bit i is converted (B2A) modulo 2^(k−i)
// only, k = out.Bits.
func (p *Party) BitCompose(op *flow.Op, out ring.Ring, planes mpc.Bit) mpc.Secret {
	s := p.share(planes)
	n := s.n / out.Bits
	return p.newShare(out, n, out.Bits, p.composed(op, out, s, n))
}

// composed is this party's share of the n numbers of which s has the bits, lowest first. If these are fewer than the ring has, the
// highest one is the sign: it counts negative.
func (p *Party) composed(op *flow.Op, out ring.Ring, s *share, n int) *flow.Future[ring.Vec] {
	if n == 0 {
		return p.zeroVec(op, out, 0)
	}
	p.open(op, s)
	k, width := out.Bits, s.n/n
	parts := make([]*flow.Future[ring.Vec], width)
	for i := range parts {
		v := maps.NewView(tensor.Sliced(tensor.Shape{s.n}, []int{i * n}, []int{(i + 1) * n}, []int{1}), s.n)
		b := p.Linear(op, v, s).(*share)
		parts[i] = p.polyShare(op, p.maskedBit(op, b).poly(), ring.Z(k-i), n)
	}
	return flow.Do(op, bytes(out, n), func() ring.Vec {
		sum := parts[0].Get().Clone()
		if width == 1 && k > 1 {
			ring.Neg(sum, sum)
		}
		part := sum.Like(out, n)
		for i, v := range parts[1:] {
			ring.Low(part, v.Get())
			ring.Lsh(part, part, i+1)
			if i+2 == width && width < k {
				ring.Sub(sum, sum, part)
			} else {
				ring.Add(sum, sum, part)
			}
		}
		part.Free()
		return sum
	}, deps(parts)...)
}
