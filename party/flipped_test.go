package party

import (
	"math"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/tensor"
)

// headText looks up rows of a table by another party's indices and multiplies them with the whole table, as language models do.
const headText = `module @head {
  func.func public @main(%i: tensor<2x1xi32>, %w: tensor<64x16xf32>) -> tensor<1x2x64xf32> {
    %x = "stablehlo.gather"(%w, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 16>}> : (tensor<64x16xf32>, tensor<2x1xi32>) -> tensor<2x16xf32>
    %r = stablehlo.reshape %x : (tensor<2x16xf32>) -> tensor<1x2x16xf32>
    %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<64x16xf32>) -> tensor<16x64xf32>
    %y = stablehlo.dot_general %r, %t, contracting_dims = [2] x [0] : (tensor<1x2x16xf32>, tensor<16x64xf32>) -> tensor<1x2x64xf32>
    return %y : tensor<1x2x64xf32>
  }
}`

// TestFlippedProduct: a product with the transposition of a table that has been shared is right, and nobody transposes the table's mask.
func TestFlippedProduct(t *testing.T) {
	p, err := hlo.Parse("head.mlir", []byte(headText))
	if err != nil {
		t.Fatal(err)
	}
	w := make([]float64, 64*16)
	for i := range w {
		w[i] = math.Sin(float64(i))
	}
	rows := []int{5, 63}
	for _, parties := range [][]string{{"alice", "bob"}, {"alice", "carol", "bob"}} {
		owner := len(parties) - 1
		s := Spec{
			Program: p, Protocol: "semi2k", Parties: parties, Computing: len(parties), Reveal: []int{0},
			Args: []Arg{
				{Owner: 0, Data: tensor.FromWords(tensor.I32, tensor.Shape{2, 1}, []uint64{uint64(rows[0]), uint64(rows[1])})},
				{Owner: owner, Data: tensor.FromFloats(tensor.F32, tensor.Shape{64, 16}, w)},
			},
		}
		out, err := Run(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		for j, got := range out.Results[0].Floats() {
			want := 0.0
			for k := range 16 {
				want += w[16*rows[j/64]+k] * w[16*(j%64)+k]
			}
			if math.Abs(got-want) > 1e-3 {
				t.Errorf("%d parties: product %d is %v, want %v", len(parties), j, got, want)
			}
		}
		if s, err = s.Resolve(); err != nil {
			t.Fatal(err)
		}
		l, err := s.execute(t.Context(), needsPublic)
		if err != nil {
			t.Fatal(err)
		}
		x := l.sessions[0]
		if err := x.prepare(t.Context()); err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(x.plan.manifest.Requests, func(r *correlation.Request) bool {
			return r.Kind == correlation.Bilinear && slices.ContainsFunc(r.Factors, func(f correlation.Factor) bool {
				return f.Mask.Kind == correlation.Owned && f.Mask.N == len(w)
			})
		}) {
			t.Errorf("%d parties: no product with the table's own mask", len(parties))
		}
	}
}
