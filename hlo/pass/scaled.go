package pass

import (
	"maps"
	"slices"

	"github.com/tacet-mpc/tacet/hlo"
	"github.com/tacet-mpc/tacet/hlo/algo"
	"github.com/tacet-mpc/tacet/hlo/pattern"
	"github.com/tacet-mpc/tacet/tensor"
)

// scaled folds the scale and shift of a normalisation into the kernels of the contractions that
// follow, if the kernel's owner knows them: (a·s + b) ∗ k becomes a ∗ (s·k) + b ∗ k if s varies
// along contracted dimensions. Then a·s + b is never opened, only a, which the product with s would
// have opened as well. First the scale is moved behind the normalisation: x·(r·s) becomes (x·r)·s. If one party knows x
// and r, it computes x·r, and there is one product of what different parties know instead of two. A transpose of
// a·s + b, as PyTorch's attention has it, is moved behind the dot.
//
// Other operations that read a·s + b, such as a residual sum, are moved behind those contractions. The contractions open a in the
// job's ring, and the product with s then uses this form; before them it would open a once more, in a narrower ring.
//
// It applies only if no other operation would open a·s + b. The owner computes s·k and b ∗ k in
// cleartext. A normalisation's scale is about one, so s·k has as many significant digits as k.
var scaled = Pass{"scaled", "a normalisation's scale and shift are folded into the kernels that follow", func(e *editor) {
	if !e.Fold {
		return
	}
	e.rewrite(false, (*site).transposedAfter)
	e.applyReplacements()
	e.analyse()
	f := &normalisations{e, map[*hlo.Value]bool{}, map[*hlo.Value][]*hlo.Op{}}
	matches := e.patterns()
	e.each(func(o *hlo.Op) {
		if len(o.Results) == 1 && e.uses[o.Results[0]] == 0 {
			return // such as a transpose before a dot, replaced by one after it
		}
		for _, v := range o.Operands {
			f.users[v] = append(f.users[v], o)
		}
	})
	fold := map[*hlo.Value]bool{} // by value: whether all its users allow folding
	e.rewrite(false, func(s *site, o *hlo.Op) bool {
		if len(o.Results) != 1 || !e.secretFloat(o.Results[0]) {
			return false
		}
		if m := matches.At(o); m != nil && (m.Kind == pattern.LayerNorm || m.Kind == pattern.RMSNorm) {
			if len(m.Inputs) == 2 {
				return f.ownerFactorLast(s, o)
			}
			f.normal[o.Results[0]] = true
		}
		for kernel := range 2 {
			t := f.scaling(o, kernel)
			if t == nil {
				continue
			}
			x := o.Operands[1-kernel]
			ok, seen := fold[x]
			if !seen {
				ok = true
				for _, u := range f.users[x] {
					ok = ok && (u.Name == hlo.OpAdd || u.Name == hlo.OpSubtract || f.scaling(u, 0) != nil || f.scaling(u, 1) != nil)
				}
				fold[x] = ok
			}
			if ok {
				return s.replaceResult(o, s.prescaled(o, kernel, t))
			}
		}
		return false
	})
	e.applyReplacements()
	for _, fn := range e.prog.Funcs {
		f.delay(fn.Body)
	}
}}

// delay moves products with a normalisation, and sums with these, down to what reads them first, if a contraction reads the
// normalisation before.
func (f *normalisations) delay(b *hlo.Block) {
	contracted, late := map[*hlo.Value]bool{}, map[*hlo.Value]bool{}
	for _, o := range b.Ops {
		for _, v := range o.Operands {
			if f.normal[v] && (o.Name == hlo.OpDotGeneral || o.Name == hlo.OpConvolution) {
				contracted[v] = true
			}
		}
	}
	for _, o := range b.Ops { // operands come before what reads them
		for _, v := range o.Operands {
			if contracted[v] && o.Name == hlo.OpMultiply || late[v] && (o.Name == hlo.OpAdd || o.Name == hlo.OpSubtract) {
				late[o.Results[0]] = true
			}
		}
	}
	for i := len(b.Ops) - 1; i >= 0; i-- { // a sum goes down before the product that it reads
		o := b.Ops[i]
		if len(o.Results) != 1 || !late[o.Results[0]] {
			continue
		}
		first := slices.IndexFunc(b.Ops[i+1:], func(u *hlo.Op) bool { return reads(u, o.Results[0]) })
		copy(b.Ops[i:], b.Ops[i+1:i+1+max(first, 0)])
		b.Ops[i+max(first, 0)] = o
	}
}

