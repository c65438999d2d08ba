package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/budget"
	"github.com/tacet-mpc/tacet/eval"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/tensor"
)

// live counts the memory of the cleartext values that scopes hold. Values that share elements count once.
type live struct {
	*budget.Budget
	of   map[uintptr]*elements // by eval.Elements
	over error                 // the first value for which there was no room
}

// elements are the elements of one or more values.
type elements struct {
	bytes int64
	uses  int
}

// counted is the number of elements from which values are counted one by one. There are no more smaller ones at a time than
// the program's text names in the scopes that are open.
const counted = 512

// given notes an array that the walk's caller holds: it takes no memory of the walk.
func (l *live) given(a *tensor.Array) {
	if l.Budget == nil || a == nil || a.Len() < counted {
		return
	}
	if e := l.of[eval.Elements(a)]; e != nil {
		e.uses++
		return
	}
	l.note(a, 0)
}

func (l *live) note(a *tensor.Array, bytes int64) {
	if l.of == nil {
		l.of = map[uintptr]*elements{}
	}
	l.of[eval.Elements(a)] = &elements{bytes, 1}
}

// hold counts a value that a scope begins to hold.
func (l *live) hold(v *value) {
	if l.Budget == nil || v.arr == nil || v.arr.Len() < counted {
		return
	}
	if e := l.of[eval.Elements(v.arr)]; e != nil {
		e.uses++
		return
	}
	bytes := budget.Bytes(v.arr.Type)
	if err := l.Take(nil, bytes); err != nil {
		if l.over == nil {
			l.over = err
		}
		bytes = 0
	}
	l.note(v.arr, bytes)
}

// drop counts a value that a scope no longer holds.
func (l *live) drop(v *value) {
	if l.Budget == nil || v == nil || v.arr == nil || v.arr.Len() < counted {
		return
	}
	at := eval.Elements(v.arr)
	e := l.of[at]
	if e == nil {
		return
	}
	if e.uses--; e.uses == 0 {
		l.Free(e.bytes)
		delete(l.of, at)
	}
}

// end frees what is left.
func (l *live) end() {
	for _, e := range l.of {
		l.Free(e.bytes)
	}
	l.of = nil
}

// spell makes the elements of the constants that an operation, or a block's end, reads, if these repeat one element.
func (x *run) spell(s *scope, o *hlo.Op) error {
	for _, read := range [][]*hlo.Value{o.Operands, x.uses[o].captured} {
		if err := x.spellAll(s, o, read); err != nil {
			return err
		}
	}
	return nil
}

// spellAll makes the elements of values that o reads beside its operands, if these are constants that repeat one element. No other
// function makes them, so that none are made that the budget has no room for.
func (x *run) spellAll(s *scope, o *hlo.Op, read []*hlo.Value) error {
	for _, at := range read {
		v := s.find(at)
		if v == nil || v.repeated == nil || v.arr != nil {
			continue
		}
		if err := x.budget.Take(o, budget.Bytes(v.typ)); err != nil {
			return err
		}
		x.budget.Free(budget.Bytes(v.typ)) // hold takes it again
		v.arr = v.repeated.Array()
		x.live.hold(v)
	}
	return nil
}

// spelledFrom is the number of elements from which a constant that repeats one element gets its elements only when an
// operation reads it.
const spelledFrom = 1 << 16

// drop removes a value from a scope.
func (x *run) drop(s *scope, v *hlo.Value) {
	x.live.drop(s.vals[v])
	delete(s.vals, v)
}

// leave ends a scope.
func (x *run) leave(s *scope) {
	if x.budget == nil {
		return
	}
	for _, v := range s.vals {
		x.live.drop(v)
	}
}

// recordBytes is an upper bound of what a dry run keeps of an operation's instance, beside its steps: its entry in the costs, the
// frame of a call, and the ids of its correlations.
const recordBytes = 256

// charge counts an operation of the program that is about to be walked.
func (x *run) charge(o *hlo.Op) error {
	if x.budget == nil {
		return nil
	}
	if x.live.over != nil {
		return x.live.over
	}
	if err := x.budget.Spend(o, 1); err != nil {
		return err
	}
	return x.budget.Take(o, recordBytes)
}

