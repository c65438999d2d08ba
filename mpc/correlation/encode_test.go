package correlation

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/mpc/wire"
	"github.com/tacet-mpc/tacet/ring"
)

// larger is a manifest with masks of every kind.
func larger() *Manifest {
	f := example()
	z := ring.Z(64)
	x, y := f.Requests[0].Factors[0].Mask, f.Requests[0].Factors[1].Mask.Of[1]
	bits, t := NewFreshBits(20, 6, 2), NewFresh(21, ring.Z(3), 6)
	shuffled := NewShuffled(22, 23, 3, x)
	turned := NewDerived(24, z, reversal(6), NewDerived(25, z, reversal(6), x))
	narrow := Factor{Mask: x, Part: LowBits, Width: 2}
	upper := NewUpper(28, 20, NewFresh(29, z, 6))
	f.Requests = append(
		f.Requests,
		&Request{ID: 30, Kind: BitProduct, Factors: []Factor{{Mask: bits}, {Mask: y, Part: Bit, Width: 9}}, N: 6},
		&Request{ID: 31, Kind: WrapTable, Factors: []Factor{{Mask: t}}, Out: ring.Z(20), N: 6 * 7},
		&Request{
			ID:      32,
			Kind:    Product,
			Factors: []Factor{{Mask: shuffled}, {Mask: turned}, {Mask: bits, Part: Sign}, {Mask: NewZero(26, z, 6)}, {Mask: upper}},
			Out:     z,
			N:       6,
		},
		&Request{ID: 33, Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 40}}, Out: ring.Z(72), N: 6},
		&Request{ID: 34, Kind: OneHot, Factors: []Factor{narrow}, Out: z, N: 18},
		&Request{ID: 35, Kind: Rotated, Factors: []Factor{narrow, {Mask: NewFresh(27, z, 8)}}, Out: z, N: 24},
		&Request{ID: 36, Kind: Placed, Factors: []Factor{narrow, {Mask: turned}}, Out: z, N: 24},
		&Request{
			ID:        37,
			Kind:      Waves,
			Factors:   []Factor{{Mask: x, Part: LongPhaseWrap, C: Multiplier{1, 1 << 63}}, {Mask: bits}},
			Out:       z,
			N:         18,
			Harmonics: 1,
			Scale:     31,
		},
		&Request{
			ID:       38,
			Kind:     BitProduct,
			Factors:  []Factor{{Mask: bits, Part: Planes, Width: 2}, {Mask: y, Part: Bit, Width: 9}},
			N:        6,
			Products: exampleProducts(),
		},
		&Request{
			ID:       39,
			Kind:     BitProduct,
			Factors:  []Factor{{Mask: bits, Part: Planes, Width: 2}, {Mask: y, Part: Bit, Width: 9}},
			N:        6,
			Products: NewProducts(3, [][]uint16{{2}}),
		},
		&Request{ID: 40, Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{3, 4}, N: 6},
		&Request{
			ID:        41,
			Kind:      Waves,
			Factors:   []Factor{{Mask: x, Part: Phase, C: Multiplier{5, 6}}, {Mask: bits, Part: Sign}},
			Out:       ring.Z(43),
			N:         24,
			First:     5,
			Harmonics: 2,
			Scale:     21,
		},
		&Request{ID: 1 << 40, Kind: VOLE, Out: ring.Z(128), N: 300},
		&Request{
			ID: 1<<40 + 1, Kind: HiddenJoin, Out: z, N: 8, Join: joins.Sizes{Slots: 9, Places: 12, Keeper: 4, Columns: 2},
		},
	)
	return f
}

var roomy = Limits{Bytes: 1 << 20, Items: 1000, Words: 1 << 16, Parties: 3}

