package semi2k

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// message is one payload that a party sends online.
type message struct {
	from int
	key  link.Key
	data []byte
}

// transcript runs a trial and collects what every party sends.
func (tr trial) transcript(t *testing.T) []message {
	var mu sync.Mutex
	var out []message
	tr.spy = func(from int, k link.Key, data []byte) {
		mu.Lock()
		out = append(out, message{from, k, slices.Clone(data)})
		mu.Unlock()
	}
	tr.run(t)
	slices.SortFunc(out, func(a, b message) int {
		return 1000*(int(a.key.Step)-int(b.key.Step)) + a.from - b.from
	})
	return out
}

// exposure is an operation whose openings are examined: the operands for a
// fixed value x in all elements, and what each step opens: vectors of so many
// bits an element ("v46"), or so many bit vectors ("b7").
type exposure struct {
	name  string
	in    func(x int64, n int) []operand
	build func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret
	steps func(parties int) [][]int // of each step the widths of its vectors
}

func constantOperand(r ring.Ring, x int64, n, bound int, isMasked bool) operand {
	ints := make([]int64, n)
	for i := range ints {
		ints[i] = x
	}
	return operand{v: ring.FromInts(r, ints), bound: bound, masked: isMasked}
}

func bitsOf(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = 1
	}
	return out
}

var exposures = []exposure{
	{
		name:  "less",
		in:    func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(64), x, n, 15, true)} },
		build: negative,
		steps: func(int) [][]int { return [][]int{nil, nil, bitsOf(1)} },
	},
	{
		name: "relu of a product",
		in:   func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(64), x<<8, n, 22, false)} },
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			y := p.Relu(op, in[0].Ring(), p.TruncateReduce(op, in[0], 8))
			p.open(op, y.(*share))
			return single(y)
		},
		steps: func(int) [][]int { return [][]int{{17}, nil, nil, {1}, {64}} }, // rounded, a number below 2^14 can be 2^14
	},
	{
		name:  "truncate",
		in:    func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(64), x, n, 62, false)} },
		build: truncate(8),
		steps: func(parties int) [][]int { return [][]int{{wrapBits(parties)}} },
	},
	{
		name: "max of three closed",
		in: func(x int64, n int) []operand {
			return []operand{
				constantOperand(ring.Z(64), x, n, 16, false),
				constantOperand(ring.Z(64), x-5, n, 16, false),
				constantOperand(ring.Z(64), 77, n, 16, false),
			}
		},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Max(op, in[0].Ring(), in...))
		},
		steps: func(int) [][]int { return [][]int{{19, 19}, nil, nil, bitsOf(3)} },
	},
	{
		name: "product of closed",
		in: func(x int64, n int) []operand {
			return []operand{constantOperand(ring.Z(64), x, n, 20, false), constantOperand(ring.Z(64), 3, n, 20, false)}
		},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Product(op, in[0].Ring(), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0))
		},
		steps: func(int) [][]int { return [][]int{{22, 22}} },
	},
	{
		name:  "equal",
		in:    func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(64), x, n, 15, true)} },
		build: equalZero(16).build,
		steps: func(int) [][]int { return [][]int{{4}, {1}} },
	},
	{
		name: "below",
		in: func(x int64, n int) []operand {
			return []operand{constantOperand(ring.Z(16), x, n, 16, true), constantOperand(ring.Z(16), 77, n, 16, true)}
		},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(masking(p, op, p.LessFullRange(op, in[0], in[1], true)))
		},
		steps: func(int) [][]int { return [][]int{nil, nil, {1}} },
	},
	{
		name: "bits",
		in:   func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(32), x, n, 32, true)} },
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(masking(p, op, p.BitDecompose(op, in[0])))
		},
		steps: func(int) [][]int { return [][]int{nil, nil, bitsOf(32)} },
	},
	{
		name: "and of bits",
		in: func(x int64, n int) []operand {
			return []operand{
				constantOperand(ring.Z(1), x, n, 1, false),
				constantOperand(ring.Z(1), 1, n, 1, true),
				constantOperand(ring.Z(1), x>>1, n, 1, false),
			}
		},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(masking(p, op, p.And(op, in...)))
		},
		steps: func(int) [][]int { return [][]int{bitsOf(2), {1}} },
	},
	{
		name: "floor",
		in:   func(x int64, n int) []operand { return []operand{constantOperand(ring.Z(32), x, n, 32, true)} },
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Floor(op, ring.Z(32), in[0], 5, true))
		},
		steps: func(int) [][]int { return [][]int{nil, nil, bitsOf(2)} },
	},
}

