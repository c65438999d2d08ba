package conformance

import (
	"math"
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// operation is one row of the suite.
type operation struct {
	name  string
	in    func(r ring.Ring, n int) []operand
	build computation
	// units and relative are how far a result may be from package plain's, in units of
	// the last place and in parts of its magnitude. each is units more for each party.
	units, each, relative float64
	rings                 []int // nil: all of the protocol's, and those of integers
}

// Extremes returns n signed numbers of magnitude below 2^bound in r, for tests of operations at their limits: zero,
// ±1, ±2^j, 2^j ± 1, both ends, and random numbers of all magnitudes, drawn from seed.
func Extremes(r ring.Ring, bound, n int, seed byte) ring.Vec {
	v := ring.New(r, n)
	prg := ring.NewPRG(ring.Seed{seed, 4})
	prg.Vec(v, 1, 0)
	wide := ring.New(ring.Z(bound+1), n)
	ring.Low(wide, v)
	out := ring.New(r, n)
	ring.SignExtend(out, wide)
	one := ring.FromInts(r, []int64{1})
	for i := range n {
		e := out.Slice(i, i+1)
		j := i / 8 % bound
		switch i % 8 {
		case 0:
			ring.Lsh(e, one, j)
		case 1:
			ring.Lsh(e, one, j)
			ring.Neg(e, e)
		case 2:
			ring.AddPow(e, ring.New(r, 1), j, false)
			ring.AddInt(e, e, -1)
		case 3:
			ring.AddPow(e, ring.New(r, 1), bound, i/8%2 == 0)
			ring.AddInt(e, e, int64(1-2*(1-i/8%2)-(1-2*(1-i/8%2))*2*(i/16%2))) // just inside the ends
			if x := e.Int(0); x.BitLen() > bound {
				ring.Sub(e, e, e)
			}
		case 4:
			ring.Arsh(e, e, j) // all magnitudes
		case 5:
			ring.Sub(e, e, e)
			ring.AddInt(e, e, int64(i/8%5-2))
		}
		if e.Int(0).BitLen() > bound && bound < r.Bits-1 { // −2^bound
			ring.Sub(e, e, e)
		}
	}
	return out
}

// below are operands of magnitude below 2^(k−less), owned by parties in turn.
func below(less int, seeds ...byte) func(ring.Ring, int) []operand {
	return func(r ring.Ring, n int) (out []operand) {
		for i, s := range seeds {
			out = append(out, operand{owner: i, v: Extremes(r, r.Bits-less, n, s), bound: r.Bits - less})
		}
		return out
	}
}

// wholeRing are operands that use their whole ring, every fourth pair equal.
func wholeRing(seeds ...byte) func(ring.Ring, int) []operand {
	return func(r ring.Ring, n int) (out []operand) {
		for i, s := range seeds {
			v := Extremes(r, r.Bits-1, n, s)
			for j := 0; j < n; j += 4 {
				ring.Low(v.Slice(j, j+1), Extremes(r, r.Bits-1, n, 77).Slice(j, j+1))
			}
			out = append(out, operand{owner: i, v: v})
		}
		return out
	}
}

// withBits puts a vector of bits before others.
func withBits(in func(ring.Ring, int) []operand) func(ring.Ring, int) []operand {
	return func(r ring.Ring, n int) []operand {
		bits := ring.New(ring.Z(1), n)
		ring.NewPRG(ring.Seed{9}).Vec(bits, 0, 0)
		return append([]operand{{owner: 1, v: bits}}, in(r, n)...)
	}
}

func one(s mpc.Secret) []mpc.Secret { return []mpc.Secret{s} }

// real numbers are floats: their rings are those of the protocol.
var floats = []int{32, 64, 128}

// operations are what all protocols compute. Operands are inputs; computations that
// need what is not an input make it of them.
var operations = []operation{
	{name: "reveal", in: wholeRing(1), build: func(_ mpc.Protocol, _ *flow.Op, in []mpc.Secret) []mpc.Secret { return in }},
	{name: "linear", in: below(5, 1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		n := in[0].Len()
		sum := p.Linear(op, maps.Combine{N: n, Coef: []int64{3, -1}}, in...)
		return []mpc.Secret{
			sum,
			p.Linear(op, maps.Sum{Outer: 1, Reduced: 4, Inner: n / 4}, in[0]),
			p.Linear(op, maps.NewView(tensor.Reversed(tensor.Shape{n}, []int{0}), n), sum),
		}
	}},
	{name: "add", in: below(4, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r, n := in[0].Ring(), in[0].Len()
		v := Extremes(r, r.Bits-4, n, 5)
		return []mpc.Secret{p.AddPublic(op, in[0], v, r.Bits-4), p.AddLocal(op, in[0], 0, v.Clone), p.AddLocal(op, in[0], 1, v.Clone)}
	}},
	{name: "from share", in: below(4, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		flow.Force(op, p.AdditiveShare(op, in[0]))
		zero := p.FromShare(ring.New(in[0].Ring(), in[0].Len()), 0)
		return []mpc.Secret{p.Linear(op, maps.Combine{N: in[0].Len(), Coef: []int64{1, 1}}, in[0], zero)}
	}},
	{name: "open", in: below(2, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		x := p.Unopened(op, in[0])
		p.Open(op, x)
		return one(x)
	}},
	{name: "product", in: wholeRing(1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0))
	}},
	{name: "square", in: wholeRing(1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[0], 0))
	}},
	{name: "matrix product", in: wholeRing(1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		n := in[0].Len() / 8
		return one(p.Product(op, in[0].Ring(), maps.MatMul{Batch: 1, M: n, K: 8, N: n}, in[0], in[1], 0))
	}},
	{name: "product into a wider ring", in: below(2, 1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Product(op, ring.Z(2*in[0].Ring().Bits), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0))
	}},
	{
		name:  "truncate",
		in:    below(3, 1),
		units: 0.5,
		each:  0.5,
		rings: floats,
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			x := p.Linear(op, maps.Combine{N: in[0].Len(), Coef: []int64{1}}, p.Unopened(op, in[0]))
			return []mpc.Secret{p.Truncate(op, x, 10), p.Truncate(op, in[0], 3)}
		},
	},
	{
		name:  "truncate-reduce",
		in:    below(3, 1),
		units: 0.5,
		each:  0.5,
		rings: floats,
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return one(p.TruncateReduce(op, p.Unopened(op, in[0]), 10))
		},
	},
	{name: "less than a constant", in: below(2, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.LessConst(op, in[0], 0), p.LessConst(op, in[0], 17), p.LessConst(op, in[0], -3)}
	}},
	{
		name:  "top bit",
		in:    wholeRing(1),
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret { return one(p.MSB(op, in[0])) },
	},
	{
		name:  "less",
		in:    below(3, 1, 2),
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret { return one(p.Less(op, in[0], in[1])) },
	},
	{name: "less than public", in: below(3, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r := ring.Z(in[0].Ring().Bits + 5)
		return one(p.Less(op, in[0], p.Public(op, Extremes(r, r.Bits-8, in[0].Len(), 3), r.Bits-8)))
	}},
	{name: "less, whole ring", in: wholeRing(1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.LessFullRange(op, in[0], in[1], true), p.LessFullRange(op, in[0], in[1], false)}
	}},
	{
		name:  "equal",
		in:    wholeRing(1, 2),
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret { return one(p.Equal(op, in[0], in[1])) },
	},
	{name: "and", in: withBits(wholeRing(1, 2)), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.And(op, in[0]), p.And(op, in[0], p.MSB(op, in[1])), p.And(op, in[0], p.MSB(op, in[1]), p.MSB(op, in[2]))}
	}},
	{name: "bit to number", in: withBits(wholeRing()), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.B2A(op, ring.Z(16), in[0]), p.B2A(op, ring.Z(64), in[0])}
	}},
	{name: "select", in: withBits(below(3, 1, 2)), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r := in[1].Ring()
		return []mpc.Secret{p.Select(op, r, in[0], in[1], in[2]), p.Select(op, ring.Z(r.Bits+8), in[0], in[2], in[1])}
	}},
	{name: "swap", in: withBits(below(3, 1, 2)), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		first, second := p.Swap(op, in[0], in[1:2], in[2:3])
		return append(first, second...)
	}},
	{name: "relu", in: below(3, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Relu(op, in[0].Ring(), in[0]))
	}},
	{name: "clamp", in: below(3, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r := in[0].Ring()
		return []mpc.Secret{p.Clamp(op, r, in[0], -5, 11), p.Clamp(op, ring.Z(r.Bits+3), in[0], 0, 0)}
	}},
	{name: "max", in: below(3, 1, 2, 3), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Max(op, in[0].Ring(), in...))
	}},
	{
		name:  "bits",
		in:    wholeRing(1),
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret { return one(p.BitDecompose(op, in[0])) },
	},
	{name: "number of bits", in: wholeRing(1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.BitCompose(op, in[0].Ring(), p.BitDecompose(op, in[0])))
	}},
	{name: "floor", in: wholeRing(1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r := in[0].Ring()
		return []mpc.Secret{p.Floor(op, r, in[0], 3, true), p.Floor(op, r, in[0], 3, false), p.Floor(op, ring.Z(r.Bits/2), in[0], 2, false)}
	}},
	{name: "floor of a float", in: below(3, 1), rings: floats, build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return []mpc.Secret{p.FloorReal(op, in[0], 10, true), p.FloorReal(op, in[0], 10, false)}
	}},
	{name: "narrow and extend", in: wholeRing(1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r := in[0].Ring()
		return []mpc.Secret{
			p.Narrow(op, ring.Z(r.Bits/2), in[0]),
			p.Extend(op, ring.Z(2*r.Bits), in[0], true),
			p.Extend(op, ring.Z(r.Bits+3), in[0], false),
		}
	}},
	{name: "extend below a bound", in: below(4, 1), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Extend(op, ring.Z(2*in[0].Ring().Bits), in[0], true))
	}},
	{name: "reveal on the way", in: below(3, 1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		x := p.RevealToComputing(op, in[0])
		return []mpc.Secret{x, p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{1, 1}}, x, in[1])}
	}},
	{name: "reveal to a party", in: below(3, 1, 2), build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		r, n := in[0].Ring(), in[0].Len()
		var out []mpc.Secret
		for to := range 2 { // twice what it learns, as its own vector
			x := p.RevealTo(op, in[to], to)
			words := flow.Do(op, 0, func() ring.Vec {
				if x.Get().Len() == 0 || x.Get().ShapeOnly() {
					return ring.ShapeOnly(r, n)
				}
				twice := ring.New(r, n)
				ring.Add(twice, x.Get(), x.Get())
				return twice
			}, x)
			out = append(out, p.InputLate(op, to, r, n, in[to].Bound()+1, words))
		}
		return append(out, p.Product(op, r, maps.Elementwise{N: n}, out[0], in[1], 0))
	}},
	{name: "look up", in: indices, build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(p.Lookup(op, in[0], in[1], table))
	}},
	{name: "place", in: indices, build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		return one(
			p.Place(
				op,
				in[0],
				p.Linear(
					op,
					maps.NewView(
						tensor.Broadcast(tensor.Shape{table.Size()}, []int{1}, tensor.Shape{in[0].Len() * table.Rows() / table.Size(), table.Size()}),
						table.Size(),
					),
					in[1],
				),
				table,
			),
		)
	}},
	{name: "sort", in: below(3, 1, 2), rings: []int{16, 64}, build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		s := mpc.Sorting{Groups: 2, Rows: in[0].Len() / 2, Descending: []bool{false, true}, First: in[0].Len() / 4, At: ring.Z(32)}
		sorted, at := p.Sort(op, s, in, in)
		return append(sorted, at)
	}},
	real("exp", -12, 8, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Exp(op, x, mpc.ExpOf{Fixed: f, Lower: true, Upper: true})
	}),
	real("power of 2", -1000, 16, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Exp(op, x, mpc.ExpOf{Fixed: f, Two: true, Lower: true, Upper: true})
	}),
	real("tanh", -30, 30, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.EvalTableWithTails(op, x, f, "tanh", false)
	}),
	real("gelu, thrifty", -30, 30, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.EvalTableWithTails(op, x, f, "gelu", true)
	}),
	real("atan", -1, 1, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.EvalTable(op, x, f, "atan")
	}),
	real("sine", -1e4, 1e4, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		s, _ := p.SinCos(op, x, f)
		return s
	}),
	real("cosine", -1e4, 1e4, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		_, c := p.SinCos(op, x, f)
		return c
	}),
	real("log", 1./1024, 4096, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Log(op, x, f, mpc.Normal{}, false)
	}),
	real("root", 1./1024, 4096, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Power(op, x, f, mpc.Normal{}, 0.5)
	}),
	real("reciprocal", 1./1024, 4096, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Power(op, x, f, mpc.Normal{}, -1)
	}),
	real("quotient", 1./16, 4096, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Divide(op, p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{-3}}, x), f.In, x, f, mpc.Normal{}, false)
	}),
	real("quotient, signed", -4096, -1./16, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Divide(op, p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{5}}, x), f.In, x, f, mpc.Normal{Signed: true}, false)
	}),
	power(),
	real("softmax", -8, 8, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Softmax(op, x, f, 8, mpc.Softmax)
	}),
	real("log-sum-exp", -8, 8, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Softmax(op, x, f, 8, mpc.LogSumExp)
	}),
	real("normalise", -8, 30, func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret {
		return p.Normalize(op, x, f, 16, 1e-5, true)
	}),
}

