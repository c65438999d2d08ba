package exec

import (
	"reflect"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
)

// sortKey is a function of a row's operands by which rows are compared.
type sortKey struct {
	of         *hlo.Value // in the comparator's body, of the first row
	descending bool
}

// keysOf reads a comparator as the comparison of one function of both rows, or of several in lexicographic
// order; nil if it has another form.
func keysOf(b *hlo.Block) []sortKey {
	if !algo.Liftable(b) {
		return nil
	}
	k := keyReader{b, map[*hlo.Value]*hlo.Op{}}
	for _, o := range b.Ops {
		for _, r := range o.Results {
			k.made[r] = o
		}
	}
	return k.keys(b.Return().Operands[0])
}

type keyReader struct {
	*hlo.Block
	made map[*hlo.Value]*hlo.Op
}

// keys reads [x < y], and [x < y] ∨ [x = y] ∧ more, also written as a selection.
func (k keyReader) keys(v *hlo.Value) []sortKey {
	o := k.made[v]
	if o == nil {
		return nil
	}
	switch o.Name {
	case hlo.OpCompare:
		if key, ok := k.compared(o); ok {
			return []sortKey{key}
		}
	case hlo.OpOr:
		for i, less := range o.Operands {
			and := k.made[o.Operands[1-i]]
			if and == nil || and.Name != hlo.OpAnd {
				continue
			}
			for j, equal := range and.Operands {
				if keys := k.chained(less, equal, and.Operands[1-j]); keys != nil {
					return keys
				}
			}
		}
	case hlo.OpSelect:
		return k.chained(o.Operands[2], o.Operands[0], o.Operands[1])
	}
	return nil
}

// chained returns the keys of less, followed by those of more, which applies where the values that less
// compares are equal.
func (k keyReader) chained(less, equal, more *hlo.Value) []sortKey {
	l, e := k.made[less], k.made[equal]
	if l == nil || e == nil || l.Name != hlo.OpCompare || e.Name != hlo.OpCompare || e.Attrs.Str("comparison_direction") != "EQ" {
		return nil
	}
	key, ok := k.compared(l)
	if dir := l.Attrs.Str("comparison_direction"); !ok || dir != "LT" && dir != "GT" {
		return nil
	}
	same := k.sameFunction(l.Operands[0], e.Operands[0], 0) && k.sameFunction(l.Operands[1], e.Operands[1], 0) ||
		k.sameFunction(l.Operands[0], e.Operands[1], 0) && k.sameFunction(l.Operands[1], e.Operands[0], 0)
	rest := k.keys(more)
	if !same || rest == nil {
		return nil
	}
	return append([]sortKey{key}, rest...)
}

// compared returns the key of a comparison of one function of both rows. Of equal rows neither comes first,
// whatever the direction.
func (k keyReader) compared(o *hlo.Op) (sortKey, bool) {
	x, y := o.Operands[0], o.Operands[1]
	dir := o.Attrs.Str("comparison_direction")
	up, down := dir == "LT" || dir == "LE", dir == "GT" || dir == "GE"
	if !up && !down || x.Type.DType.IsComplex() {
		return sortKey{}, false
	}
	switch {
	case k.sameFunction(x, y, 1) && k.of(x, 0):
		return sortKey{x, down}, true
	case k.sameFunction(y, x, 1) && k.of(y, 0):
		return sortKey{y, up}, true
	}
	return sortKey{}, false
}

// sameFunction reports whether y is the same function as x, of the same rows, or with the rows exchanged if shift is
// 1.
func (k keyReader) sameFunction(x, y *hlo.Value, shift int) bool {
	i, j := slices.Index(k.Params, x), slices.Index(k.Params, y)
	if i >= 0 || j >= 0 {
		return i >= 0 && j == i^shift
	}
	a, b := k.made[x], k.made[y]
	switch {
	case a == nil || b == nil: // of an enclosing block
		return x == y
	case a.Name != b.Name || len(a.Regions)+len(b.Regions) > 0 || a.Callee != b.Callee || len(a.Operands) != len(b.Operands) ||
		slices.Index(a.Results, x) != slices.Index(b.Results, y) || !reflect.DeepEqual(a.Attrs, b.Attrs):
		return false
	}
	for i := range a.Operands {
		if !k.sameFunction(a.Operands[i], b.Operands[i], shift) {
			return false
		}
	}
	return true
}

// of reports whether x depends on the first row only, or on the second only if which is 1, and depends on it
// at all.
func (k keyReader) of(x *hlo.Value, which int) bool {
	if i := slices.Index(k.Params, x); i >= 0 {
		return i%2 == which
	}
	any := false
	for _, v := range operandsOf(k.made[x]) {
		if !k.constant(v) {
			if !k.of(v, which) {
				return false
			}
			any = true
		}
	}
	return any
}

// constant reports whether x depends on no row.
func (k keyReader) constant(x *hlo.Value) bool {
	return !slices.Contains(k.Params, x) && !slices.ContainsFunc(operandsOf(k.made[x]), func(v *hlo.Value) bool { return !k.constant(v) })
}

func operandsOf(o *hlo.Op) []*hlo.Value {
	if o == nil {
		return nil
	}
	return o.Operands
}

// function returns the block that computes a value of b.
func function(b *hlo.Block, of *hlo.Value) *hlo.Block {
	ret := *b.Return()
	ret.Operands = []*hlo.Value{of}
	return withoutUnused(&hlo.Block{Params: b.Params, Ops: append(slices.Clone(b.Ops[:len(b.Ops)-1]), &ret)})
}
