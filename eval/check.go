package eval

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Check returns an error if an operation cannot be evaluated because of the program text: its name,
// attributes, element types or sizes, or those of an operation in its regions or in a function that
// it calls, in any branch. After Check, evaluation can fail only because of operand values (for
// example, the indices and the initial value of ApproxTopK must fit; a loop may not end).
//
// Whether a program is refused is therefore known before there are inputs and independent of them.
// An evaluator that refused an operation only in the branch that is taken would reveal which branch
// that is.
//
// public, which may be nil, returns the value of a public value defined outside op, nil for other
// values. If a constant or such a value determines the branch of an operation, only that region is
// checked: JAX's exports for several platforms contain calls of other platforms in the other
// regions.
func Check(op *hlo.Op, public func(*hlo.Value) *tensor.Array) error {
	c := checker{public: public, functions: map[*hlo.Func]int{}}
	return c.op(op, 0, nil)
}

// checker checks operations together with their regions and callees.
type checker struct {
	public    func(*hlo.Value) *tensor.Array
	functions map[*hlo.Func]int // by function: the nesting depth at which it was checked
}

// op checks an operation at a nesting depth of regions and calls. around holds the scalar constants
// of the enclosing regions.
func (c *checker) op(op *hlo.Op, depth int, around constants) error {
	if err := checkShallow(op); err != nil {
		return err
	}
	taken := c.knownBranch(op, around)
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
		if c, ok := op.Constant(); ok && !c.Repeated {
			inner[op.Results[0]] = c.Elements
		}
		if err := c.op(op, depth, inner); err != nil {
			return err
		}
	}
	return nil
}

// constants are scalar values of constant operations.
type constants map[*hlo.Value]*tensor.Array

// knownBranch returns the index of the region that a branch takes if its index is known, else -1.
func (c *checker) knownBranch(op *hlo.Op, around constants) int {
	if op.Name != hlo.OpCase && op.Name != hlo.OpIf {
		return -1
	}
	a := around[op.Operands[0]]
	if a == nil && c.public != nil {
		a = c.public(op.Operands[0])
	}
	if a == nil {
		return -1
	}
	return algo.Branch(a, len(op.Regions))
}

// checkShallow checks an operation without its regions and callee.
func checkShallow(op *hlo.Op) error {
	ent, ok := table[op.Name]
	if !ok {
		return refuse(op)
	}
	for _, r := range op.Results {
		if n := r.Type.Shape.Size(); n > maxElements {
			return failf(op, "a result of %d elements is too large to be computed in the clear; the maximum is %d elements", n, int64(maxElements))
		}
	}
	if ent.check != nil {
		return ent.check(op)
	}
	return nil
}

// checks are the conditions that operations must satisfy beyond those of the verifier, by name.
// unaries and binaries check element types themselves.
var checks = map[string]func(op *hlo.Op) error{
	hlo.OpCall:               requireCallee,
	hlo.OpBatchNormGrad:      requireFloats,
	hlo.OpBatchNormInference: requireFloats,
	hlo.OpBatchNormTraining:  requireFloats,
	hlo.OpAbs:                func(op *hlo.Op) error { return requireElements(op, true, true, true) },
	hlo.OpBitcastConvert:     checkBitcast,
	hlo.OpCholesky:           requireField,
	hlo.OpCompare:            checkCompare,
	hlo.OpComposite:          requireCallee,
	hlo.OpConstant:           requireDenseValue,
	hlo.OpCustomCall:         checkTarget,
	hlo.OpReducePrecision:    checkPrecision,
	hlo.OpReduceWindow:       checkPaddedSize,
	hlo.OpFFT: func(op *hlo.Op) error {
		if kind := op.Attrs.Str("fft_type"); !slices.Contains([]string{"FFT", "IFFT", "RFFT", "IRFFT"}, kind) {
			return failf(op, "no transform %q", kind)
		}
		return nil
	},
	hlo.OpIsFinite:        requireField,
	hlo.OpRNGBitGenerator: checkGenerator,
	hlo.OpTriangularSolve: requireField,
	hlo.OpIsInf:           requireField,
	hlo.OpIsNegInf:        requireField,
	hlo.OpIsPosInf:        requireField,
	hlo.OpNextAfter:       requireFloats,
	hlo.OpTopK:            func(op *hlo.Op) error { return requireElements(op, true, false, true) },
}

