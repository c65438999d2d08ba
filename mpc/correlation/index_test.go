package correlation

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
)

// asIndex is the values of the request's index masks.
func (s *session) asIndex(t *testing.T, r *Request) []int {
	var out []int
	for _, x := range s.whole(t, r.Factors[0].Mask) {
		out = append(out, int(mod(x, r.Factors[0].Width).Int64()))
	}
	return out
}

// Shares of one-hot vectors, rotated tables and placed rows of every kind of mask add up to the
// documented values.
func TestIndices(t *testing.T) {
	const n = 6
	for _, parties := range partyCounts {
		for _, k := range []int{1, 32, 64, 128} {
			for _, width := range []int{1, 3, 5} {
				t.Run(fmt.Sprintf("%d parties, %d bits, %d of index", parties, k, width), func(t *testing.T) {
					s := newSession(parties, 40)
					z, size := ring.Z(k), 1<<width
					var rs []*Request
					for _, m := range s.masksOf(ring.Z(13), n) {
						f := Factor{Mask: m, Part: LowBits, Width: width}
						rs = append(rs, &Request{ID: ID(s.id()), Kind: OneHot, Factors: []Factor{f}, Out: z, N: n * (size - 1)})
						for groups := 1; groups <= 3; groups++ {
							table := NewFresh(s.id(), z, groups*size*2)
							rs = append(rs, &Request{ID: ID(s.id()), Kind: Rotated, Factors: []Factor{f, {Mask: table}}, Out: z, N: n * size * 2})
						}
						x := NewDerived(s.id(), z, maps.Combine{N: n * 3, Coef: []int64{1, 1}}, NewFresh(s.id(), z, n*3), NewOwned(s.id(), z, n*3, 0))
						rs = append(rs, &Request{ID: ID(s.id()), Kind: Placed, Factors: []Factor{f, {Mask: x}}, Out: z, N: n * size * 3})
					}
					s.deal(t, rs...)
					for _, r := range rs {
						want := s.indexed(t, r)
						for i, x := range s.take(t, r) {
							if x.Cmp(want[i]) != 0 {
								t.Fatalf("%v of %v: element %d adds up to %x, want %x", r.Kind, describe(r), i, x, want[i])
							}
						}
					}
				})
			}
		}
	}
}

// indexed is the value of a function of an index.
func (s *session) indexed(t *testing.T, r *Request) []*big.Int {
	size := 1 << r.Factors[0].Width
	var out []*big.Int
	index := s.asIndex(t, r)
	for i, l := range index {
		switch r.Kind {
		case OneHot:
			for v := range size - 1 {
				e := int64(0)
				if v == l {
					e = 1
				}
				out = append(out, big.NewInt(e))
			}
		case Rotated:
			table := s.whole(t, r.Factors[1].Mask)
			columns := r.N / len(index) / size
			groups := len(table) / size / columns
			own := table[i/(len(index)/groups)*size*columns:]
			for d := range size {
				at := ((d-l)%size + size) % size
				out = append(out, own[at*columns:(at+1)*columns]...)
			}
		case Placed:
			x := s.whole(t, r.Factors[1].Mask)
			columns := len(x) / len(index)
			for v := range size {
				for j := range columns {
					e := new(big.Int)
					if v == l {
						e = x[i*columns+j]
					}
					out = append(out, e)
				}
			}
		}
	}
	return out
}

