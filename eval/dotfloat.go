package eval

const tileRows, tileColumns = 4, 16

// tile sets tileRows rows of tileColumns numbers of out, ldout apart, to products of tileRows rows of x, ldx apart, with the rows of y,
// each of tileColumns numbers. It is nil if the processor has no instructions for it. Each sum is in the same order as in rowTimes, and
// products are rounded before they are added: results are equal to the last bit.
var tile tileKernel

type tileKernel = func(out []float64, ldout int, x []float64, ldx int, y []float64)

// leastTiledRows is the number of rows of x from which bringing y into the order of tile takes less time than it saves.
const leastTiledRows = 8

// tiled multiplies matrices like multiply, tile by tile.
func (p product) tiled(c *call, out, x, y []float64) error {
	panel := make([]float64, p.k*tileColumns)
	edge := make([]float64, tileRows*tileColumns)
	whole := p.m / tileRows * tileRows
	for j := 0; j < p.n; j += tileColumns {
		columns := min(tileColumns, p.n-j)
		for q := range columns {
			for i, v := range y[(j+q)*p.k : (j+q+1)*p.k] {
				panel[i*tileColumns+q] = v
			}
		}
		for i := 0; i < whole; i += tileRows {
			if i%64 == 0 {
				if err := c.alive(); err != nil {
					return err
				}
			}
			if columns == tileColumns {
				tile(out[i*p.n+j:], p.n, x[i*p.k:], p.k, panel)
				continue
			}
			tile(edge, tileColumns, x[i*p.k:], p.k, panel) // its last columns are not used
			for r := range tileRows {
				copy(out[(i+r)*p.n+j:(i+r)*p.n+p.n], edge[r*tileColumns:])
			}
		}
	}
	for i := whole; i < p.m; i++ {
		rowTimes(out[i*p.n:(i+1)*p.n], x[i*p.k:(i+1)*p.k], y)
	}
	return nil
}
