package semi2k

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// Secret indices (docs/protocols/integers.md#table-look-up). The dealer shares the one-hot vector e_λ of the
// mask of an index x, open as Δ = x + λ mod 2^s. The one-hot vector of x is e_x[v] = e_λ[(Δ − v) mod 2^s];
// nothing is sent. Products of it with a table T or a value y need no opening either:
//
//	Σ_v T[v]·e_x[v] = Σ_v Δ_T[v]·e_x[v] − W[Δ],      W[δ] = λ_T[(δ − λ) mod 2^s]
//	e_x[v]·y = e_x[v]·Δ_y − P[(Δ − v) mod 2^s],      P[u] = e_λ[u]·λ_y
//
// W, the rotated mask of the table, and P are dealt: 2^s elements for each column of a row. The one-hot
// vector takes 2^s − 1 elements and is dealt once for each index. Computing parties see Δ only. The dealer
// sees that an index is used with a table, and for which columns.
//
// Where W or P would have more than maxDealt elements, as for an embedding, the one-hot vector is opened in
// one round and multiplied like a matrix.

// maxDealt is the largest number of elements of W or P. It is a variable so that tests can lower it.
var maxDealt = 1 << 22

// Lookup implements mpc.Indexing. It opens index and table, where they are not open, in one message.
func (p *Party) Lookup(op *flow.Op, index, table mpc.Secret, t mpc.Table) mpc.Secret {
	x, tab := p.narrowIndex(op, p.share(index), t), p.share(table)
	r, n, rows := tab.ring, x.n, t.Rows()
	if n*rows*t.Size() == 0 {
		return p.newShare(r, n*rows, 0, p.zeroVec(op, r, n*rows))
	}
	if looksUpBits(tab, t) {
		return p.lookUpBits(op, x, tab, t)
	}
	p.open(op, x, tab)
	s := t.Bits()
	hot := p.oneHot(op, x.masked, n, r, s)
	if !tab.public() && opensOneHots(mpc.Lookups{Indices: n, Table: t}) {
		values, hots := 1<<s, p.indexOneHots(op, r, x, hot, s)
		var rowsByIndex mpc.Secret = tab
		if rows == t.Columns && t.Offsets[0] == 0 { // the table itself; no index selects the rows beyond it
			values = t.Cells
			v := tensor.View{Shape: tensor.Shape{n, values}, In: n << s, Strides: []int{1 << s, 1}}
			hots = p.Linear(op, maps.NewView(v, n<<s), hots).(*share)
		} else {
			v := tensor.InRuns(tensor.Shape{t.Groups, values, rows}, tab.n, func() []tensor.Run { return cyclicRuns(t, s) })
			rowsByIndex = p.Linear(op, maps.NewView(v, tab.n), tab)
		}
		by := maps.MatMul{Batch: t.Groups, M: n / t.Groups, K: values, N: rows}
		out := p.Product(op, r, by, hots, rowsByIndex, 0).(*share)
		out.bound = tab.bound
		return out
	}
	delta := tab.masked.delta
	ds := []flow.Dep{x.masked.delta, delta, hot}
	var rotated *flow.Future[ring.Vec]
	if !tab.public() {
		rotated = p.takeVec(op, &correlation.Request{
			Kind:    correlation.Rotated,
			Factors: []correlation.Factor{indexFactor(x.masked, s), {Mask: p.paddedMask(op, tab, t)}},
			Out:     r, N: n * t.Columns << s,
		})
		ds = append(ds, rotated)
	}
	return p.newShare(r, n*rows, tab.bound, flow.Do(op, bytes(r, n*rows), func() ring.Vec {
		places, e := x.masked.delta.Get(), hot.Get()
		out := e.Like(r, n*rows)
		spendOneHots(op, r, n<<s)
		spendProducts(op, maps.MatMul{Batch: t.Groups, M: n / t.Groups, K: 1 << s, N: rows}, r)
		if out.ShapeOnly() {
			return out
		}
		at := lowWords(places, s)
		ex := ring.New(r, n<<s)
		p.unmaskOneHots(ex, e, at, s)
		rowsByIndex := delta.Get()
		whole := t.Cells == 1<<s && len(t.Offsets) == 1 && t.Offsets[0] == 0 // index v refers to row v, and to no other row
		if !whole {
			rowsByIndex = cyclicRows(rowsByIndex, t, s)
		}
		ring.MatMul(out, ex, rowsByIndex, t.Groups, n/t.Groups, 1<<s, rows)
		ex.Free()
		if !whole {
			rowsByIndex.Free()
		}
		if rotated != nil {
			mask := ring.New(r, n*rows)
			pickRows(mask, rotated.Get(), at, t, s)
			ring.Sub(out, out, mask)
			mask.Free()
		}
		return out
	}, ds...))
}

