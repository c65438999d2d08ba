package ot

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestKernels compares kernels with the portable one, at lengths that are a multiple of a vector and others.
func TestKernels(t *testing.T) {
	r := rand.New(rand.NewChaCha8([32]byte{2}))
	words := func(n int) []uint64 {
		out := make([]uint64, n)
		for i := range out {
			out[i] = r.Uint64()
		}
		return out
	}
	blocks := func(n int) []Block {
		out := make([]Block, n)
		for i := range out {
			out[i] = Block(words(2))
		}
		return out
	}
	key := blocks(1)[0]
	same := func(what string, of func(k kernels, p *permutation) any) {
		t.Helper()
		for i, k := range available() {
			p := &permutation{Block: newCipher(key)}
			k.schedule(p, key)
			if got, want := fmt.Sprint(of(k, p)), fmt.Sprint(of(portable, p)); got != want {
				t.Errorf("%s differs in %s (%d)", what, k.name, i)
			}
		}
	}
	same("stream", func(k kernels, p *permutation) any {
		out := make([]byte, 256*257)
		k.stream(p, out, 1<<63+7)
		return out
	})
	for _, n := range []int{1, 2, 15, 16, 17, 64} {
		x, delta := blocks(n), blocks(1)[0]
		same(fmt.Sprint("hash of ", n), func(k kernels, p *permutation) any {
			out := make([]Block, n)
			k.hash(p, out, x, delta, 1<<63+5, 7)
			return out
		})
		nodes := blocks(2 * n)
		same(fmt.Sprint("expand of ", n), func(k kernels, p *permutation) any {
			x := slices.Clone(nodes)
			left, all := k.expand(p, x)
			return [3]any{x, left, all}
		})
		for _, pair := range []uint64{0, uint64(n) / 2, uint64(n) - 1} {
			same(fmt.Sprint("correct of ", n), func(k kernels, _ *permutation) any {
				x := slices.Clone(nodes)
				k.correct(x, pair, key, delta)
				return x
			})
		}
		places, secrets := []byte{}, blocks(256)
		for range 64 * n * weight {
			places = binary.LittleEndian.AppendUint32(places, r.Uint32())
		}
		same(fmt.Sprint("encode of ", n), func(k kernels, _ *permutation) any {
			x := slices.Clone(nodes)
			k.encode(x, secrets, places, 255)
			return x
		})
		given := words(8)
		same(fmt.Sprint("encodeBits of ", n), func(k kernels, _ *permutation) any {
			x := make([]uint64, n)
			k.encodeBits(x, given, places, 511)
			return x
		})
	}
	for _, k := range available()[1:] { // places beyond the secrets are no memory accesses
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s reads secrets that are not there", k.name)
				}
			}()
			k.encode(blocks(1), blocks(255), make([]byte, 4*weight), 255)
		}()
	}
}
