package derived_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/derived"
	"github.com/tacet-mpc/tacet/mpc/plain"
	"github.com/tacet-mpc/tacet/ring"
)

// coreOnly hides all of a protocol but its core.
type coreOnly struct{ mpc.Core }

// clear computes in cleartext and returns the results.
func clear(t *testing.T, p mpc.Protocol, build func(p mpc.Protocol, op *flow.Op) []mpc.Secret) []ring.Vec {
	t.Helper()
	ends := link.Memory(1)
	defer ends[0].Close()
	g := flow.New(t.Context(), link.Online, ends[0], &flow.Account{})
	secrets := build(p, g.Op(1, &flow.Cost{}, "test"))
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	var out []ring.Vec
	for _, s := range secrets {
		out = append(out, s.(mpc.Clear).Clear().Get())
	}
	return out
}

// compare runs a computation by defaults and by package plain's own operations; results
// are at most units apart, plus relative of the value.
func compare(t *testing.T, units, relative float64, build func(p mpc.Protocol, op *flow.Op) []mpc.Secret) {
	t.Helper()
	got := clear(t, derived.Complete(coreOnly{plain.Party{}}), build)
	want := clear(t, plain.Party{}, build)
	for i := range want {
		if got[i].Ring() != want[i].Ring() || got[i].Len() != want[i].Len() {
			t.Fatalf("result %d is %d of %v, want %d of %v", i, got[i].Len(), got[i].Ring(), want[i].Len(), want[i].Ring())
		}
		for j := range want[i].Len() {
			a, b := got[i].Int(j), want[i].Int(j)
			diff, _ := new(big.Float).SetInt(new(big.Int).Sub(a, b)).Float64()
			size, _ := new(big.Float).SetInt(b).Float64()
			if math.Abs(diff) > units+relative*math.Abs(size) {
				t.Errorf("result %d at %d: %v, want %v", i, j, a, b)
				return
			}
		}
	}
}

// reals are n numbers in [lo, hi], the ends first.
func reals(r ring.Ring, n, fraction int, lo, hi float64) ring.Vec {
	rnd := rand.New(rand.NewPCG(1, 2))
	ints := make([]*big.Int, n)
	for i := range ints {
		x := lo + (hi-lo)*rnd.Float64()
		switch {
		case i < 2:
			x = []float64{lo, hi}[i]
		case i%2 == 0 && lo > 0: // all magnitudes
			x = lo * math.Pow(hi/lo, rnd.Float64())
		}
		ints[i], _ = big.NewFloat(math.RoundToEven(math.Ldexp(x, fraction))).Int(nil)
	}
	return ring.FromBig(r, ints)
}

// whole are n numbers of the whole ring, its ends among them.
func whole(r ring.Ring, n int, seed byte) ring.Vec {
	v := ring.New(r, n)
	ring.NewPRG(ring.Seed{seed}).Vec(v, 1, 0)
	ends := ring.New(r, 6)
	for i, c := range []int64{0, 1, -1, 2} {
		e := ends.Slice(i, i+1)
		ring.AddInt(e, e, c)
	}
	ring.AddPow(ends.Slice(4, 5), ends.Slice(4, 5), r.Bits-1, false)
	ring.AddPow(ends.Slice(5, 6), ends.Slice(5, 6), r.Bits-1, false)
	ring.AddInt(ends.Slice(5, 6), ends.Slice(5, 6), -1)
	for i := range min(36, n) {
		ring.Low(v.Slice(i, i+1), ends.Slice(int(i+int(seed)*(i/6))%6, int(i+int(seed)*(i/6))%6+1))
	}
	return v
}

// bounded are numbers of magnitudes below 2^(k−2).
func bounded(r ring.Ring, n int, seed byte) ring.Vec {
	v := whole(r, n, seed)
	ring.Arsh(v, v, 2)
	return v
}

