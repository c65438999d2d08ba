package correlation

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/big"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
	"pgregory.net/rapid"
)

var partyCounts = []int{2, 3, 5}

// masksOf makes one mask of every kind in a ring.
func (s *session) masksOf(r ring.Ring, n int) map[string]*Mask {
	fresh := NewFresh(s.id(), r, n)
	own := NewOwned(s.id(), r, n, 0)
	last := NewOwned(s.id(), r, n, s.n-1)
	wide := NewFresh(s.id(), ring.Z(r.Bits+9), n)
	sum := NewDerived(s.id(), r, maps.Combine{N: n, Coef: []int64{3, -1, 1}}, fresh, own, NewZero(s.id(), r, n))
	return map[string]*Mask{
		"fresh":                    NewFresh(s.id(), r, n),
		"of the first party":       NewOwned(s.id(), r, n, 0),
		"of the last party":        last,
		"zero":                     NewZero(s.id(), r, n),
		"view":                     NewDerived(s.id(), r, reversal(n), fresh),
		"linear map":               sum,
		"chain":                    NewDerived(s.id(), r, maps.Shift{N: n, By: 1}, NewDerived(s.id(), r, reversal(n), sum)),
		"used whole and derived":   fresh,
		"reduced into the ring":    NewDerived(s.id(), r, maps.Combine{N: n, Coef: []int64{1, 1}}, wide, last),
		"with itself":              NewDerived(s.id(), r, maps.Combine{N: n, Coef: []int64{1, 5}}, own, own),
		"times public numbers":     NewDerived(s.id(), r, maps.Times{By: ring.FromInts(ring.Z(64), numbers(n)), Bits: 10}, fresh),
		"of many, and of one else": NewDerived(s.id(), r, maps.Combine{N: n, Coef: []int64{1, 1, 1}}, sum, fresh, last),
	}
}

func reversal(n int) maps.View {
	return maps.NewView(tensor.Reversed(tensor.Shape{n}, []int{0}), n)
}

func numbers(n int) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = int64(i*i%7) - 3
	}
	return out
}

// factorsOf are all functions of a mask, at several widths.
func factorsOf(m *Mask) []Factor {
	k := m.Ring.Bits
	out := []Factor{{Mask: m}}
	for _, w := range []int{1, k / 2, k - 1, k} {
		if w < 1 {
			continue
		}
		out = append(
			out,
			Factor{Mask: m, Part: LowBits, Width: w, Shift: 0},
			Factor{Mask: m, Part: Wrap, Width: w, Shift: 0},
			Factor{Mask: m, Part: Bit, Width: w - 1, Shift: 0},
		)
		for _, s := range []int{0, w / 3, w} {
			out = append(out, Factor{Mask: m, Part: Shifted, Width: w, Shift: s}, Factor{Mask: m, Part: WrapShifted, Width: w, Shift: s})
		}
	}
	return out
}

// zerosOf is the number of low bits of a product that a protocol may declare as zero.
func zerosOf(out ring.Ring, fs ...Factor) int {
	z := 0
	for _, f := range fs {
		z += f.Zeros()
	}
	return min(z, out.Bits-1)
}

// Shares of every function of every kind of mask add up to the request's value.
func TestProductsOfEveryPart(t *testing.T) {
	const size = 5
	for _, n := range partyCounts {
		for _, k := range []int{13, 32, 46, 64, 128} {
			t.Run(fmt.Sprintf("%d parties, %d bits", n, k), func(t *testing.T) {
				s := newSession(n, 1)
				var rs []*Request
				for _, m := range s.masksOf(ring.Z(k), size) {
					for _, f := range factorsOf(m) {
						for _, out := range []int{k, 32, 64, 128, 46} {
							rs = append(
								rs,
								&Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{f}, Out: ring.Z(out), N: size, Zeros: zerosOf(ring.Z(out), f)},
							)
							if f.Part == LowBits && f.Width < out {
								rs = append(rs, &Request{ID: ID(s.id()), Kind: Lift, Factors: []Factor{f}, Out: ring.Z(out), N: size})
							}
						}
						if f.Part == Bit {
							rs = append(rs, &Request{ID: ID(s.id()), Kind: BitProduct, Factors: []Factor{f}, N: size})
						}
					}
				}
				s.deal(t, rs...)
				for _, r := range rs {
					s.check(t, r)
				}
			})
		}
	}
}

