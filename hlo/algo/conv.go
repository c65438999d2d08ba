package algo

import (
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// Conv describes a convolution of an input of shape [Batch, In…, InFeatures] with a kernel of shape [Size…, KernelIn,
// OutFeatures] to a result of shape [Batch, Out…, OutFeatures]. The embedded Window describes the windows along the
// spatial dimensions. The features are split into Groups parts: part g of InFeatures contributes to part g of
// OutFeatures only.
type Conv struct {
	Window                                           // along the spatial dimensions
	Batch, InFeatures, KernelIn, OutFeatures, Groups int
	// Perm permutes [Batch, Out…, OutFeatures] to the dimensions of the operation's result.
	Perm []int
}

// ConvOf describes the convolution o of input x and kernel k. It returns the input and the kernel with their
// dimensions in the order that Conv has. Batch groups become feature groups.
func ConvOf[V any](of Values[V], o *hlo.Op, x, k V) (g Conv, xs, ks V) {
	d := o.Attrs["dimension_numbers"].(*hlo.ConvDims)
	rank := len(d.InSpatial)
	g.Groups = o.Attrs.Int("feature_group_count", 1)
	x = of.View(tensor.Transposed(of.Shape(x), slices.Concat([]int{d.InBatch}, d.InSpatial, []int{d.InFeature})), x)
	k = of.View(tensor.Transposed(of.Shape(k), slices.Concat(d.KerSpatial, []int{d.KerIn, d.KerOut})), k)
	if groups := o.Attrs.Int("batch_group_count", 1); groups > 1 {
		x, g.Groups = batchGroups(of, x, groups), g.Groups*groups
	}
	in, kernel := of.Shape(x), of.Shape(k)
	g.Batch, g.InFeatures, g.KernelIn, g.OutFeatures = in[0], in[rank+1], kernel[rank], kernel[rank+1]
	g.Window = Window{In: in[1 : rank+1], Size: kernel[:rank]}
	g.Perm = make([]int, rank+2)
	g.Perm[d.OutBatch], g.Perm[d.OutFeature] = 0, rank+1
	for i, s := range d.OutSpatial {
		g.Out = append(g.Out, o.Results[0].Type.Shape[s])
		g.Perm[s] = i + 1
	}
	g.Window = g.dilated(o, "lhs_dilation", "rhs_dilation")
	g.Reversed, _ = o.Attrs["window_reversal"].([]bool)
	return g, x, k
}

// Result returns the shape [Batch, Out…, OutFeatures].
func (g Conv) Result() tensor.Shape {
	return slices.Concat(tensor.Shape{g.Batch}, g.Out, tensor.Shape{g.OutFeatures})
}

// batchGroups turns batch groups into feature groups: group g of the batch is convolved with the g-th part of
// the kernel's output features.
func batchGroups[V any](of Values[V], x V, groups int) V {
	s := of.Shape(x)
	rank := len(s)
	perm := make([]int, 0, rank+1) // [batch, space…, group, feature]
	for d := 1; d < rank; d++ {
		perm = append(perm, d)
	}
	perm = append(perm, 0, rank)
	split := slices.Concat(tensor.Shape{groups, s[0] / groups}, s[1:])
	x = of.View(tensor.Transposed(split, perm), Reshaped(of, x, split))
	return Reshaped(of, x, slices.Concat(tensor.Shape{s[0] / groups}, s[1:rank-1], tensor.Shape{groups * s[rank-1]}))
}
