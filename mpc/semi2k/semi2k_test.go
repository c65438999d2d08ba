package semi2k

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// operation is one row of the table that both correctness and golden costs are
// tested on.
type operation struct {
	name   string
	in     func(k ring.Ring, n int) []operand
	build  func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	want   func(x []*big.Int) *big.Int      // of one element
	within func(parties int) (lo, hi int64) // of result − want; nil: exact
	rings  []int
}

func exactly(int) (int64, int64) { return 0, 0 }

// additiveUnits is how far truncation may be from the floor of the quotient.
func additiveUnits(n int) (int64, int64) { return -int64((n - 1) / 2), int64(n/2 + n%2) }

// opened are masked operands below 2^bound; a bound of 0 or less counts from
// the ring's width.
func opened(bound int, seeds ...byte) func(ring.Ring, int) []operand {
	return func(k ring.Ring, n int) (out []operand) {
		bound := bound
		if bound <= 0 {
			bound += k.Bits
		}
		for _, s := range seeds {
			out = append(out, operand{v: extremes(k, min(bound, k.Bits-2), n, s), masked: true, bound: min(bound, k.Bits-1)})
		}
		return out
	}
}

func closed(bound int, seeds ...byte) func(ring.Ring, int) []operand {
	return func(k ring.Ring, n int) []operand {
		out := opened(bound, seeds...)(k, n)
		for i := range out {
			out[i].masked = false
		}
		return out
	}
}

// inRange is closed with values that keep clear of the range's very end, as
// truncation by f asks: |z| < 2^bound − n·2^(f−1), here for up to 5 parties.
func inRange(bound int, f uint) func(ring.Ring, int) []operand {
	return func(k ring.Ring, n int) []operand {
		in := closed(bound, 1)(k, n)
		bound := in[0].bound
		limit := new(big.Int).Lsh(big.NewInt(1), uint(bound))
		limit.Sub(limit, new(big.Int).Lsh(big.NewInt(5), f-1))
		for i := range n {
			if x := in[0].v.Int(i); x.CmpAbs(limit) >= 0 {
				e := in[0].v.Slice(i, i+1)
				ring.AddPow(e, e, int(f)+2, x.Sign() > 0)
			}
		}
		return in
	}
}

// bitAnd is a closed vector of bits (1 is −1 in Z_2) and opened operands.
func bitAnd(seeds ...byte) func(ring.Ring, int) []operand {
	return func(k ring.Ring, n int) []operand {
		bits := ring.New(ring.Z(1), n)
		ring.NewPRG(ring.Seed{9}).Vec(bits, 0, 0)
		return append([]operand{{v: bits}}, opened(-3, seeds...)(k, n)...)
	}
}

// masking opens a bit.
func masking(p *Party, op *flow.Op, x mpc.Secret) mpc.Bit {
	p.Open(op, x)
	return x
}

func max0(x *big.Int) *big.Int {
	if x.Sign() < 0 {
		return new(big.Int)
	}
	return x
}

func larger(x, y *big.Int) *big.Int {
	if x.Cmp(y) < 0 {
		return y
	}
	return x
}

func shifted(x *big.Int, f uint) *big.Int { return new(big.Int).Rsh(x, f) }

func single(s mpc.Secret) []mpc.Secret { return []mpc.Secret{s} }

