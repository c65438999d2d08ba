package derived

import (
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// LessConst is the sign of x − c.
func (d *defaults) LessConst(op *flow.Op, x mpc.Secret, c int64) mpc.Bit {
	if big.NewInt(c).BitLen() > x.Ring().Bits-2 { // c is beyond the ring: in one that holds it
		x = d.p.Extend(op, ring.Z(66), x, true)
	}
	return d.p.MSB(op, d.plus(op, x, new(big.Int).Neg(big.NewInt(c))))
}

// MSB is the last of the bits.
func (d *defaults) MSB(op *flow.Op, x mpc.Secret) mpc.Bit {
	n := x.Len()
	b := d.p.BitDecompose(op, x)
	return d.part(op, b, b.Len()-n, b.Len())
}

// Less is the sign of x − y.
func (d *defaults) Less(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	x, y = d.wider(op, x, y, true)
	return d.p.MSB(op, d.difference(op, x, y))
}

// LessFullRange is the sign of x − y in a ring of one bit more.
func (d *defaults) LessFullRange(op *flow.Op, x, y mpc.Secret, signed bool) mpc.Bit {
	r := ring.Z(max(x.Ring().Bits, y.Ring().Bits) + 1)
	return d.p.MSB(op, d.difference(op, d.p.Extend(op, r, x, signed), d.p.Extend(op, r, y, signed)))
}

// Equal says that no bit of x − y is set.
func (d *defaults) Equal(op *flow.Op, x, y mpc.Secret) mpc.Bit {
	x, y = d.wider(op, x, y, true)
	return d.all(op, d.not(op, d.p.BitDecompose(op, d.difference(op, x, y))), x.Len())
}

// all is the AND of planes of n bits.
func (d *defaults) all(op *flow.Op, planes mpc.Bit, n int) mpc.Bit {
	for planes.Len() > n {
		k := planes.Len() / n
		half := k / 2
		low := d.p.And(op, d.part(op, planes, 0, half*n), d.part(op, planes, half*n, 2*half*n))
		if k%2 == 1 {
			low = d.concat(op, low, d.part(op, planes, (k-1)*n, k*n))
		}
		planes = low
	}
	return planes
}

// And multiplies in a tree.
func (d *defaults) And(op *flow.Op, xs ...mpc.Bit) mpc.Bit {
	for len(xs) > 1 {
		var next []mpc.Bit
		for i := 0; i+1 < len(xs); i += 2 {
			next = append(next, d.times(op, xs[i], xs[i+1]))
		}
		if len(xs)%2 == 1 {
			next = append(next, xs[len(xs)-1])
		}
		xs = next
	}
	return xs[0]
}

// Select is y + b·(x − y).
func (d *defaults) Select(op *flow.Op, out ring.Ring, b mpc.Bit, x, y mpc.Secret) mpc.Secret {
	x, y = d.in(op, out, x), d.in(op, out, y)
	if out.Bits == 1 {
		return d.sum(op, y, d.p.And(op, b, d.sum(op, x, y)))
	}
	return d.sum(op, y, d.times(op, d.p.B2A(op, out, b), d.difference(op, x, y)))
}

// Swap adds b·(y − x) to one of each pair and takes it from the other.
func (d *defaults) Swap(op *flow.Op, b mpc.Bit, xs, ys []mpc.Secret) (first, second []mpc.Secret) {
	numbers := map[ring.Ring]mpc.Secret{ring.Z(1): b}
	for i, x := range xs {
		r := x.Ring()
		if numbers[r] == nil {
			numbers[r] = d.p.B2A(op, r, b)
		}
		change := d.times(op, numbers[r], d.difference(op, ys[i], x))
		first = append(first, d.sum(op, x, change))
		second = append(second, d.difference(op, ys[i], change))
	}
	return first, second
}

// Relu selects x where it is not negative.
func (d *defaults) Relu(op *flow.Op, out ring.Ring, x mpc.Secret) mpc.Secret {
	negative := d.p.LessConst(op, x, 0)
	return d.times(op, d.in(op, out, x), d.p.B2A(op, out, d.not(op, negative)))
}

// Max compares and selects, one operand after the other.
func (d *defaults) Max(op *flow.Op, out ring.Ring, xs ...mpc.Secret) mpc.Secret {
	most := d.in(op, out, xs[0])
	for _, x := range xs[1:] {
		x = d.in(op, out, x)
		most = d.p.Select(op, out, d.p.Less(op, most, x), x, most)
	}
	return most
}

// Clamp selects x or the lower end, and the result or the upper end.
func (d *defaults) Clamp(op *flow.Op, out ring.Ring, x mpc.Secret, low, high int64) mpc.Secret {
	below, under := d.p.LessConst(op, x, low), d.p.LessConst(op, x, high)
	end := func(c int64) mpc.Secret { return d.constant(op, out, x.Len(), big.NewInt(c)) }
	raised := d.p.Select(op, out, below, end(low), d.in(op, out, x))
	return d.p.Select(op, out, under, raised, end(high))
}

// BitCompose adds up the bits' numbers.
func (d *defaults) BitCompose(op *flow.Op, out ring.Ring, bits mpc.Bit) mpc.Secret {
	return d.weighted(op, d.p.B2A(op, out, bits), powersOf2(out.Bits))
}

// powersOf2 are the first k of them.
func powersOf2(k int) []*big.Int {
	out := make([]*big.Int, k)
	for i := range out {
		out[i] = new(big.Int).Lsh(big.NewInt(1), uint(i))
	}
	return out
}

// Floor leaves off the low bits.
func (d *defaults) Floor(op *flow.Op, out ring.Ring, x mpc.Secret, by int, signed bool) mpc.Secret {
	n, k := x.Len(), x.Ring().Bits
	planes := d.p.BitDecompose(op, x)
	if left := k - by; out.Bits <= left {
		return d.p.BitCompose(op, out, d.part(op, planes, by*n, (by+out.Bits)*n))
	}
	top := d.p.BitCompose(op, ring.Z(k-by), d.part(op, planes, by*n, k*n))
	return d.p.Extend(op, out, top, signed)
}

// FloorReal is Floor of signed numbers, in their ring.
func (d *defaults) FloorReal(op *flow.Op, x mpc.Secret, by int, quotient bool) mpc.Secret {
	if by <= 0 {
		return x
	}
	y := d.p.Floor(op, x.Ring(), x, by, true)
	if quotient {
		return y
	}
	return d.p.Linear(op, maps.Shift{N: y.Len(), By: by}, y)
}

// rowsMax is the largest element of each row of m.
func (d *defaults) rowsMax(op *flow.Op, x mpc.Secret, m int) mpc.Secret {
	rows := x.Len() / m
	columns := func(x mpc.Secret, of, lo, hi int) mpc.Secret {
		return d.view(op, tensor.Sliced(tensor.Shape{rows, of}, []int{0, lo}, []int{rows, hi}, []int{1, 1}), x)
	}
	for m > 1 {
		half := m / 2
		y := d.p.Max(op, x.Ring(), columns(x, m, 0, half), columns(x, m, half, 2*half))
		if m%2 == 1 {
			last := columns(x, m, m-1, m)
			y = d.view(op, tensor.Concatenated([]tensor.Shape{{rows, half}, {rows, 1}}, 1), y, last)
		}
		x, m = y, half+m%2
	}
	return x
}
