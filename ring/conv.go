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
// cross-correlation of machine learning). Blocks of patches of the image are copied into matrix
// rows and multiplied with the kernel. Shape-only operands leave dst unchanged; lengths or rings
// that do not fit c panic.
func Convolve(dst, x, y Vec, c Conv) {
	in, ker, out := size(c.In), size(c.Kernel), size(c.Out)
	cin, cout := c.InChannels/c.Groups, c.OutChannels/c.Groups
	if x.n != c.Batch*in*c.InChannels || y.n != ker*cin*c.OutChannels || dst.n != c.Batch*out*c.OutChannels || x.ring != dst.ring ||
		y.ring != dst.ring {
		panic(fmt.Sprintf("ring: Convolve %d with %d elements into %d for %+v", x.n, y.n, dst.n, c))
	}
	if dst.w == nil || x.w == nil || y.w == nil {
		return
	}
	w := dst.ring.Words()
	taps := c.Taps()
	depth := ker * cin
	const patchWords = 1 << 17
	rows := max(1, min(64, patchWords/max(1, depth*w)))
	grain := max(1, (1<<15)/max(1, depth*cout*w*w))
	for g := 0; g < c.Groups; g++ {
		kernel := y
		if c.Groups > 1 {
			kernel = columns(y, depth, c.OutChannels, g*cout, cout)
		}
		Parallel(c.Batch*out, grain, func(lo, hi int) {
			patch := New(dst.ring, rows*depth)
			prod := New(dst.ring, rows*cout)
			for ; lo < hi; lo += rows {
				n := min(rows, hi-lo)
				clear(patch.w)
				for r := 0; r < n; r++ {
					b, o := (lo+r)/out, (lo+r)%out
					image := x.w[b*in*c.InChannels*w : (b+1)*in*c.InChannels*w]
					for t, at := range taps[o*ker : (o+1)*ker] {
						if at >= 0 {
							from := (int(at)*c.InChannels + g*cin) * w
							copy(patch.w[(r*depth+t*cin)*w:(r*depth+(t+1)*cin)*w], image[from:from+cin*w])
						}
					}
				}
				if c.Groups == 1 {
					part := dst.w[lo*cout*w : (lo+n)*cout*w]
					clear(part)
					mulAddMatrix(dst.ring, part, patch.w[:n*depth*w], kernel.w, n, depth, cout)
					continue
				}
				clear(prod.w)
				mulAddMatrix(dst.ring, prod.w, patch.w[:n*depth*w], kernel.w, n, depth, cout)
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
	ker, out := size(c.Kernel), size(c.Out)
	taps := make([]int32, out*ker)
	for i := range taps {
		o, t := i/ker, i%ker
		at, scale := 0, 1
		for d := len(c.In) - 1; d >= 0; d-- {
			p := o%c.Out[d]*c.Stride[d] + t%c.Kernel[d]*c.KernelDilate[d] - c.PadLow[d]
			o, t = o/c.Out[d], t/c.Kernel[d]
			if p < 0 || p%c.InDilate[d] != 0 || p/c.InDilate[d] >= c.In[d] {
				at = -1
				break
			}
			at += p / c.InDilate[d] * scale
			scale *= c.In[d]
		}
		taps[i] = int32(at)
	}
	return taps
}
