package fourier

import (
	"bytes"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/fixed"
)

var classes = []Class{Small, Large}

// TestErrors evaluates every table in exact integers with 128-bit cosines. The reference functions
// are those of package math, exact to 2^-50; tolerances are at least 2^-31.
func TestErrors(t *testing.T) {
	for _, class := range classes {
		for _, target := range Targets(class) {
			t.Run(class.String()+"/"+target.Name, func(t *testing.T) {
				t.Parallel()
				table := Lookup(target.Name, class)
				if table == nil {
					t.Fatal("no table: run go generate")
				}
				if table.A != target.A || table.B != target.B {
					t.Fatalf("made for [%v, %v], not for [%v, %v]: run go generate", table.A, table.B, target.A, target.B)
				}
				if table.Sum >= target.Bound {
					t.Errorf("sum of coefficients %v, bound %v", table.Sum, target.Bound)
				}
				worst, at := 0.0, 0.0
				for i, x := range grid(table) {
					if i > 1 && i%every != 0 {
						continue
					}
					if e := math.Abs(evaluate(table, x) - target.F(x)); e > worst {
						worst, at = e, x
					}
				}
				if worst >= target.Tolerance {
					t.Errorf("error %.3g at %v, tolerance %.3g", worst, at, target.Tolerance)
				}
				if table.Err > target.Tolerance || worst > 1.02*table.Err {
					t.Errorf("error %.3g, the table says %.3g", worst, table.Err)
				}
			})
		}
	}
}

// grid has points of the table's interval, evenly spaced and, where errors oscillate faster,
// towards the ends; both ends included.
func grid(t *Table) []float64 {
	const even, dense = 3000, 2000
	xs := []float64{t.A, t.B}
	for i := 1; i < even; i++ {
		xs = append(xs, t.A+(t.B-t.A)*float64(i)/even)
	}
	for i := range dense {
		xs = append(xs, (t.A+t.B)/2+(t.B-t.A)/2*math.Cos(math.Pi*(float64(i)+0.5)/dense))
	}
	return xs
}

const precision = 128

func wide() *big.Float { return new(big.Float).SetPrec(precision) }

var pi, _ = wide().SetString("3.14159265358979323846264338327950288419716939937510582097494459")

// evaluate returns F(x), rounded once, by Clenshaw's recurrence.
func evaluate(t *Table, x float64) float64 {
	theta := wide().Quo(wide().SetFloat64(2*x), wide().SetFloat64(t.Period))
	cos, sin := cosSin(theta.Mul(theta, pi))
	double := wide().Add(cos, cos)
	value := sum(t.C, double, cos)
	value.Add(value, wide().Mul(sin, sum(append([]int64{0}, t.S...), double, nil)))
	y, _ := value.SetMantExp(value, -t.Frac).Float64()
	return y
}

// sum returns Σ c_n cos nθ, or Σ c_n sin nθ / sin θ where cos is nil.
func sum(c []int64, double, cos *big.Float) *big.Float {
	b1, b2, product := wide(), wide(), wide()
	for n := len(c) - 1; n > 0; n-- {
		product.Mul(double, b1)
		b2.Sub(product, b2)
		b2.Add(b2, product.SetInt64(c[n]))
		b1, b2 = b2, b1
	}
	if cos == nil {
		return b1
	}
	product.Mul(cos, b1)
	product.Sub(product, b2)
	return product.Add(product, wide().SetInt64(c[0]))
}

// cosSin sums the series of e^(iθ/16) and squares the result four times.
func cosSin(theta *big.Float) (cos, sin *big.Float) {
	x := wide().SetMantExp(theta, -4)
	cos, sin = wide().SetInt64(1), wide()
	term := wide().SetInt64(1)
	for n := int64(1); n < 30; n++ {
		term.Mul(term, x)
		term.Quo(term, wide().SetInt64(n))
		to := cos
		if n%2 == 1 {
			to = sin
		}
		if n%4 >= 2 {
			to.Sub(to, term)
		} else {
			to.Add(to, term)
		}
	}
	for range 4 {
		product := wide().Mul(sin, cos)
		sin.Mul(sin, sin)
		cos.Sub(cos.Mul(cos, cos), sin)
		sin = product.Add(product, product)
	}
	return cos, sin
}