// unsupportedType returns the error for an unsupported element type of operand 0.
func unsupportedType(op *hlo.Op) error {
	return failf(op, "not defined for elements of type %s", op.Operands[0].Type.DType)
}

// requireElements returns an error unless the element type is of an allowed kind: float, complex, or
// integer and boolean (word).
func requireElements(op *hlo.Op, float, cmplx, word bool) error {
	switch d := op.Operands[0].Type.DType; {
	case d.IsFloat() && float, d.IsComplex() && cmplx, (d.IsInt() || d == tensor.Bool) && word:
		return nil
	}
	return unsupportedType(op)
}

// requireField accepts floats and complex numbers only.
func requireField(op *hlo.Op) error { return requireElements(op, true, true, false) }

func requireFloats(op *hlo.Op) error { return requireElements(op, true, false, false) }

func requireCallee(op *hlo.Op) error {
	if op.Callee == nil {
		return failf(op, "no function to call")
	}
	return nil
}

func requireDenseValue(op *hlo.Op) error {
	if _, ok := op.Constant(); !ok {
		return failf(op, "the value is not a dense array")
	}
	return nil
}

func checkCompare(op *hlo.Op) error {
	d, dir := op.Operands[0].Type.DType, op.Attrs.Str("comparison_direction")
	if !slices.Contains([]string{"EQ", "NE", "LT", "LE", "GT", "GE"}, dir) || d.IsComplex() && dir != "EQ" && dir != "NE" {
		return failf(op, "cannot compare %s by %q", d, dir)
	}
	return nil
}

func checkBitcast(op *hlo.Op) error {
	if from, to := op.Operands[0].Type.DType, op.Results[0].Type.DType; (from == tensor.Bool) != (to == tensor.Bool) {
		return failf(op, "no bit pattern of %s in %s", to, from)
	}
	return nil
}

func checkPrecision(op *hlo.Op) error {
	l, ok := layouts[op.Operands[0].Type.DType]
	if !ok {
		return unsupportedType(op)
	}
	if exp, man := op.Attrs.Int("exponent_bits", l.exp), op.Attrs.Int("mantissa_bits", l.man); exp < 1 || man < 0 {
		return failf(op, "no floats of %d exponent and %d mantissa bits", exp, man)
	}
	return nil
}

// threeFryName is the attribute value of the Threefry generator. The other algorithms mean Philox.
const threeFryName = "THREE_FRY"

func checkGenerator(op *hlo.Op) error {
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

func checkPaddedSize(op *hlo.Op) error {
	if s := algo.WindowOf(op).Padded().Shape; s.Check() != nil || s.Size() > maxElements {
		return failf(op, "a padded operand of shape %v is too large to be computed in the clear; the maximum is %d elements", s, int64(maxElements))
	}
	return nil
}

// checkIndexable returns an error if 32-bit positions cannot address the operands.
func checkIndexable(op *hlo.Op) error {
	total := 0
	for _, x := range op.Operands {
		total += x.Type.Shape.Size()
	}
	if total > maxElements {
		return failf(op, "operands of %d elements are too large to be indexed; the maximum is %d elements", total, int64(maxElements))
	}
	return nil
}

func requireSingleReplica(op *hlo.Op) error {
	if !SingleReplica(op) {
		return failf(op, "programs run on one replica: there is no other replica to exchange values with")
	}
	return nil
}

// checkTarget checks a custom call, which the verifier cannot check: the target must be known, and
// operands and results must have its types.
func checkTarget(op *hlo.Op) error {
	name := op.Attrs.Str("call_target_name")
	check := targets[name]
	if check == nil {
		return failf(op, "unknown target @%s", name)
	}
	if !check(op) {
		return failf(op, "the operands, results or attributes do not match the target @%s", name)
	}
	return nil
}

// targets are the known targets of custom calls. Each function reports whether a call's types and
// attributes are valid.
var targets = hlo.Table[func(op *hlo.Op) bool]{
	"ApproxTopK":       approxTopKTypes,
	"Sharding":         sameTypes,
	"mhlo.topk":        topKTypes,
	"tacet.reveal":     sameTypes,
	hlo.RevealToTarget: sameTypes,
	"tacet.unopened":   sameTypes,
	"tacet.integer":    integerTypes,
	"tacet.real":       realTypes,
	"tacet.outside":    outsideTypes,
	"tacet.squares":    squaresTypes,
	hlo.NarrowTarget:   narrowTypes,
	hlo.WideTarget:     narrowTypes,
	hlo.SigmoidTarget:  narrowTypes,
}

func init() {
	for _, kind := range "sdcz" {
		targets.Add("lapack_"+string(kind)+"potrf_ffi", potrfTypes)
		targets.Add("lapack_"+string(kind)+"trsm_ffi", trsmTypes)
	}
	// sizes returns the number of elements of each result for an m×n matrix; second is the number
	// of elements of operand 1 per matrix.
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
			targets.Add("lapack_"+string(kind)+routine+"_ffi", func(op *hlo.Op) bool { return factorTypes(op, sizes) })
		}
	}
}

