package maps

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Linear is a linear map with public integer coefficients from one or more
// vectors to one vector, over any ring.
type Linear interface {
	// In lists the operands' lengths.
	In() []int
	// Out is the result's length.
	Out() int
	// Apply sets dst to the map of src, all over one ring. dst overlaps no
	// operand.
	Apply(dst ring.Vec, src ...ring.Vec)
	// Growth bounds how many bits longer a result can be than the longest
	// operand element: the logarithm of the largest row sum of magnitudes,
	// rounded up.
	Growth() int
}

// Copies is implemented by linear maps that only copy elements (and put
// zeros): they may be applied to values that wrap in a ring of their own, to
// bits and to public arrays as well.
type Copies interface {
	Linear
	View() tensor.View
}

// View is the linear map that copies by a view; fill is zero. Lens are the
// operands' lengths, which add up to the view's In.
type View struct {
	Lens []int
	Rule tensor.View
}

// NewView makes the map of a view of operands of the given lengths.
func NewView(v tensor.View, lens ...int) View {
	total := 0
	for _, n := range lens {
		total += n
	}
	if total != v.In {
		panic(fmt.Sprintf("maps: view over %d elements of operands of %v", v.In, lens))
	}
	return View{lens, v}
}

// In lists the operands' lengths.
func (v View) In() []int { return v.Lens }

// Out is the result's length.
func (v View) Out() int { return v.Rule.Shape.Size() }

// Growth is 0: elements are copied.
func (v View) Growth() int { return 0 }

// View is the rule.
func (v View) View() tensor.View { return v.Rule }

// Apply copies elements.
func (v View) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyWeightless(dst, src) {
		return
	}
	words := make([][]uint64, len(src))
	for i, s := range src {
		words[i] = s.Words()
	}
	switch k := dst.Ring().Words(); {
	case v.Rule.Strided() && len(src) == 1 && k > 1:
		copyRuns(dst.Words(), v.Rule, words[0], k)
	case v.Rule.Strided() && len(src) > 1 || k > 1:
		copyListed(dst.Words(), v.Rule.Index(), words, k)
	default:
		tensor.ApplyTo(dst.Words(), v.Rule, 0, words...)
	}
}

// copyRuns copies elements of k words by a strided view.
func copyRuns(out []uint64, v tensor.View, in []uint64, k int) {
	v.Runs(func(start, stride, n int) {
		if stride == 1 {
			copy(out[:n*k], in[start*k:])
		} else {
			for i := range n {
				copy(out[i*k:(i+1)*k], in[(start+i*stride)*k:])
			}
		}
		out = out[n*k:]
	})
}

// copyListed copies elements of k words by their places in the operands laid
// end to end.
func copyListed(out []uint64, index []int32, src [][]uint64, k int) {
	starts := make([]int, len(src)+1) // in words
	for i, s := range src {
		starts[i+1] = starts[i] + len(s)
	}
	o := 0
	for i, p := range index {
		to := out[i*k : (i+1)*k]
		if p == tensor.Fill {
			clear(to)
			continue
		}
		at := int(p) * k
		for at < starts[o] {
			o--
		}
		for at >= starts[o+1] {
			o++
		}
		from := src[o][at-starts[o]:][:k]
		for j := range to {
			to[j] = from[j]
		}
	}
}

// Combine is Σ Coef_i·operand_i of equally long operands.
type Combine struct {
	N    int
	Coef []int64
}

// In lists the operands' lengths.
func (c Combine) In() []int {
	in := make([]int, len(c.Coef))
	for i := range in {
		in[i] = c.N
	}
	return in
}

// Out is the result's length.
func (c Combine) Out() int { return c.N }

// Growth is the logarithm of the sum of the coefficients' magnitudes.
func (c Combine) Growth() int {
	var hi, lo, carry uint64 // the sum of two coefficients may take 65 bits
	for _, x := range c.Coef {
		lo, carry = bits.Add64(lo, magnitude(x), 0)
		hi += carry
	}
	switch {
	case hi == 0:
		return log2ceil(lo)
	case lo == 0:
		return 64 + log2ceil(hi)
	}
	return 64 + log2ceil(hi+1)
}

