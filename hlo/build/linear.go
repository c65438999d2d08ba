package build

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
)

// Dot returns the product of vectors or matrices: it contracts the last dimension of x with the first of y. Both have
// one or two dimensions.
func (b *Builder) Dot(x, y Value) Value {
	if b.use([]Value{x, y}) == nil {
		return Value{}
	}
	n, m := x.Rank(), y.Rank()
	if n < 1 || n > 2 || m < 1 || m > 2 {
		b.fail(fmt.Sprintf("takes vectors and matrices, not %v and %v", x, y), "use MatMul or DotGeneral")
		return Value{}
	}
	if x.Dim(-1) != y.Dim(0) {
		b.fail(fmt.Sprintf("cannot contract %d elements of %v with %d of %v", x.Dim(-1), x, y.Dim(0), y), "transpose or slice an operand")
		return Value{}
	}
	return b.DotGeneral(x, y, hlo.DotDims{LHSContract: []int{n - 1}, RHSContract: []int{0}})
}

// MatMul returns the products of batches of matrices: the first dimensions of x and y are equal, the last two are
// those of matrices.
func (b *Builder) MatMul(x, y Value) Value {
	if b.use([]Value{x, y}) == nil {
		return Value{}
	}
	n := x.Rank()
	if n < 2 || n != y.Rank() || x.Dim(-1) != y.Dim(-2) {
		b.fail(fmt.Sprintf("cannot multiply matrices of %v by those of %v", x, y), "transpose or Broadcast an operand, or use DotGeneral")
		return Value{}
	}
	d := hlo.DotDims{LHSContract: []int{n - 1}, RHSContract: []int{n - 2}}
	for i := range n - 2 {
		d.LHSBatch, d.RHSBatch = append(d.LHSBatch, i), append(d.RHSBatch, i)
	}
	return b.DotGeneral(x, y, d)
}

// DotGeneral returns the sum of products over the contracted dimensions. The result has the batch dimensions, then
// x's other dimensions, then y's, and x's element type; TypedOp can ask for another one.
func (b *Builder) DotGeneral(x, y Value, dims hlo.DotDims) Value {
	return b.one(hlo.OpDotGeneral, hlo.Attrs{"dot_dimension_numbers": &dims}, x, y)
}

// Conv describes a convolution. The zero Conv has stride 1, no padding and no
// groups, and takes Dims from Channels.
type Conv struct {
	// Dims says which dimensions are the batch, the features and the spatial dimensions. nil stands for Channels of
	// the input's number of spatial dimensions.
	Dims *hlo.ConvDims
	// Strides, InputDilation and KernelDilation have one number for each spatial dimension: the distance between
	// windows, between elements of the input, and between elements of the kernel. nil stands for 1.
	Strides, InputDilation, KernelDilation []int
	// Padding is the number of zeros before and after each spatial dimension; nil stands for none.
	Padding [][2]int
	// Reverse says which of the kernel's spatial dimensions are reversed; nil stands for none.
	Reverse []bool
	// FeatureGroups and BatchGroups are the numbers of groups into which the features and the batch are split; 0
	// stands for 1.
	FeatureGroups, BatchGroups int
}

// Channels returns the dimension numbers of convolutions whose features are the last dimension, for the given number
// of spatial dimensions: inputs and outputs are batch, spatial dimensions, features (NHWC), kernels spatial
// dimensions, input features, output features (HWIO).
func Channels(spatial int) *hlo.ConvDims {
	d := &hlo.ConvDims{InFeature: spatial + 1, KerIn: spatial, KerOut: spatial + 1, OutFeature: spatial + 1}
	for i := range spatial {
		d.InSpatial, d.KerSpatial, d.OutSpatial = append(d.InSpatial, i+1), append(d.KerSpatial, i), append(d.OutSpatial, i+1)
	}
	return d
}

// Conv returns the convolution of an input x with a kernel of the same rank, as c describes it.
func (b *Builder) Conv(x, kernel Value, c Conv) Value {
	dims := c.Dims
	if dims == nil {
		dims = Channels(max(0, x.Rank()-2))
	}
	attrs := hlo.Attrs{
		"dimension_numbers":   dims,
		"feature_group_count": int64(max(1, c.FeatureGroups)),
		"batch_group_count":   int64(max(1, c.BatchGroups)),
	}
	setInts(attrs, "window_strides", c.Strides)
	setInts(attrs, "lhs_dilation", c.InputDilation)
	setInts(attrs, "rhs_dilation", c.KernelDilation)
	setPairs(attrs, "padding", c.Padding)
	if c.Reverse != nil {
		attrs["window_reversal"] = c.Reverse
	}
	return b.one(hlo.OpConvolution, attrs, x, kernel)
}

// setInts sets an attribute unless the list is nil.
func setInts(attrs hlo.Attrs, name string, list []int) {
	if list != nil {
		attrs[name] = ints(list)
	}
}

func setPairs(attrs hlo.Attrs, name string, pairs [][2]int) {
	if pairs == nil {
		return
	}
	flat := []int64{}
	for _, p := range pairs {
		flat = append(flat, int64(p[0]), int64(p[1]))
	}
	attrs[name] = flat
}