// sameTypes reports whether the results have the types of the operands.
func sameTypes(op *hlo.Op) bool {
	return slices.EqualFunc(op.Operands, op.Results, func(x, y *hlo.Value) bool { return x.Type.Equal(y.Type) })
}

// integerTypes reports whether the result is one of integers of the operand's shape.
func integerTypes(op *hlo.Op) bool {
	return len(op.Operands) == 1 && len(op.Results) == 1 && op.Operands[0].Type.DType.IsFloat() &&
		op.Results[0].Type.DType.IsInt() && op.Operands[0].Type.Shape.Equal(op.Results[0].Type.Shape)
}

// realTypes reports whether the result is one of floats of the operand's shape, which has integers.
func realTypes(op *hlo.Op) bool {
	_, ok := hlo.RealOf(op)
	return ok && len(op.Operands) == 1 && len(op.Results) == 1 && op.Operands[0].Type.DType.IsInt() &&
		op.Results[0].Type.DType.IsFloat() && op.Operands[0].Type.Shape.Equal(op.Results[0].Type.Shape)
}

// outsideTypes reports whether the result is one of booleans of the operand's shape, which has signed integers.
func outsideTypes(op *hlo.Op) bool {
	_, ok := hlo.RealOf(op)
	return ok && len(op.Operands) == 1 && len(op.Results) == 1 && op.Operands[0].Type.DType.IsInt() &&
		op.Operands[0].Type.DType.IsSigned() && op.Results[0].Type.DType == tensor.Bool &&
		op.Operands[0].Type.Shape.Equal(op.Results[0].Type.Shape)
}

// narrowTypes reports whether the operand and the result are signed integers of one shape.
func narrowTypes(op *hlo.Op) bool {
	_, ok := hlo.NarrowOf(op)
	return ok && len(op.Operands) == 1 && len(op.Results) == 1 && op.Operands[0].Type.DType.IsSigned() &&
		op.Results[0].Type.DType.IsSigned() && op.Operands[0].Type.Shape.Equal(op.Results[0].Type.Shape)
}

// squaresTypes reports whether the operands are integers of batch × rows × columns and batch × rows, and the result is square.
func squaresTypes(op *hlo.Op) bool {
	if len(op.Operands) != 2 || len(op.Results) != 1 {
		return false
	}
	x, w, y := op.Operands[0].Type, op.Operands[1].Type, op.Results[0].Type
	return x.DType.IsInt() && w.DType == x.DType && y.DType == x.DType && len(x.Shape) == 3 && w.Shape.Equal(x.Shape[:2]) &&
		y.Shape.Equal(tensor.Shape{x.Shape[0], x.Shape[2], x.Shape[2]})
}

// extremeTypes reports whether the results are k elements of each lane along dim, and their
// positions.
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
		slices.Equal(
			indices.Shape,
			x.Shape,
		) && indices.DType.IsInt() && worst.DType == x.DType && worst.DType != tensor.Bool && worst.Shape.Size() == 1
}

// matrixOf splits a tensor type into batch dimensions, rows and columns.
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
	if BackendOption(op, "side") == 'L' {
		return rows == n
	}
	return columns == n
}

// factorTypes reports whether the results of a factorization of real matrices have the numbers of
// elements that sizes returns, where -1 allows any number.
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
