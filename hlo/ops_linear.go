package hlo

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// Names (Op.Name) of the StableHLO operations of linear algebra.
const (
	OpCholesky        = "stablehlo.cholesky"
	OpConvolution     = "stablehlo.convolution"
	OpDot             = "stablehlo.dot"
	OpDotGeneral      = "stablehlo.dot_general"
	OpFFT             = "stablehlo.fft"
	OpTriangularSolve = "stablehlo.triangular_solve"
)

var (
	precision = enums("precision", "DEFAULT", "HIGH", "HIGHEST")
	convLists = []string{"window_strides", "lhs_dilation", "rhs_dilation"}
)

// linearOps are operations of linear algebra.
func linearOps() (ops []opDef) {
	ops = append(ops,
		opDef{name: OpDot, canonical: (*Op).dotGeneral, operands: exactly(2), results: exactly(1), check: checkDot,
			traits: Contraction, linear: all,
			attrs: []attrDef{optional("precision_config", precision)},
			form:  form(args(2), maybe(", precision =", precisions), attributes, signature)},
		opDef{name: OpDotGeneral, operands: exactly(2), results: exactly(1), check: checkDotGeneral, traits: Contraction, linear: all,
			attrs: []attrDef{
				required("dot_dimension_numbers", isDot),
				optional("precision_config", precision), optional("algorithm", isAny),
			},
			form: form(args(2), word(","), dotForm, attributes, signature)},
		opDef{name: OpConvolution, operands: exactly(2), results: exactly(1), check: checkConvolution, traits: Contraction, linear: all,
			attrs: []attrDef{
				required("dimension_numbers", isConv),
				required("feature_group_count", isInt), required("batch_group_count", isInt),
				perDim("window_strides", 1, spatial), padding(twiceSpatial), perDim("lhs_dilation", 1, spatial), perDim("rhs_dilation", 1, spatial),
				{name: "window_reversal", is: isBools, fill: func(o *Op) any { return make([]bool, spatial(o)) }},
				optional("precision_config", precision),
			},
			form: form(convForm, attributes, signature)},
		opDef{name: OpCholesky, operands: exactly(1), results: exactly(1), check: checkCholesky,
			attrs: []attrDef{preset("lower", isFlag, false)},
			form:  form(args(1), maybe(", lower =", flagOf("lower")), attributes, sameType)},
		opDef{name: OpTriangularSolve, operands: exactly(2), results: exactly(1), check: checkTriangularSolve,
			attrs: []attrDef{
				required("left_side", isFlag), required("lower", isFlag), required("unit_diagonal", isFlag),
				required("transpose_a", enum("transpose", "NO_TRANSPOSE", "TRANSPOSE", "ADJOINT")),
			}},
		opDef{name: OpFFT, operands: exactly(1), results: exactly(1), check: checkFFT,
			attrs: []attrDef{required("fft_type", enum("fft_type", "FFT", "IFFT", "RFFT", "IRFFT")), required("fft_length", isInts)},
			form:  form(args(1), word(", type ="), enumOf("fft_type"), word(", length ="), intsOf("fft_length"), attributes, signature)},
	)
	return ops
}

// spatial returns the number of spatial dimensions of a convolution.
func spatial(o *Op) int      { return max(0, rank(o)-2) }
func twiceSpatial(o *Op) int { return 2 * spatial(o) }

// productType is the result's element type; that of operand 0 where the result
// has none yet.
func (o *Op) productType() tensor.DType {
	if d := o.out(0).DType; d != tensor.Invalid {
		return d
	}
	return o.in(0).DType
}

// wantsProduct checks that the result's elements are of the widest kind that
// the operands have (their width may differ).
func (o *Op) wantsProduct() error {
	a, b, r := o.in(0).DType, o.in(1).DType, o.productType()
	for _, c := range []class{classComplex, classFloat, classBits} {
		if c.has(a) || c.has(b) {
			if !c.has(r) {
				return fmt.Errorf("cannot give %v from elements of types %v and %v", r, a, b)
			}
			return nil
		}
	}
	return nil
}

// givesProduct checks the result's shape.
func (o *Op) givesProduct(s tensor.Shape) error {
	return o.gives(tensor.Type{DType: o.productType(), Shape: s})
}

func checkDot(o *Op) error {
	a, b := o.shape(0), o.shape(1)
	if len(a) < 1 || len(a) > 2 || len(b) < 1 || len(b) > 2 || a[len(a)-1] != b[0] {
		return fmt.Errorf("cannot multiply %v by %v", o.in(0), o.in(1))
	}
	return first(o.wantsProduct(), o.givesProduct(slices.Concat(a[:len(a)-1], b[1:])))
}

func checkDotGeneral(o *Op) error {
	d := o.Attrs["dot_dimension_numbers"].(*DotDims)
	a, b := o.shape(0), o.shape(1)
	lhs, rhs := slices.Concat(d.LHSBatch, d.LHSContract), slices.Concat(d.RHSBatch, d.RHSContract)
	err := first(o.wantsProduct(), dimList("the left operand's list", lhs, len(a)), dimList("the right operand's list", rhs, len(b)))
	if err != nil {
		return err
	}
	if len(d.LHSBatch) != len(d.RHSBatch) || !slices.Equal(pick(a, lhs), pick(b, rhs)) {
		return fmt.Errorf("dimensions %v of %v are incompatible with %v of %v", lhs, o.in(0), rhs, o.in(1))
	}
	return o.givesProduct(slices.Concat(pick(a, d.LHSBatch), without(a, lhs), without(b, rhs)))
}

