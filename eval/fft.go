package eval

import (
	"math"
	"math/bits"
	"math/cmplx"
	"slices"

	"github.com/tacet-mpc/tacet/tensor"
)

// fourier transforms along the last dimensions. IFFT and IRFFT divide by the number of elements;
// RFFT keeps the first half of the last dimension's frequencies including the middle, and IRFFT
// restores the rest by symmetry.
func fourier(c *call) ([]*tensor.Array, error) {
	x, out := c.args[0], c.result(0)
	kind, length := c.op.Attrs.Str("fft_type"), c.op.Attrs.Ints("fft_length")
	rank, axes := len(x.Shape), len(length)
	grid := spectrum{slices.Clone(x.Shape), slices.Clone(complexes(x))}
	last := rank - 1
	switch kind {
	case "FFT", "RFFT", "IFFT":
		for d := rank - axes; d < rank; d++ {
			if err := grid.transform(c, d, kind == "IFFT"); err != nil {
				return nil, err
			}
		}
		if kind == "RFFT" {
			grid.cut(length[axes-1]/2 + 1)
		}
	case "IRFFT":
		for d := rank - axes; d < last; d++ {
			if err := grid.transform(c, d, true); err != nil {
				return nil, err
			}
		}
		grid.mirror(length[axes-1])
		if err := grid.transform(c, last, true); err != nil {
			return nil, err
		}
	}
	return one(fromReals(out.DType, out.Shape, grid.data)), nil
}

// spectrum is a complex tensor that is transformed in place.
type spectrum struct {
	shape tensor.Shape
	data  []complex128
}

// transform replaces every lane along a dimension by its (inverse) transform.
func (g *spectrum) transform(c *call, dim int, inverse bool) error {
	n, stride := g.shape[dim], g.shape[dim+1:].Size()
	lane := make([]complex128, n)
	for start := 0; start < len(g.data); start += n * stride {
		for off := range stride {
			if err := c.alive(); err != nil {
				return err
			}
			at := start + off
			for i := range lane {
				lane[i] = g.data[at+i*stride]
			}
			out := c.transformed(lane, inverse)
			if err := c.alive(); err != nil {
				return err
			}
			for i, v := range out {
				if inverse {
					v /= complex(float64(n), 0)
				}
				g.data[at+i*stride] = v
			}
		}
	}
	return nil
}

// cut keeps the first n elements of the last dimension.
func (g *spectrum) cut(n int) {
	last := len(g.shape) - 1
	var kept []complex128
	for at := 0; at < len(g.data); at += g.shape[last] {
		kept = append(kept, g.data[at:at+n]...)
	}
	g.data, g.shape[last] = kept, n
}

// mirror extends the last dimension to the n frequencies of a real signal: frequency n-k is the
// conjugate of frequency k. The imaginary parts of self-conjugate frequencies are ignored.
func (g *spectrum) mirror(n int) {
	last := len(g.shape) - 1
	have := g.shape[last]
	full := make([]complex128, 0, len(g.data)/max(1, have)*n)
	for at := 0; at < len(g.data); at += have {
		for k := range n {
			switch {
			case k == 0 || 2*k == n:
				full = append(full, complex(real(g.data[at+k]), 0))
			case k < have:
				full = append(full, g.data[at+k])
			default:
				full = append(full, cmplx.Conj(g.data[at+n-k]))
			}
		}
	}
	g.data, g.shape[last] = full, n
}

// root returns exp(±2πi·k/n), + for the inverse transform.
func root(k, n int, inverse bool) complex128 {
	s, c := math.Sincos(2 * math.Pi * float64(k%n) / float64(n))
	if !inverse {
		s = -s
	}
	return complex(c, s)
}

// transformed returns the unscaled transform: by radix-2 splitting if the length is a power of two,
// otherwise as a convolution (Bluestein) of such a length. If the context ends, the result is meaningless.
func (c *call) transformed(x []complex128, inverse bool) []complex128 {
	n := len(x)
	if n&(n-1) == 0 {
		return c.radix2(x, inverse)
	}
	// With jk = (j² + k² - (k-j)²)/2, out[k] = w(k²)·Σ x[j]·w(j²)·w(-(k-j)²),
	// where w(m) = exp(±πi·m/n).
	w := make([]complex128, n)
	for k := range w {
		w[k] = root(k*k%(2*n), 2*n, inverse)
	}
	size := 1 << bits.Len(uint(2*n-2))
	p, q := make([]complex128, size), make([]complex128, size)
	for k := range n {
		p[k] = x[k] * w[k]
		q[k] = cmplx.Conj(w[k])
		q[(size-k)%size] = q[k]
	}
	p, q = c.radix2(p, false), c.radix2(q, false)
	for i := range p {
		p[i] *= q[i]
	}
	p = c.radix2(p, true)
	out := make([]complex128, n)
	for k := range out {
		out[k] = p[k] * w[k] / complex(float64(size), 0)
	}
	return out
}

// rootsAtOnce is the number of roots after which radix2 looks at the context.
const rootsAtOnce = 1 << 12

// radix2 returns the transform of a length that is a power of two. It stops early if the context ends.
func (c *call) radix2(x []complex128, inverse bool) []complex128 {
	n := len(x)
	out := make([]complex128, n)
	shift := 64 - bits.Len(uint(n-1))
	for i, v := range x {
		if n > 1 {
			i = int(bits.Reverse64(uint64(i)) >> shift)
		}
		out[i] = v
	}
	for half := 1; half < n; half *= 2 {
		for k := range half {
			if k%rootsAtOnce == 0 && c.ctx.Err() != nil {
				return out
			}
			w := root(k, 2*half, inverse)
			for i := k; i < n; i += 2 * half {
				a, b := out[i], out[i+half]*w
				out[i], out[i+half] = a+b, a-b
			}
		}
	}
	return out
}