// TestOpenedUniform looks at what is opened for fixed inputs over many masks:
// every opened bit has mean one half, no two are correlated, and the bytes of
// every party's messages are uniform. Truncation's messages are compared
// party by party: a party's wrap bits are uniform to the others.
func TestOpenedUniform(t *testing.T) {
	t.Parallel()
	if raced {
		t.Skip("tells nothing more with the race detector")
	}
	const elements = 1 << 13
	for _, e := range exposures {
		for _, parties := range []int{2, 3} {
			for _, x := range []int64{0, -1, 77, 32767, -32767} {
				t.Run(fmt.Sprintf("%s/n=%d/x=%d", e.name, parties, x), func(t *testing.T) {
					tr := trial{n: parties, seed: byte(x), in: e.in(x, elements), build: e.build}
					opened := openings(t, tr.transcript(t), e.steps(parties), parties, elements, e.name == "truncate")
					if s := worst(opened, elements); s > 5.5 {
						t.Errorf("a mean or correlation of opened bits is %.1f sigma off", s)
					}
				})
			}
		}
	}
}

// openings reassembles opened values from the parties' messages, as vectors of
// bits over elements, and checks the bytes of each message.
func openings(t *testing.T, msgs []message, steps [][]int, parties, n int, apart bool) []ring.Bits {
	t.Helper()
	if len(msgs) != len(steps)*parties {
		t.Fatalf("%d messages of %d parties, expected %d steps", len(msgs), parties, len(steps))
	}
	var out []ring.Bits
	for s, widths := range steps {
		part := msgs[s*parties : (s+1)*parties]
		for _, m := range part {
			if x := chiSquare(m.data); x > 6 {
				t.Errorf("step %d, party %d: bytes are %.1f sigma from uniform", s, m.from, x)
			}
		}
		if widths == nil { // how many bits does not matter here
			widths = bitsOf(len(part[0].data) * 8 / n)
		}
		sums := make([]ring.Vec, len(widths))
		for _, m := range part {
			rd := ring.NewReader(ring.Payload{Len: len(m.data), Data: m.data})
			for i, w := range widths {
				v := rd.Vec(ring.Z(w), n)
				if apart {
					for b := range w {
						out = append(out, ring.Bit(v, b))
					}
				} else if sums[i].Len() == 0 {
					sums[i] = v
				} else {
					ring.Add(sums[i], sums[i], v)
				}
			}
			if err := rd.Close(); err != nil {
				t.Fatalf("step %d: %v", s, err)
			}
		}
		if apart {
			continue
		}
		for i, w := range widths {
			for b := range min(w, 6) {
				out = append(out, ring.Bit(sums[i], b))
			}
			if w > 6 {
				out = append(out, ring.Bit(sums[i], w-1))
			}
		}
	}
	return out
}

// worst is the largest mean or pair correlation of ±1 bits, in standard
// deviations.
func worst(vs []ring.Bits, n int) float64 {
	most := 0.0
	count := func(b ring.Bits) float64 {
		ones := 0
		for i := range n {
			ones += int(b.Get(i))
		}
		return math.Abs(float64(2*ones-n)) / math.Sqrt(float64(n))
	}
	for i, a := range vs {
		most = max(most, count(a))
		for _, b := range vs[:i] {
			x := a.Like(n)
			ring.Xor(x, a, b)
			most = max(most, count(x))
		}
	}
	return most
}

// chiSquare is how far the bytes are from uniform, in standard deviations.
func chiSquare(data []byte) float64 {
	var counts [256]float64
	for _, b := range data {
		counts[b]++
	}
	mean, sum := float64(len(data))/256, 0.0
	for _, c := range counts {
		sum += (c - mean) * (c - mean) / mean
	}
	return math.Abs(sum-255) / math.Sqrt(2*255)
}

// repeating is a source that gives the same bit mask every time: what must not
// happen, and what TestOpenedUniform must be able to see.
type repeating struct{ correlation.Source }

func (r repeating) LeafBits(m *correlation.Mask) ([]ring.Bits, error) {
	b := make([]ring.Bits, m.Planes)
	for i := range b {
		b[i] = ring.NewBits(m.N)
		ring.NewPRG(ring.Seed{42}).Bits(b[i], 0, 0)
	}
	return b, nil
}

func TestReusedMaskIsSeen(t *testing.T) {
	const n = 1 << 13
	e := exposures[0]
	tr := trial{n: 2, in: e.in(77, n), build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		if !op.Graph.DryRun() {
			p.source = repeating{p.source}
		}
		return e.build(p, op, in)
	}}
	opened := openings(t, tr.transcript(t), e.steps(2), 2, n, false)
	if s := worst(opened, n); s < 20 {
		t.Errorf("masks that repeat show as %.1f sigma only", s)
	}
}

