package semi2k

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// sliced is the part of a vector from lo to hi.
func sliced(n, lo, hi int) maps.View {
	return maps.NewView(tensor.Sliced(tensor.Shape{n}, []int{lo}, []int{hi}, []int{1}), n)
}

// endToEnd is vectors laid one after the other.
func endToEnd(lens ...int) maps.View {
	shapes := make([]tensor.Shape, len(lens))
	for i, n := range lens {
		shapes[i] = tensor.Shape{n}
	}
	return maps.NewView(tensor.Concatenated(shapes, 0), lens...)
}

// mixed is a public matrix of n columns by which rows of m are multiplied.
func mixed(rows, m, n int) maps.With {
	by := make([]int64, m*n)
	for i := range by {
		by[i] = int64(i%5 - 2)
	}
	return maps.With{
		B:      maps.MatMul{Batch: 1, M: rows, K: m, N: n},
		Public: ring.FromInts(ring.Z(64), by),
		Right:  true,
		Bits:   1 + maps.CeilLog2(m),
	}
}

// tiles are the parts of twelve elements that start at every other one of ten,
// each of four.
func tiles(p *Party, op *flow.Op, x mpc.Secret) mpc.Secret {
	var parts []mpc.Secret
	var lens []int
	for at := 0; at+4 <= 10; at += 2 {
		parts, lens = append(parts, p.Linear(op, sliced(10, at, at+4), x)), append(lens, 4)
	}
	return p.Linear(op, mixed(4, 4, 4), p.Linear(op, endToEnd(lens...), parts...))
}

// TestImagesOpenLeast: of what linear maps make of closed shares that is opened
// which has the least elements, and nothing twice.
func TestImagesOpenLeast(t *testing.T) {
	const word = 8
	for name, c := range map[string]struct {
		build func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
		most  int64
	}{
		"overlapping tiles": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			v := tiles(p, op, in[0])
			return []mpc.Secret{v, p.Product(op, ring.Z(64), maps.MatMul{Batch: 1, M: 4, K: 4, N: 4}, v, v, 0)}
		}, 10 * word},
		"tiles, their operand and parts of it": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			v := tiles(p, op, in[0])
			part := p.Linear(op, sliced(10, 3, 7), in[0])
			p.Open(op, in[0], part, v)
			return []mpc.Secret{p.Linear(op, sliced(10, 1, 5), in[0]), part, v}
		}, 10 * word},
		"a transpose and another view of as many elements": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			turned := p.Linear(op, maps.NewView(tensor.Transposed(tensor.Shape{2, 5}, []int{1, 0}), 10), in[0])
			p.Open(op, turned)
			reversed := p.Linear(op, maps.NewView(tensor.Reversed(tensor.Shape{10}, []int{0}), 10), in[0])
			p.Open(op, reversed, in[0])
			return []mpc.Secret{turned, reversed}
		}, 10 * word},
		"a part": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			part := p.Linear(op, sliced(10, 3, 7), in[0])
			p.Open(op, part)
			return []mpc.Secret{part}
		}, 4 * word},
		"fewer sums than terms": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			v := p.Linear(op, mixed(1, 10, 3), in[0])
			p.Open(op, v)
			return []mpc.Secret{v}
		}, 3 * word},
		"more sums than terms": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			v := p.Linear(op, mixed(1, 10, 30), in[0])
			p.Open(op, v)
			return []mpc.Secret{v}
		}, 10 * word},
		"an open one beside a part": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			p.Open(op, in[0])
			v := p.Linear(op, endToEnd(10, 4), in[0], p.Linear(op, sliced(10, 3, 7), in[1]))
			p.Open(op, v)
			return []mpc.Secret{v}
		}, (10 + 4) * word},
		"what was shared as it is, and then opened": {func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			part := p.Linear(op, sliced(10, 3, 7), in[0])
			both := p.Linear(op, endToEnd(4, 4), part, part)
			p.Finalize(op, both)
			p.Open(op, part)
			p.Open(op, in[0])
			return []mpc.Secret{both, part, in[0]}
		}, (4 + 10) * word},
	} {
		t.Run(name, func(t *testing.T) {
			in := []operand{{v: extremes(ring.Z(64), 20, 10, 1)}, {v: extremes(ring.Z(64), 20, 10, 2)}}
			out := trial{n: 3, in: in, build: c.build}.run(t)
			if out.online > c.most {
				t.Errorf("%d bytes, at most %d are meant", out.online, c.most)
			}
			clear := trial{n: 2, in: []operand{{v: in[0].v, masked: true}, {v: in[1].v, masked: true}}, build: c.build}.run(t)
			if clear.online != 0 {
				t.Errorf("%d bytes of open operands", clear.online)
			}
			for i, v := range out.out {
				if want := clear.out[i]; !slices.Equal(v.Words(), want.Words()) {
					t.Errorf("result %d: %v, of open operands %v", i, v.Words(), want.Words())
				}
			}
		})
	}
}