// Apply adds up the operands.
func (c Combine) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyWeightless(dst, src) {
		return
	}
	if len(c.Coef) == 0 {
		clear(dst.Words())
	}
	for i, x := range c.Coef {
		switch {
		case i == 0 && x == 1 && len(c.Coef) > 1 && c.Coef[1] == 1:
			ring.Add(dst, src[0], src[1])
		case i == 0 && x == 1 && len(c.Coef) > 1 && c.Coef[1] == -1:
			ring.Sub(dst, src[0], src[1])
		case i == 1 && c.Coef[0] == 1 && (x == 1 || x == -1): // done above
		case i == 0 && x == 1:
			copy(dst.Words(), src[0].Words())
		case i == 0 && x == -1:
			ring.Neg(dst, src[0])
		case i == 0:
			ring.Scale(dst, src[0], x)
		case x == 1:
			ring.Add(dst, dst, src[i])
		case x == -1:
			ring.Sub(dst, dst, src[i])
		default:
			t := dst.BlankLike(dst.Ring(), c.N)
			ring.Scale(t, src[i], x)
			ring.Add(dst, dst, t)
			t.Free()
		}
	}
}

// Shift multiplies by 2^By.
type Shift struct{ N, By int }

// In lists the operand's length.
func (s Shift) In() []int { return []int{s.N} }

// Out is the result's length.
func (s Shift) Out() int { return s.N }

// Growth is By.
func (s Shift) Growth() int { return s.By }

// Apply shifts left.
func (s Shift) Apply(dst ring.Vec, src ...ring.Vec) { ring.Lsh(dst, src[0], s.By) }

// Times multiplies element by element with public integers. Values are read
// in the ring they are given in and must fit a narrower ring of use.
type Times struct {
	By   ring.Vec
	Bits int // magnitudes are at most 2^Bits
}

// In lists the operand's length.
func (t Times) In() []int { return []int{t.By.Len()} }

// Out is the result's length.
func (t Times) Out() int { return t.By.Len() }

// Growth is Bits.
func (t Times) Growth() int { return t.Bits }

// Apply multiplies.
func (t Times) Apply(dst ring.Vec, src ...ring.Vec) {
	inRing(t.By, dst.Ring(), func(by ring.Vec) { ring.Mul(dst, src[0], by) })
}

// Sum adds groups of elements: the operand has the shape Outer×Reduced×Inner
// and the result Outer×Inner.
type Sum struct{ Outer, Reduced, Inner int }

// In lists the operand's length.
func (s Sum) In() []int { return []int{s.Outer * s.Reduced * s.Inner} }

// Out is the result's length.
func (s Sum) Out() int { return s.Outer * s.Inner }

// Growth is the logarithm of Reduced.
func (s Sum) Growth() int { return log2ceil(uint64(s.Reduced)) }

// Apply adds up.
func (s Sum) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyWeightless(dst, src) {
		return
	}
	clear(dst.Words())
	for o := range s.Outer {
		for r := range s.Reduced {
			accumulate(dst, o*s.Inner, src[0], (o*s.Reduced+r)*s.Inner, s.Inner)
		}
	}
	reduce(dst)
}

// Gathered sums elements by index: result i is the sum of the Terms operand
// elements that Index lists from place i·Terms on, tensor.Fill standing for
// none. Index is called when needed and must give the same each time.
type Gathered struct {
	From, To, Terms int
	Index           func() []int32
}

// In lists the operand's length.
func (g Gathered) In() []int { return []int{g.From} }

// Out is the result's length.
func (g Gathered) Out() int { return g.To }

// Growth is the logarithm of Terms.
func (g Gathered) Growth() int { return log2ceil(uint64(g.Terms)) }