// Place implements mpc.Indexing. It opens index and value, where they are not open, in one message.
func (p *Party) Place(op *flow.Op, index, value mpc.Secret, t mpc.Table) mpc.Secret {
	x, y := p.narrowIndex(op, p.share(index), t), p.share(value)
	r, n, rows := y.ring, x.n, t.Rows()
	if n*rows*t.Size() == 0 {
		return p.newShare(r, t.Size(), 0, p.zeroVec(op, r, t.Size()))
	}
	p.open(op, x, y)
	s := t.Bits()
	hot := p.oneHot(op, x.masked, n, r, s)
	each := n / t.Groups * len(t.Offsets)
	if !y.public() && n*rows<<s > maxDealt {
		v := tensor.Listed(tensor.Shape{t.Groups, t.Cells, each}, n<<s, func() []int32 { return placementIndex(n, t, s) })
		where := p.Linear(op, maps.NewView(v, n<<s), p.indexOneHots(op, r, x, hot, s))
		out := p.Product(op, r, maps.MatMul{Batch: t.Groups, M: t.Cells, K: each, N: t.Columns}, where, y, 0).(*share)
		out.bound = capBound(y.bound+maps.CeilLog2(each), r)
		return out
	}
	ds := []flow.Dep{x.masked.delta, y.masked.delta, hot}
	var placed *flow.Future[ring.Vec]
	if !y.public() {
		placed = p.takeVec(op, &correlation.Request{
			Kind:    correlation.Placed,
			Factors: []correlation.Factor{indexFactor(x.masked, s), {Mask: y.masked.mask}},
			Out:     r, N: n * rows << s,
		})
		ds = append(ds, placed)
	}
	return p.newShare(r, t.Size(), y.bound+maps.CeilLog2(each), flow.Do(op, bytes(r, t.Size()), func() ring.Vec {
		places, e := x.masked.delta.Get(), hot.Get()
		out := e.Like(r, t.Size())
		if out.ShapeOnly() {
			return out
		}
		at := lowWords(places, s)
		ex := ring.New(r, n<<s)
		p.unmaskOneHots(ex, e, at, s)
		where := placementMatrix(ex, t, s)
		ring.MatMul(out, where, y.masked.delta.Get(), t.Groups, t.Cells, each, t.Columns)
		ex.Free()
		where.Free()
		if placed != nil {
			mask, terms := ring.New(r, t.Size()), ring.New(r, each*t.Size())
			placeRows(terms, placed.Get(), at, t, s)
			maps.Sum{Outer: t.Groups, Reduced: each, Inner: t.Cells * t.Columns}.Apply(mask, terms)
			ring.Sub(out, out, mask)
			mask.Free()
			terms.Free()
		}
		return out
	}, ds...))
}

// narrowIndex returns x in the ring in which it is opened: with as many bits as the table reads.
func (p *Party) narrowIndex(op *flow.Op, x *share, t mpc.Table) *share {
	switch {
	case x.n%max(1, t.Groups) != 0 || x.ring.Bits < t.Bits():
		panic(fmt.Sprintf("semi2k: %d indices in %v do not fit %+v", x.n, x.ring, t))
	case x.masked != nil || x.image.expands():
		return x
	}
	return p.narrowTo(op, x, ring.Z(t.Bits()))
}

func indexFactor(m *masked, s int) correlation.Factor {
	return correlation.Factor{Mask: m.mask, Part: correlation.LowBits, Width: s}
}

// hotKey identifies a one-hot vector of a mask's low s bits over r.
type hotKey struct {
	r ring.Ring
	s int
}

