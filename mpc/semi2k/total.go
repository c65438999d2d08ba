package semi2k

import (
	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/ring"
)

// addend is one party's summand in an opening: n numbers of a ring, in vec, or n bits, in bits, which are
// added by XOR.
type addend struct {
	ring ring.Ring // Z_2 for bits
	n    int
	xor  bool
	// sum is the ring of the sum, wider than ring if carries count.
	sum  ring.Ring
	vec  ring.Vec
	bits ring.Bits
}

// vecAddend are n numbers of a ring.
func vecAddend(r ring.Ring, n int) addend { return addend{ring: r, n: n, sum: r} }

// bitsAddend are n bits.
func bitsAddend(n int) addend { return addend{ring: ring.Z(1), n: n, xor: true, sum: ring.Z(1)} }

// span is the range of elements that party i of n adds up. For bits it starts at a multiple of 64.
func (a addend) span(i, n int) (lo, hi int) {
	if !a.xor {
		return a.n * i / n, a.n * (i + 1) / n
	}
	words := (a.n + 63) / 64
	return min(a.n, words*i/n*64), min(a.n, words*(i+1)/n*64)
}

// write appends elements lo … hi−1.
func (a addend) write(w *ring.Writer, lo, hi int) {
	if a.xor {
		w.Bits(a.bits.Slice(lo, hi))
		return
	}
	w.Vec(a.vec.Slice(lo, hi))
}

// widened is the addend in the ring of its sum.
func (a addend) widened() addend {
	if a.sum != a.ring {
		wide := a.vec.UninitialisedLike(a.sum, a.n)
		ring.Low(wide, a.vec)
		a.vec = wide
	}
	a.ring = a.sum
	return a
}

// add reads elements lo … hi−1, written in ring r, and adds them to a widened addend, or overwrites its
// elements if put.
func (a addend) add(rd *ring.Reader, r ring.Ring, lo, hi int, put bool) {
	if a.xor {
		v, to := rd.Bits(hi-lo), a.bits.Slice(lo, hi)
		switch {
		case v.ShapeOnly():
		case put:
			copy(to.Words(), v.Words())
		default:
			ring.Xor(to, to, v)
		}
		v.Free()
		return
	}
	v, to := rd.Stream(r, hi-lo), a.vec.Slice(lo, hi)
	switch {
	case put && !v.ShapeOnly():
		v.Read(to, 0)
	case r == a.ring:
		ring.AddStream(to, v)
	case !v.ShapeOnly():
		narrow, wide := ring.NewUninitialised(r, hi-lo), ring.NewUninitialised(a.ring, hi-lo)
		ring.Low(wide, v.Part(narrow, 0, hi-lo))
		ring.Add(to, to, wide)
		narrow.Free()
		wide.Free()
	}
}

// openSum opens what all parties' addends come to, all in one message to each
// other party. mine gives this party's, of the given kinds.
//
// From Config.Scatter bytes on it takes two messages: every party adds up a
// part of its own, of which it gets all others' addends, and sends the sum to
// all. A party then sends 2(n−1)/n times the message instead of n−1 times. It
// sees no more than when all send everything to all: of the parts of others
// the sum alone.
func (p *Party) openSum(op *flow.Op, hold int64, kinds []addend, mine func() []addend, ds ...flow.Dep) *flow.Future[[]addend] {
	size := 0
	for _, k := range kinds {
		size += k.n * k.ring.Bits
	}
	size = (size + 7) / 8
	if p.scatter > 0 && size >= p.scatter {
		return p.allGather(op, kinds, p.reduceScatter(op, hold, kinds, mine, ds...))
	}
	var sums []addend
	return flow.Exchange(op, hold, flow.ExchangeSpec{
		To: p.others, From: p.others, Size: size,
		Pack: func() ring.Payload {
			w := writerOf(op, size)
			sums = mine()
			op.Spend(flow.Bytes, hold) // the summands, in whose memory the sum is made
			spendPacked(op, kinds)
			for i, a := range sums {
				a.write(&w, 0, a.n)
				sums[i] = a.widened()
			}
			return w.Payload()
		},
	}, func(in []ring.Payload) ([]addend, error) {
		op.Spend(flow.Bytes, -hold)
		for _, m := range in {
			spendPacked(op, kinds)
			rd := ring.NewReader(m)
			for i, a := range sums {
				a.add(rd, kinds[i].ring, 0, a.n, false)
			}
			if err := rd.Close(); err != nil {
				return nil, err
			}
		}
		return sums, nil
	}, ds...)
}

