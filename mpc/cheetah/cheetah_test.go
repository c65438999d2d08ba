package cheetah

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/conformance"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// TestCarry compares the carry of two parties' numbers with its definition in all widths: all pairs of narrow ones, and
// wide ones that differ from the complement by little.
func TestCarry(t *testing.T) {
	for _, w := range []int{1, 2, 3, 4, 5, 7, 8, 31, 64, 65, 127} {
		const n = 256
		r := ring.Z(w)
		a, b := ring.New(r, n), ring.New(r, n)
		ring.NewPRG(ring.Seed{byte(w)}).Vec(a, 1, 0)
		ring.NewPRG(ring.Seed{byte(w)}).Vec(b, 2, 0)
		for i := range n {
			x, y := a.Slice(i, i+1), b.Slice(i, i+1)
			switch {
			case w <= 4: // all pairs
				ring.Sub(x, x, x)
				ring.Sub(y, y, y)
				ring.AddInt(x, x, int64(i%16))
				ring.AddInt(y, y, int64(i/16))
			case i%2 == 0: // a + b is 2^w − 1 or less or more by one or two
				ring.Neg(y, x)
				ring.AddInt(y, y, int64(i/2%5-3))
			}
		}
		tr := &trial{build: func(p *Party, op *flow.Op, _ []mpc.Secret) []mpc.Secret {
			v := ring.ShapeOnly(r, n)
			if !op.Graph.DryRun() {
				v = []ring.Vec{a, b}[p.rank]
			}
			return []mpc.Secret{bitShare(op, n, p.carry(op, flow.Resolved(v), w, n))}
		}}
		got := tr.run(t).out[0]
		for i := range n {
			sum := new(big.Int).Add(unsigned(a, i), unsigned(b, i))
			if want := sum.BitLen() > w; want != (got.Int(i).Sign() != 0) {
				t.Fatalf("width %d: carry of %v and %v is not %v", w, unsigned(a, i), unsigned(b, i), want)
			}
		}
	}
}

func unsigned(v ring.Vec, i int) *big.Int {
	x := v.Int(i)
	if x.Sign() < 0 {
		x.Add(x, new(big.Int).Lsh(big.NewInt(1), uint(v.Ring().Bits)))
	}
	return x
}

// TestCosts has the bits for one element of docs/protocols/cheetah.md: those that both parties send online, the rounds,
// and the transfers.
func TestCosts(t *testing.T) {
	const n = 64
	random := func(k, bound int) operand {
		v := conformance.Extremes(ring.Z(k), bound, n, 3)
		return operand{v: v, bound: bound, owner: nobody}
	}
	bits := random(1, 1)
	bits.v = ring.New(ring.Z(1), n)
	for _, c := range []struct {
		name            string
		in              []operand
		build           func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret
		bits, transfers int64
		rounds          int
	}{
		{"less, 64 bits", []operand{random(64, 62), random(64, 62)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Less(op, in[0], in[1])
		}, 424, 156, 6},
		{"sign, 41 bits", []operand{random(64, 40)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.LessConst(op, in[0], 0)
		}, 262, 98, 6},
		{"equal, 64 bits", []operand{random(64, 62), random(64, 62)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Equal(op, in[0], in[1])
		}, 63 * 4, 63 * 2, 6},
		{"and", []operand{bits, bits}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.And(op, in...) }, 4, 2, 1},
		{"select, 64 bits", []operand{bits, random(64, 60), random(64, 60)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Select(op, ring.Z(64), in[0], in[1], in[2])
		}, 130, 2, 1},
		{"B2A, 64 bits", []operand{bits}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret { return p.B2A(op, ring.Z(64), in[0]) }, 64, 1, 1},
		{"extend, 46 to 64 bits", []operand{random(46, 42)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Extend(op, ring.Z(64), in[0], true)
		}, 19, 1, 1},
		{"truncate by 18 bits", []operand{random(64, 60)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Truncate(op, in[0], 18)
		}, 19, 1, 1},
		{"relu, 64 bits", []operand{random(64, 44)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Relu(op, ring.Z(64), in[0])
		}, 290 + 130, 110, 7},
		{"relu of a truncation, 41 bits", []operand{random(59, 56)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Relu(op, ring.Z(64), p.TruncateReduce(op, in[0], 18))
		}, 364, 99, 8},
		{"relu of a truncation, 32 bits", []operand{random(50, 47)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Relu(op, ring.Z(64), p.TruncateReduce(op, in[0], 18))
		}, 293, 76, 7},
		{"product, 64 bits", []operand{random(64, 62), random(64, 62)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.Product(op, ring.Z(64), maps.Elementwise{N: n}, in[0], in[1], 0)
		}, 2 * (64 + 64*65/2), 128, 1},
		{"bits, 64", []operand{random(64, 62)}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.BitDecompose(op, in[0])
		}, 63*2 + 186*6, 63 + 186*2, 7},
		{"compose, 64", []operand{{v: ring.New(ring.Z(1), 64*n), bound: 1, owner: nobody}}, func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
			return p.BitCompose(op, ring.Z(64), in[0])
		}, 63 + 63*64/2, 63, 1},
	} {
		rec := (&trial{in: c.in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			out := c.build(p, op, in)
			of(out).mine() // in its whole ring
			return []mpc.Secret{out}
		}}).run(t)
		sent, made := rec.online[0]+rec.online[1], rec.offline
		if sent != c.bits*n/8 || rec.rounds != c.rounds || made != c.transfers*n*15/8 {
			t.Errorf("%s: %v bits, %d rounds, %v transfers; want %d, %d, %d", c.name, float64(sent)*8/n, rec.rounds, float64(made)*8/15/n, c.bits, c.rounds, c.transfers)
		}
	}
}

