package fxp_test

import (
	"fmt"
	"testing"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/tensor"
)

// ofIndex wraps an index as an unsigned number, to print it.
func ofIndex(s mpc.Secret) *fxp.Value {
	return fxp.NewValue(s, tensor.Type{DType: tensor.U64, Shape: shape{s.Len()}}, 0)
}

func TestIndex(t *testing.T) {
	xs := []int64{-1 << 7, -5, -1, 0, 1, 3, 4, 5, 1<<7 - 1}
	for _, d := range []tensor.DType{tensor.I8, tensor.I64, tensor.U8, tensor.U32} {
		each(t, usual, func(l *lab) {
			x := l.integers(d, true, xs...)
			clamped, outside := make([]uint64, len(xs)), make([]uint64, len(xs))
			for i, v := range xs {
				w := number(d, v)
				in := w.Sign() >= 0 && w.IsInt64() && w.Int64() <= 4
				switch {
				case in:
					clamped[i] = 3*w.Uint64() + 1
				case w.Sign() > 0:
					clamped[i] = 13
				default:
					clamped[i] = 1
				}
				if outside[i] = clamped[i]; !in {
					outside[i] = 15
				}
			}
			row := fxp.Coordinate{X: x, Most: 4, Stride: 3}
			one := fxp.Coordinate{X: l.integers(d, false, 1, 1, 1, 1, 1, 1, 1, 1, 1), Most: 2, Stride: 1, Within: true}
			l.equal(fmt.Sprint(d, " clamped"), ofIndex(l.Index(l.op, []fxp.Coordinate{row, one}, 4, -1)), fmt.Sprint(clamped))
			l.equal(fmt.Sprint(d, " or outside"), ofIndex(l.Index(l.op, []fxp.Coordinate{row, one}, 4, 15)), fmt.Sprint(outside))
			y := l.integers(d, true, 7)
			l.equal("any", ofIndex(l.Index(l.op, []fxp.Coordinate{{X: y, Most: 255, Stride: 1}}, 9, -1)), "[7]")
		})
	}
	each(t, usual, func(l *lab) {
		l.equal("local", ofIndex(l.LocalIndex(l.op, 1, 3, 5, func() []uint64 {
			if l.dry {
				return nil
			}
			return []uint64{0, 31, 7}
		})), "[0 31 7]")
	})
}

func TestLookupAndPlace(t *testing.T) {
	table := mpc.Table{Groups: 2, Cells: 3, Columns: 2, Offsets: []int{0}}
	each(t, usual, func(l *lab) {
		at := l.integers(tensor.U8, true, 2, 0, 1, 1).S // two of each table
		x := []float64{1, 2, 3, 4, 5, 6, -1, -2, -3, -4, -5, -6}
		l.forall(x, func(y *fxp.Value) {
			l.near("looked up", l.Lookup(l.op, at, y, table, shape{4, 2}), 0, 5, 6, 1, 2, -3, -4, -3, -4)
		})
		rows := []float64{1, 2, 3, 4, 5, 6, 7, 8}
		l.forall(rows, func(y *fxp.Value) {
			l.near("placed", l.Place(l.op, at, y, table, shape{12}), 0, 3, 4, 0, 0, 1, 2, 0, 0, 12, 14, 0, 0)
		})
		windows := mpc.Table{Groups: 1, Cells: 4, Columns: 1, Offsets: []int{0, 1}}
		l.near("windows", l.Lookup(l.op, l.integers(tensor.U8, true, 2, 0).S, l.held(1, 2, 3, 4), windows, shape{2, 2}), 0, 3, 4, 1, 2)
		l.equal(
			"integers",
			l.Lookup(l.op, at, l.integers(tensor.I64, true, 1, 2, 3, 4, 5, 1<<62, 7, 8, 9, -1<<63, 11, 12), table, shape{4, 2}),
			"[5 4611686018427387904 1 2 9 -9223372036854775808 9 -9223372036854775808]",
		)
	})
}

// TestLastOf: of equal indices into one table only the last stays.
func TestLastOf(t *testing.T) {
	each(t, usual, func(l *lab) {
		l.equal("two tables", ofIndex(l.LastOf(l.op, l.integers(tensor.U8, true, 1, 2, 1, 1, 2, 2).S, 2, 3, 7)), "[7 2 1 1 7 2]")
		l.equal("one of each", ofIndex(l.LastOf(l.op, l.integers(tensor.U8, true, 1, 1).S, 2, 3, 7)), "[1 1]")
		l.equal("all alike", ofIndex(l.LastOf(l.op, l.integers(tensor.U8, false, 4, 4, 4, 4).S, 1, 3, 7)), "[7 7 7 4]")
	})
}

func TestSort(t *testing.T) {
	each(t, usual, func(l *lab) {
		s := mpc.Sorting{Groups: 2, Rows: 4, First: 3, Descending: []bool{false, true}, At: l.RingOf(tensor.I32)}
		keys := []float64{2, 1, 2, 0.5, -1, -1, 3, -1}
		more := l.integers(tensor.U8, true, 1, 200, 255, 3, 0, 128, 7, 0)
		for _, k := range []*fxp.Value{l.shaped(l.in(keys...), 2, 4),
			l.shaped(l.Mul(l.op, l.held(keys...), l.in(1, 1, 1, 1, 1, 1, 1, 1)), 2, 4)} {
			sorted, at := l.Arith.Sort(l.op, s, []*fxp.Value{k, l.shaped(more, 2, 4)}, []*fxp.Value{k, l.shaped(more, 2, 4)})
			l.near("keys", sorted[0], 0, 0.5, 1, 2, -1, -1, -1)
			l.equal("by the second too", sorted[1], "[3 200 255 128 0 0]")
			l.equal("positions", fxp.NewValue(at, tensor.Type{DType: tensor.I32, Shape: shape{6}}, 0), "[3 1 2 1 0 3]")
			if !sorted[0].Type.Shape.Equal(shape{2, 3}) {
				l.Errorf("%s: shape %v", l.name, sorted[0].Type.Shape)
			}
		}
		one := mpc.Sorting{Groups: 1, Rows: 3, First: 3, Descending: []bool{true}}
		x := l.integers(tensor.I64, true, 1, 2, 3)
		for _, k := range []struct {
			key  *fxp.Value
			want string
		}{{l.bools(false, true, false), "[2 1 3]"}, {l.integers(tensor.I8, true, -128, 127, 0), "[2 3 1]"},
			{l.integers(tensor.U64, true, -1, 0, 1<<62), "[1 3 2]"}, {l.integers(tensor.I64, true, -1<<63, 1<<62, 1), "[2 3 1]"}} {
			sorted, at := l.Arith.Sort(l.op, one, []*fxp.Value{k.key}, []*fxp.Value{x})
			l.equal("by "+k.key.Type.DType.String(), sorted[0], k.want)
			if at != nil {
				l.Errorf("%s: positions that nothing asked for", l.name)
			}
		}
	})
}
