package hidden

import (
	"fmt"

	"github.com/tacet-mpc/tacet/hlo/build"
	"github.com/tacet-mpc/tacet/tensor"
)

// Withhold returns the results of a task on a hidden join, and whether at least that many rows match: if fewer do, all other
// results are zeros. match has the weights of the join.
func Withhold(b *build.Builder, match build.Value, least int, results []build.Value) []build.Value {
	enough := b.Greater(b.Sum(match), float64(least)-0.5)
	out := make([]build.Value, len(results), len(results)+1)
	for i, x := range results {
		if x.DType() == tensor.Bool {
			out[i] = b.And(x, enough)
			continue
		}
		dims := make([]int, x.Rank())
		for k := range dims {
			dims[k] = x.Dim(k)
		}
		of := enough
		if len(dims) > 0 {
			of = b.Broadcast(enough, dims...)
		}
		out[i] = b.Select(of, x, b.Const(x.DType(), 0, dims...))
	}
	return append(out, enough)
}

// Withholds describes the bit that Withhold adds.
func Withholds(least int) string {
	return fmt.Sprintf("whether at least %d rows match, without which the rest is withheld (1 bit)", least)
}
