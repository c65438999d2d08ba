package ring

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// Reduced words are those that FromWords leaves as they are; FromReduced takes them without a write.
func TestReduced(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	reduced, not := 0, 0
	for _, cyclic := range []bool{false, true} {
		for _, n := range []int{1, 7, 32, 63, 64, 65, 100, 127, 128, 160} {
			if cyclic && n == 1 {
				continue // M(1) has one element
			}
			r := Ring{Bits: n, Cyclic: cyclic}
			k := r.Words()
			for i := range 200 {
				words := make([]uint64, 3*k)
				for j := range words {
					words[j] = rng.Uint64() >> (rng.Uint32() % 64)
				}
				if i%4 == 0 { // 2^n − 1 and numbers next to it
					x := new(big.Int).Sub(r.modulus(), big.NewInt(int64(i%3)))
					for j := range k {
						words[k+j] = new(big.Int).Rsh(x, uint(64*j)).Uint64()
					}
				}
				same := slices.Equal(FromWords(r, slices.Clone(words)).Words(), words)
				if got := Reduced(r, words); got != same {
					t.Fatalf("%v: Reduced of %x is %v", r, words, got)
				}
				if !same {
					not++
					continue
				}
				reduced++
				if v := FromReduced(r, words); v.Len() != 3 || &v.Words()[0] != &words[0] {
					t.Fatalf("%v: FromReduced(%x) is %v", r, words, v)
				}
			}
		}
	}
	if reduced < 200 || not < 200 {
		t.Errorf("%d cases are reduced and %d are not", reduced, not)
	}
	defer func() {
		if recover() == nil {
			t.Error("FromReduced took an element beyond its ring")
		}
	}()
	FromReduced(Z(7), []uint64{128})
}

func TestFromZeros(t *testing.T) {
	words := make([]uint64, 6)
	if v := FromZeros(Z(100), words); v.Len() != 3 || v.Ring() != Z(100) || &v.Words()[0] != &words[0] {
		t.Errorf("FromZeros is %v", v)
	}
	refuses(t, "part of an element", "5 words for Z_2^100", func() { FromZeros(Z(100), words[:5]) })
	refuses(t, "no words", "0 words for Z_2^8", func() { FromZeros(Z(8), nil) })
}
