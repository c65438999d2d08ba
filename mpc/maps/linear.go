package maps

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Linear is a linear map with public integer coefficients from one or more vectors to one vector, over any ring.
// Length means a number of ring elements.
type Linear interface {
	// In returns the lengths of the operands. The caller must not change the slice.
	In() []int
	// Out returns the length of the result.
	Out() int
	// Apply sets dst to the map of src, which has one vector for each operand; all are over one ring and have the
	// lengths In and Out. dst must not overlap an operand. If dst or an operand is shape-only, dst is left unchanged.
	Apply(dst ring.Vec, src ...ring.Vec)
	// Growth returns log2 of the largest row sum of the coefficients' magnitudes, rounded up. If all operands have
	// magnitudes below 2^b, the result's are at most 2^(b+Growth).
	Growth() int
}

// Copies is implemented by the linear maps that only copy elements and insert zeros. Unlike other maps, they may be
// applied to values that use their whole ring, to bits and to public arrays.
type Copies interface {
	Linear
	// View returns the rule by which elements are copied.
	View() tensor.View
}

// View is the linear map that copies elements of the operands, taken one after the other as one vector, as Rule says.
// It inserts zeros where Rule has tensor.Fill. Lens are the operands' lengths; their sum is Rule.In.
type View struct {
	Lens []int
	Rule tensor.View
}

// NewView returns the map that applies v to operands of the lengths lens. It panics if the lengths do not add up to
// v.In.
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

// In returns Lens, not a copy of it.
func (v View) In() []int { return v.Lens }

// Out returns the number of elements of the view.
func (v View) Out() int { return v.Rule.Shape.Size() }

// Growth returns 0, because elements are only copied.
func (v View) Growth() int { return 0 }

// View returns Rule. It implements Copies.
func (v View) View() tensor.View { return v.Rule }

// Apply implements Linear.
func (v View) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyShapeOnly(dst, src) {
		return
	}
	words := make([][]uint64, len(src))
	for i, s := range src {
		words[i] = s.Words()
	}
	k := dst.Ring().Words()
	runs, listed := v.Rule.Listing()
	switch {
	case k == 1 && (len(src) == 1 || !v.Rule.Strided()):
		tensor.ApplyTo(dst.Words(), v.Rule, 0, words...)
	case v.Rule.Strided() && len(src) == 1:
		copyRuns(dst.Words(), v.Rule, words[0], k)
	case listed:
		c := copier{out: dst.Words(), src: words, words: k}
		for _, r := range runs {
			c.run(r.From, r.Step, r.N)
		}
	default:
		c := copier{out: dst.Words(), src: words, words: k}
		for _, p := range v.Rule.Index() {
			c.run(int(p), 1, 1)
		}
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

// copier copies elements of several words from operands that lie end to end.
type copier struct {
	out     []uint64 // where the next element is copied to
	src     [][]uint64
	words   int // of an element
	at      int // the operand that was read last
	atStart int // the position of its first element
}

// run copies n elements from a position, step apart; n zeros if the position is tensor.Fill.
func (c *copier) run(from, step, n int) {
	k := c.words
	to := c.out[:n*k]
	c.out = c.out[n*k:]
	if from == tensor.Fill {
		clear(to)
		return
	}
	for len(to) > 0 {
		for from < c.atStart {
			c.at--
			c.atStart -= len(c.src[c.at]) / k
		}
		for from-c.atStart >= len(c.src[c.at])/k {
			c.atStart += len(c.src[c.at]) / k
			c.at++
		}
		in := c.src[c.at][(from-c.atStart)*k:]
		if step != 1 {
			in = in[:k]
		}
		m := copy(to, in)
		to, from = to[m:], from+m/k*step
	}
}

// Combine is the linear map Σ Coef[i]·operand[i] of operands of N elements each.
type Combine struct {
	N    int
	Coef []int64
}

// In returns N once for each coefficient.
func (c Combine) In() []int {
	in := make([]int, len(c.Coef))
	for i := range in {
		in[i] = c.N
	}
	return in
}

// Out returns N.
func (c Combine) Out() int { return c.N }

// Growth returns log2 of the sum of the coefficients' magnitudes, rounded up.
func (c Combine) Growth() int {
	var hi, lo, carry uint64 // a sum of two magnitudes may have 65 bits
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

// Apply implements Linear.
func (c Combine) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyShapeOnly(dst, src) {
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
			t := dst.UninitialisedLike(dst.Ring(), c.N)
			ring.Scale(t, src[i], x)
			ring.Add(dst, dst, t)
			t.Free()
		}
	}
}

// Shift is the linear map that multiplies a vector of N elements by 2^By.
type Shift struct{ N, By int }

// In returns N, the length of the one operand.
func (s Shift) In() []int { return []int{s.N} }

// Out returns N.
func (s Shift) Out() int { return s.N }

// Growth returns By.
func (s Shift) Growth() int { return s.By }

// Apply implements Linear. dst may be the operand.
func (s Shift) Apply(dst ring.Vec, src ...ring.Vec) { ring.Lsh(dst, src[0], s.By) }

// Times is the linear map that multiplies a vector element by element by the public signed integers By. They are
// converted to the operand's ring, in which they must fit.
type Times struct {
	By   ring.Vec // public factors, one for each element
	Bits int      // all magnitudes of By are at most 2^Bits
}