func encoded(t testing.TB, f *Manifest) []byte {
	var b bytes.Buffer
	if err := f.Encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// answer is the corrections of a manifest, dealt from fixed seeds of three parties, two of which
// compute.
func answer(f *Manifest) ([]byte, error) {
	var b bytes.Buffer
	err := NewLocal(2, []ring.Seed{{1}, {2}, {3}}).Deal(context.Background(), f, func(id ID, data []byte) error {
		return WriteRecord(&b, SessionID{}, id, data)
	})
	return b.Bytes(), err
}

func TestManifestRoundTrip(t *testing.T) {
	for _, f := range []*Manifest{{}, example(), larger()} {
		b := encoded(t, f)
		g, _, err := DecodeManifest(bytes.NewReader(b), roomy)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(encoded(t, g), b) || g.Digest() != f.Digest() {
			t.Error("what arrives is written otherwise")
		}
		want, err := answer(f)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := answer(g); err != nil || !bytes.Equal(got, want) {
			t.Errorf("other corrections are dealt: %v", err)
		}
		for i, r := range g.Requests {
			for j, x := range r.Factors {
				if y := f.Requests[i].Factors[j].Mask; x.Mask.Owners != y.Owners {
					t.Errorf("mask %v has owners up to %d, not %d", y.ID, x.Mask.Owners, y.Owners)
				}
			}
			if r.Op != "" {
				t.Errorf("where a request comes from arrives: %s", r.Op)
			}
		}
		for n := range len(b) {
			if _, _, err := DecodeManifest(bytes.NewReader(b[:n]), roomy); err == nil {
				t.Errorf("%d bytes of %d are a form", n, len(b))
			}
		}
		if _, _, err := DecodeManifest(bytes.NewReader(append(slices.Clip(b), 0)), roomy); err == nil {
			t.Error("a byte too many is taken")
		}
	}
}

// Maps and masks that occur often are encoded once.
func TestManifestsAreCompact(t *testing.T) {
	form := func(times int) *Manifest {
		x := NewFresh(1, ring.Z(64), 1000)
		f := &Manifest{}
		for i := range times {
			by := make([]int64, 1000) // each time a different vector of the same numbers
			for j := range by {
				by[j] = int64(j * j)
			}
			m := NewDerived(uint64(10+i), x.Ring, maps.Times{By: ring.FromInts(x.Ring, by), Bits: 20}, x)
			f.Requests = append(f.Requests, &Request{ID: ID(100 + i), Kind: Product, Factors: []Factor{{Mask: m}}, Out: x.Ring, N: x.N})
		}
		return f
	}
	one, many := len(encoded(t, form(1))), len(encoded(t, form(51)))
	if one > 2700 || many > one+50*16 {
		t.Errorf("%d bytes, and %d for fifty more", one, many-one)
	}
	if _, held, err := DecodeManifest(bytes.NewReader(encoded(t, form(51))), roomy); err != nil || held != 8*1000 {
		t.Errorf("the one map takes %d bytes: %v", held, err)
	}
}

// TestManifestsGrow checks that the memory of a manifest is announced as it arrives, and the vectors of its
// maps before they are allocated, and that a refusal ends decoding.
func TestManifestsGrow(t *testing.T) {
	x := NewFresh(1, ring.Z(64), 1000)
	m := NewDerived(2, x.Ring, maps.Times{By: ring.New(x.Ring, 1000), Bits: 1}, x)
	b := encoded(t, &Manifest{Requests: []*Request{{ID: 3, Kind: Product, Factors: []Factor{{Mask: m}}, Out: x.Ring, N: x.N}}})
	l, grown := roomy, int64(0)
	l.Grow = func(bytes int64) error { grown += bytes; return nil }
	if _, _, err := DecodeManifest(bytes.NewReader(b), l); err != nil || grown != DecodedSize*int64(len(b))+8*1000 {
		t.Errorf("%d bytes for an encoding of %d, %v", grown, len(b), err)
	}
	full := errors.New("no memory")
	for _, limit := range []int64{0, 7999} {
		l.Grow = func(bytes int64) error {
			if bytes > limit {
				return full
			}
			return nil
		}
		if _, _, err := DecodeManifest(iotest.OneByteReader(bytes.NewReader(b)), l); !errors.Is(err, full) {
			t.Errorf("at most %d bytes at once: %v", limit, err)
		}
	}
}

func TestManifestsRefused(t *testing.T) {
	refused := func(name string, b []byte, l Limits, want string) {
		t.Helper()
		if _, _, err := DecodeManifest(bytes.NewReader(b), l); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
	b := encoded(t, larger())
	refused("another file", []byte("what is this"), roomy, "another version")
	refused("another version", append([]byte("TACETOF\x02"), b[8:]...), roomy, "another version")
	for name, less := range map[string]func(l *Limits){
		"bytes": func(l *Limits) { l.Bytes = int64(len(b)) - 1 }, "masks": func(l *Limits) { l.Items = 20 },
		"too many elements": func(l *Limits) { l.Words = 5 }, "mask": func(l *Limits) { l.Parties = 1 },
	} {
		l := roomy
		less(&l)
		refused(name, b, l, name)
	}
	for name, c := range map[string]struct {
		change func(f *Manifest)
		want   string
	}{
		"an id twice":         {func(f *Manifest) { f.Requests[1].ID = f.Requests[0].ID }, "after"},
		"ids out of order":    {func(f *Manifest) { f.Requests[1].ID = 1 }, "after"},
		"too many zeros":      {func(f *Manifest) { f.Requests[0].Zeros = 64 }, "said to be zero"},
		"a map of other size": {func(f *Manifest) { f.Requests[2].B = maps.Elementwise{N: 5} }, "bilinear map of"},
		"no such owner":       {func(f *Manifest) { f.Requests[2].Factors[1].Mask.Owner = 3 }, "mask 0.2 "},
		"a mask too long":     {func(f *Manifest) { f.Requests[1].Factors[0].Mask.N = 7 }, "mask 0.3 "},
		"rows of no number":   {func(f *Manifest) { f.Requests[8].Factors[0].Mask.Rows = 4 }, "mask 0.22 "},
		"a plan's map":        {func(f *Manifest) { f.Requests[1].Factors[0].Mask.Map = maps.Times{By: ring.ShapeOnly(ring.Z(64), 6)} }, "without contents"},
		"a part of no mask":   {func(f *Manifest) { f.Requests[0].Factors[0].Shift = 21 }, "part 3, width 20"},
	} {
		f := larger()
		c.change(f)
		refused(name, encoded(t, f), roomy, c.want)
	}
	head := func(items ...byte) []byte { return append([]byte(manifestHead), items...) }
	refused("an end with flags", head(itemEnd|hasN), roomy, "at the end")
	refused("a map with flags", head(itemMap|1<<4), roomy, "of a map")
	refused("sizes of a join without a request", head(itemJoin, 1, 1, 1, 1, itemEnd), roomy, "without a request")
	leaf := []byte{itemMask | hasRing | hasN, byte(Fresh), 2, 128, 1, 1} // one element in Z_2^64
	refused(
		"no mask yet",
		head(append(slices.Clone(leaf), itemRequest|hasRing|hasN, byte(Product), 2, 128, 1, 1, 1, 1, 0)...),
		roomy,
		"before the first",
	)
	refused("no map yet", head(itemMask|hasRing|hasN|maskMap, byte(Derived), 2, 128, 1, 1, 0), roomy, "no such map")
	bilinear := maps.Append([]byte{itemMap}, maps.Elementwise{N: 1})
	refused(
		"a bilinear map of a mask",
		head(append(bilinear, itemMask|hasRing|hasN|maskMap, byte(Derived), 2, 128, 1, 1, 0)...),
		roomy,
		"no such map",
	)
	refused(
		"a factor with flags",
		head(append(slices.Clone(leaf), itemRequest|hasRing|hasN, byte(Product), 2, 128, 1, 1, 1, 0, 128)...),
		roomy,
		"of a factor",
	)
}

// Memory counts the masks that are held at the same time, not all masks.
func TestManifestMemory(t *testing.T) {
	const n = 1000
	const vec = 8 * n
	z := ring.Z(64)
	chain := &Manifest{}
	m := NewFresh(1, z, n)
	for i := range 100 { // each is derived from the one before, which has no other reader
		m = NewDerived(uint64(10+i), z, maps.Combine{N: n, Coef: []int64{2}}, m)
		chain.Requests = append(chain.Requests, &Request{ID: ID(200 + i), Kind: Product, Factors: []Factor{{Mask: m}}, Out: z, N: n})
	}
	wide := &Manifest{}
	x := NewFresh(1, z, n)
	for i := range 100 { // the first is needed to the end
		wide.Requests = append(
			wide.Requests,
			&Request{ID: ID(200 + i), Kind: Product, Factors: []Factor{{Mask: x}, {Mask: NewFresh(uint64(10+i), z, n)}}, Out: z, N: n},
		)
	}
	for name, c := range map[string]struct {
		f         *Manifest
		workers   int
		low, high int64
	}{
		"nothing":      {&Manifest{}, 4, 0, 0},
		"a chain":      {chain, 1, 2*vec + chain.Bytes(), 10*vec + chain.Bytes()},
		"more at once": {chain, 4, 5*vec + chain.Bytes(), 30*vec + chain.Bytes()},
		"one for all":  {wide, 1, 3*vec + wide.Bytes(), 12*vec + wide.Bytes()},
		"too much": {&Manifest{Requests: []*Request{{ID: 1, Kind: Product, Factors: []Factor{{Mask: NewFresh(2, ring.Z(4096), 1<<31-1)}},
			Out: ring.Z(4096), N: 1<<31 - 1}}},
			1 << 30, 1 << 62, 1<<63 - 1},
	} {
		if got := c.f.Memory(c.workers); got < c.low || got > c.high {
			t.Errorf("%s: %d bytes, want %d to %d", name, got, c.low, c.high)
		}
		if got := c.f.Expected(c.workers); got > c.f.Memory(c.workers) {
			t.Errorf("%s: %d bytes are expected, more than the bound", name, got)
		}
	}
	for _, right := range []*Mask{NewOwned(3, z, n, 0), NewFresh(3, z, n)} { // one is expanded where it is multiplied
		f := &Manifest{Requests: []*Request{{ID: 4, Kind: Bilinear, B: maps.MatMul{Batch: 1, M: 2, K: 10, N: 100}, N: 200, Out: z,
			Factors: []Factor{{Mask: NewFresh(2, z, 20)}, {Mask: right}}}}}
		want := int64(8 * (20 + 2*200))
		if right.Kind == Fresh {
			want += vec
		}
		if got := f.Expected(2); got != want {
			t.Errorf("a product with mask %v by two workers: %d bytes, want %d", right.Kind, got, want)
		}
	}
}

// Errors of the writer are returned.
func TestEncodeFails(t *testing.T) {
	broken := errors.New("broken")
	if err := larger().Encode(failing{broken}); !errors.Is(err, broken) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (w failing) Write([]byte) (int, error) { return 0, w.err }

// A chain of masks that is too long to follow is refused.
func TestLongChain(t *testing.T) {
	b := wire.AppendUint(append([]byte(manifestHead), itemMap), 0)[:len(manifestHead)+1]
	b = maps.Append(b, maps.Combine{N: 1, Coef: []int64{1}})
	b = append(b, itemMask|hasRing|hasN, byte(Fresh), 2, 128, 1, 1)
	for range maxDepth + 1 {
		b = append(b, itemMask|maskMap|maskOf, byte(Derived), 2, 0, 1, 0)
	}
	l := Limits{Bytes: 1 << 24, Items: 1 << 24, Words: 1 << 24, Parties: 2}
	if _, _, err := DecodeManifest(bytes.NewReader(append(b, itemEnd)), l); err == nil || !strings.Contains(err.Error(), "chain") {
		t.Error(err)
	}
}

// Any decoded manifest can be encoded again, and dealt or refused.
func FuzzDecodeManifest(f *testing.F) {
	f.Add(encoded(f, &Manifest{}))
	f.Add(encoded(f, example()))
	f.Add(encoded(f, larger()))
	f.Fuzz(func(t *testing.T, b []byte) {
		form, _, err := DecodeManifest(bytes.NewReader(b), Limits{Bytes: int64(len(b)), Items: 100, Words: 1 << 12, Parties: 3})
		if err != nil {
			return
		}
		again, _, err := DecodeManifest(bytes.NewReader(encoded(t, form)), roomy)
		if err != nil || again.Digest() != form.Digest() {
			t.Fatalf("written again it is another form: %v", err)
		}
		if form.Memory(1) < 1<<20 {
			answer(form) // an error is a valid outcome
		}
	})
}
