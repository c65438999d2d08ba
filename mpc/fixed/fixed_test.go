package fixed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 256

func float(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }
func word(x uint64) *big.Float   { return new(big.Float).SetPrec(precision).SetUint64(x) }
func mul(x, y *big.Float) *big.Float {
	return new(big.Float).SetPrec(precision).Mul(x, y)
}

// ln2 is Σ 2^-n/n.
func ln2() *big.Float {
	sum := float(0)
	for n := precision; n > 0; n-- {
		term := new(big.Float).SetPrec(precision).Quo(float(1), float(float64(n)))
		sum.Add(sum, term.SetMantExp(term, -n))
	}
	return sum
}

// pi is 16 atan(1/5) - 4 atan(1/239), by Machin.
func pi() *big.Float {
	atan := func(m float64) *big.Float {
		sum := float(0)
		power := new(big.Float).SetPrec(precision).Quo(float(1), float(m))
		for n := 1.0; n < 2*precision; n += 2 {
			sum.Add(sum, new(big.Float).SetPrec(precision).Quo(power, float(n)))
			power.Quo(power, float(-m*m))
		}
		return sum
	}
	return new(big.Float).Sub(mul(float(16), atan(5)), mul(float(4), atan(239)))
}

// exponential sums x^n/n! for n = first, first+step, …; signs alternate if step is 2.
func exponential(x *big.Float, first, step int) *big.Float {
	sum, term := float(0), float(1)
	for n := 1; n <= 100; n++ {
		if m := n - 1; m >= first && (m-first)%step == 0 {
			if step == 2 && (m-first)%4 == 2 {
				sum.Sub(sum, term)
			} else {
				sum.Add(sum, term)
			}
		}
		term = mul(term, x)
		term.Quo(term, float(float64(n)))
	}
	return sum
}

// units is the distance of x from got, in units of 2^-scale.
func units(got int64, x *big.Float, scale int) float64 {
	diff := new(big.Float).SetPrec(precision).SetInt64(got)
	d, _ := diff.Sub(diff, new(big.Float).SetMantExp(x, scale)).Float64()
	return max(d, -d)
}

// phases are the boundaries of quarters and eighths, and random points.
func phases(random int) []uint64 {
	var ps []uint64
	for eighth := range uint64(8) {
		for d := range uint64(7) {
			ps = append(ps, eighth<<61+d-3)
		}
	}
	for i := range 64 {
		ps = append(ps, 1<<i, -(1 << i))
	}
	source := rand.New(rand.NewPCG(1, 2))
	for range random {
		ps = append(ps, source.Uint64())
	}
	return ps
}

func TestCosSin(t *testing.T) {
	turn := new(big.Float).SetMantExp(pi(), 1-64)
	worst := 0.0
	for _, p := range phases(5000) {
		cos, sin := CosSin(p)
		x := mul(turn, new(big.Float).SetPrec(precision).SetInt64(int64(p)))
		e := max(units(cos, exponential(x, 0, 2), 50), units(sin, exponential(x, 1, 2), 50))
		if worst = max(worst, e); e >= 2 {
			t.Fatalf("CosSin(%#x) = %d, %d is off by %.2f units", p, cos, sin, e)
		}
		if max(cos, -cos, sin, -sin) > 1<<50 {
			t.Fatalf("CosSin(%#x) = %d, %d is beyond 1", p, cos, sin)
		}
	}
	t.Logf("largest error: %.3f units of 2^-50", worst)

	for quarter, want := range [][2]int64{{1 << 50, 0}, {0, 1 << 50}, {-1 << 50, 0}, {0, -1 << 50}} {
		if cos, sin := CosSin(uint64(quarter) << 62); cos != want[0] || sin != want[1] {
			t.Errorf("%d quarter turns: %d, %d; want %d, %d", quarter, cos, sin, want[0], want[1])
		}
	}
}

func TestExp2(t *testing.T) {
	scale := new(big.Float).SetMantExp(ln2(), -64)
	worst := 0.0
	for _, p := range phases(5000) {
		got := Exp2(p)
		if got < 1<<62 || got > 1<<63 {
			t.Fatalf("Exp2(%#x) = %#x is out of bounds", p, got)
		}
		e := units(int64(got-1<<62), new(big.Float).Sub(exponential(mul(scale, word(p)), 0, 1), float(1)), 62)
		if worst = max(worst, e); e >= 8 {
			t.Fatalf("Exp2(%#x) = %#x is off by %.2f units", p, got, e)
		}
	}
	t.Logf("largest error: %.3f units of 2^-62", worst)
	if got := Exp2(0); got != 1<<62 {
		t.Errorf("Exp2(0) = %#x", got)
	}
}

