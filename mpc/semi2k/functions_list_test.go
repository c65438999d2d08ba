package semi2k

import (
	"fmt"
	"math"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/fourier"
)

// settings are what a function is measured in: parties, ring, fraction bits.
type settings struct{ n, k, fraction int }

func (c settings) unit() float64 { return math.Ldexp(1, -c.fraction) }

func (c settings) class() fourier.Class {
	if c.k > 64 {
		return fourier.Large
	}
	return fourier.Small
}

// function is a real function of secrets: where it is measured, how far it may
// be off, and what it may cost.
type function struct {
	name   string
	lo, hi float64
	log    bool                            // points evenly spaced in the logarithm
	widest bool                            // defined on all of the ring
	domain func(c settings) (lo, hi int64) // in units, where it is defined beyond [lo, hi]
	// thresholds: measured there and a unit to both sides
	near   func(c settings) []float64
	second [2]float64                                                                       // range of the second argument
	want   func(c settings, x, y float64) float64                                           // of exact arguments
	f      func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed, s settings) mpc.Secret // the protocol
	// bars are largest errors for two parties at k = 64, f = 18 and k = 128,
	// f = 26: absolute where the result is below 1, else relative.
	bars [2]float64
	// bytes is the largest cost allowed and rounds the number of rounds, of two parties
	// at k = 64; 0 if there is no bound.
	bytes  float64
	rounds int
	dealt  float64 // the largest number of dealt bytes, likewise; 0 if there is no bound
	oracle string  // its name in testdata/functions_oracle.txt, if that has it
	more   [2]int  // bits that it opens beyond the oracle's, on purpose, for k = 64 and 128
	zero   bool    // takes a share of [x ≥ 1 unit] that the oracle's does not
}

// bar is the error allowed to n parties: dropping bits costs n/2 units, and
// n = 2's are in the bars for two.
func (f function) bar(c settings) float64 {
	b := f.bars[0]
	if c.k > 64 {
		b = f.bars[1]
	}
	if b == 0 {
		return 0
	}
	return b + float64(c.n-2)/2*c.unit()
}

var (
	ofExp    = [2]float64{4e-6, 2e-8}
	ofLog    = [2]float64{4.5e-6, 2e-8}
	ofWindow = [2]float64{6e-6, 2.3e-8} // a unit, and the table's 2^−19.5 or 2^−27
	ofSin    = [2]float64{5e-6, 2e-8}
)

func at(want func(x float64) float64) func(settings, float64, float64) float64 {
	return func(_ settings, x, _ float64) float64 { return want(x) }
}

// notZero is a function that takes 0 for one unit.
func notZero(want func(x float64) float64) func(settings, float64, float64) float64 {
	return func(c settings, x, _ float64) float64 {
		if x == 0 {
			x = c.unit()
		}
		return want(x)
	}
}

// top is the largest value of an exponential.
func (c settings) top() float64 { return math.Exp2(float64(c.k-2-c.fraction) - 1./1024) }

func exponential(name string, base float64, lo, hi float64, lower, upper bool) function {
	log := math.Log(base)
	return function{
		name: name, lo: lo, hi: hi, widest: lower && upper, bars: ofExp,
		near: func(c settings) (out []float64) {
			if lower {
				out = append(out, -float64(offset(c.fraction)-1)*math.Ln2/log)
				for d := 0.0; d <= 1; d += 0.125 { // of the fuzzy clamp
					out = append(out, -float64(offset(c.fraction))*math.Ln2/log+d)
				}
			}
			if upper {
				out = append(out, math.Log(c.top())/log)
			}
			return append(out, 0)
		},
		want: func(c settings, x, _ float64) float64 {
			return math.Min(math.Pow(base, x), c.top())
		},
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.Exp(op, x, mpc.ExpOf{Fixed: f, Two: base == 2, Lower: lower, Upper: upper})
		},
	}
}

func windowed(name string, thrifty bool, dealt float64) function {
	fn, _ := fourier.Windowed(name, fourier.Small)
	f := function{
		name: name, lo: -30, hi: 30, widest: true, bars: ofWindow, bytes: 15.2, rounds: 4, dealt: dealt,
		near: func(c settings) (out []float64) {
			w := fn.Window(c.class())
			for _, end := range []float64{w.End(), 0} { // and where a fuzzy comparison may begin to be wrong
				for d := -0.5; d <= 0.5; d += 0.25 {
					out = append(out, end+math.Ldexp(d, w.Step), -end+math.Ldexp(d, w.Step))
				}
			}
			return out
		},
		want: at(fn.F),
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.EvalTableWithTails(op, x, f, name, thrifty)
		},
	}
	if thrifty {
		f.name, f.bytes, f.rounds = name+", thrifty", 18.9, 6
	}
	return f
}

