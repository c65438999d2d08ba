package job

import (
	"fmt"
	"math"
	"strings"

	"github.com/tacet-mpc/tacet/problem"
	"github.com/tacet-mpc/tacet/tensor"
)

// ElementError is an error about one element of an array or table. Its text may quote the element and
// is only for the file's owner. At contains no value, and may be shown to readers that the owner
// trusts.
type ElementError struct {
	// place of the element: "element [2,0]" or "line 3, column 2"; "" if the error is about the whole file
	At  string
	Err error // what is wrong
}

// Is reports whether target is problem.Range, the kind of every ElementError.
func (e *ElementError) Is(target error) bool { return target == problem.Range }

// Describe sets those fields of p that are empty, such as kind and element.
func (e *ElementError) Describe(p *problem.Problem) {
	p.SetKind(problem.Range)
	problem.Set(&p.Element, strings.TrimPrefix(e.At, "element "))
}

// Error returns At and the text of Err, which may contain the element's value: only the owner of the file may see it.
func (e *ElementError) Error() string {
	if e.At == "" {
		return e.Err.Error()
	}
	return e.At + ": " + e.Err.Error()
}

// Unwrap returns Err.
func (e *ElementError) Unwrap() error { return e.Err }

// CheckValues returns an *ElementError if an element of a cannot be shared in a ring of so many bits with so
// many fraction bits. It names the first such element by index. NaN and infinities cannot be shared, nor
// magnitudes of 2^(ring−2) or more in units of 2^−fraction, after rounding to a unit. The real and imaginary
// parts of complex numbers are encoded the same way. Integers and booleans always pass: they are shared in rings
// of their own width.
func CheckValues(a *tensor.Array, ring, fraction int) error {
	if a.DType.IsComplex() {
		re, im := a.Parts()
		for _, part := range []*tensor.Array{re, im} {
			if err := CheckValues(part, ring, fraction); err != nil {
				return err
			}
		}
		return nil
	}
	if !a.DType.IsFloat() {
		return nil
	}
	// Half a unit below the limit is where rounding reaches it.
	limit := math.Ldexp(math.Ldexp(1, ring-2)-0.5, -fraction)
	if v, ok := a.Data.([]float32); ok && a.DType == tensor.F32 && below(v, limit) {
		return nil // without a copy of all elements
	}
	for i, x := range a.Floats() {
		if math.Abs(x) < limit {
			continue
		}
		at := "element " + Index(i, a.Shape)
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return &ElementError{at, fmt.Errorf("%v cannot be shared (inputs with an owner are finite numbers)", x)}
		}
		return &ElementError{at, fmt.Errorf("%v is too large to be shared (a ring of %d bits with fraction %d takes magnitudes below 2^%d)",
			x, ring, fraction, ring-2-fraction)}
	}
	return nil
}

// below reports whether the magnitudes of all numbers are below the limit; NaN is not.
func below(v []float32, limit float64) bool {
	for _, x := range v {
		if !(math.Abs(float64(x)) < limit) {
			return false
		}
	}
	return true
}

// Index formats the position of element i of a row-major array of shape s, such as "[2,0]".
func Index(i int, s tensor.Shape) string {
	text := ""
	for d := len(s) - 1; d >= 0; d-- {
		text = fmt.Sprint(i%s[d]) + text
		if d > 0 {
			text = "," + text
		}
		i /= s[d]
	}
	return "[" + text + "]"
}