// TestMessagesIndependentOfSecrets runs operations on different values: the
// same messages of the same sizes.
func TestMessagesIndependentOfSecrets(t *testing.T) {
	for _, e := range exposures {
		var first []string
		for _, x := range []int64{0, -1, 32767} {
			var got []string
			for _, m := range (trial{n: 3, seed: byte(x), in: e.in(x, 1000), build: e.build}).transcript(t) {
				got = append(got, fmt.Sprintf("%d %v %d", m.from, m.key, len(m.data)))
			}
			if first == nil {
				first = got
			} else if !slices.Equal(first, got) {
				t.Errorf("%s of %d sends\n%v\nand of 0\n%v", e.name, x, got, first)
			}
		}
	}
}

// TestOpenOnce: a value that several operations need is opened once.
func TestOpenOnce(t *testing.T) {
	in := []operand{constantOperand(ring.Z(64), 5, 100, 62, false)}
	tr := trial{n: 2, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		p.open(op, in[0].(*share))
		p.open(op, in[0].(*share), in[0].(*share))
		m := maps.MatMul{Batch: 1, M: 10, K: 10, N: 10}
		return []mpc.Secret{
			p.Product(op, in[0].Ring(), m, in[0], in[0], 0),
			p.Product(op, in[0].Ring(), maps.Elementwise{N: 100}, in[0], in[0], 0),
		}
	}}
	if out := tr.run(t); out.messages != 1 || out.online != 800 {
		t.Errorf("%d messages of %d bytes for one opening of 100 elements", out.messages, out.online)
	}
}

// TestSpreadOpensBelow: of a view that repeats elements, and of views of it,
// what is repeated is opened, once, and results are right.
func TestSpreadOpensBelow(t *testing.T) {
	in := []operand{{v: extremes(ring.Z(64), 30, 10, 1), bound: 30}, {v: extremes(ring.Z(64), 30, 100, 2), bound: 30, masked: true}}
	tr := trial{n: 3, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		rows := p.Linear(op, maps.NewView(tensor.Broadcast(tensor.Shape{10}, []int{1}, tensor.Shape{10, 10}), 10), in[0])
		more := p.Linear(op, maps.NewView(tensor.Broadcast(tensor.Shape{100}, []int{1}, tensor.Shape{2, 100}), 100), rows)
		y := p.Product(op, ring.Z(64), maps.Elementwise{N: 100}, rows, in[1], 0)
		z := p.Product(op, ring.Z(64), maps.Elementwise{N: 200}, more, more, 0)
		return []mpc.Secret{y, z, p.Less(op, rows, in[1])}
	}}
	out := tr.run(t)
	for i := range 100 {
		x, y := in[0].v.Int(i%10), in[1].v.Int(i)
		if got := out.out[0].Int(i); got.Cmp(new(big.Int).Mul(x, y)) != 0 {
			t.Fatalf("%v times %v is %v", x, y, got)
		}
		if got := out.out[1].Int(100 + i); got.Cmp(new(big.Int).Mul(x, x)) != 0 {
			t.Fatalf("the square of %v is %v", x, got)
		}
		if got := out.out[2].Int(i).Sign() != 0; got != (x.Cmp(y) < 0) {
			t.Fatalf("%v < %v is %v", x, y, got)
		}
	}
	// Beside two openings of ten elements, of 32 and 64 bits, only the
	// comparison's gates.
	if gates := int64(100 * 31 / 8); out.online > 10*4+10*8+gates {
		t.Errorf("%d bytes", out.online)
	}
}

// TestMaskOpensOneValue: a mask's share is given once, whoever asks again.
func TestMaskOpensOneValue(t *testing.T) {
	src := correlation.NewParty(0, 2, ring.Seed{1}, nil)
	p := New(context.Background(), Config{Rank: 0, Computing: 2, Source: src, Inputs: Inputs{}})
	ends := link.Memory(2)
	defer ends[1].Close()
	defer ends[0].Close()
	g := flow.New(context.Background(), link.Online, ends[0], &flow.Account{})
	op := g.Op(1, &flow.Cost{}, "test")
	mask := correlation.NewFresh(op.Next(), ring.Z(64), 8)
	flow.Force(op, p.leaf(op, mask), p.leaf(op, mask))
	if err := g.Wait(); !errors.Is(err, correlation.ErrSpent) {
		t.Errorf("a mask used twice gives %v", err)
	}
}

