package correlation

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	public "github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// holdsValue names the first field, at any depth, that could hold an opened value; "" if all fields
// are ids, kinds, rings, numbers of elements or bits, text and public maps.
func holdsValue(t reflect.Type, seen map[reflect.Type]bool) string {
	switch t {
	case reflect.TypeFor[ID](),
		reflect.TypeFor[Kind](),
		reflect.TypeFor[Part](),
		reflect.TypeFor[MaskKind](),
		reflect.TypeFor[ring.Ring](),
		reflect.TypeFor[Multiplier](),
		reflect.TypeFor[Digits](),
		reflect.TypeFor[Products](),
		reflect.TypeFor[joins.Sizes](),
		reflect.TypeFor[public.Linear](),
		reflect.TypeFor[public.Bilinear](),
		reflect.TypeFor[int](),
		reflect.TypeFor[string]():
		return ""
	}
	if seen[t] {
		return ""
	}
	seen[t] = true
	switch {
	case t.Kind() == reflect.Struct && t.PkgPath() == reflect.TypeFor[Request]().PkgPath():
		for i := range t.NumField() {
			if f := holdsValue(t.Field(i).Type, seen); f != "" {
				return t.Field(i).Name + "." + f
			}
		}
		return ""
	case t.Kind() == reflect.Pointer, t.Kind() == reflect.Slice && t.Elem().Kind() != reflect.Int:
		return holdsValue(t.Elem(), seen)
	}
	return t.String()
}

// A request can name masks and public values only: the dealer learns no opened value because there
// is no field for one.
func TestRequestsHoldNoValues(t *testing.T) {
	for _, typ := range []reflect.Type{reflect.TypeFor[Request](), reflect.TypeFor[Mask](), reflect.TypeFor[Factor](),
		reflect.TypeFor[Manifest]()} {
		if f := holdsValue(typ, map[reflect.Type]bool{}); f != "" {
			t.Errorf("%v can hold a value: %s", typ, f)
		}
	}
	for _, typ := range []reflect.Type{ // the test detects such fields
		reflect.TypeFor[Correlation](), reflect.TypeFor[ring.Vec](), reflect.TypeFor[*ring.Bits](), reflect.TypeFor[[]uint64](),
		reflect.TypeFor[[]byte](), reflect.TypeFor[[]int](), reflect.TypeFor[any](), reflect.TypeFor[func() int](),
		reflect.TypeFor[map[ID]int](), reflect.TypeFor[uint64](), reflect.TypeFor[*flow.Future[ring.Vec]](), reflect.TypeFor[[4]int](),
	} {
		if holdsValue(typ, map[reflect.Type]bool{}) == "" {
			t.Errorf("%v passes", typ)
		}
	}
}

// chiSquare is the χ² statistic of bytes against the uniform distribution, with 255 degrees of
// freedom: mean 255, standard deviation 22.6.
func chiSquare(data []byte) float64 {
	var count [256]float64
	for _, b := range data {
		count[b]++
	}
	want, sum := float64(len(data))/256, 0.0
	for _, c := range count {
		sum += (c - want) * (c - want) / want
	}
	return sum
}

// Corrections look uniform, however far from uniform the dealt values are. Seeds are fixed, so the
// outcome is too.
func TestCorrectionsLookUniform(t *testing.T) {
	const size = 1 << 14
	const limit = 255 + 5*22.6
	for _, n := range partyCounts {
		s := newSession(n, 30)
		bits := NewFreshBits(s.id(), size*8, 1)
		a, b := NewFreshBits(s.id(), size*8, 1), NewFreshBits(s.id(), size*8, 1)
		x, zero := NewFresh(s.id(), ring.Z(64), size), NewZero(s.id(), ring.Z(64), size)
		bit, narrow := NewFreshBits(s.id(), size, 1), NewFresh(s.id(), ring.Z(2), size)
		owned := NewOwned(s.id(), ring.Z(64), size, n)
		phase := func(m *Mask) Factor { return Factor{Mask: m, Part: Phase, C: Multiplier{1234567}} }
		requests := map[string]*Request{
			"bits that are mostly zero": {Kind: BitProduct, Factors: []Factor{{Mask: bits}, {Mask: a}, {Mask: b}}, N: size * 8},
			"zeros":                     {Kind: Product, Factors: []Factor{{Mask: zero}}, Out: ring.Z(64), N: size},
			"zeros and ones":            {Kind: Product, Factors: []Factor{{Mask: bit}}, Out: ring.Z(64), N: size},
			"a product":                 {Kind: Product, Factors: []Factor{{Mask: x}, {Mask: bit}}, Out: ring.Z(64), N: size},
			"an input owner's mask":     {Kind: Product, Factors: []Factor{{Mask: owned}}, Out: ring.Z(64), N: size},
			"wraps":                     {Kind: Product, Factors: []Factor{{Mask: x, Part: Wrap, Width: 46}}, Out: ring.Z(64), N: size, Zeros: 46},
			"a table of zeros":          {Kind: Thermometer, Factors: []Factor{{Mask: zero}}, Digits: Digits{4}, N: size},
			"a table":                   {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{4}, N: size, Pos: 9},
			"products of bits": {
				Kind:     BitProduct,
				Factors:  []Factor{{Mask: bits}, {Mask: a}, {Mask: b}},
				N:        size * 8,
				Products: NewProducts(3, [][]uint16{{0, 1, 2}, {0, 1}}),
			},
			"tables": {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{3, 4}, N: size},
			"a lift": {Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 46}}, Out: ring.Z(64), N: size},
			"a bilinear map": {
				Kind:    Bilinear,
				Factors: []Factor{{Mask: zero}, {Mask: x}},
				Out:     ring.Z(64),
				N:       size,
				B:       public.Elementwise{N: size},
			},
			"cosines and sines": {Kind: Waves, Factors: []Factor{phase(x)}, Out: ring.Z(104), N: 2 * size, Harmonics: 1, Scale: 31},
			"cosines of zeros": {
				Kind:      Waves,
				Factors:   []Factor{phase(zero), {Mask: bit}},
				Out:       ring.Z(104),
				N:         3 * size,
				Harmonics: 1,
				Scale:     31,
			},
			"exponentials": {Kind: Exponential, Factors: []Factor{phase(x)}, Out: ring.M(128), N: size, Scale: 30, Off: 21},
			"exponentials of zeros": {
				Kind:    Exponential,
				Factors: []Factor{phase(zero), {Mask: bit}},
				Out:     ring.M(128),
				N:       size,
				Scale:   30,
				Off:     21,
			},
			"a wrap table": {Kind: WrapTable, Factors: []Factor{{Mask: narrow}}, Out: ring.Z(18), N: 3 * size},
		}
		var rs []*Request
		for i, name := range slices.Sorted(maps.Keys(requests)) { // ids must not depend on the map's order
			requests[name].ID = ID(1000 + i)
			rs = append(rs, requests[name])
		}
		data := s.deal(t, rs...)
		for name, r := range requests {
			if x := chiSquare(data[r.ID]); x > limit {
				t.Errorf("%s among %d: chi-square of the correction's %d bytes is %.0f", name, n, len(data[r.ID]), x)
			}
		}
		// The dealt values are not uniform, so the test would detect a missing mask.
		if x := chiSquare([]byte(fmt.Sprint(s.take(t, requests["zeros and ones"])))); x < 10*limit {
			t.Errorf("the dealt values themselves have chi-square %.0f", x)
		}
	}
}
