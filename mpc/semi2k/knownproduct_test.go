package semi2k

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tacet-mpc/tacet/flow"
	"github.com/tacet-mpc/tacet/mpc"
	"github.com/tacet-mpc/tacet/mpc/correlation"
	"github.com/tacet-mpc/tacet/mpc/maps"
	"github.com/tacet-mpc/tacet/ring"
	"github.com/tacet-mpc/tacet/tensor"
)

// TestKnownProduct multiplies matrices that one party knows, dense and mostly zero, from the left and from the right, with opened ones,
// with transposes of opened ones and with ones that the other party knows. A matrix that stays between requests is one that its owner keeps
// in cleartext.
func TestKnownProduct(t *testing.T) {
	t.Run("the smaller operand is known", func(t *testing.T) {
		knownProductOf(t, ring.Z(64), 1, false, maps.MatMul{Batch: 1, M: 70, K: 40, N: 3}, 1, "opened")
	})
	for owner := range 2 {
		for _, left := range []bool{true, false} {
			for _, other := range []string{"opened", "known"} {
				t.Run(fmt.Sprintf("convolution/%d/left=%v/%s", owner, left, other), func(t *testing.T) {
					c := ring.Conv{
						Batch: 1, InChannels: 3, OutChannels: 4, Groups: 1, In: []int{6, 5}, Kernel: []int{3, 2}, Out: []int{3, 2},
						Stride: []int{2, 2}, PadLow: []int{1, 0}, InDilate: []int{1, 1}, KernelDilate: []int{1, 1},
					}
					if other == "known" && left == (c.InChannels*6*5 < 3*2*c.InChannels*c.OutChannels) {
						t.Skip("the larger operand's mask is taken")
					}
					knownProductOf(t, ring.Z(64), owner, left, maps.Conv{Conv: c}, 1, other)
				})
			}
		}
	}
	for _, r := range []ring.Ring{ring.Z(32), ring.Z(64)} {
		for owner := range 2 {
			for _, left := range []bool{true, false} {
				for _, every := range []int{1, 19} {
					for _, other := range []string{"opened", "transposed", "known"} {
						t.Run(fmt.Sprintf("%v/%d/left=%v/%d/%s", r, owner, left, every, other), func(t *testing.T) {
							knownProductCase(t, r, owner, left, every, other)
						})
						if every > 1 {
							continue
						}
						t.Run(fmt.Sprintf("%v/%d/left=%v/%s, stays", r, owner, left, other), func(t *testing.T) {
							knownProductCase(t, r, mpc.Staying(owner), left, every, other)
						})
					}
				}
			}
		}
	}
}

// knownProductCase has a known operand of which every so manieth element is not zero. What is dealt must be of the other party's share of
// the other operand's mask.
func knownProductCase(t *testing.T, r ring.Ring, ownerOrStaying int, left bool, every int, other string) {
	const large, inner, small = 70, 90, 3
	m := maps.MatMul{Batch: 1, M: large, K: inner, N: small}
	if !left {
		m = maps.MatMul{Batch: 1, M: small, K: inner, N: large}
	}
	knownProductOf(t, r, ownerOrStaying, left, m, every, other)
}

// knownProductOf is knownProductCase for any bilinear map; "transposed" is for matrix products only.
func knownProductOf(t *testing.T, r ring.Ring, ownerOrStaying int, left bool, m maps.Bilinear, every int, other string) {
	owner, stays := mpc.Owner(ownerOrStaying)
	rnd := rand.New(rand.NewPCG(5, uint64(r.Bits)))
	some := func(n, every int) ring.Vec {
		list := make([]int64, n)
		for i := 0; i < n; i += every {
			list[i] = rnd.Int64N(1<<20) - 1<<19
		}
		return ring.FromInts(r, list)
	}
	first, second := m.In()
	if !left {
		first, second = second, first
	}
	x, y := some(first, every), some(second, 1)
	var shape tensor.Shape
	if m, ok := m.(maps.MatMul); ok {
		if shape = (tensor.Shape{m.K, m.N}); !left {
			shape = tensor.Shape{m.M, m.K}
		}
	}
	turn := func(s tensor.Shape) maps.View { return maps.NewView(tensor.Transposed(s, []int{1, 0}), y.Len()) }
	given := y
	if other == "transposed" {
		given = ring.New(r, y.Len())
		turn(shape).Apply(given, y)
	}
	in := []operand{{v: given}}
	got := trial{n: 2, k: r, seed: 3, in: in, build: func(p *Party, op *flow.Op, in []mpc.Secret) []mpc.Secret {
		known, with := p.Input(op, ownerOrStaying, r, x.Len(), r.Bits-2, func() ring.Vec { return x.Clone() }), in[0]
		if m := known.(*share).masked; p.rank == owner && stays != (m.known != nil) {
			t.Error("a vector that stays is not kept in cleartext, or one that does not stay is")
		}
		switch other {
		case "transposed":
			p.Open(op, with)
			with = p.Linear(op, turn(tensor.Shape{shape[1], shape[0]}), with)
		case "known":
			with = p.Input(op, 1-owner, r, y.Len(), r.Bits-2, func() ring.Vec { return y.Clone() })
		}
		if left {
			return single(p.Product(op, r, m, known, with, 0))
		}
		return single(p.Product(op, r, m, with, known, 0))
	}}.run(t)
	want := ring.New(r, m.Out())
	if left {
		m.Apply(want, x, y)
	} else {
		m.Apply(want, y, x)
	}
	if !slices.Equal(got.out[0].Words(), want.Words()) {
		t.Error("the product is wrong")
	}
	for _, q := range got.form.Requests {
		if q.Kind != correlation.Bilinear {
			continue
		}
		known, part := q.Factors[0].Mask, q.Factors[1].Mask
		if !left {
			known, part = part, known
		}
		for part.Kind == correlation.Derived {
			part = part.Of[0]
		}
		if known.Kind != correlation.Owned || known.Owner != owner || part.Kind != correlation.Owned || part.Owner != 1-owner {
			t.Errorf("the product of masks of kinds %d of %d and %d of %d is dealt", known.Kind, known.Owner, part.Kind, part.Owner)
		}
	}
}