// WithTolerance drops all harmonics that it may, and keeps the tolerance.
func TestWithTolerance(t *testing.T) {
	for _, f := range functions {
		whole := Lookup(f.Name, Small)
		last := whole.N() + 1
		for _, tolerance := range []float64{1e-9, 1e-5, 1e-4, 1e-3, 1e-2} {
			short := whole.WithTolerance(tolerance)
			if tolerance == 1e-9 {
				if short != whole {
					t.Errorf("%s: %d harmonics for an error that it does not keep", f.Name, short.N())
				}
				continue
			}
			if short.N() >= last || len(short.C) != short.N()+1 || short.Err > tolerance {
				t.Errorf("%s within %g: %d harmonics, %d before, error %g", f.Name, tolerance, short.N(), last, short.Err)
			}
			last = short.N() + 1
			for _, x := range grid(short)[:200] {
				if e := math.Abs(evaluate(short, x) - f.F(x)); e > short.Err*1.02 {
					t.Fatalf("%s within %g: %g off at %g, the table says %g", f.Name, tolerance, e, x, short.Err)
				}
			}
		}
	}
}

// TestTails compares functions with their tails outside the windows: within 2^-18.5 and 2^-27, 0.7
// and 0.5 units.
func TestTails(t *testing.T) {
	for class, tolerance := range []float64{math.Exp2(-18.5), math.Exp2(-27)} {
		for _, f := range functions {
			g, table := Windowed(f.Name, Class(class))
			if g == nil || g.Name != f.Name || table != Lookup(f.Name, Class(class)) {
				t.Fatalf("%s has no table of class %v", f.Name, Class(class))
			}
			for x := f.Window(Class(class)).Settled(); x < 50; x += 0.01 {
				if e := math.Abs(g.F(x) - g.Above.At(x)); e > tolerance {
					t.Fatalf("%s(%v) is off by %.3g", f.Name, x, e)
				}
				if e := math.Abs(g.F(-x) - g.Below.At(-x)); e > tolerance {
					t.Fatalf("%s(%v) is off by %.3g", f.Name, -x, e)
				}
			}
		}
	}
}

// TestAddition evaluates a table as parties and dealer do, by products of public and masked cosines
// and sines in integers.
func TestAddition(t *testing.T) {
	table := Lookup("log2", Large)
	for i := range uint64(1000) {
		x := 1 + 15*float64(i)/999
		lambda := i * 0x9e3779b97f4a7c15
		delta := uint64(math.Ldexp(x/table.Period, 64)) + lambda
		value := float64(table.C[0])
		for n := 1; n <= table.N(); n++ {
			cd, sd := fixed.CosSin(uint64(n) * delta)
			cl, sl := fixed.CosSin(uint64(n) * lambda)
			a, b := float64(table.C[n]), float64(table.S[n-1])
			value += (a*float64(cd)+b*float64(sd))*math.Ldexp(float64(cl), -100) + (a*float64(sd)-b*float64(cd))*math.Ldexp(float64(sl), -100)
		}
		if e := math.Abs(math.Ldexp(value, -table.Frac) - math.Log2(x)); e > math.Exp2(-31) {
			t.Fatalf("log2(%v) is off by %.3g", x, e)
		}
	}
}

// TestMultipliers: the period of log2/D is 2^s divided by an integer, or differs from it by less
// than 2^-40.
func TestMultipliers(t *testing.T) {
	for _, class := range classes {
		for _, target := range Targets(class) {
			if target.Like == "" {
				continue
			}
			table := Lookup(target.Name, class)
			c := math.Ldexp(1/table.Period, target.Shift)
			if c > 1<<40 && table != Lookup(target.Like, class) {
				t.Errorf("%v, %s is a table of its own", class, target.Name)
			}
			if c < 1<<40 && table.Period != math.Ldexp(1/math.Round(c), target.Shift) {
				t.Errorf("%v, %s: period %v is not 2^%d over an integer", class, target.Name, table.Period, target.Shift)
			}
		}
	}
}