// TestConvolutions compares contractions of secrets, and of what one party knows, with their definition: strides,
// padding, dilation, groups.
func TestConvolutions(t *testing.T) {
	r := ring.Z(32)
	for i, b := range []maps.Bilinear{
		maps.Conv{Conv: ring.Conv{Batch: 2, InChannels: 2, OutChannels: 3, Groups: 1, In: []int{4, 5}, Kernel: []int{2, 3}, Out: []int{4, 3},
			Stride: []int{1, 2}, PadLow: []int{1, 1}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1}}},
		maps.Conv{Conv: ring.Conv{Batch: 1, InChannels: 4, OutChannels: 6, Groups: 2, In: []int{6}, Kernel: []int{3}, Out: []int{4},
			Stride: []int{2}, PadLow: []int{2}, InDilate: []int{2}, KernelDilate: []int{2}}},
		maps.MatMul{Batch: 2, M: 3, K: 4, N: 5}, maps.MatMul{Batch: 1, M: 1, K: 7, N: 2}, maps.MatMul{Batch: 1, M: 6, K: 2, N: 1},
	} {
		left, right := b.In()
		x, y := conformance.Extremes(r, 30, left, 1), conformance.Extremes(r, 30, right, 2)
		want := ring.New(r, b.Out())
		b.Apply(want, x, y)
		small := conformance.Extremes(r, 9, right, 4)
		wantSmall := ring.New(r, b.Out())
		b.Apply(wantSmall, x, small)
		for _, owners := range [][2]int{{-1, -1}, {0, 1}, {1, 0}, {-1, 0}, {1, -1}, {0, 0}} {
			for _, y := range []operand{{y, 30, owners[1]}, {small, 9, owners[1]}} {
				rec := (&trial{in: []operand{{x, 30, owners[0]}, y}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
					return []mpc.Secret{p.Product(op, r, b, in[0], in[1], 0)}
				}}).run(t)
				want := want
				if y.bound == 9 {
					want = wantSmall
				}
				for j := range want.Len() {
					if rec.out[0].Int(j).Cmp(want.Int(j)) != 0 {
						t.Fatalf("product %d, owners %v: element %d is %v, want %v", i, owners, j, rec.out[0].Int(j), want.Int(j))
					}
				}
			}
		}
	}
}

// TestTruncateIsUnbiased checks that the error of Truncate is below one unit and has mean zero.
func TestTruncateIsUnbiased(t *testing.T) {
	const n, by = 1 << 13, 10
	r := ring.Z(64)
	for _, x := range []int64{0, 1, -1, 300, -12345678901, 1<<by - 1} {
		v := ring.New(r, n)
		ring.AddInt(v, v, x)
		rec := (&trial{in: []operand{{v, 60, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Truncate(op, in[0], by)}
		}}).run(t)
		sum := 0.0
		for i := range n {
			off := float64(rec.out[0].Int(i).Int64()) - float64(x)/(1<<by)
			if off <= -1 || off >= 1 {
				t.Fatalf("%d becomes %v", x, rec.out[0].Int(i))
			}
			sum += off
		}
		if mean := sum / n; mean < -0.03 || mean > 0.03 {
			t.Errorf("%d: the mean error is %v", x, mean)
		}
	}
}