func TestBitProducts(t *testing.T) {
	for _, n := range partyCounts {
		for _, size := range []int{0, 1, 63, 64, 65, 200} {
			s := newSession(n, 2)
			a, b, c := NewFreshBits(s.id(), size, 1), NewFreshBits(s.id(), size, 1), NewFreshBits(s.id(), size, 1)
			x := NewFresh(s.id(), ring.Z(64), size)
			y := NewDerived(s.id(), ring.Z(46), maps.Combine{N: size, Coef: []int64{1, 1}}, x, NewOwned(s.id(), ring.Z(64), size, n))
			top, low := Factor{Mask: x, Part: Bit, Width: 63}, Factor{Mask: y, Part: Bit, Width: 2}
			var rs []*Request
			for _, fs := range [][]Factor{
				{{Mask: a}}, {{Mask: a}, {Mask: b}}, {{Mask: a}, {Mask: a}}, {{Mask: a}, {Mask: b}, {Mask: c}},
				{top}, {top, low}, {{Mask: a}, top}, {low, {Mask: b}, top, {Mask: c}},
			} {
				rs = append(rs, &Request{ID: ID(s.id()), Kind: BitProduct, Factors: fs, N: size})
			}
			planes := NewFreshBits(s.id(), size, 7)
			lists := NewProducts(7, [][]uint16{{0, 3}, {5}, {1, 2, 6}, {4, 4}, {0, 1, 2, 3, 4, 5, 6}})
			for _, fs := range [][]Factor{
				{{Mask: planes, Part: Planes, Width: 7}}, {top, {Mask: planes, Part: Planes, Shift: 1, Width: 5}, {Mask: b}},
			} {
				rs = append(rs, &Request{ID: ID(s.id()), Kind: BitProduct, Factors: fs, N: size, Products: lists})
			}
			rs = append(rs, &Request{ID: ID(s.id()), Kind: BitProduct, Factors: []Factor{{Mask: planes, Width: 6}, low}, N: size})
			s.deal(t, rs...)
			for _, r := range rs {
				s.check(t, r)
			}
		}
	}
}

func TestMonomials(t *testing.T) {
	const size = 33
	for _, n := range partyCounts {
		for _, k := range []int{32, 64, 128} {
			s := newSession(n, 3)
			bit := NewFreshBits(s.id(), size, 1)
			x, y := NewFresh(s.id(), ring.Z(k), size), NewOwned(s.id(), ring.Z(k), size, n)
			narrow := NewFresh(s.id(), ring.Z(13), size)
			var rs []*Request
			for _, fs := range [][]Factor{
				{{Mask: bit}},
				{{Mask: y}},
				{{Mask: bit}, {Mask: x}},
				{{Mask: x}, {Mask: x}},
				{{Mask: x}, {Mask: y}, {Mask: bit}},
				{{Mask: narrow, Part: LowBits, Width: 13}, {Mask: x}},
				{{Mask: narrow, Part: Wrap, Width: 13}, {Mask: bit}, {Mask: x}},
				{{Mask: narrow, Part: Wrap, Width: 13}, {Mask: x, Part: WrapShifted, Width: k, Shift: k - 9}},
				{{Mask: x, Part: Wrap, Width: k}},
				{{Mask: x, Part: Wrap, Width: k / 2}, {Mask: y, Part: Wrap, Width: k / 2}},
			} {
				for _, out := range []int{k, 18, 128} {
					rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: fs, Out: ring.Z(out), N: size, Zeros: zerosOf(ring.Z(out), fs...)})
				}
			}
			s.deal(t, rs...)
			for _, r := range rs {
				s.check(t, r)
			}
		}
	}
}

