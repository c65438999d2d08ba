package eval

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Check refuses an operation that cannot be evaluated here, because of what the
// program's text says of it: of its name, attributes, element types or sizes, or
// of those of an operation in its regions or in a function that it calls, in
// whichever branch they stand. What Check lets pass, evaluation refuses for no
// reason but the values of operands (ApproxTopK has indices and an initial value
// that must fit; a loop may not end).
//
// So whether a program is refused is known before there are inputs, and depends on
// none: an evaluator that refused an operation only in the branch that is taken
// would tell which one that is.
//
// public, which may be nil, gives the values outside op that all parties know, nil
// for others. Of a branch that a constant or such a value decides on only the region
// that is taken is checked: JAX's exports for several platforms hold calls of other
// platforms in the others.
func Check(op *hlo.Op, public func(*hlo.Value) *tensor.Array) error {
	c := checker{public: public, functions: map[*hlo.Func]int{}}
	return c.op(op, 0, nil)
}

// checker checks operations and all that they hold.
type checker struct {
	public    func(*hlo.Value) *tensor.Array
	functions map[*hlo.Func]int // by function, the depth that it was checked at
}

// op checks an operation that stands at a depth of regions and calls. around are
// the constants of regions around it.
func (c *checker) op(op *hlo.Op, depth int, around constants) error {
	if err := checkAlone(op); err != nil {
		return err
	}
	taken := c.taken(op, around)
	for i, r := range op.Regions {
		if taken >= 0 && taken != i {
			continue
		}
		if err := c.block(r, depth+1, around); err != nil {
			return err
		}
	}
	if f := op.Callee; f != nil {
		if at, done := c.functions[f]; done && at >= depth {
			return nil
		}
		c.functions[f] = depth
		return c.block(f.Body, depth+1, nil)
	}
	return nil
}

func (c *checker) block(b *hlo.Block, depth int, around constants) error {
	if depth > maxDepth {
		return failf(b.Return(), "calls and regions nest deeper than %d", maxDepth)
	}
	inner := constants{}
	for v, a := range around {
		inner[v] = a
	}
	for _, op := range b.Ops[:len(b.Ops)-1] {
		if a, ok := op.Attrs["value"].(*tensor.Array); ok && op.Name == "stablehlo.constant" {
			inner[op.Results[0]] = a
		}
		if err := c.op(op, depth, inner); err != nil {
			return err
		}
	}
	return nil
}

// constants are the scalars that constants of the text give.
type constants map[*hlo.Value]*tensor.Array

// taken is the region that a branch takes by what is known beforehand, -1 where
// that does not say.
func (c *checker) taken(op *hlo.Op, around constants) int {
	if op.Name != "stablehlo.case" && op.Name != "stablehlo.if" {
		return -1
	}
	a := around[op.Operands[0]]
	if a == nil && c.public != nil {
		a = c.public(op.Operands[0])
	}
	if a == nil {
		return -1
	}
	return chosen(op, a)
}

// chosen is the region that an index names, or a predicate, whose first region is
// for true. The last one is for any index that names none.
func chosen(op *hlo.Op, a *tensor.Array) int {
	if p, ok := a.Data.([]bool); ok {
		if p[0] {
			return 0
		}
		return 1
	}
	i, last := positions(a)[0], len(op.Regions)-1
	if i < 0 || i > last {
		return last
	}
	return i
}

// checkAlone is Check without regions and functions.
func checkAlone(op *hlo.Op) error {
	ent, ok := table[op.Name]
	if !ok {
		return refuse(op)
	}
	for _, r := range op.Results {
		if n := r.Type.Shape.Size(); n > maxElements {
			return failf(op, "a result of %d elements is too large to be computed in clear", n)
		}
	}
	if ent.check != nil {
		return ent.check(op)
	}
	return nil
}

