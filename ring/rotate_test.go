package ring

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// powers draws mantissas and rotations, some of them extreme.
func powers(q, n int, rng *rand.Rand) (mantissa []uint64, rot []uint16) {
	mantissa, rot = make([]uint64, n), make([]uint16, n)
	for i := range n {
		switch rng.IntN(8) {
		case 0:
			mantissa[i] = []uint64{0, 1, 1<<40 - 1, 1 << 39, 1<<64 - 1}[rng.IntN(5)]
		case 1:
			mantissa[i] = rng.Uint64()
		default:
			mantissa[i] = rng.Uint64() >> 24
		}
		if rot[i] = uint16(rng.IntN(q)); rng.IntN(4) == 0 {
			rot[i] = uint16([]int{0, q - 1, 63, 64, 65, q / 2, q &^ 63, 127, 128}[rng.IntN(9)] % q)
		}
	}
	return mantissa, rot
}

func power(mantissa uint64, rot uint16) *big.Int {
	x := new(big.Int).SetUint64(mantissa)
	return x.Lsh(x, uint(rot))
}

func checkMulAddRotated(t tb, r Ring, n int, rng *rand.Rand) {
	t.Helper()
	a, dst := random(r, n, rng), random(r, n, rng)
	mantissa, rot := powers(r.Bits, n, rng)
	x, d, a0 := unsigned(a), unsigned(dst), a.Clone()
	same(t, "Powers", Powers(r, mantissa, rot), fromBig(r, bigs(n, func(i int) *big.Int { return power(mantissa[i], rot[i]) })))
	MulAddRotated(dst, a, mantissa, rot)
	same(t, "MulAddRotated", dst, fromBig(r, bigs(n, func(i int) *big.Int {
		p := power(mantissa[i], rot[i])
		return p.Add(p.Mul(p, x[i]), d[i])
	})))
	same(t, "operand", a, a0)
}

func TestMulAddRotated(t *testing.T) {
	rng := source(1)
	eachCyclic(t, func(t *testing.T, r Ring, n int) { checkMulAddRotated(t, r, n, rng) })
}

func TestMulAddRotatedRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkMulAddRotated(t, M(rapid.IntRange(2, 330).Draw(t, "q")), drawLen(t, "n"), source(rapid.Uint64().Draw(t, "seed")))
	})
}

// Every rotation of one element.
func TestMulAddRotatedByAll(t *testing.T) {
	for _, q := range []int{2, 64, 65, 128, 160, 192, 200, 224, 240, 256, 320} {
		r := M(q)
		rot, mantissa := make([]uint16, q), make([]uint64, q)
		a, dst := New(r, q), New(r, q)
		one := random(r, 1, source(uint64(q)+3))
		for i := range rot {
			rot[i], mantissa[i] = uint16(i), 1
			copy(a.w[i*r.Words():], one.w)
		}
		MulAddRotated(dst, a, mantissa, rot)
		for i := range q {
			Lsh(one, one, min(i, 1))
			same(t, "2^i·a", dst.Slice(i, i+1), one)
		}
	}
}

// Products whose part above q bits, added to the part below, carries once more: just below a
// multiple of 2^q.
func TestMulAddRotatedCarries(t *testing.T) {
	for _, q := range cycles {
		r := M(q)
		var x []*big.Int
		var mantissa []uint64
		for _, m := range []uint64{1<<40 - 1, 1<<40 - 3, 1<<39 + 1, 1<<64 - 1, 1<<63 + 1, 1000003} {
			for d := range uint64(300) {
				y := new(big.Int).SetUint64(m - d - 1)
				y.Sub(y.Lsh(y, uint(q)), big.NewInt(1))
				x = append(x, y.Div(y, new(big.Int).SetUint64(m)))
				mantissa = append(mantissa, m)
			}
		}
		a, dst := fromBig(r, x), New(r, len(x))
		MulAddRotated(dst, a, mantissa, make([]uint16, len(x)))
		same(t, "MulAddRotated", dst, fromBig(r, bigs(len(x), func(i int) *big.Int {
			return new(big.Int).Mul(unsigned(a.Slice(i, i+1))[0], new(big.Int).SetUint64(mantissa[i]))
		})))
	}
}

// All parts of a long vector are computed, once.
func TestKernelsInParallel(t *testing.T) {
	withHelpers(t, 3)
	const n = 40_000
	for _, r := range []Ring{M(128), M(200)} {
		rng := source(uint64(r.Bits))
		mantissa, rot := powers(r.Bits, n, rng)
		c := make([]int64, n)
		for i := range c {
			c[i] = int64(rng.Uint64())
		}
		a, want := random(r, n, rng), New(r, n)

		dst := New(r, n)
		MulAddRotated(dst, a, mantissa, rot)
		Mul(want, a, Powers(r, mantissa, rot))
		same(t, "MulAddRotated", dst, want)

		MulAddSmall(dst, a, c)
		MulAdd(want, a, FromInts(r, c))
		same(t, "MulAddSmall", dst, want)

		narrow, part := New(Z(60), n), New(Z(60), n)
		TruncateReduce(narrow, a, 9, -1)
		for i := 0; i < n; i += 1000 {
			TruncateReduce(part.Slice(i, i+1000), a.Slice(i, i+1000), 9, -1)
		}
		same(t, "TruncateReduce", narrow, part)
	}
}

// No kernel allocates memory for elements.
func TestKernelAllocations(t *testing.T) {
	withHelpers(t, 0)
	for _, r := range []Ring{M(128), M(192), M(200), Z(200)} {
		a, dst, narrow := New(r, 5000), New(r, 5000), New(Z(70), 5000)
		mantissa, rot := powers(r.Bits, 5000, source(1))
		c := make([]int64, 5000)
		n := testing.AllocsPerRun(3, func() {
			if r.Cyclic {
				MulAddRotated(dst, a, mantissa, rot)
			}
			MulAddSmall(dst, a, c)
			TruncateReduce(narrow, a, 9, 0)
		})
		if n > 20 {
			t.Errorf("%v: %v allocations for 5000 elements", r, n)
		}
	}
}

func TestMulAddRotatedPanics(t *testing.T) {
	v, short := New(M(64), 3), New(M(64), 2)
	m, s := make([]uint64, 3), make([]uint16, 3)
	refuses(t, "a short mantissa", "2 mantissas and 3 rotations for 3 of", func() { MulAddRotated(v, v, m[:2], s) })
	refuses(t, "few rotations", "3 mantissas and 2 rotations for 3 of", func() { MulAddRotated(v, v, m, s[:2]) })
	refuses(t, "a short operand", "2 of Z_(2^64-1) with 3 of Z_(2^64-1)", func() { MulAddRotated(v, short, m, s) })
	refuses(t, "a rotation by q", "rotation by 64 over Z_(2^64-1)", func() { MulAddRotated(v, v, m, []uint16{0, 64, 1}) })
	refuses(t, "a power of q", "rotation by 64 over Z_(2^64-1)", func() { Powers(M(64), m, []uint16{0, 64, 1}) })
	refuses(t, "powers of different lengths", "3 mantissas and 2 rotations", func() { Powers(M(64), m, s[:2]) })
}
