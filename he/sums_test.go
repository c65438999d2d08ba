package he

import (
	"math/big"
	"testing"
)

// TestLargestSums adds as many of the smallest numbers as a sum may have, of one word, of two and of residues: none wraps around.
func TestLargestSums(t *testing.T) {
	for _, x := range []struct {
		set, width, weight, outputs int
		number                      []uint64
		value                       *big.Int
	}{
		{1, 62, 48, MostOutputs, []uint64{1<<62 - 1<<48}, big.NewInt(-1 << 48)},
		{1, 64, 63, MostOutputs, []uint64{1 << 63}, big.NewInt(-1 << 63)},
		{6, 62, 48, MostOutputs, []uint64{1<<62 - 1<<48}, big.NewInt(-1 << 48)},
		{6, 64, 63, MostOutputs, []uint64{1 << 63}, big.NewInt(-1 << 63)},
		{2, 128, 127, MostOutputs, []uint64{1<<64 - 1, 1<<64 - 1}, big.NewInt(-1)},
		{3, 128, 127, 4, []uint64{1<<64 - 1, 1<<64 - 1}, big.NewInt(-1)},
	} {
		c := Of(x.set)
		p := &Plain{Numbers: c.Numbers(x.number, x.width, x.weight, x.outputs)}
		for o := range x.outputs {
			p.From = append(p.From, int32(len(p.Runs)))
			for range 1 << alike {
				p.Runs = append(p.Runs, Run{Place: int32((2*c.N - o) % (2 * c.N)), Count: 1}) // output o is multiplied by X^o
			}
		}
		p.From = append(p.From, int32(len(p.Runs)))
		w, m, v := c.Weights(p, 16), c.q.m[0], make([]uint64, c.N)
		block, place := c.place(1, x.outputs)
		s := c.newSums(p, w.packed, 0, block, w.turns[block])
		s.transform(m, v, place) // of a constant: it is everywhere
		sum := new(big.Int).Mul(x.value, big.NewInt(int64(x.outputs)<<alike))
		want := sum.Mod(sum, new(big.Int).SetUint64(m.q)).Uint64()
		for i, got := range closed(m, v) {
			if got != want {
				t.Fatalf("%+v: number %d of the transform is %d, want %d", x, i, got, want)
			}
		}
		s.free()
	}
}