// In returns the number of factors, the length of the one operand.
func (t Times) In() []int { return []int{t.By.Len()} }

// Out returns the number of factors.
func (t Times) Out() int { return t.By.Len() }

// Growth returns Bits.
func (t Times) Growth() int { return t.Bits }

// Apply implements Linear. dst may be the operand.
func (t Times) Apply(dst ring.Vec, src ...ring.Vec) {
	inRing(t.By, dst.Ring(), func(by ring.Vec) { ring.Mul(dst, src[0], by) })
}

// Sum is the linear map that adds groups of elements: its operand has the shape Outer×Reduced×Inner, and its result,
// of the shape Outer×Inner, is the sum over the middle dimension.
type Sum struct{ Outer, Reduced, Inner int }

// In returns Outer·Reduced·Inner, the length of the one operand.
func (s Sum) In() []int { return []int{s.Outer * s.Reduced * s.Inner} }

// Out returns Outer·Inner.
func (s Sum) Out() int { return s.Outer * s.Inner }

// Growth returns log2 of Reduced, rounded up.
func (s Sum) Growth() int { return log2ceil(uint64(s.Reduced)) }

// Apply implements Linear.
func (s Sum) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyShapeOnly(dst, src) {
		return
	}
	if k := dst.Ring(); s.Inner == 1 && k.Words() == 1 && !k.Cyclic {
		in := src[0].Words()
		for o := range dst.Words() {
			sum := uint64(0)
			for _, x := range in[o*s.Reduced : (o+1)*s.Reduced] {
				sum += x
			}
			dst.Words()[o] = sum
		}
		reduce(dst)
		return
	}
	if s.Inner == 1 && dst.Ring().Cyclic {
		ring.SumRuns(dst, src[0], s.Reduced)
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

// Gathered is the linear map from a vector of From elements to one of To elements that sums elements by index.
// Element i of the result is the sum of the operand's elements at the Terms positions Index()[i·Terms : (i+1)·Terms];
// the position tensor.Fill adds nothing. Index is called each time that the list is needed and must return the same
// list each time.
type Gathered struct {
	From, To, Terms int
	Index           func() []int32
}

// In returns From, the length of the one operand.
func (g Gathered) In() []int { return []int{g.From} }

// Out returns To.
func (g Gathered) Out() int { return g.To }

// Growth returns log2 of Terms, rounded up.
func (g Gathered) Growth() int { return log2ceil(uint64(g.Terms)) }

// Apply implements Linear.
func (g Gathered) Apply(dst ring.Vec, src ...ring.Vec) {
	if anyShapeOnly(dst, src) {
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

// accumulate adds src[at : at+n] to dst[to : to+n]: in a cyclic ring, or else as integers modulo
// 2^(64k), k words an element, which reduce brings into the ring at the end.
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

// reduce brings sums of addWords into the ring.
func reduce(v ring.Vec) {
	if !v.Ring().Cyclic {
		ring.FromWords(v.Ring(), v.Words())
	}
}

// With is the linear map that applies the bilinear map B with one public operand: x is mapped to B(Public, x), or to
// B(x, Public) if Right.
type With struct {
	B      Bilinear // the bilinear map
	Public ring.Vec // the public operand: signed integers, which are converted to the ring of x
	Right  bool     // whether the public operand is the right one
	Bits   int      // what Growth returns: log2 of the largest row sum of the coefficients' magnitudes, rounded up
}

// In returns the length of the operand that is not public.
func (w With) In() []int {
	l, r := w.B.In()
	if w.Right {
		return []int{l}
	}
	return []int{r}
}

// Out returns the length of the result of B.
func (w With) Out() int { return w.B.Out() }

// Growth returns Bits.
func (w With) Growth() int { return w.Bits }

// Apply implements Linear: it sets dst to B of the public operand and of src[0], the only element of src. dst must
// not overlap src[0].
func (w With) Apply(dst ring.Vec, src ...ring.Vec) {
	inRing(w.Public, dst.Ring(), func(p ring.Vec) {
		if w.Right {
			w.B.Apply(dst, src[0], p)
		} else {
			w.B.Apply(dst, p, src[0])
		}
	})
}

// inRing calls f with public signed integers converted to ring r.
func inRing(v ring.Vec, r ring.Ring, f func(v ring.Vec)) {
	if v.Ring() == r {
		f(v)
		return
	}
	out := v.Like(r, v.Len())
	switch {
	case v.ShapeOnly():
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

// anyShapeOnly reports whether an operand or the result has no storage, so that there is nothing to
// compute. It panics unless all are over one ring.
func anyShapeOnly(dst ring.Vec, src []ring.Vec) bool {
	none := dst.ShapeOnly() && dst.Len() > 0
	for _, s := range src {
		if s.Ring() != dst.Ring() {
			panic(fmt.Sprintf("maps: operand over %v for a result over %v", s.Ring(), dst.Ring()))
		}
		none = none || s.ShapeOnly() && s.Len() > 0
	}
	return none
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

// CeilLog2 returns ⌈log2 n⌉, the least e ≥ 0 with n ≤ 2^e.
func CeilLog2(n int) int { return log2ceil(uint64(max(n, 0))) }

// log2ceil returns the least e ≥ 0 with x ≤ 2^e.
func log2ceil(x uint64) int {
	if x <= 1 {
		return 0
	}
	return bits.Len64(x - 1)
}