// oneHot is this party's share of the one-hot vectors of the low s bits of λ, without their last entries.
// They are dealt once.
func (p *Party) oneHot(op *flow.Op, m *masked, n int, r ring.Ring, s int) *flow.Future[ring.Vec] {
	key := hotKey{r, s}
	if m.oneHots[key] == nil {
		if m.oneHots == nil {
			m.oneHots = map[hotKey]*flow.Future[ring.Vec]{}
		}
		m.oneHots[key] = p.takeVec(op, &correlation.Request{
			Kind: correlation.OneHot, Factors: []correlation.Factor{indexFactor(m, s)}, Out: r, N: n * (1<<s - 1),
		})
	}
	return m.oneHots[key]
}

// paddedMask is the mask of tables padded with zero rows to 2^Bits rows.
func (p *Party) paddedMask(op *flow.Op, tab *share, t mpc.Table) *correlation.Mask {
	size := 1 << t.Bits()
	if t.Cells == size {
		return tab.masked.mask
	}
	shape := tensor.Shape{t.Groups, t.Cells * t.Columns}
	v := tensor.Padded(shape, []int{0, 0}, []int{0, (size - t.Cells) * t.Columns}, []int{0, 0})
	return correlation.NewDerived(op.Next(), tab.ring, maps.NewView(v, tab.n), tab.masked.mask)
}

// lowWords returns the low s bits of each element.
func lowWords(v ring.Vec, s int) []uint64 { return digitsOf(v, 0, s) }

// unmaskOneHots sets row i of dst to the share of e_x: dst[i][v] = e[i][(at[i] − v) mod 2^s]. The last entry
// of each row of e is 1 minus the others.
func (p *Party) unmaskOneHots(dst, e ring.Vec, at []uint64, s int) {
	if e.Ring().Words() == 1 && !e.Ring().Cyclic {
		p.unmaskWords(dst.Words(), e, at, s)
		return
	}
	size, k, one := 1<<s, e.Ring().Words(), ring.FromInts(e.Ring(), []int64{1})
	ring.Parallel(len(at), 1, func(lo, hi int) {
		last, sum := ring.New(e.Ring(), 1), ring.New(e.Ring(), 1)
		for i := lo; i < hi; i++ {
			row := e.Slice(i*(size-1), (i+1)*(size-1))
			maps.Sum{Outer: 1, Reduced: size - 1, Inner: 1}.Apply(sum, row)
			if p.first() {
				ring.Sub(last, one, sum)
			} else {
				ring.Neg(last, sum)
			}
			out, in := dst.Words()[i*size*k:(i+1)*size*k], row.Words()
			for v := range size {
				from := in
				u := (int(at[i]) - v) & (size - 1)
				if u == size-1 {
					from, u = last.Words(), 0
				}
				copy(out[v*k:(v+1)*k], from[u*k:])
			}
		}
		last.Free()
		sum.Free()
	})
}

// unmaskWords is unmaskOneHots for rings of one word.
func (p *Party) unmaskWords(dst []uint64, e ring.Vec, at []uint64, s int) {
	size, all := 1<<s, ^uint64(0)>>(64-e.Ring().Bits)
	ring.Parallel(len(at), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row, out := e.Words()[i*(size-1):(i+1)*(size-1)], dst[i*size:(i+1)*size]
			last := uint64(0)
			if p.first() {
				last = 1
			}
			for _, x := range row {
				last -= x
			}
			u := int(at[i]) & (size - 1)
			for v := range out {
				if u == size-1 {
					out[v] = last & all
				} else {
					out[v] = row[u]
				}
				u = (u - 1) & (size - 1)
			}
		}
	})
}

// spendOneHots adds to op's work that the n elements of one-hot vectors are unmasked: each is added up and moved by itself.
func spendOneHots(op *flow.Op, r ring.Ring, n int) {
	op.Spend(flow.Packed, 8*int64(n*r.Words()))
	op.Spend(flow.Bytes, bytes(r, n))
}

// indexOneHots is the secret of an index's one-hot vectors.
func (p *Party) indexOneHots(op *flow.Op, r ring.Ring, x *share, hot *flow.Future[ring.Vec], s int) *share {
	n := x.n << s
	return p.newShare(r, n, 1, flow.Do(op, bytes(r, n), func() ring.Vec {
		out := hot.Get().Like(r, n)
		spendOneHots(op, r, n)
		if !out.ShapeOnly() {
			p.unmaskOneHots(out, hot.Get(), lowWords(x.masked.delta.Get(), s), s)
		}
		return out
	}, hot, x.masked.delta))
}

