package correlation

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

func exampleProducts() *Products { return NewProducts(3, [][]uint16{{0, 1}, {2}}) }

// example is a manifest with every field in use.
func example() *Manifest {
	z := ring.Z(64)
	x, y := NewFresh(1, z, 6), NewOwned(2, z, 6, 1)
	w := NewDerived(3, ring.Z(46), maps.Combine{N: 6, Coef: []int64{1, 1}}, x, y)
	return &Manifest{Requests: []*Request{
		{
			ID:      10,
			Kind:    Product,
			Factors: []Factor{{Mask: x, Part: Shifted, Width: 20, Shift: 3}, {Mask: w, Part: WrapShifted, Width: 20, Shift: 4}},
			Out:     z,
			N:       6,
			Zeros:   16,
			Op:      "a",
		},
		{ID: 11, Kind: Thermometer, Factors: []Factor{{Mask: w}}, Digits: Digits{4}, N: 6, Pos: 4, Op: "b"},
		{ID: 12, Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: y}}, Out: z, N: 4, B: maps.MatMul{Batch: 1, M: 2, K: 3, N: 2}, Op: "c"},
		{
			ID:        13,
			Kind:      Waves,
			Factors:   []Factor{{Mask: x, Part: Phase, C: Multiplier{5, 6}}},
			Out:       ring.Z(104),
			N:         36,
			Harmonics: 3,
			Scale:     31,
			Op:        "d",
		},
		{
			ID:      14,
			Kind:    Exponential,
			Factors: []Factor{{Mask: x, Part: Phase, C: Multiplier{5, 6}}},
			Out:     ring.M(128),
			N:       6,
			Scale:   30,
			Off:     21,
			Op:      "e",
		},
		{
			ID:       15,
			Kind:     BitProduct,
			Factors:  []Factor{{Mask: NewFreshBits(4, 6, 3), Part: Planes, Shift: 1, Width: 2}, {Mask: w, Part: Bit}},
			N:        6,
			Products: exampleProducts(),
			Op:       "f",
		},
	}}
}

func TestDigestIsOfContents(t *testing.T) {
	if example().Digest() != example().Digest() {
		t.Error("two forms of the same contents differ")
	}
	f := example()
	for _, r := range f.Requests {
		r.Op = "elsewhere/prog.mlir:1: " + r.Op
	}
	if f.Digest() != example().Digest() {
		t.Error("where the program lies changes the digest")
	}
}

// Every field of requests, factors and masks changes the digest, except Request.Op and Mask.Owners.
func TestDigestChangesWithEveryField(t *testing.T) {
	seen := map[[32]byte]string{example().Digest(): "nothing"}
	note := func(f *Manifest, change string) {
		d := f.Digest()
		if other, ok := seen[d]; ok {
			t.Errorf("%s and %s have one digest", change, other)
		}
		seen[d] = change
	}
	other := func(v reflect.Value) { // sets a different value
		switch v.Interface().(type) {
		case *Products:
			v.Set(reflect.ValueOf(NewProducts(3, [][]uint16{{0, 1}, {1}})))
		case *Mask:
			v.Set(reflect.ValueOf(NewZero(99, ring.Z(64), 6)))
		case maps.Linear:
			v.Set(reflect.ValueOf(reversal(6)))
		case maps.Bilinear:
			v.Set(reflect.ValueOf(maps.Elementwise{N: 6}))
		default:
			switch v.Kind() {
			case reflect.Int:
				v.SetInt(v.Int() + 1)
			case reflect.Bool:
				v.SetBool(!v.Bool())
			case reflect.Array:
				v.Index(1).SetUint(v.Index(1).Uint() + 1)
			case reflect.Uint8, reflect.Uint64:
				v.SetUint(v.Uint() + 1)
			case reflect.Slice:
				v.Set(v.Slice(0, v.Len()-1))
			case reflect.Interface: // nil
				if v.Type() == reflect.TypeFor[maps.Bilinear]() {
					v.Set(reflect.ValueOf(maps.Elementwise{N: 6}))
				} else {
					v.Set(reflect.ValueOf(reversal(6)))
				}
			default:
				t.Fatalf("cannot change a field of type %v", v.Type())
			}
		}
	}
	var each func(path string, pick func(f *Manifest) reflect.Value)
	each = func(path string, pick func(f *Manifest) reflect.Value) {
		v := pick(example())
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if m, ok := v.Interface().(Mask); ok && name == "Planes" && m.Kind != FreshBits {
					continue // fields that only other masks have
				}
				if name != "Op" && name != "Owners" {
					each(path+"."+name, func(f *Manifest) reflect.Value { return pick(f).Field(i) })
				}
			}
			return
		}
		if v.Kind() == reflect.Slice && v.Len() == 0 {
			return // a mask that is not derived; others have the field
		}
		f := example()
		other(pick(f))
		note(f, path)
	}
	for i := range example().Requests {
		each(fmt.Sprintf("request %d", i), func(f *Manifest) reflect.Value { return reflect.ValueOf(f.Requests[i]).Elem() })
		for j := range example().Requests[i].Factors {
			each(fmt.Sprintf("factor %d of request %d", j, i), func(f *Manifest) reflect.Value {
				return reflect.ValueOf(&f.Requests[i].Factors[j]).Elem()
			})
		}
	}
	for name, mask := range map[string]func(f *Manifest) *Mask{
		"bits":         func(f *Manifest) *Mask { return f.Requests[5].Factors[0].Mask },
		"a leaf":       func(f *Manifest) *Mask { return f.Requests[0].Factors[0].Mask },
		"a derived":    func(f *Manifest) *Mask { return f.Requests[0].Factors[1].Mask },
		"deep, of two": func(f *Manifest) *Mask { return f.Requests[0].Factors[1].Mask.Of[1] },
	} {
		each(name, func(f *Manifest) reflect.Value { return reflect.ValueOf(mask(f)).Elem() })
	}
	for _, n := range []int{7, 9} { // lengths of maps
		f := example()
		f.Requests[2].B = maps.MatMul{Batch: 1, M: 2, K: n, N: 2}
		note(f, fmt.Sprintf("a map of %d", n))
	}
	for name, m := range map[string]maps.Linear{ // with the same lengths and growth
		"coefficients": maps.Combine{N: 6, Coef: []int64{1, -1}},
		"order":        maps.Combine{N: 6, Coef: []int64{-1, 1}},
	} {
		f := example()
		f.Requests[0].Factors[1].Mask.Map = m
		note(f, name)
	}
	f := example()
	f.Requests[3].Factors[0].C[0]++
	note(f, "a multiplier's first word")
	f = example()
	f.Requests[0], f.Requests[1] = f.Requests[1], f.Requests[0]
	note(f, "the order")
	f = example()
	f.Requests = f.Requests[:4]
	note(f, "a request less")
	note(&Manifest{}, "nothing asked for")
	f = example() // the same factors, in other requests
	a, b := f.Requests[0], f.Requests[1]
	a.Factors, b.Factors = a.Factors[:1], append(a.Factors[1:2:2], b.Factors...)
	note(f, "a factor moved")
}