// power is x^y of two inputs.
func power() operation {
	o := real("x^y", 0.1, 6, nil)
	in := o.in
	o.in = func(r ring.Ring, n int) []operand {
		x, y := in(r, n)[0], in(r, n)[0]
		ring.Neg(y.v, y.v)
		y.owner = 1
		return []operand{x, y}
	}
	o.build = func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		f := fraction(in[0].Ring())
		return one(p.PowerSecret(op, in[0], in[1], f, mpc.Fixed{In: f, Out: f}, mpc.Normal{}))
	}
	return o
}

// table is where indices are looked up.
var table = mpc.Table{Groups: 2, Cells: 8, Columns: 2, Offsets: []int{0}}

// indices are indices into the table, and its cells.
func indices(r ring.Ring, n int) []operand {
	at := make([]int64, n)
	for i := range at {
		at[i] = int64((i*i + i/8) % table.Cells)
	}
	return []operand{
		{owner: 1, v: ring.FromInts(r, at), bound: min(5, r.Bits-2)},
		{v: Extremes(r, r.Bits-4, table.Size(), 3), bound: r.Bits - 4},
	}
}

// fraction is the usual one of a ring of floats.
func fraction(r ring.Ring) int {
	if r.Bits > 64 {
		return 26
	}
	return 18
}

// real is a function of floats in [lo, hi].
func real(name string, lo, hi float64, f func(p mpc.Protocol, op *flow.Op, x mpc.Secret, f mpc.Fixed) mpc.Secret) operation {
	return operation{
		name: name, rings: []int{64, 128}, units: 4, each: 1, relative: math.Exp2(-18),
		in: func(r ring.Ring, n int) []operand {
			ints := make([]*big.Int, n)
			for i := range ints {
				t := math.Mod(float64(i)*math.Phi, 1)
				x := lo + (hi-lo)*t
				switch {
				case i < 2:
					x = []float64{lo, hi}[i]
				case lo > 0 && i%2 == 0:
					x = lo * math.Pow(hi/lo, t)
				}
				ints[i], _ = big.NewFloat(math.RoundToEven(math.Ldexp(x, fraction(r)))).Int(nil)
			}
			return []operand{{v: ring.FromBig(r, ints), bound: r.Bits - 2}}
		},
		build: func(p mpc.Protocol, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			q := fraction(in[0].Ring())
			return one(f(p, op, in[0], mpc.Fixed{In: q, Out: q}))
		},
	}
}