// checks are what operations need beside what the verifier sees to, by name;
// unaries and binaries check the kind of their elements.
var checks = map[string]func(op *hlo.Op) error{
	"func.call":                      called,
	"stablehlo.batch_norm_grad":      floats,
	"stablehlo.batch_norm_inference": floats,
	"stablehlo.batch_norm_training":  floats,
	"stablehlo.abs":                  func(op *hlo.Op) error { return elementOf(op, true, true, true) },
	"stablehlo.bitcast_convert":      bitPatterns,
	"stablehlo.cholesky":             field,
	"stablehlo.compare":              comparableTypes,
	"stablehlo.composite":            called,
	"stablehlo.constant":             denseValue,
	"stablehlo.custom_call":          target,
	"stablehlo.reduce_precision":     precisionOf,
	"stablehlo.reduce_window":        paddedSize,
	"stablehlo.fft": func(op *hlo.Op) error {
		if kind := op.Attrs.Str("fft_type"); !slices.Contains([]string{"FFT", "IFFT", "RFFT", "IRFFT"}, kind) {
			return failf(op, "no transform %q", kind)
		}
		return nil
	},
	"stablehlo.is_finite":         field,
	"stablehlo.rng_bit_generator": generator,
	"stablehlo.triangular_solve":  field,
	"chlo.constant":               denseValue,
	"chlo.is_inf":                 field,
	"chlo.is_neg_inf":             field,
	"chlo.is_pos_inf":             field,
	"chlo.next_after":             floats,
	"chlo.top_k":                  func(op *hlo.Op) error { return elementOf(op, true, false, true) },
}

// noMeaning refuses the element type of operand 0.
func noMeaning(op *hlo.Op) error {
	return failf(op, "not defined for elements of type %s", op.Operands[0].Type.DType)
}

// elementOf refuses elements of other kinds than those that are said: floats,
// complex numbers, integers and booleans.
func elementOf(op *hlo.Op, float, cmplx, word bool) error {
	switch d := op.Operands[0].Type.DType; {
	case d.IsFloat() && float, d.IsComplex() && cmplx, (d.IsInt() || d == tensor.Bool) && word:
		return nil
	}
	return noMeaning(op)
}

// field refuses all but floats and complex numbers.
func field(op *hlo.Op) error { return elementOf(op, true, true, false) }

func floats(op *hlo.Op) error { return elementOf(op, true, false, false) }

func called(op *hlo.Op) error {
	if op.Callee == nil {
		return failf(op, "no function to call")
	}
	return nil
}

func denseValue(op *hlo.Op) error {
	if _, ok := op.Attrs["value"].(*tensor.Array); !ok {
		return failf(op, "the value is no dense array")
	}
	return nil
}

func comparableTypes(op *hlo.Op) error {
	d, dir := op.Operands[0].Type.DType, op.Attrs.Str("comparison_direction")
	if !slices.Contains([]string{"EQ", "NE", "LT", "LE", "GT", "GE"}, dir) || d.IsComplex() && dir != "EQ" && dir != "NE" {
		return failf(op, "cannot compare %s by %q", d, dir)
	}
	return nil
}

func bitPatterns(op *hlo.Op) error {
	if from, to := op.Operands[0].Type.DType, op.Results[0].Type.DType; (from == tensor.Bool) != (to == tensor.Bool) {
		return failf(op, "no bit pattern of %s in %s", to, from)
	}
	return nil
}

func precisionOf(op *hlo.Op) error {
	l, ok := layouts[op.Operands[0].Type.DType]
	if !ok {
		return noMeaning(op)
	}
	if exp, man := op.Attrs.Int("exponent_bits", l.exp), op.Attrs.Int("mantissa_bits", l.man); exp < 1 || man < 0 {
		return failf(op, "no floats of %d exponent and %d mantissa bits", exp, man)
	}
	return nil
}

// threeFryName is a generator's; the others are PHILOX.
const threeFryName = "THREE_FRY"

