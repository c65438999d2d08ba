package plain

import (
	"math/bits"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Open implements mpc.Openings. It does nothing, because no value is masked.
func (Party) Open(*flow.Op, ...mpc.Secret) {}

// LessConst implements mpc.Comparisons: it returns the bit x < c.
func (p Party) LessConst(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	words := ring.ShapeOnly(x.Ring(), x.Len())
	if !op.Graph.DryRun() {
		words = ring.New(x.Ring(), x.Len())
		ring.AddInt(words, words, c)
	}
	return p.Less(op, x, p.Public(op, words, 62))
}

// MSB implements mpc.Comparisons: it returns the highest bit of the ring.
func (Party) MSB(op *flow.Op, x mpc.Secret) mpc.Bit {
	return apply(op, ring.Z(1), x.Len(), 0, func(dst ring.Vec, src []ring.Vec) {
		ring.Rsh(dst, src[0], x.Ring().Bits-1)
	}, of(x))
}

// Less implements mpc.Comparisons: it compares signed numbers in the wider of their rings.
func (p Party) Less(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	return compared(op, x, y, func(x, y ring.Vec) ring.Bits {
		k := x.Ring().Bits
		a, b := x.Clone(), y.Clone()
		ring.AddPow(a, a, k-1, false)
		ring.AddPow(b, b, k-1, false)
		return lessUnsigned(a, b)
	})
}

// LessFullRange implements mpc.Comparisons: it compares numbers that may use their whole ring.
func (p Party) LessFullRange(op *flow.Op, x, y mpc.Secret, signed bool) mpc.Bit {
	if signed {
		return p.Less(op, x, y)
	}
	return compared(op, x, y, lessUnsigned)
}

// Equal implements mpc.Comparisons: it returns the bit x = y.
func (Party) Equal(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	return compared(op, x, y, func(x, y ring.Vec) ring.Bits {
		out := lessUnsigned(x, y)
		ring.Xor(out, out, lessUnsigned(y, x))
		ring.Not(out, out)
		return out
	})
}

// compared applies a comparison in the wider of the operands' rings.
func compared(op *flow.Op, x, y mpc.Secret, f func(x, y ring.Vec) ring.Bits) mpc.Bit {
	r := x.Ring()
	if y.Ring().Bits > r.Bits {
		r = y.Ring()
	}
	return apply(op, ring.Z(1), x.Len(), 0, func(dst ring.Vec, src []ring.Vec) {
		ring.FromBits(dst, f(wide(src[0], r), wide(src[1], r)))
	}, of(x), of(y))
}

// lessUnsigned is [x < y] of unsigned numbers.
func lessUnsigned(x, y ring.Vec) ring.Bits {
	out := ring.NewBits(x.Len())
	k := x.Ring().Words()
	for i := range x.Len() {
		var less uint64
		for j := range k {
			_, less = bits.Sub64(x.Words()[i*k+j], y.Words()[i*k+j], less)
		}
		out.Words()[i/64] |= less << (i % 64)
	}
	return out
}

// And implements mpc.Selections: it multiplies bits.
func (Party) And(op *flow.Op, xs ...mpc.Bit) mpc.Bit {
	in := make([]*value, len(xs))
	for i, x := range xs {
		in[i] = of(x)
	}
	return apply(op, ring.Z(1), xs[0].Len(), 0, func(dst ring.Vec, src []ring.Vec) {
		ring.Low(dst, src[0])
		for _, s := range src[1:] {
			ring.Mul(dst, dst, s)
		}
	}, in...)
}

// B2A implements mpc.Core: it returns the bits as numbers.
func (Party) B2A(op *flow.Op, out ring.Ring, b mpc.Bit) mpc.Secret {
	return apply(op, out, b.Len(), 1, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, of(b))
}

// Select implements mpc.Selections: it returns y + b·(x − y).
func (Party) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	return apply(op, out, x.Len(), max(x.Bound(), y.Bound()), func(dst ring.Vec, src []ring.Vec) {
		bit, diff := ring.New(out, dst.Len()), ring.New(out, dst.Len())
		ring.Low(bit, src[0])
		ring.Low(dst, wide(src[2], out))
		ring.Sub(diff, wide(src[1], out), dst)
		ring.MulAdd(dst, bit, diff)
	}, of(b), of(x), of(y))
}

// Narrow implements mpc.Core: it returns x modulo r.
func (Party) Narrow(op *flow.Op, r ring.Ring, x mpc.Secret) mpc.Secret {
	return apply(op, r, x.Len(), x.Bound(), func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, src[0]) }, of(x))
}

// Extend implements mpc.Core: it zero-extends or sign-extends x.
func (Party) Extend(op *flow.Op, out ring.Ring, x mpc.Secret, signed bool) mpc.Secret {
	bound := x.Bound()
	if !signed || bound >= x.Ring().Bits-2 {
		bound = x.Ring().Bits
	}
	return apply(op, out, x.Len(), bound, func(dst ring.Vec, src []ring.Vec) {
		if signed && src[0].Ring() != out {
			ring.SignExtend(dst, src[0])
		} else {
			ring.Low(dst, src[0])
		}
	}, of(x))
}

// BitDecompose implements mpc.Core: it returns bit 0 of all elements, then bit 1 of all elements, and so on.
func (Party) BitDecompose(op *flow.Op, x mpc.Secret) mpc.Bit {
	k, n := x.Ring().Bits, x.Len()
	return apply(op, ring.Z(1), k*n, 0, func(dst ring.Vec, src []ring.Vec) {
		for i := range k {
			ring.FromBits(dst.Slice(i*n, (i+1)*n), ring.Bit(src[0], i))
		}
	}, of(x))
}

// BitCompose implements mpc.Compositions: it adds up the bits, times powers of two.
func (Party) BitCompose(op *flow.Op, out ring.Ring, bits mpc.Bit) mpc.Secret {
	k := out.Bits
	n := bits.Len() / k
	return apply(op, out, n, k, func(dst ring.Vec, src []ring.Vec) {
		part := ring.New(out, n)
		for i := range k {
			ring.Low(part, src[0].Slice(i*n, (i+1)*n))
			ring.Lsh(part, part, i)
			ring.Add(dst, dst, part)
		}
	}, of(bits))
}

// Floor implements mpc.Compositions: it returns ⌊x/2^by⌋.
func (Party) Floor(op *flow.Op, out ring.Ring, x mpc.Secret, by int, signed bool) mpc.Secret {
	return apply(op, out, x.Len(), x.Ring().Bits-by, func(dst ring.Vec, src []ring.Vec) {
		v := src[0].Clone()
		if signed {
			ring.Arsh(v, v, by)
		} else {
			ring.Rsh(v, v, by)
		}
		ring.Low(dst, v)
	}, of(x))
}