// total is the function where the objective is the total cost, which deals at most so many bytes.
func (f function) total(dealt float64) function {
	of := f.f
	f.name += ", total"
	f.oracle, f.bytes, f.rounds, f.dealt, f.more = "", 0, 0, dealt, [2]int{}
	f.f = func(p *Party, op *flow.Op, x, y mpc.Secret, fixed mpc.Fixed, c settings) mpc.Secret {
		defer func(before flow.Objective) { op.Objective = before }(op.Objective)
		op.Objective = flow.ForTotal
		return of(p, op, x, y, fixed, c)
	}
	near := f.near
	f.near = func(c settings) []float64 { // ends of places to radix 4, which may be a quarter too high
		out := near(c)
		for j := range 20 {
			x := math.Ldexp(1, 2*j-c.fraction)
			out = append(out, x, 0.75*x)
		}
		return out
	}
	return f
}

// narrowLog is a logarithm in the form that many elements take.
func (f function) narrowLog(two bool) function {
	f.f = func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
		defer func(before flow.Objective) { op.Objective = before }(op.Objective)
		op.Objective = flow.ForTotal
		return p.log(op, x, f, mpc.Normal{}, two, true)
	}
	return f
}

func known(name string, lo, hi float64, bars [2]float64, want func(x float64) float64) function {
	return function{
		name: name, lo: lo, hi: hi, bars: bars, want: at(want),
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.EvalTable(op, x, f, name)
		},
	}
}

// hexits are the thresholds of a normalisation.
func hexits(signed bool) func(c settings) []float64 {
	return func(c settings) (out []float64) {
		width := 32
		if c.k > 64 {
			width = 40
		}
		for j := 0; j < width; j += 4 {
			x := math.Ldexp(1, j-c.fraction)
			out = append(out, x)
			if signed {
				out = append(out, -x)
			}
		}
		if signed {
			out = append(out, 1-math.Ldexp(1, width-1-c.fraction))
		}
		return out
	}
}

func power(name string, lo, hi, a float64, signed bool, want func(x float64) float64) function {
	f := function{
		name: name, lo: lo, hi: hi, log: lo > 0 || signed, bars: ofExp, near: hexits(signed), bytes: 22, rounds: 6,
		want: at(want), zero: true,
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.Power(op, x, f, mpc.Normal{Signed: signed}, a)
		},
	}
	if a < 0 {
		f.want, f.more = notZero(want), [2]int{3, 3}
	}
	if signed {
		f.bytes = 24
	}
	if a <= 1 {
		f.domain = digits(signed)
	}
	return f
}

// digits is the domain of a normalised argument of the default width.
func digits(signed bool) func(c settings) (lo, hi int64) {
	return func(c settings) (lo, hi int64) {
		width := 32
		if c.k > 64 {
			width = 40
		}
		if signed {
			return 1 - 1<<(width-1), 1<<(width-1) - 1
		}
		return 0, 1<<width - 1
	}
}

// exactFloats are the numbers of units that float64 has, all of them.
func exactFloats(settings) (lo, hi int64) { return -1 << 53, 1 << 53 }

func inverse(x float64) float64 { return 1 / x }

func (f function) like(oracle string, bytes float64, rounds int) function {
	f.oracle, f.bytes, f.rounds = oracle, bytes, rounds
	return f
}

func (f function) within(bars [2]float64) function {
	f.bars = bars
	return f
}

