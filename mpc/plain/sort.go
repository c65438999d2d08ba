package plain

import (
	"slices"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/ring"
)

// Sort implements mpc.Sorts: it sorts rows, and keeps rows with equal keys in their order.
func (p Party) Sort(op *flow.Op, s mpc.Sorting, keys, xs []mpc.Secret) (sorted []mpc.Secret, at mpc.Secret) {
	n := s.Groups * s.First
	deps := make([]flow.Dep, len(keys))
	for i, k := range keys {
		deps[i] = of(k).v
	}
	order := flow.Do(op, int64(n)*4, func() []int32 {
		if op.Graph.DryRun() {
			return nil
		}
		return orderOf(s, keys)
	}, deps...)
	for _, x := range xs {
		v := of(x)
		out := &value{ring: v.ring, n: n, bound: v.bound}
		out.v = flow.Do(op, int64(n)*int64(v.ring.Words())*8, func() ring.Vec {
			dst := v.v.Get().Like(v.ring, n)
			if !dst.ShapeOnly() {
				ring.Gather(dst, v.v.Get(), order.Get())
			}
			return dst
		}, order, v.v)
		sorted = append(sorted, out)
	}
	if s.At.Bits > 0 {
		at = &value{ring: s.At, n: n, bound: s.At.Bits - 2, v: flow.Do(op, int64(n)*8, func() ring.Vec {
			if op.Graph.DryRun() {
				return ring.ShapeOnly(s.At, n)
			}
			ints := make([]int64, n)
			for i, x := range order.Get() {
				ints[i] = int64(int(x) % s.Rows)
			}
			return ring.FromInts(s.At, ints)
		}, order)}
	}
	return sorted, at
}

// orderOf lists the first rows of each group in order.
func orderOf(s mpc.Sorting, keys []mpc.Secret) []int32 {
	var out []int32
	for g := range s.Groups {
		rows := make([]int32, s.Rows)
		for i := range rows {
			rows[i] = int32(g*s.Rows + i)
		}
		slices.SortStableFunc(rows, func(a, b int32) int {
			for i, k := range keys {
				v := of(k).v.Get()
				c := v.Int(int(a)).Cmp(v.Int(int(b)))
				if s.Descending[i] {
					c = -c
				}
				if c != 0 {
					return c
				}
			}
			return 0
		})
		out = append(out, rows[:s.First]...)
	}
	return out
}
