package ring

import (
	"fmt"
	"testing"
)

// benchWidths are half a word, one word with and without a mask, and two words.
var benchWidths = []int{32, 46, 64, 128}

func BenchmarkMatMul(b *testing.B) {
	for _, bits := range benchWidths {
		for _, n := range []int{256, 512, 1024} {
			if bits > 64 && n > 256 {
				continue
			}
			b.Run(fmt.Sprintf("bits=%d/n=%d", bits, n), func(b *testing.B) {
				r, p := Z(bits), NewPRG(Seed{1})
				x, y, out := New(r, n*n), New(r, n*n), New(r, n*n)
				p.Vec(x, 1, 0)
				p.Vec(y, 2, 0)
				for b.Loop() {
					MatMul(out, x, y, 1, n, n, n)
				}
				b.ReportMetric(float64(n)*float64(n)*float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
			})
		}
	}
}

func BenchmarkConvolve(b *testing.B) {
	for _, group := range []int{1, 2, 4, 8, 16, 32, 64} { // channels
		for _, bits := range benchWidths {
			b.Run(fmt.Sprintf("group=%d/bits=%d", group, bits), func(b *testing.B) {
				c := Conv{
					Batch: 1, InChannels: 64, OutChannels: 64, Groups: 64 / group,
					In: []int{28, 28}, Kernel: []int{3, 3}, Out: []int{28, 28},
					Stride: []int{1, 1}, PadLow: []int{1, 1}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
				}
				r, p := Z(bits), NewPRG(Seed{1})
				nx, ny, n := c.operands()
				x, y, out := New(r, nx), New(r, ny), New(r, n)
				p.Vec(x, 1, 0)
				p.Vec(y, 2, 0)
				for b.Loop() {
					Convolve(out, x, y, c)
				}
				b.ReportMetric(float64(c.Products())*float64(b.N)/b.Elapsed().Seconds()/1e9, "Gmul/s")
			})
		}
	}
}

const benchLen = 1 << 16

func BenchmarkPRG(b *testing.B) {
	for _, bits := range benchWidths {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			p, v := NewPRG(Seed{1}), New(Z(bits), benchLen)
			b.SetBytes(v.Bytes())
			for b.Loop() {
				p.Vec(v, 1, 0)
			}
		})
	}
}

func BenchmarkPack(b *testing.B) {
	for _, bits := range []int{1, 15, 46, 64, 128, 160} {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			v := New(Z(bits), benchLen)
			NewPRG(Seed{1}).Vec(v, 1, 0)
			b.SetBytes(v.Bytes())
			for b.Loop() {
				var w Writer
				w.Vec(v)
				w.Payload()
			}
		})
	}
}

func BenchmarkUnpack(b *testing.B) {
	for _, bits := range []int{1, 15, 46, 64, 128, 160} {
		b.Run(fmt.Sprintf("bits=%d", bits), func(b *testing.B) {
			v := New(Z(bits), benchLen)
			NewPRG(Seed{1}).Vec(v, 1, 0)
			var w Writer
			w.Vec(v)
			p := w.Payload()
			b.SetBytes(v.Bytes())
			for b.Loop() {
				NewReader(p).Vec(Z(bits), benchLen).Free()
			}
		})
	}
}

func BenchmarkLookUpDigit(b *testing.B) {
	for _, d := range []int{4, 6, 7, 8} {
		b.Run(fmt.Sprintf("digit=%d", d), func(b *testing.B) {
			p := NewPRG(Seed{1})
			table, public := NewBits((1<<d-1)*benchLen), New(Z(64), benchLen)
			p.Bits(table, 1, 0)
			p.Vec(public, 2, 0)
			lt, eq := NewBits(benchLen), NewBits(benchLen)
			for b.Loop() {
				LookUpDigit(lt, eq, table, public, 12, d, true)
			}
			b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/benchLen, "ns/elem")
		})
	}
}

func BenchmarkArith(b *testing.B) {
	ops := map[string]func(dst, x, y Vec){
		"Add":    Add,
		"Mul":    Mul,
		"MulAdd": MulAdd,
		"Neg":    func(dst, x, _ Vec) { Neg(dst, x) },
		"Scale":  func(dst, x, _ Vec) { Scale(dst, x, -3) },
		"Arsh":   func(dst, x, _ Vec) { Arsh(dst, x, 18) },
		"Bit":    func(_, x, _ Vec) { Bit(x, 31) },
	}
	for name, op := range ops {
		for _, bits := range []int{46, 64, 128, 160} {
			b.Run(fmt.Sprintf("%s/bits=%d", name, bits), func(b *testing.B) {
				r, p := Z(bits), NewPRG(Seed{1})
				x, y, out := New(r, benchLen), New(r, benchLen), New(r, benchLen)
				p.Vec(x, 1, 0)
				p.Vec(y, 2, 0)
				for b.Loop() {
					op(out, x, y)
				}
				b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/benchLen, "ns/elem")
			})
		}
	}
}