// fits refuses an operation that one party evaluates if no party's budget has room for it, whether this party has
// its operands (args) or not. Their shapes are public.
func (x *run) fits(o *hlo.Op, args []*tensor.Array) error {
	if x.budget == nil {
		return nil
	}
	in := make([]tensor.Type, len(o.Operands))
	for i, v := range o.Operands {
		if in[i] = v.Type; i < len(args) && args[i] != nil {
			in[i] = args[i].Type
		}
	}
	b := eval.BoundOf(o, in)
	return x.budget.Fits(o, budget.Add(b.Results, b.Scratch), b.Operations)
}

// listed reserves the memory of the positions and public arrays that an operation on secrets makes while it is built. Secrets themselves
// have no elements in a dry run; in a run the plan has predicted their memory.
func (x *run) listed(o *hlo.Op, in []*value) (end func(), err error) {
	if x.budget == nil {
		return func() {}, nil
	}
	bytes := positionBytes(o, in)
	if err := x.budget.Spend(o, bytes/8); err != nil {
		return nil, err
	}
	if err := x.budget.Take(o, bytes); err != nil {
		return nil, err
	}
	return func() { x.budget.Free(bytes) }, nil
}

// positionBytes returns an upper bound of the bytes of the positions that an operation on secrets lists, and of the public
// arrays that it makes.
func positionBytes(o *hlo.Op, in []*value) int64 {
	types := make([]tensor.Type, len(in))
	var elements int64
	for i, v := range in {
		types[i] = v.typ
		elements = budget.Add(elements, budget.Size(v.typ.Shape))
	}
	all := elements
	for _, r := range o.Results {
		all = budget.Add(all, budget.Size(r.Type.Shape))
	}
	switch o.Name {
	case hlo.OpAdd, hlo.OpSubtract, hlo.OpMultiply, hlo.OpNegate:
		return 0
	case hlo.OpSelect:
		if in[0].owner == Public {
			return budget.Mul(8, all)
		}
	case hlo.OpPad, hlo.OpConcatenate:
		return budget.Mul(8, all)
	case hlo.OpDynamicSlice:
		if !slices.ContainsFunc(in[1:], func(v *value) bool { return v.owner != Public }) {
			return 0 // a view
		}
		return budget.Add(budget.Mul(16, all), secretIndices(o, in))
	case hlo.OpGather, hlo.OpScatter, hlo.OpDynamicUpdateSlice:
		return budget.Add(budget.Mul(16, all), secretIndices(o, in))
	case hlo.OpReduceWindow, hlo.OpSelectAndScatter, hlo.OpConvolution:
		return eval.WindowPositions(o, types)
	case hlo.OpSort, hlo.OpTopK:
		return budget.Mul(64, all, max(1, log2(elements)))
	case hlo.OpCustomCall:
		if onNarrow(o) {
			return 0
		}
		return budget.Mul(64, all)
	case hlo.OpFFT, hlo.OpCholesky, hlo.OpTriangularSolve:
		return budget.Mul(64, all)
	}
	if o.Is(hlo.Elementwise) { // public factors and bounds, of the operands' shape; a run's shares take more
		return budget.Mul(16, all)
	}
	return 0
}

// secretIndices returns an upper bound of the bytes of the positions for indices that are not public. Each of n index
// vectors becomes a one-hot vector of a table's cells, of up to twice as many elements, and the rows of the table are listed
// once for each cell.
func secretIndices(o *hlo.Op, in []*value) int64 {
	var w algo.Indexed
	var indices *value
	switch o.Name {
	case hlo.OpGather:
		w, indices = algo.GatherOf(o), in[1]
	case hlo.OpScatter:
		w, indices = algo.ScatterOf(o), in[len(in)/2]
	default: // a dynamic slice: one index vector
		first := 1
		if o.Name == hlo.OpDynamicUpdateSlice {
			first = 2
		}
		for _, v := range in[first:] {
			if v.owner != Public {
				return budget.Mul(8, budget.Size(in[0].typ.Shape))
			}
		}
		return 0
	}
	if indices.owner == Public {
		return 0
	}
	cells, rows := int64(1), int64(1)
	for d, size := range w.In {
		if slices.Contains(w.Targets, d) {
			cells = budget.Mul(cells, int64(size))
		}
		if slices.Contains(w.Batching, d) {
			rows = budget.Mul(rows, int64(size))
		} else {
			rows = budget.Mul(rows, int64(w.Sizes[d]))
		}
	}
	n := budget.Size(indices.typ.Shape) / int64(max(1, len(w.Targets)))
	return budget.Mul(16, budget.Add(cells, 1), budget.Add(n, rows))
}

func log2(n int64) (k int64) {
	for ; n > 1; n /= 2 {
		k++
	}
	return k
}
