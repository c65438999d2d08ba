package ring

import (
	"fmt"
	"slices"
	"testing"
)

// bitsOperand marks a bit vector among the rings of a function's operands.
var bitsOperand = Ring{}

// A call is a function that writes into its first operands, with the rings of all of them. run gets
// each operand in v or in b.
type call struct {
	name  string
	rings []Ring
	run   func(v []Vec, b []Bits)
}

func calls() []call {
	r := Z(65)
	two, three := []Ring{r, r}, []Ring{r, r, r}
	out := []call{
		{"Neg", two, func(v []Vec, _ []Bits) { Neg(v[0], v[1]) }},
		{"Scale", two, func(v []Vec, _ []Bits) { Scale(v[0], v[1], -5) }},
		{"Affine", two, func(v []Vec, _ []Bits) { Affine(v[0], v[1], 3, -5) }},
		{"AddInt", two, func(v []Vec, _ []Bits) { AddInt(v[0], v[1], -5) }},
		{"AddPow", two, func(v []Vec, _ []Bits) { AddPow(v[0], v[1], 64, true) }},
		{"Lsh", two, func(v []Vec, _ []Bits) { Lsh(v[0], v[1], 3) }},
		{"Arsh", two, func(v []Vec, _ []Bits) { Arsh(v[0], v[1], 3) }},
		{"Rsh", []Ring{r, Z(8)}, func(v []Vec, _ []Bits) { Rsh(v[0], v[1], 3) }},
		{"Low", []Ring{Z(8), r}, func(v []Vec, _ []Bits) { Low(v[0], v[1]) }},
		{"Digit", []Ring{Z(8), r}, func(v []Vec, _ []Bits) { Digit(v[0], v[1], 60) }},
		{"SignExtend", []Ring{r, Z(8)}, func(v []Vec, _ []Bits) { SignExtend(v[0], v[1]) }},
		{"FromBits", []Ring{r, bitsOperand}, func(v []Vec, b []Bits) { FromBits(v[0], b[1]) }},
		{"CountDifferences", []Ring{Z(6), Z(64), Z(6)}, func(v []Vec, _ []Bits) { CountDifferences(v[0], v[1], v[2], 3, 1, true) }},
		{"Choose", []Ring{r, r, r, bitsOperand}, func(v []Vec, b []Bits) { Choose(v[0], v[1], v[2], b[3]) }},
		{"MatMul", three, func(v []Vec, _ []Bits) { MatMul(v[0], v[1], v[2], v[0].Len(), 1, 1, 1) }},
		{"Convolve", three, func(v []Vec, _ []Bits) {
			n := v[0].Len() // one channel for every element
			c := plane(1, 1)
			c.InChannels, c.OutChannels, c.Groups = n, n, max(n, 1)
			Convolve(v[0], v[1], v[2], c)
		}},
		{"Not", []Ring{bitsOperand, bitsOperand}, func(_ []Vec, b []Bits) { Not(b[0], b[1]) }},
		{"LookUpDigit", []Ring{bitsOperand, bitsOperand, bitsOperand, Z(64)}, func(v []Vec, b []Bits) {
			LookUpDigit(b[0], b[1], b[2], v[3], 0, 1, true)
		}},
	}
	m := M(65)
	for _, c := range slices.Clone(out) {
		switch c.name {
		case "Neg", "Scale", "AddInt", "AddPow", "Lsh", "FromBits", "MatMul", "Convolve":
			c.name = "cyclic " + c.name
			c.rings = slices.Clone(c.rings)
			for i, have := range c.rings {
				if have == r {
					c.rings[i] = m
				}
			}
			out = append(out, c)
		}
	}
	for _, r := range []Ring{Z(64), Z(104), Z(160), Z(200), m, M(128)} {
		out = append(out, call{"MulAddSmall over " + r.String(), []Ring{r, r}, func(v []Vec, _ []Bits) {
			MulAddSmall(v[0], v[1], nil) // the integers are missing in a dry run too
		}})
		if r.Bits > 64 {
			out = append(out, call{"TruncateReduce from " + r.String(), []Ring{Z(r.Bits - 64), r}, func(v []Vec, _ []Bits) { TruncateReduce(v[0], v[1], 64, -1) }})
		}
		if r.Cyclic {
			out = append(out, call{"MulAddRotated over " + r.String(), []Ring{r, r}, func(v []Vec, _ []Bits) { MulAddRotated(v[0], v[1], nil, nil) }})
		}
	}
	for _, op := range elementwise {
		if op.name != "Neg" {
			out = append(out, call{"cyclic " + op.name, []Ring{m, m, m}, func(v []Vec, _ []Bits) { op.run(v[0], v[1], v[2]) }})
		}
		if op.name != "Neg" {
			out = append(out, call{op.name, three, func(v []Vec, _ []Bits) { op.run(v[0], v[1], v[2]) }})
		}
	}
	for _, op := range bitwise {
		if op.name != "Not" {
			out = append(out, call{op.name, make([]Ring, 3), func(_ []Vec, b []Bits) { op.run(b[0], b[1], b[2]) }})
		}
	}
	return out
}

