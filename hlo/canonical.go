package hlo

import "github.com/tacet-mpc/tacet/tensor"

// Several operations say the same in two ways: dot is a dot_general, chlo.broadcast_add is an add of broadcast
// operands. Parse, and package build, bring every operation to one form, so that whatever reads a program knows one.
// Op.Written keeps the name that the program's author wrote.

// Canonical changes an operation that satisfies the registry's rules to its canonical form, and returns it, preceded
// by the new operations that its new operands need. Its results remain the same Values.
func (o *Op) Canonical() []*Op {
	d := registry[o.Name]
	if o.Name == OpCustomCall {
		if f := o.calledFunction(); f != nil {
			written := o.Name
			o.Name, o.Attrs = f.name, Attrs{}
			ops := o.Canonical()
			o.Written = written
			return ops
		}
	}
	if d == nil || d.canonical == nil {
		return []*Op{o}
	}
	if o.Attrs == nil {
		o.Attrs = Attrs{}
	}
	name := o.Name
	ops := d.canonical(o)
	o.Written = name
	if err := registry[o.Name].conform(o, nil); err != nil { // fills in the defaults of attributes
		panic("hlo: " + name + " has no canonical form: " + err.Error())
	}
	return ops
}

// Title returns the operation's name for messages and reports: the name in the program's text.
func (o *Op) Title() string {
	if o.Written != "" {
		return o.Written
	}
	return o.Name
}

// Place returns the operation's position in the program (without the file name) and its name, for messages.
func (o *Op) Place() (place, name string) { return o.Pos.String(), o.Title() }

// canonicalise brings all operations to their canonical form and numbers the values of the functions that change.
func (p *Program) canonicalise() {
	for _, f := range p.Funcs {
		if f.Body.canonicalise() {
			f.Body.number(0)
		}
	}
}

// canonicalise brings the operations of a block and of its regions to their canonical form and reports whether
// there are operations that were not there before.
func (b *Block) canonicalise() (grown bool) {
	var ops []*Op // nil until the block grows
	for i, o := range b.Ops {
		for _, r := range o.Regions {
			grown = r.canonicalise() || grown
		}
		forms := o.Canonical()
		if len(forms) > 1 && ops == nil {
			ops = append(make([]*Op, 0, len(b.Ops)+len(forms)), b.Ops[:i]...)
		}
		if ops != nil {
			ops = append(ops, forms...)
		}
	}
	if ops != nil {
		b.Ops, grown = ops, true
	}
	return grown
}

// number numbers the block's values from next on, in the order of the text, and returns the next number.
func (b *Block) number(next int) int {
	give := func(vs []*Value) {
		for _, v := range vs {
			v.ID = next
			next++
		}
	}
	give(b.Params)
	for _, o := range b.Ops {
		for _, r := range o.Regions {
			next = r.number(next)
		}
		give(o.Results)
	}
	return next
}

// renamed returns the canonical form of an operation that differs from another in its name only.
func renamed(to string) func(o *Op) []*Op {
	return func(o *Op) []*Op {
		o.Name = to
		return []*Op{o}
	}
}

// dotGeneral is dot as dot_general: the last dimension of operand 0 with the first of operand 1.
func (o *Op) dotGeneral() []*Op {
	o.Name = OpDotGeneral
	o.Attrs["dot_dimension_numbers"] = &DotDims{LHSContract: []int{len(o.shape(0)) - 1}, RHSContract: []int{0}}
	return []*Op{o}
}

// broadcastInDim is broadcast as broadcast_in_dim: the operand's dimensions become the last ones.
func (o *Op) broadcastInDim() []*Op {
	o.Name = OpBroadcastInDim
	delete(o.Attrs, "broadcast_sizes")
	o.Attrs["broadcast_dimensions"] = lastOf(rank(o), len(o.out(0).Shape))
	return []*Op{o}
}

// gather is torch_index_select as gather of slices along one dimension.
func (o *Op) gather() []*Op {
	dim, batches := o.Attrs.Int("dim", 0), o.Attrs.Int("batch_dims", 0)
	in, indexed := o.shape(0), len(o.shape(1))
	sizes := make([]int64, len(in))
	d := &GatherDims{CollapsedSliceDims: []int{dim}, StartIndexMap: []int{dim}, IndexVectorDim: indexed}
	for i, n := range in {
		sizes[i] = int64(n)
		switch {
		case i < batches:
			d.OperandBatchingDims, d.StartIndicesBatchingDims = append(d.OperandBatchingDims, i), append(d.StartIndicesBatchingDims, i)
		case i < dim:
			d.OffsetDims = append(d.OffsetDims, i)
		case i > dim:
			d.OffsetDims = append(d.OffsetDims, i-1+indexed-batches)
		}
		if i < batches || i == dim {
			sizes[i] = min(1, sizes[i])
		}
	}
	o.Name = OpGather
	delete(o.Attrs, "dim")
	delete(o.Attrs, "batch_dims")
	o.Attrs["dimension_numbers"], o.Attrs["slice_sizes"], o.Attrs["indices_are_sorted"] = d, sizes, false
	return []*Op{o}
}

// broadcastOperands is chlo.broadcast_x as the operation x, whose name is given, of broadcast operands.
func (o *Op) broadcastOperands(name string) []*Op {
	var ops []*Op
	shape, given := o.out(0).Shape, o.Attrs["broadcast_dimensions"]
	for i, v := range o.Operands {
		if v.Type.Shape.Equal(shape) {
			continue
		}
		dims := lastOf(len(v.Type.Shape), len(shape))
		if len(v.Type.Shape) < len(shape) && given != nil {
			dims = given.([]int64)
		}
		wide := &Value{Type: tensor.Type{DType: v.Type.DType, Shape: shape}, Pos: o.Pos}
		ops = append(ops, &Op{
			Name: OpBroadcastInDim, Operands: []*Value{v}, Results: []*Value{wide},
			Attrs: Attrs{"broadcast_dimensions": dims}, Loc: o.Loc, Pos: o.Pos,
		})
		o.Operands[i] = wide
	}
	o.Name = name
	delete(o.Attrs, "broadcast_dimensions")
	return append(ops, o)
}

// lastOf returns the last n of count dimensions.
func lastOf(n, count int) []int64 {
	dims := make([]int64, n)
	for i := range dims {
		dims[i] = int64(count - n + i)
	}
	return dims
}