func checkConvolution(o *Op) error {
	d := o.Attrs["dimension_numbers"].(*ConvDims)
	in, kernel, n := o.shape(0), o.shape(1), spatial(o)
	r := n + 2
	if len(in) != r || len(kernel) != r || len(d.InSpatial) != n || len(d.KerSpatial) != n || len(d.OutSpatial) != n {
		return fmt.Errorf("%v, %v and their %d, %d and %d spatial dimensions are incompatible", o.in(0), o.in(1), len(d.InSpatial), len(d.KerSpatial), len(d.OutSpatial))
	}
	reversal := o.Attrs["window_reversal"].([]bool)
	if len(reversal) != n {
		return fmt.Errorf("window_reversal has %d values, but takes %d", len(reversal), n)
	}
	err := first(
		o.wantsProduct(),
		dimList("the input's dimension numbers", append([]int{d.InBatch, d.InFeature}, d.InSpatial...), r),
		dimList("the kernel's dimension numbers", append([]int{d.KerIn, d.KerOut}, d.KerSpatial...), r),
		dimList("the output's dimension numbers", append([]int{d.OutBatch, d.OutFeature}, d.OutSpatial...), r),
		o.lengths(n, convLists...), o.positive(convLists...), o.lengths(2*n, "padding"))
	if err != nil {
		return err
	}
	if err := o.checkGroups(in[d.InBatch], in[d.InFeature], kernel[d.KerIn], kernel[d.KerOut]); err != nil {
		return err
	}
	stride, pad := o.Attrs.Ints("window_strides"), o.Attrs.Ints("padding")
	base, dilation := o.Attrs.Ints("lhs_dilation"), o.Attrs.Ints("rhs_dilation")
	out := make(tensor.Shape, r)
	out[d.OutBatch] = in[d.InBatch] / o.Attrs.Int("batch_group_count", 1)
	out[d.OutFeature] = kernel[d.KerOut]
	for i := range n {
		size := kernel[d.KerSpatial[i]]
		if size < 1 {
			return fmt.Errorf("the kernel %v is empty", o.in(1))
		}
		out[d.OutSpatial[i]] = window{size, stride[i], pad[2*i], pad[2*i+1], base[i], dilation[i]}.count(in[d.InSpatial[i]])
	}
	return o.givesProduct(out)
}

// checkGroups checks a convolution's group counts against its sizes.
func (o *Op) checkGroups(batch, features, kernelIn, kernelOut int) error {
	f, b := o.Attrs.Int("feature_group_count", 0), o.Attrs.Int("batch_group_count", 0)
	switch {
	case f < 1 || b < 1 || f > 1 && b > 1:
		return fmt.Errorf("feature_group_count is %d and batch_group_count %d: one of them must be 1", f, b)
	case features%f != 0 || features/f != kernelIn || kernelOut%f != 0:
		return fmt.Errorf("%d input features are incompatible with a kernel of %d to %d features in %d groups", features, kernelIn, kernelOut, f)
	case batch%b != 0 || kernelOut%b != 0:
		return fmt.Errorf("a batch of %d is incompatible with %d features in %d groups", batch, kernelOut, b)
	}
	return nil
}

// square checks that operand 0 is a square matrix or a batch of square matrices, and returns the
// number of rows.
func (o *Op) square() (int, error) {
	s := o.shape(0)
	if len(s) < 2 || s[len(s)-1] != s[len(s)-2] {
		return 0, fmt.Errorf("takes square matrices, not %v", o.in(0))
	}
	return s[len(s)-1], o.wants(0, classField)
}

func checkCholesky(o *Op) error {
	_, err := o.square()
	return first(err, o.gives(o.in(0)))
}

func checkTriangularSolve(o *Op) error {
	n, err := o.square()
	if err != nil {
		return err
	}
	b, r := o.shape(1), rank(o)
	if len(b) != r || !slices.Equal(b[:r-2], o.shape(0)[:r-2]) || o.in(1).DType != o.in(0).DType {
		return fmt.Errorf("%v is incompatible with %v", o.in(0), o.in(1))
	}
	if o.Attrs.Bool("left_side") && b[r-2] != n || !o.Attrs.Bool("left_side") && b[r-1] != n {
		return fmt.Errorf("%v is incompatible with %v on this side", o.in(0), o.in(1))
	}
	return o.gives(o.in(1))
}

func checkFFT(o *Op) error {
	lengths := o.Attrs.Ints("fft_length")
	n := len(lengths)
	if n < 1 || n > 3 || n > rank(o) {
		return fmt.Errorf("transforms %d dimensions of %v, but takes 1 to 3", n, o.in(0))
	}
	if err := first(o.lengths(n, "fft_length"), o.positive("fft_length")); err != nil {
		return err
	}
	kind, in := o.Attrs.Str("fft_type"), o.in(0)
	out := tensor.Type{DType: in.DType, Shape: in.Shape.Clone()}
	real, last := slices.Clone(lengths), len(in.Shape)-1
	switch kind {
	case "RFFT":
		if in.DType != tensor.F32 && in.DType != tensor.F64 {
			return fmt.Errorf("RFFT takes f32 or f64, not %v", in.DType)
		}
		out.DType = map[tensor.DType]tensor.DType{tensor.F32: tensor.C64, tensor.F64: tensor.C128}[in.DType]
		out.Shape[last] = lengths[n-1]/2 + 1
	case "IRFFT":
		out.DType = part(in).DType
		out.Shape[last] = lengths[n-1]
		real[n-1] = lengths[n-1]/2 + 1
	}
	if kind != "RFFT" && !in.DType.IsComplex() {
		return fmt.Errorf("%s takes complex numbers, not %v", kind, in.DType)
	}
	if !slices.Equal(in.Shape[len(in.Shape)-n:], tensor.Shape(real)) {
		return fmt.Errorf("fft_length %v is incompatible with %v", lengths, in)
	}
	return o.gives(out)
}
