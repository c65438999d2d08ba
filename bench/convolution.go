package bench

import (
	"fmt"
	"strings"
)

// convolution is a layer with one square image, padded so that a stride of 1 keeps its size.
type convolution struct{ size, in, out, window, stride int }

// convolutions are layers of ResNet: the first, and an inner one of each stage.
var convolutions = []convolution{
	{224, 3, 64, 7, 2},
	{56, 64, 64, 3, 1},
	{28, 128, 128, 3, 1},
	{14, 256, 256, 3, 1},
	{7, 512, 512, 3, 1},
}

func (c convolution) name() string { return fmt.Sprintf("conv-%dx%d-%d", c.size, c.in, c.out) }

// image and result return tensor types.
func (c convolution) image() string {
	return fmt.Sprintf("tensor<1x%[1]dx%[1]dx%[2]dxf64>", c.size, c.in)
}

func (c convolution) side() int { return (c.size + c.stride - 1) / c.stride }

func (c convolution) result() string {
	return fmt.Sprintf("tensor<1x%[1]dx%[1]dx%[2]dxf64>", c.side(), c.out)
}

func (c convolution) elements() int { return c.side() * c.side() * c.out }

func (c convolution) program() program {
	kernel := fmt.Sprintf("tensor<%[1]dx%[1]dx%[2]dx%[3]dxf64>", c.window, c.in, c.out)
	body := fmt.Sprintf("  %%r = stablehlo.convolution(%%x0, %%x1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], "+
		"window = {stride = [%[1]d, %[1]d], pad = [[%[2]d, %[2]d], [%[2]d, %[2]d]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (%[3]s, %[4]s) -> %[5]s",
		c.stride, c.window/2, c.image(), kernel, c.result())
	return program{
		[]operand{{typ: c.image(), lo: -1, hi: 1}, {typ: kernel, lo: -1, hi: 1, sharedByOwner: true}},
		body,
		c.result(),
		c.elements(),
	}
}

// winograd returns the same layer as F(2×2, 3×3) (Lavin and Gray, 2016): tiles of 4×4 at a distance
// of two are multiplied by the kernel, which its owner has transformed, as sixteen matrix products.
// An odd side is padded by one row and column, which are cut off the result.
func (c convolution) winograd() program {
	n := (c.side() + 1) / 2 // tiles along a side
	padded := 2*n + 2
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, "  "+format+"\n", args...) }
	line("%%z = stablehlo.constant dense<0.0> : tensor<f64>")
	pad := fmt.Sprintf("tensor<1x%[1]dx%[1]dx%[2]dxf64>", padded, c.in)
	high := padded - 1 - c.size
	line(
		"%%p = stablehlo.pad %%x0, %%z, low = [0, 1, 1, 0], high = [0, %[1]d, %[1]d, 0], interior = [0, 0, 0, 0] : (%[2]s, tensor<f64>) -> %[3]s",
		high,
		c.image(),
		pad,
	)
	piece, flat := fmt.Sprintf("tensor<1x%[1]dx%[1]dx%[2]dxf64>", n, c.in), fmt.Sprintf("tensor<1x%dx%dxf64>", n*n, c.in)
	var names, types []string
	for i := range 16 {
		y, x := i/4, i%4
		line("%%s%d = stablehlo.slice %%p [0:1, %d:%d:2, %d:%d:2, 0:%d] : (%s) -> %s", i, y, y+2*n-1, x, x+2*n-1, c.in, pad, piece)
		line("%%f%d = stablehlo.reshape %%s%d : (%s) -> %s", i, i, piece, flat)
		names, types = append(names, fmt.Sprintf("%%f%d", i)), append(types, flat)
	}
	tiles := fmt.Sprintf("tensor<16x%dx%dxf64>", n*n, c.in)
	line("%%t = stablehlo.concatenate %s, dim = 0 : (%s) -> %s", strings.Join(names, ", "), strings.Join(types, ", "), tiles)
	line("%%bt = stablehlo.constant dense<%s> : tensor<16x16xf64>", kronecker(winogradIn))
	line("%%d = stablehlo.dot_general %%bt, %%t, contracting_dims = [1] x [0] : (tensor<16x16xf64>, %[1]s) -> %[1]s", tiles)
	kernel, products := fmt.Sprintf("tensor<16x%dx%dxf64>", c.in, c.out), fmt.Sprintf("tensor<16x%dx%dxf64>", n*n, c.out)
	line(
		"%%m = stablehlo.dot_general %%d, %%x1, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (%s, %s) -> %s",
		tiles,
		kernel,
		products,
	)
	out := fmt.Sprintf("tensor<4x%dx%dxf64>", n*n, c.out)
	line("%%at = stablehlo.constant dense<%s> : tensor<4x16xf64>", kronecker(winogradOut))
	line("%%y = stablehlo.dot_general %%at, %%m, contracting_dims = [1] x [0] : (tensor<4x16xf64>, %s) -> %s", products, out)
	split, woven := fmt.Sprintf("tensor<2x2x%[1]dx%[1]dx%[2]dxf64>", n, c.out), fmt.Sprintf("tensor<%[1]dx2x%[1]dx2x%[2]dxf64>", n, c.out)
	line("%%y5 = stablehlo.reshape %%y : (%s) -> %s", out, split)
	line("%%w = stablehlo.transpose %%y5, dims = [2, 0, 3, 1, 4] : (%s) -> %s", split, woven)
	whole := fmt.Sprintf("tensor<1x%[1]dx%[1]dx%[2]dxf64>", 2*n, c.out)
	line("%%v = stablehlo.reshape %%w : (%s) -> %s", woven, whole)
	line("%%r = stablehlo.slice %%v [0:1, 0:%[1]d, 0:%[1]d, 0:%[2]d] : (%[3]s) -> %[4]s", c.side(), c.out, whole, c.result())
	return program{
		[]operand{{typ: c.image(), lo: -1, hi: 1}, {typ: kernel, lo: -1, hi: 1, sharedByOwner: true}},
		b.String(),
		c.result(),
		c.elements(),
	}
}

// winogradIn and winogradOut are the matrices Bᵀ and Aᵀ of F(2, 3), for tiles and for products.
var (
	winogradIn  = [][]int{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}}
	winogradOut = [][]int{{1, 1, 1, 0}, {0, 1, -1, -1}}
)

// kronecker returns m ⊗ m as a literal; it transforms rows and columns of a tile at once.
func kronecker(m [][]int) string {
	var rows []string
	for _, a := range m {
		for _, b := range m {
			var cells []string
			for _, x := range a {
				for _, y := range b {
					cells = append(cells, fmt.Sprintf("%d.0", x*y))
				}
			}
			rows = append(rows, "["+strings.Join(cells, ", ")+"]")
		}
	}
	return "[" + strings.Join(rows, ", ") + "]"
}
