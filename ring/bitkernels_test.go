package ring

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// bitCase is a kernel between words and bits, with the number of words of its results and operands
// for n elements.
type bitCase struct {
	name  string
	words func(n int) [5]int
	run   func(k kernels, n int, w [5][]uint64)
}

func packedWords(bits int) int { return (bits + 63) / 64 }

// bitCases are all these kernels, for digits of d bits from bit pos on. The first two operands are
// results.
func bitCases(pos, d int, first uint64) []bitCase {
	return []bitCase{
		{"bit", func(n int) [5]int { return [5]int{packedWords(n), 0, n} }, func(k kernels, n int, w [5][]uint64) { k.bit(w[0], w[2], pos) }},
		{
			"fromBits",
			func(n int) [5]int { return [5]int{n, 0, packedWords(n)} },
			func(k kernels, n int, w [5][]uint64) { k.fromBits(w[0], w[2]) },
		},
		{
			"choose",
			func(n int) [5]int { return [5]int{n, 0, n, n, packedWords(n)} },
			func(k kernels, n int, w [5][]uint64) { k.choose(w[0], w[2], w[3], w[4]) },
		},
		{"lookUp", func(n int) [5]int { return [5]int{packedWords(n), packedWords(n), packedWords(n * (1<<d - 1)), n} },
			func(k kernels, n int, w [5][]uint64) { k.lookUp(w[0], w[1], w[2], w[3], pos, d, first) }},
		{"tables", func(n int) [5]int { return [5]int{packedWords(n * (1<<d - 1)), 0, n} },
			func(k kernels, n int, w [5][]uint64) { k.tables(w[0], w[2], pos, d) }},
		{
			"differ",
			func(n int) [5]int { return [5]int{n, 0, n, 3 * n} },
			func(k kernels, n int, w [5][]uint64) { k.differ(w[0], w[2], w[3], pos, 1+d%2, first) },
		},
		{"spread", func(n int) [5]int { return [5]int{n, 0, packedWords(8 * n * unit(d))} },
			func(k kernels, n int, w [5][]uint64) { k.spread(w[0], asBytes(w[2])[:n*unit(d)], unit(d), 1<<d-1) }},
	}
}

// unit is a size in bytes that spread supports.
func unit(d int) int { return []int{1, 2, 4}[d%3] }

// checkUnpack compares all kernels on n elements of so many bits from a bit on; data ends with the
// last element.
func checkUnpack(t tb, bits, at, n int, data []byte) {
	k, top := Z(bits).Words(), Z(bits).topBits()
	data = data[:(at+n*bits+7)/8]
	for i := range data {
		data[i] = byte(i*i + 7*i)
	}
	_, want := guarded(n*k, 1)
	portable.unpack(want, data, k, top, at)
	for _, x := range available() {
		all, got := guarded(n*k, 1)
		x.unpack(got, data, k, top, at)
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d elements of %d bits from %d are\n%x, want\n%x", x.name, n, bits, at, got, want)
		}
		for i := range 64 {
			if all[i] != guard || all[len(all)-1-i] != guard {
				t.Fatalf("%s: %d elements of %d bits from %d: writes outside", x.name, n, bits, at)
			}
		}
	}
}

func TestUnpackKernels(t *testing.T) {
	data := make([]byte, 1<<12)
	for bits := 1; bits <= 130; bits++ {
		for at := range 9 {
			for _, n := range []int{0, 1, 5, 63, 64, 65, 100, 137} {
				checkUnpack(t, bits, at, n, data)
			}
		}
	}
}

// Kernels that pack write what the loop of Writer writes, and nothing outside of what they are given.
func TestPackKernels(t *testing.T) {
	for width := uint(8); width <= 57; width++ {
		for _, n := range []int{0, 7, 63, 64, 65, 100, 137} {
			words := make([]uint64, n)
			NewPRG(Seed{3}).Vec(Vec{Z(int(width)), n, words}, uint64(width), 0)
			var want []byte
			for i := range n * int(width) {
				if i%8 == 0 {
					want = append(want, 0)
				}
				want[i/8] |= byte(words[i/int(width)]>>(i%int(width))&1) << (i % 8)
			}
			for _, more := range []int{0, 1, 16, 70} {
				for _, x := range available() {
					size := len(want) + more
					all, room := guarded((size+7)/8, 1)
					d := asBytes(room)[:size]
					done := x.pack(d, words, width)
					if end := done * int(width) / 8; done%8 != 0 || done > n || !slices.Equal(d[:end], want[:end]) {
						t.Fatalf("%s: %d elements of %d bits, %d of them packed:\n%x, want\n%x", x.name, n, width, done, d, want)
					}
					if done == 0 && n == 137 && strings.Contains(x.name, "IFMA") {
						t.Fatalf("%s: none of %d elements of %d bits packed", x.name, n, width)
					}
					if !slices.Equal(all[:64], slices.Repeat([]uint64{guard}, 64)) || !slices.Equal(all[len(all)-64:], all[:64]) {
						t.Fatalf("%s: %d elements of %d bits: writes outside", x.name, n, width)
					}
				}
			}
			var w Writer
			w.Vec(Vec{Z(int(width)), n, words})
			if got := w.Payload().Data; !slices.Equal(got, want) {
				t.Fatalf("%d elements of %d bits are written as\n%x, want\n%x", n, width, got, want)
			}
		}
	}
}

func FuzzUnpackKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		checkUnpack(
			t,
			rapid.IntRange(1, 200).Draw(t, "bits"),
			rapid.IntRange(0, 70).Draw(t, "at"),
			rapid.IntRange(0, 300).Draw(t, "n"),
			make([]byte, 1<<13),
		)
	}))
}

func checkBitKernels(t tb, pos, d, n int, first uint64) {
	for _, x := range bitCases(pos, d, first) {
		run := func(k kernels) (alls [][]uint64) {
			var w [5][]uint64
			for i, size := range x.words(n) {
				all, part := guarded(size, uint64(i))
				w[i], alls = part, append(alls, all)
			}
			x.run(k, n, w)
			return alls
		}
		want := run(portable)
		for _, k := range available() {
			for i, got := range run(k) {
				if !slices.Equal(got, want[i]) {
					t.Fatalf("%s: %s of %d elements, %d bits from %d: operand %d is\n%x, want\n%x", k.name, x.name, n, d, pos, i, got, want[i])
				}
			}
		}
	}
}

func TestBitKernels(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 128, 200, 1000} {
		for d := 1; d <= 8; d++ {
			for _, pos := range []int{0, 1, 30, 60, 63} {
				checkBitKernels(t, pos, d, n, uint64(n+d)&1)
			}
		}
	}
}

func FuzzBitKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		checkBitKernels(
			t,
			rapid.IntRange(0, 63).Draw(t, "pos"),
			rapid.IntRange(1, 8).Draw(t, "digit"),
			rapid.IntRange(0, 300).Draw(t, "n"),
			uint64(rapid.IntRange(0, 1).Draw(t, "first")),
		)
	}))
}

func BenchmarkBitKernels(b *testing.B) {
	const n = 1024
	for _, d := range []int{4, 6} {
		for _, x := range bitCases(8, d, 1) {
			for _, k := range available() {
				b.Run(fmt.Sprintf("%d/%s/%s", d, x.name, k.name), func(b *testing.B) {
					var w [5][]uint64
					for i, size := range x.words(n) {
						_, w[i] = guarded(size, uint64(i))
					}
					for b.Loop() {
						x.run(k, n, w)
					}
					b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/elem")
				})
			}
		}
	}
}
