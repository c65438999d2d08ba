package pca

import (
	"fmt"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/stacked"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// stackedArguments returns the numbers of arguments by rank. Those of a party of the stacked tables are means and standard deviations of
// its rows, and their correlations. No row is shared, unless tables beside them have further features: then the standardised rows are an
// argument too. Arguments of parties beside them are those of aligned tables.
func (s *Shape) stackedArguments() []int {
	out := slices.Repeat([]int{arguments}, len(s.Stacked))
	for rank, n := range s.Stacked {
		if n > 0 && !s.Stacked.Besides() {
			out[rank]--
		}
	}
	return out
}

// stackedArgs is Args of stacked tables.
func (s *Shape) stackedArgs(rank int, features []table.Feature) ([]*tensor.Array, error) {
	var own []*tensor.Array
	if n := s.Stacked[rank]; n > 0 {
		x, units, err := stacked.Features(features, n)
		if err != nil {
			return nil, err
		}
		if own = []*tensor.Array{units, products(x)}; s.Stacked.Besides() {
			own = append(own, x)
		}
	} else {
		x, scales, err := table.Standardised(features, s.Rows)
		if err != nil {
			return nil, err
		}
		own = []*tensor.Array{x, products(x), scales}
	}
	return stacked.Arguments(s.stackedArguments(), rank, own), nil
}

// stackedProgram is program of stacked tables.
func (s *Shape) stackedProgram() (*hlo.Program, error) {
	w := &writer{build.New("pca"), s}
	n := len(s.Stacked)
	units, within, rows := make([]build.Value, n), make([]build.Value, n), make([]build.Value, n) // by rank
	var x, own, scales []build.Value                                                              // of tables beside the stacked ones
	for rank, n := range s.Stacked {
		k := s.Features[rank]
		if n == 0 {
			x = append(x, w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, s.Rows, k))
			own = append(own, w.Arg(fmt.Sprintf("own%d", rank), tensor.F64, k, k))
			scales = append(scales, w.Arg(fmt.Sprintf("scales%d", rank), tensor.U64, 2, k))
			continue
		}
		k = s.Features[0]
		units[rank] = w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k)
		if within[rank] = w.Arg(fmt.Sprintf("own%d", rank), tensor.F64, k, k); s.Stacked.Besides() {
			rows[rank] = w.Arg(fmt.Sprintf("x%d", rank), tensor.F64, n, k)
		}
	}
	matrix, all := statistics.Pool(w.Builder, s.Stacked, units, within)
	if x != nil {
		var across []build.Value
		for _, y := range x {
			across = append(across, statistics.Across(w.Builder, s.Stacked, all, rows, y))
		}
		right := w.Concat(1, across...)
		matrix = w.Concat(0, w.Concat(1, matrix, right), w.Concat(1, w.Transpose(right), w.correlations(x, own)))
	}
	components, variances := w.components(matrix)
	k := s.Features[0]
	pooled := w.Concat(0, w.Reshape(all.Mean, 1, k), w.Reshape(w.Mul(all.Variance, all.Inverse), 1, k))
	w.Return(append([]build.Value{components, variances, pooled}, scales...)...)
	return w.Program()
}
