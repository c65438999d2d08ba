package cheetah

import (
	"fmt"
	"sync"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/pair"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// encrypted is one party's part of a bilinear map done by homomorphic encryption: the other party's weights times this
// party's vector, or the other way round.
type encrypted struct {
	*layout
	p        *Party
	op       *flow.Op
	uploader int // the party whose operand is encrypted
	ring     ring.Ring
	out      int
	seed     he.Seed // of the polynomials that both parties expand
	blocked  [][]int
}

// weightBits is the number of bits of the magnitudes of a party's share of x: of the vector if it knows it.
func weightBits(x *share) int {
	if shortened(x) {
		return max(x.bound, 0)
	}
	return x.ring.Bits - 1
}

// transferBytes is what crossMatrices sends for a contraction, offline transfers included.
func transferBytes(m matrices, x, y *share) int {
	terms := m.batch * m.rows * m.inner * m.columns
	cost := func(planes, transfers int) (bits int) {
		for i := range planes {
			bits += (x.ring.Bits-i)*terms + transfers*(1+ot.BatchBytes(8))
		}
		return bits
	}
	return min(cost(planes(y), m.batch*m.inner*m.columns), cost(planes(x), m.batch*m.rows*m.inner)) / 8
}

// planned holds layouts that were planned: parties of one process, dry runs and runs ask for the same.
var planned = layouts{list: map[string]*planning{}}

// layouts holds layouts, which are not changed, by what they were planned for.
type layouts struct {
	mu   sync.Mutex
	list map[string]*planning
}

// planning is a layout that one of several goroutines plans.
type planning struct {
	once   sync.Once
	layout *layout
}

// mostLayouts bounds the number of layouts that are held.
const mostLayouts = 1 << 10

// layout returns the layout for key, which plan makes.
func (s *layouts) layout(key string, plan func() *layout) *layout {
	s.mu.Lock()
	x := s.list[key]
	if x == nil {
		if len(s.list) >= mostLayouts {
			clear(s.list)
		}
		x = &planning{}
		s.list[key] = x
	}
	s.mu.Unlock()
	x.once.Do(func() { x.layout = plan() })
	return x.layout
}

// cheapest returns the layout with which b(x, y), x of the party of the given rank and y of the other one, is computed
// by encryption, and the party that encrypts; nil if oblivious transfers send less. Keys are divided by the number of
// contractions in the program, which are taken to share them.
func (p *Party) cheapest(b maps.Bilinear, rank int, x, y *share, slack int) (*layout, int) {
	best, uploader, sharing := (*layout)(nil), 0, max(2, p.contractions)
	least := 0
	for _, right := range []bool{false, true} {
		l := linearOf(b, right)
		if l == nil {
			continue
		}
		who, other := rank, y
		if right {
			who, other = 1-rank, x
		}
		key := fmt.Sprintf("%T %+v %t %d %d %d %d", b, b, right, x.ring.Bits, slack, weightBits(other), sharing)
		made := planned.layout(key, func() *layout { return l.plan(x.ring.Bits, slack, weightBits(other), sharing) })
		if made == nil {
			continue
		}
		// the party that encrypts is the lower rank if both cost the same, so that one party's keys serve both halves
		// of a product of two secrets
		t := made.traffic()
		if cost := t.upload + t.answer + t.keys/sharing; best == nil || cost < least || cost == least && who < uploader {
			best, uploader, least = made, who, cost
		}
	}
	if best == nil || transferBytes(contraction(b), x, y) <= least {
		return nil, 0
	}
	return best, uploader
}

// crossEncrypted is crossMatrices by encryption.
func (p *Party) crossEncrypted(op *flow.Op, l *layout, uploader, out int, x, y *flow.Future[ring.Vec], r ring.Ring) *flow.Future[ring.Vec] {
	id := op.Next()
	e := &encrypted{layout: l, p: p, op: op, uploader: uploader, ring: r, out: out, blocked: l.blocks()}
	e.seed = he.Derive(he.Seed(p.common), "contraction", id)
	if p.demand != nil && op.Graph.DryRun() {
		sizes := pair.KeySizes{Public: l.sizes.Public, Switch: l.sizes.Switch, Orders: he.Keys(l.outputs, l.giants)}
		p.demand.AddKeys(pair.KeyRequest{Owner: uploader, Set: l.set}, sizes)
	}
	if p.rank == uploader {
		return e.upload(x)
	}
	return e.answer(y)
}

// A ciphertext's seed, and a response's, have their own numbers.
const (
	cipherSeed = iota
	responseSeed
)

// seedOf is the seed of a ciphertext or response of a block.
func (e *encrypted) seedOf(kind, block, i int) he.Seed {
	return he.Derive(e.seed, "polynomial", uint64(kind), uint64(block), uint64(i))
}

// answerBytes is the length of a response.
func (e *encrypted) answerBytes() int { return he.Bytes(he.Sets[e.set].N, e.sizes.Answer) }

// polynomialStream is the work of a transform and what goes with it, in bytes of pseudo-random streams that take as long.
const polynomialStream = 1 << 20

// upload is the side of the party whose operand x is encrypted.
func (e *encrypted) upload(x *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
	op, t, dry := e.op, e.traffic(), e.op.Graph.DryRun()
	asked := flow.Do(op, int64(t.upload), func() []byte {
		op.Spend(flow.Stream, int64(len(e.blocked)*e.chunks())*3*polynomialStream)
		if dry {
			return nil
		}
		key := e.p.material.Secret(e.set)
		return e.parts(len(e.blocked)*e.chunks(), func(i int) []byte {
			block, chunk := i/e.chunks(), i%e.chunks()
			at, from := e.sent(e.blocked[block], chunk)
			words := gathered(x.Get(), from)
			return key.Encrypt(e.seedOf(cipherSeed, block, chunk), he.Draw(e.p.random), at, words, e.ring.Bits, e.sizes.Upload)
		})
	}, x)
	sent := flow.Exchange(op, 0, flow.ExchangeSpec{To: []int{e.p.peer()}, Rounds: 1, Pack: func() ring.Payload {
		return ring.Payload{Len: t.upload, Data: asked.Get()}
	}}, func([]ring.Payload) (struct{}, error) { return struct{}{}, nil }, asked)
	from := flow.ExchangeSpec{From: []int{e.p.peer()}, Size: t.answer}
	return flow.Exchange(op, bytes(e.ring, e.out), from, func(in []ring.Payload) (ring.Vec, error) {
		op.Spend(flow.Stream, int64(len(e.blocked)*e.answers())*3*polynomialStream)
		if dry {
			return ring.ShapeOnly(e.ring, e.out), nil
		}
		key, each := e.p.material.Secret(e.set), e.answerBytes()
		out := ring.New(e.ring, e.out)
		errs := make([]error, len(e.blocked)*e.answers())
		ring.Parallel(len(errs), 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				block, answer := i/e.answers(), i%e.answers()
				at, to := e.wanted(e.blocked[block], answer)
				var words []uint64
				seed, message := e.seedOf(responseSeed, block, answer), in[0].Data[i*each:(i+1)*each]
				words, errs[i] = key.Finish(seed, at, e.ring.Bits, e.sizes.Answer, message)
				scatter(out, to, words)
			}
		})
		for _, err := range errs {
			if err != nil {
				return out, fmt.Errorf("response of party %d: %w", e.p.peer(), err)
			}
		}
		return out, nil
	}, sent)
}

