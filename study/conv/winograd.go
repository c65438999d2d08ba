package conv

import (
	"fmt"
	"strings"
)

// winograd is the minimal filtering F(m×m, 3×3). The image is cut into tiles of m+2 rows and
// columns that overlap by 2; each gives m×m results A·[(G·k·Gᵀ) ⊙ (B·d·Bᵀ)]·Aᵀ. The matrices
// applied to shares (B and A) have integer entries, so that only the result has to be truncated.
type winograd struct {
	tile    int // m
	b, g, a [][]float64
}

var two = winograd{tile: 2,
	b: [][]float64{{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}},
	g: [][]float64{{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}},
	a: [][]float64{{1, 1, 1, 0}, {0, 1, -1, -1}},
}

var four = winograd{tile: 4,
	b: [][]float64{
		{4, 0, -5, 0, 1, 0},
		{0, -4, -4, 1, 1, 0},
		{0, 4, -4, -1, 1, 0},
		{0, -2, -1, 2, 1, 0},
		{0, 2, -1, -2, 1, 0},
		{0, 4, 0, -5, 0, 1},
	},
	g: [][]float64{
		{1.0 / 4, 0, 0},
		{-1.0 / 6, -1.0 / 6, -1.0 / 6},
		{-1.0 / 6, 1.0 / 6, -1.0 / 6},
		{1.0 / 24, 1.0 / 12, 1.0 / 6},
		{1.0 / 24, -1.0 / 12, 1.0 / 6},
		{0, 0, 1},
	},
	a: [][]float64{{1, 1, 1, 1, 1, 0}, {0, 1, -1, 2, -2, 0}, {0, 1, 1, 4, 4, 0}, {0, 1, -1, 8, -8, 1}},
}

// tiles returns the number of tiles per row.
func (w *winograd) tiles(l layer) int { return (l.size + w.tile - 1) / w.tile }

// emit writes operations that set %y to the convolution of %x and %k.
func (w *winograd) emit(b *strings.Builder, l layer, elements bool) {
	t, side := w.tile+2, w.tiles(l)
	tiles, all := side*side, side*w.tile
	// Pad the image to complete tiles and rearrange it into t² images, one for each position in a
	// tile.
	padded := shape(1, all+2, all+2, l.in)
	line(b, "%%zero = stablehlo.constant dense<0.0> : tensor<f64>")
	line(
		b,
		"%%padded = stablehlo.pad %%x, %%zero, low = [0, 1, 1, 0], high = [0, %[1]d, %[1]d, 0], interior = [0, 0, 0, 0] : (%[2]s, tensor<f64>) -> %[3]s",
		all+1-l.size,
		shape(1, l.size, l.size, l.in),
		padded,
	)
	var names, types []string
	for i := range t * t {
		row, column, length := i/t, i%t, (side-1)*w.tile+1
		line(
			b,
			"%%s%d = stablehlo.slice %%padded [0:1, %d:%d:%d, %d:%d:%d, 0:%d] : (%s) -> %s",
			i,
			row,
			row+length,
			w.tile,
			column,
			column+length,
			w.tile,
			l.in,
			padded,
			shape(1, side, side, l.in),
		)
		names, types = append(names, fmt.Sprintf("%%s%d", i)), append(types, shape(1, side, side, l.in))
	}
	line(
		b,
		"%%slices = stablehlo.concatenate %s, dim = 0 : (%s) -> %s",
		strings.Join(names, ", "),
		strings.Join(types, ", "),
		shape(t*t, side, side, l.in),
	)
	line(b, "%%d = stablehlo.reshape %%slices : (%s) -> %s", shape(t*t, side, side, l.in), shape(t, t, tiles, l.in))
	w.transform(b, "v", "d", w.b, []int{t, t, tiles, l.in})
	w.transform(b, "u", "k", w.g, []int{3, 3, l.in, l.out})
	if elements {
		full := shape(t, t, tiles, l.in, l.out)
		line(b, "%%vv = stablehlo.broadcast_in_dim %%v, dims = [0, 1, 2, 3] : (%s) -> %s", shape(t, t, tiles, l.in), full)
		line(b, "%%uu = stablehlo.broadcast_in_dim %%u, dims = [0, 1, 3, 4] : (%s) -> %s", shape(t, t, l.in, l.out), full)
		line(b, "%%products = stablehlo.multiply %%vv, %%uu : %s", full)
		line(
			b,
			"%%p = stablehlo.reduce(%%products init: %%zero) applies stablehlo.add across dimensions = [3] : (%s, tensor<f64>) -> %s",
			full,
			shape(t, t, tiles, l.out),
		)
	} else {
		line(b, "%%p = stablehlo.dot_general %%v, %%u, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (%s, %s) -> %s",
			shape(t, t, tiles, l.in), shape(t, t, l.in, l.out), shape(t, t, tiles, l.out))
	}
	w.transform(b, "r", "p", w.a, []int{t, t, tiles, l.out})
	m := w.tile
	line(b, "%%grid = stablehlo.reshape %%r : (%s) -> %s", shape(m, m, tiles, l.out), shape(m, m, side, side, l.out))
	line(
		b,
		"%%rows = stablehlo.transpose %%grid, dims = [2, 0, 3, 1, 4] : (%s) -> %s",
		shape(m, m, side, side, l.out),
		shape(side, m, side, m, l.out),
	)
	line(b, "%%whole = stablehlo.reshape %%rows : (%s) -> %s", shape(side, m, side, m, l.out), shape(1, all, all, l.out))
	line(
		b,
		"%%y = stablehlo.slice %%whole [0:1, 0:%[1]d, 0:%[1]d, 0:%[2]d] : (%[3]s) -> %[4]s",
		l.size,
		l.out,
		shape(1, all, all, l.out),
		shape(1, l.size, l.size, l.out),
	)
}

// transform multiplies the first two of four dimensions by the matrix: M·x·Mᵀ.
func (w *winograd) transform(b *strings.Builder, to, from string, matrix [][]float64, sizes []int) {
	n, old, rest := len(matrix), sizes[0], sizes[2:]
	of := shape(n, old)
	line(b, "%%%s_m = stablehlo.constant dense<%s> : %s", to, dense(matrix), of)
	line(
		b,
		"%%%s_1 = stablehlo.dot_general %%%s, %%%s_m, contracting_dims = [0] x [1] : (%s, %s) -> %s",
		to,
		from,
		to,
		shape(old, old, rest[0], rest[1]),
		of,
		shape(old, rest[0], rest[1], n),
	)
	line(
		b,
		"%%%s_2 = stablehlo.dot_general %%%s_1, %%%s_m, contracting_dims = [0] x [1] : (%s, %s) -> %s",
		to,
		to,
		to,
		shape(old, rest[0], rest[1], n),
		of,
		shape(rest[0], rest[1], n, n),
	)
	line(
		b,
		"%%%s = stablehlo.transpose %%%s_2, dims = [2, 3, 0, 1] : (%s) -> %s",
		to,
		to,
		shape(rest[0], rest[1], n, n),
		shape(n, n, rest[0], rest[1]),
	)
}

// dense formats a matrix as a StableHLO literal.
func dense(matrix [][]float64) string {
	var rows []string
	for _, row := range matrix {
		var cells []string
		for _, x := range row {
			cells = append(cells, fmt.Sprintf("%.17e", x))
		}
		rows = append(rows, "["+strings.Join(cells, ", ")+"]")
	}
	return "[" + strings.Join(rows, ", ") + "]"
}