func generator(op *hlo.Op) error {
	state, algorithm := op.Operands[0].Type, op.Attrs.Str("rng_algorithm")
	n := state.Shape.Size()
	switch {
	case !op.Results[1].Type.DType.IsInt():
		return failf(op, "not defined for elements of type %s", op.Results[1].Type.DType)
	case algorithm != threeFryName && algorithm != "PHILOX" && algorithm != "DEFAULT":
		return failf(op, "no generator %q", algorithm)
	case state.DType != tensor.U64 || n < 2 || n > 3 || n == 3 && algorithm == threeFryName:
		return failf(op, "no state of type %s for %s", state, algorithm)
	}
	return nil
}

func paddedSize(op *hlo.Op) error {
	if s := padded(op).Shape; s.Check() != nil || s.Size() > maxElements {
		return failf(op, "a padded operand of shape %v is too large to be computed in clear", s)
	}
	return nil
}

// indexed refuses views of operands that 32-bit positions do not reach.
func indexed(op *hlo.Op) error {
	total := 0
	for _, x := range op.Operands {
		total += x.Type.Shape.Size()
	}
	if total > maxElements {
		return failf(op, "operands of %d elements are too large to be indexed", total)
	}
	return nil
}

func alone(op *hlo.Op) error {
	if !Alone(op) {
		return failf(op, "programs run on one replica, there is no other to exchange values with")
	}
	return nil
}

// target checks a custom call, of which the verifier knows nothing: that its
// target has a meaning here, and operands and results of the types that this
// has.
func target(op *hlo.Op) error {
	name := op.Attrs.Str("call_target_name")
	check := targets[name]
	if check == nil {
		return failf(op, "no meaning for the target @%s", name)
	}
	if !check(op) {
		return failf(op, "to @%s has not the operands, results and attributes that the target takes", name)
	}
	return nil
}

// targets say of the custom calls with a meaning whether their types and
// attributes are right.
var targets = map[string]func(op *hlo.Op) bool{
	"ApproxTopK":     approxTopKTypes,
	"Sharding":       sameTypes,
	"mhlo.topk":      topKTypes,
	"tacet.reveal":   sameTypes,
	"tacet.unopened": sameTypes,
}

func init() {
	for _, kind := range "sdcz" {
		targets["lapack_"+string(kind)+"potrf_ffi"] = potrfTypes
		targets["lapack_"+string(kind)+"trsm_ffi"] = trsmTypes
	}
	// Elements of results for a matrix of m×n; second is what operand 1 has.
	for routine, sizes := range map[string]func(m, n, second int) []int{
		"getrf": func(m, n, _ int) []int { return []int{m * n, min(m, n), 1} },
		"geqrf": func(m, n, _ int) []int { return []int{m * n, min(m, n)} },
		"orgqr": func(m, n, second int) []int {
			if second < 0 || second > n || n > m {
				return nil
			}
			return []int{m * n}
		},
		"syevd": func(m, n, _ int) []int {
			if m != n {
				return nil
			}
			return []int{n * n, n, 1}
		},
		"gesdd": func(m, n, _ int) []int { return []int{-1, min(m, n), -1, -1, 1} },
	} {
		for _, kind := range "sd" {
			targets["lapack_"+string(kind)+routine+"_ffi"] = func(op *hlo.Op) bool { return factorTypes(op, sizes) }
		}
	}
}

// sameTypes: the results have the operands' types.
func sameTypes(op *hlo.Op) bool {
	return slices.EqualFunc(op.Operands, op.Results, func(x, y *hlo.Value) bool { return x.Type.Equal(y.Type) })
}