func TestGates(t *testing.T) {
	const n = 100
	for _, k := range []int{8, 16, 32, 64, 128} {
		r := ring.Z(k)
		in := func(p mpc.Protocol, op *flow.Op, v ring.Vec) mpc.Secret {
			return p.Input(op, 0, v.Ring(), v.Len(), v.Ring().Bits-2, v.Clone)
		}
		bits := whole(ring.Z(1), n, 5)
		for name, build := range map[string]func(p mpc.Protocol, op *flow.Op, x, y, a, b mpc.Secret, c mpc.Bit) []mpc.Secret{
			"less": func(p mpc.Protocol, op *flow.Op, x, y, a, b mpc.Secret, c mpc.Bit) []mpc.Secret {
				return []mpc.Secret{p.Less(op, a, b), p.LessConst(op, a, 5), p.LessConst(op, a, -1), p.MSB(op, x), p.LessFullRange(op, x, y, true),
					p.LessFullRange(op, x, y, false), p.Equal(op, x, y), p.Equal(op, a, a)}
			},
			"select": func(p mpc.Protocol, op *flow.Op, x, y, a, b mpc.Secret, c mpc.Bit) []mpc.Secret {
				first, second := p.Swap(op, c, []mpc.Secret{a, c}, []mpc.Secret{b, p.MSB(op, a)})
				wide := ring.Z(k + 10)
				return append(append(first, second...), p.Select(op, r, c, a, b), p.Select(op, wide, c, a, b),
					p.And(op, c, p.MSB(op, a), p.MSB(op, b)), p.B2A(op, r, c),
					p.Relu(op, r, a), p.Relu(op, wide, a), p.Max(op, r, a, b, p.Public(op, bounded(r, n, 9), k-2)), p.Max(op, wide, a, b))
			},
			"bits": func(p mpc.Protocol, op *flow.Op, x, y, a, b mpc.Secret, c mpc.Bit) []mpc.Secret {
				d := p.BitDecompose(op, x)
				return []mpc.Secret{d, p.BitCompose(op, r, d), p.Floor(op, r, x, 3, true), p.Floor(op, r, x, 3, false),
					p.Floor(op, ring.Z(k/2), x, 3, false), p.Floor(op, ring.Z(k-1), x, 5, true),
					p.FloorReal(op, a, 4, true), p.FloorReal(op, a, 4, false)}
			},
			"add": func(p mpc.Protocol, op *flow.Op, x, y, a, b mpc.Secret, c mpc.Bit) []mpc.Secret {
				v := bounded(r, n, 7)
				ring.Arsh(v, v, 2)
				return []mpc.Secret{p.AddPublic(op, a, v, k-4), p.AddLocal(op, a, 0, v.Clone), p.TruncateReduce(op, a, 3), p.Unopened(op, a)}
			},
		} {
			if name == "select" && k < 16 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", name, k), func(t *testing.T) {
				compare(t, 0, 0, func(p mpc.Protocol, op *flow.Op) []mpc.Secret {
					return build(
						p,
						op,
						in(p, op, whole(r, n, 1)),
						in(p, op, whole(r, n, 2)),
						in(p, op, bounded(r, n, 3)),
						in(p, op, bounded(r, n, 4)),
						in(p, op, bits),
					)
				})
			})
		}
	}
}

func TestIndex(t *testing.T) {
	r := ring.Z(32)
	table := mpc.Table{Groups: 2, Cells: 5, Columns: 3, Offsets: []int{0, 1, -2}}
	index := ring.FromInts(ring.Z(16), []int64{2, 3, 0, 4, 1, 2, 3, 3})
	compare(t, 0, 0, func(p mpc.Protocol, op *flow.Op) []mpc.Secret {
		i := p.Input(op, 0, index.Ring(), index.Len(), 14, index.Clone)
		cells := bounded(r, table.Size(), 1)
		rows := bounded(r, index.Len()*table.Rows(), 2)
		return []mpc.Secret{
			p.Place(op, i, p.Input(op, 0, r, rows.Len(), 20, rows.Clone), table),
			p.Lookup(op, i, p.Input(op, 0, r, cells.Len(), 20, cells.Clone), table),
		}
	})
}

func TestSort(t *testing.T) {
	for _, rows := range []int{1, 2, 5, 16, 37} {
		s := mpc.Sorting{Groups: 3, Rows: rows, Descending: []bool{true, false}, First: (rows + 1) / 2, At: ring.Z(32)}
		n := s.Len()
		keys := ring.New(ring.Z(16), n)
		for i := range n {
			e := keys.Slice(i, i+1)
			ring.AddInt(e, e, int64(i*i%4-2))
		}
		compare(t, 0, 0, func(p mpc.Protocol, op *flow.Op) []mpc.Secret {
			k1 := p.Input(op, 0, keys.Ring(), n, 14, keys.Clone)
			v := bounded(ring.Z(64), n, 1)
			k2 := p.Input(op, 0, v.Ring(), n, 62, v.Clone)
			w := bounded(ring.Z(8), n, 2)
			sorted, at := p.Sort(op, s, []mpc.Secret{k1, k2}, []mpc.Secret{k2, p.Input(op, 0, w.Ring(), n, 6, w.Clone)})
			return append(sorted, at)
		})
	}
}

