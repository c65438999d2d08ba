package maps

import (
	"fmt"
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
	k := dst.Ring().Words()
	if k == 1 {
		words := make([][]uint64, len(src))
		for i, s := range src {
			words[i] = s.Words()
		}
		tensor.ApplyTo(dst.Words(), v.Rule, 0, words...)
		return
	}
	out := dst.Words()
	var all []uint64
	for _, s := range src {
		all = append(all, s.Words()...)
	}
	for i, p := range v.Rule.Index() {
		if p != tensor.Fill {
			copy(out[i*k:(i+1)*k], all[int(p)*k:(int(p)+1)*k])
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
	var sum uint64
	for _, x := range c.Coef {
		sum += magnitude(x)
	}
	return log2ceil(sum)
}

// Apply adds up the operands.
func (c Combine) Apply(dst ring.Vec, src ...ring.Vec) {
	for i, x := range c.Coef {
		switch {
		case i == 0:
			ring.Scale(dst, src[0], x)
		case x == 1:
			ring.Add(dst, dst, src[i])
		case x == -1:
			ring.Sub(dst, dst, src[i])
		default:
			t := dst.Like(dst.Ring(), c.N)
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
	ring.Mul(dst, src[0], inRing(t.By, dst.Ring()))
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
	for o := 0; o < s.Outer; o++ {
		row := dst.Slice(o*s.Inner, (o+1)*s.Inner)
		clear(row.Words())
		for r := 0; r < s.Reduced; r++ {
			at := (o*s.Reduced + r) * s.Inner
			ring.Add(row, row, src[0].Slice(at, at+s.Inner))
		}
	}
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
	term := ring.New(dst.Ring(), g.To)
	index := g.Index()
	k := dst.Ring().Words()
	in, t := src[0].Words(), term.Words()
	clear(dst.Words())
	for j := range g.Terms {
		clear(t)
		for i := range g.To {
			if p := int(index[i*g.Terms+j]); p != tensor.Fill {
				copy(t[i*k:(i+1)*k], in[p*k:(p+1)*k])
			}
		}
		ring.Add(dst, dst, term)
	}
	term.Free()
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
	p := inRing(w.Public, dst.Ring())
	if w.Right {
		w.B.Apply(dst, src[0], p)
	} else {
		w.B.Apply(dst, p, src[0])
	}
}

// inRing gives public integers in the ring of use.
func inRing(v ring.Vec, r ring.Ring) ring.Vec {
	if v.Ring() == r {
		return v
	}
	out := v.Like(r, v.Len())
	if r.Bits < v.Ring().Bits {
		ring.Low(out, v)
	} else {
		ring.SignExtend(out, v)
	}
	return out
}

func anyWeightless(dst ring.Vec, src []ring.Vec) bool {
	if dst.Weightless() && dst.Len() > 0 {
		return true
	}
	for _, s := range src {
		if s.Weightless() && s.Len() > 0 {
			return true
		}
	}
	return false
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