func TestThermometers(t *testing.T) {
	const size = 40
	for _, n := range partyCounts {
		for _, k := range []int{13, 32, 46, 64, 128} {
			s := newSession(n, 4)
			var rs []*Request
			for _, m := range s.masksOf(ring.Z(k), size) {
				for _, d := range []int{1, 2, 4, 5, 6, 7, 8} {
					for _, pos := range []int{0, 3, k - d, k - 1} {
						rs = append(rs, &Request{ID: ID(s.id()), Kind: Thermometer, Factors: []Factor{{Mask: m}}, Digits: Digits{d}, N: size, Pos: pos})
					}
				}
				rs = append(rs, &Request{ID: ID(s.id()), Kind: Thermometer, Factors: []Factor{{Mask: m}}, Digits: Digits{4, 3, 5, 1}, N: size, Pos: 0})
			}
			s.deal(t, rs...)
			for _, r := range rs {
				s.check(t, r)
			}
		}
	}
}

func TestBilinearMaps(t *testing.T) {
	conv := maps.Conv{Conv: ring.Conv{
		Batch: 2, InChannels: 2, OutChannels: 3, Groups: 1,
		In: []int{4, 4}, Kernel: []int{3, 3}, Out: []int{4, 4},
		Stride: []int{1, 1}, PadLow: []int{1, 1}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
	}}
	for _, n := range partyCounts {
		for _, k := range []int{32, 64, 128} {
			s := newSession(n, 5)
			var rs []*Request
			for _, b := range []maps.Bilinear{
				maps.Elementwise{N: 11}, maps.MatMul{Batch: 2, M: 3, K: 4, N: 5}, maps.MatMul{Batch: 1, M: 3, K: 4, N: 5},
				maps.MatMul{Batch: 1, M: 1, K: 0, N: 2}, conv,
			} {
				left, right := b.In()
				x, y := NewFresh(s.id(), ring.Z(k), left), NewOwned(s.id(), ring.Z(k), right, n)
				narrow := NewFresh(s.id(), ring.Z(13), left)
				z := NewDerived(s.id(), ring.Z(k), maps.Shift{N: right, By: 2}, y)
				for _, fs := range [][]Factor{
					{{Mask: x}, {Mask: y}},
					{{Mask: x}, {Mask: z}},
					{{Mask: x}, {Mask: y}, {Mask: z}},
					{{Mask: narrow}, {Mask: y}},
					{{Mask: x, Part: WrapShifted, Width: 20, Shift: 15}, {Mask: z, Part: LowBits, Width: 9}},
				} {
					rs = append(
						rs,
						&Request{ID: ID(s.id()), Kind: Bilinear, Factors: fs, Out: ring.Z(k), N: b.Out(), Zeros: zerosOf(ring.Z(k), fs...), B: b},
					)
				}
			}
			s.deal(t, rs...)
			for _, r := range rs {
				s.check(t, r)
			}
		}
	}
}

// A matrix product computed independently of package maps.
func TestMatMulByHand(t *testing.T) {
	s := newSession(3, 6)
	b := maps.MatMul{Batch: 1, M: 2, K: 3, N: 2}
	x, y := NewFresh(s.id(), ring.Z(64), 6), NewFresh(s.id(), ring.Z(64), 6)
	r := &Request{ID: ID(s.id()), Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: y}}, Out: ring.Z(64), N: 4, B: b}
	s.deal(t, r)
	got, p, q := s.take(t, r), s.whole(t, x), s.whole(t, y)
	for i := range 2 {
		for j := range 2 {
			sum := new(big.Int)
			for k := range 3 {
				sum.Add(sum, new(big.Int).Mul(p[i*3+k], q[k*2+j]))
			}
			if mod(sum, 64).Cmp(got[i*2+j]) != 0 {
				t.Errorf("element %d, %d: %x, want %x", i, j, got[i*2+j], mod(sum, 64))
			}
		}
	}
}

func TestWrapTables(t *testing.T) {
	for _, n := range partyCounts {
		for bits := 1; bits <= 4; bits++ {
			for _, f := range []int{1, 8, 18, 26, 100} {
				s := newSession(n, 7)
				m := NewFresh(s.id(), ring.Z(bits), 50)
				r := &Request{ID: ID(s.id()), Kind: WrapTable, Factors: []Factor{{Mask: m}}, Out: ring.Z(f), N: 50 * (1<<bits - 1)}
				s.deal(t, r)
				s.check(t, r)
			}
		}
	}
}

