package cheetah

import (
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/derived"
	"github.com/tacet-mpc/tacet/mpc/fourier"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// points are n numbers of [lo, hi] with so many fraction bits, both ends among them.
func points(r ring.Ring, n, fraction int, lo, hi float64) (ring.Vec, []float64) {
	ints, xs := make([]*big.Int, n), make([]float64, n)
	for i := range ints {
		v := math.RoundToEven(math.Ldexp(lo+(hi-lo)*float64(i)/float64(n-1), fraction))
		ints[i], xs[i] = big.NewInt(int64(v)), math.Ldexp(v, -fraction)
	}
	v := ring.New(r, n)
	ring.Low(v, ring.FromBig(r, ints))
	return v, xs
}

// TestSlotFunctions runs functions of slots against float64: their errors, in units of the last place, and their bytes, the key
// apart. 8191 elements fill a ciphertext but for one slot, 8300 take two blocks, and two messages.
func TestSlotFunctions(t *testing.T) {
	r := ring.Z(64)
	f := mpc.Fixed{In: 18, Out: 18}
	window := func(name string, f mpc.Fixed) func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
		return func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.EvalTableWithTails(op, x, f, name, false)
		}
	}
	// finer is a function of arguments with 26 fraction bits.
	finer := func(name string) func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
		return func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.EvalTableWithTails(op, p.Linear(op, maps.Shift{N: x.Len(), By: 8}, x), mpc.Fixed{In: 26, Out: 18}, name, false)
		}
	}
	exp := func(e mpc.ExpOf) func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
		return func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret { return p.Exp(op, x, e) }
	}
	for _, c := range []struct {
		name   string
		n      int
		lo, hi float64
		units  float64 // largest error, in units or in 2^-18 of the result
		bytes  int     // online, for an element
		build  func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret
		want   func(x float64) float64
	}{
		{"exp", 8191, -13, 29, 2, 125, exp(mpc.ExpOf{Fixed: f}), math.Exp},
		{"exp, clamped", 8300, -3000, 29, 2, 260, exp(mpc.ExpOf{Fixed: f, Lower: true, Upper: true}), math.Exp},
		{"exp, at the end", 500, 30, 30.491, 2, 4000, exp(mpc.ExpOf{Fixed: f, Lower: true, Upper: true}), math.Exp},
		{"exp, above", 500, 31, 3000, 5000, 4000, exp(mpc.ExpOf{Fixed: f, Lower: true, Upper: true}), func(float64) float64 {
			return math.Exp2(43.99)
		}},
		{"exp in a ring of 46 bits", 500, -3000, 9, 2, 4000, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.Exp(op, p.Narrow(op, ring.Z(46), x), mpc.ExpOf{Fixed: mpc.Fixed{In: 18, Out: 18, Ring: ring.Z(32)}, Lower: true})
		}, math.Exp},
		{"exp2, few", 50, -14, 40, 3, 15100, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
			x = p.Truncate(op, p.Linear(op, maps.Shift{N: x.Len(), By: 4}, x), 4) // a round before
			return p.Exp(op, x, mpc.ExpOf{Fixed: f, Two: true})
		}, math.Exp2},
		{"gelu", 8191, -30, 30, 2, 345, window("gelu", f), fourier.Formula("gelu")},
		{"gelu of 10 bits", 300, -0.1, 0.1, 3, 1000, window("gelu", mpc.Fixed{In: 10, Out: 18}), func(x float64) float64 {
			return fourier.Formula("gelu")(256 * x)
		}},
		{"tanh", 400, -30, 30, 3, 1200, window("tanh", f), math.Tanh},
		{"tanh, few", 30, -30, 30, 3, 9500, window("tanh", f), math.Tanh},
		{"softplus", 400, -30, 30, 3, 800, finer("softplus"), fourier.Formula("softplus")},
		{"sigmoid/8", 300, -8, 8, 4, 2000, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.EvalTable(op, x, f, "sigmoid/8")
		}, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
	} {
		if c.n > 8192 {
			defer func(most int) { mostBlocks = most }(mostBlocks)
			mostBlocks = 1 // a message for each block
		}
		v, xs := points(r, c.n, 18, c.lo, c.hi)
		rec := (&trial{in: []operand{{v, 32, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{c.build(derived.Complete(p), op, in[0])}
		}}).run(t)
		worst := 0.0
		for i, x := range xs {
			got, _ := new(big.Float).SetInt(rec.out[0].Int(i)).Float64()
			want := math.Ldexp(c.want(x), 18)
			if off := math.Abs(got-want) / max(1, math.Ldexp(math.Abs(want), -18)); off > worst {
				worst = off
			}
		}
		each := int(rec.online[0]+rec.online[1]) / c.n
		t.Logf("%s: %.2f units, %d bytes, %d rounds", c.name, worst, each, rec.rounds)
		if worst > c.units || each > c.bytes || rec.rounds == 0 {
			t.Errorf("%s: an error of %.2f units and %d bytes, want at most %v and %d", c.name, worst, each, c.units, c.bytes)
		}
	}
}

