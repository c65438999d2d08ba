package pca

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/statistics"
	"github.com/tacet-mpc/tacet/table"
	"github.com/tacet-mpc/tacet/tensor"
)

// stackedArguments is the number of arguments of each party of stacked tables: means and standard deviations of its rows, and their
// correlations. No row is shared.
const stackedArguments = 2

// stackedArgs is Args of stacked tables.
func (s *Shape) stackedArgs(rank int, features []table.Feature) ([]*tensor.Array, error) {
	own, err := s.Stacked.Args(rank, features, s.features())
	if err != nil {
		return nil, err
	}
	out := make([]*tensor.Array, stackedArguments*len(s.Parties))
	out[2*rank], out[2*rank+1] = own[2*rank+1], products(own[2*rank])
	return out, nil
}

// stackedProgram is program of stacked tables.
func (s *Shape) stackedProgram() (*hlo.Program, error) {
	w, k := &writer{build.New("pca"), s}, s.features()
	var units, own []build.Value
	for rank := range s.Parties {
		units = append(units, w.Arg(fmt.Sprintf("units%d", rank), tensor.F64, 2, k))
		own = append(own, w.Arg(fmt.Sprintf("own%d", rank), tensor.F64, k, k))
	}
	matrix, all := statistics.Pool(w.Builder, s.Stacked, units, own)
	components, variances := w.components(matrix)
	w.Return(components, variances, w.Concat(0, w.Reshape(all.Mean, 1, k), w.Reshape(w.Mul(all.Variance, all.Inverse), 1, k)))
	return w.Program()
}
