package ring

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestPermutations: each block is a permutation, the same from the same stream, and all
// permutations of a few elements are equally likely.
func TestPermutations(t *testing.T) {
	p := NewPRG(Seed{1})
	for _, rows := range []int{1, 2, 3, 64, 1000} {
		for _, n := range []int{0, 1, 5} {
			index, again := make([]int32, rows*n), make([]int32, rows*n)
			p.Permutations(index, rows, 7, 1)
			p.Permutations(again, rows, 7, 1)
			if !slices.Equal(index, again) {
				t.Errorf("%d orders of %d differ the second time", n, rows)
			}
			for b := range n {
				block := slices.Clone(index[b*rows : (b+1)*rows])
				slices.Sort(block)
				for i, at := range block {
					if int(at) != b*rows+i {
						t.Fatalf("block %d of %d elements is no order of its places: %v", b, rows, block)
					}
				}
			}
		}
	}
	const blocks, rows, orders = 24000, 4, 24
	index := make([]int32, blocks*rows)
	p.Permutations(index, rows, 8, 1)
	counts := map[string]int{}
	for b := range blocks {
		block := index[b*rows : (b+1)*rows]
		counts[fmt.Sprint(block[0]%rows, block[1]%rows, block[2]%rows)]++
	}
	chi := 0.0
	for _, c := range counts {
		chi += float64((c-blocks/orders)*(c-blocks/orders)) / (blocks / orders)
	}
	if len(counts) != orders || math.Abs(chi-23) > 6*math.Sqrt(2*23) {
		t.Errorf("%d orders of four elements, chi-square %.0f of 23 degrees", len(counts), chi)
	}
}

func TestGather(t *testing.T) {
	eachRing(t, func(t *testing.T, r Ring, n int) {
		a := random(r, n, source(3))
		index := make([]int32, 2*n)
		for i := range index {
			index[i] = int32(i * 7 % n)
		}
		got := New(r, 2*n)
		Gather(got, a, index)
		for i, j := range index {
			if got.Int(i).Cmp(a.Int(int(j))) != 0 {
				t.Fatalf("element %d is not that of place %d", i, j)
			}
		}
		Gather(ShapeOnly(r, 2*n), a, index)
	})
}

func TestCopyBits(t *testing.T) {
	src := randomBits(200, source(1))
	for _, n := range []int{0, 1, 63, 64, 65, 130} {
		for _, lo := range []int{0, 1, 63, 64, 70} {
			for _, at := range []int{0, 5, 64, 127} {
				dst := NewBits(300)
				CopyBits(dst, at, src, lo, n)
				for i := range 300 {
					want := uint64(0)
					if i >= at && i < at+n {
						want = src.Get(lo + i - at)
					}
					if dst.Get(i) != want {
						t.Fatalf("%d bits from %d to %d: bit %d", n, lo, at, i)
					}
				}
			}
		}
	}
	CopyBits(ShapeOnlyBits(300), 7, src, 3, 100)
}