// reads reports whether an operation, or one in its regions, has v as an operand.
func reads(o *hlo.Op, v *hlo.Value) bool {
	return slices.Contains(o.Operands, v) || slices.ContainsFunc(o.Regions, func(b *hlo.Block) bool {
		return slices.ContainsFunc(b.Ops, func(o *hlo.Op) bool { return reads(o, v) })
	})
}

// transposedAfter rewrites dot(transpose(v), k) as a transpose of dot(v, k), if one party knows the kernel k and v is a
// sum or product.
func (s *site) transposedAfter(o *hlo.Op) bool {
	if o.Name != hlo.OpDotGeneral || !s.secretFloat(o.Results[0]) {
		return false
	}
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	if len(d.LHSBatch) > 0 {
		return false
	}
	for side, contract := range [][]int{d.LHSContract, d.RHSContract} {
		t, kernel := s.named(o.Operands[side], hlo.OpTranspose), s.vis[o.Operands[1-side]]
		if t == nil || kernel == hlo.Secret || kernel == hlo.Public || s.named(t.Operands[0], hlo.OpAdd, hlo.OpSubtract, hlo.OpMultiply) == nil {
			continue
		}
		perm, v := t.Attrs.Ints("permutation"), t.Operands[0]
		moved, summed := *d, make([]int, len(contract))
		for i, c := range contract {
			summed[i] = perm[c]
		}
		free := algo.Others(len(perm), nil, summed) // of v, in the order in which the new result has them
		r, before := o.Results[0].Type, 0           // before is the number of dimensions of the result before those of v
		operands := []*hlo.Value{v, o.Operands[1]}
		if side == 0 {
			moved.LHSContract = summed
		} else {
			moved.RHSContract, operands = summed, []*hlo.Value{o.Operands[0], v}
			before = len(r.Shape) - len(free)
		}
		after := make([]int64, len(r.Shape)) // the permutation of the new result
		for i := range after {
			after[i] = int64(i)
		}
		shape := r.Shape.Clone()
		for i, c := range algo.Others(len(perm), nil, contract) {
			after[before+i] = int64(before + slices.Index(free, perm[c]))
			shape[after[before+i]] = r.Shape[before+i]
		}
		attrs := maps.Clone(o.Attrs)
		attrs["dot_dimension_numbers"] = &moved
		y := s.emit(o.Name, tensor.Type{DType: r.DType, Shape: shape}, attrs, operands...)
		return s.replaceResult(o, s.emit(hlo.OpTranspose, r, hlo.Attrs{"permutation": after}, y))
	}
	return false
}

// normalisations holds the results of normalisations and the users of values.
type normalisations struct {
	*editor
	normal map[*hlo.Value]bool
	users  map[*hlo.Value][]*hlo.Op
}

// apart reports whether no party knows both values.
func (e *editor) apart(x, y *hlo.Value) bool { return e.vis[x].Join(e.vis[y]) == hlo.Secret }

// ownerFactorLast rewrites u·(r·s) as (u·r)·s if s is owner-local, and u and r are secret or known to another owner.
func (f *normalisations) ownerFactorLast(s *site, o *hlo.Op) bool {
	if o.Name != hlo.OpMultiply {
		return false
	}
	for i, v := range o.Operands {
		m, u := s.named(v, hlo.OpMultiply), o.Operands[1-i]
		if m == nil || s.uses[v] != 1 {
			continue
		}
		for j, factor := range m.Operands {
			r := m.Operands[1-j]
			secret := s.vis[u] == hlo.Secret && s.vis[r] == hlo.Secret
			known := !f.apart(u, r) && f.apart(u, factor) && f.apart(r, factor)
			if s.vis[factor] != hlo.Secret && (secret || known) {
				whole := s.emitLike(o.Name, u, r)
				f.normal[whole] = true
				return s.replaceResult(o, s.emitLike(o.Name, whole, factor))
			}
		}
	}
	return false
}

// scaling is the form a·s + b or a/s + b.
type scaling struct {
	by     *hlo.Op // multiplies or divides by s
	a, s   *hlo.Value
	offset *hlo.Op // adds or subtracts b; nil if there is no b
	b      *hlo.Value
	at     []int // the kernel's dimension for each dimension of the smallest form of s
}

