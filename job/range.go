package job

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// Range is the declared range of all elements of an argument, both ends included. The owner checks it before
// anything is shared; the other parties rely on it.
type Range = pattern.Interval

// rangeOf returns the declared range of an argument; nil if there is none.
func (in *Input) rangeOf(arg int) *Range {
	if r, ok := in.Ranges[arg]; ok {
		return &r
	}
	return in.Range
}

// Declared returns the declared ranges of an input's arguments as {least, greatest}, by argument; nil if there
// are none. All parties rely on the ranges, although only the owner reads the file. So a range without Args is
// an *Error.
func (in *Input) Declared() (map[int][2]float64, error) {
	if in.Range != nil && in.Args == nil {
		return nil, wrong(in.at, "the range is for all arguments in %s, which only its owner's node can read: name them (args: [0, 1])", in.Name)
	}
	var out map[int][2]float64
	for _, arg := range in.Args {
		if r := in.rangeOf(arg); r != nil {
			if out == nil {
				out = map[int][2]float64{}
			}
			out[arg] = [2]float64{r.Lo, r.Hi}
		}
	}
	for _, arg := range slices.Sorted(maps.Keys(in.Ranges)) {
		if !slices.Contains(in.Args, arg) {
			return nil, wrong(in.at, "range names argument %d, which args does not list", arg)
		}
	}
	return out, nil
}

// RangeFits returns an error if the range r is impossible for an argument of type t: a range is for floats or
// integers, its ends are finite and in order, and it contains a value of the type. arg is the number of the
// argument, for the error.
func RangeFits(arg int, r Range, t tensor.Type) error {
	switch {
	case !(r.Lo <= r.Hi) || math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0):
		return fmt.Errorf("range of argument %d: want [lo, hi], two finite numbers, the smaller one first", arg)
	case t.DType == tensor.Bool || t.DType.IsComplex():
		return fmt.Errorf("range of argument %d: its type is %v, but ranges apply to floats and integers only", arg, t)
	case t.DType.IsInt() && math.Ceil(r.Lo) > math.Floor(r.Hi):
		return fmt.Errorf("range of argument %d: there is no %v from %v to %v", arg, t.DType, r.Lo, r.Hi)
	}
	return nil
}

// CheckRange returns an error if the range r is impossible for the type of array a (RangeFits), or if an element
// of a is outside of r. The latter error is an *ElementError that names the first such element by index. NaN is
// outside of every range. arg is the number of the argument, for the error.
func CheckRange(arg int, a *tensor.Array, r Range) error {
	if err := RangeFits(arg, r, a.Type); err != nil {
		return err
	}
	outside := func(i int, x any) error {
		return &ElementError{"element " + Index(i, a.Shape), fmt.Errorf("%v is outside the declared range [%v, %v]", x, r.Lo, r.Hi)}
	}
	lo, hi := math.Ceil(r.Lo), math.Floor(r.Hi) // integers are compared as integers: a float64 cannot represent all of them
	switch {
	case a.DType.IsFloat():
		for i, x := range a.Floats() {
			if !(r.Lo <= x && x <= r.Hi) {
				return outside(i, x)
			}
		}
	case a.DType.IsSigned():
		for i, w := range a.Words() {
			x := int64(w)
			if above := lo < -1<<63 || lo < 1<<63 && int64(lo) <= x; !above || hi < 1<<63 && (hi < -1<<63 || x > int64(hi)) {
				return outside(i, x)
			}
		}
	default:
		for i, x := range a.Words() {
			if above := lo <= 0 || lo < 1<<64 && uint64(lo) <= x; !above || hi < 1<<64 && (hi < 0 || x > uint64(hi)) {
				return outside(i, x)
			}
		}
	}
	return nil
}