// The parties' shares of a lift are congruent to their shares of the mask, so that the low bits
// come from a party's own seed.
func TestLiftIsCongruent(t *testing.T) {
	for _, n := range partyCounts {
		s := newSession(n, 8)
		m := NewDerived(
			s.id(),
			ring.Z(46),
			maps.Combine{N: 20, Coef: []int64{7, -2}},
			NewFresh(s.id(), ring.Z(46), 20),
			NewOwned(s.id(), ring.Z(64), 20, n-1),
		)
		r := &Request{ID: ID(s.id()), Kind: Lift, Factors: []Factor{{Mask: m, Part: LowBits, Width: 30}}, Out: ring.Z(64), N: 20}
		s.deal(t, r)
		s.check(t, r) // also that the correction is a multiple of 2^30
		if r.CorrectionBits() != 20*34 {
			t.Errorf("%d bits are corrected", r.CorrectionBits())
		}
	}
}

// Random requests of random masks of one session, dealt together.
func TestRandomManifests(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		s := newSession(rapid.SampledFrom(partyCounts).Draw(rt, "parties"), rapid.Byte().Draw(rt, "seed"))
		size := rapid.IntRange(1, 70).Draw(rt, "size")
		var masks []*Mask
		for range rapid.IntRange(1, 12).Draw(rt, "masks") {
			r := ring.Z(rapid.SampledFrom([]int{1, 13, 32, 46, 64, 65, 128}).Draw(rt, "ring"))
			var of []*Mask // masks that can be reduced into r
			for _, m := range masks {
				if m.Kind != FreshBits && m.Ring.Bits >= r.Bits {
					of = append(of, m)
				}
			}
			kind := MaskKind(rapid.IntRange(0, int(Derived)).Draw(rt, "kind"))
			switch {
			case kind == FreshBits:
				masks = append(masks, NewFreshBits(s.id(), size, rapid.IntRange(1, 3).Draw(rt, "planes")))
			case kind == Owned:
				masks = append(masks, NewOwned(s.id(), r, size, rapid.IntRange(0, s.n).Draw(rt, "owner")))
			case kind == Zero:
				masks = append(masks, NewZero(s.id(), r, size))
			case kind == Derived && len(of) > 0:
				src := rapid.SliceOfN(rapid.SampledFrom(of), 1, 3).Draw(rt, "of")
				var m maps.Linear = maps.Combine{N: size, Coef: rapid.SliceOfN(rapid.Int64Range(-9, 9), len(src), len(src)).Draw(rt, "coefficients")}
				if len(src) == 1 && rapid.Bool().Draw(rt, "view") {
					m = reversal(size)
				}
				masks = append(masks, NewDerived(s.id(), r, m, src...))
			default:
				masks = append(masks, NewFresh(s.id(), r, size))
			}
		}
		factor := func() Factor {
			m := rapid.SampledFrom(masks).Draw(rt, "mask")
			if m.Kind == FreshBits {
				return Factor{Mask: m, Width: rapid.IntRange(0, m.Planes-1).Draw(rt, "plane")}
			}
			return rapid.SampledFrom(factorsOf(m)).Draw(rt, "part")
		}
		var rs []*Request
		for range rapid.IntRange(1, 15).Draw(rt, "requests") {
			r := &Request{ID: ID(s.id()), Kind: Product, Out: ring.Z(rapid.SampledFrom([]int{1, 18, 32, 64, 100, 128}).Draw(rt, "out")), N: size}
			f := factor()
			bits := f.IsBit()
			r.Factors = []Factor{f}
			for rapid.Bool().Draw(rt, "more") {
				f := factor()
				bits = bits && f.IsBit()
				r.Factors = append(r.Factors, f)
			}
			switch {
			case bits && rapid.Bool().Draw(rt, "as bits"):
				r.Kind, r.Out = BitProduct, ring.Ring{}
			case len(r.Factors) == 2 && rapid.Bool().Draw(rt, "bilinear"):
				r.Kind, r.B = Bilinear, maps.Elementwise{N: size}
			case f.Part == Whole && f.Mask.Kind != FreshBits && rapid.Bool().Draw(rt, "table"):
				d := rapid.IntRange(1, 6).Draw(rt, "digit")
				r.Kind, r.Factors = Thermometer, []Factor{f}
				r.Out, r.Digits, r.Pos = ring.Ring{}, Digits{d}, rapid.IntRange(0, f.Mask.Ring.Bits-1).Draw(rt, "position")
			}
			if r.Kind == Product || r.Kind == Bilinear {
				r.Zeros = zerosOf(r.Out, r.Factors...)
			}
			rs = append(rs, r)
		}
		s.deal(t, rs...)
		for _, r := range rs {
			s.check(t, r)
		}
	})
}

