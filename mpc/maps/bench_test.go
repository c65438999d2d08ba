package maps

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// benchLen is the number of operand elements that every map below reads.
const benchLen = 1 << 16

func BenchmarkLinear(b *testing.B) {
	side := tensor.Shape{256, 256}
	windows := func() []int32 { // sums over windows of nine
		index := make([]int32, 9*benchLen/9)
		for i := range index {
			index[i] = int32(i * 7 % benchLen)
		}
		return index
	}
	maps := []struct {
		name string
		m    Linear
	}{
		{"reshape", NewView(tensor.Reshaped(side, tensor.Shape{benchLen}), benchLen)},
		{"transpose", NewView(tensor.Transposed(side, []int{1, 0}), benchLen)},
		{"concatenate", NewView(tensor.Concatenated([]tensor.Shape{{128, 256}, {128, 256}}, 1), benchLen/2, benchLen/2)},
		{"pad", NewView(tensor.Padded(side, []int{1, 1}, []int{1, 1}, []int{0, 0}), benchLen)},
		{"sum of rows", Sum{256, 256, 1}},
		{"sum of columns", Sum{1, 256, 256}},
		{"gathered", Gathered{From: benchLen, To: benchLen / 9, Terms: 9, Index: windows}},
		{"combine", Combine{N: benchLen / 2, Coef: []int64{1, -3}}},
	}
	for _, m := range maps {
		for _, bits := range []int{46, 64, 128} {
			b.Run(fmt.Sprintf("%s/bits=%d", m.name, bits), func(b *testing.B) {
				r, p := ring.Z(bits), ring.NewPRG(ring.Seed{1})
				var src []ring.Vec
				for i, n := range m.m.In() {
					v := ring.New(r, n)
					p.Vec(v, uint64(i), 0)
					src = append(src, v)
				}
				dst := ring.New(r, m.m.Out())
				for b.Loop() {
					m.m.Apply(dst, src...)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/benchLen, "ns/elem")
			})
		}
	}
}
