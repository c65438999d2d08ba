package algo

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

// A convolution with features before space, two batch groups and a kernel with output features first.
func TestConvOf(t *testing.T) {
	o := &hlo.Op{Operands: []*hlo.Value{shaped(4, 2, 3), shaped(6, 2, 2)}, Results: []*hlo.Value{shaped(2, 6, 4)}, Attrs: hlo.Attrs{
		"batch_group_count": int64(2), "padding": []int64{1, 1}, "window_reversal": []bool{true},
		"dimension_numbers": &hlo.ConvDims{InBatch: 0, InFeature: 1, InSpatial: []int{2}, KerOut: 0, KerIn: 1, KerSpatial: []int{2},
			OutBatch: 0, OutFeature: 1, OutSpatial: []int{2}},
	}}
	g, x, k := ConvOf(texts{}, o, letters(4, 2, 3), letters(6, 2, 2))
	if g.Batch != 2 || g.InFeatures != 4 || g.KernelIn != 2 || g.OutFeatures != 6 || g.Groups != 2 {
		t.Errorf("%+v", g)
	}
	if got := fmt.Sprint(g.In, g.Out, g.Size, g.Stride, g.Base, g.Dilate, g.Pad, g.Reversed, g.Perm, g.Result()); got !=
		"3 4 2 [1] [1] [1] [1 1] [true] [0 2 1] 2x4x6" {
		t.Error(got)
	}
	// Of the features of batch 0, the second half comes from batch 2 of the operand.
	same(t, text{tensor.Shape{8}, x.data[:8]}, tensor.Shape{8}, "a", "d", "m", "p", "b", "e", "n", "q")
	if !x.shape.Equal(tensor.Shape{2, 3, 4}) || !k.shape.Equal(tensor.Shape{2, 2, 6}) {
		t.Error(x.shape, k.shape)
	}
	same(t, text{tensor.Shape{7}, k.data[:7]}, tensor.Shape{7}, "a", "e", "i", "m", "q", "u", "c")
	if got := fmt.Sprint(g.Index()); got != "[0 -1 1 0 2 1 -1 2]" {
		t.Error(got)
	}
}