// counting is a linear map that counts its applications.
type counting struct {
	maps.Linear
	applied *atomic.Int64
}

func (c counting) Apply(dst ring.Vec, src ...ring.Vec) {
	c.applied.Add(1)
	c.Linear.Apply(dst, src...)
}

// With many workers, every mask of a graph is computed once, none is dropped while it is needed,
// and at the end none is kept.
func TestMasksAreComputedOnceAndReleased(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(16))
	for round := range 20 {
		s := newSession(3, byte(round))
		const size = 600 // large enough to come from the pool of buffers
		var applied atomic.Int64
		masks := []*Mask{NewFresh(s.id(), ring.Z(64), size), NewOwned(s.id(), ring.Z(64), size, 3), NewFresh(s.id(), ring.Z(64), size)}
		derived := 0
		for i := range 40 {
			a, b := masks[(i*7)%len(masks)], masks[len(masks)-1]
			masks = append(masks, NewDerived(s.id(), ring.Z(64), counting{maps.Combine{N: size, Coef: []int64{1, int64(i)}}, &applied}, a, b))
			derived++
		}
		var rs []*Request
		for i := range 120 {
			m := masks[(i*31)%len(masks)]
			fs := []Factor{{Mask: m}, {Mask: masks[(i*17+round)%len(masks)]}}
			rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: fs, Out: ring.Z(64), N: size})
		}
		ev, err := newEvaluator(s.dealer, &Manifest{Requests: rs})
		if err != nil {
			t.Fatal(err)
		}
		data := make([][]byte, len(rs))
		var next atomic.Int64
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				for i := int(next.Add(1)) - 1; i < len(rs); i = int(next.Add(1)) - 1 {
					var err error
					if data[i], err = ev.correction(rs[i]); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if got := int(applied.Load()); got != derived {
			t.Errorf("%d masks took %d computations", derived, got)
		}
		for m, st := range ev.state {
			if st.readers.Load() != 0 || st.vec.Words() != nil || st.bits != nil {
				t.Errorf("mask %v is kept: %d readers, %d elements", m.ID, st.readers.Load(), st.vec.Len())
			}
		}
		for i, r := range rs {
			s.corrections.Put(r.ID, data[i])
		}
		for _, r := range rs[:10] {
			s.check(t, r)
		}
	}
}

// A mask is kept from its first reader to its last, and no longer.
func TestMaskIsReleasedAfterItsLastReader(t *testing.T) {
	s := newSession(2, 9)
	leaf, spare := NewFresh(s.id(), ring.Z(64), 4), NewFresh(s.id(), ring.Z(46), 4)
	bits := NewFreshBits(s.id(), 4, 1)
	mid := NewDerived(s.id(), ring.Z(64), maps.Shift{N: 4, By: 1}, leaf)
	top := NewDerived(s.id(), ring.Z(46), maps.Combine{N: 4, Coef: []int64{1, 1}}, mid, spare)
	product := func(ms ...*Mask) *Request {
		r := &Request{ID: ID(s.id()), Kind: Product, Out: ring.Z(64), N: 4}
		for _, m := range ms {
			r.Factors = append(r.Factors, Factor{Mask: m})
		}
		return r
	}
	lift := &Request{ID: ID(s.id()), Kind: Lift, Factors: []Factor{{Mask: top, Part: LowBits, Width: 46}}, Out: ring.Z(64), N: 4}
	rs := []*Request{product(top, bits), product(mid), lift, product(leaf, leaf), product(bits)}
	ev, err := newEvaluator(s.dealer, &Manifest{Requests: rs})
	if err != nil {
		t.Fatal(err)
	}
	names := map[*Mask]string{leaf: "leaf", spare: "spare", bits: "bits", mid: "mid", top: "top"}
	for i, want := range []string{"leaf bits mid top", "leaf bits top", "leaf bits", "bits", ""} {
		data, err := ev.correction(rs[i])
		if err != nil {
			t.Fatal(err)
		}
		s.corrections.Put(rs[i].ID, data)
		got := ""
		for _, m := range []*Mask{leaf, spare, bits, mid, top} {
			if st := ev.state[m]; st.vec.Words() != nil || st.bits != nil {
				if got != "" {
					got += " "
				}
				got += names[m]
			}
		}
		if got != want {
			t.Errorf("after request %d %q are kept, want %q", i, got, want)
		}
	}
	for _, r := range rs {
		s.check(t, r)
	}
}