var functions = []function{
	exponential("exp", math.E, -1000, 30, true, true).like("exp both clamps", 16.1, 4),
	exponential("exp, lower clamp", math.E, -20, 30.4, true, false).like("", 11.3, 4),
	exponential("exp, no clamp", math.E, -13.86, 30.4, false, false).like("exp unclamped", 8, 1),
	exponential("exp2", 2, -1000, 43.9, true, true).like("exp both clamps", 16.1, 4),
	logarithm("log", math.Log, false),
	logarithm("log2", math.Log2, true),
	power("reciprocal", 1./1024, 4096, -1, false, inverse).like("recip > 0", 22, 6),
	power("reciprocal, signed", -4096, 4096, -1, true, inverse).like("recip signed", 24, 6),
	power("rsqrt", 1./1024, 4096, -0.5, false, func(x float64) float64 { return 1 / math.Sqrt(x) }).like("rsqrt", 22, 6),
	power("sqrt", 1./1024, 4096, 0.5, false, math.Sqrt).like("sqrt", 22, 6),
	power("cbrt", -4096, 4096, 1./3, true, math.Cbrt),
	power("x^2.7", 0, 100, 2.7, false, func(x float64) float64 { return math.Pow(x, 2.7) }).like("pow 2.7", 22, 6).within(ofPower(2.7)),
	power("x^7", 0, 8, 7, false, func(x float64) float64 { return math.Pow(x, 7) }).like("pow 7", 22, 6).within(ofPower(7)),
	logarithm("log", math.Log, false).total(231).narrowLog(false), logarithm("log2", math.Log2, true).total(231).narrowLog(true),
	power("reciprocal", 1./1024, 4096, -1, false, inverse).total(235),
	power("rsqrt", 1./1024, 4096, -0.5, false, func(x float64) float64 { return 1 / math.Sqrt(x) }).total(235),
	power("sqrt", 1./1024, 4096, 0.5, false, math.Sqrt).total(0),
	power("x^2.7", 0, 100, 2.7, false, func(x float64) float64 { return math.Pow(x, 2.7) }).total(0).within(ofPower(2.7)),
	division("divide", -4096, 4096, -100, 100, 0).like("divide y/x, y in -100..100", 32, 6),
	division("divide, wide", -1<<40, 1<<40, -1e6, 1e6, 59).like("", 0, 0),
	{
		name: "x^y", lo: 0.1, hi: 10, second: [2]float64{-2, 2}, bars: ofExp, near: hexits(false),
		want: func(_ settings, x, y float64) float64 { return math.Pow(x, y) },
		f: func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.PowerSecret(op, x, y, f.In, f, mpc.Normal{})
		},
		oracle: "pow x^y, y in -2..2", more: [2]int{3 + 32, 3 + 56}, zero: true, // the upper clamp: a comparison
	},
	windowed("sigmoid", false, 326), windowed("tanh", false, 361), windowed("erf", false, 198), windowed("erfc", false, 198),
	windowed("gelu", false, 239), windowed("gelu_tanh", false, 240), windowed("silu", false, 469), windowed("softplus", false, 353),
	windowed("sigmoid", true, 188), windowed("tanh", true, 205), windowed("erf", true, 141), windowed("erfc", true, 141),
	windowed("gelu", true, 161), windowed("gelu_tanh", true, 163), windowed("silu", true, 240), windowed("softplus", true, 198),
	known("sigmoid/8", -8, 8, ofWindow, func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }).like("sigmoid, range known", 8, 1),
	known("reciprocal/2", 1, 2, ofWindow, inverse).like("recip, range known [1, 2]", 8, 1),
	known("reciprocal/16", 1, 16, ofWindow, inverse).like("", 8, 1),
	known("atan", -1, 1, ofLog, math.Atan).like("", 8, 1),
	{
		name: "sin", lo: -1e4, hi: 1e4, domain: exactFloats, bars: ofSin, want: at(math.Sin), bytes: 8, rounds: 1, oracle: "sin",
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			s, _ := p.SinCos(op, x, f)
			return s
		},
	},
	{
		name: "cos", lo: -1e4, hi: 1e4, domain: exactFloats, bars: ofSin, want: at(math.Cos), bytes: 8, rounds: 1, oracle: "cos",
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			_, c := p.SinCos(op, x, f)
			return c
		},
	},
	{
		name: "floor", lo: -1e4, hi: 1e4, want: at(math.Floor), oracle: "floor",
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.FloorReal(op, x, f.In, false)
		},
	},
}

// ofPower adds what a times the logarithm's error makes of the result: 2^−22
// or 2^−31 of the table and as much of the opened exponent.
func ofPower(a float64) [2]float64 {
	return [2]float64{4e-6 + a*math.Ldexp(math.Ln2, -22), 2e-8 + a*math.Ldexp(math.Ln2, -31)}
}

func logarithm(name string, want func(x float64) float64, two bool) function {
	return function{
		name: name, lo: 1. / 1024, hi: 4096, log: true, bars: ofLog, near: hexits(false), bytes: 17.5, rounds: 5, oracle: name,
		more: [2]int{3, 3}, zero: true,
		want: notZero(want), domain: digits(false),
		f: func(p *Party, op *flow.Op, x, _ mpc.Secret, f mpc.Fixed, _ settings) mpc.Secret {
			return p.Log(op, x, f, mpc.Normal{}, two)
		},
	}
}

func division(name string, lo, hi, lowest, highest float64, width int) function {
	f := function{
		name: name, lo: lo, hi: hi, log: true, second: [2]float64{lowest, highest}, bars: ofExp, near: hexits(true), more: [2]int{3, 3},
		zero: true, domain: digits(true),
		want: func(c settings, x, y float64) float64 {
			if x == 0 {
				x = c.unit()
			}
			return y / x
		},
		f: func(p *Party, op *flow.Op, x, y mpc.Secret, f mpc.Fixed, c settings) mpc.Secret {
			w := width
			if w > 0 && c.k > 64 {
				w = 91
			}
			return p.Divide(op, y, f.In, x, f, mpc.Normal{Signed: true, Width: w}, false)
		},
	}
	if width > 0 {
		f.domain = func(settings) (lo, hi int64) { return 1 - 1<<59, 1<<59 - 1 }
	}
	return f
}

// interval is where errors are stated.
func (f function) interval() string {
	s := fmt.Sprintf("[%.4g, %.4g]", f.lo, f.hi)
	if f.second != [2]float64{} {
		s += fmt.Sprintf(", y in [%g, %g]", f.second[0], f.second[1])
	}
	return s
}
