package eval

import (
	"maps"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// The table has every operation of the registry in its canonical form, except those that are refused and the ends of
// blocks.
func TestTableIsComplete(t *testing.T) {
	for _, name := range hlo.Operations() {
		_, has := table[name]
		absent := hlo.Has(name, hlo.Alias) || refused[name] != "" || name == hlo.OpReturn || name == hlo.OpFuncReturn
		if has == absent {
			t.Errorf("%s: in the table is %v", name, has)
		}
	}
}

// The operations that only move elements are those with a view, and elementwise ones are those whose kernels take
// their results' shape from their arguments.
func TestTraitsOfKernels(t *testing.T) {
	canonical := func(trait hlo.Traits) []string {
		return slices.DeleteFunc(hlo.With(trait), func(name string) bool { return hlo.Has(name, hlo.Alias) })
	}
	if got, want := slices.Sorted(maps.Keys(views)), canonical(hlo.Structured); !slices.Equal(got, want) {
		t.Errorf("views of %v, want %v", got, want)
	}
	var kernels []string
	kernels = slices.AppendSeq(kernels, maps.Keys(unaries))
	kernels = slices.AppendSeq(kernels, maps.Keys(binaries))
	kernels = slices.AppendSeq(kernels, maps.Keys(elementwise))
	slices.Sort(kernels)
	if want := canonical(hlo.Elementwise); !slices.Equal(kernels, want) {
		t.Errorf("elementwise kernels %v, want %v", kernels, want)
	}
}

// A region lifts what is elementwise or returns its scalars, and nothing else.
func TestLiftable(t *testing.T) {
	for _, c := range []struct {
		name     string
		operands int
		want     bool
	}{
		{hlo.OpAdd, 2, true}, {hlo.OpReshape, 1, true},
		{hlo.OpReverse, 1, true}, {hlo.OpDynamicSlice, 1, true}, {hlo.OpOptimizationBarrier, 1, true},
		{hlo.OpDynamicUpdateSlice, 2, false}, {hlo.OpCollectivePermute, 1, false}, {hlo.OpSort, 1, false},
		{hlo.OpConcatenate, 2, false},
	} {
		r := newRegion(tensor.F32, tensor.F32)
		r.add(c.name, nil, typ(tensor.F32), r.Params[:c.operands]...)
		r.Ops = append(r.Ops, &hlo.Op{Name: hlo.OpReturn, Operands: r.Params[:1]})
		if got := algo.Liftable(r.Block); got != c.want {
			t.Errorf("a region of %s is lifted: %v", c.name, got)
		}
	}
}
