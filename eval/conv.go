package eval

import (
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// convolution implements convolution with any number of spatial dimensions, any layout, strides,
// padding (negative padding cuts), dilations, window reversal, and feature or batch groups.
func convolution(c *call) ([]*tensor.Array, error) {
	g, x, k := algo.ConvOf(arrays{}, c.op, c.args[0], c.args[1])
	t := c.result(0)
	flat := tensor.Type{DType: t.DType, Shape: g.Result()}
	var out *tensor.Array
	switch d := x.DType; {
	case d.IsComplex() || k.DType.IsComplex():
		z, err := convolve(c, g, complexes(x), complexes(k))
		if err != nil {
			return nil, err
		}
		out = fromComplexes(t.DType, flat.Shape, z)
	case d.IsFloat() || k.DType.IsFloat():
		f, err := convolve(c, g, x.Floats(), k.Floats())
		if err != nil {
			return nil, err
		}
		out = fromFloats(flat, f)
	default:
		w, err := convolve(c, g, x.Words(), k.Words())
		if err != nil {
			return nil, err
		}
		out = fromWords(flat, w)
	}
	return one(apply(tensor.Transposed(flat.Shape, g.Perm), out)), nil
}

// convolve adds, for every output position and kernel position, the product of the input's features
// with the kernel's matrix.
func convolve[T wide](c *call, g algo.Conv, x, k []T) ([]T, error) {
	positions, taps, space := g.Out.Size(), g.Size.Size(), g.In.Size()
	out := make([]T, g.Batch*positions*g.OutFeatures)
	if len(out) == 0 {
		return out, nil
	}
	places := g.Index()
	outPart := g.OutFeatures / g.Groups
	for b := range g.Batch {
		for p := range positions {
			if err := c.alive(); err != nil {
				return nil, err
			}
			sums := out[(b*positions+p)*g.OutFeatures:][:g.OutFeatures]
			for tap, place := range places[p*taps:][:taps] {
				if place < 0 {
					continue
				}
				features := x[(b*space+int(place))*g.InFeatures:][:g.InFeatures]
				kernel := k[tap*g.KernelIn*g.OutFeatures:][:g.KernelIn*g.OutFeatures]
				for grp := range g.Groups {
					part := sums[grp*outPart:][:outPart]
					for i, v := range features[grp*g.KernelIn:][:g.KernelIn] {
						addScaled(part, v, kernel[i*g.OutFeatures+grp*outPart:][:outPart])
					}
				}
			}
		}
	}
	return out, nil
}

func addScaled[T wide](sum []T, v T, x []T) {
	x = x[:len(sum)]
	for i := range sum {
		sum[i] += T(v * x[i])
	}
}