// TestNarrowImages: what is opened in few bits is what an image is made of.
func TestNarrowImages(t *testing.T) {
	in := []operand{{v: extremes(ring.Z(64), 20, 10, 1), bound: 20}}
	tr := trial{n: 2, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		v := tiles(p, op, in[0]) // below 2^23
		return []mpc.Secret{
			v,
			p.Product(op, ring.Z(64), maps.Elementwise{N: 16}, v, v, 0),
			p.Product(op, ring.Z(64), maps.Elementwise{N: 16}, v, v, 0),
		}
	}}
	out := tr.run(t)
	if most := int64(10*25+7) / 8; out.online > most {
		t.Errorf("%d bytes, at most %d are meant", out.online, most)
	}
	for i := range 16 {
		if x := out.out[0].Int(i); out.out[1].Int(i).Cmp(new(big.Int).Mul(x, x)) != 0 {
			t.Errorf("the square of %v is %v", x, out.out[1].Int(i))
		}
	}
}

// TestZeros checks the products of numbers whose bound says that all are 0.
func TestZeros(t *testing.T) {
	for _, bound := range []int{-1, -2, -10} {
		in := []operand{{v: ring.FromInts(ring.Z(32), make([]int64, 4)), bound: bound}}
		tr := trial{n: 2, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Product(op, ring.Z(32), maps.Elementwise{N: 4}, in[0], in[0], 0)}
		}}
		out := tr.run(t)
		for i := range 4 {
			if x := out.out[0].Int(i); x.Sign() != 0 {
				t.Errorf("bound 2^%d: 0·0 is %v", bound, x)
			}
		}
	}
}

// TestImagesOfImages: whatever maps are applied and whatever is opened in
// between, values are right and an opening is no more than of all that was asked
// for.
func TestImagesOfImages(t *testing.T) {
	for seed := range uint64(40) {
		if raced && seed%8 != 0 {
			continue
		}
		in := []operand{
			{v: extremes(ring.Z(64), 10, 6, 1)},
			{v: extremes(ring.Z(64), 10, 6, 2)},
			{v: extremes(ring.Z(64), 10, 6, 3), masked: seed%2 == 0},
		}
		asked := 0 // at the first party
		build := func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			r := rand.New(rand.NewPCG(seed, 7))
			all := append([]mpc.Secret{}, in...)
			sum := 0
			for range 25 {
				x, y := all[r.IntN(len(all))], all[r.IntN(len(all))]
				n, m := x.Len(), y.Len()
				switch r.IntN(8) {
				case 0:
					lo := r.IntN(n)
					x = p.Linear(op, sliced(n, lo, lo+1+r.IntN(n-lo)), x)
				case 1:
					if n+m < 40 {
						x = p.Linear(op, endToEnd(n, m), x, y)
					}
				case 2:
					x = p.Linear(op, mixed(1, n, 1+r.IntN(8)), x)
				case 3:
					if n == m {
						x = p.Linear(op, maps.Combine{N: n, Coef: []int64{2, -1}}, x, y)
					}
				case 4:
					x = p.Linear(op, maps.Combine{N: n, Coef: []int64{-1}}, x)
				case 5:
					x = p.Linear(op, maps.NewView(tensor.Broadcast(tensor.Shape{n}, []int{1}, tensor.Shape{2, n}), n), x)
				case 6:
					p.Finalize(op, x)
				default:
					if !x.Opened() {
						sum += n
					}
					if !y.Opened() {
						sum += m
					}
					p.Open(op, x, y)
				}
				all = append(all, x)
			}
			if p.first() && !op.Graph.DryRun() {
				asked = sum
			}
			return all
		}
		out := trial{n: 2, in: in, build: build}.run(t)
		if out.online > 8*int64(asked) {
			t.Errorf("seed %d: %d bytes for %d elements", seed, out.online, asked)
		}
		for i := range in {
			in[i].masked = true
		}
		clear := trial{n: 2, in: in, build: build}.run(t)
		for i, v := range out.out {
			if !slices.Equal(v.Words(), clear.out[i].Words()) {
				t.Fatalf("seed %d: result %d: %v, of open operands %v", seed, i, v.Words(), clear.out[i].Words())
			}
		}
	}
}