// TestWhoTalks holds all messages to the list in the package's doc.
func TestWhoTalks(t *testing.T) {
	r := ring.Z(64)
	v := conformance.Extremes(r, 40, 8, 1)
	for _, owners := range [][2]int{{0, 1}, {2, 0}, {3, 2}} {
		rec := (&trial{
			in: []operand{{v, 40, owners[0]}, {v, 40, owners[1]}}, parties: 4, to: []int{1, 3},
			build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				x := p.Product(op, r, maps.Elementwise{N: 8}, in[0], in[1], 0)
				return []mpc.Secret{p.Relu(op, r, p.RevealToComputing(op, x)), p.Less(op, in[0], x)}
			},
		}).run(t)
		count := map[string]int{}
		for _, m := range rec.messages {
			ok := false
			switch m.key.Phase.String() {
			case "offline", "online":
				ok = m.from < 2 && m.to == 1-m.from
			case "input":
				ok = m.from >= 2 && m.to == 1 && (m.from == owners[0] || m.from == owners[1])
			case "output":
				ok = m.from < 2 && (m.to == 1 || m.to == 3)
			}
			if !ok {
				t.Errorf("owners %v: party %d sends %d bytes to party %d (%v)", owners, m.from, len(m.data), m.to, m.key)
			}
			count[m.key.Phase.String()]++
		}
		if count["offline"] == 0 || count["online"] == 0 || count["output"] != 6 || (count["input"] > 0) != (max(owners[0], owners[1]) > 1) {
			t.Errorf("owners %v: %v messages", owners, count)
		}
	}
}

// TestSizesDependOnNothing runs operations on several inputs: the messages' keys and sizes are the same.
func TestSizesDependOnNothing(t *testing.T) {
	r := ring.Z(64)
	var want string
	for seed := range byte(3) {
		v := conformance.Extremes(r, 40, 16, seed+1)
		rec := (&trial{seed: seed, in: []operand{{v, 40, nobody}, {v, 40, 1}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			x := p.Product(op, r, maps.MatMul{Batch: 1, M: 4, K: 4, N: 4}, in[0], in[1], 0)
			return []mpc.Secret{p.Relu(op, r, p.Truncate(op, x, 18)), p.Max(op, r, in[0], in[1]), p.BitDecompose(op, x)}
		}}).run(t)
		got := ""
		for _, m := range rec.messages {
			got += fmt.Sprintf("%d→%d %v %d\n", m.from, m.to, m.key, len(m.data))
		}
		if want == "" {
			want = got
		} else if got != want {
			t.Fatalf("other inputs, other messages:\n%s\nand\n%s", got, want)
		}
	}
}

// TestExtendWithin: numbers that are known to be below a quarter of the ring's size are extended by one product, up to the ends of
// that range, and so are maxima of numbers whose bound says as much. Others may use the whole ring.
func TestExtendWithin(t *testing.T) {
	const k, n = 46, 64
	r, wide := ring.Z(k), ring.Z(64)
	most := int64(1)<<(k-2) - 1
	for _, c := range []struct {
		name   string
		ends   []int64
		rounds int
		build  func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret
		want   func(x int64) int64
	}{
		{"known", []int64{-most, most, 0, -1}, 1, func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
			p.Bounded(x, k-2)
			return p.Extend(op, wide, x, true)
		}, func(x int64) int64 { return x }},
		{"whole ring", []int64{-most - 1, most + 1, -2 * most, 2 * most}, 7, func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.Extend(op, wide, x, true)
		}, func(x int64) int64 { return x }},
		{"relu", []int64{-most, most, 0, -1}, 8, func(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
			return p.Relu(op, wide, x)
		}, func(x int64) int64 { return max(x, 0) }},
	} {
		v := ring.New(r, n)
		for i := range n {
			ring.AddInt(v.Slice(i, i+1), v.Slice(i, i+1), c.ends[i%len(c.ends)])
		}
		rec := (&trial{in: []operand{{v, k - 2, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			out := c.build(p, op, in[0])
			of(out).mine() // in its whole ring
			return []mpc.Secret{out}
		}}).run(t)
		if int(rec.rounds) != c.rounds {
			t.Errorf("%s: %d rounds, want %d", c.name, rec.rounds, c.rounds)
		}
		for i := range n {
			if got, want := rec.out[0].Int(i).Int64(), c.want(c.ends[i%len(c.ends)]); got != want {
				t.Errorf("%s: %d is %d", c.name, c.ends[i%len(c.ends)], got)
			}
		}
	}
}