// TestSlotsOfSmallRings: primes of slots have a least size, also for a product in a ring of a few bits.
func TestSlotsOfSmallRings(t *testing.T) {
	const k, n, slack = 12, 8192, 6
	r := ring.Z(k)
	x, y, want := ring.New(r, n), ring.New(r, n), ring.New(r, n)
	ring.NewPRG(ring.Seed{5}).Vec(x, 1, 0)
	ring.NewPRG(ring.Seed{5}).Vec(y, 2, 0)
	maps.Elementwise{N: n}.Apply(want, x, y)
	rec := (&trial{in: []operand{{x, k - 2, nobody}, {y, k - 2, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		s := widest(2*k-slack, n, 2)
		if s == nil || s.size < he.LeastPrime {
			t.Errorf("the slots are %+v", s)
		}
		return []mpc.Secret{p.Product(op, r, maps.Elementwise{N: n}, in[0], in[1], slack)}
	}}).run(t)
	ring.Sub(rec.out[0], rec.out[0], want)
	for i := range n {
		if off := rec.out[0].Int(i); off.BitLen() > slack {
			t.Fatalf("element %d is off by %v", i, off)
		}
	}
	if _, ok := he.SlotSizes(he.LeastPrime-1, 2); ok {
		t.Error("there are parameters for primes that are too small")
	}
}

// TestSquares compares squares by slots and by transfers with the square, up to the ends of the ring, and their bytes with those
// of a product.
func TestSquares(t *testing.T) {
	for _, c := range []struct{ k, n, slack int }{{64, 8192, 12}, {101, 8192, 9}, {64, 40, 12}, {64, 40, 0}, {4, 40, 0}, {128, 40, 0}} {
		r := ring.Z(c.k)
		x := conformance.Extremes(r, c.k-2, c.n, 5)
		ring.NewPRG(ring.Seed{6}).Vec(x.Slice(c.n/2, c.n), 1, 0)
		want := ring.New(r, c.n)
		maps.Elementwise{N: c.n}.Apply(want, x, x)
		var sent [2]int64
		for i := range sent { // the product of two, then the square
			in := []operand{{x, c.k - 2, nobody}, {x, c.k - 2, nobody}}
			rec := (&trial{in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				return []mpc.Secret{p.Product(op, r, maps.Elementwise{N: c.n}, in[0], in[1-i], c.slack)}
			}}).run(t)
			sent[i] = rec.online[0] + rec.online[1]
			ring.Sub(rec.out[0], rec.out[0], want)
			for j := range c.n {
				if off := new(big.Int).Abs(rec.out[0].Int(j)); off.BitLen() > c.slack {
					t.Fatalf("%d bits, element %d: an error of %v", c.k, j, off)
				}
			}
		}
		t.Logf("%d bits, %d elements: %.1f bytes for a product, %.1f for a square", c.k, c.n, float64(sent[0])/float64(c.n), float64(sent[1])/float64(c.n))
		if sent[1] > sent[0]*65/100 {
			t.Errorf("%d bits: a square sends %d bytes, a product %d", c.k, sent[1], sent[0])
		}
	}
}

// TestSlotProducts compares products of slots, of secrets and of what one party knows, with the product: they are right
// but for slack bits.
func TestSlotProducts(t *testing.T) {
	const n, slack = 8192, 12
	for _, k := range []int{64, 82} {
		r := ring.Z(k)
		x, y := ring.New(r, n), ring.New(r, n)
		ring.NewPRG(ring.Seed{4}).Vec(x, 1, 0)
		ring.NewPRG(ring.Seed{4}).Vec(y, 2, 0)
		ring.AddInt(x.Slice(0, 1), ring.New(r, 1), -1)
		ring.AddInt(y.Slice(0, 1), ring.New(r, 1), -1)
		want := ring.New(r, n)
		maps.Elementwise{N: n}.Apply(want, x, y)
		for _, owners := range [][2]int{{-1, -1}, {0, 1}, {1, 0}, {-1, 0}, {1, -1}} {
			in := []operand{{x, k - 2, owners[0]}, {y, k - 2, owners[1]}}
			rec := (&trial{in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				return []mpc.Secret{p.Product(op, r, maps.Elementwise{N: n}, in[0], in[1], slack)}
			}}).run(t)
			ring.Sub(rec.out[0], rec.out[0], want)
			worst := new(big.Int)
			for i := range n {
				if off := new(big.Int).Abs(rec.out[0].Int(i)); off.Cmp(worst) > 0 {
					worst = off
				}
			}
			each := float64(rec.online[0]+rec.online[1]) / n
			t.Logf("%d bits, owners %v: error %v, %.1f bytes", k, owners, worst, each)
			if most := map[int]float64{64: 125, 82: 175}[k]; worst.BitLen() > slack || each > most {
				t.Errorf("%d bits, owners %v: an error of %v and %.1f bytes for an element", k, owners, worst, each)
			}
		}
	}
}