// A mask whose shares are used but whose value is never computed releases the masks that it is
// derived from.
func TestMaskThatIsNeverComputedIsReleased(t *testing.T) {
	s := newSession(2, 10)
	leaf := NewFresh(s.id(), ring.Z(64), 4)
	unused := NewDerived(s.id(), ring.Z(64), maps.Shift{N: 4, By: 1}, leaf)
	rs := []*Request{
		{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: leaf}}, Out: ring.Z(64), N: 4},
		{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: unused}}, Out: ring.Z(64), N: 4},
	}
	ev, err := newEvaluator(s.dealer, &Manifest{Requests: rs})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ev.correction(rs[0]); err != nil {
		t.Fatal(err)
	}
	ev.releaseFactors(rs[1])
	if st := ev.state[leaf]; st.readers.Load() != 0 || st.vec.Words() != nil {
		t.Errorf("%d readers, %d elements", st.readers.Load(), st.vec.Len())
	}
}

// Doubling a mask 60 times makes a graph with 2^60 paths.
func TestSharesOfADeepGraph(t *testing.T) {
	s := newSession(2, 11)
	m := NewFresh(s.id(), ring.Z(46), 3)
	for range 60 {
		m = NewDerived(s.id(), ring.Z(46), maps.Combine{N: 3, Coef: []int64{1, -2}}, m, m)
	}
	r := &Request{ID: ID(s.id()), Kind: Lift, Factors: []Factor{{Mask: m, Part: LowBits, Width: 46}}, Out: ring.Z(64), N: 3}
	done := make(chan struct{})
	go func() { defer close(done); s.deal(t, r) }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the dealer walks every way")
	}
	s.check(t, r)
}

func TestDealingIsDeterministic(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	form := func() (*session, []*Request) {
		s := newSession(3, 12)
		x, bits := NewFresh(s.id(), ring.Z(64), 30), NewFreshBits(s.id(), 30, 1)
		var rs []*Request
		for i := range 60 {
			m := NewDerived(s.id(), ring.Z(64), maps.Combine{N: 30, Coef: []int64{int64(i)}}, x)
			rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: m}, {Mask: bits}}, Out: ring.Z(64), N: 30})
		}
		return s, rs
	}
	s, rs := form()
	want := s.deal(t, rs...)
	for range 10 {
		s, rs := form()
		got := s.deal(t, rs...)
		for id, data := range want {
			if !bytes.Equal(got[id], data) {
				t.Fatalf("%v differs between runs", id)
			}
		}
	}
}

func TestDealIsCancellable(t *testing.T) {
	s := newSession(2, 13)
	m := NewFresh(s.id(), ring.Z(64), 1)
	var rs []*Request
	for range 5000 {
		rs = append(rs, &Request{ID: ID(s.id()), Kind: Product, Factors: []Factor{{Mask: m}}, Out: ring.Z(64), N: 1})
	}
	ctx, cancel := context.WithCancel(t.Context())
	var dealt atomic.Int64
	err := s.dealer.Deal(ctx, &Manifest{Requests: rs}, func(ID, []byte) error {
		if dealt.Add(1) == 10 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || dealt.Load() > 10+int64(runtime.GOMAXPROCS(0)) {
		t.Errorf("%d of %d dealt, %v", dealt.Load(), len(rs), err)
	}
	if err := s.dealer.Deal(t.Context(), &Manifest{}, nil); err != nil {
		t.Errorf("nothing to deal: %v", err)
	}
}
