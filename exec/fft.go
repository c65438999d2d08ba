package exec

import (
	"math"

	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// fourier transforms along the last dimensions, one after the other, by public matrices. Both parts of a
// complex value are transformed side by side, so that every dimension costs at most one truncation.
func fourier(c *opRun, in []*value) ([]*value, error) {
	kind, length := c.o.Attrs.Str("fft_type"), c.o.Attrs.Ints("fft_length")
	re, im := c.parts(in[0])
	rank, axes := len(re.typ.Shape), len(length)
	inverse := kind == "IFFT" || kind == "IRFFT"
	last := rank - 1
	for d := rank - axes; d < rank; d++ {
		if d == last && (kind == "RFFT" || kind == "IRFFT") {
			continue
		}
		n := re.typ.Shape[d]
		re, im = c.transform(re, im, d, dft(n, n, inverse))
	}
	t := c.o.Results[0].Type
	switch kind {
	case "RFFT": // the real transform first is the same: dimensions commute
		n := length[axes-1]
		re, im = c.transform(re, im, last, dft(n, n/2+1, false))
	case "IRFFT":
		re, _ = c.transform(re, im, last, restoring(length[axes-1], re.typ.Shape[last]))
		re.typ.DType = t.DType
		return []*value{re}, nil
	}
	return []*value{paired(t.DType, re, im)}, nil
}

// dft returns the matrix of the transform of n elements to the first m frequencies.
func dft(n, m int, inverse bool) [][]complex128 {
	out := make([][]complex128, n)
	for j := range n {
		for k := range m {
			s, c := math.Sincos(2 * math.Pi * float64(j*k%n) / float64(n))
			if inverse {
				out[j] = append(out[j], complex(c/float64(n), s/float64(n)))
			} else {
				out[j] = append(out[j], complex(c, -s))
			}
		}
	}
	return out
}

// restoring returns the matrix of the inverse transform from m frequencies of a real signal of n elements,
// whose other frequencies are conjugates of these.
func restoring(n, m int) [][]complex128 {
	out := make([][]complex128, m)
	for k := range m {
		weight := 2 / float64(n)
		if k == 0 || 2*k == n {
			weight /= 2
		}
		for j := range n {
			s, c := math.Sincos(2 * math.Pi * float64(j*k%n) / float64(n))
			if k == 0 || 2*k == n {
				s = 0
			}
			out[k] = append(out[k], complex(weight*c, weight*s))
		}
	}
	return out
}

// transform multiplies the vectors along a dimension with a complex matrix.
func (c *opRun) transform(re, im *value, dim int, matrix [][]complex128) (x, y *value) {
	shape := re.typ.Shape
	rank := len(shape)
	perm := algo.Others(rank, []int{dim})
	perm = append(perm, dim)
	n, m := len(matrix), len(matrix[0])
	rows := algo.Size(shape, perm[:rank-1])
	lanes := []*value{}
	for _, v := range []*value{re, im} {
		v = c.view(v, tensor.Transposed(shape, perm))
		lanes = append(lanes, c.view(v, tensor.Reshaped(v.typ.Shape, tensor.Shape{rows, n})))
	}
	side, blocks := lanes[0], 1
	if !noneOf(im) {
		blocks = 2
		side = c.joinedColumns(lanes[0], lanes[1])
	}
	f := make([]float64, 0, blocks*n*2*m) // (re, im) times [[C, S], [−S, C]]
	for b := range blocks {
		for _, row := range matrix {
			for half := range 2 {
				for _, w := range row {
					switch {
					case b == half:
						f = append(f, real(w))
					case b == 0:
						f = append(f, imag(w))
					default:
						f = append(f, -imag(w))
					}
				}
			}
		}
	}
	by := &value{typ: tensor.Type{DType: re.typ.DType, Shape: tensor.Shape{blocks * n, 2 * m}}, owner: Public}
	by.arr = tensor.FromFloats(tensor.F64, by.typ.Shape, f)
	z := c.product(maps.MatMul{Batch: 1, M: rows, K: blocks * n, N: 2 * m}, tensor.Shape{rows, 2 * m}, side, by)
	back := make([]int, rank)
	for to, from := range perm {
		back[from] = to
	}
	moved := tensor.Shape{}
	for _, d := range perm[:rank-1] {
		moved = append(moved, shape[d])
	}
	moved = append(moved, m)
	half := func(i int) *value {
		v := c.view(z, tensor.Sliced(z.typ.Shape, []int{0, i * m}, []int{rows, (i + 1) * m}, []int{1, 1}))
		v = c.view(v, tensor.Reshaped(v.typ.Shape, moved))
		return c.view(v, tensor.Transposed(moved, back))
	}
	return half(0), half(1)
}

// joinedColumns puts columns of y after those of x.
func (c *opRun) joinedColumns(x, y *value) *value {
	in := c.shareAll([]*value{x, y})
	return secret(c.Arith.View(c.op, tensor.Concatenated([]tensor.Shape{x.typ.Shape, y.typ.Shape}, 1), in...))
}
