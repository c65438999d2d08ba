package derived

import (
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

const (
	// fine is the number of fraction bits of numbers inside functions.
	fine = 48
	// nodes is the number of points from which a function is interpolated.
	nodes = 256
	// coefBits is the number of fraction bits of coefficients.
	coefBits = 46
)

// series is a function on an interval as Σ c_j T_j(t), t in [−1, 1].
type series struct{ c []float64 }

// interpolated is f on [lo, hi], with as few terms as are right to within tolerance.
func interpolated(f func(float64) float64, lo, hi, tolerance float64) series {
	var at [nodes]float64
	for i := range at {
		t := math.Cos(math.Pi * (float64(i) + 0.5) / nodes)
		at[i] = f(lo + (hi-lo)*(t+1)/2)
	}
	c := make([]float64, nodes)
	for j := range c {
		for i := range at {
			c[j] += float64(at[i] * math.Cos(math.Pi*float64(j)*(float64(i)+0.5)/nodes)) // the conversion keeps it from being fused
		}
		c[j] *= 2. / nodes
	}
	c[0] /= 2
	n, rest := nodes, 0.0
	for n > 2 && rest+math.Abs(c[n-1]) < tolerance {
		rest += math.Abs(c[n-1])
		n--
	}
	return series{c[:n]}
}

// basis is the Chebyshev polynomials of a secret t in [−1, 1] with fine fraction bits.
type basis struct {
	d  *defaults
	op *flow.Op
	t  map[int]mpc.Secret
}

// polynomials begins the basis of t, which is in a ring of 2·fine + 32 bits or more.
func (d *defaults) polynomials(op *flow.Op, t mpc.Secret) *basis {
	return &basis{d, op, map[int]mpc.Secret{1: d.bounded(t, fine+1)}}
}

// at is T_j, from T_(a+b) = 2·T_a·T_b − T_|a−b|.
func (b *basis) at(j int) mpc.Secret {
	if b.t[j] == nil {
		half := j / 2
		product := b.d.p.Truncate(b.op, b.d.timesUpTo(b.op, b.at(j-half), b.at(half), fine-1), fine-1)
		if j%2 == 0 {
			b.t[j] = b.d.plus(b.op, product, new(big.Int).Lsh(big.NewInt(-1), fine))
		} else {
			b.t[j] = b.d.difference(b.op, product, b.at(1))
		}
		b.d.bounded(b.t[j], fine+1)
	}
	return b.t[j]
}

// value is the series at t, with fine fraction bits. Terms are grouped by steps of
// about the root of their number: Σ_i T_(step·i)·q_i, q_i of degree below step, which
// takes 2·√n products for n terms.
func (b *basis) value(s series) mpc.Secret {
	c := append([]float64{}, s.c...)
	step := 1
	for step*step < len(c) {
		step *= 2
	}
	if len(c) <= 12 {
		step = len(c)
	}
	var sum mpc.Secret
	for i := (len(c) - 1) / step; i > 0; i-- {
		q := make([]float64, min(step, len(c)-i*step))
		q[0] = c[i*step]
		for j := 1; j < len(q); j++ { // T_(si+j) = 2·T_si·T_j − T_(si−j)
			q[j] = 2 * c[i*step+j]
			c[i*step-j] -= c[i*step+j]
		}
		term := b.d.timesUpTo(b.op, b.at(i*step), b.linear(q), fine)
		if sum == nil {
			sum = term
		} else {
			sum = b.d.sum(b.op, sum, term)
		}
	}
	low := b.linear(c[:min(step, len(c))])
	if sum == nil {
		return low
	}
	return b.d.sum(b.op, low, b.d.p.Truncate(b.op, sum, fine))
}

// linear is Σ c_j T_j.
func (b *basis) linear(c []float64) mpc.Secret {
	one := b.at(1)
	coef, xs := []int64{}, []mpc.Secret{}
	for j := 1; j < len(c); j++ {
		if k := scaled(c[j]); k != 0 {
			coef, xs = append(coef, k), append(xs, b.at(j))
		}
	}
	constant, _ := new(big.Float).SetMantExp(big.NewFloat(c[0]), fine).Int(nil)
	most := 0.0 // of the sum
	for _, x := range c {
		most += math.Abs(x)
	}
	if len(xs) == 0 {
		return b.d.constant(b.op, one.Ring(), one.Len(), constant)
	}
	sum := b.d.plus(b.op, b.d.p.Truncate(b.op, b.d.combined(b.op, coef, xs...), coefBits), constant)
	return b.d.bounded(sum, fine+1+max(0, int(math.Ceil(math.Log2(most)))))
}

// scaled is a coefficient as an integer.
func scaled(c float64) int64 { return int64(math.RoundToEven(math.Ldexp(c, coefBits))) }

// rescaled is x with so many fraction bits where it has from, in its ring.
func (d *defaults) rescaled(op *flow.Op, x mpc.Secret, from, to int) mpc.Secret {
	switch {
	case from > to:
		return d.p.Truncate(op, x, from-to)
	case from < to:
		return d.p.Linear(op, maps.Shift{N: x.Len(), By: to - from}, x)
	}
	return x
}

// working is the ring in which functions of numbers of ring r are computed: a word for
// the numbers and 64 bits more.
func working(r ring.Ring) ring.Ring {
	if r.Bits <= 64 {
		return ring.Z(128)
	}
	return ring.Z((r.Bits+63)/64*64 + 64)
}
