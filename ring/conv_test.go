package ring

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plane is a convolution of one n×n image with a k×k kernel, one channel each and without padding.
func plane(n, k int) Conv {
	return Conv{
		Batch: 1, InChannels: 1, OutChannels: 1, Groups: 1,
		In: []int{n, n}, Kernel: []int{k, k}, Out: []int{n - k + 1, n - k + 1},
		Stride: []int{1, 1}, PadLow: []int{0, 0}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
	}
}

// operands are the lengths of image, kernel and result.
func (c Conv) operands() (x, y, out int) {
	return c.Batch * size(c.In) * c.InChannels, size(c.Kernel) * c.InChannels / c.Groups * c.OutChannels, c.Batch * size(c.Out) * c.OutChannels
}

// positions calls f with every index of a shape in row-major order.
func positions(shape []int, f func(i int, at []int)) {
	at := make([]int, len(shape))
	for i := range size(shape) {
		f(i, at)
		for d := len(shape) - 1; d >= 0; d-- {
			if at[d]++; at[d] < shape[d] {
				break
			}
			at[d] = 0
		}
	}
}

// naiveConvolve is the convolution by its definition: the dilated image is a map from positions to
// elements; missing positions are zero.
func naiveConvolve(x, y Vec, c Conv) Vec {
	_, _, n := c.operands()
	out := New(x.ring, n)
	spread := map[string]int{}
	positions(c.In, func(i int, at []int) {
		where := slices.Clone(at)
		for d := range where {
			where[d] *= c.InDilate[d]
		}
		spread[fmt.Sprint(where)] = i
	})
	in, cin, cout := size(c.In), c.InChannels/c.Groups, c.OutChannels/c.Groups
	positions(c.Out, func(o int, to []int) {
		positions(c.Kernel, func(k int, tap []int) {
			where := make([]int, len(to))
			for d := range where {
				where[d] = to[d]*c.Stride[d] + tap[d]*c.KernelDilate[d] - c.PadLow[d]
			}
			i, ok := spread[fmt.Sprint(where)]
			if !ok {
				return
			}
			for b := range c.Batch {
				for oc := range c.OutChannels {
					for ic := range cin {
						xi := (b*in+i)*c.InChannels + oc/cout*cin + ic
						yi := (k*cin+ic)*c.OutChannels + oc
						oi := (b*size(c.Out)+o)*c.OutChannels + oc
						MulAdd(out.Slice(oi, oi+1), x.Slice(xi, xi+1), y.Slice(yi, yi+1))
					}
				}
			}
		})
	})
	return out
}

func checkConvolve(t tb, r Ring, c Conv, seed uint64) {
	t.Helper()
	rng := source(seed)
	nx, ny, n := c.operands()
	x, y, dst := random(r, nx, rng), random(r, ny, rng), random(r, n, rng)
	Convolve(dst, x, y, c)
	same(t, fmt.Sprintf("%+v", c), dst, naiveConvolve(x, y, c))
}

