package ring

import "fmt"

// Conv describes a convolution over any number of spatial dimensions. The image is Batch×In…×InChannels, the kernel
// Kernel…×(InChannels/Groups)×OutChannels, the result Batch×Out…×OutChannels, each stored with the last dimension
// fastest. Groups divides InChannels and OutChannels: each group of output channels reads one group of input
// channels.
type Conv struct {
	// Batch is the number of images; the channels are those of all groups together.
	Batch, InChannels, OutChannels, Groups int
	// In, Kernel and Out are the spatial sizes of the image (without padding), the kernel and the result.
	In, Kernel, Out []int
	// Stride is the distance between windows in each dimension; PadLow is the number of zeros before the image, and
	// may be negative. The zeros after the image follow from Out.
	Stride, PadLow []int
	// InDilate and KernelDilate are the distances between neighbouring elements of the image and of the kernel, 1 if
	// nothing lies between them.
	InDilate, KernelDilate []int
}

// Products returns the number of multiply-adds, including those with padding.
func (c Conv) Products() int64 {
	return int64(c.Batch) * int64(size(c.Out)) * int64(size(c.Kernel)) * int64(c.InChannels/c.Groups) * int64(c.OutChannels)
}

func size(d []int) int {
	n := 1
	for _, x := range d {
		n *= x
	}
	return n
}

// Convolve sets dst to the convolution of image x with kernel y, which is not flipped (the
// cross-correlation of machine learning). Shape-only operands leave dst unchanged; lengths or rings
// that do not fit c panic.
func Convolve(dst, x, y Vec, c Conv) {
	in, ker, out := size(c.In), size(c.Kernel), size(c.Out)
	cin := c.InChannels / c.Groups
	if x.n != c.Batch*in*c.InChannels || y.n != ker*cin*c.OutChannels || dst.n != c.Batch*out*c.OutChannels || x.ring != dst.ring ||
		y.ring != dst.ring {
		panic(fmt.Sprintf("ring: Convolve %d with %d elements into %d for %+v", x.n, y.n, dst.n, c))
	}
	if dst.n == 0 || dst.w == nil || x.w == nil || y.w == nil {
		return
	}
	if c.Groups > 1 && c.OutChannels/c.Groups < narrowGroup {
		convolveRows(dst, x, y, c)
	} else {
		convolvePatches(dst, x, y, c)
	}
}

// narrowGroup is the number of output channels of a group below which convolveRows is faster than convolvePatches,
// whose matrices have that many columns (BenchmarkConvolve).
const narrowGroup = 8

// convolveRows adds, for each output position, the products of a row of the image, which has the channels of all
// groups, and a row of the kernel. With several channels to a group, a copy of the image for each input channel of a
// group has, for each output channel, the channel of the image that it reads.
func convolveRows(dst, x, y Vec, c Conv) {
	in, ker, out := size(c.In), size(c.Kernel), size(c.Out)
	cin, cout := c.InChannels/c.Groups, c.OutChannels/c.Groups
	taps, width := c.Taps(), c.OutChannels
	clear(dst.w)
	grain := max(1, (1<<13)/max(1, ker*width*dst.ring.Words()))
	for i := range cin {
		image := x
		if cin > 1 || cout > 1 {
			image = repeated(x, cin, cout, i)
		}
		Parallel(c.Batch*out, grain, func(lo, hi int) {
			met := make([]tap, 0, ker)
			for row := lo; row < hi; row++ {
				b, o := row/out, row%out
				met = met[:0]
				for t, at := range taps[o*ker : (o+1)*ker] {
					if at >= 0 {
						met = append(met, tap{(b*in + int(at)) * width, (t*cin + i) * width})
					}
				}
				if len(met) == 0 {
					continue // a kernel without elements, or padding alone
				}
				sum := dst.Slice(row*width, (row+1)*width)
				if dst.ring.Words() == 1 && !dst.ring.Cyclic {
					inUse.sumTaps(sum.w, image.w, y.w, met, dst.ring.topMask())
					continue
				}
				for _, t := range met {
					MulAdd(sum, image.Slice(t.x, t.x+width), y.Slice(t.y, t.y+width))
				}
			}
		})
		if cin > 1 || cout > 1 {
			image.Free()
		}
	}
}

// repeated returns element i of each cin elements of x, times times.
func repeated(x Vec, cin, times, i int) Vec {
	groups, w := x.n/cin, x.ring.Words()
	out := x.UninitialisedLike(x.ring, groups*times)
	Parallel(groups, (1<<13)/(times*w), func(lo, hi int) {
		for g := lo; g < hi; g++ {
			from := x.w[(g*cin+i)*w : (g*cin+i+1)*w]
			to := out.w[g*times*w : (g+1)*times*w]
			if w == 1 {
				for j := range to {
					to[j] = from[0]
				}
				continue
			}
			for ; len(to) > 0; to = to[w:] {
				copy(to, from)
			}
		}
	})
	return out
}