// cyclicRuns lists the elements of the table that cyclicRows copies; tensor.Fill beyond the table.
func cyclicRuns(t mpc.Table, s int) []tensor.Run {
	var out []tensor.Run
	for g := range t.Groups {
		for v := range 1 << s {
			for _, o := range t.Offsets {
				at := (v + o) & (1<<s - 1)
				from := tensor.Fill
				if at < t.Cells {
					from = (g*t.Cells + at) * t.Columns
				}
				out = tensor.AppendRun(out, from, t.Columns)
			}
		}
	}
	return out
}

// placementIndex lists the elements of the one-hot vectors that placementMatrix copies.
func placementIndex(n int, t mpc.Table, s int) []int32 {
	terms := n / t.Groups * len(t.Offsets)
	out := make([]int32, t.Groups*t.Cells*terms)
	for i := range out {
		out[i] = tensor.Fill
	}
	eachPlacement(n, t, s, func(i, g, term, c, v int) { out[(g*t.Cells+c)*terms+term] = int32(i<<s + v) })
	return out
}

// cyclicRows returns, for each table and each index value v, the rows v + o for o in Offsets, side by side.
// Row numbers are taken modulo 2^s; rows beyond the table are 0.
func cyclicRows(table ring.Vec, t mpc.Table, s int) ring.Vec {
	size, row := 1<<s, t.Columns*table.Ring().Words()
	out := ring.New(table.Ring(), t.Groups*size*t.Rows())
	to, from := out.Words(), table.Words()
	for g := range t.Groups {
		for v := range size {
			for _, o := range t.Offsets {
				if at := (v + o) & (size - 1); at < t.Cells {
					copy(to[:row], from[(g*t.Cells+at)*row:])
				}
				to = to[row:]
			}
		}
	}
	return out
}

// pickRows copies, for each index, the rows Δ + o of its rotated table.
func pickRows(dst, rotated ring.Vec, at []uint64, t mpc.Table, s int) {
	size, row := 1<<s, t.Columns*dst.Ring().Words()
	to, from := dst.Words(), rotated.Words()
	for i, d := range at {
		for _, o := range t.Offsets {
			u := (int(d) + o) & (size - 1)
			copy(to[:row], from[(i*size+u)*row:])
			to = to[row:]
		}
	}
}

// eachPlacement calls f for each index i, offset and row c to which the index may refer: term (i within its
// group, and the offset's number) of group g refers to row c exactly if the index is v.
func eachPlacement(n int, t mpc.Table, s int, f func(i, g, term, c, v int)) {
	each := n / t.Groups
	for i := range n {
		for q, o := range t.Offsets {
			for c := max(0, o); c < t.Cells && c-o < 1<<s; c++ {
				f(i, i/each, i%each*len(t.Offsets)+q, c, c-o)
			}
		}
	}
}

// placementMatrix is, for each table, the matrix of rows by terms: the entry of the term's one-hot vector
// that places the term in the row.
func placementMatrix(ex ring.Vec, t mpc.Table, s int) ring.Vec {
	n, k := ex.Len()>>s, ex.Ring().Words()
	terms := n / t.Groups * len(t.Offsets)
	out := ring.New(ex.Ring(), t.Groups*t.Cells*terms)
	to, from := out.Words(), ex.Words()
	eachPlacement(n, t, s, func(i, g, term, c, v int) {
		at := ((g*t.Cells+c)*terms + term) * k
		copy(to[at:at+k], from[(i<<s+v)*k:])
	})
	return out
}

// placeRows returns, for each table and term, the rows of P to be subtracted from each row of the result:
// entry (Δ − v) mod 2^s of the term's dealt rows.
func placeRows(dst, placed ring.Vec, at []uint64, t mpc.Table, s int) {
	size, row := 1<<s, t.Columns*dst.Ring().Words()
	terms, offsets := len(at)/t.Groups*len(t.Offsets), len(t.Offsets)
	to, from := dst.Words(), placed.Words()
	eachPlacement(len(at), t, s, func(i, g, term, c, v int) {
		u := (int(at[i]) - v) & (size - 1)
		d := ((g*terms+term)*t.Cells + c) * row
		copy(to[d:d+row], from[((i*size+u)*offsets+term%offsets)*row:])
	})
}