// TestLiftedLate multiplies numbers at the ends of their bounds in the ring that holds the products: these are revealed, truncated and
// compared there without a message that lifts them, and are right where they are lifted after all.
func TestLiftedLate(t *testing.T) {
	const n, a, b = 16, 14, 12
	wide := ring.Z(64)
	x, y := ring.New(wide, n), ring.New(wide, n)
	for i := range n {
		for j, v := range []ring.Vec{x, y} {
			most := int64(1)<<[]int{a, b}[j] - 1
			ring.AddInt(v.Slice(i, i+1), v.Slice(i, i+1), []int64{most, -most, 0, 1}[i/(1+3*j)%4])
		}
	}
	product := func(p *Party, op *flow.Op, in []mpc.Secret) mpc.Secret {
		return p.Product(op, wide, maps.Elementwise{N: n}, in[0], in[1], 0)
	}
	for _, c := range []struct {
		name   string
		rounds int
		build  func(p *Party, op *flow.Op, z mpc.Secret, in []mpc.Secret) mpc.Secret
		right  func(got, z, x int64) bool
	}{
		{"product", 1, func(_ *Party, _ *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret { return z },
			func(got, z, _ int64) bool { return got == z }},
		{"truncated", 1, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret { return p.Truncate(op, z, a-1) },
			func(got, z, _ int64) bool { return max(got<<(a-1)-z, z-got<<(a-1)) < 1<<(a-1) }},
		{"truncated by more", 3, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret { return p.Truncate(op, z, a) },
			func(got, z, _ int64) bool { return max(got<<a-z, z-got<<a) < 1<<a }},
		{"reduced and added", 2, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret {
			z = p.TruncateReduce(op, z, 4)
			return p.Linear(op, maps.Combine{N: n, Coef: []int64{3}}, z)
		}, func(got, z, _ int64) bool { return max(got<<4-3*z, 3*z-got<<4) < 3<<4 }},
		{"negated", 1, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret {
			return p.Linear(op, maps.Combine{N: n, Coef: []int64{-1}}, z)
		}, func(got, z, _ int64) bool { return got == -z }},
		{"sum", 2, func(p *Party, op *flow.Op, z mpc.Secret, in []mpc.Secret) mpc.Secret {
			return p.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, z, in[0])
		}, func(got, z, x int64) bool { return got == z+x }},
		{"square", 3, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret {
			return p.Product(op, wide, maps.Elementwise{N: n}, z, z, 0)
		}, func(got, z, _ int64) bool { return got == z*z }},
		{"shown", 2, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret {
			return p.RevealToComputing(op, z)
		},
			func(got, z, _ int64) bool { return got == z }},
		{"maximum", 7, func(p *Party, op *flow.Op, z mpc.Secret, _ []mpc.Secret) mpc.Secret {
			return p.Max(op, wide, z, p.Linear(op, maps.Combine{N: n, Coef: []int64{-1}}, z))
		}, func(got, z, _ int64) bool { return got == max(z, -z) }},
	} {
		rec := (&trial{in: []operand{{x, a, nobody}, {y, b, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{c.build(p, op, product(p, op, in), in)}
		}}).run(t)
		if rec.rounds != c.rounds {
			t.Errorf("%s: %d rounds, want %d", c.name, rec.rounds, c.rounds)
		}
		for i := range n {
			u, v := x.Int(i).Int64(), y.Int(i).Int64()
			if got := rec.out[0].Int(i).Int64(); !c.right(got, u*v, u) {
				t.Errorf("%s: %d for the product %d", c.name, got, u*v)
			}
		}
	}
}

// TestStringsInPieces checks strings for bits of more transfers than are made at a time, of parts that begin at a word of bits and
// elsewhere.
func TestStringsInPieces(t *testing.T) {
	const n = 17*stringsAtATime + 77
	zero := func(i int) uint64 { return uint64(i+1) * 0x9e3779b97f4a7c15 }
	one := func(i int) uint64 { return uint64(i+1) * 0xc2b2ae3d27d4eb4f }
	words := func(lo, hi, first, each int) (a, b []uint64) {
		if first != 0 || each != 1 {
			t.Errorf("words %d to %d of strings are not bits", first, first+each)
		}
		a, b = ring.New(ring.Z(64), hi-lo).Words(), ring.New(ring.Z(64), hi-lo).Words()
		for i := range a {
			a[i], b[i] = zero(lo+i), one(lo+i)
		}
		return a, b
	}
	for _, lo := range []int{64 * 3, 5} {
		c := crossing{n: n, parts: []part{{0, n, ring.Z(1)}, {lo, n - lo - 1, ring.Z(1)}, {lo, 2 * stringsAtATime, ring.Z(1)}}}
		ones := make([]numbers, len(c.parts))
		zeros := c.strings(words, ones)
		for j, q := range c.parts {
			for i := range q.n {
				a, b := zeros[j].bits.Get(i), ones[j].bits.Get(i)
				if a != zero(q.lo+i)>>j&1 || b != one(q.lo+i)>>j&1 {
					t.Fatalf("part %d from %d: bits of transfer %d are %d and %d", j, q.lo, q.lo+i, a, b)
				}
			}
		}
	}
}
