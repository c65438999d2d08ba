package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// SymbolicProduct implements mpc.Symbolic (docs/protocols/arithmetic.md#products). For a polynomial y = Σ c_t·μ_t in masks and
// x = Δ − λ, element (a, j) of the product is
//
//	Σ_i Δ[a,i]·[y[i,j]] − Σ_i Σ_t c_t[i,j]·[λ[a,i]·μ_t[i,j]],
//
// where [·] is this party's share. The monomials λ·μ_t are dealt, one number for each a, i and j. Sums are made block by block,
// so that neither the products nor repetitions of Δ and λ take memory.
func (p *Party) SymbolicProduct(op *flow.Op, x, y mpc.Secret, d mpc.SymbolicDims, bound int) mpc.Secret {
	v, s := p.share(x), p.share(y)
	if v.masked == nil || v.public() || s.masked != nil || s.poly == nil || s.ring != v.ring || len(s.poly.terms) > maxTerms/2 ||
		d.Rows > 1 && s.poly.ofPlanes() {
		return nil
	}
	t := &symbolicProduct{p: p, SymbolicDims: d, ring: v.ring, x: v.masked, y: p.additive(op, s)}
	ds, seen := v.masked.deps([]flow.Dep{t.y}), coefSet{}
	repeated := p.repetition(op, v.masked, d)
	for _, term := range s.poly.terms {
		switch ds = term.c.deps(ds, &seen); {
		case term.c.isConst(0):
		case len(term.m) == 0:
			t.free = term.c
		default:
			q := repeated(term.m).request(correlation.Product, v.ring)
			dealt := p.takeStream(op, q)
			t.parts, ds = append(t.parts, polyPart{term.c, shiftedStream{dealt: dealt, by: q.Shift()}}), append(ds, dealt)
		}
	}
	out := d.Rows * d.Columns
	return p.newShare(v.ring, out, bound, flow.Do(op, bytes(v.ring, out), func() ring.Vec {
		return t.run(newEvaluator(op, v.ring, d.Terms*d.Columns))
	}, ds...))
}

// ofPlanes reports whether a factor is a plane of a mask of bits, of which there are no views.
func (y *poly) ofPlanes() bool {
	for _, t := range y.terms {
		for _, f := range t.m {
			if f.Mask.Kind == correlation.FreshBits {
				return true
			}
		}
	}
	return false
}

// repetition returns the function that multiplies a monomial, of y's masks, by x's mask, element by element of the products:
// x's mask is repeated for each column, y's masks are for each row.
func (p *Party) repetition(op *flow.Op, x *masked, d mpc.SymbolicDims) func(monomial) monomial {
	along, full := 1, tensor.Shape{d.Rows, d.Terms, d.Columns}
	if d.Last {
		along, full = 2, tensor.Shape{d.Rows, d.Columns, d.Terms}
	}
	view := func(m *correlation.Mask, shape tensor.Shape, dims ...int) *correlation.Mask {
		return correlation.NewDerived(op.Next(), m.Ring, maps.NewView(tensor.Broadcast(shape, dims, full), m.N), m)
	}
	lambda := &factor{Factor: correlation.Factor{Mask: view(x.mask, tensor.Shape{d.Rows, d.Terms}, 0, along)}}
	views := map[*correlation.Mask]*correlation.Mask{}
	return func(m monomial) monomial {
		out := monomial{lambda}
		for _, f := range m {
			if d.Rows > 1 {
				if views[f.Mask] == nil {
					views[f.Mask] = view(f.Mask, full[1:], 1, 2)
				}
				g := f.Factor
				g.Mask = views[f.Mask]
				f = &factor{Factor: g}
			}
			out = out.times(monomial{f})
		}
		return out
	}
}

// polyPart is a term of a polynomial: the coefficient, and this party's share of the monomial.
type polyPart struct {
	c *coef
	shiftedStream
}

// symbolicProduct is what a party computes its share of a symbolic product from.
type symbolicProduct struct {
	p *Party
	mpc.SymbolicDims
	ring  ring.Ring
	x     *masked
	y     *flow.Future[ring.Vec] // this party's share
	free  *coef                  // y's coefficient of the monomial 1, or nil
	parts []polyPart             // of y's other terms: the coefficients, and the shares of the monomials times λ
}