func TestConvolve(t *testing.T) {
	with := func(c Conv, change func(c *Conv)) Conv {
		change(&c)
		return c
	}
	cases := map[string]Conv{
		"plane": plane(5, 3),
		"one":   plane(1, 1),
		"same padding": with(plane(5, 3), func(c *Conv) {
			c.Out, c.PadLow = []int{5, 5}, []int{1, 1}
		}),
		"strides": with(plane(7, 3), func(c *Conv) {
			c.Stride, c.Out = []int{2, 3}, []int{3, 2}
		}),
		"negative padding": with(plane(7, 3), func(c *Conv) {
			c.PadLow, c.Out = []int{-1, -2}, []int{3, 2}
		}),
		"kernel dilation": with(plane(7, 3), func(c *Conv) {
			c.KernelDilate, c.Out = []int{2, 3}, []int{3, 1}
		}),
		"image dilation": with(plane(4, 3), func(c *Conv) {
			c.InDilate, c.Out = []int{2, 3}, []int{5, 8}
		}),
		"kernel larger than the image": with(plane(2, 5), func(c *Conv) {
			c.PadLow, c.Out = []int{4, 4}, []int{6, 6}
		}),
		"padding alone": with(plane(2, 2), func(c *Conv) {
			c.PadLow, c.Out = []int{9, 9}, []int{3, 3}
		}),
		"channels and batch": with(plane(4, 2), func(c *Conv) {
			c.Batch, c.InChannels, c.OutChannels = 3, 5, 7
		}),
		"groups": with(plane(4, 3), func(c *Conv) {
			c.Batch, c.InChannels, c.OutChannels, c.Groups = 2, 6, 9, 3
		}),
		"depthwise": with(plane(4, 3), func(c *Conv) {
			c.InChannels, c.OutChannels, c.Groups = 5, 10, 5
		}),
		"1-D": {
			Batch: 2, InChannels: 3, OutChannels: 2, Groups: 1,
			In: []int{9}, Kernel: []int{4}, Out: []int{5}, Stride: []int{2}, PadLow: []int{2}, InDilate: []int{1}, KernelDilate: []int{1},
		},
		"3-D": {
			Batch: 1, InChannels: 2, OutChannels: 3, Groups: 1,
			In: []int{3, 4, 5}, Kernel: []int{2, 3, 2}, Out: []int{3, 2, 3}, Stride: []int{1, 2, 2}, PadLow: []int{1, 0, 1},
			InDilate: []int{1, 1, 1}, KernelDilate: []int{1, 1, 1},
		},
		"0-D": {Batch: 4, InChannels: 3, OutChannels: 2, Groups: 1},
		// More rows than one patch matrix holds, and patches deeper than it.
		"many rows": with(plane(20, 2), func(c *Conv) { c.Batch = 2 }),
		"many rows, padding and groups": with(plane(20, 3), func(c *Conv) {
			c.Batch, c.InChannels, c.OutChannels, c.Groups = 2, 4, 2, 2
			c.Out, c.PadLow = []int{20, 20}, []int{1, 1}
		}),
		"deep patches": with(plane(3, 3), func(c *Conv) { c.InChannels, c.OutChannels = 4000, 1 }),
		"no batch":     with(plane(3, 2), func(c *Conv) { c.Batch = 0 }),
		"no result":    with(plane(3, 2), func(c *Conv) { c.Out = []int{0, 2} }),
		"no image":     with(plane(0, 2), func(c *Conv) { c.Out, c.PadLow = []int{2, 2}, []int{1, 1} }),
		"no kernel":    with(plane(3, 0), func(c *Conv) { c.Out = []int{2, 2} }),
		"no inputs":    with(plane(3, 2), func(c *Conv) { c.InChannels = 0 }),
		"no outputs":   with(plane(3, 2), func(c *Conv) { c.OutChannels = 0 }),
	}
	withHelpers(t, 3)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, r := range productRings {
				if name == "deep patches" && (r.Bits > 64 || r.Cyclic) {
					continue // time
				}
				checkConvolve(t, r, c, uint64(r.Bits))
			}
		})
	}
}

// drawConv draws the parameters of a small convolution. The result's size does not depend on the
// other sizes.
func drawConv(t *rapid.T) Conv {
	rank := rapid.IntRange(0, 3).Draw(t, "rank")
	list := func(name string, lo, hi int) []int {
		return rapid.SliceOfN(rapid.IntRange(lo, hi), rank, rank).Draw(t, name)
	}
	small := rapid.IntRange(0, 3)
	groups := rapid.IntRange(1, 3).Draw(t, "groups")
	return Conv{
		Batch: small.Draw(t, "batch"), Groups: groups,
		InChannels: groups * small.Draw(t, "in"), OutChannels: groups * small.Draw(t, "out"),
		In: list("image", 0, 4), Kernel: list("kernel", 0, 3), Out: list("result", 0, 3),
		Stride: list("stride", 1, 3), PadLow: list("padding", -3, 3),
		InDilate: list("image dilation", 1, 3), KernelDilate: list("kernel dilation", 1, 3),
	}
}

func TestConvolveRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		checkConvolve(t, drawEither(t, "bits"), drawConv(t), rapid.Uint64().Draw(t, "seed"))
	})
}

// Products counts the multiply-adds of the loops, including those on padding.
func TestConvProducts(t *testing.T) {
	c := plane(5, 3)
	c.Batch, c.InChannels, c.OutChannels, c.Groups = 2, 6, 4, 2
	if got, want := c.Products(), int64(2*9*9*3*4); got != want {
		t.Errorf("%d products, want %d", got, want)
	}
}
