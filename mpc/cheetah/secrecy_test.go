package cheetah

import (
	"io"
	"math"
	"math/bits"
	"slices"
	"sync"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/he"
	"github.com/tacet-mpc/tacet/link"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ot"
	"github.com/tacet-mpc/tacet/ring"
)

// gates are operations whose online messages consist of planes of one bit for each element.
var gates = map[string]trial{
	"carry": {
		in: []operand{{ring.New(ring.Z(13), 0), 9, nobody}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.LessConst(op, in[0], 0)}
		},
	},
	"equal": {
		in: []operand{{ring.New(ring.Z(8), 0), 6, nobody}, {ring.New(ring.Z(8), 0), 6, nobody}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Equal(op, in[0], in[1])}
		},
	},
	"bits": {
		in: []operand{{ring.New(ring.Z(8), 0), 6, nobody}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.BitDecompose(op, in[0])}
		},
	},
	"and of what each party knows": {
		in: []operand{{ring.New(ring.Z(1), 0), 1, 0}, {ring.New(ring.Z(1), 0), 1, 1}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.And(op, in[0], in[1])}
		},
	},
	"select": {
		in: []operand{{ring.New(ring.Z(1), 0), 1, nobody}, {ring.New(ring.Z(8), 0), 6, nobody}, {ring.New(ring.Z(8), 0), 6, 0}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Select(op, ring.Z(8), in[0], in[1], in[2])}
		},
	},
	"truncate": {
		in: []operand{{ring.New(ring.Z(16), 0), 12, nobody}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Truncate(op, in[0], 8)}
		},
	},
	"product": {
		in: []operand{{ring.New(ring.Z(6), 0), 4, nobody}, {ring.New(ring.Z(6), 0), 4, 1}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Product(op, ring.Z(6), maps.Elementwise{N: in[0].Len()}, in[0], in[1], 0)}
		},
	},
	"matrix product": {
		in: []operand{{ring.New(ring.Z(6), 0), 4, nobody}, {ring.New(ring.Z(6), 0), 4, 1}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.Product(op, ring.Z(6), maps.MatMul{Batch: in[0].Len(), M: 1, K: 1, N: 1}, in[0], in[1], 0)}
		},
	},
	"reveal on the way": {
		in: []operand{{ring.New(ring.Z(8), 0), 6, 0}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.RevealToComputing(op, in[0])}
		},
	},
	"reveal to a party": {
		in: []operand{{ring.New(ring.Z(8), 0), 6, 0}},
		build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			var out []mpc.Secret
			for to := range computing {
				out = append(out, p.InputLate(op, to, ring.Z(8), in[0].Len(), 6, p.RevealTo(op, in[0], to)))
			}
			return out
		},
	},
}

// worst runs a gate on constants and returns the largest deviation from uniform, in standard deviations, of a bit's
// mean and of the correlation of two bits that one party sends, over all elements.
func worst(t *testing.T, tr trial, mutate func(transfers) transfers) float64 {
	t.Helper()
	const n = 1 << 12
	tr.mutate = mutate
	in := make([]operand, len(tr.in))
	for i, o := range tr.in {
		in[i] = o
		in[i].v = ring.New(o.v.Ring(), n)
		ring.AddInt(in[i].v, in[i].v, int64(5+4*i))
	}
	tr.in = in
	z := 0.0
	sent := map[int][][]byte{}
	for _, m := range tr.run(t).messages {
		if m.key.Phase != link.Online {
			continue
		}
		sent[m.from] = append(sent[m.from], planesOf(m.data, n)...)
	}
	for _, planes := range sent {
		for i, a := range planes {
			for _, b := range append(planes[:i:i], make([]byte, n/8)) {
				differ := 0
				for j := range a {
					differ += bits.OnesCount8(a[j] ^ b[j])
				}
				z = max(z, math.Abs(float64(2*differ-n))/math.Sqrt(n))
			}
		}
	}
	return z
}

// planesOf splits a message of w vectors of n bits, or of a vector of n numbers of w bits, into w planes of n bits: bit i
// of each group of w consecutive bits, or each group of n bits. Messages of both kinds are seen both ways.
func planesOf(data []byte, n int) [][]byte {
	w := len(data) * 8 / n
	var out [][]byte
	for i := range w {
		out = append(out, data[i*n/8:(i+1)*n/8])
	}
	for i := range w {
		if w == 1 {
			break // it is the same plane
		}
		plane := make([]byte, n/8)
		for j := range n {
			at := j*w + i
			plane[j/8] |= data[at/8] >> (at % 8) & 1 << (j % 8)
		}
		out = append(out, plane)
	}
	return out
}

// TestMessagesAreUniform looks at what each party receives online, for fixed inputs: every bit has the mean ½, and no
// two are correlated.
func TestMessagesAreUniform(t *testing.T) {
	for name, tr := range gates {
		if z := worst(t, tr, nil); z > 6 {
			t.Errorf("%s: %.1f standard deviations from uniform", name, z)
		}
	}
}

