package correlation

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/tacet-mpc/tacet/ring"
)

// session is a dealer and the sources of all parties, with the values of masks computed from the
// parties' own shares.
type session struct {
	n       int // computing parties; one more party owns inputs
	dealer  *Local
	parties []*Party
	// corrections is the source of the last computing party.
	corrections *Delivery
	vecs        map[*Mask][]ring.Vec  // shares of ring masks, by party
	bits        map[*Mask][]ring.Bits // values of masks of bits
	ids         uint64
}

func seedsFor(n int, seed byte) []ring.Seed {
	seeds := make([]ring.Seed, n+1)
	for i := range seeds {
		seeds[i] = ring.Seed{seed, byte(n), byte(i), 0xc0}
	}
	return seeds
}

func newSession(n int, seed byte) *session {
	seeds := seedsFor(n, seed)
	s := &session{
		n:           n,
		dealer:      NewLocal(n, seeds),
		vecs:        map[*Mask][]ring.Vec{},
		bits:        map[*Mask][]ring.Bits{},
		ids:         7 << 32,
		corrections: unlimited(),
	}
	for i := range seeds {
		s.parties = append(s.parties, NewParty(i, n, seeds[i], s.corrections))
	}
	return s
}

// unlimited is a Delivery without a bound.
func unlimited() *Delivery { return NewDelivery(math.MaxInt64) }

// id is a fresh id.
func (s *session) id() uint64 { s.ids++; return s.ids }