// parts calls f for n numbers on all processors, and joins what it returns.
func (e *encrypted) parts(n int, f func(i int) []byte) []byte {
	list := make([][]byte, n)
	ring.Parallel(n, 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			list[i] = f(i)
		}
	})
	var out []byte
	for _, b := range list {
		out = append(out, b...)
	}
	return out
}

// weights returns the weights of y for each response of a block, by ciphertext; all blocks have the same.
func (e *encrypted) weights(y ring.Vec) [][]*he.Weights {
	c, out := he.Of(e.set), make([][]*he.Weights, e.answers())
	numbers := c.Numbers(y.Words(), e.ring.Bits, e.need.Weight, e.outputs)
	for i := range out {
		lo, hi := e.inputs(i)
		for chunk := lo; chunk < hi; chunk++ {
			p := &he.Plain{Numbers: numbers}
			p.From, p.Runs = e.plain(i, chunk)
			out[i] = append(out[i], c.Weights(p, e.giants))
		}
	}
	return out
}

// answer is the side of the party that multiplies by its operand y.
func (e *encrypted) answer(y *flow.Future[ring.Vec]) *flow.Future[ring.Vec] {
	op, t, dry := e.op, e.traffic(), e.op.Graph.DryRun()
	from := flow.ExchangeSpec{From: []int{e.p.peer()}, Size: t.upload}
	got := flow.Exchange(op, int64(t.upload), from, func(in []ring.Payload) ([]byte, error) {
		return in[0].Data, nil
	})
	type answered struct {
		message []byte
		share   ring.Vec
	}
	out := flow.Try(op, int64(t.answer), func() (a answered, err error) {
		work := len(e.blocked) * (e.answers()*e.outputs*e.need.Inputs + 4*(e.answers()+e.chunks())*he.Switches(e.outputs, e.giants))
		op.Spend(flow.Stream, int64(work)*polynomialStream)
		if dry {
			return answered{nil, ring.ShapeOnly(e.ring, e.out)}, nil
		}
		a.share = ring.New(e.ring, e.out)
		defer he.Together()()
		c, peer := he.Of(e.set), e.p.material.Peer(e.set)
		list, at := e.weights(y.Get()), 0
		for block := range e.blocked {
			inputs := make([]*he.Input, e.chunks())
			for chunk := range inputs {
				places, from := e.sent(e.blocked[block], chunk)
				size := he.Bytes(len(from), e.sizes.Upload)
				x, err := c.ReadCipher(e.seedOf(cipherSeed, block, chunk), places, e.sizes.Upload, got.Get()[at:at+size])
				if err != nil {
					return a, fmt.Errorf("ciphertext of party %d: %w", e.uploader, err)
				}
				at += size
				inputs[chunk] = c.Input(x, e.outputs, e.giants, peer.Switch)
				x.Free()
			}
			for i := range e.answers() {
				lo, hi := e.inputs(i)
				sum := c.Combine(inputs[lo:hi], list[i], e.outputs, e.giants, peer.Switch)
				wanted, to := e.wanted(e.blocked[block], i)
				seed, random := e.seedOf(responseSeed, block, i), he.Draw(e.p.random)
				words, message := peer.Public.Respond(sum, seed, random, wanted, e.ring.Bits, e.sizes.Answer)
				sum.Free()
				scatter(a.share, to, words)
				a.message = append(a.message, message...)
			}
			for _, x := range inputs {
				x.Free()
			}
		}
		for _, l := range list {
			for _, w := range l {
				w.Free()
			}
		}
		return a, nil
	}, got, y)
	return flow.Exchange(op, bytes(e.ring, e.out), flow.ExchangeSpec{To: []int{e.p.peer()}, Rounds: 1, Pack: func() ring.Payload {
		return ring.Payload{Len: t.answer, Data: out.Get().message}
	}}, func([]ring.Payload) (ring.Vec, error) { return out.Get().share, nil }, out)
}

// gathered returns the words of the elements of v at the places of a list, zeros for tensor.Fill.
func gathered(v ring.Vec, list []int32) []uint64 {
	each, from := v.Ring().Words(), v.Words()
	out := make([]uint64, len(list)*each)
	for i, at := range list {
		if at != tensor.Fill {
			copy(out[i*each:(i+1)*each], from[int(at)*each:(int(at)+1)*each])
		}
	}
	return out
}

// scatter writes elements, given by their words, to places of v.
func scatter(v ring.Vec, list []int32, words []uint64) {
	each, to := v.Ring().Words(), v.Words()
	for i, at := range list {
		copy(to[int(at)*each:(int(at)+1)*each], words[i*each:(i+1)*each])
	}
}
