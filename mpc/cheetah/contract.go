package cheetah

import (
	"fmt"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// matrices is a contraction as batch products of rows×inner with inner×columns matrices: lists say which element of the
// left and right operand stands at each place of them (tensor.Fill: zero), and which element of the products is each
// element of the result. A nil list is the identity.
type matrices struct {
	batch, rows, inner, columns int
	left, right, out            func() []int32
}

// contraction returns a bilinear map as matrices.
func contraction(b maps.Bilinear) matrices {
	switch b := b.(type) {
	case maps.MatMul:
		return matrices{batch: b.Batch, rows: b.M, inner: b.K, columns: b.N}
	case maps.Conv:
		return convolution(b.Conv)
	}
	panic(fmt.Sprintf("cheetah: no product %T", b))
}

// convolution has a batch for each group, a row for each window, a column for each output channel of the group.
func convolution(c ring.Conv) matrices {
	in, kernel, out := tensor.Shape(c.In).Size(), tensor.Shape(c.Kernel).Size(), tensor.Shape(c.Out).Size()
	inEach, outEach := c.InChannels/c.Groups, c.OutChannels/c.Groups
	m := matrices{batch: c.Groups, rows: c.Batch * out, inner: kernel * inEach, columns: outEach}
	m.left = func() []int32 {
		at := c.Taps()
		list := make([]int32, 0, m.batch*m.rows*m.inner)
		for g := range c.Groups {
			for image := range c.Batch {
				for _, position := range at {
					for ch := range inEach {
						if position < 0 {
							list = append(list, tensor.Fill)
							continue
						}
						list = append(list, int32((image*in+int(position))*c.InChannels+g*inEach+ch))
					}
				}
			}
		}
		return list
	}
	m.right = func() []int32 {
		list := make([]int32, 0, m.batch*m.inner*m.columns)
		for g := range c.Groups {
			for i := range m.inner {
				for o := range outEach {
					list = append(list, int32(i*c.OutChannels+g*outEach+o))
				}
			}
		}
		return list
	}
	m.out = func() []int32 {
		list := make([]int32, 0, m.rows*c.OutChannels)
		for row := range m.rows {
			for o := range c.OutChannels {
				g := o / outEach
				list = append(list, int32((g*m.rows+row)*outEach+o%outEach))
			}
		}
		return list
	}
	return m
}

// listed returns the elements of v at the positions of a list, with zeros for tensor.Fill; v itself if list is nil.
func listed(v ring.Vec, list func() []int32) ring.Vec {
	if list == nil {
		return v
	}
	index := list()
	out := ring.New(v.Ring(), len(index))
	words, from, each := out.Words(), v.Words(), v.Ring().Words()
	for i, at := range index {
		if at != tensor.Fill {
			copy(words[i*each:(i+1)*each], from[int(at)*each:(int(at)+1)*each])
		}
	}
	return out
}

// transposedList lists the elements of batch rows×columns matrices column by column.
func transposedList(batch, rows, columns int) []int32 {
	out := make([]int32, 0, batch*rows*columns)
	for b := range batch {
		for c := range columns {
			for r := range rows {
				out = append(out, int32((b*rows+r)*columns+c))
			}
		}
	}
	return out
}

// crossMatrices is this party's share of the products of the left operand's share at the party of the given rank with
// the right operand's share at the other one. The party whose bits take fewer transfers is the receiver; if that is the
// one with the right operand, the matrices are transposed.
func (p *Party) crossMatrices(op *flow.Op, m matrices, rank int, x, y *share) *flow.Future[ring.Vec] {
	r, terms := x.ring, m.batch*m.rows*m.inner*m.columns
	cost := func(planes, transfers int) (bits int) {
		for i := range planes {
			bits += (r.Bits-i)*terms + transfers*(1+ot.BatchBytes(8))
		}
		return bits
	}
	left := local(op, r, m.batch*m.rows*m.inner, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, listed(src[0], m.left)) }, x.mine())
	right := local(op, r, m.batch*m.inner*m.columns, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, listed(src[0], m.right)) }, y.mine())
	a, b, signs, rows, columns := left, right, x, m.rows, m.columns
	turned := cost(planes(y), m.batch*m.inner*m.columns) < cost(planes(x), m.batch*m.rows*m.inner)
	turn := func(v *flow.Future[ring.Vec], rows, columns int) *flow.Future[ring.Vec] {
		return local(op, r, m.batch*rows*columns, func(dst ring.Vec, src []ring.Vec) {
			ring.Gather(dst, src[0], transposedList(m.batch, rows, columns))
		}, v)
	}
	if turned {
		a, b, signs, rows, columns = turn(right, m.inner, m.columns), turn(left, m.rows, m.inner), y, m.columns, m.rows
		rank = 1 - rank
	}
	w := &wideCrossing{p: p, op: op, receiver: rank, batch: m.batch, rows: rows, inner: m.inner, columns: columns, ring: r}
	sum := w.run(a, b, signs)
	if turned {
		sum = turn(sum, rows, columns)
	}
	if m.out == nil {
		return sum
	}
	return local(op, r, m.rows*m.columns*m.batch, func(dst ring.Vec, src []ring.Vec) { ring.Low(dst, listed(src[0], m.out)) }, sum)
}