// run returns the share. It evaluates coefficients by e.
func (t *symbolicProduct) run(e *evaluator) ring.Vec {
	n, y := t.Terms*t.Columns, t.y.Get()
	at := make([]int, len(t.parts))
	for i, x := range t.parts {
		at[i] = e.add(x.c, n)
	}
	free := -1
	if t.free != nil && !t.x.zeroLambda {
		free = e.add(t.free, n)
		spendProducts(e.op, maps.Elementwise{N: t.Rows * n}, t.ring)
	}
	spendProducts(e.op, maps.Elementwise{N: t.Rows * n * (1 + len(t.parts))}, t.ring)
	out := y.UninitialisedLike(t.ring, t.Rows*t.Columns)
	if out.ShapeOnly() {
		return out
	}
	t.product(out, t.x.delta.Get(), y)
	less := ring.New(t.ring, out.Len()) // Σ_i λ[a,i]·y[i,j], but for the products with free
	var frees ring.Vec
	if free >= 0 {
		frees = ring.NewUninitialised(t.ring, n)
	}
	var rooms streamRooms
	streams := make([]ring.Stream, len(t.parts))
	for i, x := range t.parts {
		streams[i] = x.get()
		rooms.add(streams[i].Ring(), e.block)
	}
	sum := ring.NewUninitialised(t.ring, e.block)
	for lo := 0; lo < n; lo += blockLength {
		hi := min(lo+blockLength, n)
		e.run(lo, hi)
		if free >= 0 {
			copy(frees.Slice(lo, hi).Words(), e.steps[free].val.Words())
		}
		for a := range t.Rows {
			part := sum.Slice(0, hi-lo)
			clear(part.Words())
			for i, x := range t.parts {
				v := streams[i].Part(rooms.of(streams[i].Ring()), a*n+lo, a*n+hi)
				ring.MulAddShifted(part, e.steps[at[i]].val, v, x.by)
			}
			t.addSums(less.Slice(a*t.Columns, (a+1)*t.Columns), part, lo)
		}
	}
	ring.Sub(out, out, less)
	if free >= 0 {
		t.product(less, t.x.lambda.Get(), frees)
		ring.Sub(out, out, less)
		frees.Free()
	}
	less.Free()
	sum.Free()
	rooms.free()
	e.free()
	return out
}

// product sets out to the product of x and y as SymbolicDims says.
func (t *symbolicProduct) product(out, x, y ring.Vec) {
	if !t.Last {
		ring.MatMul(out, x, y, 1, t.Rows, t.Terms, t.Columns)
		return
	}
	for a := range t.Rows {
		row := x.Slice(a*t.Terms, (a+1)*t.Terms)
		ring.MatMul(out.Slice(a*t.Columns, (a+1)*t.Columns), y, row, 1, t.Columns, t.Terms, 1)
	}
}

// addSums adds the elements of y's form from number lo on, of one row, to the sums over i. It overwrites part.
func (t *symbolicProduct) addSums(sums, part ring.Vec, lo int) {
	width := t.Columns
	if t.Last {
		width = t.Terms
	}
	for at, n := 0, part.Len(); at < n; {
		row, from := (lo+at)/width, (lo+at)%width
		rows, cols := 1, min(width-from, n-at) // the part of one row, or whole rows
		if cols == width {
			rows = (n - at) / width
		}
		if of := part.Slice(at, at+rows*cols); t.Last {
			addRowSums(sums.Slice(row, row+rows), of, cols)
		} else {
			for rows > 1 { // the second half of the rows to the first
				half := rows / 2
				to := of.Slice(0, half*cols)
				ring.Add(to, to, of.Slice((rows-half)*cols, rows*cols))
				rows -= half
			}
			to := sums.Slice(from, from+cols)
			ring.Add(to, to, of.Slice(0, cols))
			rows = of.Len() / cols
		}
		at += rows * cols
	}
}

// addRowSums adds to each element of sums a row of width elements of v.
func addRowSums(sums, v ring.Vec, width int) {
	m := maps.Sum{Outer: sums.Len(), Reduced: width, Inner: 1}
	room := ring.NewUninitialised(sums.Ring(), m.Out())
	m.Apply(room, v)
	ring.Add(sums, sums, room)
	room.Free()
}