func TestLookupUnknown(t *testing.T) {
	if table := Lookup("nothing", Small); table != nil {
		t.Errorf("a table %v", table)
	}
	if table := Lookup("sigmoid", Large+1); table != nil {
		t.Errorf("a table of class %d", Large+1)
	}
	if f, table := Windowed("log2", Small); f != nil || table != nil {
		t.Errorf("log2 is said to have tails")
	}
}

func TestWrite(t *testing.T) {
	table := &Table{
		Name:   "f",
		A:      -1.5,
		B:      2,
		Period: 1e3 / 7,
		C:      []int64{1, -2, 3},
		S:      []int64{math.MaxInt64, math.MinInt64},
		Frac:   frac,
		Err:    0.25,
	}
	table.Sum = table.sum()
	var file bytes.Buffer
	if err := Write(&file, []*Table{table}, []Alias{{"g", "f"}}); err != nil {
		t.Fatal(err)
	}
	got, err := read(file.String())
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 2 || got["f"] != got["g"] {
		t.Fatalf("read %v", got)
	}
	var again bytes.Buffer
	if err := Write(&again, []*Table{got["f"]}, []Alias{{"g", "f"}}); err != nil || again.String() != file.String() {
		t.Errorf("error %v; wrote\n%s\nthen\n%s", err, &file, &again)
	}
	if got["f"].Sum != table.Sum || got["f"].Period != table.Period {
		t.Errorf("read %+v, wrote %+v", got["f"], table)
	}
	if err := Write(&file, []*Table{{Name: "f", Frac: 20}}, nil); err == nil {
		t.Error("wrote a table of other units")
	}
}

func TestReadRefuses(t *testing.T) {
	const good = header + "\ntable f from 0 to 1 period 2 error 0.1 harmonics 1\n5\n6 7\nalias g f\nend 2\n"
	if _, err := read(good); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{header, "", "first line"},
		{good, "", "first line"},
		{"table f", "tables f", "neither"},
		{"period", "length", "malformed"},
		{" error 0.1", "", "malformed"},
		{"from 0", "from 2", "invalid interval"},
		{"from 0", "from NaN", "invalid interval"},
		{"period 2", "period 0.5", "invalid interval"},
		{"period 2", "period Inf", "invalid interval"},
		{"period 2", "period two", "invalid syntax"},
		{"error 0.1", "error 0", "invalid interval"},
		{"harmonics 1", "harmonics 0", "invalid interval"},
		{"harmonics 1", "harmonics 2", "invalid syntax"},
		{"harmonics 1", "harmonics 999999999999", "invalid syntax"},
		{"\n5\n", "\n5.5\n", "invalid syntax"},
		{"6 7", "6", "invalid syntax"},
		{"6 7", "6 7 8", "invalid syntax"},
		{"6 7", "6 9223372036854775808", "out of range"},
		{"6 7", "6 7\n8 9", "neither"},
		{"alias g f", "alias g h", "table above it"},
		{"alias g f", "alias g", "table above it"},
		{"alias g f", "alias f f", "twice"},
		{"alias g f\n", "", "not the number"},
		{"end 2\n", "", "neither"},
		{"end 2\n", "end 2\nend 2\n", "after the end"},
		{"end 2\n", "end 2 3\n", "not the number"},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		if text == good {
			t.Fatalf("%q is not in the text", test.old)
		}
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%q for %q: error %v, want %q", test.new, test.old, err, test.want)
		}
	}
}

func TestBrokenFilePanics(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.HasPrefix(text, "fourier: large.txt: line 1: ") {
			t.Errorf("panic %q", text)
		}
	}()
	mustRead("x", Large)
}

func BenchmarkRead(b *testing.B) {
	for b.Loop() {
		mustRead(large, Large)
	}
}