// wideCrossing multiplies a receiver's bits with rows of the sender's matrix. Unlike cross it takes two rounds, so that
// the sender can add up its share while it makes its messages: with m_δ and m_(1−δ) the strings in the order that the
// receiver's bits give them, the sender sends e = d − (m_(1−δ) − m_δ) and keeps −m_δ; the receiver has c·e + m_b.
type wideCrossing struct {
	p                           *Party
	op                          *flow.Op
	receiver                    int
	batch, rows, inner, columns int
	ring                        ring.Ring
}

// transfers is the number of transfers of a plane of bits.
func (w *wideCrossing) transfers() int { return w.batch * w.rows * w.inner }

// products is the number of products of a plane.
func (w *wideCrossing) products() int { return w.transfers() * w.columns }

// results is the number of elements of the result.
func (w *wideCrossing) results() int { return w.batch * w.rows * w.columns }

// run is this party's share of a·b, a the receiver's and b the sender's matrices. signs is the vector whose planes the
// receiver's bits are.
func (w *wideCrossing) run(a, b *flow.Future[ring.Vec], signs *share) *flow.Future[ring.Vec] {
	p, op, bits := w.p, w.op, planes(signs)
	ids := make([]uint64, bits)
	for i := range ids {
		ids[i] = op.Next()
		if op.Graph.DryRun() {
			p.demand.Add(pair.Request{ID: ids[i], Receiver: w.receiver, N: w.transfers()})
		}
	}
	if op.Graph.DryRun() {
		op.Offline(int64(ot.BatchBytes(bits * w.transfers())))
	}
	var sums []*flow.Future[ring.Vec]
	if p.rank == w.receiver {
		sums = w.receive(a, ids)
	} else {
		sums = w.send(b, ids)
	}
	return local(op, w.ring, w.results(), func(dst ring.Vec, src []ring.Vec) {
		for i, v := range src {
			ring.AddShifted(dst, v, i, negative(signs, i))
		}
	}, sums...)
}

// hold is the memory of a plane's products.
func (w *wideCrossing) hold(r ring.Ring) int64 { return bytes(r, w.products()) }

// spend books the work of a plane's strings.
func (w *wideCrossing) spend(strings int) {
	w.op.Spend(flow.Stream, int64(strings)*int64(w.transfers())*int64(hashStream/4+w.columns*w.ring.Words()*hashStream/8))
}

// summed adds up products over the inner dimension.
func (w *wideCrossing) summed(v ring.Vec) ring.Vec {
	out := ring.New(v.Ring(), w.results())
	maps.Sum{Outer: w.batch * w.rows, Reduced: w.inner, Inner: w.columns}.Apply(out, v)
	return out
}