// If any operand is shape-only, functions do not panic and leave operands with storage unchanged.
// Every combination is tested.
func TestShapeOnlyOperands(t *testing.T) {
	for _, c := range calls() {
		t.Run(c.name, func(t *testing.T) {
			for _, n := range []int{0, 1, 65} {
				for mix := 1; mix < 1<<len(c.rings); mix++ {
					rng := source(1)
					v, b := make([]Vec, len(c.rings)), make([]Bits, len(c.rings))
					v0, b0 := make([]Vec, len(c.rings)), make([]Bits, len(c.rings))
					for i, r := range c.rings {
						switch empty := mix>>i&1 == 1; {
						case r == bitsOperand && empty:
							b[i] = ShapeOnlyBits(n)
						case r == bitsOperand:
							b[i] = randomBits(n, rng)
						case empty:
							v[i] = ShapeOnly(r, n)
						default:
							v[i] = random(r, n, rng)
						}
						v0[i], b0[i] = v[i].Clone(), b[i].Clone()
					}
					c.run(v, b)
					for i := range c.rings {
						what := fmt.Sprintf("operand %d of %d elements, shapeOnly %b", i, n, mix)
						same(t, what, v[i], v0[i])
						sameBits(t, what, b[i], b0[i])
					}
				}
			}
		})
	}
}

// Functions that make a vector from shape-only operands make a shape-only one.
func TestShapeOnlyResults(t *testing.T) {
	for _, n := range []int{0, 1, 65, -1, -65} {
		r := Z(65)
		if n < 0 { // the same width in the other kind of ring
			n, r = -n, M(65)
		}
		none, real := ShapeOnly(r, n), random(r, n, source(1))
		vecs := map[string]struct{ got, want Vec }{
			"Clone":              {none.Clone(), none},
			"Like":               {none.Like(Z(3), 7), ShapeOnly(Z(3), 7)},
			"Slice":              {none.Slice(n/2, n), ShapeOnly(r, n-n/2)},
			"Sum":                {Sum(none, none), none},
			"LikeVec":            {ShapeOnlyBits(n).LikeVec(Z(3), 7), ShapeOnly(Z(3), 7)},
			"Sum, first is real": {Sum(real, none, real), none},
			"Sum, last is real":  {Sum(none, none, real), none},
			"Reader": {func() Vec {
				return NewReader(Payload{Len: (65*n + 7) / 8}).Vec(r, n)
			}(), none},
		}
		for name, v := range vecs {
			same(t, name, v.got, v.want)
		}
		bits := map[string]struct{ got, want Bits }{
			"Bit":      {Bit(ShapeOnly(Z(65), n), 64), ShapeOnlyBits(n)},
			"Clone":    {ShapeOnlyBits(n).Clone(), ShapeOnlyBits(n)},
			"Like":     {ShapeOnlyBits(n).Like(7), ShapeOnlyBits(7)},
			"LikeBits": {LikeBits(none, 7), ShapeOnlyBits(7)},
			"Reader":   {NewReader(Payload{Len: (n + 7) / 8}).Bits(n), ShapeOnlyBits(n)},
		}
		for name, b := range bits {
			sameBits(t, name, b.got, b.want)
		}
		if !none.ShapeOnly() || none.Words() != nil || none.Ring() != r || none.Len() != n || none.Bytes() != real.Bytes() {
			t.Errorf("shapeOnly vector of %d: %d of %v, %d bytes", n, none.Len(), none.Ring(), none.Bytes())
		}
		if b := ShapeOnlyBits(n); !b.ShapeOnly() || b.Words() != nil || b.Len() != n || b.Bytes() != NewBits(n).Bytes() {
			t.Errorf("shapeOnly bits of %d: %d in %d bytes", n, b.Len(), b.Bytes())
		}
		none.Free()
		p := NewPRG(Seed{})
		p.Vec(none, 1, 0)
		p.Bits(ShapeOnlyBits(n), 1, 0)
	}
	var zero Vec
	zero.Free()
	same(t, "clone of the zero Vec", zero.Clone(), zero)
}

// Lengths and rings are checked in a dry run as well, so that it detects a programmer's error.
func TestShapeOnlyMismatchPanics(t *testing.T) {
	a, short := ShapeOnly(Z(8), 4), ShapeOnly(Z(8), 3)
	panics(t, "Add", func() { Add(a, a, short) })
	panics(t, "Mul", func() { Mul(a, ShapeOnly(Z(9), 4), a) })
	panics(t, "Rsh", func() { Rsh(a, short, 1) })
	panics(t, "FromBits", func() { FromBits(a, ShapeOnlyBits(3)) })
	panics(t, "And", func() { And(ShapeOnlyBits(3), ShapeOnlyBits(3), ShapeOnlyBits(4)) })
	panics(t, "MatMul", func() { MatMul(a, a, short, 1, 2, 2, 2) })
	panics(t, "Convolve", func() { Convolve(a, a, short, plane(1, 1)) })
	panics(t, "LookUpDigit", func() { LookUpDigit(ShapeOnlyBits(4), ShapeOnlyBits(4), ShapeOnlyBits(27), a, 0, 3, true) })
}
