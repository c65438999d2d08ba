package cheetah

import (
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/derived"
	"github.com/tacet-mpc/tacet/ring"
)

// TestPowers compares powers whose mantissa's power comes from a table and a step of Newton's method, and one that comes from a
// series, with float64: to within two units and 2^-29 of the result.
func TestPowers(t *testing.T) {
	const n, in, out = 400, 18, 30
	r := ring.Z(64)
	for _, a := range []float64{-1, -0.5, 0.5, 0.25} {
		lo, hi := 0.004, 4000.0
		v, xs := points(r, n, in, lo, hi)
		for i := range n / 2 { // the other half by powers of two
			x := math.RoundToEven(math.Ldexp(lo*math.Pow(hi/lo, float64(i)/(n/2)), in))
			xs[i] = math.Ldexp(x, -in)
			ring.Low(v.Slice(i, i+1), ring.FromBig(r, []*big.Int{big.NewInt(int64(x))}))
		}
		rec := (&trial{in: []operand{{v, 34, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{derived.Complete(p).Power(op, in[0], mpc.Fixed{In: 18, Out: out}, mpc.Normal{Width: 32}, a)}
		}}).run(t)
		worst := 0.0
		for i, x := range xs {
			got, _ := new(big.Float).SetInt(rec.out[0].Int(i)).Float64()
			want := math.Ldexp(math.Pow(x, a), out)
			worst = max(worst, math.Abs(got-want)/(2+math.Ldexp(want, -29)))
		}
		t.Logf("x^%v: %.2f of the tolerance, %d bytes, %d rounds", a, worst, int(rec.online[0]+rec.online[1])/n, rec.rounds)
		if worst > 1 {
			t.Errorf("x^%v: an error of %.2f times the tolerance", a, worst)
		}
	}
}

// TestRows compares functions of rows with float64: random rows, equal elements, elements at the ends of the range, and small ones.
func TestRows(t *testing.T) {
	const rows, fraction = 40, 18
	r := ring.Z(64)
	f := mpc.Fixed{In: fraction, Out: fraction}
	for _, m := range []int{1, 2, 12, 64} {
		n := rows * m
		ints, xs := make([]*big.Int, n), make([]float64, n)
		random := ring.New(r, n)
		ring.NewPRG(ring.Seed{7, byte(m)}).Vec(random, 1, 0)
		for i := range ints {
			u := float64(int64(random.Words()[i])) / (1 << 63) // in [−1, 1)
			x := u * []float64{20, 0.01, 1000, 3, 2, 1}[i/m%6]
			switch i / m % 8 {
			case 1:
				x = 5
			case 2:
				x = math.Copysign(math.Ldexp(1, 29)-1, u)
			}
			v := math.RoundToEven(math.Ldexp(x, fraction))
			ints[i], xs[i] = big.NewInt(int64(v)), math.Ldexp(v, -fraction)
		}
		v := ring.New(r, n)
		ring.Low(v, ring.FromBig(r, ints))
		softmax := func(row []float64) []float64 {
			top, sum := math.Inf(-1), 0.0
			for _, x := range row {
				top = max(top, x)
			}
			for _, x := range row {
				sum += math.Exp(x - top)
			}
			out := make([]float64, len(row))
			for i, x := range row {
				out[i] = math.Exp(x-top) / sum
			}
			return out
		}
		normalize := func(epsilon float64, centred bool) func(row []float64) []float64 {
			return func(row []float64) []float64 {
				mean, squares := 0.0, 0.0
				for _, x := range row {
					mean += x / float64(len(row))
				}
				if !centred {
					mean = 0
				}
				for _, x := range row {
					squares += (x - mean) * (x - mean) / float64(len(row))
				}
				out := make([]float64, len(row))
				for i, x := range row {
					if squares+epsilon > 0 {
						out[i] = (x - mean) / math.Sqrt(squares+epsilon)
					}
				}
				return out
			}
		}
		for _, c := range []struct {
			name     string
			units    float64
			relative float64
			build    func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret
			want     func(row []float64) []float64
		}{
			{"softmax", 2, 0, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret { return p.Softmax(op, x, f, m, mpc.Softmax) }, softmax},
			{"layer norm", 3, 2e-7, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Normalize(op, x, f, m, 1e-5, true)
			}, normalize(1e-5, true)},
			{"layer norm without ε", 3, 1e-6, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Normalize(op, x, f, m, 0, true)
			}, normalize(0, true)},
			{"RMS norm", 3, 2e-7, func(p mpc.Protocol, op *flow.Op, x mpc.Secret) mpc.Secret {
				return p.Normalize(op, x, f, m, 1e-6, false)
			}, normalize(1e-6, false)},
		} {
			rec := (&trial{in: []operand{{v, 48, nobody}}, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
				return []mpc.Secret{c.build(derived.Complete(p), op, in[0])}
			}}).run(t)
			worst, at := 0.0, 0
			for row := range rows {
				for i, want := range c.want(xs[row*m : (row+1)*m]) {
					got, _ := new(big.Float).SetInt(rec.out[0].Int(row*m + i)).Float64()
					want = math.Ldexp(want, fraction)
					if off := math.Abs(got-want) / (c.units + c.relative*math.Abs(want)); off > worst {
						worst, at = off, row*m+i
					}
				}
			}
			t.Logf("%s of %d: %.2f of the tolerance, %d bytes an element, %d rounds", c.name, m, worst, int(rec.online[0]+rec.online[1])/n, rec.rounds)
			if worst > 1 {
				t.Errorf("%s of %d: element %d is off by %.2f times the tolerance", c.name, m, at, worst)
			}
		}
	}
}