// extremeTypes: the results are k elements of each lane along a dimension, and
// their positions.
func extremeTypes(op *hlo.Op, dim, k int) bool {
	in := op.Operands[0].Type
	if len(op.Results) != 2 || in.DType.IsComplex() || dim < 0 || dim >= len(in.Shape) || k < 0 || k > in.Shape[dim] {
		return false
	}
	out := in.Shape.Clone()
	out[dim] = k
	values, places := op.Results[0].Type, op.Results[1].Type
	return values.Equal(tensor.Type{DType: in.DType, Shape: out}) && places.DType.IsInt() && slices.Equal(places.Shape, out)
}

func topKTypes(op *hlo.Op) bool {
	k, ok := op.Attrs.Dict("mhlo.attributes")["k"].(int64)
	return ok && len(op.Operands) == 1 && k <= math.MaxInt32 && extremeTypes(op, len(op.Operands[0].Type.Shape)-1, int(k))
}

func approxTopKTypes(op *hlo.Op) bool {
	if len(op.Operands) != 4 || len(op.Results) != 2 {
		return false
	}
	x, indices, worst := op.Operands[0].Type, op.Operands[1].Type, op.Operands[2].Type
	dim, ok := approxDim(op)
	return ok && dim < len(op.Results[0].Type.Shape) && extremeTypes(op, dim, op.Results[0].Type.Shape[dim]) &&
		slices.Equal(indices.Shape, x.Shape) && indices.DType.IsInt() && worst.DType == x.DType && worst.DType != tensor.Bool && worst.Shape.Size() == 1
}

// matrixOf is the batch, rows and columns of a tensor of matrices.
func matrixOf(t tensor.Type) (batch tensor.Shape, m, n int, ok bool) {
	rank := len(t.Shape)
	if rank < 2 {
		return nil, 0, 0, false
	}
	return t.Shape[:rank-2], t.Shape[rank-2], t.Shape[rank-1], true
}

func hasField(t tensor.Type) bool { return t.DType.IsFloat() || t.DType.IsComplex() }

func potrfTypes(op *hlo.Op) bool {
	if len(op.Operands) != 1 || len(op.Results) != 2 {
		return false
	}
	a, info := op.Operands[0].Type, op.Results[1].Type
	batch, m, n, ok := matrixOf(a)
	return ok && m == n && hasField(a) && op.Results[0].Type.Equal(a) && info.DType.IsInt() && slices.Equal(info.Shape, batch)
}

func trsmTypes(op *hlo.Op) bool {
	if len(op.Operands) != 2 || len(op.Results) != 1 {
		return false
	}
	a, b := op.Operands[0].Type, op.Operands[1].Type
	batch, m, n, ok := matrixOf(a)
	other, rows, columns, also := matrixOf(b)
	if !ok || !also || m != n || !slices.Equal(batch, other) || !hasField(a) || a.DType != b.DType || !op.Results[0].Type.Equal(b) {
		return false
	}
	if BackendLetter(op, "side") == 'L' {
		return rows == n
	}
	return columns == n
}

// factorTypes: the results of a factorization of real matrices have as many
// elements as sizes says for each of them, -1 for any number.
func factorTypes(op *hlo.Op, sizes func(m, n, second int) []int) bool {
	if len(op.Operands) < 1 || len(op.Operands) > 2 {
		return false
	}
	a := op.Operands[0].Type
	batch, m, n, ok := matrixOf(a)
	if !ok || !a.DType.IsFloat() {
		return false
	}
	count, second := batch.Size(), -1
	if len(op.Operands) == 2 {
		t := op.Operands[1].Type
		if !t.DType.IsFloat() || count > 0 && t.Shape.Size()%count != 0 {
			return false
		}
		second = t.Shape.Size() / max(1, count)
	}
	want := sizes(m, n, second)
	if want == nil || len(op.Results) != len(want) {
		return false
	}
	for i, r := range op.Results {
		size := r.Type.Shape.Size()
		if !r.Type.DType.IsFloat() && !r.Type.DType.IsInt() || want[i] >= 0 && size != want[i]*count || count > 0 && size%count != 0 {
			return false
		}
	}
	return true
}