func TestFunctions(t *testing.T) {
	const n = 60
	for _, c := range []struct{ k, f int }{{64, 18}, {128, 26}} {
		r := ring.Z(c.k)
		fixed := mpc.Fixed{In: c.f, Out: c.f}
		relative := math.Exp2(-28)
		if c.k > 64 {
			relative = math.Exp2(-29)
		}
		unit := math.Ldexp(1, -c.f)
		for name, f := range map[string]struct {
			lo, hi float64
			build  func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret
		}{
			"exp": {-30, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Exp(op, x, mpc.ExpOf{Fixed: fixed})
			}},
			"exp clamped": {-1e6, 40, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Exp(op, p.Relu(op, r, x), mpc.ExpOf{Fixed: fixed, Two: true})
			}},
			"exp fine": {-30, 1, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Exp(op, x, mpc.ExpOf{Fixed: mpc.Fixed{In: c.f, Out: c.f + 8}})
			}},
			"tanh": {-20, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.EvalTableWithTails(op, x, fixed, "tanh", false)
			}},
			"sigmoid": {-20, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.EvalTableWithTails(op, x, fixed, "sigmoid", true)
			}},
			"gelu": {-1e5, 1e5, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.EvalTableWithTails(op, x, fixed, "gelu", false)
			}},
			"erfc": {-5, 5, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.EvalTableWithTails(op, x, fixed, "erfc", false)
			}},
			"atan": {-1, 1, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret { return p.EvalTable(op, x, fixed, "atan") }},
			"erf_inv": {0, 12, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.EvalTable(op, x, fixed, "erf_inv")
			}},
			"sin": {-1e4, 1e4, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret { s, _ := p.SinCos(op, x, fixed); return s }},
			"cos": {-1e4, 1e4, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret { _, c := p.SinCos(op, x, fixed); return c }},
			"log": {unit, 1e10, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Log(op, x, fixed, mpc.Normal{}, false)
			}},
			"log2 below 1": {unit, 1, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Log(op, x, fixed, mpc.Normal{Width: c.f + 1}, true)
			}},
			"sqrt": {unit, 1e10, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Power(op, x, fixed, mpc.Normal{}, 0.5)
			}},
			"cube": {-1e3, 1e3, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Power(op, x, fixed, mpc.Normal{Signed: true, Width: c.f + 10}, 3)
			}},
			"inverse": {unit, 1e10, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Power(op, x, fixed, mpc.Normal{}, -1)
			}},
			"power 12": {0.1, 5, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Power(op, x, fixed, mpc.Normal{}, 12)
			}},
			"divide": {1, 1e10, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				y := reals(r, n, c.f, -1e9, 1e9)
				return p.Divide(op, p.Input(op, 0, r, n, c.k-2, y.Clone), c.f, x, fixed, mpc.Normal{}, false)
			}},
			"divide signed": {-1e3, -0.5, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				y := reals(ring.Z(40), 2*n, 10, -1e3, 1e3)
				return p.Divide(op, p.Input(op, 0, y.Ring(), 2*n, 38, y.Clone), 10, x, fixed, mpc.Normal{Signed: true}, false)
			}},
			"divide by root": {0.01, 1e6, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				y := reals(r, n, c.f, -1e6, 1e6)
				return p.Divide(op, p.Input(op, 0, r, n, c.k-2, y.Clone), c.f, x, fixed, mpc.Normal{}, true)
			}},
			"power secret": {0.1, 9, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				y := reals(r, n, c.f, -8, 8)
				return p.PowerSecret(op, x, p.Input(op, 0, r, n, c.k-2, y.Clone), c.f, fixed, mpc.Normal{})
			}},
			"softmax": {-20, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Softmax(op, x, fixed, 12, mpc.Softmax)
			}},
			"logsoftmax": {-20, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Softmax(op, x, fixed, 12, mpc.LogSoftmax)
			}},
			"logsumexp": {-20, 20, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Softmax(op, x, fixed, 5, mpc.LogSumExp)
			}},
			"normalize": {-20, 50, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Normalize(op, x, fixed, 12, 1e-5, true)
			}},
			"rms": {-20, 50, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Normalize(op, x, fixed, 12, 1e-5, false)
			}},
		} {
			t.Run(fmt.Sprintf("%s/%d", name, c.k), func(t *testing.T) {
				v := reals(r, n, c.f, f.lo, f.hi)
				compare(t, 2, relative, func(p mpc.Protocol, op *flow.Op) []mpc.Secret {
					return []mpc.Secret{f.build(p, op, p.Input(op, 0, r, n, c.k-2, v.Clone))}
				})
			})
		}
	}
}
