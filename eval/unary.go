package eval

import (
	"math"
	"math/bits"
	"math/cmplx"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// unaryOp is an operation of one operand and a result of the same type, with a function for each
// kind of element. Integer words are sign- or zero-extended to 64 bits and truncated afterwards.
// Floats are computed in float64 and rounded once to the element type. The operation is not defined
// for a kind without a function.
type unaryOp struct {
	float func(float64) float64
	word  func(uint64, width) uint64
	cmplx func(complex128) complex128
}

// Float returns the function of reals that the elementwise operation of one operand with the given full name
// computes; nil if there is none.
func Float(name string) func(float64) float64 { return unaries[name].float }

// width is the interpretation of an integer's 64-bit word; Bool has 1 bit.
type width struct {
	bits   int
	signed bool
}

func widthOf(d tensor.DType) width { return width{d.Bits(), d.IsSigned()} }

// mask has the low w.bits bits set.
func (w width) mask() uint64 { return math.MaxUint64 >> (64 - w.bits) }

var unaries = map[string]unaryOp{
	hlo.OpCbrt:                {float: math.Cbrt, cmplx: func(z complex128) complex128 { return cmplx.Pow(z, 1.0/3) }},
	hlo.OpCeil:                {float: math.Ceil},
	hlo.OpCosine:              {float: math.Cos, cmplx: cmplx.Cos},
	hlo.OpCountLeadingZeros:   {word: leadingZeros},
	hlo.OpExponential:         {float: math.Exp, cmplx: cmplx.Exp},
	hlo.OpExponentialMinusOne: {float: math.Expm1, cmplx: expm1},
	hlo.OpFloor:               {float: math.Floor},
	hlo.OpLog:                 {float: math.Log, cmplx: cmplx.Log},
	hlo.OpLogPlusOne:          {float: math.Log1p, cmplx: log1p},
	hlo.OpLogistic:            {float: logistic, cmplx: func(z complex128) complex128 { return 1 / (1 + cmplx.Exp(-z)) }},
	hlo.OpNegate: {
		float: func(x float64) float64 { return -x },
		word:  negate,
		cmplx: func(z complex128) complex128 { return -z },
	},
	hlo.OpNot:              {word: func(x uint64, _ width) uint64 { return ^x }},
	hlo.OpPopcnt:           {word: func(x uint64, w width) uint64 { return uint64(bits.OnesCount64(x & w.mask())) }},
	hlo.OpRoundNearestAfz:  {float: math.Round},
	hlo.OpRoundNearestEven: {float: math.RoundToEven},
	hlo.OpRsqrt: {
		float: func(x float64) float64 { return 1 / math.Sqrt(x) },
		cmplx: func(z complex128) complex128 { return 1 / cmplx.Sqrt(z) },
	},
	hlo.OpSign: {float: signFloat, word: signWord, cmplx: signComplex},
	hlo.OpSine: {float: math.Sin, cmplx: cmplx.Sin},
	hlo.OpSqrt: {float: math.Sqrt, cmplx: cmplx.Sqrt},
	hlo.OpTan:  {float: math.Tan, cmplx: cmplx.Tan},
	hlo.OpTanh: {float: math.Tanh, cmplx: cmplx.Tanh},

	hlo.OpAcos:      {float: math.Acos, cmplx: cmplx.Acos},
	hlo.OpAcosh:     {float: math.Acosh, cmplx: cmplx.Acosh},
	hlo.OpAsin:      {float: math.Asin, cmplx: cmplx.Asin},
	hlo.OpAsinh:     {float: math.Asinh, cmplx: cmplx.Asinh},
	hlo.OpAtan:      {float: math.Atan, cmplx: cmplx.Atan},
	hlo.OpAtanh:     {float: math.Atanh, cmplx: cmplx.Atanh},
	hlo.OpBesselI1e: {float: besselI1e},
	hlo.OpConj:      {float: func(x float64) float64 { return x }, word: func(x uint64, _ width) uint64 { return x }, cmplx: cmplx.Conj},
	hlo.OpCosh:      {float: math.Cosh, cmplx: cmplx.Cosh},
	hlo.OpDigamma:   {float: digamma},
	hlo.OpErf:       {float: math.Erf},
	hlo.OpErfInv:    {float: math.Erfinv},
	hlo.OpErfc:      {float: math.Erfc},
	hlo.OpLgamma:    {float: lgamma},
	hlo.OpSinh:      {float: math.Sinh, cmplx: cmplx.Sinh},
	hlo.OpSquare: {
		float: func(x float64) float64 { return x * x },
		word:  func(x uint64, _ width) uint64 { return x * x },
		cmplx: func(z complex128) complex128 { return z * z },
	},
}

func (u unaryOp) run(c *call) ([]*tensor.Array, error) {
	x := c.args[0]
	switch d := x.DType; {
	case d.IsFloat():
		return one(mapFloats(x, u.float)), nil
	case d.IsComplex():
		z := complexes(x)
		out := make([]complex128, len(z))
		for i, v := range z {
			out[i] = u.cmplx(v)
		}
		return one(fromComplexes(d, x.Shape, out)), nil
	default:
		in, w := x.Words(), widthOf(d)
		out := make([]uint64, len(in))
		for i, v := range in {
			out[i] = u.word(v, w)
		}
		return one(tensor.FromWords(d, x.Shape, out)), nil
	}
}

// check returns an error for element types without a function.
func (u unaryOp) check(op *hlo.Op) error {
	return requireElements(op, u.float != nil, u.cmplx != nil, u.word != nil)
}

// mapFloats applies f to every element of a float array.
func mapFloats(x *tensor.Array, f func(float64) float64) *tensor.Array {
	if in, ok := x.Data.([]float32); ok {
		out := make([]float32, len(in))
		for i, v := range in {
			out[i] = float32(f(float64(v)))
		}
		return &tensor.Array{Type: x.Type, Data: out}
	}
	in := x.Floats()
	out := make([]float64, len(in))
	for i, v := range in {
		out[i] = f(v)
	}
	return tensor.FromFloats(x.DType, x.Shape, out)
}

func negate(x uint64, _ width) uint64 { return -x }

func leadingZeros(x uint64, w width) uint64 {
	return uint64(bits.LeadingZeros64(x&w.mask()) - (64 - w.bits))
}

func signWord(x uint64, w width) uint64 {
	switch {
	case x == 0:
		return 0
	case w.signed && int64(x) < 0:
		return math.MaxUint64
	}
	return 1
}

func signFloat(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x // NaN and zeros
}

func signComplex(z complex128) complex128 {
	if z == 0 {
		return 0
	}
	return z / complex(cmplx.Abs(z), 0)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

func lgamma(x float64) float64 { y, _ := math.Lgamma(x); return y }

// expm1 is exp(z)-1 without cancellation near 0: exp(a+ib)-1 = expm1(a)·cos b - 2·sin²(b/2) +
// i·exp(a)·sin b.
func expm1(z complex128) complex128 {
	a, b := real(z), imag(z)
	s := math.Sin(b / 2)
	return complex(math.Expm1(a)*math.Cos(b)-2*s*s, math.Exp(a)*math.Sin(b))
}

// log1p is log(1+z). Near 0, |1+z|² - 1 = a(2+a) + b² avoids cancellation.
func log1p(z complex128) complex128 {
	a, b := real(z), imag(z)
	if math.Abs(a) < 0.5 && math.Abs(b) < 0.5 {
		return complex(math.Log1p(a*(2+a)+b*b)/2, math.Atan2(b, 1+a))
	}
	return cmplx.Log(1 + z)
}