// Inconsistent requests are refused.
func TestMalformedIndices(t *testing.T) {
	z := ring.Z(64)
	i := Factor{Mask: NewFresh(1, ring.Z(3), 4), Part: LowBits, Width: 3}
	table, x := Factor{Mask: NewFresh(2, z, 16)}, Factor{Mask: NewFresh(3, z, 8)}
	wide := Factor{Mask: NewFresh(4, z, 4), Part: LowBits, Width: maxIndexBits + 1}
	for name, r := range map[string]Request{
		"a one-hot of a whole mask":          {Kind: OneHot, Factors: []Factor{{Mask: i.Mask}}, Out: z, N: 28},
		"a one-hot of nothing":               {Kind: OneHot, Out: z, N: 28},
		"a one-hot of two":                   {Kind: OneHot, Factors: []Factor{i, i}, Out: z, N: 28},
		"a one-hot with its last entry":      {Kind: OneHot, Factors: []Factor{i}, Out: z, N: 32},
		"a one-hot beyond any table":         {Kind: OneHot, Factors: []Factor{wide}, Out: z, N: 4 * (1<<25 - 1)},
		"a rotation of nothing":              {Kind: Rotated, Factors: []Factor{i}, Out: z, N: 64},
		"a rotation of another length":       {Kind: Rotated, Factors: []Factor{i, table}, Out: z, N: 65},
		"a rotation of half a table":         {Kind: Rotated, Factors: []Factor{i, x}, Out: z, N: 64},
		"a rotation for a third of a table":  {Kind: Rotated, Factors: []Factor{i, {Mask: NewFresh(5, z, 24)}}, Out: z, N: 32},
		"a rotation of a part":               {Kind: Rotated, Factors: []Factor{i, {Mask: table.Mask, Part: LowBits, Width: 9}}, Out: z, N: 64},
		"a rotation into another ring":       {Kind: Rotated, Factors: []Factor{i, table}, Out: ring.Z(32), N: 64},
		"a rotation of bits":                 {Kind: Rotated, Factors: []Factor{i, {Mask: NewFreshBits(5, 16, 1)}}, Out: ring.Z(1), N: 64},
		"rows placed at no index":            {Kind: Placed, Factors: []Factor{x, x}, Out: z, N: 64},
		"rows placed of another length":      {Kind: Placed, Factors: []Factor{i, x}, Out: z, N: 63},
		"rows placed of which some are more": {Kind: Placed, Factors: []Factor{i, {Mask: NewFresh(5, z, 6)}}, Out: z, N: 48},
		"a place of a row":                   {Kind: Placed, Factors: []Factor{i, x}, Out: z, N: 64, Pos: 1},
	} {
		r.ID = 77
		var rec Recorder
		if _, err := rec.Take(t.Context(), &r); err == nil || !strings.Contains(err.Error(), "malformed") {
			t.Errorf("%s: a recorder says %v", name, err)
		}
		err := NewLocal(
			2,
			seedsFor(2, 1),
		).Deal(
			t.Context(),
			&Manifest{Requests: []*Request{&r}},
			func(ID, []byte) error { t.Errorf("%s: dealt", name); return nil },
		)
		if err == nil || errors.Is(err, ErrSpent) {
			t.Errorf("%s: the dealer says %v", name, err)
		}
	}
}

// Corrections of indices look uniform.
func TestIndexCorrectionsLookUniform(t *testing.T) {
	const n = 1 << 11
	const limit = 255 + 5*22.6
	for _, parties := range partyCounts {
		s := newSession(parties, 41)
		i := Factor{Mask: NewZero(s.id(), ring.Z(4), n), Part: LowBits, Width: 4}
		zeros := NewZero(s.id(), ring.Z(64), n)
		rs := []*Request{
			{Kind: OneHot, Factors: []Factor{i}, Out: ring.Z(64), N: n * 15},
			{Kind: Rotated, Factors: []Factor{i, {Mask: zeros}}, Out: ring.Z(64), N: n * 16},
			{Kind: Placed, Factors: []Factor{i, {Mask: zeros}}, Out: ring.Z(64), N: n * 16},
		}
		for j, r := range rs {
			r.ID = ID(2000 + j)
		}
		data := s.deal(t, rs...)
		for _, r := range rs {
			if x := chiSquare(data[r.ID]); x > limit {
				t.Errorf("%v among %d: chi-square %.0f", r.Kind, parties, x)
			}
		}
		if x := chiSquare(slices.Repeat([]byte{0, 0, 0, 1}, n)); x < 10*limit {
			t.Errorf("the dealt values themselves have chi-square %.0f", x)
		}
	}
}