// convolvePatches copies blocks of patches of the image into matrix rows and multiplies them with the kernel, group
// by group. Where patches lie in the image as such rows, they are not copied.
func convolvePatches(dst, x, y Vec, c Conv) {
	in, ker, out := size(c.In), size(c.Kernel), size(c.Out)
	cin, cout := c.InChannels/c.Groups, c.OutChannels/c.Groups
	w := dst.ring.Words()
	taps := c.Taps()
	depth := ker * cin
	// More rows are a block whose packed form no second-level cache holds; of fewer, more time goes into packing the kernel.
	const patchWords, mostRows = 1 << 17, 128
	rows := max(1, min(mostRows, patchWords/max(1, depth*w)))
	grain := max(1, (1<<15)/max(1, depth*cout*w*w))
	copied := ker != 1 || c.Groups > 1 || in != out
	for o := 0; !copied && o < out; o++ {
		copied = int(taps[o]) != o
	}
	for g := 0; g < c.Groups; g++ {
		kernel := y
		if c.Groups > 1 {
			kernel = columns(y, depth, c.OutChannels, g*cout, cout)
		}
		Parallel(c.Batch*out, grain, func(lo, hi int) {
			var patch, prod Vec
			if copied {
				patch = NewUninitialised(dst.ring, min(rows, hi-lo)*depth)
			}
			if c.Groups > 1 {
				prod = NewUninitialised(dst.ring, min(rows, hi-lo)*cout)
			}
			for ; lo < hi; lo += rows {
				n := min(rows, hi-lo)
				from := x.w[:0]
				if copied {
					from = patch.w[:n*depth*w]
					c.patches(from, x.w, taps, lo, g, w)
				} else {
					from = x.w[lo*depth*w : (lo+n)*depth*w]
				}
				if c.Groups == 1 {
					part := dst.w[lo*cout*w : (lo+n)*cout*w]
					clear(part)
					mulAddMatrix(dst.ring, part, from, kernel.w, n, depth, cout)
					continue
				}
				clear(prod.w)
				mulAddMatrix(dst.ring, prod.w, from, kernel.w, n, depth, cout)
				for r := 0; r < n; r++ {
					to := ((lo+r)*c.OutChannels + g*cout) * w
					copy(dst.w[to:to+cout*w], prod.w[r*cout*w:(r+1)*cout*w])
				}
			}
			patch.Free()
			prod.Free()
		})
		if c.Groups > 1 {
			kernel.Free()
		}
	}
	dst.reduce()
}

// patches copies the patches of group g that belong to outputs from number lo on, of elements of w words, into rows of a matrix.
func (c Conv) patches(rows, image []uint64, taps []int32, lo, g, w int) {
	in, ker, out := size(c.In), size(c.Kernel), size(c.Out)
	cin := c.InChannels / c.Groups
	for ; len(rows) > 0; lo++ {
		b, o := lo/out, lo%out
		from := image[b*in*c.InChannels*w : (b+1)*in*c.InChannels*w]
		row := taps[o*ker : (o+1)*ker]
		for t := 0; t < ker; {
			at, n := int(row[t]), 1
			// Neighbouring elements of the image that go to neighbouring places are one copy.
			for c.Groups == 1 && at >= 0 && t+n < ker && int(row[t+n]) == at+n {
				n++
			}
			to := rows[t*cin*w : (t+n)*cin*w]
			if at >= 0 {
				copy(to, from[(at*c.InChannels+g*cin)*w:])
			} else {
				clear(to) // padding
			}
			t += n
		}
		rows = rows[ker*cin*w:]
	}
}

// mulAddMatrix adds a·b to c: m×k times k×n elements. The result is not reduced unless the ring is
// cyclic.
func mulAddMatrix(r Ring, c, a, b []uint64, m, k, n int) {
	switch w := r.Words(); {
	case r.Cyclic:
		r.cyclic().matMul(c, a, b, m, k, n)
	case r.Bits <= 32:
		inUse.matMul32(c, a, b, m, k, n)
	case w == 1:
		inUse.matMul64(c, a, b, m, k, n)
	default:
		matMulWide(c, a, b, m, k, n, w)
	}
}

// columns copies columns [from, from+n) of a rows×cols matrix.
func columns(v Vec, rows, cols, from, n int) Vec {
	out, w := New(v.ring, rows*n), v.ring.Words()
	for i := 0; i < rows; i++ {
		copy(out.w[i*n*w:(i+1)*n*w], v.w[(i*cols+from)*w:(i*cols+from+n)*w])
	}
	return out
}

// Taps lists, for every output position and kernel position, the image position that is multiplied,
// or −1 for padding.
func (c Conv) Taps() []int32 {
	taps, out, ker := []int32{0}, 1, 1 // of the dimensions so far
	for d, in := range c.In {
		n, k := c.Out[d], c.Kernel[d]
		next := make([]int32, 0, out*n*ker*k)
		for o := range out {
			for i := range n {
				first := i*c.Stride[d] - c.PadLow[d]
				for _, before := range taps[o*ker : (o+1)*ker] {
					for t := range k {
						p := first + t*c.KernelDilate[d]
						if at := p / c.InDilate[d]; before < 0 || p < 0 || p != at*c.InDilate[d] || at >= in {
							next = append(next, -1)
						} else {
							next = append(next, before*int32(in)+int32(at))
						}
					}
				}
			}
		}
		taps, out, ker = next, out*n, ker*k
	}
	return taps
}