// receive is the receiver's side: a share for each plane.
func (w *wideCrossing) receive(a *flow.Future[ring.Vec], ids []uint64) []*flow.Future[ring.Vec] {
	p, op, n := w.p, w.op, w.transfers()
	taken := flow.Try(op, int64(len(ids)*n)*ot.BlockBytes, func() ([]*ot.Received, error) {
		if op.Graph.DryRun() {
			return nil, nil
		}
		out := make([]*ot.Received, len(ids))
		var err error
		for i, id := range ids {
			if out[i], err = p.material.Received(id, n); err != nil {
				return nil, err
			}
		}
		return out, nil
	}, a)
	asked := flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{p.peer()}, Rounds: 1, Pack: func() ring.Payload {
		var out ring.Writer
		for i := range ids {
			d := ring.ShapeOnlyBits(n)
			if !op.Graph.DryRun() {
				d = ring.NewBits(n)
				ring.Xor(d, ring.Bit(a.Get(), i), taken.Get()[i].Choices)
			}
			out.Bits(d)
		}
		return out.Payload()
	}}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, a, taken)
	var sums []*flow.Future[ring.Vec]
	for i := range ids {
		r := ring.Z(w.ring.Bits - i)
		sums = append(sums, flow.Exchange(op, w.hold(r), flow.ExchangeSpec{From: []int{p.peer()}, Size: (w.products()*r.Bits + 7) / 8},
			func(in []ring.Payload) (ring.Vec, error) {
				w.spend(1)
				rd := ring.NewReader(in[0])
				e := rd.Vec(r, w.products())
				if err := rd.Close(); err != nil || op.Graph.DryRun() {
					return ring.ShapeOnly(r, w.results()), err
				}
				t := taken.Get()[i]
				w.keepRows(e, ring.Bit(a.Get(), i))
				ring.Add(e, e, ring.FromWords(r, t.Words(0, n, 0, w.columns*r.Words())))
				return w.summed(e), nil
			}, asked, taken, a))
	}
	return sums
}

// keepRows sets rows of columns elements to zero where a bit is 0. Its time does not depend on the bits.
func (w *wideCrossing) keepRows(v ring.Vec, b ring.Bits) {
	words, each, bits := v.Words(), v.Ring().Words()*w.columns, b.Words()
	for i := range b.Len() {
		mask := -(bits[i/64] >> (i % 64) & 1)
		for j := i * each; j < (i+1)*each; j++ {
			words[j] &= mask
		}
	}
}

// send is the sender's side: a share for each plane.
func (w *wideCrossing) send(b *flow.Future[ring.Vec], ids []uint64) []*flow.Future[ring.Vec] {
	p, op, n := w.p, w.op, w.transfers()
	asked := flow.Exchange(op, int64(n*len(ids)/8), flow.ExchangeSpec{From: []int{p.peer()}, Size: (n*len(ids) + 7) / 8},
		func(in []ring.Payload) ([]ring.Bits, error) {
			rd, out := ring.NewReader(in[0]), make([]ring.Bits, len(ids))
			for i := range out {
				out[i] = rd.Bits(n)
			}
			return out, rd.Close()
		}, b)
	type made struct{ e, sum ring.Vec }
	var sums []*flow.Future[ring.Vec]
	for i, id := range ids {
		r := ring.Z(w.ring.Bits - i)
		plane := flow.Try(op, w.hold(r), func() (made, error) {
			w.spend(2)
			if op.Graph.DryRun() {
				return made{ring.ShapeOnly(r, w.products()), ring.ShapeOnly(r, w.results())}, nil
			}
			t, err := p.material.Sent(id, n)
			if err != nil {
				return made{}, err
			}
			each := w.columns * r.Words()
			zero, one := t.Words(0, n, 0, each)
			swapRows(zero, one, asked.Get()[i], each)
			kept, e := ring.FromWords(r, zero), ring.FromWords(r, one)
			ring.Sub(e, kept, e)
			ring.Add(e, e, w.repeated(b.Get(), r))
			sum := w.summed(kept)
			ring.Neg(sum, sum)
			return made{e, sum}, nil
		}, asked, b)
		sums = append(sums, flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{p.peer()}, Rounds: 1, Pack: func() ring.Payload {
			var out ring.Writer
			out.Vec(plane.Get().e)
			return out.Payload()
		}}, func([]ring.Payload) (ring.Vec, error) { return plane.Get().sum, nil }, plane))
	}
	return sums
}

// swapRows exchanges rows of the two strings where a bit is 1.
func swapRows(zero, one []uint64, b ring.Bits, each int) {
	bits := b.Words()
	for i := range b.Len() {
		mask := -(bits[i/64] >> (i % 64) & 1)
		for j := i * each; j < (i+1)*each; j++ {
			d := (zero[j] ^ one[j]) & mask
			zero[j], one[j] = zero[j]^d, one[j]^d
		}
	}
}

// repeated has for each transfer the row of the sender's matrix that its bit is multiplied with, modulo r.
func (w *wideCrossing) repeated(b ring.Vec, r ring.Ring) ring.Vec {
	low, out := ring.New(r, b.Len()), ring.New(r, w.products())
	ring.Low(low, b)
	block := w.inner * w.columns
	for g := range w.batch * w.rows {
		from := g / w.rows * block
		ring.Low(out.Slice(g*block, (g+1)*block), low.Slice(from, from+block))
	}
	return out
}