// spendPacked adds to op's work that vectors of these kinds are written to a message, or read from one. Elements that lie in memory as they
// are sent, such as words and packed bits, are copied.
func spendPacked(op *flow.Op, kinds []addend) {
	for _, k := range kinds {
		if !k.xor && k.ring.Bits%64 != 0 {
			op.Spend(flow.Packed, int64(k.n*k.ring.Words()))
		}
	}
}

// writerOf returns a writer for a message of size bytes; in a dry run a message has a size only.
func writerOf(op *flow.Op, size int) (w ring.Writer) {
	if !op.Graph.DryRun() {
		w.Grow(8 * size)
	}
	return w
}

// reduceScatter gives every party the sum of its span.
func (p *Party) reduceScatter(op *flow.Op, hold int64, kinds []addend, mine func() []addend, ds ...flow.Dep) *flow.Future[[]addend] {
	rank := min(p.rank, p.n-1) // who does not compute walks along without weight
	size := p.spanBytes(kinds, rank, false)
	var parts []addend // this party's; then the sums
	return flow.Exchange(op, hold, flow.ExchangeSpec{
		To: p.others, From: p.others, Size: size,
		PackFor: func(to int) ring.Payload {
			if parts == nil {
				parts = mine()
			}
			w := writerOf(op, p.spanBytes(kinds, to, false))
			for _, a := range parts {
				lo, hi := a.span(to, p.n)
				a.write(&w, lo, hi)
			}
			return w.Payload()
		},
	}, func(in []ring.Payload) ([]addend, error) {
		for i, a := range parts {
			parts[i] = a.widened()
		}
		for _, m := range in {
			rd := ring.NewReader(m)
			for i, a := range parts {
				lo, hi := a.span(rank, p.n)
				a.add(rd, kinds[i].ring, lo, hi, false)
			}
			if err := rd.Close(); err != nil {
				return nil, err
			}
		}
		return parts, nil
	}, ds...)
}

// allGather gives every party all sums.
func (p *Party) allGather(op *flow.Op, kinds []addend, sums *flow.Future[[]addend]) *flow.Future[[]addend] {
	sizes := make([]int, len(p.others))
	for i, from := range p.others {
		sizes[i] = p.spanBytes(kinds, from, true)
	}
	return flow.Exchange(op, 0, flow.ExchangeSpec{
		To: p.others, From: p.others, Sizes: sizes,
		Pack: func() ring.Payload {
			w := writerOf(op, p.spanBytes(kinds, min(p.rank, p.n-1), true))
			for _, a := range sums.Get() {
				lo, hi := a.span(min(p.rank, p.n-1), p.n)
				a.write(&w, lo, hi)
			}
			return w.Payload()
		},
	}, func(in []ring.Payload) ([]addend, error) {
		for i, m := range in {
			rd := ring.NewReader(m)
			for _, a := range sums.Get() {
				lo, hi := a.span(p.others[i], p.n)
				a.add(rd, a.ring, lo, hi, true)
			}
			if err := rd.Close(); err != nil {
				return nil, err
			}
		}
		return sums.Get(), nil
	}, sums)
}

// spanBytes is the length of a message that holds the span of one party, of addends or, if sums, of their
// sums.
func (p *Party) spanBytes(kinds []addend, rank int, sums bool) int {
	bits := 0
	for _, k := range kinds {
		lo, hi := k.span(rank, p.n)
		if sums {
			bits += (hi - lo) * k.sum.Bits
		} else {
			bits += (hi - lo) * k.ring.Bits
		}
	}
	return (bits + 7) / 8
}
