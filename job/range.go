package job

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// Range is where all elements of an argument lie, ends included, as its input
// declares. Its owner checks that before anything is shared; the others rely on it.
type Range = pattern.Interval

// rangeOf is the range that an input declares of an argument, nil for none.
func (in *Input) rangeOf(arg int) *Range {
	if r, ok := in.Ranges[arg]; ok {
		return &r
	}
	return in.Range
}

// Declared are an input's ranges by argument, as least and greatest values. All who
// run a job rely on them and one alone sees the file: so they are of arguments that
// the job names.
func (in *Input) Declared() (map[int][2]float64, error) {
	if in.Range != nil && in.Args == nil {
		return nil, wrong(in.at, "the range is of all arguments in %s, which its owner's node alone sees: name them (args: [0, 1])", in.Name)
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
			return nil, wrong(in.at, "range names argument %d, which args does not name", arg)
		}
	}
	return out, nil
}

// RangeFits refuses a range that an argument of a type cannot have: ranges are of floats and integers,
// and at least one number of the type lies in them.
func RangeFits(arg int, r Range, t tensor.Type) error {
	switch {
	case !(r.Lo <= r.Hi) || math.IsInf(r.Lo, 0) || math.IsInf(r.Hi, 0):
		return fmt.Errorf("range of argument %d: want [lo, hi], two finite numbers, the smaller one first", arg)
	case t.DType == tensor.Bool || t.DType.IsComplex():
		return fmt.Errorf("range of argument %d: it is %v, and ranges are of floats and integers", arg, t)
	case t.DType.IsInt() && math.Ceil(r.Lo) > math.Floor(r.Hi):
		return fmt.Errorf("range of argument %d: no %v lies from %v to %v", arg, t.DType, r.Lo, r.Hi)
	}
	return nil
}

// CheckRange refuses an argument's range that its type has not, and values
// that lie outside. The latter error names the first such element by index. NaN is
// outside of every range.
func CheckRange(arg int, a *tensor.Array, r Range) error {
	if err := RangeFits(arg, r, a.Type); err != nil {
		return err
	}
	outside := func(i int, x any) error {
		return &ElementError{"element " + Index(i, a.Shape), fmt.Errorf("%v is outside of the declared range [%v, %v]", x, r.Lo, r.Hi)}
	}
	lo, hi := math.Ceil(r.Lo), math.Floor(r.Hi) // of integers, which are compared as such: a float64 does not hold all
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
