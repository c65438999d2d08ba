package bench

import "fmt"

// matmul returns the product of two n×n matrices.
func matmul(n int) Op {
	return Op{fmt.Sprintf("matmul-%d", n), 0, func(int) program {
		t := fmt.Sprintf("tensor<%dx%dxf64>", n, n)
		x := operand{typ: t, lo: -1, hi: 1}
		body := fmt.Sprintf("  %%r = stablehlo.dot_general %%x0, %%x1, contracting_dims = [1] x [0] : (%[1]s, %[1]s) -> %[1]s", t)
		return program{[]operand{x, x}, body, t, n * n}
	}}
}
