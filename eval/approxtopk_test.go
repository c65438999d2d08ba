package eval

import (
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func approxOf(x, indices, worst *tensor.Array, dim int64, out ...int) *hlo.Op {
	op := newOp(
		"stablehlo.custom_call",
		hlo.Attrs{"call_target_name": "ApproxTopK", "mhlo.backend_config": map[string]any{"reduction_dim": dim}},
		[]tensor.Type{typ(x.DType, out...), typ(tensor.I32, out...)},
		x,
		indices,
		worst,
		scalar[int32](-1),
	)
	return op
}

func TestApproxTopK(t *testing.T) {
	x, none := shaped([]int32{3, -1, 7, 3, 0, 9}, 3, 2), scalar[int32](-1)
	indices, least := shaped([]int32{0, 0, 1, 1, 2, 2}, 3, 2), scalar[int32](-1<<31)
	op := approxOf(x, indices, least, 0, 2, 2)
	got := must(t, op, x, indices, least, none)
	same(t, got[0], shaped([]int32{7, 9, 3, 3}, 2, 2))
	same(t, got[1], shaped([]int32{1, 2, 0, 1}, 2, 2))
	for name, bad := range map[string][2]*tensor.Array{
		"do not count": {shaped([]int32{0, 0, 1, 1, 1, 2}, 3, 2), least},
		"neither":      {indices, scalar[int32](5)},
	} {
		if _, err := Op(t.Context(), approxOf(x, bad[0], bad[1], 0, 2, 2), []*tensor.Array{x, bad[0], bad[1], none}); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("error %v does not say %q", err, name)
		}
	}
}
