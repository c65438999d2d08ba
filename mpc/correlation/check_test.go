package correlation

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// The dealer and every source refuse malformed requests before any id is used, and do not panic.
func TestMalformedRequests(t *testing.T) {
	z := ring.Z(64)
	x, y := NewFresh(1, z, 4), NewFresh(2, z, 5)
	bits, narrow := NewFreshBits(3, 4, 1), NewFresh(4, ring.Z(2), 4)
	theta, k, q := Factor{Mask: x, Part: Phase, C: Multiplier{3}}, ring.Z(104), ring.M(128)
	same := maps.Elementwise{N: 4}
	for name, r := range map[string]Request{
		"unknown kind":            {Kind: 200, Factors: []Factor{{Mask: x}}, Out: z, N: 4},
		"no factors":              {Kind: Product, Out: z, N: 4},
		"no factors of bits":      {Kind: BitProduct, N: 4},
		"digits of a product":     {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Digits: Digits{1}},
		"a digit of no bits":      {Kind: Thermometer, Factors: []Factor{{Mask: x}}, N: 4, Digits: Digits{3, 0}},
		"a digit too large":       {Kind: Thermometer, Factors: []Factor{{Mask: x}}, N: 4, Digits: Digits{maxDigitBits + 1}},
		"digits beyond the mask":  {Kind: Thermometer, Factors: []Factor{{Mask: x}}, N: 4, Digits: Digits{4, 4}, Pos: 60},
		"a table in a ring":       {Kind: Thermometer, Factors: []Factor{{Mask: x}}, N: 4, Digits: Digits{4}, Out: z},
		"a list of ring products": {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Products: NewProducts(1, [][]uint16{{0}})},
		"products of other bits":  {Kind: BitProduct, Factors: []Factor{{Mask: bits}, {Mask: bits}}, N: 4, Products: NewProducts(3, [][]uint16{{0}})},
		"products of a ring mask": {Kind: BitProduct, Factors: []Factor{{Mask: x, Part: Planes, Width: 1}}, N: 4, Products: NewProducts(1, [][]uint16{{0}})},
		"planes without products": {Kind: BitProduct, Factors: []Factor{{Mask: bits, Part: Planes, Width: 1}}, N: 4},
		"planes that are not": {Kind: BitProduct, Factors: []Factor{{Mask: bits, Part: Planes, Shift: 1, Width: 1}}, N: 4,
			Products: NewProducts(1, [][]uint16{{0}})},
		"planes in a ring product":     {Kind: Product, Factors: []Factor{{Mask: bits, Part: Planes, Width: 1}}, Out: z, N: 4},
		"a plane beyond the mask":      {Kind: BitProduct, Factors: []Factor{{Mask: bits, Width: 1}}, N: 4},
		"no factors to lift":           {Kind: Lift, Out: z, N: 4},
		"no factors of a table":        {Kind: Thermometer, Digits: Digits{2}, N: 4},
		"no factors of a wrap table":   {Kind: WrapTable, Out: z, N: 12},
		"no mask":                      {Kind: Product, Factors: []Factor{{}}, Out: z, N: 4},
		"a second without a mask":      {Kind: Product, Factors: []Factor{{Mask: x}, {}}, Out: z, N: 4},
		"no ring":                      {Kind: Product, Factors: []Factor{{Mask: x}}, N: 4},
		"a ring below nothing":         {Kind: Product, Factors: []Factor{{Mask: x}}, Out: ring.Z(-3), N: 4},
		"a length below nothing":       {Kind: Product, Factors: []Factor{{Mask: &Mask{ID: 9, Ring: z, N: -1}}}, Out: z, N: -1},
		"a mask without a ring":        {Kind: Product, Factors: []Factor{{Mask: &Mask{ID: 9, N: 4}}}, Out: z, N: 4},
		"another length":               {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 5},
		"two lengths":                  {Kind: Product, Factors: []Factor{{Mask: x}, {Mask: y}}, Out: z, N: 4},
		"a shorter product of bits":    {Kind: BitProduct, Factors: []Factor{{Mask: bits}}, N: 3},
		"a ring mask among bits":       {Kind: BitProduct, Factors: []Factor{{Mask: bits}, {Mask: x}}, N: 4},
		"a bit of bits":                {Kind: BitProduct, Factors: []Factor{{Mask: bits, Part: Bit}}, N: 4},
		"low bits of bits":             {Kind: Product, Factors: []Factor{{Mask: bits, Part: LowBits, Width: 1}}, Out: z, N: 4},
		"an unknown part":              {Kind: Product, Factors: []Factor{{Mask: x, Part: 99}}, Out: z, N: 4},
		"no width":                     {Kind: Product, Factors: []Factor{{Mask: x, Part: LowBits}}, Out: z, N: 4},
		"a width below nothing":        {Kind: Product, Factors: []Factor{{Mask: x, Part: Wrap, Width: -5}}, Out: z, N: 4},
		"a width beyond the mask":      {Kind: Product, Factors: []Factor{{Mask: x, Part: Wrap, Width: 65}}, Out: ring.Z(128), N: 4},
		"low bits beyond the mask":     {Kind: Product, Factors: []Factor{{Mask: x, Part: LowBits, Width: 65}}, Out: ring.Z(128), N: 4},
		"a bit beyond the mask":        {Kind: BitProduct, Factors: []Factor{{Mask: x, Part: Bit, Width: 64}}, N: 4},
		"a bit below the mask":         {Kind: BitProduct, Factors: []Factor{{Mask: x, Part: Bit, Width: -1}}, N: 4},
		"a shift beyond the width":     {Kind: Product, Factors: []Factor{{Mask: x, Part: WrapShifted, Width: 9, Shift: 10}}, Out: z, N: 4},
		"a shift below nothing":        {Kind: Product, Factors: []Factor{{Mask: x, Part: Shifted, Width: 9, Shift: -1}}, Out: z, N: 4},
		"a shift that means nothing":   {Kind: Product, Factors: []Factor{{Mask: x, Part: LowBits, Width: 9, Shift: 1}}, Out: z, N: 4},
		"a width that means nothing":   {Kind: Product, Factors: []Factor{{Mask: x, Width: 9}}, Out: z, N: 4},
		"zeros that are not":           {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Zeros: 1},
		"more zeros than there are":    {Kind: Product, Factors: []Factor{{Mask: x, Part: Wrap, Width: 9}}, Out: z, N: 4, Zeros: 10},
		"nothing but zeros":            {Kind: Product, Factors: []Factor{{Mask: x, Part: Wrap, Width: 64}}, Out: z, N: 4, Zeros: 64},
		"zeros below nothing":          {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Zeros: -1},
		"zeros of a table":             {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{2}, N: 4, Zeros: 1},
		"a lift to what it is":         {Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 64}}, Out: z, N: 4},
		"a lift downwards":             {Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 64}}, Out: ring.Z(32), N: 4},
		"a lift of a whole":            {Kind: Lift, Factors: []Factor{{Mask: x}}, Out: ring.Z(128), N: 4},
		"a lift of two":                {Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 9}, {Mask: x}}, Out: z, N: 4},
		"a lift of another length":     {Kind: Lift, Factors: []Factor{{Mask: x, Part: LowBits, Width: 9}}, Out: z, N: 5},
		"a table of no digit":          {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{}, N: 4},
		"a table below the mask":       {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{2}, N: 4, Pos: -1},
		"a table beyond the mask":      {Kind: Thermometer, Factors: []Factor{{Mask: x}}, Digits: Digits{2}, N: 4, Pos: 64},
		"a table of bits":              {Kind: Thermometer, Factors: []Factor{{Mask: bits}}, Digits: Digits{1}, N: 4},
		"a table of a part":            {Kind: Thermometer, Factors: []Factor{{Mask: x, Part: LowBits, Width: 9}}, Digits: Digits{2}, N: 4},
		"no bilinear map":              {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}}, Out: z, N: 4},
		"a bilinear map of one":        {Kind: Bilinear, Factors: []Factor{{Mask: x}}, Out: z, N: 4, B: maps.Elementwise{N: 4}},
		"a bilinear map of two sizes":  {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: y}}, Out: z, N: 4, B: maps.Elementwise{N: 4}},
		"a bilinear map to another":    {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}}, Out: z, N: 5, B: maps.Elementwise{N: 4}},
		"a bilinear map of four":       {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}, {Mask: x}, {Mask: x}}, Out: z, N: 4, B: same},
		"a bilinear map times others":  {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}, {Mask: y}}, Out: z, N: 4, B: same},
		"a bilinear map times bits":    {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}, {Mask: bits}}, Out: z, N: 4, B: same},
		"a bilinear map times a part":  {Kind: Bilinear, Factors: []Factor{{Mask: x}, {Mask: x}, {Mask: x, Part: LowBits, Width: 9}}, Out: z, N: 4, B: same},
		"a wrap table of bits":         {Kind: WrapTable, Factors: []Factor{{Mask: bits}}, Out: z, N: 4},
		"a wrap table of another size": {Kind: WrapTable, Factors: []Factor{{Mask: narrow}}, Out: z, N: 4},
		"a wrap table of wide masks":   {Kind: WrapTable, Factors: []Factor{{Mask: x}}, Out: z, N: 4},
		"a wrap table of an owner's":   {Kind: WrapTable, Factors: []Factor{{Mask: NewOwned(9, ring.Z(2), 4, 0)}}, Out: z, N: 12},
		"a wrap table of a part":       {Kind: WrapTable, Factors: []Factor{{Mask: narrow, Part: LowBits, Width: 2}}, Out: z, N: 12},
		"no phase of waves":            {Kind: Waves, Factors: []Factor{{Mask: bits}}, Out: k, N: 12, Harmonics: 1, Scale: 31},
		"no factors of waves":          {Kind: Waves, Out: k, Harmonics: 1, Scale: 31},
		"no factors of an exponential": {Kind: Exponential, Out: q, Scale: 30},
		"waves of another length":      {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 9, Harmonics: 1, Scale: 31},
		"waves without their factor":   {Kind: Waves, Factors: []Factor{theta, {Mask: bits}}, Out: k, N: 8, Harmonics: 1, Scale: 31},
		"waves of two lengths":         {Kind: Waves, Factors: []Factor{theta, {Mask: y, Part: Phase}}, Out: k, N: 8, Harmonics: 1, Scale: 31},
		"no harmonics":                 {Kind: Waves, Factors: []Factor{theta}, Out: k, Scale: 31},
		"harmonics below nothing":      {Kind: Waves, Factors: []Factor{theta}, Out: k, N: -8, Harmonics: -1, Scale: 31},
		"too many harmonics":           {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8 << 13, Harmonics: 1 << 13, Scale: 31},
		"waves below the first":        {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, First: -1},
		"waves of too high a harmonic": {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, First: 1 << 13},
		"short waves with a factor's":  {Kind: Waves, Factors: []Factor{theta, {Mask: bits}}, Out: k, N: 12, Harmonics: 1, Scale: 31, First: 1},
		"an exponential from a first":  {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4, Scale: 30, First: 1},
		"a product from a first":       {Kind: Product, Factors: []Factor{{Mask: x}}, Out: k, N: 4, First: 1},
		"waves at no scale":            {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1},
		"waves beyond a word":          {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 61},
		"waves beyond their ring":      {Kind: Waves, Factors: []Factor{theta}, Out: ring.Z(32), N: 8, Harmonics: 1, Scale: 31},
		"waves with an offset":         {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, Off: 1},
		"waves in a cyclic ring":       {Kind: Waves, Factors: []Factor{theta}, Out: q, N: 8, Harmonics: 1, Scale: 31},
		"waves at a digit":             {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, Pos: 4},
		"waves of a map":               {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, B: maps.Elementwise{N: 4}},
		"waves with zeros":             {Kind: Waves, Factors: []Factor{theta}, Out: k, N: 8, Harmonics: 1, Scale: 31, Zeros: 3},
		"waves times a ring mask":      {Kind: Waves, Factors: []Factor{theta, {Mask: x}}, Out: k, N: 12, Harmonics: 1, Scale: 31},
		"a phase after a bit":          {Kind: Waves, Factors: []Factor{theta, {Mask: bits}, theta}, Out: k, N: 12, Harmonics: 1, Scale: 31},
		"an exponential of harmonics":  {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4, Harmonics: 1, Scale: 30},
		"an exponential of no length":  {Kind: Exponential, Factors: []Factor{theta}, Out: q, Scale: 30},
		"an exponential at no scale":   {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4},
		"an exponential beyond a word": {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4, Scale: 61},
		"an exponential in a ring":     {Kind: Exponential, Factors: []Factor{theta}, Out: k, N: 4, Scale: 30},
		"an exponential in a narrow":   {Kind: Exponential, Factors: []Factor{theta}, Out: ring.M(31), N: 4, Scale: 30},
		"an offset below nothing":      {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4, Scale: 30, Off: -1},
		"an offset beyond the ring":    {Kind: Exponential, Factors: []Factor{theta}, Out: q, N: 4, Scale: 30, Off: 128},
		"an exponential with zeros":    {Kind: Exponential, Factors: []Factor{theta, {Mask: x, Part: Wrap, Width: 9}}, Out: q, N: 4, Scale: 30, Zeros: 9},
		"a phase in a product":         {Kind: Product, Factors: []Factor{theta}, Out: z, N: 4},
		"a phase in a table":           {Kind: Thermometer, Factors: []Factor{theta}, Digits: Digits{2}, N: 4},
		"a phase of bits":              {Kind: Waves, Factors: []Factor{{Mask: bits, Part: Phase}}, Out: k, N: 8, Harmonics: 1, Scale: 31},
		"a phase of a wide mask":       {Kind: Waves, Factors: []Factor{{Mask: NewFresh(9, ring.Z(129), 4), Part: Phase}}, Out: k, N: 8, Harmonics: 1, Scale: 31},
		"a phase with a width":         {Kind: Waves, Factors: []Factor{{Mask: x, Part: Phase, Width: 3}}, Out: k, N: 8, Harmonics: 1, Scale: 31},
		"a multiplier of no phase":     {Kind: Product, Factors: []Factor{{Mask: x, C: Multiplier{1}}}, Out: z, N: 4},
		"a sign of a ring mask":        {Kind: Exponential, Factors: []Factor{theta, {Mask: x, Part: Sign}}, Out: q, N: 4, Scale: 30},
		"a product in a cyclic ring":   {Kind: Product, Factors: []Factor{{Mask: x}}, Out: q, N: 4},
		"a product of harmonics":       {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Harmonics: 1},
		"a product at a scale":         {Kind: Product, Factors: []Factor{{Mask: x}}, Out: z, N: 4, Scale: 31},
	} {
		r.ID, r.Op = 77, "prog:9: op"
		refused := func(who string, err error) {
			if err == nil || !strings.Contains(err.Error(), "prog:9: op") || !strings.Contains(err.Error(), "0.77") {
				t.Errorf("%s: %s: %v", name, who, err)
			}
		}
		refused("dealer", dealing(t, &r))
		for rank := range 2 {
			p := NewParty(rank, 2, ring.Seed{}, unlimited())
			_, err := p.Take(context.Background(), &r)
			refused("party", err)
			if len(p.spent) != 0 {
				t.Errorf("%s: the id is used up", name)
			}
		}
		rec := &Recorder{}
		_, err := rec.Take(context.Background(), &r)
		refused("recorder", err)
		if len(rec.Manifest().Requests) != 0 {
			t.Errorf("%s: it is recorded", name)
		}
	}
}