// TestIDsAreUnique: no id of the correlation manifest occurs twice, and none is also a
// mask's.
func TestIDsAreUnique(t *testing.T) {
	for _, o := range operations {
		k := ring.Z(64)
		if o.rings != nil {
			k = ring.Z(o.rings[0])
		}
		_, form, _, _ := trial{n: 3, in: o.in(k, 8), build: o.build}.dryRun(0)
		ids := map[correlation.ID]string{}
		masks := map[*correlation.Mask]bool{}
		var visit func(m *correlation.Mask)
		visit = func(m *correlation.Mask) {
			if masks[m] {
				return
			}
			masks[m] = true
			if ids[m.ID] != "" {
				t.Errorf("%s: mask %v is also %s", o.name, m.ID, ids[m.ID])
			}
			ids[m.ID] = "a mask"
			for _, of := range m.Of {
				visit(of)
			}
		}
		for _, r := range form.Requests {
			if ids[r.ID] != "" {
				t.Errorf("%s: request %v is also %s", o.name, r.ID, ids[r.ID])
			}
			ids[r.ID] = "a request"
			for _, f := range r.Factors {
				visit(f.Mask)
			}
		}
	}
}

// TestRevealToIsRerandomised: a party whose shares are all zero sends uniform bytes to the one that learns their sum, and nothing else; all
// shares of a late vector are uniform.
func TestRevealToIsRerandomised(t *testing.T) {
	const n = 4096
	in := []operand{constantOperand(ring.Z(64), 5, n, 62, true), constantOperand(ring.Z(64), 9, n, 62, true)}
	for _, parties := range []int{2, 3} {
		var mu sync.Mutex
		sent, shares := map[int][]byte{}, map[int][]byte{}
		tr := trial{n: parties, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			x := p.RevealTo(op, p.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, in...), 0)
			own := p.InputLate(op, 0, ring.Z(64), n, 62, x)
			share := p.AdditiveShare(op, own)
			flow.Force(op, flow.Do(op, 0, func() bool {
				if op.Graph.DryRun() {
					return false
				}
				mu.Lock()
				defer mu.Unlock()
				for _, w := range share.Get().Words() {
					shares[p.rank] = binary.LittleEndian.AppendUint64(shares[p.rank], w)
				}
				return true
			}, share))
			return single(own)
		}}
		tr.spy = func(from int, _ link.Key, data []byte) {
			mu.Lock()
			sent[from] = append(sent[from], data...)
			mu.Unlock()
		}
		out := tr.run(t)
		if x := out.out[0].Int(0).Int64(); x != 14 {
			t.Errorf("5 + 9 is revealed as %d", x)
		}
		for what, of := range map[string]map[int][]byte{"sends": sent, "has": shares} {
			for from, data := range of {
				if x := chiSquare(data); x > 6 || len(data) != 8*n {
					t.Errorf("n=%d: party %d %s %d bytes %.1f sigma from uniform", parties, from, what, len(data), x)
				}
			}
		}
		if len(sent) != parties-1 || len(sent[0]) > 0 || len(shares) != parties {
			t.Errorf("n=%d: messages of %d parties and shares of %d seen", parties, len(sent), len(shares))
		}
	}
}

// TestRevealIsRerandomised: of a sum of born-masked inputs, a party whose
// shares are all zero still sends uniform bytes, and messages depend on seeds
// that the dealer lacks.
func TestRevealIsRerandomised(t *testing.T) {
	const n = 4096
	in := []operand{constantOperand(ring.Z(64), 5, n, 62, true), constantOperand(ring.Z(64), 9, n, 62, true)}
	for _, parties := range []int{2, 3} {
		var mu sync.Mutex
		got := map[int][]byte{}
		tr := trial{n: parties, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return single(p.Linear(op, maps.Combine{N: n, Coef: []int64{1, 1}}, in...))
		}}
		tr.reveals = func(from int, data []byte) {
			mu.Lock()
			got[from] = slices.Clone(data)
			mu.Unlock()
		}
		out := tr.run(t)
		if x := out.out[0].Int(0).Int64(); x != 14 {
			t.Errorf("5 + 9 is revealed as %d", x)
		}
		for from, data := range got {
			if x := chiSquare(data); x > 6 {
				t.Errorf("n=%d: party %d reveals bytes %.1f sigma from uniform", parties, from, x)
			}
		}
		if len(got) != parties {
			t.Errorf("%d of %d parties' reveals seen", len(got), parties)
		}
	}
}
