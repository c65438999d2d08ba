package plain

import (
	"fmt"
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// real applies a function of real numbers in float64, elementwise, and rounds to out fraction bits. Results
// that do not fit saturate.
func (p Party) real(op *flow.Op, r ring.Ring, in []int, out int, f func(x []float64) float64, xs ...mpc.Secret) mpc.Secret {
	vs := make([]*value, len(xs))
	for i, x := range xs {
		vs[i] = of(x)
	}
	n := xs[0].Len()
	return apply(op, r, n, r.Bits-2, func(dst ring.Vec, src []ring.Vec) {
		args := make([]float64, len(src))
		res := make([]float64, n)
		for i := range n {
			for j, s := range src {
				args[j] = decode(s, i, in[j])
			}
			res[i] = f(args)
		}
		p.noteReals(op, res, r.Bits-2-out)
		encode(dst, res, out)
	}, vs...)
}

// noteReals reports results that are not numbers or that are 2^bits or more in magnitude.
func (p Party) noteReals(op *flow.Op, res []float64, bits int) {
	if p.Note == nil {
		return
	}
	undefined, large, at := 0, 0, [2]int{}
	limit := math.Ldexp(1, bits)
	for i, x := range res {
		switch {
		case math.IsNaN(x):
			if undefined == 0 {
				at[0] = i
			}
			undefined++
		case math.Abs(x) >= limit:
			if large == 0 {
				at[1] = i
			}
			large++
		}
	}
	if undefined > 0 {
		p.Note(op.Where(), fmt.Sprintf("%d of %d results are undefined, the first at index %d: a protocol returns arbitrary finite values there", undefined, len(res), at[0]))
	}
	if large > 0 {
		p.Note(op.Where(), fmt.Sprintf("%d of %d results are 2^%d or more in magnitude, the first at index %d: they saturate", large, len(res), bits, at[1]))
	}
}

// Cut implements mpc.LoopChecker: it calls Note for a loop whose condition still holds after the given number of
// iterations.
func (p Party) Cut(op *flow.Op, condition mpc.Bit, iterations int) {
	if p.Note == nil {
		return
	}
	b := of(condition)
	flow.Do(op, 0, func() bool {
		if !op.Graph.DryRun() && b.v.Get().Int(0).Sign() != 0 {
			p.Note(op.Where(), fmt.Sprintf("the condition still holds after %d iterations, where while.bound ends the loop: the results are the values at that point (set a larger while.bound)", iterations))
		}
		return true
	}, b.v)
}

// Fits implements mpc.RangeChecker: it calls Note for the elements of b(x, y) over ring out that are 2^bound or more
// in magnitude.
func (p Party) Fits(op *flow.Op, out ring.Ring, bound int, b maps.Bilinear, x, y mpc.Secret) {
	if p.Note == nil {
		return
	}
	twice := ring.Z(2*out.Bits + 32)
	wideX, wideY := of(x), of(y)
	flow.Do(op, 0, func() bool {
		if op.Graph.DryRun() {
			return true
		}
		sum := ring.New(twice, b.Out())
		b.Apply(sum, wide(wideX.v.Get(), twice), wide(wideY.v.Get(), twice))
		bad, first := 0, 0
		for i := range sum.Len() {
			if sum.Int(i).BitLen() > bound {
				if bad == 0 {
					first = i
				}
				bad++
			}
		}
		if bad > 0 {
			p.Note(op.Where(), fmt.Sprintf("%d of %d products do not fit the ring of %d bits, the first at index %d: they are wrong (take a wider ring or fewer fraction bits)", bad, sum.Len(), out.Bits, first))
		}
		return true
	}, wideX.v, wideY.v)
}

func decode(v ring.Vec, i, fraction int) float64 {
	x, _ := new(big.Float).SetInt(v.Int(i)).Float64()
	return math.Ldexp(x, -fraction)
}

func encode(dst ring.Vec, xs []float64, fraction int) {
	r := dst.Ring()
	ints := make([]*big.Int, len(xs))
	limit := math.Ldexp(1, r.Bits-2)
	for i, x := range xs {
		y := math.RoundToEven(math.Ldexp(x, fraction))
		if math.IsNaN(y) {
			y = 0
		}
		ints[i], _ = big.NewFloat(math.Max(-limit, math.Min(limit, y))).Int(nil)
	}
	ring.Low(dst, ring.FromBig(r, ints))
}

// Exp implements mpc.Functions. It computes in float64 and applies both clamps, whatever f says.
func (p Party) Exp(op *flow.Op, x mpc.Secret, f mpc.ExpOf) mpc.Secret {
	r, out := f.RingFor(x.Ring()), f.Out
	return p.real(op, r, []int{f.In}, out, func(x []float64) float64 {
		if f.Two {
			return math.Exp2(x[0])
		}
		return math.Exp(x[0])
	}, x)
}

// EvalTable implements mpc.Functions: it evaluates the named function in float64.
func (p Party) EvalTable(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string) mpc.Secret {
	g := fourier.Formula(name)
	return p.real(op, f.RingFor(x.Ring()), []int{f.In}, f.Out, func(x []float64) float64 { return g(x[0]) }, x)
}

// EvalTableWithTails implements mpc.Functions: it evaluates the named function in float64.
func (p Party) EvalTableWithTails(op *flow.Op, x mpc.Secret, f mpc.Fixed, name string, _ bool) mpc.Secret {
	return p.EvalTable(op, x, f, name)
}

// SinCos implements mpc.Functions. It computes in float64.
func (p Party) SinCos(op *flow.Op, x mpc.Secret, f mpc.Fixed) (sin, cos mpc.Secret) {
	one := func(g func(float64) float64) mpc.Secret {
		return p.real(op, f.RingFor(x.Ring()), []int{f.In}, f.Out, func(x []float64) float64 { return g(x[0]) }, x)
	}
	return one(math.Sin), one(math.Cos)
}

// Log implements mpc.Functions. It computes in float64.
func (p Party) Log(op *flow.Op, x mpc.Secret, f mpc.Fixed, _ mpc.Normal, two bool) mpc.Secret {
	return p.real(op, f.RingFor(x.Ring()), []int{f.In}, f.Out, func(x []float64) float64 {
		if two {
			return math.Log2(x[0])
		}
		return math.Log(x[0])
	}, x)
}

// Power implements mpc.Functions: it computes x^a in float64.
func (p Party) Power(op *flow.Op, x mpc.Secret, f mpc.Fixed, n mpc.Normal, a float64) mpc.Secret {
	return p.real(op, f.RingFor(x.Ring()), []int{f.In}, f.Out, func(x []float64) float64 {
		if n.Signed {
			return math.Copysign(math.Pow(math.Abs(x[0]), a), x[0])
		}
		return math.Pow(x[0], a)
	}, x)
}

// Divide implements mpc.Functions. It computes in float64.
func (p Party) Divide(op *flow.Op, y mpc.Secret, fy int, x mpc.Secret, f mpc.Fixed, _ mpc.Normal, root bool) mpc.Secret {
	if rows := x.Len(); rows < y.Len() {
		x = p.Linear(op, maps.NewView(tensor.Broadcast(tensor.Shape{rows}, []int{0}, tensor.Shape{rows, y.Len() / rows}), rows), x)
	}
	return p.real(op, x.Ring(), []int{fy, f.In}, f.Out, func(x []float64) float64 {
		if root {
			return x[0] / math.Sqrt(x[1])
		}
		return x[0] / x[1]
	}, y, x)
}

// PowerSecret implements mpc.Functions: it computes x^y in float64.
func (p Party) PowerSecret(op *flow.Op, x, y mpc.Secret, fy int, f mpc.Fixed, _ mpc.Normal) mpc.Secret {
	return p.real(op, x.Ring(), []int{f.In, fy}, f.Out, func(x []float64) float64 { return math.Pow(x[0], x[1]) }, x, y)
}

// FloorReal implements mpc.Functions. It is exact.
func (Party) FloorReal(op *flow.Op, x mpc.Secret, by int, quotient bool) mpc.Secret {
	bound := x.Bound()
	if quotient {
		bound -= by
	}
	return apply(op, x.Ring(), x.Len(), bound, func(dst ring.Vec, src []ring.Vec) {
		ring.Arsh(dst, src[0], by)
		if !quotient {
			ring.Lsh(dst, dst, by)
		}
	}, of(x))
}

// rows applies a function in float64 to rows of m elements.
func rows(op *flow.Op, x mpc.Secret, f mpc.Fixed, m, out int, g func(row, res []float64)) mpc.Secret {
	n, r := x.Len()/m, f.RingFor(x.Ring())
	return apply(op, r, n*out, r.Bits-2, func(dst ring.Vec, src []ring.Vec) {
		row, res := make([]float64, m), make([]float64, n*out)
		for i := range n {
			for j := range row {
				row[j] = decode(src[0], i*m+j, f.In)
			}
			g(row, res[i*out:(i+1)*out])
		}
		encode(dst, res, f.Out)
	}, of(x))
}

// Softmax implements mpc.Functions. It computes in float64.
func (Party) Softmax(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, kind mpc.RowKind) mpc.Secret {
	out := m
	if kind == mpc.LogSumExp {
		out = 1
	}
	return rows(op, x, f, m, out, func(row, res []float64) {
		top, sum := math.Inf(-1), 0.0
		for _, x := range row {
			top = math.Max(top, x)
		}
		for _, x := range row {
			sum += math.Exp(x - top)
		}
		for i := range res {
			switch kind {
			case mpc.Softmax:
				res[i] = math.Exp(row[i]-top) / sum
			case mpc.LogSoftmax:
				res[i] = row[i] - top - math.Log(sum)
			default:
				res[i] = top + math.Log(sum)
			}
		}
	})
}

// Normalize implements mpc.Functions. It computes in float64.
func (Party) Normalize(op *flow.Op, x mpc.Secret, f mpc.Fixed, m int, epsilon float64, centred bool) mpc.Secret {
	return rows(op, x, f, m, m, func(row, res []float64) {
		mean, v := 0.0, 0.0
		for _, x := range row {
			if centred {
				mean += x / float64(m)
			}
		}
		for _, x := range row {
			v += (x - mean) * (x - mean) / float64(m)
		}
		for i, x := range row {
			if s := v + epsilon; s > 0 {
				res[i] = (x - mean) / math.Sqrt(s)
			}
		}
	})
}
