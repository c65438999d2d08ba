package ring

import (
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// elementCase is one kernel on operands of so many words an element.
type elementCase struct {
	name  string
	words [3]int // of d, a and b; 0: no such operand
	run   func(k kernels, d, a, b []uint64)
}

// elementCases are all elementwise kernels, for elements of so many bits.
func elementCases(bits, by int, c, e [2]uint64) []elementCase {
	m := Z(bits).topMask()
	if bits <= 64 {
		return []elementCase{
			{"add", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.add(d, a, b, m) }},
			{"sub", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.sub(d, a, b, m) }},
			{"mul", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.mul(d, a, b, m) }},
			{"mulAdd", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.mulAdd(d, a, b, uint(by), m) }},
			{"affine", [3]int{1, 1, 0}, func(k kernels, d, a, b []uint64) { k.affine(d, a, c[0], e[0], m) }},
			{"rsh", [3]int{1, 1, 0}, func(k kernels, d, a, b []uint64) { k.rsh(d, a, by, m) }},
			{"xor", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.xor(d, a, b) }},
			{"and", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.and(d, a, b) }},
			{"xorAnd", [3]int{1, 1, 1}, func(k kernels, d, a, b []uint64) { k.xorAnd(d, a, b) }},
		}
	}
	return []elementCase{
		{"add2", [3]int{2, 2, 2}, func(k kernels, d, a, b []uint64) { k.add2(d, a, b, m) }},
		{"sub2", [3]int{2, 2, 2}, func(k kernels, d, a, b []uint64) { k.sub2(d, a, b, m) }},
		{"mul2", [3]int{2, 2, 2}, func(k kernels, d, a, b []uint64) { k.mul2(d, a, b, m) }},
		{"mulAdd2", [3]int{2, 2, 2}, func(k kernels, d, a, b []uint64) { k.mulAdd2(d, a, b, m) }},
		{"affine2", [3]int{2, 2, 0}, func(k kernels, d, a, b []uint64) { k.affine2(d, a, c, e, m) }},
		{"mulAddShort", [3]int{2, 2, 1}, func(k kernels, d, a, b []uint64) { k.mulAddShort(d, a, b, uint(by), m) }},
		{"mulAddSigned", [3]int{2, 2, 1}, func(k kernels, d, a, b []uint64) { k.mulAddSigned(d, a, asSigned(b), m) }},
		{"drop", [3]int{1, 2, 0}, func(k kernels, d, a, b []uint64) { k.truncate(d, a, e, 1+by, m) }},
		{"widen", [3]int{2, 1, 0}, func(k kernels, d, a, b []uint64) { k.widen(d, a) }},
	}
}

func asSigned(b []uint64) []int64 {
	return unsafe.Slice((*int64)(unsafe.Pointer(unsafe.SliceData(b))), len(b))
}

// edges puts words into w at which carries and limbs begin and end.
func edges(w []uint64, seed int) {
	ends := []uint64{0, 1, 1<<52 - 1, 1 << 52, 1<<63 - 1, 1 << 63, ^uint64(0), ^uint64(0) - 1}
	for i := range w {
		if (i+seed)%3 == 0 {
			w[i] = ends[(i/3+seed)%len(ends)]
		}
	}
}

// checkElements compares all kernels with the portable ones on n elements, also with the result in
// an operand's place.
func checkElements(t tb, bits, by, n int, c, e [2]uint64) {
	for _, x := range elementCases(bits, by, c, e) {
		operands := func() (all []uint64, d, a, b []uint64) {
			all, d = guarded(n*x.words[0], 1)
			_, a = guarded(n*x.words[1], 2)
			_, b = guarded(n*x.words[2], 3)
			edges(a, 0)
			edges(b, 1)
			edges(d, 2)
			return all, d, a, b
		}
		for place := range 3 {
			if place > 0 && x.words[place] != x.words[0] {
				continue
			}
			run := func(k kernels) (all, d []uint64) {
				all, d, a, b := operands()
				switch place {
				case 1:
					copy(d, a)
					a = d
				case 2:
					copy(d, b)
					b = d
				}
				x.run(k, d, a, b)
				return all, d
			}
			_, want := run(portable)
			for _, k := range available() {
				all, got := run(k)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %s of %d elements of %d bits, by %d, the result in operand %d's place, is\n%x, want\n%x", k.name, x.name, n, bits, by, place, got, want)
				}
				for i := range 64 {
					if all[i] != guard || all[len(all)-1-i] != guard {
						t.Fatalf("%s: %s of %d elements of %d bits writes outside", k.name, x.name, n, bits)
					}
				}
			}
		}
	}
}

func TestElementKernels(t *testing.T) {
	c, e := [2]uint64{0x9e3779b97f4a7c15, 0xf39cc0605cedc834}, [2]uint64{1<<63 + 5, 7}
	for _, bits := range []int{1, 31, 32, 64, 65, 82, 103, 104, 105, 128} {
		for _, by := range []int{0, 1, 40, 63, 64, 70} {
			for _, n := range []int{0, 1, 7, 8, 9, 15, 16, 17, 100} {
				checkElements(t, bits, by, n, c, e)
			}
		}
	}
}

func FuzzElementKernels(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		word := rapid.Uint64()
		checkElements(t, rapid.IntRange(1, 128).Draw(t, "bits"), rapid.IntRange(0, 127).Draw(t, "by"), rapid.IntRange(0, 70).Draw(t, "n"),
			[2]uint64{word.Draw(t, "c0"), word.Draw(t, "c1")}, [2]uint64{word.Draw(t, "e0"), word.Draw(t, "e1")})
	}))
}

func BenchmarkElementKernels(b *testing.B) {
	const n = 1024
	for _, bits := range []int{64, 104} {
		for _, x := range elementCases(bits, 0, [2]uint64{3, 5}, [2]uint64{7, 9}) {
			for _, k := range available() {
				b.Run(fmt.Sprintf("%d/%s/%s", bits, x.name, k.name), func(b *testing.B) {
					_, d := guarded(n*x.words[0], 1)
					_, y := guarded(n*x.words[1], 2)
					_, z := guarded(n*x.words[2], 3)
					for b.Loop() {
						x.run(k, d, y, z)
					}
					b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N)/n, "ns/elem")
				})
			}
		}
	}
}
