package ring

import (
	"testing"

	"pgregory.net/rapid"
)

func bools(b Bits) []bool {
	out := make([]bool, b.n)
	for i := range out {
		out[i] = b.Get(i) == 1
	}
	return out
}

var bitwise = []struct {
	name  string
	alias bool
	run   func(dst, a, b Bits)
	want  func(d, a, b bool) bool
}{
	{"Xor", true, Xor, func(_, a, b bool) bool { return a != b }},
	{"And", true, And, func(_, a, b bool) bool { return a && b }},
	{"XorAnd", false, XorAnd, func(d, a, b bool) bool { return d != (a && b) }},
	{"Not", true, func(dst, a, _ Bits) { Not(dst, a) }, func(_, a, _ bool) bool { return !a }},
}

func TestBitwise(t *testing.T) {
	for _, op := range bitwise {
		t.Run(op.name, func(t *testing.T) {
			rng := source(1)
			for _, n := range lengths {
				a, b, dst := randomBits(n, rng), randomBits(n, rng), randomBits(n, rng)
				x, y, d := bools(a), bools(b), bools(dst)
				want := make([]bool, n)
				for i := range want {
					want[i] = op.want(d[i], x[i], y[i])
				}
				op.run(dst, a, b)
				sameBits(t, op.name, dst, BitsOf(want))
				sameBits(t, "left operand", a, BitsOf(x))
				sameBits(t, "right operand", b, BitsOf(y))
				if op.alias {
					in := a.Clone()
					op.run(in, in, b)
					sameBits(t, op.name+" into the left operand", in, BitsOf(want))
					op.run(b, a, b)
					sameBits(t, op.name+" into the right operand", b, BitsOf(want))
				}
			}
		})
	}
}

func TestBitsParts(t *testing.T) {
	rng := source(2)
	for _, n := range lengths {
		b := randomBits(n, rng)
		if words := (n + 63) / 64; b.Len() != n || len(b.Words()) != words || b.Bytes() != int64(8*words) || b.ShapeOnly() {
			t.Fatalf("%d bits: length %d, %d words, %d bytes", n, b.Len(), len(b.Words()), b.Bytes())
		}
		c := b.Clone()
		Not(c, c)
		Not(c, c)
		sameBits(t, "Clone, turned twice", c, b)
		sameBits(t, "Like", b.Like(70), NewBits(70))
		sameBits(t, "LikeBits", LikeBits(New(Z(9), 3), n), NewBits(n))
		same(t, "LikeVec", b.LikeVec(Z(65), 3), New(Z(65), 3))
	}
}

func TestBitsLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := drawLen(t, "n")
		draw := func(name string) Bits { return randomBits(n, source(rapid.Uint64().Draw(t, name))) }
		a, b, c := draw("a"), draw("b"), draw("c")
		do := func(f func(dst, a, b Bits), a, b Bits) Bits {
			dst := NewBits(n)
			f(dst, a, b)
			return dst
		}
		not := func(a Bits) Bits {
			dst := NewBits(n)
			Not(dst, a)
			return dst
		}
		sameBits(t, "a⊕a = 0", do(Xor, a, a), NewBits(n))
		sameBits(t, "a∧(b⊕c) = a∧b ⊕ a∧c", do(And, a, do(Xor, b, c)), do(Xor, do(And, a, b), do(And, a, c)))
		sameBits(t, "¬(a⊕b) = ¬a⊕b", not(do(Xor, a, b)), do(Xor, not(a), b))
		sameBits(t, "a∧¬a = 0", do(And, a, not(a)), NewBits(n))
		dst := c.Clone()
		XorAnd(dst, a, b)
		sameBits(t, "c ⊕= a∧b", dst, do(Xor, c, do(And, a, b)))
		sameBits(t, "BitsOf", BitsOf(bools(a)), a)
	})
}