// scaling returns the form of the contraction's operand other than the kernel, nil if it has no
// factor that can be folded into the kernel.
func (f *normalisations) scaling(o *hlo.Op, kernel int) *scaling {
	along := summedDims(o, kernel)
	if along == nil {
		return nil
	}
	owner, v := f.vis[o.Operands[kernel]], o.Operands[1-kernel]
	knows := func(v *hlo.Value) bool { return owner != hlo.Secret && owner.Join(f.vis[v]) == owner }
	other := func(v *hlo.Value) bool { return owner.Join(f.vis[v]) == hlo.Secret }
	if owner == hlo.Secret || owner == hlo.Public || f.vis[v] != hlo.Secret ||
		!v.Type.Equal(tensor.Type{DType: o.Operands[kernel].Type.DType, Shape: v.Type.Shape}) {
		return nil
	}
	t := &scaling{}
	if add := f.named(v, hlo.OpAdd, hlo.OpSubtract); add != nil {
		if knows(add.Operands[1]) {
			t.offset, t.b, v = add, add.Operands[1], add.Operands[0]
		} else if add.Name == hlo.OpAdd && knows(add.Operands[0]) {
			t.offset, t.b, v = add, add.Operands[0], add.Operands[1]
		}
	}
	t.by = f.named(v, hlo.OpMultiply, hlo.OpDivide)
	switch {
	case t.by == nil:
		return nil
	case knows(t.by.Operands[1]) && other(t.by.Operands[0]):
		t.a, t.s = t.by.Operands[0], t.by.Operands[1]
	case t.by.Name == hlo.OpMultiply && knows(t.by.Operands[0]) && other(t.by.Operands[1]):
		t.a, t.s = t.by.Operands[1], t.by.Operands[0]
	default:
		return nil
	}
	if !f.normal[t.a] {
		return nil
	}
	if _, ok := f.splat(t.s); ok || f.vis[t.s] == hlo.Public {
		return nil // free as it is
	}
	_, dims, ok := f.smallestForm(t.s)
	if !ok {
		return nil
	}
	for _, d := range dims {
		if along[d] < 0 {
			return nil
		}
		t.at = append(t.at, along[d])
	}
	return t
}

// prescaled inserts the contraction o with the factor folded into its kernel.
func (s *site) prescaled(o *hlo.Op, kernel int, t *scaling) *hlo.Value {
	k := o.Operands[kernel]
	with := func(x, k *hlo.Value) *hlo.Value {
		p, out := *o, *o.Results[0]
		p.Operands = []*hlo.Value{x, k}
		if kernel == 0 {
			p.Operands = []*hlo.Value{k, x}
		}
		p.Results = []*hlo.Value{&out}
		s.write(&p)
		return &out
	}
	small, _, _ := s.emitSmallestForm(t.s)
	weighted := s.emitLike(t.by.Name, k, s.broadcast(small, t.at, k.Type.Shape))
	v := with(t.a, weighted)
	if t.offset == nil {
		return v
	}
	return s.emitLike(t.offset.Name, v, with(t.b, k))
}

// summedDims returns for each dimension of the other operand the kernel's dimension with which it
// is contracted, or with which it forms a batch dimension; −1 if there is none. It returns nil if o
// is not a contraction.
func summedDims(o *hlo.Op, kernel int) []int {
	if !o.Is(hlo.Contraction) {
		return nil
	}
	along := make([]int, len(o.Operands[1-kernel].Type.Shape))
	for i := range along {
		along[i] = -1
	}
	if o.Name == hlo.OpConvolution {
		d := o.Attrs["dimension_numbers"].(*hlo.ConvDims)
		if kernel == 1 && o.Attrs.Int("feature_group_count", 1) == 1 && o.Attrs.Int("batch_group_count", 1) == 1 {
			along[d.InFeature] = d.KerIn
		}
		return along
	}
	d := o.Attrs["dot_dimension_numbers"].(*hlo.DotDims)
	own, other := d.RHSContract, d.LHSContract
	batch, from := d.RHSBatch, d.LHSBatch
	if kernel == 0 {
		own, other, batch, from = other, own, from, batch
	}
	for i, x := range other {
		along[x] = own[i]
	}
	for i, x := range from {
		along[x] = batch[i]
	}
	return along
}
