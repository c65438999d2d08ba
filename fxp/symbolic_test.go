package fxp_test

import (
	"testing"
)

// Contractions of a selected outer product, along its rows and its columns, with a matrix of two rows and with ones.
func TestContractOuter(t *testing.T) {
	each(t, []int{64}, func(l *lab) {
		o := l.OuterOf(l.op, l.in(1.5, -2, 0.25), l.in(4, -3))
		o.Bits = l.shaped(l.bools(true, false, true, true, false, true), 3, 2)
		// selected: 6 0 / -8 6 / 0 -0.75
		l.near("along rows", l.ContractOuter(l.op, o, 0, l.shaped(l.in(1, 2, 3, 0, -1, 0.5), 2, 3)), 8, -10, 9.75, 8, -6.375)
		l.near("sum of rows", l.ContractOuter(l.op, o, 0, nil), 8, -2, 5.25)
		l.near("along columns", l.ContractOuter(l.op, o, 1, l.shaped(l.in(1, 2, -1, 3), 2, 2)), 8, 6, 4, -1.5, -6, 26, -2.25)
		l.near("sum of columns", l.ContractOuter(l.op, o, 1, nil), 8, 6, -2, -0.75)
	})
}
