package exec

import (
	"slices"

	"github.com/tacet-mpc/tacet/fxp"
	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/tensor"
)

// scatterBySecrets returns the handler of a scatter by indices that are not public; for public indices it
// calls byPublic, or uses a view.
func scatterBySecrets(byPublic handler) handler {
	if byPublic == nil {
		byPublic = view
	}
	return func(c *opRun, in []*value) ([]*value, error) {
		n := len(in) / 2
		if in[n].typ.Shape.Size() == 0 { // indices without components
			in = slices.Clone(in)
			in[n] = zeros(in[n].typ)
		}
		if in[n].owner == Public {
			return byPublic(c, in)
		}
		return c.scatterSecret(in)
	}
}

// scattering is a scatter by secret indices: updates as rows, one block of rows for each index.
type scattering struct {
	*opRun
	x       *indexed
	index   mpc.Secret
	inputs  []*value
	updates []*value // of n indices times rows
	n       int      // indices
}

// scatterSecret adds updates to the input at their positions, without a round for open indices and updates.
// Other bodies combine the input's elements, which are looked up, with the update, and place the difference:
// all at once if no two windows share an element, else one after the other. A window out of bounds is
// ignored.
func (c *opRun) scatterSecret(in []*value) ([]*value, error) {
	n := len(in) / 2
	w := algo.ScatterOf(c.o)
	if w.Outer.Size() == 0 {
		return in[:n], nil
	}
	x := newIndexed(w.In, w.Sizes, w.Targets, w.Batching)
	at := c.vectors(x, in[n], n, w.Vector, w.IndexBatching)
	s := &scattering{opRun: c, x: x, inputs: in[:n], n: at.of[0].typ.Shape.Size()}
	body := algo.Reducer(c.o.Regions[0])
	adds := n == 1 && (body == hlo.OpAdd && in[0].typ.DType != tensor.Bool || body == hlo.OpXor && in[0].typ.DType == tensor.Bool)
	alone := s.n == x.table.Groups || c.o.Attrs.Bool("unique_indices")
	ret := c.o.Regions[0].Return().Operands
	sets := slices.Equal(ret, c.o.Regions[0].Params[n:]) && len(x.table.Offsets) == 1
	if !at.within || !adds && !alone && sets {
		x.withOutside()
	}
	s.index = c.index(x, at)
	perm := w.Order(len(in[n].typ.Shape))
	for _, u := range in[n+1:] {
		rows := c.view(u, tensor.Transposed(w.Outer, perm))
		s.updates = append(s.updates, c.view(rows, tensor.Reshaped(rows.typ.Shape, tensor.Shape{s.n, x.table.Rows()})))
	}
	switch {
	case adds:
		both := c.shareAll([]*value{in[0], s.updates[0]})
		if c.guardedOperand(2) {
			if high, low, by := c.Arith.SplitScale(c.op, both[1]); low != nil {
				sum := c.Arith.JoinScale(c.op, s.placed(high, s.index), s.placed(low, s.index), by)
				return one(c.sumOf(1, both[0], sum))
			}
		}
		return one(c.Arith.Add(c.op, both[0], s.placed(both[1], s.index)))
	case alone:
		return s.at(s.index, s.inputs, s.updates)
	case sets:
		last := c.Arith.LastOf(c.op, s.index, x.table.Groups, x.table.Bits(), x.table.Cells-1)
		return s.at(last, s.inputs, s.updates)
	}
	return s.inTurn()
}

// at combines updates with the input's elements at indices whose windows do not overlap.
func (s *scattering) at(index mpc.Secret, inputs, updates []*value) ([]*value, error) {
	n := len(inputs)
	args := make([]*value, 2*n)
	shape := updates[0].typ.Shape
	for i := range inputs {
		pair := s.shareAll([]*value{inputs[i], updates[i]})
		inputs[i] = secret(pair[0])
		table := s.Arith.View(s.op, s.x.tables(), pair[0])
		args[i] = secret(s.Arith.Lookup(s.op, index, table, s.x.table, shape))
		args[n+i] = secret(pair[1])
	}
	next, err := s.region(s.o.Regions[0]).Apply(args...)
	if err != nil {
		return nil, err
	}
	out := make([]*value, n)
	for i, v := range next {
		pair := s.shareAll([]*value{v, args[i]})
		diff := s.Arith.Sub(s.op, pair[0], pair[1])
		out[i] = secret(s.Arith.Add(s.op, inputs[i].sec, s.placed(diff, index)))
	}
	return out, nil
}

// placed returns rows at their positions in an operand of zeros.
func (s *scattering) placed(rows *fxp.Value, index mpc.Secret) *fxp.Value {
	tables := s.Arith.Place(s.op, index, rows, s.x.table, tensor.Shape{s.x.table.Size()})
	return s.Arith.View(s.op, s.x.back(), tables)
}

// inTurn combines the first update of every table, then the second, and so on.
func (s *scattering) inTurn() ([]*value, error) {
	groups := s.x.table.Groups
	each, rows := s.n/groups, s.x.table.Rows()
	inputs := slices.Clone(s.inputs)
	for i := range each {
		v := tensor.View{Shape: tensor.Shape{groups}, In: s.n, Offset: i, Strides: []int{each}}
		index := s.Arith.P.Linear(s.op, maps.NewView(v, s.n), s.index)
		v = tensor.View{Shape: tensor.Shape{groups, rows}, In: s.n * rows, Offset: i * rows, Strides: []int{each * rows, 1}}
		updates := make([]*value, len(s.updates))
		for k, u := range s.updates {
			updates[k] = s.view(u, v)
		}
		var err error
		if inputs, err = s.at(index, inputs, updates); err != nil {
			return nil, err
		}
	}
	return inputs, nil
}
