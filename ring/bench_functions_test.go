package ring

import (
	"fmt"
	"testing"
)

// benchMany is the number of elements of a layer of exponentials.
const benchMany = 100_000

func perElement(b *testing.B) {
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/benchMany, "ns/elem")
}

func BenchmarkMulAddRotated(b *testing.B) {
	for _, q := range []int{64, 128, 160, 192, 256, 320} {
		b.Run(fmt.Sprintf("q=%d", q), func(b *testing.B) {
			a, dst, rng := New(M(q), benchMany), New(M(q), benchMany), source(1)
			NewPRG(Seed{1}).Vec(a, 1, 0)
			mantissa, rot := make([]uint64, benchMany), make([]uint16, benchMany)
			for i := range rot {
				mantissa[i], rot[i] = rng.Uint64()>>24, uint16(rng.IntN(q))
			}
			for b.Loop() {
				MulAddRotated(dst, a, mantissa, rot)
			}
			perElement(b)
		})
	}
}

func BenchmarkMulAddSmall(b *testing.B) {
	for _, r := range []Ring{Z(64), Z(104), Z(160), Z(256), M(128)} {
		b.Run(r.String(), func(b *testing.B) {
			a, dst, rng := New(r, benchMany), New(r, benchMany), source(1)
			NewPRG(Seed{1}).Vec(a, 1, 0)
			c := make([]int64, benchMany)
			for i := range c {
				c[i] = int64(rng.Uint64())
			}
			for b.Loop() {
				MulAddSmall(dst, a, c)
			}
			perElement(b)
		})
	}
}

func BenchmarkTruncateReduce(b *testing.B) {
	for _, from := range []Ring{Z(104), M(128), M(192)} {
		b.Run(from.String(), func(b *testing.B) {
			a, dst := New(from, benchMany), New(Z(64), benchMany)
			NewPRG(Seed{1}).Vec(a, 1, 0)
			for b.Loop() {
				TruncateReduce(dst, a, 40, -1)
			}
			perElement(b)
		})
	}
}