// Apply adds up.
func (g Gathered) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyWeightless(dst, src) {
		return
	}
	index := g.Index()
	clear(dst.Words())
	for i := range g.To {
		for _, p := range index[i*g.Terms : (i+1)*g.Terms] {
			if p != tensor.Fill {
				accumulate(dst, i, src[0], int(p), 1)
			}
		}
	}
	reduce(dst)
}

// accumulate adds n elements of src, from place at on, to those of dst from
// place to on: in a cyclic ring, or else as integers modulo 2^(64k), k words an
// element, which reduce brings into the ring in the end.
func accumulate(dst ring.Vec, to int, src ring.Vec, at, n int) {
	if dst.Ring().Cyclic {
		part := dst.Slice(to, to+n)
		ring.Add(part, part, src.Slice(at, at+n))
		return
	}
	k := dst.Ring().Words()
	addWords(dst.Words()[to*k:(to+n)*k], src.Words()[at*k:(at+n)*k], k)
}

// addWords adds elements of k words, as integers modulo 2^(64k).
func addWords(sum, in []uint64, k int) {
	in = in[:len(sum)]
	switch k {
	case 1:
		for i, x := range in {
			sum[i] += x
		}
	case 2:
		for i := 0; i+1 < len(sum); i += 2 {
			lo, c := bits.Add64(sum[i], in[i], 0)
			sum[i], sum[i+1] = lo, sum[i+1]+in[i+1]+c
		}
	default:
		for i := 0; i < len(sum); i += k {
			var c uint64
			for j := i; j < i+k; j++ {
				sum[j], c = bits.Add64(sum[j], in[j], c)
			}
		}
	}
}

// reduce brings what addWords left into the ring.
func reduce(v ring.Vec) {
	if !v.Ring().Cyclic {
		ring.FromWords(v.Ring(), v.Words())
	}
}

// With is a bilinear map with one operand public: B(Public, x), or
// B(x, Public) if Right.
type With struct {
	B      Bilinear
	Public ring.Vec
	Right  bool
	Bits   int // the growth: logarithm of the largest row sum of magnitudes
}

// In lists the operand's length.
func (w With) In() []int {
	l, r := w.B.In()
	if w.Right {
		return []int{l}
	}
	return []int{r}
}

// Out is the result's length.
func (w With) Out() int { return w.B.Out() }

// Growth is Bits.
func (w With) Growth() int { return w.Bits }

// Apply multiplies by the public operand.
func (w With) Apply(dst ring.Vec, src ...ring.Vec) {
	inRing(w.Public, dst.Ring(), func(p ring.Vec) {
		if w.Right {
			w.B.Apply(dst, src[0], p)
		} else {
			w.B.Apply(dst, p, src[0])
		}
	})
}

// inRing gives f public integers in the ring of use.
func inRing(v ring.Vec, r ring.Ring, f func(v ring.Vec)) {
	if v.Ring() == r {
		f(v)
		return
	}
	out := v.Like(r, v.Len())
	switch {
	case v.Weightless():
	case r.Cyclic || v.Ring().Cyclic:
		ints := make([]*big.Int, v.Len())
		for i := range ints {
			ints[i] = v.Int(i)
		}
		out = ring.FromBig(r, ints)
	case r.Bits < v.Ring().Bits:
		ring.Low(out, v)
	default:
		ring.SignExtend(out, v)
	}
	f(out)
	out.Free()
}

// anyWeightless reports whether there is nothing to compute on, and checks
// that all are over one ring.
func anyWeightless(dst ring.Vec, src []ring.Vec) bool {
	none := dst.Weightless() && dst.Len() > 0
	for _, s := range src {
		if s.Ring() != dst.Ring() {
			panic(fmt.Sprintf("maps: operand over %v for a result over %v", s.Ring(), dst.Ring()))
		}
		none = none || s.Weightless() && s.Len() > 0
	}
	return none
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// log2ceil is the least e with x ≤ 2^e; 0 for x ≤ 1.
func log2ceil(x uint64) int {
	if x <= 1 {
		return 0
	}
	return bits.Len64(x - 1)
}