var operations = []operation{
	{
		name: "open",
		in:   closed(-2, 1),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			p.open(op, in[0].(*share))
			return in
		},
		want: func(x []*big.Int) *big.Int { return x[0] },
	},
	{
		name:  "less w=16",
		in:    opened(15, 1),
		build: negative,
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Neg(sign(x[0])) }, // 1 in Z_2
	},
	{
		name:  "less w=32",
		in:    opened(31, 1),
		build: negative,
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Neg(sign(x[0])) }, // 1 in Z_2
	},
	{
		name:  "less w=40",
		in:    opened(39, 1),
		build: negative,
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Neg(sign(x[0])) }, // 1 in Z_2
		rings: []int{64, 128},
	},
	{
		name:  "less w=64",
		in:    opened(63, 1),
		build: negative,
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Neg(sign(x[0])) }, // 1 in Z_2
		rings: []int{64, 128},
	},
	{
		name:  "less w=128",
		in:    opened(127, 1),
		build: negative,
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Neg(sign(x[0])) }, // 1 in Z_2
		rings: []int{128},
	},
	{
		name: "b2a",
		in:   bitAnd(),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.B2A(op, ring.Z(64), masking(p, op, in[0])))
		},
		want:  func(x []*big.Int) *big.Int { return sign(x[0]) },
		rings: []int{64},
	},
	{
		name: "mux",
		in:   bitAnd(2, 3),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Select(op, in[1].Ring(), masking(p, op, in[0]), in[1], in[2]))
		},
		want: func(x []*big.Int) *big.Int {
			if x[0].Sign() < 0 {
				return x[1]
			}
			return x[2]
		},
		rings: []int{64, 128},
	},
	{
		name:  "relu",
		in:    opened(-2, 1),
		build: relu,
		want:  func(x []*big.Int) *big.Int { return max0(x[0]) },
		rings: []int{64, 128},
	},
	{
		name:  "relu w=32",
		in:    opened(31, 1),
		build: relu,
		want:  func(x []*big.Int) *big.Int { return max0(x[0]) },
	},
	{
		name: "relu*y",
		in:   opened(-2, 1, 2),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			r := p.Relu(op, in[0].Ring(), in[0])
			return single(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, r, in[1], 0))
		},
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Mul(max0(x[0]), x[1]) },
		rings: []int{64, 128},
	},
	{
		name: "max",
		in:   opened(-3, 1, 2),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Max(op, in[0].Ring(), in...))
		},
		want:  func(x []*big.Int) *big.Int { return larger(x[0], x[1]) },
		rings: []int{64, 128},
	},
	{
		name: "max of closed",
		in:   closed(44, 1, 2),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Max(op, in[0].Ring(), in...))
		},
		want:  func(x []*big.Int) *big.Int { return larger(x[0], x[1]) },
		rings: []int{64},
	},
	{
		name: "maxpool 3x3",
		in:   opened(-2, 1, 2, 3, 4, 5, 6, 7, 8, 9),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Max(op, in[0].Ring(), in...))
		},
		want: func(x []*big.Int) *big.Int {
			m := x[0]
			for _, y := range x[1:] {
				m = larger(m, y)
			}
			return m
		},
		rings: []int{64},
	},
	{
		name:  "trunc shares f=18",
		in:    inRange(-2, 18),
		build: truncate(18),
		want:  func(x []*big.Int) *big.Int { return shifted(x[0], 18) }, within: additiveUnits,
		rings: []int{64, 128},
	},
	{
		name:  "trunc shares f=8",
		in:    inRange(-2, 8),
		build: truncate(8),
		want:  func(x []*big.Int) *big.Int { return shifted(x[0], 8) }, within: additiveUnits,
		rings: []int{32},
	},
	{
		name:  "trunc from Delta f=18",
		in:    opened(-2, 1),
		build: truncate(18),
		want:  func(x []*big.Int) *big.Int { return shifted(x[0], 18) }, within: additiveUnits,
		rings: []int{64, 128},
	},
	{
		name: "drop f=18",
		in:   inRange(-2, 18),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.TruncateReduce(op, in[0], 18))
		},
		want: func(x []*big.Int) *big.Int { return shifted(x[0], 18) }, within: additiveUnits,
		rings: []int{64, 128},
	},
	reluTrunc("relu+trunc+open c f=18", 18, 0, 64, 128),
	reluTrunc("relu+trunc+open c f=18 w=32", 18, 32, 64),
	reluTrunc("relu+trunc+open c f=8", 8, 0, 32),
	{
		name: "product of masked",
		in:   opened(31, 1, 2),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0))
		},
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
		rings: []int{64, 128},
	},
	{
		name: "product, one narrow",
		in: func(k ring.Ring, n int) []operand {
			return append(opened(12, 1)(k, n), closed(44, 2)(k, n)...)
		},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0))
		},
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[1]) },
		rings: []int{64, 128},
	},
	{
		name: "square of closed",
		in:   closed(24, 1),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[0], 0))
		},
		want:  func(x []*big.Int) *big.Int { return new(big.Int).Mul(x[0], x[0]) },
		rings: []int{64, 128},
	},
}

// negative opens the result, as what uses it does.
// equalZero is an equality of w bits with a public zero, opened.
func equalZero(w int, rings ...int) operation {
	return operation{
		name: fmt.Sprintf("eq w=%d sum", w),
		in:   opened(w-1, 1),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			zero := ring.ShapeOnly(in[0].Ring(), in[0].Len())
			if !op.Graph.DryRun() {
				zero = ring.New(in[0].Ring(), in[0].Len())
			}
			return single(masking(p, op, p.Equal(op, in[0], p.Public(op, zero, w-1))))
		},
		want: func(x []*big.Int) *big.Int {
			if x[0].Sign() == 0 {
				return big.NewInt(-1) // 1 in Z_2
			}
			return new(big.Int)
		},
		rings: rings,
	}
}

// everything are masked operands that use all of their ring.
func everything(seeds ...byte) func(ring.Ring, int) []operand {
	return func(k ring.Ring, n int) (out []operand) {
		for _, s := range seeds {
			v := extremes(k, k.Bits-1, n, s)
			out = append(out, operand{v: v, masked: true, bound: k.Bits})
		}
		return out
	}
}

// whole is an operation on the bits of operands, composed again.
func whole(
	name string,
	rings []int,
	build func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret,
	want func(x []*big.Int) *big.Int,
	seeds ...byte,
) operation {
	return operation{
		name: name, in: everything(seeds...), rings: rings, want: want,
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret { return single(build(p, op, in)) },
	}
}

// bit is 0 or −1, which is 1 in Z_2.
func truth(b bool) *big.Int {
	if b {
		return big.NewInt(-1)
	}
	return new(big.Int)
}