func dealing(t *testing.T, rs ...*Request) error {
	return newSession(
		2,
		20,
	).dealer.Deal(
		t.Context(),
		&Manifest{Requests: rs},
		func(id ID, _ []byte) error { t.Errorf("%v is dealt", id); return nil },
	)
}

// The dealer refuses malformed masks at any depth of derivation.
func TestMalformedMasks(t *testing.T) {
	z := ring.Z(64)
	x := NewFresh(1, z, 4)
	circle := NewDerived(2, z, reversal(4), x)
	circle.Of = []*Mask{NewDerived(3, z, reversal(4), circle)}
	for name, m := range map[string]*Mask{
		"unknown kind":              {ID: 5, Kind: 99, Ring: z, N: 4},
		"an owner that is not":      NewOwned(5, z, 4, 3),
		"an owner below all":        NewOwned(5, z, 4, -1),
		"no map":                    {ID: 5, Kind: Derived, Ring: z, N: 4, Of: []*Mask{x}},
		"made of nothing":           {ID: 5, Kind: Derived, Ring: z, N: 4, Map: reversal(4)},
		"made of a missing mask":    {ID: 5, Kind: Derived, Ring: z, N: 4, Map: reversal(4), Of: []*Mask{nil}},
		"made of too many":          {ID: 5, Kind: Derived, Ring: z, N: 4, Map: reversal(4), Of: []*Mask{x, x}},
		"made of a longer one":      {ID: 5, Kind: Derived, Ring: z, N: 4, Map: reversal(4), Of: []*Mask{NewFresh(6, z, 5)}},
		"made of a narrower one":    {ID: 5, Kind: Derived, Ring: z, N: 4, Map: reversal(4), Of: []*Mask{NewFresh(6, ring.Z(63), 4)}},
		"made of bits":              {ID: 5, Kind: Derived, Ring: ring.Z(1), N: 4, Map: reversal(4), Of: []*Mask{NewFreshBits(6, 4, 1)}},
		"another length than made":  {ID: 5, Kind: Derived, Ring: z, N: 5, Map: reversal(4), Of: []*Mask{x}},
		"a length below nothing":    {ID: 5, Ring: z, N: -4},
		"made from itself":          circle,
		"made from what is made so": circle.Of[0],
	} {
		outer := &Mask{ID: 8, Kind: Derived, Ring: z, N: 4, Map: maps.Combine{N: 4, Coef: []int64{1, 1}}, Of: []*Mask{x, m}}
		for depth, m := range []*Mask{m, outer} {
			r := &Request{ID: 77, Kind: Product, Factors: []Factor{{Mask: m}}, Out: z, N: m.N}
			if err := dealing(t, r); err == nil {
				t.Errorf("%s at depth %d is accepted", name, depth)
			}
		}
	}
}