// twice gives the transfers of the first request of each direction and size again.
type twice struct {
	transfers
	mu       sync.Mutex
	received map[int]*ot.Received
	sent     map[int]*ot.Sent
}

func (m *twice) Received(id uint64, n int) (*ot.Received, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r, err := m.transfers.Received(id, n)
	if m.received[n] == nil {
		m.received[n] = r
	}
	return m.received[n], err
}

func (m *twice) Sent(id uint64, n int) (*ot.Sent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s, err := m.transfers.Sent(id, n)
	if m.sent[n] == nil {
		m.sent[n] = s
	}
	return m.sent[n], err
}

// unmasked has choices that are all zero, or strings that are all equal.
type unmasked struct {
	transfers
	choices bool
}

func (m unmasked) Received(id uint64, n int) (*ot.Received, error) {
	r, err := m.transfers.Received(id, n)
	if m.choices && err == nil {
		r.Choices = ring.NewBits(n)
	}
	return r, err
}

func (m unmasked) Sent(id uint64, n int) (*ot.Sent, error) {
	s, err := m.transfers.Sent(id, n)
	if !m.choices && err == nil {
		s.Delta = ot.Block{}
	}
	return s, err
}

// TestMutationsAreSeen runs the test of uniform messages on protocols that leak: transfers that serve twice, bits that
// are sent without a mask, and numbers without one.
func TestMutationsAreSeen(t *testing.T) {
	reused := func(m transfers) transfers {
		return &twice{transfers: m, received: map[int]*ot.Received{}, sent: map[int]*ot.Sent{}}
	}
	both := gates["carry"]
	both.build = func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		same := p.Linear(op, maps.Combine{N: in[0].Len(), Coef: []int64{1}}, in[0]) // compared anew, with the same shares
		return []mpc.Secret{p.LessConst(op, in[0], 0), p.LessConst(op, same, 0)}
	}
	if z := worst(t, both, nil); z > 6 {
		t.Errorf("two comparisons of a vector: %.1f standard deviations from uniform", z)
	}
	for name, c := range map[string]struct {
		tr     trial
		mutate func(transfers) transfers
	}{
		"transfers that serve twice": {both, reused},
		"bits without a mask":        {gates["and of what each party knows"], func(m transfers) transfers { return unmasked{m, true} }},
		"numbers without a mask":     {gates["and of what each party knows"], func(m transfers) transfers { return unmasked{m, false} }},
		"numbers of a product":       {gates["product"], func(m transfers) transfers { return unmasked{m, false} }},
		"numbers of a matrix":        {gates["matrix product"], func(m transfers) transfers { return unmasked{m, false} }},
	} {
		if z := worst(t, c.tr, c.mutate); z < 20 {
			t.Errorf("%s: only %.1f standard deviations from uniform", name, z)
		}
	}
}

// TestRevealedSharesAreFresh checks that what a party sends to those who learn a value is not its share: an owner's
// share is the value itself.
func TestRevealedSharesAreFresh(t *testing.T) {
	const n = 64
	r := ring.Z(64)
	v := ring.New(r, n)
	ring.AddInt(v, v, 77)
	var w ring.Writer
	w.Vec(v)
	value := w.Payload().Data
	for name, build := range map[string]func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret{
		"output": func(_ *Party, _ *flow.Op, in []mpc.Secret) []mpc.Secret { return in },
		"on the way": func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
			return []mpc.Secret{p.RevealToComputing(op, in[0])}
		},
	} {
		rec := (&trial{in: []operand{{v, 40, 0}}, parties: 3, to: []int{2}, build: build}).run(t)
		seen := 0
		for _, m := range rec.messages {
			if len(m.data) == 8*n {
				if seen++; slices.Equal(m.data, value) || slices.Equal(m.data, make([]byte, 8*n)) {
					t.Errorf("%s: party %d sends its share as it is (%v)", name, m.from, m.key)
				}
			}
		}
		if seen == 0 {
			t.Errorf("%s: nothing is sent", name)
		}
		if got := rec.out[0].Int(0).Int64(); got != 77 {
			t.Errorf("%s: %d", name, got)
		}
	}
}

// twoSlots adds two products of the same numbers in slots, the encrypter's all 5. If same, the polynomials of both have the same
// seeds, as if an id served twice. It returns the bits of a number of both parties' messages.
func twoSlots(p *Party, op *flow.Op, responders uint64, same bool) ([]mpc.Secret, [computing]int) {
	r := ring.Z(40)
	var out []mpc.Secret
	var first he.Seed
	var bits [computing]int
	for i := range 2 {
		s := widest(50, 64, 1)
		own := func(_ *he.Slots, out [][][]uint64, _, _ int) {
			if same && i == 1 { // the seed is read next: it may be too late once the product is built
				s.seed = first
			}
			for j := range out[0][0] {
				out[0][0][j] = 5
				if p.rank == slotResponder {
					out[0][0][j] = responders
				}
			}
		}
		out = append(out, newShare(r, 64, 30, s.run(p, op, r, own)))
		bits[slotEncrypter], bits[slotResponder] = s.sizes.Upload, s.sizes.Answer
		if i == 0 {
			first = s.seed
		}
	}
	return out, bits
}

