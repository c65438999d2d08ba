package onnx

import (
	"math"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

var signalOps = map[string]operation{
	".HannWindow":     {build: cosineWindow(0.5, 0.5, 0), known: []int{0}},
	".HammingWindow":  {build: cosineWindow(25.0/46, 1-25.0/46, 0), known: []int{0}},
	".BlackmanWindow": {build: cosineWindow(0.42, 0.5, 0.08), known: []int{0}},
	".DFT":            {build: dft, known: []int{1, 2}},
	".STFT":           {build: stft, known: []int{1, 3}},
	".Det":            {build: det},
}

// cosineWindow is a window that is a sum of cosines.
func cosineWindow(a, c, d float64) func(x *node) []*value {
	return func(x *node) []*value {
		n := int(x.number(0))
		if n < 1 || n > maxFolded {
			x.fail("the file is damaged", "the window has %d elements", n)
		}
		period := float64(n)
		if x.int("periodic", 1) == 0 {
			period--
		}
		f := make([]float64, n)
		for i := range f {
			t := 2 * math.Pi * float64(i) / period
			f[i] = a - c*math.Cos(t) + d*math.Cos(2*t)
		}
		return known(tensor.FromFloats(x.dtype("output_datatype", tensor.F32), tensor.Shape{n}, f))
	}
}

// dft is the discrete Fourier transform along a dimension; the last dimension has real and imaginary part, or the real part.
func dft(x *node) []*value {
	s := x.ensureDims(0, 2, 64)
	axis := x.int("axis", 1)
	if x.opset >= 20 {
		axis = -2
		if x.has(2) {
			axis = int(x.number(2))
		}
	}
	axis = x.axis(axis, len(s))
	inverse, half := x.int("inverse", 0) != 0, x.int("onesided", 0) != 0
	n := s[axis]
	if inverse && half {
		n = 2 * (s[axis] - 1)
	}
	if x.has(1) {
		n = int(x.number(1))
	}
	if axis == len(s)-1 || n < 1 || n > 1<<12 || s[len(s)-1] < 1 || s[len(s)-1] > 2 {
		x.fail("the file is damaged, or its inputs have other shapes", "a transform of %d elements along dimension %d of a tensor of shape %v", n, axis, s)
	}
	return one(x.transform(x.v(0), axis, n, inverse, half))
}

// transform is a Fourier transform of n elements along a dimension: products with public matrices. half says that of a real
// signal only the frequencies up to the middle are there.
func (x *node) transform(v build.Value, axis, n int, inverse, half bool) build.Value {
	b := x.b
	in := n
	if inverse && half {
		in = n/2 + 1
	}
	have := v.Dim(axis)
	if have > in {
		v = part(b, v, axis, 0, in)
	} else if have < in {
		p := make([]build.Padding, v.Rank())
		p[axis].High = in - have
		v = b.Pad(v, zero(b, v.DType()), p...)
	}
	out := n
	if !inverse && half {
		out = n/2 + 1
	}
	cos, sin := make([]float64, in*out), make([]float64, in*out)
	for i := range in {
		factor := 1.0
		if inverse {
			factor /= float64(n)
			if half && i > 0 && 2*i != n { // stands for its mirror image too
				factor *= 2
			}
		}
		for k := range out {
			t := 2 * math.Pi * float64(i*k%n) / float64(n)
			cos[i*out+k], sin[i*out+k] = factor*math.Cos(t), factor*math.Sin(t)
		}
	}
	last := v.Rank() - 1
	times := func(v build.Value, m []float64) build.Value {
		matrix := b.Array(tensor.FromFloats(v.DType(), tensor.Shape{in, out}, m))
		product := b.DotGeneral(v, matrix, hlo.DotDims{LHSContract: []int{axis}, RHSContract: []int{0}})
		perm := make([]int, last)
		for i := range perm {
			perm[i] = i
		}
		return b.Transpose(product, slices.Insert(perm, axis, last)...)
	}
	re := part(b, v, last, 0, 1)
	yr, yi := times(re, cos), times(re, sin)
	if !inverse {
		yi = b.Neg(yi)
	}
	if v.Dim(last) == 2 {
		im := part(b, v, last, 1, 2)
		if inverse {
			yr, yi = b.Sub(yr, times(im, sin)), b.Add(yi, times(im, cos))
		} else {
			yr, yi = b.Add(yr, times(im, sin)), b.Add(yi, times(im, cos))
		}
	}
	if inverse && half {
		return yr
	}
	return b.Concat(last, yr, yi)
}

// stft is the Fourier transform of frames of a signal.
func stft(x *node) []*value {
	b, s := x.b, x.ensureDims(0, 3, 3)
	step, size := int(x.number(1)), 0
	if x.has(3) {
		size = int(x.number(3))
	} else {
		size = x.value(2).typ.Shape.Size()
	}
	if step < 1 || size < 1 || size > s[1] || size > 1<<12 || (s[1]-size)/step >= maxFolded/size {
		x.fail("the model does not take inputs of this shape", "frames of %d elements, %d apart, of a signal of %d", size, step, s[1])
	}
	count := (s[1]-size)/step + 1
	places := make([]int, 0, count*size)
	for f := range count {
		for i := range size {
			places = append(places, f*step+i)
		}
	}
	v := b.Reshape(take(b, x.v(0), places, 1), s[0], count, size, s[2])
	if x.has(2) {
		v = b.Mul(v, b.BroadcastInDim(x.v(2), []int{2}, v.Shape()...))
	}
	return one(x.transform(v, 2, size, false, x.int("onesided", 1) != 0))
}

// det is the determinant of small matrices, by minors.
func det(x *node) []*value {
	s := x.ensureDims(0, 2, 64)
	n := s[len(s)-1]
	if n < 1 || s[len(s)-2] != n {
		x.fail("the model does not take inputs of this shape", "matrices of shape %v have no determinant", s)
	}
	if n > 4 {
		x.unsupported("use matrices of at most 4 rows", "determinants of %d rows are not supported", n)
	}
	columns := make([]int, n)
	for i := range columns {
		columns[i] = i
	}
	return one(x.b.Reshape(minor(x.b, x.v(0), 0, columns), s[:len(s)-2]...))
}

// minor is the determinant of the rows from row on and of some columns.
func minor(b *build.Builder, v build.Value, row int, columns []int) build.Value {
	last := v.Rank() - 1
	entry := func(c int) build.Value { return part(b, part(b, v, last-1, row, row+1), last, c, c+1) }
	if len(columns) == 1 {
		return entry(columns[0])
	}
	var sum build.Value
	for i, c := range columns {
		term := b.Mul(entry(c), minor(b, v, row+1, slices.Delete(slices.Clone(columns), i, i+1)))
		switch {
		case i == 0:
			sum = term
		case i%2 == 0:
			sum = b.Add(sum, term)
		default:
			sum = b.Sub(sum, term)
		}
	}
	return sum
}