// The shares of a mask whose owner does not compute are dealt under another id, so a lift has no
// shares to be congruent to.
func TestLiftOfInputMask(t *testing.T) {
	m := NewDerived(2, ring.Z(46), reversal(4), NewOwned(1, ring.Z(64), 4, 2))
	r := &Request{ID: 77, Kind: Lift, Factors: []Factor{{Mask: m, Part: LowBits, Width: 46}}, Out: ring.Z(64), N: 4}
	if err := dealing(t, r); err == nil || !strings.Contains(err.Error(), "does not compute") {
		t.Errorf("got %v", err)
	}
}

// A map that panics, and a dealer without enough seeds, give errors.
func TestDealerErrors(t *testing.T) {
	m := NewDerived(2, ring.Z(64), broken{reversal(4)}, NewFresh(1, ring.Z(64), 4))
	r := &Request{ID: 77, Kind: Product, Factors: []Factor{{Mask: m}}, Out: ring.Z(64), N: 4}
	if err := dealing(t, r); err == nil || !strings.Contains(err.Error(), "a map that breaks") {
		t.Errorf("got %v", err)
	}
	ok := &Request{ID: 77, Kind: Product, Factors: []Factor{{Mask: NewFresh(1, ring.Z(64), 4)}}, Out: ring.Z(64), N: 4}
	for _, d := range []*Local{NewLocal(3, seedsFor(1, 1)), NewLocal(0, nil)} {
		if err := d.Deal(t.Context(), &Manifest{Requests: []*Request{ok}}, func(ID, []byte) error { return nil }); err == nil {
			t.Error("a dealer without enough seeds deals")
		}
	}
}

type broken struct{ maps.Linear }

func (broken) Apply(ring.Vec, ...ring.Vec) { panic("a map that breaks") }

// The first bad request ends the dealing with its error.
func TestDealingEndsWithTheFirstError(t *testing.T) {
	bad := NewDerived(2, ring.Z(64), broken{reversal(4)}, NewFresh(1, ring.Z(64), 4))
	rs := []*Request{{ID: 1000, Op: "bad", Kind: Product, Factors: []Factor{{Mask: bad}}, Out: ring.Z(64), N: 4}}
	for id := range ID(100) {
		rs = append(rs, product(id, NewFresh(uint64(id)+500, ring.Z(64), 4)))
	}
	err := newSession(2, 1).dealer.Deal(t.Context(), &Manifest{Requests: rs}, func(ID, []byte) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "for bad") || errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestDerivedFromANarrowerMask(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a mask is widened")
		}
	}()
	NewDerived(1, ring.Z(64), reversal(4), NewFresh(2, ring.Z(32), 4))
}
