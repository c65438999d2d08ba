package algo

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/tensor"
)

func shaped(dims ...int) *hlo.Value {
	return &hlo.Value{Type: tensor.Type{DType: tensor.F32, Shape: dims}}
}

func indices(shape tensor.Shape, at ...int64) *tensor.Array {
	words := make([]uint64, len(at))
	for i, p := range at {
		words[i] = uint64(p)
	}
	return tensor.FromWords(tensor.I32, shape, words)
}

// picked returns the elements of letters of x's operand at positions, with "." for tensor.Fill.
func picked(x Indexed, positions []int32) string {
	s := letters(x.In...)
	var b strings.Builder
	for _, p := range positions {
		if p == tensor.Fill {
			b.WriteByte('.')
		} else {
			b.WriteString(s.data[p])
		}
	}
	return b.String()
}

// A gather of windows of 1×2 elements, whose rows are batching dimensions, from
//
//	abcd
//	efgh
func TestGather(t *testing.T) {
	x := GatherOf(&hlo.Op{Operands: []*hlo.Value{shaped(2, 4), shaped(3, 2, 1)}, Results: []*hlo.Value{shaped(2, 3, 2)}, Attrs: hlo.Attrs{
		"slice_sizes": []int64{1, 2},
		"dimension_numbers": &hlo.GatherDims{OffsetDims: []int{0}, StartIndexMap: []int{1}, OperandBatchingDims: []int{0},
			StartIndicesBatchingDims: []int{1}, IndexVectorDim: 2},
	}})
	at := indices(tensor.Shape{3, 2, 1}, 0, 1, 2, 3, -7, 9)
	if got := picked(x, x.Clamped(at).Index()); got != "afcgag"+"bgdhbh" {
		t.Error(got)
	}
	if got := picked(x, x.Inside(at)); got != "afc..."+"bgd..." {
		t.Error(got)
	}
	if got := fmt.Sprint(x.Order(3)); got != "[2 1 0]" { // batching, other indices, window
		t.Error(got)
	}
}

// A scatter of 2×1 columns at two-component indices, the operand's last dimension first.
func TestScatter(t *testing.T) {
	x := ScatterOf(&hlo.Op{Operands: []*hlo.Value{shaped(3, 4), shaped(2, 3), shaped(3, 2)}, Attrs: hlo.Attrs{
		"scatter_dimension_numbers": &hlo.ScatterDims{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{1},
			ScatterDimsToOperandDims: []int{1, 0}, IndexVectorDim: 0},
	}})
	if got := fmt.Sprint(x.Sizes); got != "[2 1]" {
		t.Error(got)
	}
	at := indices(tensor.Shape{2, 3}, 3, 0, 1, 1, 0, 2)
	if got := picked(x, x.Inside(at)); got != "hl"+"ae"+".." {
		t.Error(got)
	}
	if got := fmt.Sprint(x.Order(2)); got != "[0 1]" {
		t.Error(got)
	}
}

func TestStartAndBranch(t *testing.T) {
	for at, want := range map[int64]int{-1: 0, 0: 0, 3: 3, 4: 3} {
		if got := Start(indices(nil, at), 5, 2); got != want {
			t.Errorf("a window of 2 of 5 elements at %d starts at %d", at, got)
		}
	}
	if got := Start(tensor.FromWords(tensor.U64, nil, []uint64{1 << 63}), 5, 2); got != 3 {
		t.Errorf("a window at 2^63 starts at %d", got)
	}
	for at, want := range map[int64]int{-1: 2, 0: 0, 2: 2, 3: 2} {
		if got := Branch(indices(nil, at), 3); got != want {
			t.Errorf("index %d selects region %d", at, got)
		}
	}
	for p, want := range map[uint64]int{0: 1, 1: 0} {
		if got := Branch(tensor.FromWords(tensor.Bool, nil, []uint64{p}), 2); got != want {
			t.Errorf("predicate %d selects region %d", p, got)
		}
	}
}