// telescope reduces a power series' coefficients on [0, 1] to a polynomial with so many: the
// highest power z^n is replaced by z^n - T*_n(z)/2^(2n-1), T*_n Chebyshev's polynomial on [0, 1].
func telescope(series []*big.Float, terms int) []*big.Float {
	for len(series) > terms {
		n := len(series) - 1
		low, high := []int64{1}, []int64{-1, 2} // T*_0, T*_1
		for range n - 1 {                       // T*_(m+1) = (4z - 2) T*_m - T*_(m-1)
			next := make([]int64, len(high)+1)
			for i, c := range high {
				next[i] -= 2 * c
				next[i+1] += 4 * c
			}
			for i, c := range low {
				next[i] -= c
			}
			low, high = high, next
		}
		for i := range n {
			part := mul(series[n], new(big.Float).SetPrec(precision).SetInt64(high[i]))
			series[i].Sub(series[i], part.SetMantExp(part, 1-2*n))
		}
		series = series[:n]
	}
	return series
}

// TestCoefficients derives the coefficients from π and log 2.
func TestCoefficients(t *testing.T) {
	factor := func(x *big.Float, n int) *big.Float { // x^n/n!
		f := float(1)
		for i := 1; i <= n; i++ {
			f = mul(f, x)
			f.Quo(f, float(float64(i)))
		}
		return f
	}
	quarter, octave := new(big.Float).SetMantExp(pi(), -1), ln2()
	var cosine, sine, exp []*big.Float
	for n := range 14 { // in z = 4y, alternating
		sign := float(float64(1 - n%2*2))
		c, s := mul(sign, factor(quarter, 2*n+2)), mul(sign, factor(quarter, 2*n+1))
		cosine, sine = append(cosine, c.SetMantExp(c, -2*n)), append(sine, s.SetMantExp(s, -2*n))
	}
	for n := range 14 + 4 {
		exp = append(exp, factor(octave, n+1))
	}
	for _, test := range []struct {
		name   string
		series []*big.Float
		zoom   int // log2 of z over the polynomial's variable
		unit   int // -log2 of the coefficients' unit
		want   []uint64
	}{
		{"cos", cosine, 2, 51, []uint64{cos0, cos1, cos2, cos3, cos4, cos5, cos6}},
		{"sin", sine, 2, 51, []uint64{sin0, sin1, sin2, sin3, sin4, sin5, sin6}},
		{"exp", exp, 0, 63, []uint64{exp1, exp2, exp3, exp4, exp5, exp6, exp7, exp8, exp9, exp10, exp11, exp12, exp13}},
	} {
		for n, c := range telescope(test.series, len(test.want)) {
			c.Abs(c)
			c.SetMantExp(c, test.unit+test.zoom*n)
			got, _ := c.Add(c, float(0.5)).Uint64()
			if got != test.want[n] {
				t.Errorf("%s, coefficient %d: %#016x, want %#016x", test.name, n, test.want[n], got)
			}
		}
	}
}

// TestBits fails if a value differs from the results of other machines.
func TestBits(t *testing.T) {
	const want = "5775807d30011d08afe554569520b03e3a25f742f1fa02e0436be911574796b5"
	hash := sha256.New()
	var buf []byte
	for i := range uint64(100_000) {
		phase := i * 0x9e3779b97f4a7c15
		cos, sin := CosSin(phase)
		buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(cos))
		buf = binary.LittleEndian.AppendUint64(buf, uint64(sin))
		buf = binary.LittleEndian.AppendUint64(buf, Exp2(phase))
		hash.Write(buf)
	}
	if got := hex.EncodeToString(hash.Sum(nil)); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func BenchmarkCosSin(b *testing.B) {
	var phase, sum uint64
	for b.Loop() {
		cos, sin := CosSin(phase)
		phase += 0x9e3779b97f4a7c15
		sum += uint64(cos ^ sin)
	}
	_ = sum
}

func BenchmarkExp2(b *testing.B) {
	var phase, sum uint64
	for b.Loop() {
		sum += Exp2(phase)
		phase += 0x9e3779b97f4a7c15
	}
	_ = sum
}