func TestManifestBytes(t *testing.T) {
	want := int64((6*(64-16)+7)/8 + (6*15+7)/8 + (6*2+7)/8 + 4*8 + 36*13 + 6*16)
	if got := example().Bytes(); got != want {
		t.Errorf("%d bytes, want %d", got, want)
	}
	for _, c := range []struct {
		r    Request
		bits int
	}{
		{Request{Kind: BitProduct, N: 9}, 9},
		{Request{Kind: BitProduct, N: 9, Products: exampleProducts()}, 18},
		{Request{Kind: Thermometer, N: 3, Digits: Digits{4, 1, 2}}, 57},
		{Request{Kind: Thermometer, N: 3, Digits: Digits{4}}, 45},
		{Request{Kind: Product, N: 3, Out: ring.Z(64)}, 192},
		{Request{Kind: Product, N: 3, Out: ring.Z(64), Zeros: 46}, 54},
		{Request{Kind: Lift, N: 3, Out: ring.Z(64), Factors: []Factor{{Width: 46}}}, 54},
		{Request{Kind: WrapTable, N: 7, Out: ring.Z(18)}, 126},
		{Request{Kind: Waves, N: 12, Out: ring.Z(104)}, 1248},
		{Request{Kind: Exponential, N: 3, Out: ring.M(136)}, 408},
		{Request{Kind: Bilinear, N: 0, Out: ring.Z(128)}, 0},
	} {
		if got := c.r.CorrectionBits(); got != c.bits || c.r.Bytes() != int64((c.bits+7)/8) {
			t.Errorf("%v: %d bits and %d bytes, want %d bits", c.r.Kind, got, c.r.Bytes(), c.bits)
		}
	}
}

// Later raises the ids of operation instances from one on, of requests, masks, what they are made of and orders; nothing else changes,
// and not the manifest itself.
func TestLater(t *testing.T) {
	before := larger().Digest()
	f := larger()
	if f.Later(0, 0).Digest() != before || f.Later(1<<10, 7).Digest() != before {
		t.Error("without higher ids the manifest is another")
	}
	g := f.Later(0, 7)
	if f.Digest() != before {
		t.Error("the manifest itself has changed")
	}
	const by = ID(7) << 32
	var same func(x, y *Mask)
	same = func(x, y *Mask) {
		order := x.Order
		if x.Kind == Shuffled {
			order += by
		}
		if y.ID != x.ID+by || y.Order != order || y.Kind != x.Kind || y.N != x.N || len(y.Of) != len(x.Of) {
			t.Errorf("mask %v becomes %v", x.ID, y.ID)
		}
		for i := range x.Of {
			same(x.Of[i], y.Of[i])
		}
	}
	for i, r := range f.Requests {
		if g.Requests[i].ID != r.ID+by {
			t.Errorf("request %v becomes %v", r.ID, g.Requests[i].ID)
		}
		for j, x := range r.Factors {
			same(x.Mask, g.Requests[i].Factors[j].Mask)
		}
	}
	if again := f.Later(0, 3).Later(0, 4); again.Digest() != g.Digest() {
		t.Error("3 and 4 instances later are not 7 instances later")
	}
}
