package job

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/profile"
	"github.com/tacet-mpc/tacet/tensor"
)

// Deviation says that results differ from the expected ones by more than the tolerance, and describes the
// element that exceeds it most. Its kind is problem.Tolerance.
type Deviation struct {
	Result  int     // number of the result, from 0
	Element string  // position of the element in the result, such as "[2,0]"
	Got     any     // value of the element: a float64, an int64, a uint64 (also for booleans) or a complex128
	Want    any     // its expected value, of one of these types
	Off     float64 // error of the element: |got − want|
	Allowed float64 // allowed error: atol + rtol·|want|
	Count   int     // number of elements out of tolerance, in all results
}

// Error returns a text such as "result 0, element [2,0]: got 1.5, want 1.25: 0.25 off, 0.001 allowed, the worst of 3".
func (d *Deviation) Error() string {
	more := ""
	if d.Count > 1 {
		more = fmt.Sprintf(", the worst of %d", d.Count)
	}
	return fmt.Sprintf("result %d, element %s: got %v, want %v: %.3g off, %.3g allowed%s",
		d.Result, d.Element, d.Got, d.Want, d.Off, d.Allowed, more)
}

// Is reports whether target is problem.Tolerance, the kind of every Deviation.
func (d *Deviation) Is(target error) bool { return target == problem.Tolerance }

// Describe sets those fields of p that are empty, such as kind and element.
func (d *Deviation) Describe(p *problem.Problem) {
	p.SetKind(problem.Tolerance)
	problem.Set(&p.Place, fmt.Sprintf("result %d", d.Result))
	problem.Set(&p.Element, d.Element)
}

// Compare compares results with expected ones, element by element: |got − want| ≤ atol + rtol·|want|. want must
// have as many arrays as got, of the same shapes; element types may differ. Values are compared as numbers:
// integers exactly, NaN equals NaN, and an infinity equals itself. Compare returns the largest errors for the
// report, limited to MaxFloat64 because JSON has no infinity, and the deviation; the deviation is nil if all
// elements are within tolerance.
func Compare(got, want []*tensor.Array, atol, rtol float64) (*profile.Expect, *Deviation) {
	e := &profile.Expect{MaxAbsError: make([]float64, len(got)), MaxRelError: make([]float64, len(got)), OK: true}
	var worst *Deviation
	excess, count := math.Inf(-1), 0
	for r := range got {
		g, w := numbers(got[r]), numbers(want[r])
		for i := range got[r].Len() {
			off, size := g.distance(w, i)
			e.MaxAbsError[r] = min(max(e.MaxAbsError[r], off), math.MaxFloat64)
			e.MaxRelError[r] = min(max(e.MaxRelError[r], off/max(size, 1)), math.MaxFloat64)
			allowed := atol + rtol*size
			if off <= allowed {
				continue
			}
			count++
			if over := off - allowed; over > excess {
				excess = over
				worst = &Deviation{Result: r, Element: Index(i, got[r].Shape), Got: g.at(i), Want: w.at(i), Off: off, Allowed: allowed}
			}
		}
	}
	if worst != nil {
		e.OK = false
		worst.Count = count
	}
	return e, worst
}

// values holds an array's elements in one of three forms.
type values struct {
	words  []uint64 // integers and booleans, two's complement
	signed bool
	floats []float64
	cplx   []complex128
}

func numbers(a *tensor.Array) values {
	switch d := a.Data.(type) {
	case []complex128:
		return values{cplx: d}
	case []complex64:
		v := values{cplx: make([]complex128, len(d))}
		for i, x := range d {
			v.cplx[i] = complex128(x)
		}
		return v
	}
	if a.DType.IsFloat() {
		return values{floats: a.Floats()}
	}
	return values{words: a.Words(), signed: a.DType.IsSigned()}
}

// at returns element i as it is printed.
func (v values) at(i int) any {
	switch {
	case v.cplx != nil:
		return v.cplx[i]
	case v.floats != nil:
		return v.floats[i]
	case v.signed:
		return int64(v.words[i])
	}
	return v.words[i]
}

// distance returns |v[i] − want[i]|, +Inf if they cannot be compared, and |want[i]|, 0 if that is not
// finite.
func (v values) distance(want values, i int) (off, size float64) {
	if v.words != nil && want.words != nil && v.signed == want.signed {
		return wordDistance(v.words[i], want.words[i], v.signed), math.Abs(want.float(i))
	}
	if v.cplx != nil {
		off, size = cmplx.Abs(v.cplx[i]-want.cplx[i]), cmplx.Abs(want.cplx[i])
		if same(real(v.cplx[i]), real(want.cplx[i])) && same(imag(v.cplx[i]), imag(want.cplx[i])) {
			off = 0
		}
	} else {
		g, w := v.float(i), want.float(i)
		off, size = math.Abs(g-w), math.Abs(w)
		if same(g, w) {
			off = 0
		}
	}
	if math.IsNaN(off) {
		off = math.Inf(1)
	}
	if math.IsNaN(size) || math.IsInf(size, 0) {
		size = 0
	}
	return off, size
}

// same is equality with NaN equal to NaN.
func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// wordDistance returns |a − b| of integers, with a single rounding.
func wordDistance(a, b uint64, signed bool) float64 {
	less := a < b
	if signed {
		less = int64(a) < int64(b)
	}
	if less {
		a, b = b, a
	}
	return float64(a - b)
}

// float returns element i as a float64.
func (v values) float(i int) float64 {
	switch {
	case v.floats != nil:
		return v.floats[i]
	case v.signed:
		return float64(int64(v.words[i]))
	}
	return float64(v.words[i])
}