// twoContractions adds two products of a vector of party 1 with weights of party 0 that are all 0.
func twoContractions(p *Party, op *flow.Op, _ uint64, _ bool) ([]mpc.Secret, [computing]int) {
	b, r := maps.MatMul{Batch: 1, M: 16, K: 64, N: 16}, ring.Z(40)
	l := linearOf(b, false).plan(r.Bits, 12, 20, 2)
	var out []mpc.Secret
	for range 2 {
		v := flow.Resolved(constant(op, r, 64*16, 0))
		out = append(out, newShare(r, 16*16, 30, p.crossEncrypted(op, l, 1, 16*16, v, v, r)))
	}
	return out, [computing]int{l.sizes.Answer, l.sizes.Upload}
}

// differing runs two operations and returns, for each party, the difference of the messages that it sends for one and for the other,
// as fractions of the numbers' range.
func differing(
	t *testing.T, two func(*Party, *flow.Op, uint64, bool) ([]mpc.Secret, [computing]int),
	responders uint64, same bool, random [computing]io.Reader,
) (out [computing][]float64) {
	t.Helper()
	var sizes [computing]int
	var mu sync.Mutex
	tr := trial{random: random, build: func(p *Party, op *flow.Op, _ []mpc.Secret) []mpc.Secret {
		s, bits := two(p, op, responders, same)
		mu.Lock()
		defer mu.Unlock()
		sizes = bits
		return s
	}}
	messages := tr.run(t).messages
	for from, size := range sizes {
		var sent [][]float64
		for _, m := range messages {
			if m.from != from || m.key.Phase != link.Online {
				continue
			}
			list := make([]float64, len(m.data)*8/size) // of the top bits of each number
			for i := range list {
				for j := max(0, size-48); j < size; j++ {
					at := i*size + j
					list[i] += math.Ldexp(float64(m.data[at/8]>>(at%8)&1), j-size)
				}
			}
			sent = append(sent, list)
		}
		if len(sent) != 2 || len(sent[0]) < 1000 {
			t.Fatalf("party %d sends %d messages, want 2", from, len(sent))
		}
		for i, x := range sent[0] {
			_, f := math.Modf(1 + sent[1][i] - x)
			out[from] = append(out[from], f)
		}
	}
	return out
}

// deviation is the largest distance of the distribution of v from uniform in [0, 1), times the root of their number: above 2.3 with
// probability 10^-4.
func deviation(v []float64) float64 {
	v, worst := slices.Sorted(slices.Values(v)), 0.0
	for i, f := range v {
		worst = max(worst, math.Abs(f-float64(i)/float64(len(v))), math.Abs(f-float64(i+1)/float64(len(v))))
	}
	return worst * math.Sqrt(float64(len(v)))
}

// TestSlotSeedsServeOnce looks at two products of the same numbers in slots: what a party sends for one is uniform, given what it sends
// for the other. If the seed of a ciphertext served twice, the difference of both would show that of the numbers.
func TestSlotSeedsServeOnce(t *testing.T) {
	for party, v := range differing(t, twoSlots, 5, false, [computing]io.Reader{}) {
		if d := deviation(v); d > 2.3 {
			t.Errorf("party %d: deviation %.2f from uniform", party, d)
		}
	}
	if d := deviation(differing(t, twoSlots, 5, true, [computing]io.Reader{})[slotEncrypter]); d < 2.3 {
		t.Errorf("ciphertexts of one seed: deviation %.2f only", d)
	}
}

// always reads the same bytes.
type always byte

func (a always) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(a)
	}
	return len(b), nil
}

// TestResponseMasksServeOnce looks at two operations in which the party that responds multiplies by zeros, so that its messages are
// nothing but their masks: those of the two are independent. If the randomness of a response served both operations, the encrypter
// could take the mask off, and would see a linear function of the weights.
func TestResponseMasksServeOnce(t *testing.T) {
	for name, two := range map[string]func(*Party, *flow.Op, uint64, bool) ([]mpc.Secret, [computing]int){
		"slots": twoSlots, "contractions": twoContractions,
	} {
		if d := deviation(differing(t, two, 0, false, [computing]io.Reader{})[slotResponder]); d > 2.3 {
			t.Errorf("%s: deviation %.2f from uniform", name, d)
		}
		if d := deviation(differing(t, two, 0, false, [computing]io.Reader{slotResponder: always(7)})[slotResponder]); d < 2.3 {
			t.Errorf("%s, responses of one randomness: deviation %.2f only", name, d)
		}
	}
}