var wholeOperations = []operation{
	equalZero(16, 64), equalZero(32, 32, 64), equalZero(64, 64), equalZero(128, 128),
	whole("top", []int{8, 64}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.MSB(op, in[0])
	}, func(x []*big.Int) *big.Int { return truth(x[0].Sign() < 0) }, 1),
	whole("below", []int{8, 16, 32, 64, 128}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.LessFullRange(op, in[0], in[1], true)
	}, func(x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) < 0) }, 1, 2),
	whole("equal", []int{8, 32, 64}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.Equal(op, in[0], in[1])
	}, func(x []*big.Int) *big.Int { return truth(x[0].Cmp(x[1]) == 0) }, 1, 2),
	whole("bits", []int{8, 16, 32, 64, 128}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.BitDecompose(op, in[0])
	}, func(x []*big.Int) *big.Int { return truth(x[0].Bit(0) == 1) }, 1),
	whole("bits composed", []int{8, 16, 32, 64, 128}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.BitCompose(op, in[0].Ring(), p.BitDecompose(op, in[0]))
	}, func(x []*big.Int) *big.Int { return x[0] }, 1),
	whole("int and", []int{32, 64}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.BitCompose(op, in[0].Ring(), p.And(op, p.BitDecompose(op, in[0]), p.BitDecompose(op, in[1])))
	}, func(x []*big.Int) *big.Int { return new(big.Int).And(x[0], x[1]) }, 1, 2),
	whole("floor 5", []int{8, 32, 64}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.Floor(op, in[0].Ring(), in[0], 5, true)
	}, func(x []*big.Int) *big.Int { return shifted(x[0], 5) }, 1),
	whole("extend", []int{8, 32, 64}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.Extend(op, ring.Z(128), in[0], true)
	}, func(x []*big.Int) *big.Int { return x[0] }, 1),
}

func init() { operations = append(operations, wholeOperations...) }

func negative(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return single(masking(p, op, p.LessConst(op, in[0], 0)))
}

func relu(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
	return single(p.Relu(op, in[0].Ring(), in[0]))
}

func truncate(f int) func(*Party, *flow.Op, []mpc.Secret) []mpc.Secret {
	return func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret { return single(p.Truncate(op, in[0], f)) }
}

// reluTrunc is a ReLU of a product: dropped into the narrower ring, compared,
// selected, and opened for the next product.
func reluTrunc(name string, f uint, w int, rings ...int) operation {
	bound := -2
	if w > 0 {
		bound = w - 2 + int(f)
	}
	return operation{
		name: name,
		in:   inRange(bound, f),
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			y := p.Relu(op, in[0].Ring(), p.TruncateReduce(op, in[0], int(f)))
			p.open(op, y.(*share))
			return single(y)
		},
		want:   func(x []*big.Int) *big.Int { return max0(shifted(x[0], f)) },
		within: additiveUnits,
		rings:  rings,
	}
}

func sign(x *big.Int) *big.Int {
	if x.Sign() < 0 {
		return big.NewInt(1)
	}
	return new(big.Int)
}

// centred is x modulo 2^k in [−2^(k−1), 2^(k−1)).
func centred(x *big.Int, k int) *big.Int {
	m := new(big.Int).Lsh(big.NewInt(1), uint(k))
	x = new(big.Int).Mod(x, m)
	if x.Bit(k-1) == 1 {
		x.Sub(x, m)
	}
	return x
}

func TestOperations(t *testing.T) {
	t.Parallel()
	for _, o := range operations {
		rings := o.rings
		if rings == nil {
			rings = []int{32, 64, 128}
		}
		for _, k := range rings {
			for _, n := range []int{2, 3, 5} {
				t.Run(fmt.Sprintf("%s/n=%d/k=%d", o.name, n, k), func(t *testing.T) { o.check(t, n, ring.Z(k), 1000) })
			}
		}
	}
}

func (o operation) check(t *testing.T, parties int, k ring.Ring, elements int) outcome {
	return o.checkTrial(t, trial{n: parties, k: k, seed: byte(parties), in: o.in(k, elements), build: o.build}, elements)
}

func (o operation) checkTrial(t *testing.T, tr trial, elements int) outcome {
	in, parties := tr.in, tr.n
	res := tr.run(t)
	within := o.within
	if within == nil {
		within = exactly
	}
	lo, hi := within(parties)
	bad := 0
	for i := range elements {
		x := make([]*big.Int, len(in))
		for j := range in {
			x[j] = in[j].v.Int(i)
		}
		want := o.want(x)
		d := centred(new(big.Int).Sub(res.out[0].Int(i), want), res.out[0].Ring().Bits)
		if d.Cmp(big.NewInt(lo)) < 0 || d.Cmp(big.NewInt(hi)) > 0 {
			if bad++; bad < 5 {
				t.Errorf("element %d of %v: got %v, want %v within [%d, %d]", i, x, res.out[0].Int(i), want, lo, hi)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d elements are wrong", bad, elements)
	}
	return res
}