// deal runs the dealer and delivers to the last computing party.
func (s *session) deal(t testing.TB, requests ...*Request) map[ID][]byte {
	t.Helper()
	data := map[ID][]byte{}
	err := s.dealer.Deal(t.Context(), &Manifest{Requests: requests}, func(id ID, b []byte) error {
		if due := requests[len(data)].ID; id != due {
			t.Errorf("%v is dealt where %v is next", id, due)
		}
		data[id] = b
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range requests {
		if got, want := len(data[r.ID]), (r.CorrectionBits()+7)/8; got != want || r.Bytes() != int64(want) {
			t.Errorf("%v: a correction of %d bytes where %d bits are due", r.Kind, got, r.CorrectionBits())
		}
		s.corrections.Put(r.ID, data[r.ID])
	}
	return data
}

// shares are all computing parties' shares of a ring mask.
func (s *session) shares(t testing.TB, m *Mask) []ring.Vec {
	t.Helper()
	if v, ok := s.vecs[m]; ok {
		return v
	}
	out := make([]ring.Vec, s.n)
	for i := range out {
		switch m.Kind {
		case Derived:
			src := make([]ring.Vec, len(m.Of))
			for j, o := range m.Of {
				src[j] = ring.New(m.Ring, o.N)
				ring.Low(src[j], s.shares(t, o)[i])
			}
			out[i] = ring.New(m.Ring, m.N)
			m.Map.Apply(out[i], src...)
		case Zero:
			out[i] = ring.New(m.Ring, m.N)
		default:
			v, err := s.parties[i].Leaf(m)
			if err != nil {
				t.Fatal(err)
			}
			out[i] = v.Vec()
		}
	}
	if m.Kind == Owned && m.Owner == s.n {
		v, err := s.parties[s.n].Leaf(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, z := range out {
			for _, w := range z.Words() {
				if w != 0 {
					t.Fatal("a share of what another party owns is not zero")
				}
			}
		}
		out[0] = v.Vec() // the value, so that the sum is right
	}
	s.vecs[m] = out
	return out
}

// whole is the value of a ring mask in [0, 2^k), or of the first plane of a mask of bits.
func (s *session) whole(t testing.TB, m *Mask) []*big.Int { return s.plane(t, m, 0) }

// plane is the value of a ring mask, or of a plane of a mask of bits.
func (s *session) plane(t testing.TB, m *Mask, i int) []*big.Int {
	t.Helper()
	if m.Kind != FreshBits {
		return integers(ring.Sum(s.shares(t, m)...))
	}
	if _, ok := s.bits[m]; !ok {
		all := ring.NewPlanes(equal(m.N, m.Planes)...)
		for _, p := range s.parties[:s.n] {
			b, err := p.LeafBits(m)
			if err != nil {
				t.Fatal(err)
			}
			xorAll(all, b)
		}
		s.bits[m] = all
	}
	return bitIntegers(s.bits[m][i])
}

// integers are a vector's elements in [0, 2^k).
func integers(v ring.Vec) []*big.Int {
	out := make([]*big.Int, v.Len())
	for i := range out {
		out[i] = mod(v.Int(i), v.Ring().Bits)
	}
	return out
}

func bitIntegers(b ring.Bits) []*big.Int {
	out := make([]*big.Int, b.Len())
	for i := range out {
		out[i] = new(big.Int).SetUint64(b.Get(i))
	}
	return out
}

func pow2(e int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(e)) }

func mod(x *big.Int, bits int) *big.Int { return new(big.Int).Mod(x, pow2(bits)) }

// take adds up all computing parties' results of Take, by XOR for bits, with the low bits of their
// own shares for a lift.
func (s *session) take(t testing.TB, r *Request) []*big.Int {
	t.Helper()
	var bits []ring.Bits
	var sum ring.Vec
	for i, p := range s.parties[:s.n] {
		m, err := p.Take(context.Background(), r)
		if err != nil {
			t.Fatalf("%v at party %d: %v", r.Kind, i, err)
		}
		if r.OfBits() {
			if i == 0 {
				bits = ring.NewPlanes(r.lengths()...)
			}
			xorAll(bits, m.Bits)
			continue
		}
		v := r.whole(m.Vec.Vec())
		if r.Kind == Lift {
			f := r.Factors[0]
			low, wide := ring.New(ring.Z(f.Width), r.N), ring.New(r.Out, r.N)
			ring.Low(low, s.shares(t, f.Mask)[i])
			ring.Low(wide, low)
			ring.Add(v, v, wide)
		}
		switch {
		case i == 0:
			sum = v.Clone()
		default:
			ring.Add(sum, sum, v)
		}
	}
	var out []*big.Int
	switch r.Kind {
	case BitProduct:
		for _, b := range bits {
			out = append(out, bitIntegers(b)...)
		}
		return out
	case Thermometer:
		for i, b := range bits {
			var w ring.Writer
			w.Bits(b)
			out = append(out, integers(ring.NewReader(w.Payload()).Vec(ring.Z(1<<r.Digits[i]-1), r.N))...)
		}
		return out
	}
	return integers(sum)
}

// whole is a share in Out.
func (r *Request) whole(v ring.Vec) ring.Vec {
	if r.Shift() == 0 {
		return v
	}
	out := ring.New(r.Out, r.N)
	ring.Low(out, v)
	ring.Lsh(out, out, r.Shift())
	return out
}

// part is a function of one mask element, as documented.
func (f Factor) part(x *big.Int) *big.Int {
	bit := func(i int) *big.Int { return big.NewInt(int64(x.Bit(i))) }
	switch f.Part {
	case Whole:
		return x
	case LowBits:
		return mod(x, f.Width)
	case Wrap:
		return bit(f.Width-1).Mul(bit(f.Width-1), pow2(f.Width))
	case Shifted:
		return new(big.Int).Rsh(mod(x, f.Width), uint(f.Shift))
	case WrapShifted:
		return bit(f.Width-1).Mul(bit(f.Width-1), pow2(f.Width-f.Shift))
	case Bit:
		return bit(f.Width)
	}
	panic(fmt.Sprintf("part %d", f.Part))
}

// expected is the value that a request's shares must add up to.
func (s *session) expected(t testing.TB, r *Request) []*big.Int {
	t.Helper()
	out := make([]*big.Int, r.N)
	if r.Products != nil {
		return s.products(t, r)
	}
	switch r.Kind {
	case BitProduct, Product, Lift:
		for i := range out {
			out[i] = big.NewInt(1)
		}
		for _, f := range r.Factors {
			for i, x := range s.plane(t, f.Mask, f.plane()) {
				out[i].Mul(out[i], f.part(x))
			}
		}
		for i := range out {
			if r.Kind != BitProduct {
				out[i] = mod(out[i], r.Out.Bits)
			}
		}
	case Thermometer:
		out = nil
		at := r.Pos
		for _, d := range r.Digits {
			for _, x := range s.whole(t, r.Factors[0].Mask) {
				l := int(mod(new(big.Int).Rsh(x, uint(at)), d).Int64())
				table := new(big.Int)
				for v := range 1<<d - 1 {
					if v < l {
						table.SetBit(table, v, 1)
					}
				}
				out = append(out, table)
			}
			at += d
		}
	case Bilinear:
		a, b := ring.New(r.Out, r.Factors[0].Mask.N), ring.New(r.Out, r.Factors[1].Mask.N)
		for j, v := range []ring.Vec{a, b} {
			for i, x := range s.plane(t, r.Factors[j].Mask, r.Factors[j].plane()) {
				set(v, i, mod(r.Factors[j].part(x), r.Out.Bits))
			}
		}
		if len(r.Factors) == 3 {
			c := ring.New(r.Out, r.Factors[2].Mask.N)
			for i, x := range s.plane(t, r.Factors[2].Mask, r.Factors[2].plane()) {
				set(c, i, mod(x, r.Out.Bits))
			}
			ring.Mul(b, b, c)
		}
		v := ring.New(r.Out, r.N)
		r.B.Apply(v, a, b)
		return integers(v)
	case WrapTable:
		m := r.Factors[0].Mask
		t0 := m.Ring.Bits
		sums := make([]int64, m.N)
		for _, v := range s.shares(t, m) {
			for i, x := range integers(v) {
				sums[i] += x.Int64()
			}
		}
		for j := range 1<<t0 - 1 {
			for i, sum := range sums {
				x := new(big.Int).Div(big.NewInt(int64(j+s.n-1)-sum), pow2(t0)) // Euclidean: floor
				out[j*m.N+i] = mod(x, r.Out.Bits)
			}
		}
	}
	return out
}

// xorAll adds vectors of bits to others.
func xorAll(sum, more []ring.Bits) {
	for i, b := range more {
		ring.Xor(sum[i], sum[i], b)
	}
}

// plane is the number of the plane that a factor is.
func (f Factor) plane() int {
	if f.Mask.Kind == FreshBits {
		return f.Width
	}
	return 0
}

// products are the values of a list of products.
func (s *session) products(t testing.TB, r *Request) []*big.Int {
	t.Helper()
	var in [][]*big.Int
	for _, f := range r.Factors {
		if f.Part == Planes {
			for i := range f.Width {
				in = append(in, s.plane(t, f.Mask, f.Shift+i))
			}
			continue
		}
		var part []*big.Int
		for _, x := range s.plane(t, f.Mask, f.plane()) {
			part = append(part, f.part(x))
		}
		in = append(in, part)
	}
	var out []*big.Int
	for _, set := range r.Products.sets {
		for i := range r.N {
			x := big.NewInt(1)
			for _, j := range set {
				x.Mul(x, in[j][i])
			}
			out = append(out, x)
		}
	}
	return out
}

func set(v ring.Vec, i int, x *big.Int) {
	k := v.Ring().Words()
	for j := range k {
		v.Words()[i*k+j] = new(big.Int).Rsh(x, uint(64*j)).Uint64()
	}
}

// check compares the sum of the parties' shares with the request's value.
func (s *session) check(t testing.TB, r *Request) {
	t.Helper()
	got, want := s.take(t, r), s.expected(t, r)
	for i := range want {
		if got[i].Cmp(want[i]) != 0 {
			t.Fatalf("%v of %v in %v among %d: element %d adds up to %x, want %x", r.Kind, describe(r), r.Out, s.n, i, got[i], want[i])
		}
	}
}

func describe(r *Request) (out []string) {
	for _, f := range r.Factors {
		out = append(out, fmt.Sprintf("mask kind %d in %v, part %d width %d shift %d", f.Mask.Kind, f.Mask.Ring, f.Part, f.Width, f.Shift))
	}
	return out
}
