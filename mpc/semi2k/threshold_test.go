package semi2k

import (
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

func minus(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
	return p.Linear(op, maps.Combine{N: x.Len(), Coef: []int64{-1}}, x)
}

// again are questions about x and y once max(x, 0) or max(x, y) is known, with
// the bits an element and the rounds that the answer may take.
var again = []struct {
	name  string
	first func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret
	then  func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret
	want  func(x, y int64) bool
	bits  int64
	more  int // rounds
}{
	{"x < 1 after relu", reluOf, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.LessConst(op, in[0], 1) },
		func(x, _ int64) bool { return x < 1 }, 0, 0},
	{"x < 0 after relu", reluOf, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.LessConst(op, in[0], 0) },
		func(x, _ int64) bool { return x < 0 }, 7, 0},
	{"-x < 0 after relu", reluOf, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.LessConst(op, minus(p, op, in[0]), 0)
	},
		func(x, _ int64) bool { return -x < 0 }, 0, 0},
	{"relu after x < 0", func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.LessConst(op, in[0], 0) },
		func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.LessConst(op, p.Relu(op, in[0].Ring(), in[0]), 1)
		}, func(x, _ int64) bool { return x <= 0 }, 64 + 32, 4},
	{"x < 5 after x < 5", func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.LessConst(op, in[0], 5) },
		func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.LessConst(op, in[0], 5) },
		func(x, _ int64) bool { return x < 5 }, 0, 0},
	{"y < x after max", maxOfBoth, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.Less(op, in[1], in[0]) },
		func(x, y int64) bool { return y < x }, 0, 0},
	{"x < y after max", maxOfBoth, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.Less(op, in[0], in[1]) },
		func(x, y int64) bool { return x < y }, 7, 0},
	{"-x < -y after max", maxOfBoth, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.Less(op, minus(p, op, in[0]), minus(p, op, in[1]))
	}, func(x, y int64) bool { return y < x }, 0, 0},
}

func reluOf(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
	return p.Relu(op, in[0].Ring(), in[0])
}

func maxOfBoth(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
	return p.Max(op, in[0].Ring(), in[0], in[1])
}

// What is compared once is not compared again, whoever asks and whichever way
// round, of masked operands and of closed ones; and the answers are right.
func TestComparedOnce(t *testing.T) {
	const n = 64
	x, y := ring.New(ring.Z(64), n), ring.New(ring.Z(64), n)
	for i := range n {
		x.Words()[i], y.Words()[i] = uint64(i%8-3), uint64(i/8-3)
	}
	for _, c := range again {
		for _, form := range []struct {
			name   string
			masked bool
			bound  int
		}{{"masked", true, 62}, {"closed", false, 62}, {"closed and narrow", false, 20}} {
			t.Run(c.name+"/"+form.name, func(t *testing.T) {
				in := []operand{{v: x, bound: form.bound, masked: form.masked}, {v: y, bound: form.bound, masked: form.masked}}
				run := func(then bool) outcome {
					return trial{n: 3, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
						out := []mpc.Secret{c.first(p, op, in)}
						p.Open(op, out[0])
						if then {
							out = append(out, p.B2A(op, ring.Z(64), c.then(p, op, in)))
						}
						return out
					}}.run(t)
				}
				once, twice := run(false), run(true)
				for i := range n {
					want := int64(0)
					if c.want(int64(x.Words()[i]), int64(y.Words()[i])) {
						want = 1
					}
					if got := twice.out[1].Int(i); got.Cmp(big.NewInt(want)) != 0 {
						t.Errorf("for %d and %d: %v", int64(x.Words()[i]), int64(y.Words()[i]), got)
					}
				}
				// A bit that is answered by an equality is opened itself.
				limit := c.bits
				if limit > 0 {
					limit++
				}
				if more := (twice.online - once.online) * 8 / n; more > limit || twice.rounds > once.rounds+c.more {
					t.Errorf("%d bits an element and %d rounds more", more, twice.rounds-once.rounds)
				}
			})
		}
	}
}

// A value that loops compare with others in turn keeps few of their
// differences.
func TestFewGapsAreKept(t *testing.T) {
	in := []operand{constantOperand(ring.Z(64), 5, 8, 40, true)}
	trial{n: 2, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		for i := range 20 {
			p.Less(op, in[0], p.AddPublic(op, in[0], copies(ring.Z(64), big.NewInt(int64(i)), 8), 10))
		}
		if n := len(in[0].(*share).differences); n > maxDifferences {
			t.Errorf("%d differences are kept", n)
		}
		return in
	}}.run(t)
}
