package plain

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Lookup implements mpc.Indexing: it copies rows of tables.
func (Party) Lookup(op *flow.Op, index, table mpc.Secret, t mpc.Table) mpc.Secret {
	return apply(op, table.Ring(), index.Len()*t.Rows(), table.Bound(), func(dst ring.Vec, src []ring.Vec) {
		eachRow(src[0], t, func(at, row int) {
			n := t.Columns
			ring.Low(dst.Slice(row*n, (row+1)*n), src[1].Slice(at*n, (at+1)*n))
		})
	}, of(index), of(table))
}

// Place implements mpc.Indexing: it adds rows to tables of zeros.
func (Party) Place(op *flow.Op, index, x mpc.Secret, t mpc.Table) mpc.Secret {
	return apply(op, x.Ring(), t.Size(), x.Bound()+index.Len()*len(t.Offsets), func(dst ring.Vec, src []ring.Vec) {
		eachRow(src[0], t, func(at, row int) {
			n := t.Columns
			d := dst.Slice(at*n, (at+1)*n)
			ring.Add(d, d, src[1].Slice(row*n, (row+1)*n))
		})
	}, of(index), of(x))
}

// eachRow calls f for each row to which an index refers: at is its number among the tables' rows, row its
// number among all indices' rows. Rows beyond a table are left out.
func eachRow(index ring.Vec, t mpc.Table, f func(at, row int)) {
	k, n := index.Ring().Words(), index.Len()
	for i := range n {
		x := int(index.Words()[i*k] & (1<<t.Bits() - 1))
		for q, o := range t.Offsets {
			if c := x + o; 0 <= c && c < t.Cells {
				f(i/(n/t.Groups)*t.Cells+c, i*len(t.Offsets)+q)
			}
		}
	}
}
