package derived

import (
	"math/big"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Sort is Batcher's odd-even merge sort of the keys, what is moved, and the rows'
// places, which decide between equal keys.
func (d *defaults) Sort(op *flow.Op, s mpc.Sorting, keys, xs []mpc.Secret) (sorted []mpc.Secret, at mpc.Secret) {
	place := ring.Z(max(s.At.Bits, maps.CeilLog2(s.Rows)+2))
	cols := append(append([]mpc.Secret{}, keys...), xs...)
	cols = append(cols, d.p.Public(op, places(op, place, s), maps.CeilLog2(s.Rows)))
	for _, layer := range network(s.Rows) {
		cols = d.exchanged(op, s, len(keys), cols, layer)
	}
	for i, x := range cols {
		cols[i] = d.view(op, tensor.Sliced(tensor.Shape{s.Groups, s.Rows}, []int{0, 0}, []int{s.Groups, s.First}, []int{1, 1}), x)
	}
	if s.At.Bits > 0 {
		at = d.fitted(op, s.At, cols[len(cols)-1])
	}
	return cols[len(keys) : len(keys)+len(xs)], at
}

// places number the rows of each group.
func places(op *flow.Op, r ring.Ring, s mpc.Sorting) ring.Vec {
	if op.Graph.DryRun() {
		return ring.ShapeOnly(r, s.Len())
	}
	ints := make([]*big.Int, s.Len())
	for i := range ints {
		ints[i] = big.NewInt(int64(i % s.Rows))
	}
	return ring.FromBig(r, ints)
}

// network are the layers of pairs that are compared.
func network(n int) (layers [][][2]int) {
	for p := 1; p < n; p *= 2 {
		for k := p; k >= 1; k /= 2 {
			var layer [][2]int
			for j := k % p; j+k < n; j += 2 * k {
				for i := range min(k, n-j-k) {
					if (i+j)/(2*p) == (i+j+k)/(2*p) {
						layer = append(layer, [2]int{i + j, i + j + k})
					}
				}
			}
			layers = append(layers, layer)
		}
	}
	return layers
}

// exchanged compares and exchanges one layer's pairs in all groups.
func (d *defaults) exchanged(op *flow.Op, s mpc.Sorting, keys int, cols []mpc.Secret, layer [][2]int) []mpc.Secret {
	n := s.Groups * len(layer)
	side := func(x mpc.Secret, side int) mpc.Secret {
		return d.view(op, tensor.Listed(tensor.Shape{n}, x.Len(), func() []int32 {
			var out []int32
			for g := range s.Groups {
				for _, pair := range layer {
					out = append(out, int32(g*s.Rows+pair[side]))
				}
			}
			return out
		}), x)
	}
	as, bs := make([]mpc.Secret, len(cols)), make([]mpc.Secret, len(cols))
	for i, x := range cols {
		as[i], bs[i] = side(x, 0), side(x, 1)
	}
	last := len(cols) - 1
	swap := d.p.Less(op, bs[last], as[last])
	for i := keys - 1; i >= 0; i-- {
		first, second := bs[i], as[i]
		if s.Descending[i] {
			first, second = second, first
		}
		later := d.p.And(op, d.p.Equal(op, as[i], bs[i]), swap)
		swap = d.sum(op, d.p.Less(op, first, second), later)
	}
	as, bs = d.p.Swap(op, swap, as, bs)
	out := make([]mpc.Secret, len(cols))
	for i, x := range cols {
		out[i] = d.view(op, tensor.Listed(tensor.Shape{s.Len()}, 2*n+s.Len(), func() []int32 {
			index := make([]int32, s.Len())
			for j := range index {
				index[j] = int32(2*n + j)
			}
			for g := range s.Groups {
				for j, pair := range layer {
					index[g*s.Rows+pair[0]] = int32(g*len(layer) + j)
					index[g*s.Rows+pair[1]] = int32(n + g*len(layer) + j)
				}
			}
			return index
		}), as[i], bs[i], x)
	}
	return out
}
