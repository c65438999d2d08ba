package correlation

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/correlation/joins"
	"github.com/tacet-mpc/tacet/ring"
)

// TestJoins: requests of joins are dealt from seeds of their own, with the lengths that they announce, and survive their encoding.
func TestJoins(t *testing.T) {
	l := joins.Sizes{Slots: 9, Places: 12, Keeper: 4, Columns: 2}
	f := &Manifest{Requests: []*Request{
		{ID: 1, Kind: VOLE, Out: ring.Z(128), N: 300},
		{ID: 2, Kind: HiddenJoin, Out: ring.Z(64), N: 8, Join: l},
	}}
	var b bytes.Buffer
	if err := f.Encode(&b); err != nil {
		t.Fatal(err)
	}
	read, _, err := DecodeManifest(&b, Limits{Bytes: 1000, Items: 10, Words: 100, Parties: 2})
	if err != nil || read.Digest() != f.Digest() {
		t.Fatalf("decoded: %v", err)
	}
	seeds := seedsFor(2, 1)
	var got [][]byte
	if err := NewLocal(2, seeds).Deal(t.Context(), read, func(_ ID, data []byte) error { got = append(got, data); return nil }); err != nil {
		t.Fatal(err)
	}
	seed := func(rank int, id ID) ring.Seed { return JoinSeed(seeds[rank], id) }
	want := [][]byte{joins.VOLE(seed(1, 1), seed(0, 1), 300), l.Hidden(seed(0, 2), seed(1, 2), ring.Z(64))}
	for i, r := range f.Requests {
		if !bytes.Equal(got[i], want[i]) || int64(len(want[i])) != r.Bytes() {
			t.Errorf("%v: %d bytes, want %d", r.Kind, len(got[i]), r.Bytes())
		}
	}
	if seed(0, 1) == seed(0, 2) || seed(0, 1) == seeds[0] {
		t.Error("two requests have one seed")
	}
	if err := NewLocal(3, seedsFor(3, 1)).Deal(t.Context(), f, func(ID, []byte) error { return nil }); err == nil {
		t.Error("three computing parties are not refused")
	}
}

func TestMalformedJoins(t *testing.T) {
	l := joins.Sizes{Slots: 9, Places: 12, Keeper: 4, Columns: 2}
	x := []Factor{{Mask: NewFresh(1, ring.Z(64), 8)}}
	for name, r := range map[string]Request{
		"a VOLE in another ring":      {Kind: VOLE, Out: ring.Z(64), N: 300},
		"a VOLE of nothing":           {Kind: VOLE, Out: ring.Z(128)},
		"a VOLE that is too long":     {Kind: VOLE, Out: ring.Z(128), N: joins.MaxEntries + 1},
		"a VOLE with sizes":           {Kind: VOLE, Out: ring.Z(128), N: 300, Join: l},
		"a VOLE of a mask":            {Kind: VOLE, Out: ring.Z(128), N: 300, Factors: x},
		"a join without sizes":        {Kind: HiddenJoin, Out: ring.Z(64), N: 8},
		"a join of other elements":    {Kind: HiddenJoin, Out: ring.Z(64), N: 9, Join: l},
		"a join in another ring":      {Kind: HiddenJoin, Out: ring.Z(32), N: 8, Join: l},
		"more rows than slots":        {Kind: HiddenJoin, Out: ring.Z(64), N: 20, Join: joins.Sizes{Slots: 9, Places: 12, Keeper: 10, Columns: 2}},
		"fewer places than slots":     {Kind: HiddenJoin, Out: ring.Z(64), N: 8, Join: joins.Sizes{Slots: 9, Places: 8, Keeper: 4, Columns: 2}},
		"no columns":                  {Kind: HiddenJoin, Out: ring.Z(64), Join: joins.Sizes{Slots: 9, Places: 12, Keeper: 4}},
		"sizes of a join elsewhere":   {Kind: Product, Factors: x, Out: ring.Z(64), N: 8, Join: l},
		"harmonics of a join's table": {Kind: HiddenJoin, Out: ring.Z(64), N: 8, Join: l, Harmonics: 1},
	} {
		err := NewLocal(2, seedsFor(2, 1)).Deal(t.Context(), &Manifest{Requests: []*Request{&r}}, func(ID, []byte) error { return nil })
		if err == nil || !strings.Contains(err.Error(), "malformed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	r := &Request{ID: 1, Kind: VOLE, Out: ring.Z(128), N: 300}
	if _, err := new(Recorder).Take(t.Context(), r); err == nil {
		t.Error("a recorder takes a VOLE")
	}
	if _, err := NewParty(0, 2, ring.Seed{}, nil).Take(t.Context(), r); err == nil {
		t.Error("a party's source takes a VOLE")
	}
}
