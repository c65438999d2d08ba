package derived

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Lookup multiplies one-hot rows with tables.
func (d *defaults) Lookup(op *flow.Op, index, table mpc.Secret, t mpc.Table) mpc.Secret {
	each := index.Len() / t.Groups * len(t.Offsets)
	rows := d.hotRows(op, table.Ring(), index, t)
	return d.p.Product(op, table.Ring(), maps.MatMul{Batch: t.Groups, M: each, K: t.Cells, N: t.Columns}, rows, table, 0)
}

// Place multiplies one-hot columns with the values.
func (d *defaults) Place(op *flow.Op, index, x mpc.Secret, t mpc.Table) mpc.Secret {
	each := index.Len() / t.Groups * len(t.Offsets)
	rows := d.hotRows(op, x.Ring(), index, t)
	rows = d.view(op, tensor.Transposed(tensor.Shape{t.Groups, each, t.Cells}, []int{0, 2, 1}), rows)
	return d.p.Product(op, x.Ring(), maps.MatMul{Batch: t.Groups, M: t.Cells, K: each, N: t.Columns}, rows, x, 0)
}

// hotRows are, for each index and offset, the row of a table's cells that is 1 where
// the index stands and 0 elsewhere.
func (d *defaults) hotRows(op *flow.Op, r ring.Ring, index mpc.Secret, t mpc.Table) mpc.Secret {
	n, s := index.Len(), t.Bits()
	hot := d.hot(op, index, s)
	if r.Bits > 1 {
		hot = d.p.B2A(op, r, hot)
	}
	list := func() []int32 {
		out := make([]int32, 0, n*len(t.Offsets)*t.Cells)
		for i := range n {
			for _, o := range t.Offsets {
				for c := range t.Cells {
					at := int32(tensor.Fill)
					if v := c - o; 0 <= v && v < 1<<s {
						at = int32(v*n + i)
					}
					out = append(out, at)
				}
			}
		}
		return out
	}
	return d.view(op, tensor.Listed(tensor.Shape{n * len(t.Offsets) * t.Cells}, hot.Len(), list), hot)
}

// hot are the planes of one-hot vectors of 2^s entries, of the low s bits of indices.
func (d *defaults) hot(op *flow.Op, index mpc.Secret, s int) mpc.Bit {
	n := index.Len()
	if index.Ring().Bits > s {
		index = d.p.Narrow(op, ring.Z(s), index)
	} else if index.Ring().Bits < s {
		index = d.p.Extend(op, ring.Z(s), index, false)
	}
	bits := index
	if s > 1 {
		bits = d.p.BitDecompose(op, index)
	}
	b := d.part(op, bits, 0, n)
	hot := d.concat(op, d.not(op, b), b)
	for j := 1; j < s; j++ {
		all := d.repeated(op, d.part(op, bits, j*n, (j+1)*n), 1<<j, false)
		high := d.p.And(op, hot, all)
		hot = d.concat(op, d.sum(op, hot, high), high)
	}
	return hot
}
