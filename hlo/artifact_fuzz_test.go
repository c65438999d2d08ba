package hlo

import (
	"bytes"
	"math/rand/v2"
	"runtime"
	"testing"
)

// frugal is tolerable and also checks that allocations are proportional to the artifact's size,
// plus the cost of operations. Splat constants take one element each.
func frugal(t *testing.T, data []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := Parse("p", data)
	runtime.ReadMemStats(&after)
	got, most := after.TotalAlloc-before.TotalAlloc, uint64(1<<17+400*len(data))
	if got > most {
		t.Fatalf("%d bytes allocated for %d (%v)", got, len(data), err)
	}
	tolerable(t, data)
}

// Every truncated artifact is refused.
func TestArtifactTruncated(t *testing.T) {
	for _, data := range contents(t, artifacts(t)) {
		for n := 4; n < len(data); n += 17 {
			if _, err := Parse("p", data[:n]); err == nil {
				t.Errorf("%d of %d bytes are a program", n, len(data))
			}
			tolerable(t, data[:n])
		}
	}
}

// Changed bytes give an error or another valid program, and memory use stays proportional to the
// artifact's size.
func TestArtifactMutated(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, data := range contents(t, artifacts(t)) {
		for range 100 {
			mutant := bytes.Clone(data)
			for range 1 + r.IntN(3) {
				i := 4 + r.IntN(len(mutant)-4)
				switch r.IntN(4) {
				case 0:
					mutant[i] = byte(r.IntN(256))
				case 1:
					mutant[i] = data[r.IntN(len(data))]
				case 2:
					mutant[i] ^= 1 << r.IntN(8)
				default:
					mutant = append(mutant[:i], mutant[min(len(mutant), i+1+r.IntN(8)):]...)
				}
				if len(mutant) < 8 {
					break
				}
			}
			frugal(t, mutant)
		}
	}
}

// FuzzBytecode starts from artifacts written by JAX.
func FuzzBytecode(f *testing.F) {
	for _, data := range contents(f, artifacts(f)) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 4 {
			return
		}
		frugal(t, append([]byte("ML\xefR"), data[4:]...))
	})
}
