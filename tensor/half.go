package tensor

import "math"

// F16ToFloat returns the value of an IEEE 754 binary16 bit pattern, exactly.
func F16ToFloat(h uint16) float64 {
	sign := 1.0
	if h>>15 != 0 {
		sign = -1
	}
	exp, man := int(h>>10)&31, float64(h&1023)
	switch exp {
	case 0:
		return sign * math.Ldexp(man, -24)
	case 31:
		if man != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+man, exp-25)
}

// FloatToF16 returns the bit pattern of x as an IEEE 754 binary16, rounded to nearest, ties to even.
func FloatToF16(x float64) uint16 {
	var sign uint16
	if math.Signbit(x) {
		sign, x = 1<<15, -x
	}
	switch {
	case math.IsNaN(x):
		return sign | 0x7e00
	case math.IsInf(x, 0):
		return sign | 0x7c00
	case x == 0:
		return sign
	}
	_, e := math.Frexp(x) // x in [2^(e-1), 2^e)
	if e < -13 {
		e = -13 // subnormal: unit 2^-24
	}
	m := math.RoundToEven(math.Ldexp(x, 11-e)) // 11 significant bits
	if m == 2048 {
		m, e = 1024, e+1
	}
	if m < 1024 {
		return sign | uint16(m)
	}
	if e+14 >= 31 {
		return sign | 0x7c00
	}
	return sign | uint16(e+14)<<10 | uint16(m-1024)
}

// FloatToBF16 returns the bit pattern of x as a bfloat16 (the upper half of a float32), rounded to nearest, ties to
// even.
func FloatToBF16(x float64) uint16 {
	if math.IsNaN(x) {
		return 0x7fc0
	}
	f := float32(x)
	b := math.Float32bits(f)
	// The float32 is rounded to odd, so that the second rounding is not a double rounding.
	if d := float64(f); d != x && b&1 == 0 && !math.IsInf(d, 0) {
		if (math.Abs(d) < math.Abs(x)) || b == 0 {
			b |= 1
		} else {
			b--
		}
	}
	if b&0x7fffffff >= 0x7f800000 {
		return uint16(b >> 16)
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}
